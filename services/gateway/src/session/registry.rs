//! One session per player: a new connection replaces the old one.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use parlor_common::{Clock, Failure, PlayerId};
use tokio_util::sync::CancellationToken;

/// The right of a connection to speak for its player, until a later one comes.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The player.
    pub player: PlayerId,
    /// Later connections of the player have a greater one.
    pub epoch: u64,
    /// Cancelled when a later connection has come.
    pub replaced: CancellationToken,
}

/// Knows every player's latest session.
///
/// [`LocalSessions`] knows those of one process. Behind several gateways, a player's connections to
/// different ones know of each other only through an implementation that the gateways share.
#[async_trait]
pub trait SessionRegistry: Send + Sync + 'static {
    /// Makes a connection the player's latest; the one before is told.
    async fn enter(&self, player: &PlayerId) -> Result<Lease, Failure>;

    /// The connection has ended. Of no effect when it was replaced before.
    async fn leave(&self, lease: &Lease);
}

/// The sessions of one process.
#[derive(Debug, Default)]
pub struct LocalSessions {
    latest: Mutex<HashMap<PlayerId, Lease>>,
    clock: Clock,
}

impl LocalSessions {
    /// Nobody is here yet.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { latest: Mutex::default(), clock }
    }
}

#[async_trait]
impl SessionRegistry for LocalSessions {
    async fn enter(&self, player: &PlayerId) -> Result<Lease, Failure> {
        // The time makes epochs grow across restarts too.
        let now = u64::try_from(self.clock.now_ms()).unwrap_or_default();
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        let before = latest.get(player);
        let epoch = before.map_or(now, |before| now.max(before.epoch.saturating_add(1)));
        let lease = Lease { player: *player, epoch, replaced: CancellationToken::new() };
        if let Some(before) = latest.insert(*player, lease.clone()) {
            before.replaced.cancel();
        }
        Ok(lease)
    }

    async fn leave(&self, lease: &Lease) {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if latest.get(&lease.player).is_some_and(|latest| latest.epoch == lease.epoch) {
            latest.remove(&lease.player);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[tokio::test]
    async fn a_later_connection_replaces_an_earlier_one() {
        let sessions = LocalSessions::new(Clock::held_at(1000));
        let player = PlayerId::random();
        let first = sessions.enter(&player).await.unwrap();
        let other = sessions.enter(&PlayerId::random()).await.unwrap();
        let second = sessions.enter(&player).await.unwrap();
        assert!(first.replaced.is_cancelled() && !second.replaced.is_cancelled());
        assert!(!other.replaced.is_cancelled());
        assert!(second.epoch > first.epoch, "in the same millisecond too");
    }

    #[tokio::test]
    async fn a_replaced_connection_that_leaves_does_not_take_its_successor_along() {
        let sessions = LocalSessions::new(Clock::held_at(1000));
        let player = PlayerId::random();
        let first = sessions.enter(&player).await.unwrap();
        let second = sessions.enter(&player).await.unwrap();
        sessions.leave(&first).await;
        let third = sessions.enter(&player).await.unwrap();
        assert!(second.replaced.is_cancelled());
        sessions.leave(&third).await;
        assert!(sessions.latest.lock().unwrap().is_empty());
    }
}
