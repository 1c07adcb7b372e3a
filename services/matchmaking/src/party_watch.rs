//! Watchers of parties are pushed, and a member whom nobody watches for long leaves the party.
//!
//! A gateway watches the party of each player who is connected there. So whoever is watched here is
//! here, which is noted in the store several times within the patience for an absence. The one
//! replica that looks after parties lets those go of whom nothing was noted for that long; it has
//! no lease, because two that do it at once do no harm. After a time in which the store could not
//! be reached, or nobody looked, everybody gets a whole patience anew: watchers come back first.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::Stream;
use parlor_common::{PlayerId, Shutdown};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::error::Error;
use crate::ids::{ReplicaId, TicketId};
use crate::parties::PartyState;
use crate::party::{Departure, PartyId};
use crate::service::Matchmaking;
use crate::store::Change;
use crate::worker::share;

/// Most parties that are watched at one replica; about a kilobyte each.
const MAX_WATCHED: usize = 50_000;

/// Rounds within the patience for an absence.
const ROUNDS: u32 = 6;

/// Members whose presence is noted in one step.
const NOTED_AT_ONCE: usize = 500;

/// Parties that are looked at afresh in each round: should the news of a change be lost, its
/// watchers are told a little later.
const LOOKED_AT: usize = 256;

/// Absent members who are let go in one round.
const LET_GO_AT_ONCE: u32 = 256;

/// What a member is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PartyNews {
    /// The party as it is now.
    Party(Box<PartyState>),
    /// The player is no member any more; without a way of going, the party is no more.
    Left(Option<Departure>),
}

impl PartyNews {
    /// `None`: the party is no more.
    fn of(state: Option<&PartyState>, player: PlayerId) -> Self {
        match state {
            Some(state) if state.stored.party.has(player) => Self::Party(Box::new(state.clone())),
            Some(state) => Self::Left(state.stored.party.departure_of(player)),
            None => Self::Left(None),
        }
    }
}

/// The latest state of a party; `None`: it is no more.
type Latest = Option<PartyState>;

struct Watched {
    latest: watch::Sender<Latest>,
    /// How often each member is watched.
    players: BTreeMap<PlayerId, usize>,
}

#[derive(Default)]
struct Book {
    parties: BTreeMap<PartyId, Watched>,
    /// The parties of the tickets that wait.
    tickets: HashMap<TicketId, PartyId>,
    /// Where the last look at parties ended.
    looked_at: Option<PartyId>,
}

/// The parties that somebody watches here.
#[derive(Clone, Default)]
pub struct PartyWatchers(Arc<Mutex<Book>>);

/// Somebody who watches; the place is free again when this is dropped.
struct Place {
    watchers: PartyWatchers,
    party: PartyId,
    player: PlayerId,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut book = self.watchers.lock();
        let Some(watched) = book.parties.get_mut(&self.party) else { return };
        if let Some(count) = watched.players.get_mut(&self.player) {
            *count -= 1;
            if *count == 0 {
                watched.players.remove(&self.player);
            }
        }
        if watched.players.is_empty() {
            let party = self.party;
            book.parties.remove(&party);
            book.tickets.retain(|_, queued| *queued != party);
        }
    }
}

impl PartyWatchers {
    fn lock(&self) -> MutexGuard<'_, Book> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn subscribe(
        &self,
        state: PartyState,
        player: PlayerId,
    ) -> Result<(watch::Receiver<Latest>, Place), Error> {
        let party = state.stored.party.id;
        let receiver = {
            let mut book = self.lock();
            if book.parties.len() >= MAX_WATCHED && !book.parties.contains_key(&party) {
                return Err(Error::TooManyWatchers);
            }
            let watched = book.parties.entry(party).or_insert_with(|| Watched {
                latest: watch::Sender::new(None),
                players: BTreeMap::new(),
            });
            *watched.players.entry(player).or_default() += 1;
            watched.latest.subscribe()
        };
        let place = Place { watchers: self.clone(), party, player };
        self.tell(party, Some(state));
        Ok((receiver, place))
    }

    /// Tells the watchers of a party, unless they know a later version.
    fn tell(&self, party: PartyId, latest: Latest) {
        let mut book = self.lock();
        let Some(watched) = book.parties.get(&party) else { return };
        let version = |latest: &Latest| latest.as_ref().map(|state| state.stored.version);
        let known = version(&watched.latest.borrow());
        if latest.is_some() && known > version(&latest) {
            return;
        }
        let queued = latest.as_ref().and_then(|state| state.queued.as_ref());
        let ticket = queued.map(|queued| queued.ticket);
        watched.latest.send_if_modified(|before| {
            let changed = *before != latest;
            *before = latest;
            changed
        });
        book.tickets.retain(|_, queued| *queued != party);
        book.tickets.extend(ticket.map(|ticket| (ticket, party)));
    }

    fn is_watched(&self, party: PartyId) -> bool {
        self.lock().parties.contains_key(&party)
    }

    fn of_ticket(&self, ticket: TicketId) -> Option<PartyId> {
        self.lock().tickets.get(&ticket).copied()
    }

    fn players(&self) -> Vec<PlayerId> {
        let book = self.lock();
        book.parties.values().flat_map(|watched| watched.players.keys().copied()).collect()
    }

    /// The next parties to be looked at, round and round; and how many there are.
    fn next_to_look_at(&self, most: usize) -> (Vec<PartyId>, usize) {
        let mut book = self.lock();
        let last = book.looked_at;
        let after = |id: &&PartyId| last.is_none_or(|last| **id > last);
        let next: Vec<PartyId> = book.parties.keys().filter(after).take(most).copied().collect();
        book.looked_at = next.last().copied();
        (next, book.parties.len())
    }
}

/// When whoever looks after parties may judge who is absent.
#[derive(Debug, Default)]
struct Judge {
    /// Since when the rounds go well.
    since_ms: Option<i64>,
}

impl Judge {
    /// After a round that went well: since when somebody must have been here, if it can be said.
    fn went_well(&mut self, now_ms: i64, patience_ms: i64) -> Option<i64> {
        let since_ms = *self.since_ms.get_or_insert(now_ms);
        let before_ms = now_ms.saturating_sub(patience_ms);
        (before_ms >= since_ms).then_some(before_ms)
    }

    const fn went_wrong(&mut self) {
        self.since_ms = None;
    }
}

impl Matchmaking {
    /// Follows the party of a player: its state now, then every change, until the player is in it
    /// no more. The stream also ends when the service does.
    ///
    /// # Errors
    /// [`Error::PartyNotFound`], [`Error::TooManyWatchers`].
    pub async fn watch_party(
        &self,
        player: PlayerId,
    ) -> Result<impl Stream<Item = (PartyId, PartyNews)> + Send + 'static, Error> {
        let stored = self.store.party_of(player).await?.ok_or(Error::PartyNotFound)?;
        let party = stored.party.id;
        self.store.here(&[player], self.clock.now_ms()).await?;
        let state = self.party_state(stored).await?;
        let (receiver, place) = self.party_watchers.subscribe(state, player)?;
        // It may have changed before we listened.
        self.look_at_party(party).await?;
        Ok(follow(receiver, place))
    }

    async fn look_at_party(&self, party: PartyId) -> Result<(), Error> {
        let latest = match self.store.party(party).await? {
            Some(stored) => Some(self.party_state(stored).await?),
            None => None,
        };
        self.party_watchers.tell(party, latest);
        Ok(())
    }

    /// Notes who is here, and looks at some parties.
    async fn note_presence(&self) -> Result<(), Error> {
        let now_ms = self.clock.now_ms();
        for some in self.party_watchers.players().chunks(NOTED_AT_ONCE) {
            self.store.here(some, now_ms).await?;
        }
        let (next, watched) = self.party_watchers.next_to_look_at(LOOKED_AT);
        self.metrics.watched_parties(watched);
        for party in next {
            self.look_at_party(party).await?;
        }
        Ok(())
    }

    /// Lets members go who were not here since `before_ms`.
    async fn let_absent_go(&self, before_ms: i64) -> Result<(), Error> {
        for player in self.store.absent(before_ms, LET_GO_AT_ONCE).await? {
            match self.leave_party(player, Departure::Absent).await {
                // A match is being seated, or the others do something: in the next round.
                Ok(()) | Err(Error::AlreadyMatched | Error::PartyBusy) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Keeps the watchers of parties informed, and looks after parties while this replica is the
    /// one to do so, until the shutdown begins.
    pub(crate) async fn look_after_parties(
        self: Arc<Self>,
        replica: ReplicaId,
        alive: watch::Receiver<Vec<ReplicaId>>,
        shutdown: Shutdown,
    ) {
        let token = shutdown.token();
        let patience_ms = self.timing.party_absence_ms;
        let every = Duration::from_millis(u64::from((patience_ms / ROUNDS).max(1)));
        let mut changes = self.store.changes();
        let mut rounds = tokio::time::interval(every);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut judge = Judge::default();
        loop {
            let done = tokio::select! {
                biased;
                () = token.cancelled() => return,
                change = changes.recv() => match change {
                    Ok(change) => self.party_changed(&change).await,
                    // The next rounds look at everything.
                    Err(RecvError::Lagged(_)) => Ok(()),
                    Err(RecvError::Closed) => return,
                },
                _ = rounds.tick() => {
                    let here = share::looks_after_rooms(replica, &alive.borrow());
                    self.party_round(&mut judge, here).await
                }
            };
            if let Err(error) = done {
                tracing::warn!(%error, "parties could not be looked after");
            }
        }
    }

    async fn party_changed(&self, change: &Change) -> Result<(), Error> {
        let party = match change {
            Change::Party(party) => Some(*party).filter(|it| self.party_watchers.is_watched(*it)),
            Change::Ended(ticket) => self.party_watchers.of_ticket(*ticket),
            Change::Enqueued(_) | Change::Checked(_) | Change::Moved(_) => None,
        };
        match party {
            Some(party) => self.look_at_party(party).await,
            None => Ok(()),
        }
    }

    async fn party_round(&self, judge: &mut Judge, is_ours: bool) -> Result<(), Error> {
        if let Err(error) = self.note_presence().await {
            judge.went_wrong();
            return Err(error);
        }
        let patience_ms = i64::from(self.timing.party_absence_ms);
        match judge.went_well(self.clock.now_ms(), patience_ms) {
            Some(before_ms) if is_ours => self.let_absent_go(before_ms).await,
            _ => Ok(()),
        }
    }
}

fn follow(
    receiver: watch::Receiver<Latest>,
    place: Place,
) -> impl Stream<Item = (PartyId, PartyNews)> + Send + 'static {
    // The state is the receiver, and whether its present value was told; `None` after the end.
    futures_util::stream::unfold(Some((receiver, place, false)), |state| async move {
        let (mut receiver, place, told) = state?;
        if told {
            receiver.changed().await.ok()?;
        }
        let news = PartyNews::of(receiver.borrow_and_update().as_ref(), place.player);
        let party = place.party;
        let goes_on = matches!(news, PartyNews::Party(_));
        Some(((party, news), goes_on.then_some((receiver, place, true))))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_absent_before_a_whole_patience_of_good_rounds() {
        let mut judge = Judge::default();
        assert_eq!(judge.went_well(1_000, 60), None);
        assert_eq!(judge.went_well(1_059, 60), None);
        assert_eq!(judge.went_well(1_060, 60), Some(1_000));
        judge.went_wrong();
        assert_eq!(judge.went_well(1_090, 60), None);
        assert_eq!(judge.went_well(1_149, 60), None);
        assert_eq!(judge.went_well(1_150, 60), Some(1_090));
    }
}
