//! The settings of the service.

use secrecy::SecretString;

/// Where the ledger is kept by default: a file next to where the program was started.
const DATABASE_URL: &str = "sqlite://parlor-data/settlement.db";
const DATABASE_READERS: u32 = 8;
const BATCH_REQUESTS: usize = 512;
const AUDIT_INTERVAL_MS: u64 = 3_600_000;
const ORPHAN_INTERVAL_MS: u64 = 60_000;
const ORPHAN_PATIENCE_MS: u64 = 1_800_000;
const WALLET_TIMEOUT_MS: u64 = 2_000;
const WALLET_PATIENCE_MS: u64 = 5_000;

/// Who keeps the players' wallets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum WalletProvider {
    /// This ledger.
    #[default]
    Ledger,
    /// An operator's own wallet over HTTP; the ledger keeps what is at tables.
    Http,
}

/// The settings of settlement.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Settlement")]
pub struct Config {
    /// Ledger database: sqlite://PATH or postgres://USER:PASSWORD@HOST/NAME; literally or as
    /// file:PATH of a file that holds the URL
    #[arg(long, env = "PARLOR_SETTLEMENT_DATABASE_URL", hide_env_values = true,
        value_parser = parlor_common::secret::parse, default_value = DATABASE_URL)]
    pub settlement_database_url: SecretString,
    /// Connections to PostgreSQL for reading; up to six more write
    #[arg(long, env = "PARLOR_SETTLEMENT_DATABASE_READERS", default_value_t = DATABASE_READERS)]
    pub settlement_database_readers: u32,
    /// Most requests that share one database transaction
    #[arg(long, env = "PARLOR_SETTLEMENT_BATCH_REQUESTS", default_value_t = BATCH_REQUESTS)]
    pub settlement_batch_requests: usize,
    /// How old the last check of the whole ledger may become; 0: never check
    #[arg(long, env = "PARLOR_SETTLEMENT_AUDIT_INTERVAL_MS",
        default_value_t = AUDIT_INTERVAL_MS)]
    pub settlement_audit_interval_ms: u64,
    /// Pause between two looks for stacks whose table is lost; 0: never look
    #[arg(long, env = "PARLOR_SETTLEMENT_ORPHAN_INTERVAL_MS",
        default_value_t = ORPHAN_INTERVAL_MS)]
    pub settlement_orphan_interval_ms: u64,
    /// How long no pod must know a table before its stacks go back to their wallets; longer than
    /// any restart of the table service
    #[arg(long, env = "PARLOR_SETTLEMENT_ORPHAN_PATIENCE_MS",
        default_value_t = ORPHAN_PATIENCE_MS)]
    pub settlement_orphan_patience_ms: u64,
    /// Who keeps the players' wallets
    #[arg(long, env = "PARLOR_SETTLEMENT_WALLET_PROVIDER", value_enum, default_value = "ledger")]
    pub settlement_wallet_provider: WalletProvider,
    /// URL of the operator's wallet, for the provider http
    #[arg(long, env = "PARLOR_SETTLEMENT_WALLET_URL", default_value = "")]
    pub settlement_wallet_url: String,
    /// Bearer token for the operator's wallet, literally or as file:PATH
    #[arg(long, env = "PARLOR_SETTLEMENT_WALLET_TOKEN", hide_env_values = true,
        value_parser = parlor_common::secret::parse)]
    pub settlement_wallet_token: Option<SecretString>,
    /// Longest wait for one answer of the operator's wallet
    #[arg(long, env = "PARLOR_SETTLEMENT_WALLET_TIMEOUT_MS", default_value_t = WALLET_TIMEOUT_MS)]
    pub settlement_wallet_timeout_ms: u64,
    /// How long a player waits for a buy-in from the operator's wallet, with all tries
    #[arg(long, env = "PARLOR_SETTLEMENT_WALLET_PATIENCE_MS",
        default_value_t = WALLET_PATIENCE_MS)]
    pub settlement_wallet_patience_ms: u64,
}

impl Config {
    /// The default settings with another database.
    #[must_use]
    pub fn with_database(url: &str) -> Self {
        Self {
            settlement_database_url: url.into(),
            settlement_database_readers: DATABASE_READERS,
            settlement_batch_requests: BATCH_REQUESTS,
            settlement_audit_interval_ms: AUDIT_INTERVAL_MS,
            settlement_orphan_interval_ms: ORPHAN_INTERVAL_MS,
            settlement_orphan_patience_ms: ORPHAN_PATIENCE_MS,
            settlement_wallet_provider: WalletProvider::Ledger,
            settlement_wallet_url: String::new(),
            settlement_wallet_token: None,
            settlement_wallet_timeout_ms: WALLET_TIMEOUT_MS,
            settlement_wallet_patience_ms: WALLET_PATIENCE_MS,
        }
    }
}
