//! The store of matchmaking, which outlives its replicas, and the way of one replica to it.

use std::sync::Arc;

use async_trait::async_trait;
use parlor_common::{PlayerId, TableId};
use parlor_matchmaking::Error;
use parlor_matchmaking::club::{CardEntry, ClubId, InviteCode};
use parlor_matchmaking::ids::{QueueId, ReplicaId, TicketId};
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

/// One replica's way to the store.
#[derive(Clone)]
pub struct Desk {
    /// What it leads to.
    pub store: Arc<EmbeddedStore>,
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
                    let store = Arc::clone(&self.store);
                    $(let $lent = $lent.to_owned();)*
                    let effect = async move { store.$method($(&$lent,)* $($name),*).await };
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
        lease(replica: ReplicaId, now_ms: i64, until_ms: i64; queue: QueueId) -> Option<Lease>;
        release(; lease: Lease) -> ();
        waiting(; queue: QueueId) -> Vec<Arc<Ticket>>;
        claim(claim: NewClaim, now_ms: i64; lease: Lease) -> Claimed;
        answer_ready(player: PlayerId, answer: ReadyAnswer, now_ms: i64;) -> Answered;
        take_on(due: Due, now_ms: i64, until_ms: i64, most: u32; lease: Lease) -> Vec<Claim>;
        settle(now_ms: i64, keep_ms: i64; claim: Claim, outcomes: [(TicketId, Outcome)])
            -> Settled;
        sweep(now_ms: i64, keep_ms: i64, most: u32;) -> Swept;
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.store.changes()
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
        bind_room(table: TableId, seat: u32, until_ms: i64; room: NewRoom) -> bool;
        abandon_room(; room: NewRoom) -> ();
        learn_room(code: RoomCode, table: TableId, now_ms: i64, until_ms: i64;) -> ();
        room(code: RoomCode, now_ms: i64;) -> Option<TableId>;
        close_room(code: RoomCode, table: TableId;) -> ();
        attempt(player: PlayerId, limit: AttemptLimit, now_ms: i64;) -> Attempt;
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
        let (store, key) = (Arc::clone(&self.store), key.to_owned());
        self.call("card_entry", async move { store.card_entry(club, &key).await }).await
    }
}
