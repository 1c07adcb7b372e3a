//! Who is told what happens at a table.

use std::sync::Arc;

use bytes::Bytes;
use parlor_common::PlayerId;
use parlor_game::Viewer;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::Subscribe;

/// Names a subscription: the link it came over, and its number on that link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SubscriptionKey {
    /// The link, unique in this process.
    pub link: u64,
    /// Chosen by the subscriber.
    pub subscription: u64,
}

/// Something for a subscriber.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Delivery {
    /// A serialized `TableUpdate`.
    Update(Bytes),
    /// A serialized `TableResync`.
    Resync(Bytes),
    /// The subscription has ended; the stable reason.
    Closed(&'static str),
    /// The subscription has ended, because the pod that is called there owns the table now.
    Moved(Arc<str>),
}

impl Delivery {
    /// The table has moved.
    #[must_use]
    pub fn moved(owner: Option<&Arc<str>>) -> Self {
        owner.map_or(Self::Closed("table_moved"), |owner| Self::Moved(Arc::clone(owner)))
    }
}

/// Where deliveries go. It never waits: what does not fit is replaced by a resync later.
#[derive(Clone, Debug)]
pub struct Sink {
    sender: mpsc::Sender<(SubscriptionKey, Delivery)>,
}

impl Sink {
    /// A sink into a bounded channel.
    #[must_use]
    pub const fn new(sender: mpsc::Sender<(SubscriptionKey, Delivery)>) -> Self {
        Self { sender }
    }

    /// Whether nobody listens any more.
    #[must_use]
    pub fn is_closed(&self) -> bool {
        self.sender.is_closed()
    }
}

/// One subscriber of a table.
#[derive(Debug)]
pub(super) struct Subscriber {
    pub key: SubscriptionKey,
    pub player: Option<PlayerId>,
    /// Whose eyes the last delivery was for.
    pub viewer: Viewer,
    pub with_views: bool,
    /// An update did not fit: the next delivery is a resync.
    pub lagging: bool,
    pub sink: Sink,
    /// Resyncs that took the place of updates, and are not counted yet.
    pub resyncs: u64,
}

/// What became of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sent {
    /// It is on its way.
    Delivered,
    /// It did not fit.
    Full,
    /// Nobody listens any more.
    Gone,
}

impl Subscriber {
    /// A subscriber that has been told nothing yet.
    pub fn of(subscribe: Subscribe) -> Self {
        let Subscribe { key, player, with_views, after: _, sink } = subscribe;
        let viewer = Viewer::Spectator;
        Self { key, player, viewer, with_views, lagging: false, sink, resyncs: 0 }
    }

    /// Sends the whole view; whoever was behind no longer is, if it fits.
    pub fn resync(&mut self, view: Bytes) -> Sent {
        let lagged = std::mem::replace(&mut self.lagging, false);
        let sent = self.send(Delivery::Resync(view));
        self.resyncs += u64::from(lagged && sent == Sent::Delivered);
        sent
    }

    pub fn send(&mut self, delivery: Delivery) -> Sent {
        match self.sink.sender.try_send((self.key, delivery)) {
            Ok(()) => Sent::Delivered,
            Err(TrySendError::Full(_)) => {
                self.lagging = true;
                Sent::Full
            }
            Err(TrySendError::Closed(_)) => Sent::Gone,
        }
    }
}
