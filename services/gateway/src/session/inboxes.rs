//! Finds a player's session, for requests that come beside its connection.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use parlor_common::PlayerId;
use tokio::sync::mpsc;

use super::Inbound;

struct Inbox {
    epoch: u64,
    /// Weak: a session ends when its connection does.
    sender: mpsc::WeakSender<Inbound>,
}

/// The sessions of this process, by player.
#[derive(Default)]
pub struct Inboxes {
    inboxes: Mutex<HashMap<PlayerId, Inbox>>,
}

impl Inboxes {
    /// Makes a session reachable as long as the result lives, or until a newer one comes.
    #[must_use]
    pub fn open(
        self: &Arc<Self>,
        player: PlayerId,
        epoch: u64,
        sender: mpsc::WeakSender<Inbound>,
    ) -> Reachable {
        let mut inboxes = self.inboxes.lock().unwrap_or_else(PoisonError::into_inner);
        let is_newest = inboxes.get(&player).is_none_or(|inbox| inbox.epoch < epoch);
        if is_newest {
            inboxes.insert(player, Inbox { epoch, sender });
        }
        Reachable { inboxes: Arc::clone(self), player, epoch }
    }

    /// The way into a player's session.
    #[must_use]
    pub fn of(&self, player: &PlayerId) -> Option<mpsc::Sender<Inbound>> {
        let inboxes = self.inboxes.lock().unwrap_or_else(PoisonError::into_inner);
        inboxes.get(player)?.sender.upgrade()
    }
}

/// A session that can be reached.
pub struct Reachable {
    inboxes: Arc<Inboxes>,
    player: PlayerId,
    epoch: u64,
}

impl Drop for Reachable {
    fn drop(&mut self) {
        let mut inboxes = self.inboxes.inboxes.lock().unwrap_or_else(PoisonError::into_inner);
        if inboxes.get(&self.player).is_some_and(|inbox| inbox.epoch == self.epoch) {
            inboxes.remove(&self.player);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[tokio::test]
    async fn the_newest_session_is_reached_as_long_as_it_lives() {
        let inboxes = Arc::new(Inboxes::default());
        let player = PlayerId::random();
        let (old_sender, mut old) = mpsc::channel(1);
        let (new_sender, mut new) = mpsc::channel(1);
        let new_place = inboxes.open(player, 2, new_sender.downgrade());
        let old_place = inboxes.open(player, 1, old_sender.downgrade());
        inboxes.of(&player).unwrap().send(Inbound::Alive).await.unwrap();
        assert!(new.try_recv().is_ok() && old.try_recv().is_err());
        drop(old_place);
        assert!(inboxes.of(&player).is_some());
        drop(new_place);
        assert!(inboxes.of(&player).is_none());
    }

    #[tokio::test]
    async fn a_session_whose_connection_is_gone_is_not_kept_alive() {
        let inboxes = Arc::new(Inboxes::default());
        let player = PlayerId::random();
        let (sender, mut inbound) = mpsc::channel(1);
        let _place = inboxes.open(player, 1, sender.downgrade());
        drop(sender);
        assert!(inboxes.of(&player).is_none());
        assert!(inbound.recv().await.is_none());
    }
}
