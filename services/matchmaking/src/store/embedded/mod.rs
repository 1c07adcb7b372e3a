//! The store of a single process: tickets, parties and codes in memory, each step under one lock;
//! clubs in a file.
//!
//! A restart forgets tickets and parties, whose watchers see their streams end; the codes of rooms
//! are found again at the tables ([`crate::rooms`]).

mod club_book;
mod party_book;
mod room_book;
mod ticket_book;

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use parlor_common::{PlayerId, TableId};
use tokio::sync::broadcast;

use crate::club::{CardEntry, ClubId, InviteCode};
use crate::error::Error;
use crate::ids::{QueueId, ReplicaId, TicketId};
use crate::party::PartyId;
use crate::room::RoomCode;
use crate::ticket::{ReadyAnswer, Ticket, TicketRecord};

use super::{
    Answered, Attempt, AttemptLimit, CHANGES_KEPT, Cancelled, Change, Claim, Claimed, ClubSave,
    ClubStore, Due, Enqueued, Lease, NewClaim, NewRoom, Opened, Outcome, PartySave, PartySaved,
    PartyStore, QueueStats, RoomStore, Settled, StoredClub, StoredParty, Swept, TicketStore,
};

use club_book::ClubBook;
use room_book::RoomBook;
use ticket_book::TicketBook;

/// The store of a single process.
#[derive(Debug)]
pub struct EmbeddedStore {
    tickets: Mutex<TicketBook>,
    rooms: Mutex<RoomBook>,
    clubs: ClubBook,
    changes: broadcast::Sender<Change>,
}

impl EmbeddedStore {
    /// An empty store, whose clubs end with the process too.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`].
    pub fn in_memory() -> Result<Self, Error> {
        Ok(Self::with(ClubBook::in_memory()?))
    }

    /// A store whose clubs are in this file, which is made if there is none.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`] when the file cannot be opened or another process has it.
    pub fn with_clubs_in(path: &Path) -> Result<Self, Error> {
        Ok(Self::with(ClubBook::in_file(path)?))
    }

    fn with(clubs: ClubBook) -> Self {
        Self {
            tickets: Mutex::default(),
            rooms: Mutex::default(),
            clubs,
            changes: broadcast::Sender::new(CHANGES_KEPT),
        }
    }

    /// Runs one step on the tickets, then tells what it has changed.
    fn on_tickets<T>(&self, step: impl FnOnce(&mut TicketBook) -> T) -> T {
        let (answer, changes) = {
            let mut book = locked(&self.tickets);
            let answer = step(&mut book);
            (answer, book.take_changes())
        };
        for change in changes {
            // Nobody may be listening.
            let _ = self.changes.send(change);
        }
        answer
    }
}

/// No step can panic half-way, so a poisoned lock guards a whole state.
fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
impl TicketStore for EmbeddedStore {
    async fn enqueue(&self, ticket: Ticket, most: u32) -> Result<Enqueued, Error> {
        Ok(self.on_tickets(|book| book.enqueue(ticket, most)))
    }

    async fn cancel(&self, player: PlayerId, keep_until_ms: i64) -> Result<Cancelled, Error> {
        Ok(self.on_tickets(|book| book.cancel(player, keep_until_ms)))
    }

    async fn ticket(&self, ticket: TicketId) -> Result<Option<TicketRecord>, Error> {
        Ok(locked(&self.tickets).ticket(ticket))
    }

    async fn ticket_of(&self, player: PlayerId) -> Result<Option<TicketRecord>, Error> {
        Ok(locked(&self.tickets).ticket_of(player))
    }

    async fn stats(&self, queue: &QueueId) -> Result<QueueStats, Error> {
        Ok(locked(&self.tickets).stats(queue))
    }

    async fn heartbeat(
        &self,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Vec<ReplicaId>, Error> {
        Ok(locked(&self.tickets).heartbeat(replica, now_ms, until_ms))
    }

    async fn lease(
        &self,
        queue: &QueueId,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Option<Lease>, Error> {
        Ok(locked(&self.tickets).lease(queue, replica, now_ms, until_ms))
    }

    async fn release(&self, lease: &Lease) -> Result<(), Error> {
        locked(&self.tickets).release(lease);
        Ok(())
    }

    async fn waiting(&self, queue: &QueueId) -> Result<Vec<Arc<Ticket>>, Error> {
        Ok(locked(&self.tickets).waiting(queue))
    }

    async fn claim(&self, lease: &Lease, claim: NewClaim, now_ms: i64) -> Result<Claimed, Error> {
        Ok(self.on_tickets(|book| book.claim(lease, claim, now_ms)))
    }

    async fn answer_ready(
        &self,
        player: PlayerId,
        answer: ReadyAnswer,
        now_ms: i64,
    ) -> Result<Answered, Error> {
        Ok(self.on_tickets(|book| book.answer_ready(player, answer, now_ms)))
    }

    async fn take_on(
        &self,
        lease: &Lease,
        due: Due,
        now_ms: i64,
        until_ms: i64,
        most: u32,
    ) -> Result<Vec<Claim>, Error> {
        Ok(self.on_tickets(|book| book.take_on(lease, due, now_ms, until_ms, most)))
    }

    async fn settle(
        &self,
        claim: &Claim,
        outcomes: &[(TicketId, Outcome)],
        now_ms: i64,
        keep_until_ms: i64,
    ) -> Result<Settled, Error> {
        Ok(self.on_tickets(|book| book.settle(claim, outcomes, now_ms, keep_until_ms)))
    }

    async fn sweep(&self, now_ms: i64, keep_until_ms: i64, most: u32) -> Result<Swept, Error> {
        Ok(self.on_tickets(|book| book.sweep(now_ms, keep_until_ms, most)))
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
}

#[async_trait]
impl PartyStore for EmbeddedStore {
    async fn party(&self, party: PartyId) -> Result<Option<StoredParty>, Error> {
        Ok(locked(&self.tickets).parties().party(party))
    }

    async fn party_of(&self, player: PlayerId) -> Result<Option<StoredParty>, Error> {
        Ok(locked(&self.tickets).parties().party_of(player))
    }

    async fn party_of_invite(&self, invite: InviteCode) -> Result<Option<StoredParty>, Error> {
        Ok(locked(&self.tickets).parties().party_of_invite(&invite.to_string()))
    }

    async fn save_party(&self, save: &PartySave) -> Result<PartySaved, Error> {
        Ok(self.on_tickets(|book| book.save_party(save)))
    }

    async fn here(&self, players: &[PlayerId], now_ms: i64) -> Result<(), Error> {
        locked(&self.tickets).parties_mut().here(players, now_ms);
        Ok(())
    }

    async fn absent(&self, before_ms: i64, most: u32) -> Result<Vec<PlayerId>, Error> {
        Ok(locked(&self.tickets).parties().absent(before_ms, most))
    }
}

#[async_trait]
impl RoomStore for EmbeddedStore {
    async fn open_room(&self, room: &NewRoom, now_ms: i64) -> Result<Opened, Error> {
        Ok(locked(&self.rooms).open(room, now_ms))
    }

    async fn bind_room(
        &self,
        room: &NewRoom,
        table: TableId,
        seat: u32,
        until_ms: i64,
    ) -> Result<bool, Error> {
        Ok(locked(&self.rooms).bind(room, table, seat, until_ms))
    }

    async fn abandon_room(&self, room: &NewRoom) -> Result<(), Error> {
        locked(&self.rooms).abandon(room);
        Ok(())
    }

    async fn learn_room(
        &self,
        code: RoomCode,
        table: TableId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<(), Error> {
        locked(&self.rooms).learn(code, table, now_ms, until_ms);
        Ok(())
    }

    async fn room(&self, code: RoomCode, now_ms: i64) -> Result<Option<TableId>, Error> {
        Ok(locked(&self.rooms).table(code, now_ms))
    }

    async fn close_room(&self, code: RoomCode, table: TableId) -> Result<(), Error> {
        locked(&self.rooms).close(code, table);
        Ok(())
    }

    async fn attempt(
        &self,
        player: PlayerId,
        limit: AttemptLimit,
        now_ms: i64,
    ) -> Result<Attempt, Error> {
        Ok(locked(&self.rooms).attempt(player, limit, now_ms))
    }
}

#[async_trait]
impl ClubStore for EmbeddedStore {
    async fn club(&self, club: ClubId) -> Result<Option<StoredClub>, Error> {
        self.clubs.club(club).await
    }

    async fn save_club(&self, save: &ClubSave) -> Result<bool, Error> {
        self.clubs.save_club(save).await
    }

    async fn card_entry(&self, club: ClubId, key: &str) -> Result<Option<CardEntry>, Error> {
        self.clubs.card_entry(club, key).await
    }

    async fn card_entries(
        &self,
        club: ClubId,
        before: u64,
        most: u32,
    ) -> Result<Vec<CardEntry>, Error> {
        self.clubs.card_entries(club, before, most).await
    }

    async fn clubs_of(&self, player: PlayerId) -> Result<Vec<ClubId>, Error> {
        self.clubs.clubs_of(player).await
    }

    async fn club_of_invite(&self, invite: InviteCode) -> Result<Option<ClubId>, Error> {
        self.clubs.club_of_invite(invite).await
    }

    async fn club_of_table(&self, table: TableId) -> Result<Option<ClubId>, Error> {
        self.clubs.club_of_table(table).await
    }

    async fn clubs_with_rooms(&self) -> Result<Vec<ClubId>, Error> {
        self.clubs.clubs_with_rooms().await
    }
}
