// Compiled once for each database (see `mod.rs`): how a batch is entered.

use std::collections::HashMap;
use std::sync::Arc;

use sqlx::query_as;

use super::shared::{self, HoldRow, PostedRow};
use super::{Backend, Database};
use crate::money::{Book, Digest, Head, Pages, Submission, Wanted};
use crate::store::{Results, StoreError};

type Handle = <Backend as sqlx::Database>::Connection;

/// Pages of the ledger that a process keeps between its batches, as of the link of the journal's
/// end. A link follows from all that was ever written, so while the journal ends with it nobody
/// else has written anything, and the pages are still true.
pub(super) type Kept = Option<(Digest, Pages)>;

/// Enters a batch in one database transaction.
pub(super) async fn write(
    database: &Database,
    batch: &[Arc<Submission>],
    now_ms: i64,
) -> Result<Results, StoreError> {
    // Taken away, so that nothing is kept after a failure.
    let kept = database.kept.lock().await.take();
    let mut transaction = database.writer.begin_with(super::WRITE).await?;
    let mut book = load(&mut transaction, batch, kept).await?;
    let results = batch.iter().map(|submission| book.enter(submission, now_ms)).collect();
    let (changes, pages) = book.close();
    if changes.transactions.is_empty() {
        transaction.rollback().await?;
    } else {
        super::save(&mut transaction, &changes).await?;
        transaction.commit().await?;
    }
    *database.kept.lock().await = Some((changes.head.link, pages));
    Ok(results)
}

/// Loads what the batch needs and is not kept.
async fn load(
    connection: &mut Handle,
    batch: &[Arc<Submission>],
    kept: Kept,
) -> Result<Book, StoreError> {
    let mut wanted = Wanted::of(batch.iter().map(Arc::as_ref));
    let head = head(&mut *connection).await?;
    let mut pages = match kept {
        Some((link, pages)) if link == head.link => pages,
        _ => Pages::default(),
    };
    let rows: Vec<PostedRow> = query_as(super::SELECT_POSTED)
        .bind(super::list(&wanted.keys))
        .fetch_all(&mut *connection)
        .await?;
    let posted = rows.into_iter().map(shared::posted).collect::<Result<_, _>>()?;
    let mut targets = HashMap::new();
    for number in wanted.targets.clone() {
        if let Some(target) = shared::target(&mut *connection, number).await? {
            wanted.add_target(&target);
            targets.insert(number, target);
        }
    }
    let missing = pages.missing_holds(&wanted);
    if !missing.is_empty() {
        let rows: Vec<HoldRow> = query_as(super::SELECT_HOLDS)
            .bind(super::list(&missing))
            .fetch_all(&mut *connection)
            .await?;
        let holds = rows.iter().map(shared::hold).collect::<Result<Vec<_>, _>>()?;
        pages.add_holds(holds);
    }
    let missing = pages.missing_accounts(wanted);
    if !missing.is_empty() {
        let rows: Vec<(String, i64)> = query_as(super::SELECT_BALANCES)
            .bind(super::list(&missing))
            .fetch_all(connection)
            .await?;
        pages.add_balances(&missing, shared::balances(rows)?);
    }
    Ok(Book::new(head, posted, targets, pages))
}

/// Locks the journal and reads its end. Whoever has the lock is the only writer.
async fn head(connection: &mut Handle) -> Result<Head, StoreError> {
    let (seq, time_ms, link): (i64, i64, Vec<u8>) =
        query_as(super::LOCK_HEAD).fetch_one(connection).await?;
    shared::head(seq, time_ms, &link)
}
