//! The store of matchmaking, which outlives its replicas, and the way of one replica to it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use parlor_common::{PlayerId, TableId};
use parlor_matchmaking::Error;
use parlor_matchmaking::club::{CardEntry, ClubId, InviteCode};
use parlor_matchmaking::ids::{Epoch, QueueId, ReplicaId, TicketId};
use parlor_matchmaking::party::PartyId;
use parlor_matchmaking::room::RoomCode;
use parlor_matchmaking::store::embedded::EmbeddedStore;
use parlor_matchmaking::store::{
    Answered, Attempt, AttemptLimit, Cancelled, Change, Claim, Claimed, ClubSave, ClubStore, Due,
    Enqueued, Lease, NewClaim, NewRoom, Opened, Outcome, PartySave, PartySaved, PartyStore,
    QueueStats, RoomStore, Settled, StoredClub, StoredParty, Swept, TicketStore,
};
use parlor_matchmaking::ticket::{ReadyAnswer, Ticket, TicketRecord};
use tokio::sync::broadcast;

use super::life::Way;
use super::mutation::Mutation;
use super::oracle::Oracle;

/// What matchmaking remembers. The oracle is told which tickets belong to which match.
pub struct Register {
    store: EmbeddedStore,
    oracle: Arc<Oracle>,
    mutation: Option<Mutation>,
    /// The room that was made last, for [`Mutation::RoomsMixedUp`].
    latest_room: Mutex<Option<TableId>>,
}

impl Register {
    /// No tickets yet.
    pub fn new(oracle: Arc<Oracle>, mutation: Option<Mutation>) -> Self {
        let store = match EmbeddedStore::in_memory() {
            Ok(store) => store,
            Err(error) => unreachable!("memory is no file that could fail: {error}"),
        };
        Self { store, oracle, mutation, latest_room: Mutex::default() }
    }

    /// The player's ticket, if it has not ended.
    pub async fn live_ticket(&self, player: PlayerId) -> Option<TicketId> {
        let record = self.store.ticket_of(player).await.ok().flatten()?;
        record.state.live().then_some(record.ticket.id)
    }

    async fn lease(
        &self,
        queue: QueueId,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Option<Lease>, Error> {
        let lease = self.store.lease(&queue, replica, now_ms, until_ms).await?;
        if lease.is_none() && self.mutation == Some(Mutation::ClaimUnchecked) {
            return Ok(Some(Lease { queue, replica, epoch: Epoch(0) }));
        }
        Ok(lease)
    }

    async fn claim(&self, lease: &Lease, new: NewClaim, now_ms: i64) -> Result<Claimed, Error> {
        let mut claimed = self.store.claim(lease, new.clone(), now_ms).await?;
        if self.mutation == Some(Mutation::ClaimUnchecked) && !matches!(claimed, Claimed::Done(_)) {
            claimed = Claimed::Done(Claim {
                id: new.id,
                queue: lease.queue.clone(),
                attempt: 1,
                claimed_ms: now_ms,
                until_ms: new.until_ms,
                tickets: new.tickets,
                ready: None,
            });
        }
        if let Claimed::Done(claim) = &claimed {
            self.oracle.claimed_tickets(claim.id, &claim.tickets);
        }
        Ok(claimed)
    }

    async fn take_on(
        &self,
        lease: &Lease,
        due: Due,
        now_ms: i64,
        until_ms: i64,
        most: u32,
    ) -> Result<Vec<Claim>, Error> {
        if due == Due::Overdue && self.mutation == Some(Mutation::ClaimsNotAdopted) {
            return Ok(Vec::new());
        }
        self.store.take_on(lease, due, now_ms, until_ms, most).await
    }

    async fn settle(
        &self,
        claim: &Claim,
        outcomes: &[(TicketId, Outcome)],
        now_ms: i64,
        keep_ms: i64,
    ) -> Result<Settled, Error> {
        let settled = self.store.settle(claim, outcomes, now_ms, keep_ms).await?;
        if settled == Settled::Done {
            self.oracle.settled_tickets(claim.id);
        }
        Ok(settled)
    }

    async fn bind_room(
        &self,
        room: &NewRoom,
        table: TableId,
        seat: u32,
        until_ms: i64,
    ) -> Result<bool, Error> {
        *self.latest_room() = Some(table);
        self.store.bind_room(room, table, seat, until_ms).await
    }

    async fn room(&self, code: RoomCode, now_ms: i64) -> Result<Option<TableId>, Error> {
        let found = self.store.room(code, now_ms).await?;
        let mixed_up = self.mutation == Some(Mutation::RoomsMixedUp);
        Ok(if mixed_up { found.and(*self.latest_room()) } else { found })
    }

    fn latest_room(&self) -> MutexGuard<'_, Option<TableId>> {
        self.latest_room.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One replica's way to the store.
#[derive(Clone)]
pub struct Desk {
    /// What it leads to.
    pub register: Arc<Register>,
    /// The way.
    pub way: Way,
}

impl Desk {
    async fn call<T: Send + 'static>(
        &self,
        what: &str,
        effect: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let done = self.way.call(what, Box::pin(effect)).await;
        done.unwrap_or_else(|| Err(Error::StoreUnavailable("no answer".into())))
    }
}

/// Implements a trait of the store: `borrowed` arguments are owned on their way.
macro_rules! on_the_way {
    (
        $store:ident {
            $($method:ident($($name:ident: $kind:ty),*; $($lent:ident: $owned:ty),*)
                -> $answer:ty;)*
        }
        $($rest:tt)*
    ) => {
        #[async_trait]
        impl $store for Desk {
            $(
                async fn $method(&self, $($lent: &$owned,)* $($name: $kind),*)
                    -> Result<$answer, Error>
                {
                    let register = Arc::clone(&self.register);
                    $(let $lent = $lent.to_owned();)*
                    let effect =
                        async move { register.store.$method($(&$lent,)* $($name),*).await };
                    self.call(stringify!($method), effect).await
                }
            )*
            $($rest)*
        }
    };
}

on_the_way! {
    TicketStore {
        enqueue(ticket: Ticket, most: u32;) -> Enqueued;
        cancel(player: PlayerId, keep_ms: i64;) -> Cancelled;
        ticket(ticket: TicketId;) -> Option<TicketRecord>;
        ticket_of(player: PlayerId;) -> Option<TicketRecord>;
        stats(; queue: QueueId) -> QueueStats;
        heartbeat(replica: ReplicaId, now_ms: i64, until_ms: i64;) -> Vec<ReplicaId>;
        release(; lease: Lease) -> ();
        waiting(; queue: QueueId) -> Vec<Arc<Ticket>>;
        answer_ready(player: PlayerId, answer: ReadyAnswer, now_ms: i64;) -> Answered;
        sweep(now_ms: i64, keep_ms: i64, most: u32;) -> Swept;
    }

    async fn lease(
        &self,
        queue: &QueueId,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Option<Lease>, Error> {
        let (register, queue) = (Arc::clone(&self.register), queue.clone());
        let effect = async move { register.lease(queue, replica, now_ms, until_ms).await };
        self.call("lease", effect).await
    }

    async fn claim(&self, lease: &Lease, claim: NewClaim, now_ms: i64) -> Result<Claimed, Error> {
        let (register, lease) = (Arc::clone(&self.register), lease.clone());
        let effect = async move { register.claim(&lease, claim, now_ms).await };
        self.call("claim", effect).await
    }

    async fn take_on(
        &self,
        lease: &Lease,
        due: Due,
        now_ms: i64,
        until_ms: i64,
        most: u32,
    ) -> Result<Vec<Claim>, Error> {
        let (register, lease) = (Arc::clone(&self.register), lease.clone());
        let effect = async move { register.take_on(&lease, due, now_ms, until_ms, most).await };
        // Steps of a match, each with a name of its own.
        let step = match due {
            Due::Checked => "checked",
            Due::Overdue => "adopt",
        };
        self.call(step, effect).await
    }

    async fn settle(
        &self,
        claim: &Claim,
        outcomes: &[(TicketId, Outcome)],
        now_ms: i64,
        keep_ms: i64,
    ) -> Result<Settled, Error> {
        let (register, claim) = (Arc::clone(&self.register), claim.clone());
        let outcomes = outcomes.to_vec();
        let effect = async move { register.settle(&claim, &outcomes, now_ms, keep_ms).await };
        self.call("settle", effect).await
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.register.store.changes()
    }
}

on_the_way! {
    PartyStore {
        party(party: PartyId;) -> Option<StoredParty>;
        party_of(player: PlayerId;) -> Option<StoredParty>;
        party_of_invite(invite: InviteCode;) -> Option<StoredParty>;
        save_party(; save: PartySave) -> PartySaved;
        here(now_ms: i64; players: [PlayerId]) -> ();
        absent(before_ms: i64, most: u32;) -> Vec<PlayerId>;
    }
}

on_the_way! {
    RoomStore {
        open_room(now_ms: i64; room: NewRoom) -> Opened;
        abandon_room(; room: NewRoom) -> ();
        learn_room(code: RoomCode, table: TableId, now_ms: i64, until_ms: i64;) -> ();
        close_room(code: RoomCode, table: TableId;) -> ();
        attempt(player: PlayerId, limit: AttemptLimit, now_ms: i64;) -> Attempt;
    }

    async fn bind_room(
        &self,
        room: &NewRoom,
        table: TableId,
        seat: u32,
        until_ms: i64,
    ) -> Result<bool, Error> {
        let (register, room) = (Arc::clone(&self.register), room.clone());
        let effect = async move { register.bind_room(&room, table, seat, until_ms).await };
        self.call("bind_room", effect).await
    }

    async fn room(&self, code: RoomCode, now_ms: i64) -> Result<Option<TableId>, Error> {
        let register = Arc::clone(&self.register);
        self.call("room", async move { register.room(code, now_ms).await }).await
    }
}

on_the_way! {
    ClubStore {
        club(club: ClubId;) -> Option<StoredClub>;
        save_club(; save: ClubSave) -> bool;
        card_entries(club: ClubId, before: u64, most: u32;) -> Vec<CardEntry>;
        clubs_of(player: PlayerId;) -> Vec<ClubId>;
        club_of_invite(invite: InviteCode;) -> Option<ClubId>;
        club_of_table(table: TableId;) -> Option<ClubId>;
        clubs_with_rooms(;) -> Vec<ClubId>;
    }

    async fn card_entry(&self, club: ClubId, key: &str) -> Result<Option<CardEntry>, Error> {
        let (register, key) = (Arc::clone(&self.register), key.to_owned());
        self.call("card_entry", async move { register.store.card_entry(club, &key).await }).await
    }
}
