//! Follows the stream of changes.

use std::time::Duration;

use redis::cmd;
use redis::streams::{StreamId, StreamRangeReply};

use crate::error::Error;
use crate::store::Change;

use super::{RedisStore, away};

/// How often the stream is read. A blocking read would stall everything else on the connection.
const EVERY: Duration = Duration::from_millis(25);

/// Pause after a failed read.
const AFTER_A_FAILURE: Duration = Duration::from_secs(1);

/// Changes that are read at a time; a full read is followed by another at once.
const READ_AT_ONCE: usize = 512;

impl RedisStore {
    /// The id of the last change so far.
    pub(super) async fn last_change(&self) -> Result<String, Error> {
        let mut last = cmd("XREVRANGE");
        last.arg(self.keys.changes()).arg("+").arg("-").arg("COUNT").arg(1);
        let last: StreamRangeReply =
            self.connection.query(&last).await.map_err(|error| away(&error))?;
        Ok(last.ids.into_iter().next().map_or_else(|| "0-0".to_owned(), |entry| entry.id))
    }

    /// Tells listeners here what changes anywhere, until `end`.
    pub(super) async fn follow(self, mut last: String, end: impl Future<Output = ()>) {
        let mut end = std::pin::pin!(end);
        loop {
            let pause = match self.changes_after(&last).await {
                Ok(entries) => {
                    let full = entries.len() == READ_AT_ONCE;
                    for entry in entries {
                        if let Some(change) = change_of(&entry) {
                            // Nobody may be listening.
                            let _ = self.changes.send(change);
                        }
                        last = entry.id;
                    }
                    if full { Duration::ZERO } else { EVERY }
                }
                Err(error) => {
                    tracing::warn!(%error, "changes could not be read");
                    AFTER_A_FAILURE
                }
            };
            tokio::select! {
                biased;
                () = &mut end => return,
                () = tokio::time::sleep(pause) => {}
            }
        }
    }

    async fn changes_after(&self, last: &str) -> Result<Vec<StreamId>, Error> {
        let mut range = cmd("XRANGE");
        range.arg(self.keys.changes()).arg(format!("({last}")).arg("+");
        range.arg("COUNT").arg(READ_AT_ONCE);
        let found: StreamRangeReply =
            self.connection.query(&range).await.map_err(|error| away(&error))?;
        Ok(found.ids)
    }
}

fn change_of(entry: &StreamId) -> Option<Change> {
    if let Some(queue) = entry.get::<String>("entered") {
        return queue.parse().ok().map(Change::Enqueued);
    }
    if let Some(queue) = entry.get::<String>("checked") {
        return queue.parse().ok().map(Change::Checked);
    }
    if let Some(ticket) = entry.get::<String>("moved") {
        return ticket.parse().ok().map(Change::Moved);
    }
    if let Some(party) = entry.get::<String>("party") {
        return party.parse().ok().map(Change::Party);
    }
    let ticket = entry.get::<String>("ended")?;
    ticket.parse().ok().map(Change::Ended)
}
