//! PostgreSQL: sets of rows in few statements, and the journal's head as the lock of the writers.

use std::str::FromStr;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgConnection, PgPool, PgPoolOptions};
use sqlx::query;
use tokio::sync::Mutex;

use self::shared::signed;
use crate::money::Changes;
use crate::store::StoreError;

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

type Backend = sqlx::Postgres;

/// How a transaction begins that sees one moment.
const SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
/// How the writing transaction begins. Each statement has to see what was committed before the
/// head was locked, so a snapshot of the whole transaction would be wrong.
const WRITE: &str = "BEGIN ISOLATION LEVEL READ COMMITTED";
/// Connections that write: one, and one more while the server has not noticed that the first is
/// lost.
const WRITERS: u32 = 2;
/// Connections that write boards and transfers.
const SIDE_WRITERS: u32 = 4;
/// How long a caller waits for a connection.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(3);
/// Limits that the server keeps: for a statement, for waiting for a lock, and for a transaction
/// whose client has gone silent, which would hold the journal's head.
const LIMITS_MS: [(&str, &str); 3] = [
    ("statement_timeout", "10000"),
    ("lock_timeout", "5000"),
    ("idle_in_transaction_session_timeout", "10000"),
];

/// Locks the journal: nothing that is read after this needs a lock of its own.
const LOCK_HEAD: &str = "SELECT seq, time_ms, link FROM journal_head FOR UPDATE";
const SELECT_POSTED: &str = "SELECT idempotency_key, seq, body, balance FROM transactions
     WHERE idempotency_key = ANY($1)";
const SELECT_HOLDS: &str = "SELECT hold_id, table_id, player_id, staked, closed_seq IS NULL
     FROM holds WHERE hold_id = ANY($1)";
const SELECT_BALANCES: &str = "SELECT account, balance FROM accounts
     WHERE account = ANY($1)";
/// Locks the row that says how far boards have been derived.
const LOCK_CURSOR: &str = "SELECT cursor FROM projections WHERE name = 'boards' FOR UPDATE";
/// Players of a game from a JSON array of pairs.
const LOAD_RATINGS: &str = "SELECT r.game, r.player_id, r.name, r.mean, r.deviation, r.hands
     FROM json_array_elements($1::json) AS w
     JOIN ratings r ON r.game = w->>0 AND r.player_id = w->>1";
const SAVE_RATINGS: &str = "INSERT INTO ratings
         (game, player_id, name, mean, deviation, hands, standing)
     SELECT v->>0, v->>1, v->>2, (v->>3)::float8, (v->>4)::float8, (v->>5)::bigint,
            (v->>6)::float8
     FROM json_array_elements($1::json) AS v
     ON CONFLICT (game, player_id) DO UPDATE SET name = excluded.name, mean = excluded.mean,
         deviation = excluded.deviation, hands = excluded.hands, standing = excluded.standing";
const SAVE_SCORES: &str = "INSERT INTO daily_scores
         (game, day, player_id, name, score, standing)
     SELECT v->>0, v->>1, v->>2, v->>3, v->>4, v->>5 FROM json_array_elements($1::json) AS v
     ON CONFLICT (game, day, player_id) DO UPDATE SET name = excluded.name,
         score = excluded.score, standing = excluded.standing
     WHERE excluded.standing > daily_scores.standing";

/// A ledger in a PostgreSQL database.
#[derive(Debug)]
pub struct Database {
    writer: PgPool,
    /// Boards and transfers are written here, not on the ledger's own connection.
    side: PgPool,
    readers: PgPool,
    kept: Mutex<writing::Kept>,
}

impl Database {
    /// Connects, and brings the tables up to date. `readers` bounds the connections for reading.
    ///
    /// # Errors
    ///
    /// When the URL is not one, or the database is away or is not a ledger of ours.
    pub async fn open(url: &str, readers: u32) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)?.application_name("parlor-settlement");
        let limited = options.clone().options(LIMITS_MS);
        let migrator = PgPoolOptions::new()
            .max_connections(1)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.clone())
            .await?;
        sqlx::migrate!("migrations/postgres").run(&migrator).await?;
        migrator.close().await;
        let pool =
            |most| PgPoolOptions::new().max_connections(most).acquire_timeout(ACQUIRE_TIMEOUT);
        // Readers have no limit on statements: an audit reads everything.
        Ok(Self {
            writer: pool(WRITERS).connect_lazy_with(limited.clone()),
            side: pool(SIDE_WRITERS).connect_lazy_with(limited),
            readers: pool(readers.max(1)).connect_lazy_with(options),
            kept: Mutex::default(),
        })
    }
}

impl Database {
    const fn side(&self) -> &PgPool {
        &self.side
    }
}

fn list<'a, T: ToString + 'a>(items: impl IntoIterator<Item = &'a T>) -> Vec<String> {
    items.into_iter().map(ToString::to_string).collect()
}

async fn save(connection: &mut PgConnection, changes: &Changes) -> Result<(), StoreError> {
    save_transactions(connection, changes).await?;
    save_postings(connection, changes).await?;
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

/// One column of a batch, as an array.
fn column<'a, R, T>(rows: &'a [R], value: impl FnMut(&'a R) -> T) -> Vec<T> {
    rows.iter().map(value).collect()
}

async fn save_transactions(
    connection: &mut PgConnection,
    changes: &Changes,
) -> Result<(), StoreError> {
    let entries = &changes.transactions;
    query(
        "INSERT INTO transactions (seq, kind, idempotency_key, body, time_ms, reference, record,
                                   balance, reverses, link)
         SELECT * FROM UNNEST($1::bigint[], $2::text[], $3::text[], $4::bytea[], $5::bigint[],
                              $6::text[], $7::bytea[], $8::bigint[], $9::bigint[], $10::bytea[])",
    )
    .bind(column(entries, |entry| signed(entry.seq)))
    .bind(column(entries, |entry| entry.kind.name()))
    .bind(column(entries, |entry| entry.key.as_str()))
    .bind(column(entries, |entry| entry.body.0.as_slice()))
    .bind(column(entries, |entry| entry.time_ms))
    .bind(column(entries, |entry| entry.reference.as_str()))
    .bind(column(entries, |entry| entry.record.as_ref().map(|record| record.0.as_slice())))
    .bind(column(entries, |entry| entry.balance.0))
    .bind(column(entries, |entry| entry.reverses.map(signed)))
    .bind(column(entries, |entry| entry.link.0.as_slice()))
    .execute(connection)
    .await?;
    Ok(())
}

async fn save_postings(connection: &mut PgConnection, changes: &Changes) -> Result<(), StoreError> {
    let mut lines: Vec<_> = changes
        .transactions
        .iter()
        .flat_map(|entry| entry.postings.iter().map(|line| (signed(entry.seq), line)))
        .map(|(seq, line)| (line.account.to_string(), seq, line))
        .collect();
    // In the order of the index, whose pages are then each visited once.
    lines.sort_unstable_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)));
    query(
        "INSERT INTO postings (account, seq, amount, balance)
         SELECT * FROM UNNEST($1::text[], $2::bigint[], $3::bigint[], $4::bigint[])",
    )
    .bind(column(&lines, |(account, ..)| account.as_str()))
    .bind(column(&lines, |(_, seq, _)| *seq))
    .bind(column(&lines, |(.., line)| line.amount.0))
    .bind(column(&lines, |(.., line)| line.balance.0))
    .execute(&mut *connection)
    .await?;
    save_balances(connection, changes).await
}

/// Most accounts exist, and changing those costs less than asking for each whether it does. The
/// caller has the journal's head, so none comes into being meanwhile.
async fn save_balances(connection: &mut PgConnection, changes: &Changes) -> Result<(), StoreError> {
    let accounts = list(changes.balances.keys());
    let balances: Vec<i64> = changes.balances.values().map(|balance| balance.0).collect();
    let changed = query(
        "UPDATE accounts SET balance = c.balance
         FROM UNNEST($1::text[], $2::bigint[]) AS c (account, balance)
         WHERE accounts.account = c.account",
    )
    .bind(&accounts)
    .bind(&balances)
    .execute(&mut *connection)
    .await?;
    if changed.rows_affected() < accounts.len() as u64 {
        query(
            "INSERT INTO accounts (account, balance)
             SELECT * FROM UNNEST($1::text[], $2::bigint[])
             ON CONFLICT (account) DO NOTHING",
        )
        .bind(&accounts)
        .bind(&balances)
        .execute(connection)
        .await?;
    }
    Ok(())
}

async fn save_holds(connection: &mut PgConnection, changes: &Changes) -> Result<(), StoreError> {
    let opened = &changes.opened;
    if !opened.is_empty() {
        query(
            "INSERT INTO holds (hold_id, table_id, player_id, staked, opened_seq, opened_ms)
             SELECT * FROM UNNEST($1::text[], $2::text[], $3::text[], $4::text[],
                                  $5::bigint[], $6::bigint[])",
        )
        .bind(column(opened, |(hold, ..)| hold.id.to_string()))
        .bind(column(opened, |(hold, ..)| hold.table.to_string()))
        .bind(column(opened, |(hold, ..)| hold.player.to_string()))
        .bind(column(opened, |(hold, ..)| hold.staked.name()))
        .bind(column(opened, |(_, seq, _)| signed(*seq)))
        .bind(column(opened, |(_, _, time_ms)| *time_ms))
        .execute(&mut *connection)
        .await?;
    }
    let closed = &changes.closed;
    if !closed.is_empty() {
        query(
            "UPDATE holds SET closed_seq = c.seq
             FROM UNNEST($1::text[], $2::bigint[]) AS c (hold_id, seq)
             WHERE holds.hold_id = c.hold_id",
        )
        .bind(column(closed, |(hold, _)| hold.to_string()))
        .bind(column(closed, |(_, seq)| signed(*seq)))
        .execute(connection)
        .await?;
    }
    Ok(())
}

async fn save_hands(connection: &mut PgConnection, changes: &Changes) -> Result<(), StoreError> {
    let hands = &changes.hands;
    if hands.is_empty() {
        return Ok(());
    }
    query(
        "INSERT INTO hands (seq, game, ended_ms, commission, summary, record)
         SELECT * FROM UNNEST($1::bigint[], $2::text[], $3::bigint[], $4::bigint[], $5::bytea[],
                              $6::bytea[])",
    )
    .bind(column(hands, |(seq, ..)| signed(*seq)))
    .bind(column(hands, |(_, _, hand)| hand.summary.game.as_str()))
    .bind(column(hands, |(_, _, hand)| hand.summary.ended_ms))
    .bind(column(hands, |(_, commission, _)| commission.0))
    .bind(column(hands, |(_, _, hand)| hand.excerpt.as_ref()))
    .bind(column(hands, |(_, _, hand)| hand.record.as_ref()))
    .execute(&mut *connection)
    .await?;
    let mut players: Vec<_> = hands
        .iter()
        .flat_map(|(seq, _, hand)| {
            let people = hand.summary.seats.iter().filter(|seat| !seat.bot);
            people.map(|seat| (seat.player.to_string(), signed(*seq), hand.summary.game.as_str()))
        })
        .collect();
    players.sort_unstable();
    query(
        "INSERT INTO hand_players (player_id, seq, game)
         SELECT * FROM UNNEST($1::text[], $2::bigint[], $3::text[])",
    )
    .bind(column(&players, |(player, ..)| player.as_str()))
    .bind(column(&players, |(_, seq, _)| *seq))
    .bind(column(&players, |(_, _, game)| *game))
    .execute(connection)
    .await?;
    Ok(())
}
