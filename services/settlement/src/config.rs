//! The settings of the service.

use secrecy::SecretString;

/// Where the ledger is kept by default: a file next to where the program was started.
const DATABASE_URL: &str = "sqlite://parlor-data/settlement.db";

/// The settings of settlement.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Settlement")]
#[group(skip)]
pub struct Config {
    /// Ledger database: sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME; literally or as
    /// file:PATH of a file that holds the URL
    #[arg(long, env = "PARLOR_SETTLEMENT_DATABASE_URL", hide_env_values = true,
        value_parser = parlor_common::secret::parse, default_value = DATABASE_URL)]
    pub settlement_database_url: SecretString,
    /// Connections to PostgreSQL for reading; one more writes
    #[arg(long, env = "PARLOR_SETTLEMENT_DATABASE_READERS", default_value_t = 8)]
    pub settlement_database_readers: u32,
    /// Most requests that share one database transaction
    #[arg(long, env = "PARLOR_SETTLEMENT_BATCH_REQUESTS", default_value_t = 512)]
    pub settlement_batch_requests: usize,
}

impl Config {
    /// The default settings with another database.
    #[must_use]
    pub fn with_database(url: &str) -> Self {
        Self {
            settlement_database_url: url.into(),
            settlement_database_readers: 8,
            settlement_batch_requests: 512,
        }
    }
}
