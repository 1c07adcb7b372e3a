//! The settings of the service.

use std::path::PathBuf;

use parlor_game::shell::Pacing;
use secrecy::SecretString;

/// Where tables are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum StoreKind {
    /// One file: survives the death of the process.
    Embedded,
    /// Memory: for benchmarks; tables end with the process.
    Memory,
}

/// The settings of the table service.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Tables")]
#[group(skip)]
pub struct Config {
    /// Where tables are kept
    #[arg(long, env = "PARLOR_TABLE_STORE", value_enum, default_value = "embedded")]
    pub table_store: StoreKind,
    /// File of the embedded store
    #[arg(long, env = "PARLOR_TABLE_STORE_PATH", default_value = "parlor-data/tables.redb")]
    pub table_store_path: PathBuf,
    /// Most tables that this process owns
    #[arg(long, env = "PARLOR_TABLE_LIMIT", default_value_t = 100_000)]
    pub table_limit: usize,
    /// Secret that the daily challenges are derived from, the same at every table process (or
    /// file:PATH); without it there are none
    #[arg(long, env = "PARLOR_TABLE_DAILY_SECRET", hide_env_values = true,
          value_parser = parlor_common::secret::parse)]
    pub table_daily_secret: Option<SecretString>,
    /// Pause before a hand starts once everybody is ready
    #[arg(long, env = "PARLOR_TABLE_START_DELAY_MS", default_value_t = 3_000)]
    pub table_start_delay_ms: u32,
    /// How long a seat is held for a player who was matched
    #[arg(long, env = "PARLOR_TABLE_RESERVATION_MS", default_value_t = 15_000)]
    pub table_reservation_ms: u32,
    /// Pause before the table acts for a seat on auto-play
    #[arg(long, env = "PARLOR_TABLE_AUTO_PLAY_DELAY_MS", default_value_t = 800)]
    pub table_auto_play_delay_ms: u32,
    /// A player who is away for so long goes to auto-play, or loses the seat between hands
    #[arg(long, env = "PARLOR_TABLE_DISCONNECT_GRACE_MS", default_value_t = 60_000)]
    pub table_disconnect_grace_ms: u32,
    /// How long a vote to end the table is open
    #[arg(long, env = "PARLOR_TABLE_VOTE_MS", default_value_t = 60_000)]
    pub table_vote_ms: u32,
    /// Shortest pause before a bot acts, where the table does not say
    #[arg(long, env = "PARLOR_TABLE_BOT_DELAY_MIN_MS", default_value_t = 500)]
    pub table_bot_delay_min_ms: u32,
    /// Longest pause before a bot acts, where the table does not say
    #[arg(long, env = "PARLOR_TABLE_BOT_DELAY_MAX_MS", default_value_t = 1_200)]
    pub table_bot_delay_max_ms: u32,
}

impl Config {
    /// The clocks of a table that does not say otherwise.
    #[must_use]
    pub const fn pacing(&self) -> Pacing {
        Pacing {
            start_delay_ms: self.table_start_delay_ms,
            reservation_ms: self.table_reservation_ms,
            auto_play_delay_ms: self.table_auto_play_delay_ms,
            disconnect_grace_ms: self.table_disconnect_grace_ms,
            vote_ms: self.table_vote_ms,
            bot_delay_min_ms: self.table_bot_delay_min_ms,
            bot_delay_max_ms: self.table_bot_delay_max_ms,
            time_bank_ms: 0,
        }
    }
}
