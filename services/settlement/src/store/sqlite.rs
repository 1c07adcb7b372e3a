//! SQLite: one file, one writer, readers on the side.

use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use serde_json::{Value, json};
use sqlx::query;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
    SqliteSynchronous,
};
use tokio::sync::Mutex;

use self::shared::signed;
use crate::money::Changes;
use crate::store::{StoreError, damaged};

// One dialect, compiled for the types of each database.
#[path = "audited.rs"]
#[allow(clippy::duplicate_mod)]
mod audited;
#[path = "derived.rs"]
#[allow(clippy::duplicate_mod)]
mod derived;
#[path = "shared.rs"]
#[allow(clippy::duplicate_mod)]
mod shared;
#[path = "transfers.rs"]
#[allow(clippy::duplicate_mod)]
mod transfers;
#[path = "writing.rs"]
#[allow(clippy::duplicate_mod)]
mod writing;

type Backend = sqlx::Sqlite;

/// How a transaction begins that sees one moment.
const SNAPSHOT: &str = "BEGIN";
/// How a transaction begins that writes: with the lock, so that it never has to give up later.
const WRITE: &str = "BEGIN IMMEDIATE";
/// Connections that read while one writes.
const READERS: u32 = 4;
/// How long a connection may take to open, on a machine that is busy with other things.
const OPEN_TIMEOUT: Duration = Duration::from_secs(60);
/// How long a statement waits for another process to finish its own.
const BUSY_TIMEOUT: Duration = Duration::from_secs(5);

/// Reads the end of the journal; the transaction holds the lock.
const LOCK_HEAD: &str = "SELECT seq, time_ms, link FROM journal_head";
const SELECT_POSTED: &str = "SELECT idempotency_key, seq, body, balance FROM transactions
     WHERE idempotency_key IN (SELECT value FROM json_each($1))";
const SELECT_HOLDS: &str = "SELECT hold_id, table_id, player_id, staked, closed_seq IS NULL
     FROM holds WHERE hold_id IN (SELECT value FROM json_each($1))";
const SELECT_BALANCES: &str = "SELECT account, balance FROM accounts
     WHERE account IN (SELECT value FROM json_each($1))";
/// Reads how far boards have been derived; the transaction holds the lock.
const LOCK_CURSOR: &str = "SELECT cursor FROM projections WHERE name = 'boards'";
/// Players of a game from a JSON array of pairs.
const LOAD_RATINGS: &str = "SELECT r.game, r.player_id, r.name, r.mean, r.deviation, r.hands
     FROM json_each($1) AS w
     JOIN ratings r ON r.game = w.value->>0 AND r.player_id = w.value->>1";
const SAVE_RATINGS: &str = "INSERT INTO ratings
         (game, player_id, name, mean, deviation, hands, standing)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6
     FROM json_each($1) WHERE true
     ON CONFLICT (game, player_id) DO UPDATE SET name = excluded.name, mean = excluded.mean,
         deviation = excluded.deviation, hands = excluded.hands, standing = excluded.standing";
const SAVE_SCORES: &str = "INSERT INTO daily_scores
         (game, day, player_id, name, score, standing)
     SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5
     FROM json_each($1) WHERE true
     ON CONFLICT (game, day, player_id) DO UPDATE SET name = excluded.name,
         score = excluded.score, standing = excluded.standing
     WHERE excluded.standing > daily_scores.standing";

/// A ledger in a SQLite file.
#[derive(Debug)]
pub struct Database {
    writer: SqlitePool,
    readers: SqlitePool,
    kept: Mutex<writing::Kept>,
}

impl Database {
    /// Opens the file that the URL names, creates it if need be, and brings its tables up to date.
    ///
    /// # Errors
    ///
    /// When the URL is not one, or the file cannot be opened or is not a ledger of ours.
    pub async fn open(url: &str) -> Result<Self, StoreError> {
        // In WAL mode a killed process loses nothing either way; FULL also survives a power cut,
        // and one sync a batch is cheap.
        let options = SqliteConnectOptions::from_str(url)?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(BUSY_TIMEOUT);
        create_folder(options.get_filename())?;
        let writer = SqlitePoolOptions::new()
            .max_connections(1)
            .idle_timeout(None)
            .max_lifetime(None)
            .acquire_timeout(OPEN_TIMEOUT)
            .connect_with(options.clone())
            .await?;
        sqlx::migrate!("migrations/sqlite").run(&writer).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(READERS)
            .acquire_timeout(OPEN_TIMEOUT)
            .connect_with(options.read_only(true))
            .await?;
        Ok(Self { writer, readers, kept: Mutex::default() })
    }
}

fn create_folder(file: &Path) -> Result<(), StoreError> {
    let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) else {
        return Ok(());
    };
    let failed = |error| StoreError::Fault(format!("cannot create {}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)
}

impl Database {
    /// Where boards and transfers are written: a file has one writer.
    const fn side(&self) -> &SqlitePool {
        &self.writer
    }
}

async fn save(connection: &mut SqliteConnection, changes: &Changes) -> Result<(), StoreError> {
    save_journal(connection, changes).await?;
    save_holds(connection, changes).await?;
    save_hands(connection, changes).await?;
    transfers::save_payouts(connection, changes).await?;
    let head = &changes.head;
    query("UPDATE journal_head SET seq = $1, time_ms = $2, link = $3")
        .bind(signed(head.seq))
        .bind(head.time_ms)
        .bind(head.link.0.as_slice())
        .execute(connection)
        .await?;
    Ok(())
}

async fn save_journal(
    connection: &mut SqliteConnection,
    changes: &Changes,
) -> Result<(), StoreError> {
    let transactions = changes.transactions.iter().map(|entry| {
        let record = entry.record.map(|record| hex::encode(record.0));
        json!([
            entry.seq,
            entry.kind.name(),
            entry.key.as_str(),
            hex::encode(entry.body.0),
            entry.time_ms,
            entry.reference,
            record,
            entry.balance.0,
            entry.reverses,
            hex::encode(entry.link.0),
        ])
    });
    query(
        "INSERT INTO transactions (seq, kind, idempotency_key, body, time_ms, reference, record,
                                   balance, reverses, link)
         SELECT value->>0, value->>1, value->>2, unhex(value->>3), value->>4, value->>5,
                unhex(value->>6), value->>7, value->>8, unhex(value->>9)
         FROM json_each($1)",
    )
    .bind(rows(transactions)?)
    .execute(&mut *connection)
    .await?;
    let postings = changes.transactions.iter().flat_map(|entry| {
        entry
            .postings
            .iter()
            .map(|line| json!([line.account.to_string(), entry.seq, line.amount.0, line.balance.0]))
    });
    query(
        "INSERT INTO postings (account, seq, amount, balance)
         SELECT value->>0, value->>1, value->>2, value->>3 FROM json_each($1)",
    )
    .bind(rows(postings)?)
    .execute(&mut *connection)
    .await?;
    let balances =
        changes.balances.iter().map(|(account, balance)| json!([account.to_string(), balance.0]));
    query(
        "INSERT INTO accounts (account, balance)
         SELECT value->>0, value->>1 FROM json_each($1) WHERE true
         ON CONFLICT (account) DO UPDATE SET balance = excluded.balance",
    )
    .bind(rows(balances)?)
    .execute(connection)
    .await?;
    Ok(())
}

async fn save_holds(
    connection: &mut SqliteConnection,
    changes: &Changes,
) -> Result<(), StoreError> {
    if !changes.opened.is_empty() {
        let opened = changes.opened.iter().map(|(hold, seq, time_ms)| {
            json!([
                hold.id.to_string(),
                hold.table.to_string(),
                hold.player.to_string(),
                hold.staked.name(),
                seq,
                time_ms,
            ])
        });
        query(
            "INSERT INTO holds (hold_id, table_id, player_id, staked, opened_seq, opened_ms)
             SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5
             FROM json_each($1)",
        )
        .bind(rows(opened)?)
        .execute(&mut *connection)
        .await?;
    }
    if !changes.closed.is_empty() {
        let closed = changes.closed.iter().map(|(hold, seq)| json!([hold.to_string(), seq]));
        query(
            "UPDATE holds SET closed_seq = c.value->>1 FROM json_each($1) AS c
             WHERE holds.hold_id = c.value->>0",
        )
        .bind(rows(closed)?)
        .execute(connection)
        .await?;
    }
    Ok(())
}

async fn save_hands(
    connection: &mut SqliteConnection,
    changes: &Changes,
) -> Result<(), StoreError> {
    for (seq, commission, hand) in &changes.hands {
        query(
            "INSERT INTO hands (seq, game, ended_ms, commission, summary, record)
             VALUES ($1, $2, $3, $4, $5, $6)",
        )
        .bind(signed(*seq))
        .bind(hand.summary.game.as_str())
        .bind(hand.summary.ended_ms)
        .bind(commission.0)
        .bind(hand.excerpt.as_ref())
        .bind(hand.record.as_ref())
        .execute(&mut *connection)
        .await?;
    }
    let players = changes.hands.iter().flat_map(|(seq, _, hand)| {
        let people = hand.summary.seats.iter().filter(|seat| !seat.bot);
        people.map(move |seat| json!([seat.player.to_string(), seq, hand.summary.game]))
    });
    query(
        "INSERT INTO hand_players (player_id, seq, game)
         SELECT value->>0, value->>1, value->>2 FROM json_each($1)",
    )
    .bind(rows(players)?)
    .execute(connection)
    .await?;
    Ok(())
}

/// A JSON array of rows for `json_each`.
fn rows(rows: impl Iterator<Item = Value>) -> Result<String, StoreError> {
    serde_json::to_string(&rows.collect::<Vec<_>>()).map_err(|_| damaged("a row of a batch"))
}

/// A JSON array of identifiers for `json_each`.
fn list<'a, T: ToString + 'a>(items: impl IntoIterator<Item = &'a T>) -> String {
    Value::Array(items.into_iter().map(|item| Value::String(item.to_string())).collect())
        .to_string()
}
