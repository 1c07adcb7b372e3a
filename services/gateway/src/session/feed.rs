//! Where the updates of one watched table enter a client's outbox.
//!
//! **Invariant:** what a client gets of a table is a resync or a resume point, then every update
//! with the next number, until a new resync. Whatever would break the row (a gap, a second
//! subscription that still delivers, a full outbox) ends the subscription instead.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prost::Message;
use tokio::sync::Notify;

use super::outbox::{Outbox, WatchId};
use crate::link::{Brought, Deliver, Untaken};
use crate::metrics::Metrics;
use crate::wire::Outgoing;
use crate::wire::head::{ResyncHead, UpdateHead};

#[derive(Debug, Default)]
struct Position {
    /// The subscription that may deliver.
    subscription: u64,
    /// The last number that the client has, or will have when its outbox is written.
    seq: Option<u64>,
    /// Whether the player has a seat; `None`: not known.
    seated: Option<bool>,
}

/// One watch's place between a link and an outbox.
pub struct Feed {
    watch: WatchId,
    outbox: Arc<Outbox>,
    metrics: Arc<Metrics>,
    position: Mutex<Position>,
    seed_due: Notify,
}

impl Feed {
    /// A feed for a client whose knowledge ends at `seq`.
    #[must_use]
    pub fn new(
        watch: WatchId,
        outbox: Arc<Outbox>,
        metrics: Arc<Metrics>,
        seq: Option<u64>,
    ) -> Self {
        let position = Position { subscription: 0, seq, seated: None };
        let (position, seed_due) = (Mutex::new(position), Notify::new());
        Self { watch, outbox, metrics, position, seed_due }
    }

    fn position(&self) -> MutexGuard<'_, Position> {
        self.position.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets this subscription deliver from now on, and no other.
    pub fn admit(&self, subscription: u64) {
        self.position().subscription = subscription;
    }

    /// The last number that the client has; `None`: it needs a resync.
    #[must_use]
    pub fn seq(&self) -> Option<u64> {
        self.position().seq
    }

    /// Drops what waits for the client: it gets a resync instead.
    pub fn start_afresh(&self) {
        {
            let mut position = self.position();
            position.subscription = 0;
            position.seq = None;
        }
        self.outbox.purge(self.watch);
    }

    /// Waits until the table takes client seeds for a new hand and the player may have a seat.
    pub async fn seed_due(&self) {
        self.seed_due.notified().await;
    }

    fn update(&self, subscription: u64, bytes: bytes::Bytes) -> Result<(), Untaken> {
        let head = UpdateHead::decode(bytes.clone()).map_err(|_| Untaken::Unreadable)?;
        let mut position = self.position();
        if position.subscription != subscription {
            return Err(Untaken::Outdated);
        }
        match position.seq {
            Some(seq) if head.seq <= seq => return Ok(()),
            Some(seq) if head.seq == seq + 1 => {}
            Some(_) | None => return Err(Untaken::Gap),
        }
        self.outbox.offer(self.watch, Outgoing::Update(bytes)).map_err(|_full| Untaken::Lagging)?;
        position.seq = Some(head.seq);
        self.metrics.update_sent();
        if head.opens_a_hand() && position.seated != Some(false) {
            self.seed_due.notify_one();
        }
        Ok(())
    }

    fn resync(&self, subscription: u64, bytes: bytes::Bytes) -> Result<(), Untaken> {
        let head = ResyncHead::decode(bytes.clone()).map_err(|_| Untaken::Unreadable)?;
        let mut position = self.position();
        if position.subscription != subscription {
            return Err(Untaken::Outdated);
        }
        self.outbox.offer(self.watch, Outgoing::Resync(bytes)).map_err(|_full| Untaken::Lagging)?;
        position.seq = Some(head.seq);
        position.seated = Some(head.is_seated());
        self.metrics.resync_sent();
        if head.is_seated() {
            self.seed_due.notify_one();
        }
        Ok(())
    }
}

impl Deliver for Feed {
    fn deliver(&self, subscription: u64, brought: Brought) -> Result<(), Untaken> {
        match brought {
            Brought::Update(bytes) => self.update(subscription, bytes),
            Brought::Resync(bytes) => self.resync(subscription, bytes),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use parlor_proto::table::v1::{TableResync, TableUpdate};

    use super::*;
    use crate::session::outbox::OutboxLimits;

    fn feed(frames: usize, seq: Option<u64>) -> Feed {
        let outbox = Arc::new(Outbox::new(OutboxLimits { frames, bytes: 10_000 }, Arc::default()));
        let feed = Feed::new(1, outbox, Arc::new(Metrics::new()), seq);
        feed.admit(5);
        feed
    }

    fn update(seq: u64) -> Brought {
        Brought::Update(TableUpdate { seq, ..TableUpdate::default() }.encode_to_vec().into())
    }

    fn resync(seq: u64) -> Brought {
        Brought::Resync(TableResync { seq, ..TableResync::default() }.encode_to_vec().into())
    }

    #[test]
    fn updates_follow_the_resume_point_without_gap_or_double() {
        let feed = feed(10, Some(3));
        assert_eq!(feed.deliver(5, update(4)), Ok(()));
        assert_eq!(feed.deliver(5, update(4)), Ok(()), "a double is swallowed");
        assert_eq!(feed.deliver(5, update(6)), Err(Untaken::Gap));
        assert_eq!(feed.seq(), Some(4));
        assert!(feed.outbox.try_next().is_some());
        assert_eq!(feed.outbox.try_next(), None);
    }

    #[test]
    fn nothing_but_a_resync_starts_a_client_that_knows_nothing() {
        let feed = feed(10, None);
        assert_eq!(feed.deliver(5, update(1)), Err(Untaken::Gap));
        assert_eq!(feed.deliver(5, resync(8)), Ok(()));
        assert_eq!(feed.deliver(5, update(9)), Ok(()));
    }

    #[test]
    fn an_older_subscription_may_not_deliver() {
        let feed = feed(10, Some(0));
        feed.admit(6);
        assert_eq!(feed.deliver(5, update(1)), Err(Untaken::Outdated));
        assert_eq!(feed.deliver(6, update(1)), Ok(()));
    }

    #[test]
    fn a_full_outbox_ends_the_row_and_a_fresh_start_empties_it() {
        let feed = feed(2, Some(0));
        assert_eq!(feed.deliver(5, update(1)), Ok(()));
        assert_eq!(feed.deliver(5, update(2)), Ok(()));
        assert_eq!(feed.deliver(5, update(3)), Err(Untaken::Lagging));
        feed.start_afresh();
        assert_eq!(feed.seq(), None);
        assert_eq!(feed.outbox.try_next(), None);
        assert_eq!(feed.deliver(5, resync(9)), Err(Untaken::Outdated));
    }

    #[test]
    fn what_cannot_be_read_is_not_passed_on() {
        let feed = feed(2, Some(0));
        let garbage = Brought::Update(vec![0xff; 3].into());
        assert_eq!(feed.deliver(5, garbage), Err(Untaken::Unreadable));
    }
}
