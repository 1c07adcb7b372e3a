//! The settings of the service.

use std::path::PathBuf;

use crate::error::Error;
use crate::queue::Queues;
use crate::service::Limits;
use crate::store::AttemptLimit;
use crate::timing::Timing;

/// Matchmaking's settings: flags, environment variables, defaults.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Matchmaking")]
#[group(skip)]
pub struct Config {
    /// JSON file with the queues; without it, the built-in ones are offered
    #[arg(long, env = "PARLOR_MATCHMAKING_QUEUES_FILE")]
    pub matchmaking_queues_file: Option<PathBuf>,
    /// Most tickets that wait in one queue
    #[arg(long, env = "PARLOR_MATCHMAKING_MAX_WAITING", default_value_t = 20_000)]
    pub matchmaking_max_waiting: u32,
    /// Room codes that one player may try in a window
    #[arg(long, env = "PARLOR_MATCHMAKING_CODE_ATTEMPTS", default_value_t = 10)]
    pub matchmaking_code_attempts: u32,
    /// Length of that window
    #[arg(long, env = "PARLOR_MATCHMAKING_CODE_WINDOW_MS", default_value_t = 60_000)]
    pub matchmaking_code_window_ms: u32,
    /// How often every queue is looked at, so that rating windows widen and bots fill in
    #[arg(long, env = "PARLOR_MATCHMAKING_MATCH_INTERVAL_MS", default_value_t = 250)]
    pub matchmaking_match_interval_ms: u32,
    /// How long a replica keeps a queue without a sign of life
    #[arg(long, env = "PARLOR_MATCHMAKING_LEASE_TTL_MS", default_value_t = 3_000)]
    pub matchmaking_lease_ttl_ms: u32,
}

impl Default for Config {
    fn default() -> Self {
        let (limits, timing) = (Limits::default(), Timing::default());
        Self {
            matchmaking_queues_file: None,
            matchmaking_max_waiting: limits.waiting,
            matchmaking_code_attempts: limits.codes.attempts,
            matchmaking_code_window_ms: limits.codes.window_ms,
            matchmaking_match_interval_ms: timing.match_interval_ms,
            matchmaking_lease_ttl_ms: timing.lease_ms,
        }
    }
}

impl Config {
    /// Reads the queues.
    ///
    /// # Errors
    /// [`Error::Queues`].
    pub async fn queues(&self) -> Result<Queues, Error> {
        let Some(path) = &self.matchmaking_queues_file else { return Queues::built_in() };
        let text = tokio::fs::read_to_string(path).await;
        let text = text.map_err(|error| Error::Queues(format!("{}: {error}", path.display())))?;
        Queues::from_json(&text)
    }

    /// How much the service takes on.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        Limits {
            waiting: self.matchmaking_max_waiting,
            codes: AttemptLimit {
                attempts: self.matchmaking_code_attempts,
                window_ms: self.matchmaking_code_window_ms,
            },
        }
    }

    /// How long things may take.
    #[must_use]
    pub fn timing(&self) -> Timing {
        Timing {
            match_interval_ms: self.matchmaking_match_interval_ms,
            lease_ms: self.matchmaking_lease_ttl_ms,
            ..Timing::default()
        }
    }
}
