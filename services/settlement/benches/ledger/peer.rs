//! The peer: a careful ledger that commits each hand by itself.
//!
//! It has the same tables and does what the ledger promises but the chain of hashes and the
//! numbering without gaps: it looks for the key, locks the balances in one order, checks and
//! changes them, and writes transaction, postings and hand, with as few statements as that takes.

use std::collections::BTreeMap;
use std::time::Duration;

use parlor_common::{Clock, Shutdown};
use parlor_settlement::books::Books;
use parlor_settlement::money::{PostHand, Request, Submission};
use parlor_settlement::store;
use sqlx::postgres::{PgConnection, PgPool, PgPoolOptions};

use crate::place::Place;
use crate::play::{self, Rake, Table};
use crate::{BATCH, PEER_CONNECTIONS, SPAN, TABLES};

pub async fn measure(place: &Place, rake: Rake) -> f64 {
    let tables = seat(place).await;
    let pool = PgPoolOptions::new()
        .max_connections(PEER_CONNECTIONS)
        .acquire_timeout(Duration::from_secs(60))
        .connect(&place.url)
        .await
        .unwrap();
    let number = "CREATE SEQUENCE peer_numbers START 1000000";
    sqlx::query(number).execute(&pool).await.unwrap();
    let account = "INSERT INTO accounts VALUES ('house', 0) ON CONFLICT DO NOTHING";
    sqlx::query(account).execute(&pool).await.unwrap();
    let post = {
        let pool = pool.clone();
        move |submission| {
            let pool = pool.clone();
            async move { post(&pool, &submission).await.unwrap() }
        }
    };
    let rate = play::rate(tables, rake, SPAN, post).await;
    pool.close().await;
    rate
}

async fn seat(place: &Place) -> Vec<Table> {
    let shutdown = Shutdown::new();
    let store = store::open(&place.url, 8).await.unwrap();
    let books = Books::open(store, Clock::system(), BATCH, &shutdown);
    let tables = futures_util::future::join_all((0..TABLES).map(|_| Table::seat(&books))).await;
    drop(books);
    shutdown.finished(Duration::from_secs(30)).await.unwrap();
    tables
}

/// A hand as the peer's statements want it.
struct Rows {
    accounts: Vec<String>,
    amounts: Vec<i64>,
    holds: Vec<String>,
    players: Vec<String>,
}

impl Rows {
    fn of(post: &PostHand) -> Self {
        let changes = post.changes().iter();
        let mut lines: BTreeMap<String, i64> =
            changes.map(|change| (format!("stack/{}", change.hold), change.amount.0)).collect();
        if post.commission().0 != 0 {
            lines.insert("house".to_owned(), post.commission().0);
        }
        let seats = post.hand().summary().seats.iter();
        Self {
            accounts: lines.keys().cloned().collect(),
            amounts: lines.values().copied().collect(),
            holds: post.changes().iter().map(|change| change.hold.to_string()).collect(),
            players: seats.map(|seat| seat.player.to_string()).collect(),
        }
    }
}

async fn post(pool: &PgPool, submission: &Submission) -> Result<(), sqlx::Error> {
    let Request::PostHand(post) = submission.request() else { unreachable!() };
    let rows = Rows::of(post);
    let mut transaction = pool.begin().await?;
    let number: Option<i64> = sqlx::query_scalar(
        "INSERT INTO transactions (seq, kind, idempotency_key, body, time_ms, reference, record,
                                   balance, reverses, link)
         VALUES (nextval('peer_numbers'), 'hand', $1, $2, $3, $1, $4, 0, NULL, $4)
         ON CONFLICT DO NOTHING RETURNING seq",
    )
    .bind(submission.key().as_str())
    .bind(submission.body().0.as_slice())
    .bind(post.hand().summary().ended_ms)
    .bind(post.hand().digest().0.as_slice())
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(number) = number else { return Ok(()) };
    move_money(&mut transaction, &rows, number, post).await?;
    record(&mut transaction, &rows, number, post).await?;
    transaction.commit().await
}

/// Locks the balances in one order, checks and changes them, and writes the lines.
async fn move_money(
    connection: &mut PgConnection,
    rows: &Rows,
    number: i64,
    post: &PostHand,
) -> Result<(), sqlx::Error> {
    let open: i64 = sqlx::query_scalar(
        "SELECT COUNT(*) FROM holds
         WHERE hold_id = ANY($1) AND table_id = $2 AND closed_seq IS NULL",
    )
    .bind(&rows.holds)
    .bind(post.hand().summary().id.table.to_string())
    .fetch_one(&mut *connection)
    .await?;
    assert_eq!(open, 4);
    let before: Vec<(String, i64)> = sqlx::query_as(
        "SELECT account, balance FROM accounts WHERE account = ANY($1)
         ORDER BY account FOR UPDATE",
    )
    .bind(&rows.accounts)
    .fetch_all(&mut *connection)
    .await?;
    let after = before.iter().zip(&rows.amounts).map(|((_, balance), amount)| balance + amount);
    let after: Vec<i64> = after.collect();
    assert!(after.iter().all(|balance| *balance >= 0));
    sqlx::query(
        "UPDATE accounts SET balance = c.balance
         FROM UNNEST($1::text[], $2::bigint[]) AS c (account, balance)
         WHERE accounts.account = c.account",
    )
    .bind(&rows.accounts)
    .bind(&after)
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO postings (account, seq, amount, balance)
         SELECT account, $2, amount, balance
         FROM UNNEST($1::text[], $3::bigint[], $4::bigint[]) AS c (account, amount, balance)",
    )
    .bind(&rows.accounts)
    .bind(number)
    .bind(&rows.amounts)
    .bind(&after)
    .execute(connection)
    .await?;
    Ok(())
}

async fn record(
    connection: &mut PgConnection,
    rows: &Rows,
    number: i64,
    post: &PostHand,
) -> Result<(), sqlx::Error> {
    let summary = post.hand().summary();
    sqlx::query(
        "INSERT INTO hands (seq, game, ended_ms, commission, summary, record)
         VALUES ($1, $2, $3, $4, $5, $6)",
    )
    .bind(number)
    .bind(&summary.game)
    .bind(summary.ended_ms)
    .bind(post.commission().0)
    .bind(post.hand().excerpt().as_ref())
    .bind(post.hand().record().as_ref())
    .execute(&mut *connection)
    .await?;
    sqlx::query(
        "INSERT INTO hand_players (player_id, seq, game)
         SELECT player, $2, $3 FROM UNNEST($1::text[]) AS p (player)",
    )
    .bind(&rows.players)
    .bind(number)
    .bind(&summary.game)
    .execute(connection)
    .await?;
    Ok(())
}
