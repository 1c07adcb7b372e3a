//! The tables that one session watches.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::future::{AbortHandle, BoxFuture, abortable};
use futures_util::stream::FuturesUnordered;
use parlor_common::{Failure, PlayerId, TableId};
use tokio::sync::{oneshot, watch as latest};

use super::Core;
use super::feed::Feed;
use super::outbox::{Outbox, WatchId};
use super::watch::Watch;
use crate::link::{Existence, Link, Way};

/// What is the same for all watches of a session.
pub struct Viewer {
    /// What all sessions share.
    pub core: Arc<Core>,
    /// Takes the updates.
    pub outbox: Arc<Outbox>,
    /// Whose eyes see.
    pub player: PlayerId,
    /// The player's name.
    pub name: String,
    /// The client wants whole views.
    pub with_views: bool,
    /// For the shuffles; may be empty.
    pub client_seed: Bytes,
}

struct Watching {
    watch: WatchId,
    abort: AbortHandle,
    feed: Arc<Feed>,
    link: latest::Receiver<Option<Arc<Link>>>,
}

/// How a watch has ended; without a reason: the client knows.
pub struct WatchEnd {
    table: TableId,
    watch: WatchId,
    reason: Option<&'static str>,
}

/// A watch that has just begun.
pub struct Started {
    /// Its name.
    pub watch: WatchId,
    /// Hears whether the table accepted it.
    pub outcome: oneshot::Receiver<Result<(), Failure>>,
}

/// The watches; they make progress in [`Watches::ended`].
pub struct Watches {
    viewer: Viewer,
    current: HashMap<TableId, Watching>,
    running: FuturesUnordered<BoxFuture<'static, WatchEnd>>,
    next: WatchId,
}

impl Watches {
    /// None yet.
    #[must_use]
    pub fn new(viewer: Viewer) -> Self {
        Self { viewer, current: HashMap::new(), running: FuturesUnordered::new(), next: 1 }
    }

    /// What is known of the way to a table.
    #[must_use]
    pub fn way_to(&self, table: TableId) -> Way {
        match self.current.get(&table) {
            Some(watching) => {
                let link = watching.link.borrow().clone();
                Way { table, link, existence: Existence::Proven }
            }
            None => Way { table, link: None, existence: Existence::Claimed },
        }
    }

    /// Whether a table is watched.
    #[must_use]
    pub fn has(&self, table: &TableId) -> bool {
        self.current.contains_key(table)
    }

    /// Whether a table is watched, or may be.
    #[must_use]
    pub fn has_place_for(&self, table: &TableId) -> bool {
        self.has(table) || self.current.len() < self.viewer.core.config.gateway_max_watched
    }

    /// Watches a table from `seq` on, or afresh; instead of an earlier watch of the same table.
    pub fn start(&mut self, table: TableId, seq: Option<u64>) -> Started {
        self.stop(&table);
        let watch = self.next;
        self.next += 1;
        let viewer = &self.viewer;
        let metrics = Arc::clone(&viewer.core.metrics);
        let feed = Arc::new(Feed::new(watch, Arc::clone(&viewer.outbox), metrics, seq));
        let (link_sender, link) = latest::channel(None);
        let (started, outcome) = oneshot::channel();
        let run = Watch {
            links: Arc::clone(&viewer.core.links),
            table,
            player: viewer.player,
            name: viewer.name.clone(),
            with_views: viewer.with_views,
            client_seed: viewer.client_seed.clone(),
            feed: Arc::clone(&feed),
            outbox: Arc::clone(&viewer.outbox),
            link: link_sender,
        };
        let (run, abort) = abortable(run.run(started));
        self.running.push(Box::pin(async move {
            let reason = run.await.unwrap_or(None);
            WatchEnd { table, watch, reason }
        }));
        self.current.insert(table, Watching { watch, abort, feed, link });
        Started { watch, outcome }
    }

    /// Ends the watch of a table, and takes back what waits for the client; whether there was one.
    pub fn stop(&mut self, table: &TableId) -> bool {
        let Some(watching) = self.current.remove(table) else { return false };
        watching.abort.abort();
        watching.feed.start_afresh();
        true
    }

    /// Ends one watch, unless the table is watched anew since.
    pub fn stop_one(&mut self, table: &TableId, watch: WatchId) {
        if self.current.get(table).is_some_and(|now| now.watch == watch) {
            self.stop(table);
        }
    }

    /// Waits for a watch to end; `None` when there is none. May be dropped and called again.
    pub async fn ended(&mut self) -> Option<WatchEnd> {
        self.running.next().await
    }

    /// Forgets a watch that has ended. `Some` when the client is to be told, with the reason.
    pub fn forget(&mut self, end: &WatchEnd) -> Option<(TableId, &'static str)> {
        // A watch that was stopped is not the current one any more.
        self.current.get(&end.table).filter(|now| now.watch == end.watch)?;
        self.current.remove(&end.table);
        end.reason.map(|reason| (end.table, reason))
    }
}
