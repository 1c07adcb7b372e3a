//! The task that follows the journal and derives ratings and boards from it.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::Shutdown;
use tokio::sync::watch;
use tokio::time::Instant;

use crate::store::Store;

/// Hands of one database transaction: the more at a time, the less there is to write of each
/// player.
const PAGE: u32 = 8_192;
/// The shortest pause, in which hands gather.
const REST: Duration = Duration::from_millis(200);
/// How often the journal is looked at for what other processes have committed.
const POLL: Duration = Duration::from_secs(1);

/// Derives until the shutdown begins.
pub(crate) async fn derive_until_the_end(
    store: Arc<dyn Store>,
    mut committed: watch::Receiver<u64>,
    shutdown: Shutdown,
) {
    let mut end = std::pin::pin!(shutdown.begun());
    loop {
        committed.mark_unchanged();
        let started = Instant::now();
        let read = store.derive(PAGE).await.unwrap_or_else(|error| {
            tracing::warn!(%error, "boards could not be derived; trying again");
            0
        });
        // Gives way to the money: at most half of the time is spent here, however much there is
        // to catch up with.
        let rest = started.elapsed().max(REST);
        tokio::select! {
            biased;
            () = &mut end => return,
            () = tokio::time::sleep(rest) => {}
        }
        if read >= PAGE {
            continue;
        }
        tokio::select! {
            biased;
            () = &mut end => return,
            // A writer that has ended commits nothing more.
            changed = committed.changed() => if changed.is_err() { return },
            () = tokio::time::sleep(POLL) => {}
        }
    }
}
