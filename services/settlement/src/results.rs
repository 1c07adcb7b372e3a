//! Follows the hands of the journal from a cursor on: none is left out, none comes twice.
//!
//! Numbers are given under the lock of the journal's head and become visible in their order, so
//! whoever has read up to a number has seen all that is below it, however many processes write.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::Error;
use crate::store::{Store, StoredSummary};

/// Hands that are read at a time.
const PAGE: u32 = 256;
/// How often the journal is looked at for what other processes have committed.
const POLL: Duration = Duration::from_millis(250);

/// Results of hands in the order in which they were committed, without end.
#[derive(Debug)]
pub struct Results {
    store: Arc<dyn Store>,
    committed: watch::Receiver<u64>,
    /// Everything up to this number has been seen.
    cursor: u64,
    game: Option<String>,
}

impl Results {
    pub(crate) const fn new(
        store: Arc<dyn Store>,
        committed: watch::Receiver<u64>,
        cursor: u64,
        game: Option<String>,
    ) -> Self {
        Self { store, committed, cursor, game }
    }

    /// The next hands, at least one; waits until there are some. Safe to cancel.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when the database is away; the next call goes on where this one
    /// should have.
    pub async fn next(&mut self) -> Result<Vec<StoredSummary>, Error> {
        loop {
            self.committed.mark_unchanged();
            let hands = self.ready().await?;
            if !hands.is_empty() {
                return Ok(hands);
            }
            // The writer's end is noticed by its callers; here it only ends the early waking.
            match tokio::time::timeout(POLL, self.committed.changed()).await {
                Ok(Ok(())) | Err(_) => {}
                Ok(Err(_)) => tokio::time::sleep(POLL).await,
            }
        }
    }

    /// The next hands that are committed already; empty when there are none. Safe to cancel.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when the database is away.
    pub async fn ready(&mut self) -> Result<Vec<StoredSummary>, Error> {
        // Read before the hands: what is committed in between is above it.
        let last = self.store.last().await?;
        if last <= self.cursor {
            return Ok(Vec::new());
        }
        let hands = self.store.results(self.cursor, self.game.as_deref(), PAGE).await?;
        self.cursor = match hands.last() {
            Some(hand) if hands.len() >= PAGE as usize => hand.seq,
            // All up to `last` was looked at, whether or not it was a hand of this game.
            Some(hand) => hand.seq.max(last),
            None => last,
        };
        Ok(hands)
    }
}
