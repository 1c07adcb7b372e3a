//! A store whose every call is two steps: another task may run, or the caller may die, before and
//! after the call has had its effect.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

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

/// Lets the scheduler choose who goes on.
pub async fn step() {
    let mut passed = false;
    poll_fn(|context| {
        if passed {
            return Poll::Ready(());
        }
        passed = true;
        // Futures that are joined are polled again only when they ask for it.
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

/// See the module.
pub struct Stepping(pub Arc<EmbeddedStore>);

/// Implements a trait of the store; what follows the methods is taken over as it is.
macro_rules! stepping {
    (
        $store:ident {
            $($method:ident($($name:ident),*) is ($($argument:tt)*) -> $answer:ty;)*
        }
        $($rest:tt)*
    ) => {
        #[async_trait]
        impl $store for Stepping {
            $(
                async fn $method(&self, $($argument)*) -> Result<$answer, Error> {
                    step().await;
                    let answer = self.0.$method($($name),*).await;
                    step().await;
                    answer
                }
            )*
            $($rest)*
        }
    };
}

stepping! {
    TicketStore {
        enqueue(ticket, most) is (ticket: Ticket, most: u32) -> Enqueued;
        cancel(player, keep_ms) is (player: PlayerId, keep_ms: i64) -> Cancelled;
        ticket(ticket) is (ticket: TicketId) -> Option<TicketRecord>;
        ticket_of(player) is (player: PlayerId) -> Option<TicketRecord>;
        stats(queue) is (queue: &QueueId) -> QueueStats;
        heartbeat(replica, now_ms, until_ms)
            is (replica: ReplicaId, now_ms: i64, until_ms: i64) -> Vec<ReplicaId>;
        lease(queue, replica, now_ms, until_ms)
            is (queue: &QueueId, replica: ReplicaId, now_ms: i64, until_ms: i64) -> Option<Lease>;
        release(lease) is (lease: &Lease) -> ();
        waiting(queue) is (queue: &QueueId) -> Vec<Arc<Ticket>>;
        answer_ready(player, answer, now_ms)
            is (player: PlayerId, answer: ReadyAnswer, now_ms: i64) -> Answered;
        claim(lease, claim, now_ms) is (lease: &Lease, claim: NewClaim, now_ms: i64) -> Claimed;
        take_on(lease, due, now_ms, until_ms, most)
            is (lease: &Lease, due: Due, now_ms: i64, until_ms: i64, most: u32) -> Vec<Claim>;
        settle(claim, outcomes, now_ms, keep_ms)
            is (claim: &Claim, outcomes: &[(TicketId, Outcome)], now_ms: i64, keep_ms: i64)
            -> Settled;
        sweep(now_ms, keep_ms, most) is (now_ms: i64, keep_ms: i64, most: u32) -> Swept;
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.0.changes()
    }
}

stepping! {
    PartyStore {
        party(party) is (party: PartyId) -> Option<StoredParty>;
        party_of(player) is (player: PlayerId) -> Option<StoredParty>;
        party_of_invite(invite) is (invite: InviteCode) -> Option<StoredParty>;
        save_party(save) is (save: &PartySave) -> PartySaved;
        here(players, now_ms) is (players: &[PlayerId], now_ms: i64) -> ();
        absent(before_ms, most) is (before_ms: i64, most: u32) -> Vec<PlayerId>;
    }
}

stepping! {
    RoomStore {
        open_room(room, now_ms) is (room: &NewRoom, now_ms: i64) -> Opened;
        bind_room(room, table, seat, until_ms)
            is (room: &NewRoom, table: TableId, seat: u32, until_ms: i64) -> bool;
        abandon_room(room) is (room: &NewRoom) -> ();
        learn_room(code, table, now_ms, until_ms)
            is (code: RoomCode, table: TableId, now_ms: i64, until_ms: i64) -> ();
        room(code, now_ms) is (code: RoomCode, now_ms: i64) -> Option<TableId>;
        close_room(code, table) is (code: RoomCode, table: TableId) -> ();
        attempt(player, limit, now_ms)
            is (player: PlayerId, limit: AttemptLimit, now_ms: i64) -> Attempt;
    }
}

stepping! {
    ClubStore {
        club(club) is (club: ClubId) -> Option<StoredClub>;
        save_club(save) is (save: &ClubSave) -> bool;
        card_entry(club, key) is (club: ClubId, key: &str) -> Option<CardEntry>;
        card_entries(club, before, most)
            is (club: ClubId, before: u64, most: u32) -> Vec<CardEntry>;
        clubs_of(player) is (player: PlayerId) -> Vec<ClubId>;
        club_of_invite(invite) is (invite: InviteCode) -> Option<ClubId>;
        club_of_table(table) is (table: TableId) -> Option<ClubId>;
        clubs_with_rooms() is () -> Vec<ClubId>;
    }
}
