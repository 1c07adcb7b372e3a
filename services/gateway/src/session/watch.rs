//! Watching one table for one client, across broken links, take-overs and slow spells.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parlor_common::{Code, Failure, PlayerId, TableId, random, trace};
use parlor_proto::table::v1::command::Command as Kind;
use parlor_proto::table::v1::{ClientSeed, Command, LinkCommand, Subscribe};
use tokio::sync::{oneshot, watch};
use tokio::time::{Instant, timeout};

use super::feed::Feed;
use super::outbox::Outbox;
use crate::link::{Ended, Link, Links, Missed, Owner, Retries, Subscription, Untaken};

/// A watch that could not be renewed for so long is given up.
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

/// `LinkClosed.reason`: another pod has the table now.
const MOVED: &str = "table_moved";
/// `LinkClosed.reason`: this gateway did not read fast enough.
const TOO_SLOW: &str = "too_slow";

/// Reasons of `TableLeft`.
pub mod left {
    /// The table exists no longer.
    pub const TABLE_CLOSED: &str = "table_closed";
    /// The player has left the table, or the client does not want to watch any more.
    pub const LEFT: &str = "left";
    /// The player may not watch.
    pub const NOT_ALLOWED: &str = "not_allowed";
    /// No table pod could be reached for too long; watch again later.
    pub const UNAVAILABLE: &str = "unavailable";
}

/// One watch of one session.
pub struct Watch {
    /// Reaches the table.
    pub links: Arc<Links>,
    /// The table.
    pub table: TableId,
    /// Whose eyes see.
    pub player: PlayerId,
    /// The player's name, for the table.
    pub name: String,
    /// The client wants the whole view with every update.
    pub with_views: bool,
    /// Enters the shuffles when the player has a seat; may be empty.
    pub client_seed: Bytes,
    /// Takes the updates.
    pub feed: Arc<Feed>,
    /// Empties when the client has caught up.
    pub outbox: Arc<Outbox>,
    /// Tells the session which link is right.
    pub link: watch::Sender<Option<Arc<Link>>>,
}

impl Watch {
    /// Watches until there is nothing more to see; says why, as a reason of [`left`]. `started`
    /// hears once whether the first subscription was accepted; when it has heard that it was not,
    /// there is no more to say.
    pub async fn run(self, started: oneshot::Sender<Result<(), Failure>>) -> Option<&'static str> {
        let mut started = Some(started);
        let times = *self.links.times();
        let mut retries = Retries::of_watch(&times);
        let mut lost_since = Instant::now();
        loop {
            let owner;
            match self.subscribe().await {
                Ok(subscription) => {
                    retries.found();
                    if let Some(started) = started.take() {
                        let _ = started.send(Ok(()));
                    }
                    self.link.send_replace(Some(Arc::clone(subscription.link())));
                    let since = Instant::now();
                    let ended = self.follow(subscription).await;
                    self.link.send_replace(None);
                    owner = match self.recover(ended).await {
                        Ok(owner) => owner,
                        Err(reason) => return Some(reason),
                    };
                    // A subscription that lived is no failure; one that ends at once, again and
                    // again, must not become a busy loop.
                    if since.elapsed() > times.retry_max {
                        retries.reset_pauses();
                    }
                    lost_since = Instant::now();
                }
                Err(missed) => {
                    owner = self.links.look_elsewhere(&self.table, &missed);
                    if let Err(failure) = retries.forgive(missed) {
                        let reason = left_because(&failure);
                        let heard = started.take().is_some_and(|it| it.send(Err(failure)).is_ok());
                        return (!heard).then_some(reason);
                    }
                    if lost_since.elapsed() > GIVE_UP_AFTER {
                        return Some(left::UNAVAILABLE);
                    }
                }
            }
            retries.pause(owner).await;
        }
    }

    async fn subscribe(&self) -> Result<Subscription, Missed> {
        let link = self.links.to_owner(&self.table).await?;
        let request = Subscribe {
            table_id: self.table.to_string(),
            subscription: 0,
            player_id: self.player.to_string(),
            with_views: self.with_views,
            after_seq: self.feed.seq(),
        };
        let feed = Arc::clone(&self.feed);
        let admit = |number| self.feed.admit(number);
        timeout(self.links.times().command, link.subscribe(request, feed, admit))
            .await
            .unwrap_or(Err(Missed::Lost))
    }

    async fn follow(&self, mut subscription: Subscription) -> Ended {
        let link = Arc::clone(subscription.link());
        loop {
            tokio::select! {
                biased;
                ended = subscription.ended() => return ended,
                () = self.feed.seed_due(), if !self.client_seed.is_empty() => {}
            }
            tokio::select! {
                biased;
                ended = subscription.ended() => return ended,
                // Best effort: the table says no when the hand has started already.
                _ = link.command(self.seed_command()) => {}
            }
        }
    }

    fn seed_command(&self) -> LinkCommand {
        let seed = ClientSeed { seed: self.client_seed.clone() };
        LinkCommand {
            table_id: self.table.to_string(),
            player_id: self.player.to_string(),
            request_id: format!("seed-{}", random::uuid()),
            command: Some(Command { command: Some(Kind::ClientSeed(seed)) }),
            traceparent: trace::traceparent().unwrap_or_default(),
            player_name: self.name.clone(),
        }
    }

    /// What to do about the end of a subscription: subscribe again, or give up.
    async fn recover(&self, ended: Ended) -> Result<Owner, &'static str> {
        match ended {
            Ended::Lost => self.links.locator().forget(&self.table),
            Ended::Moved(url) => {
                self.links.locator().learn(&self.table, &url);
                return Ok(Owner::Named);
            }
            Ended::Closed(reason) => match reason.as_str() {
                MOVED => self.links.locator().forget(&self.table),
                TOO_SLOW => self.feed.start_afresh(),
                left::NOT_ALLOWED => return Err(left::NOT_ALLOWED),
                left::LEFT => return Err(left::LEFT),
                _ => return Err(left::TABLE_CLOSED),
            },
            Ended::Untaken(Untaken::Lagging) => {
                self.feed.start_afresh();
                self.outbox.drained().await;
            }
            Ended::Untaken(Untaken::Gap | Untaken::Outdated) => {}
            Ended::Untaken(Untaken::Unreadable) => {
                tracing::error!(table = %self.table, "a table's update could not be read");
                self.feed.start_afresh();
            }
        }
        Ok(Owner::Unknown)
    }
}

fn left_because(failure: &Failure) -> &'static str {
    match failure.code {
        Code::NotFound => left::TABLE_CLOSED,
        Code::Internal => left::UNAVAILABLE,
        _ => left::NOT_ALLOWED,
    }
}
