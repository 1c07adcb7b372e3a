//! What matchmaking remembers, behind four traits.
//!
//! [`TicketStore`] holds tickets, matches and the leases of queues; [`PartyStore`] holds parties;
//! [`RoomStore`] holds the codes of rooms; [`ClubStore`] holds clubs. [`embedded`] keeps them in
//! this process; [`redis`] shares them between replicas. Both pass one suite of tests
//! (`tests/it/conformance`).
//!
//! Every method is one atomic step, and repeating one whose answer was lost does no harm. Time is
//! always given by the caller: safety rests on the atomic steps, the epochs of leases and the
//! attempts of claims; clocks only decide when somebody else may try.

mod clubs;
pub mod embedded;
mod parties;
pub mod redis;

use std::sync::Arc;

use async_trait::async_trait;
use parlor_common::{PlayerId, TableId};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;

pub use clubs::{ClubIndexes, ClubSave, ClubStore, StoredClub};
pub use parties::{PartyIndexes, PartySave, PartySaved, PartyStore, StoredParty};

use crate::error::Error;
use crate::ids::{Epoch, MatchId, QueueId, ReplicaId, RequestId, TicketId};
use crate::party::PartyId;
use crate::room::RoomCode;
use crate::ticket::{Closed, ReadyAnswer, ReadyCheck, Ticket, TicketRecord};

/// Changes that a slow listener may be behind; then it is told that it lagged, and looks at
/// everything.
pub const CHANGES_KEPT: usize = 4096;

/// Everything that matchmaking remembers.
pub trait Store: TicketStore + PartyStore + RoomStore + ClubStore {}

impl<T: TicketStore + PartyStore + RoomStore + ClubStore> Store for T {}

/// What [`TicketStore::enqueue`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Enqueued {
    /// The ticket waits.
    Waiting,
    /// The caller has made this request before: its ticket then.
    Repeated(TicketId),
    /// This member has a live ticket.
    AlreadyQueued(PlayerId),
    /// This member is in a party, whose ticket this is not.
    InParty(PlayerId),
    /// The party whose ticket this is has changed meanwhile, or is no more.
    PartyChanged,
    /// The queue holds as many tickets as it may.
    Full,
}

/// What [`TicketStore::cancel`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// The player's last ticket waits no longer, now or since before.
    Done(TicketId),
    /// It has been claimed or matched.
    TooLate,
    /// The player has had no ticket lately.
    NoTicket,
}

/// The right to match a queue's tickets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lease {
    /// The queue.
    pub queue: QueueId,
    /// Who holds it.
    pub replica: ReplicaId,
    /// Counts the holders.
    pub epoch: Epoch,
}

/// A match that is to be claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewClaim {
    /// The match.
    pub id: MatchId,
    /// Its tickets; all of them wait, or nothing is claimed.
    pub tickets: Vec<TicketId>,
    /// When somebody else may settle it. Without meaning during a ready check.
    pub until_ms: i64,
    /// Ask the players whether they are ready, until then.
    pub ready_until_ms: Option<i64>,
}

/// A match whose tickets are held while its table is created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The match.
    pub id: MatchId,
    /// The queue.
    pub queue: QueueId,
    /// Counts those who tried to settle it; only the last one may.
    pub attempt: u32,
    /// When it was claimed first.
    pub claimed_ms: i64,
    /// When somebody else may settle it.
    pub until_ms: i64,
    /// Its tickets.
    pub tickets: Vec<TicketId>,
    /// What its players say, if they are asked.
    pub ready: Option<ReadyCheck>,
}

/// Claims that are there for somebody to settle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Their ready check is over, and nobody has them yet.
    Checked,
    /// The time of whoever had them is up.
    Overdue,
}

/// What [`TicketStore::answer_ready`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answered {
    /// The answer is noted, now or since before.
    Noted,
    /// The player is not asked, or it is too late.
    NotAsked,
}

/// What [`TicketStore::claim`] did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claimed {
    /// All tickets belong to the match.
    Done(Claim),
    /// Somebody else holds the lease.
    LeaseLost,
    /// One of the tickets does not wait any more; nothing was claimed.
    TicketGone,
}

/// What becomes of one ticket of a claim.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum Outcome {
    /// Its players have seats, in the order of its members.
    Seated {
        /// The table.
        table: TableId,
        /// The seats.
        seats: Vec<u32>,
    },
    /// It waits again, as if it had never been claimed.
    PutBack,
    /// It ends.
    Closed {
        /// Why.
        reason: Closed,
    },
}

/// What [`TicketStore::settle`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// The tickets are what the outcomes say.
    Done,
    /// The claim is somebody else's now, or was settled otherwise; nothing was changed.
    Lost,
}

/// A queue at a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueStats {
    /// Tickets that wait.
    pub waiting: u32,
    /// How long tickets waited lately until they were seated, in milliseconds; 0: not known.
    pub recent_wait_ms: u32,
}

/// What a [`TicketStore::sweep`] found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Swept {
    /// Tickets that had waited for too long.
    pub expired: u32,
    /// Ended tickets that are forgotten.
    pub forgotten: u32,
}

/// Something that others may want to know at once.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", content = "of", rename_all = "snake_case")]
pub enum Change {
    /// A ticket was put into the queue.
    Enqueued(QueueId),
    /// A ready check of the queue is over.
    Checked(QueueId),
    /// The ticket waits again, is asked whether its players are ready, or has one more answer.
    Moved(TicketId),
    /// The ticket has ended, one way or the other.
    Ended(TicketId),
    /// The party has changed, entered a queue, or is no more.
    Party(PartyId),
}

/// Tickets, matches and leases. All methods fail with [`Error::StoreUnavailable`] only.
#[async_trait]
pub trait TicketStore: Send + Sync + 'static {
    /// Puts a ticket into its queue, unless a member has a live one, is in another party than the
    /// ticket's, or the queue holds `most`. That a party enters a queue counts as its change.
    async fn enqueue(&self, ticket: Ticket, most: u32) -> Result<Enqueued, Error>;

    /// Takes back the last ticket of a player, for the whole party. It is remembered until
    /// `keep_until_ms`.
    async fn cancel(&self, player: PlayerId, keep_until_ms: i64) -> Result<Cancelled, Error>;

    /// A ticket that is live or is still remembered.
    async fn ticket(&self, ticket: TicketId) -> Result<Option<TicketRecord>, Error>;

    /// The last ticket of a player that is live or is still remembered.
    async fn ticket_of(&self, player: PlayerId) -> Result<Option<TicketRecord>, Error>;

    /// A queue at this moment.
    async fn stats(&self, queue: &QueueId) -> Result<QueueStats, Error>;

    /// Says that a replica lives until `until_ms`; all that live at `now_ms`, sorted.
    async fn heartbeat(
        &self,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Vec<ReplicaId>, Error>;

    /// Takes or renews the lease of a queue; `None` while another holds it.
    async fn lease(
        &self,
        queue: &QueueId,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Option<Lease>, Error>;

    /// Gives a lease back, if it is still held.
    async fn release(&self, lease: &Lease) -> Result<(), Error>;

    /// The tickets that wait in a queue, longest first.
    async fn waiting(&self, queue: &QueueId) -> Result<Vec<Arc<Ticket>>, Error>;

    /// Claims all tickets of a match or none, under the lease. With a ready check, nobody seats the
    /// match before [`TicketStore::take_on`] has given it out.
    async fn claim(&self, lease: &Lease, claim: NewClaim, now_ms: i64) -> Result<Claimed, Error>;

    /// Notes what a player says to the ready check of its match. Once all are ready or one has
    /// declined, the check is over.
    async fn answer_ready(
        &self,
        player: PlayerId,
        answer: ReadyAnswer,
        now_ms: i64,
    ) -> Result<Answered, Error>;

    /// Gives out claims of the queue that are due, at most `most`: they are this replica's to
    /// settle until `until_ms`, and are then taken over. Whoever had them may not settle them any
    /// more.
    async fn take_on(
        &self,
        lease: &Lease,
        due: Due,
        now_ms: i64,
        until_ms: i64,
        most: u32,
    ) -> Result<Vec<Claim>, Error>;

    /// Ends a claim: one outcome for each of its tickets. Ended tickets are remembered until
    /// `keep_until_ms`.
    async fn settle(
        &self,
        claim: &Claim,
        outcomes: &[(TicketId, Outcome)],
        now_ms: i64,
        keep_until_ms: i64,
    ) -> Result<Settled, Error>;

    /// Ends tickets that have waited for too long and forgets old ones, at most `most` of each.
    async fn sweep(&self, now_ms: i64, keep_until_ms: i64, most: u32) -> Result<Swept, Error>;

    /// What changes from now on, here or at another replica.
    fn changes(&self) -> broadcast::Receiver<Change>;
}

/// A room that is about to be created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewRoom {
    /// Its code.
    pub code: RoomCode,
    /// Who asks for it.
    pub host: PlayerId,
    /// The host's name for the request.
    pub request: RequestId,
    /// When the code is free again unless the room is bound to a table before.
    pub until_ms: i64,
}

/// A room with its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Room {
    /// Its code.
    pub code: RoomCode,
    /// Its table.
    pub table: TableId,
    /// The host's seat.
    pub seat: u32,
}

/// What [`RoomStore::open_room`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opened {
    /// The code is held for the request.
    Done,
    /// The same request is under way.
    Pending,
    /// The same request has made this room.
    Repeated(Room),
    /// The code belongs to another room.
    CodeTaken,
}

/// How often one player may try a code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptLimit {
    /// So many tries…
    pub attempts: u32,
    /// …in a window of so many milliseconds, which starts with the first.
    pub window_ms: u32,
}

/// What [`RoomStore::attempt`] says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Attempt {
    /// Go on.
    Allowed,
    /// Not before this many milliseconds have passed.
    Wait {
        /// Milliseconds, at least 1.
        retry_after_ms: u64,
    },
}

/// Codes of rooms. All methods fail with [`Error::StoreUnavailable`] only.
#[async_trait]
pub trait RoomStore: Send + Sync + 'static {
    /// Holds a code for a request. The very same step again is [`Opened::Done`] again.
    async fn open_room(&self, room: &NewRoom, now_ms: i64) -> Result<Opened, Error>;

    /// Gives a held code its table, until `until_ms`; false when the code is not held by this
    /// request any more.
    async fn bind_room(
        &self,
        room: &NewRoom,
        table: TableId,
        seat: u32,
        until_ms: i64,
    ) -> Result<bool, Error>;

    /// Frees a code that is held by this request and not bound.
    async fn abandon_room(&self, room: &NewRoom) -> Result<(), Error>;

    /// Remembers the table of a code that is in nobody's hand, until `until_ms`.
    async fn learn_room(
        &self,
        code: RoomCode,
        table: TableId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<(), Error>;

    /// The table of a code.
    async fn room(&self, code: RoomCode, now_ms: i64) -> Result<Option<TableId>, Error>;

    /// Frees a code, if it still belongs to this table.
    async fn close_room(&self, code: RoomCode, table: TableId) -> Result<(), Error>;

    /// Counts a player's try of a code.
    async fn attempt(
        &self,
        player: PlayerId,
        limit: AttemptLimit,
        now_ms: i64,
    ) -> Result<Attempt, Error>;
}
