//! The task that follows the journal and derives ratings and boards from it.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::Shutdown;
use tokio::sync::watch;

use crate::store::Store;

/// Hands of one database transaction.
const PAGE: u32 = 256;
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
        match store.derive(PAGE).await {
            Ok(read) if read >= PAGE && !shutdown.is_begun() => continue,
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "boards could not be derived; trying again"),
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
