//! The sessions of one process.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::ops::Bound;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use parlor_common::{Clock, PlayerId};
use tokio_util::sync::CancellationToken;

use super::sanctions::Sanction;

/// Why a session is ended from outside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dismissal {
    /// A later connection of the player has come.
    Replaced,
    /// A moderator has sent the player away.
    Kicked,
    /// A moderator has banned the player.
    Banned(Sanction),
    /// A moderator has banned the address.
    AddressBanned(Sanction),
}

/// The right of a connection to speak for its player, until it is dismissed.
#[derive(Clone, Debug)]
pub struct Lease {
    /// The player.
    pub player: PlayerId,
    /// Later connections of the player have a greater one.
    pub epoch: u64,
    dismissed: CancellationToken,
    why: Arc<OnceLock<Dismissal>>,
}

impl Lease {
    pub(super) fn new(player: PlayerId, epoch: u64) -> Self {
        Self { player, epoch, dismissed: CancellationToken::new(), why: Arc::default() }
    }

    /// Ends the session; the first reason stays.
    pub fn dismiss(&self, why: Dismissal) {
        self.why.get_or_init(|| why);
        self.dismissed.cancel();
    }

    /// Waits until the session is ended from outside.
    pub async fn dismissed(&self) -> Dismissal {
        self.dismissed.cancelled().await;
        // Set before the token is cancelled.
        self.why.get().cloned().unwrap_or(Dismissal::Replaced)
    }

    /// Whether it is.
    #[must_use]
    pub fn is_dismissed(&self) -> bool {
        self.dismissed.is_cancelled()
    }
}

/// What is known of a connection besides its player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The player's name.
    pub name: String,
    /// The client's address.
    pub address: IpAddr,
    /// The transport's name.
    pub transport: &'static str,
}

/// A session that runs here.
#[derive(Clone, Debug)]
pub struct Present {
    /// Its lease.
    pub lease: Lease,
    /// Its connection.
    pub about: About,
    /// When it came, in milliseconds since the Unix epoch.
    pub since_ms: i64,
}

/// The sessions of one process, one per player.
#[derive(Debug, Default)]
pub struct LocalSessions {
    latest: Mutex<BTreeMap<PlayerId, Present>>,
    clock: Clock,
}

impl LocalSessions {
    /// Nobody is here yet.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        Self { latest: Mutex::default(), clock }
    }

    fn latest(&self) -> MutexGuard<'_, BTreeMap<PlayerId, Present>> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The least epoch of a session that begins now: later than all that were here. The time makes
    /// epochs grow across restarts and gateways too.
    #[must_use]
    pub fn next_epoch(&self, player: &PlayerId) -> u64 {
        let now = u64::try_from(self.clock.now_ms()).unwrap_or_default();
        self.latest().get(player).map_or(now, |it| now.max(it.lease.epoch.saturating_add(1)))
    }

    /// Makes a connection the player's latest here; the one before is dismissed. When one with a
    /// greater epoch is here already, the new one is dismissed.
    pub fn enter(&self, player: PlayerId, epoch: u64, about: About) -> Lease {
        let lease = Lease::new(player, epoch);
        let since_ms = self.clock.now_ms();
        let mut latest = self.latest();
        if latest.get(&player).is_some_and(|before| before.lease.epoch > epoch) {
            lease.dismiss(Dismissal::Replaced);
            return lease;
        }
        let present = Present { lease: lease.clone(), about, since_ms };
        if let Some(before) = latest.insert(player, present) {
            before.lease.dismiss(Dismissal::Replaced);
        }
        lease
    }

    /// The connection has ended. Of no effect when it was replaced before.
    pub fn leave(&self, lease: &Lease) {
        let mut latest = self.latest();
        if latest.get(&lease.player).is_some_and(|it| it.lease.epoch == lease.epoch) {
            latest.remove(&lease.player);
        }
    }

    /// The player's session here.
    #[must_use]
    pub fn get(&self, player: &PlayerId) -> Option<Present> {
        self.latest().get(player).cloned()
    }

    /// Up to `most` sessions behind a player, by player, and how many there are in all.
    #[must_use]
    pub fn page(&self, after: Option<PlayerId>, most: usize) -> (Vec<Present>, usize) {
        let latest = self.latest();
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let page = latest.range((from, Bound::Unbounded)).take(most);
        (page.map(|(_, present)| present.clone()).collect(), latest.len())
    }

    /// The leases of those whose addresses are such.
    #[must_use]
    pub fn leases_at(&self, is_such: impl Fn(IpAddr) -> bool) -> Vec<Lease> {
        let latest = self.latest();
        let such = latest.values().filter(|present| is_such(present.about.address));
        such.map(|present| present.lease.clone()).collect()
    }

    /// All leases.
    #[must_use]
    pub fn leases(&self) -> Vec<Lease> {
        self.latest().values().map(|present| present.lease.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use std::net::Ipv4Addr;

    use super::*;

    fn about() -> About {
        let address = IpAddr::V4(Ipv4Addr::LOCALHOST);
        About { name: "Ada".to_owned(), address, transport: "grpc" }
    }

    fn enter(sessions: &LocalSessions, player: PlayerId) -> Lease {
        sessions.enter(player, sessions.next_epoch(&player), about())
    }

    #[tokio::test]
    async fn a_later_connection_replaces_an_earlier_one() {
        let sessions = LocalSessions::new(Clock::held_at(1000));
        let player = PlayerId::random();
        let first = enter(&sessions, player);
        let other = enter(&sessions, PlayerId::random());
        let second = enter(&sessions, player);
        assert_eq!(first.dismissed().await, Dismissal::Replaced);
        assert!(!second.is_dismissed() && !other.is_dismissed());
        assert!(second.epoch > first.epoch, "in the same millisecond too");
    }

    #[test]
    fn a_connection_that_is_already_replaced_does_not_replace() {
        let sessions = LocalSessions::new(Clock::held_at(1000));
        let player = PlayerId::random();
        let later = sessions.enter(player, 2000, about());
        let earlier = sessions.enter(player, 1999, about());
        assert!(earlier.is_dismissed() && !later.is_dismissed());
        sessions.leave(&earlier);
        assert_eq!(sessions.get(&player).unwrap().lease.epoch, 2000);
    }

    #[test]
    fn a_replaced_connection_that_leaves_does_not_take_its_successor_along() {
        let sessions = LocalSessions::new(Clock::held_at(1000));
        let player = PlayerId::random();
        let first = enter(&sessions, player);
        let second = enter(&sessions, player);
        sessions.leave(&first);
        let third = enter(&sessions, player);
        assert!(second.is_dismissed());
        sessions.leave(&third);
        assert!(sessions.leases().is_empty());
    }

    #[test]
    fn pages_go_through_all_sessions_once() {
        let sessions = LocalSessions::new(Clock::held_at(1000));
        let mut players: Vec<_> = (0..7).map(|_| PlayerId::random()).collect();
        for player in &players {
            enter(&sessions, *player);
        }
        players.sort();
        let (mut seen, mut after) = (Vec::new(), None);
        loop {
            let (page, total) = sessions.page(after, 3);
            assert_eq!(total, 7);
            seen.extend(page.iter().map(|present| present.lease.player));
            if page.len() < 3 {
                break;
            }
            after = seen.last().copied();
        }
        assert_eq!(seen, players);
    }
}
