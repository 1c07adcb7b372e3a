//! The store of a single process: everything in memory, each step under one lock.
//!
//! A restart forgets tickets, whose watchers see their streams end; the codes of rooms are found
//! again at the tables ([`crate::rooms`]).

mod room_book;
mod ticket_book;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use parlor_common::{PlayerId, TableId};
use tokio::sync::broadcast;

use crate::error::Error;
use crate::ids::{QueueId, ReplicaId, TicketId};
use crate::room::RoomCode;
use crate::ticket::{ReadyAnswer, Ticket, TicketRecord};

use super::{
    Answered, Attempt, AttemptLimit, CHANGES_KEPT, Cancelled, Change, Claim, Claimed, Enqueued, Lease,
    NewClaim, NewRoom, Opened, Outcome, QueueStats, RoomStore, Settled, Swept, TicketStore,
};

use room_book::RoomBook;
use ticket_book::TicketBook;

/// The store of a single process.
#[derive(Debug)]
pub struct EmbeddedStore {
    tickets: Mutex<TicketBook>,
    rooms: Mutex<RoomBook>,
    changes: broadcast::Sender<Change>,
}

impl Default for EmbeddedStore {
    fn default() -> Self {
        Self {
            tickets: Mutex::default(),
            rooms: Mutex::default(),
            changes: broadcast::Sender::new(CHANGES_KEPT),
        }
    }
}

impl EmbeddedStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
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

    async fn checked(
        &self,
        lease: &Lease,
        now_ms: i64,
        until_ms: i64,
        most: u32,
    ) -> Result<Vec<Claim>, Error> {
        Ok(self.on_tickets(|book| book.checked(lease, now_ms, until_ms, most)))
    }

    async fn adopt(
        &self,
        lease: &Lease,
        now_ms: i64,
        until_ms: i64,
        most: u32,
    ) -> Result<Vec<Claim>, Error> {
        Ok(self.on_tickets(|book| book.adopt(lease, now_ms, until_ms, most)))
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
