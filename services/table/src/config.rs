//! The settings of the service.

use std::net::Ipv4Addr;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::FalseyValueParser;
use parlor_common::client::ClientOptions;
use parlor_game::shell::Pacing;
use secrecy::SecretString;
use tokio::net::TcpListener;

use crate::actor::Upkeep;
use crate::store::Durability;
use crate::tables::Bounds;

/// Where tables are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum StoreKind {
    /// One file: survives the death of the process.
    Embedded,
    /// Memory: for benchmarks; tables end with the process.
    Memory,
    /// Redis or Redis Cluster: shared by several pods, which take over from each other.
    Redis,
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
    /// URLs of Redis, separated by commas, literally or as file:PATH: one server, or some nodes of
    /// a Redis Cluster
    #[arg(long, env = "PARLOR_REDIS_URL", hide_env_values = true,
        value_parser = parlor_common::secret::parse)]
    pub table_redis_url: Option<SecretString>,
    /// Hash tag of the lists of tables and pods in Redis; systems with different tags do not see
    /// each other
    #[arg(long, env = "PARLOR_TABLE_REDIS_TAG", default_value = "parlor-tables")]
    pub table_redis_tag: String,
    /// What has to have an action in Redis before it is answered
    #[arg(long, env = "PARLOR_TABLE_DURABILITY", value_enum, default_value = "local")]
    pub table_durability: Durability,
    /// Entries that stay in Redis behind a table's last snapshot, for audits
    #[arg(long, env = "PARLOR_TABLE_LOG_KEEP_ENTRIES", default_value_t = 0)]
    pub table_log_keep_entries: u64,
    /// Where gateways, matchmaking and other table pods call this one, such as
    /// `http://table-0.example:7001`; by default the address on which it listens
    #[arg(long, env = "PARLOR_TABLE_POD_URL")]
    pub table_pod_url: Option<String>,
    /// A pod that is silent for so long is held to be dead, and others take over its tables
    #[arg(long, env = "PARLOR_TABLE_LEASE_TTL_MS", default_value_t = 2_000,
        value_parser = clap::value_parser!(u64).range(100..))]
    pub table_lease_ttl_ms: u64,
    /// Longest time that a pod which ends may take to hand its tables to others
    #[arg(long, env = "PARLOR_TABLE_HANDOVER_TIMEOUT_MS", default_value_t = 15_000)]
    pub table_handover_timeout_ms: u64,
    /// Most tables that this process owns
    #[arg(long, env = "PARLOR_TABLE_LIMIT", default_value_t = 100_000)]
    pub table_limit: usize,
    /// Secret that the daily challenges are derived from, the same at every table process (or
    /// file:PATH); without it there are none
    #[arg(long, env = "PARLOR_TABLE_DAILY_SECRET", hide_env_values = true,
          value_parser = parlor_common::secret::parse)]
    pub table_daily_secret: Option<SecretString>,
    /// Offer the echo game of load tests
    #[arg(long, env = "PARLOR_TABLE_ECHO", value_parser = FalseyValueParser::new())]
    pub table_echo: bool,
    /// A table that nobody watches and at which nothing happens for so long leaves the memory until
    /// somebody asks for it; 0: never
    #[arg(long, env = "PARLOR_TABLE_PASSIVATE_AFTER_MS", default_value_t = 300_000)]
    pub table_passivate_after_ms: u64,
    /// Spectators see everything so much later than the players, so that they cannot help them
    #[arg(long, env = "PARLOR_TABLE_SPECTATOR_DELAY_MS", default_value_t = 0,
        value_parser = clap::value_parser!(u64).range(..=600_000))]
    pub table_spectator_delay_ms: u64,
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
    /// Where the other services call this pod.
    ///
    /// # Errors
    /// When the listener has no address.
    pub fn pod_url(
        &self,
        listener: &TcpListener,
        peers: &ClientOptions,
    ) -> std::io::Result<String> {
        if let Some(url) = &self.table_pod_url {
            return Ok(url.clone());
        }
        let mut address = listener.local_addr()?;
        if address.ip().is_unspecified() {
            // Right only where all services run on one machine; elsewhere the setting is needed.
            address.set_ip(Ipv4Addr::LOCALHOST.into());
        }
        let scheme = if peers.identity.is_some() { "https" } else { "http" };
        Ok(format!("{scheme}://{address}"))
    }

    /// What the process takes on.
    pub(crate) const fn bounds(&self) -> Bounds {
        Bounds { tables: self.table_limit, echo: self.table_echo }
    }

    /// What becomes of tables that nobody watches, and what spectators see.
    #[must_use]
    pub fn upkeep(&self) -> Upkeep {
        let passivate = self.table_passivate_after_ms;
        Upkeep {
            passivate_after: (passivate > 0).then(|| Duration::from_millis(passivate)),
            spectator_delay: Duration::from_millis(self.table_spectator_delay_ms),
        }
    }

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
