//! The task that checks the whole ledger now and then, and tells what it has found.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::telemetry::meter;
use parlor_common::{Clock, Shutdown};

use crate::Error;
use crate::books::Books;
use crate::ledger::Ledger;
use crate::store::Audit;

/// How often to look whether an audit is due, or whether another process has made one.
const LOOK: Duration = Duration::from_secs(60);

/// Audits until the shutdown begins, so that the last audit of any process is never much older
/// than `interval`.
pub(crate) async fn audit_until_the_end(
    books: Arc<Books>,
    clock: Clock,
    interval: Duration,
    shutdown: Shutdown,
) {
    let imbalance = meter()
        .i64_gauge("parlor_settlement_imbalance_units")
        .with_description("What the last audit of the ledger has found wrong; 0 in a sound ledger")
        .build();
    let finished = meter()
        .f64_gauge("parlor_settlement_reconciled_timestamp_seconds")
        .with_description("When the last audit of the ledger had finished")
        .build();
    let mut end = std::pin::pin!(shutdown.begun());
    loop {
        // An audit may take long; nobody waits for it at the end.
        let looked = tokio::select! {
            biased;
            () = &mut end => return,
            looked = look(&books, &clock, interval) => looked,
        };
        match looked {
            Ok((finished_ms, audit)) => {
                imbalance.record(audit.imbalance(), &[]);
                #[allow(clippy::cast_precision_loss)] // Milliseconds fit for some ages.
                finished.record(finished_ms as f64 / 1_000.0, &[]);
            }
            // The caller of another audit has the place.
            Err(Error::Busy) => {}
            Err(error) => tracing::warn!(%error, "the ledger could not be audited; trying again"),
        }
        tokio::select! {
            biased;
            () = &mut end => return,
            () = tokio::time::sleep(LOOK.min(interval)) => {}
        }
    }
}

/// The last audit, after making one if it is due.
async fn look(books: &Books, clock: &Clock, interval: Duration) -> Result<(i64, Audit), Error> {
    let interval_ms = i64::try_from(interval.as_millis()).unwrap_or(i64::MAX);
    if let Some((finished_ms, audit)) = books.last_audit().await?
        && clock.now_ms().saturating_sub(finished_ms) < interval_ms
    {
        return Ok((finished_ms, audit));
    }
    let audit = books.reconcile().await?;
    Ok((clock.now_ms(), audit))
}
