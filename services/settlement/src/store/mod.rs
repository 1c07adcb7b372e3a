//! Where the ledger is kept: PostgreSQL in a cluster, SQLite on a laptop.
//!
//! Both databases have the same tables and answer the same queries (`shared.rs`, `audited.rs`,
//! `derived.rs` and `transfers.rs`, compiled once for each); they differ in how a batch is loaded
//! and saved (`postgres.rs`, `sqlite.rs`), because that is where the speed is.

mod pending;
mod postgres;
mod sqlite;

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{HandId, HoldId, PlayerId, TableId};

use crate::Error;
use crate::boards::{Board, Rating, Standing};
use crate::money::{Chips, Digest, Head, Kind, Receipt, Submission, Transaction};

pub use pending::{Begun, Conclusion, Transfers};
pub use postgres::Database as Postgres;
pub use sqlite::Database as Sqlite;

/// Why the database did not answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoreError {
    /// It is away, or was too busy: the same may succeed later. Whether a write was committed is
    /// not known.
    Unavailable(String),
    /// It refused, or holds what it cannot hold: a fault of ours, and nothing was written.
    Fault(String),
}

impl fmt::Display for StoreError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unavailable(why) => write!(formatter, "the database is away: {why}"),
            Self::Fault(why) => write!(formatter, "the database refused: {why}"),
        }
    }
}

impl std::error::Error for StoreError {}

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Unavailable(why) => {
                tracing::warn!(%why, "the ledger's database is away");
                Self::Unavailable
            }
            StoreError::Fault(why) => {
                tracing::error!(%why, "the ledger's database refused");
                Self::Internal
            }
        }
    }
}

/// PostgreSQL's classes of errors after which the same statement may succeed: connection,
/// transaction rollback (serialization, deadlock), resources, operator intervention (shutdown, time
/// out), and a lock that was not to be had.
const PASSING_CLASSES: [&str; 5] = ["08", "40", "53", "57", "55"];
/// SQLite's primary result codes of that sort: busy, locked, input or output failed, disk full.
const PASSING_SQLITE_CODES: [u32; 4] = [5, 6, 10, 13];

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        let passing = match &error {
            sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            | sqlx::Error::Protocol(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed => true,
            sqlx::Error::Database(database) => database.code().is_some_and(|code| {
                let number = code.parse::<u32>().ok().filter(|_| code.len() != 5);
                match number {
                    Some(number) => PASSING_SQLITE_CODES.contains(&(number & 0xff)),
                    None => code.get(..2).is_some_and(|class| PASSING_CLASSES.contains(&class)),
                }
            }),
            _ => false,
        };
        // Parameters are not part of sqlx's messages, so no key or amount gets into a log here.
        if passing { Self::Unavailable(error.to_string()) } else { Self::Fault(error.to_string()) }
    }
}

impl From<sqlx::migrate::MigrateError> for StoreError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        match error {
            sqlx::migrate::MigrateError::Execute(error) => error.into(),
            error => Self::Fault(error.to_string()),
        }
    }
}

/// A player's money.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Balance {
    /// In the wallet.
    pub wallet: Chips,
    /// On stacks at tables.
    pub held: Chips,
}

/// One line of a player's statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatementLine {
    /// The number of the transaction.
    pub transaction: u64,
    /// What it was.
    pub kind: Kind,
    /// What the wallet gained.
    pub amount: Chips,
    /// The wallet afterwards.
    pub balance: Chips,
    /// Milliseconds since the Unix epoch.
    pub time_ms: i64,
    /// The table or the reason.
    pub reference: String,
}

/// A stack in play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenHold {
    /// The hold.
    pub id: HoldId,
    /// At which table.
    pub table: TableId,
    /// Who sits there.
    pub player: PlayerId,
    /// What is on the stack now.
    pub amount: Chips,
    /// The number of the transaction that opened it.
    pub opened: u64,
    /// Milliseconds since the Unix epoch.
    pub opened_ms: i64,
}

/// A hand as it was stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredHand {
    /// The serialized record.
    pub record: Bytes,
    /// What its digest was when it was posted.
    pub digest: Option<Digest>,
    /// Its server seed, when that was revealed later.
    pub seed: Option<Seed>,
}

/// The server seed of a hand.
pub type Seed = [u8; 32];

/// A hand in a list or a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredSummary {
    /// The number of its transaction: its place in the order of all hands.
    pub seq: u64,
    /// The serialized summary.
    pub summary: Bytes,
    /// What the house got.
    pub commission: Chips,
}

/// What an audit of the whole ledger found; all but the first two are 0 in a sound ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Audit {
    /// Accounts that exist.
    pub accounts: u64,
    /// Postings that exist.
    pub entries: u64,
    /// The sum of all postings.
    pub sum: i128,
    /// Accounts whose balance is not the sum of their postings.
    pub mismatches: u64,
    /// Accounts that may not be negative and are.
    pub overdrawn: u64,
    /// Transactions that do not follow from their predecessor.
    pub broken_links: u64,
    /// Transactions whose postings do not sum to zero.
    pub unbalanced: u64,
    /// Hands whose record is not the one that was posted.
    pub damaged_records: u64,
}

impl Audit {
    /// Nothing is wrong.
    #[must_use]
    pub const fn sound(&self) -> bool {
        self.sum == 0
            && self.mismatches == 0
            && self.overdrawn == 0
            && self.broken_links == 0
            && self.unbalanced == 0
            && self.damaged_records == 0
    }

    /// How much is wrong, in one number for alerts: 0 in a sound ledger.
    #[must_use]
    pub fn imbalance(&self) -> i64 {
        let faults = self.mismatches
            + self.overdrawn
            + self.broken_links
            + self.unbalanced
            + self.damaged_records;
        let total = self.sum.unsigned_abs().saturating_add(u128::from(faults));
        i64::try_from(total).unwrap_or(i64::MAX)
    }

    /// Follows the journal by one transaction.
    fn follow(&mut self, previous: &mut Head, transaction: &Transaction) {
        let sum: i128 = transaction.postings.iter().map(|line| i128::from(line.amount.0)).sum();
        self.entries += transaction.postings.len() as u64;
        self.sum += sum;
        self.unbalanced += u64::from(sum != 0);
        let follows = transaction.seq == previous.seq + 1
            && transaction.time_ms >= previous.time_ms
            && transaction.link == transaction.link_after(&previous.link);
        self.broken_links += u64::from(!follows);
        *previous =
            Head { seq: transaction.seq, time_ms: transaction.time_ms, link: transaction.link };
    }
}

/// Opens the database that the URL names, and brings its tables up to date.
///
/// # Errors
///
/// When the URL is neither `sqlite:…` nor `postgres:…`, or the database cannot be used.
pub async fn open(url: &str, readers: u32) -> Result<Arc<dyn Store>, StoreError> {
    match url.split_once(':') {
        Some(("sqlite", _)) => Ok(Arc::new(Sqlite::open(url).await?)),
        Some(("postgres" | "postgresql", _)) => Ok(Arc::new(Postgres::open(url, readers).await?)),
        // The URL may hold a password, so it is not shown.
        _ => Err(StoreError::Fault("the URL begins with neither sqlite: nor postgres:".into())),
    }
}

/// The results of a batch, in the order of its submissions.
pub type Results = Vec<Result<Receipt, Error>>;

/// A database that holds the ledger.
#[async_trait]
pub trait Store: Transfers + fmt::Debug + Send + Sync + 'static {
    /// Enters a batch in one database transaction. Nothing is entered when this fails with a
    /// fault; when the database was away, the batch may or may not have been committed.
    async fn write(&self, batch: &[Arc<Submission>], now_ms: i64) -> Result<Results, StoreError>;

    /// The number of the last transaction.
    async fn last(&self) -> Result<u64, StoreError>;

    /// A player's money; both parts as of one moment.
    async fn balance(&self, player: PlayerId) -> Result<Balance, StoreError>;

    /// A wallet's lines with numbers under `before`, newest first.
    async fn entries(
        &self,
        player: PlayerId,
        before: u64,
        limit: u32,
    ) -> Result<Vec<StatementLine>, StoreError>;

    /// Open holds whose numbers are above `after`, oldest first.
    async fn open_holds(
        &self,
        table: Option<TableId>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<OpenHold>, StoreError>;

    /// One hand; with a player, only if the player took part.
    async fn hand(
        &self,
        hand: HandId,
        player: Option<PlayerId>,
    ) -> Result<Option<StoredHand>, StoreError>;

    /// Writes down the server seeds of hands; the first seed of each stays.
    async fn save_seeds(&self, seeds: &[(HandId, Seed)]) -> Result<(), StoreError>;

    /// A player's hands with numbers under `before`, newest first.
    async fn hands(
        &self,
        player: PlayerId,
        game: Option<&str>,
        before: u64,
        limit: u32,
    ) -> Result<Vec<StoredSummary>, StoreError>;

    /// Hands with numbers above `after`, in the order in which they were committed.
    async fn results(
        &self,
        after: u64,
        game: Option<&str>,
        limit: u32,
    ) -> Result<Vec<StoredSummary>, StoreError>;

    /// Derives ratings and boards from the next hands, at most `limit`; tells how many it has read.
    async fn derive(&self, limit: u32) -> Result<u32, StoreError>;

    /// A player's rating in a game.
    async fn rating(&self, player: PlayerId, game: &str) -> Result<Option<Rating>, StoreError>;

    /// The best rows of a board, best first.
    async fn board(&self, board: &Board, limit: u32) -> Result<Vec<Standing>, StoreError>;

    /// Checks everything, as of one moment.
    async fn audit(&self) -> Result<Audit, StoreError>;

    /// Writes down what an audit has found.
    async fn note_audit(&self, audit: &Audit, finished_ms: i64) -> Result<(), StoreError>;

    /// The last audit that was written down, and when it had finished.
    async fn last_audit(&self) -> Result<Option<(i64, Audit)>, StoreError>;
}

/// A row that should not be there: it does not have the form in which it was written.
fn damaged(what: &'static str) -> StoreError {
    StoreError::Fault(format!("a damaged row: {what}"))
}
