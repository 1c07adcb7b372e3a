//! One actor per table: the only code that changes a table, one step at a time.
//!
//! **Invariant**: decide, append, publish, answer, in this order. A step lies in `pending` until
//! the store has given a [`Durable`](crate::store::Durable) for it; only then is it shown to
//! anybody.

mod durable;
mod fanout;
mod handover;
mod idle;
mod late;
mod outbox;
mod pending;
mod run;
mod setting;
mod viewer;

use std::sync::Arc;

use parlor_common::{Failure, PlayerId, TableId};
use parlor_proto::table::v1 as pb;
use tokio::sync::{mpsc, oneshot};

pub use fanout::{Delivery, Sink, SubscriptionKey};
pub use handover::turn_away;
pub use idle::Asleep;
pub use run::Actor;
pub use setting::{Ended, Run, Setting, Upkeep};

/// Requests that may wait for one table; further ones are refused as busy.
pub const MAILBOX: usize = 256;

/// A command in a player's name.
#[derive(Debug)]
pub struct Act {
    /// Who; from the session, never from the message.
    pub player: PlayerId,
    /// Shown to the others when the player takes a seat.
    pub name: String,
    /// The client's id of the request, unique among the player's.
    pub request_id: String,
    /// W3C trace context; empty: none.
    pub trace: String,
    /// What is asked.
    pub command: pb::Command,
    /// Gets the number of the log entry, or why not.
    pub answer: oneshot::Sender<Result<u64, Failure>>,
}

/// A wish to be told what happens at a table.
#[derive(Debug)]
pub struct Subscribe {
    /// Names the subscription.
    pub key: SubscriptionKey,
    /// Whose eyes; `None`: a spectator.
    pub player: Option<PlayerId>,
    /// Send the whole view with each update.
    pub with_views: bool,
    /// The last update that the receiver has.
    pub after: Option<u64>,
    /// Where deliveries go.
    pub sink: Sink,
}

/// A wish to pass the table on to another pod.
#[derive(Debug)]
pub struct HandOver {
    /// Gets the epoch once everything is durable; nothing is written after that, until the verdict.
    pub released: oneshot::Sender<u64>,
    /// Whether another pod has the table now.
    pub verdict: oneshot::Receiver<Verdict>,
}

/// What became of a table that was to be passed on.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// The pod that is called there owns it.
    Moved(Arc<str>),
    /// Nobody took it.
    Stay,
}

/// What a table's actor is asked.
#[derive(Debug)]
pub enum Message {
    /// A command in a player's name.
    Act(Act),
    /// A wish to be told what happens.
    Subscribe(Subscribe),
    /// The end of it.
    Unsubscribe(SubscriptionKey),
    /// The ledger's answer.
    Obligation(u64, parlor_game::shell::Outcome),
    /// A spectator's view of the table.
    View(oneshot::Sender<pb::TableView>),
    /// What a list of tables says about it.
    Summary(oneshot::Sender<pb::TableSummary>),
    /// Whether a player has a seat.
    Seated(parlor_game::shell::Player, oneshot::Sender<bool>),
    /// An operator ends the table.
    Close(String, oneshot::Sender<Result<(), Failure>>),
    /// The table is passed on.
    HandOver(HandOver),
    /// Another pod may own the table, or its log may be gone: the store knows.
    Recheck,
}

/// The way to a table's actor; cheap to clone.
#[derive(Clone, Debug)]
pub struct Handle {
    /// The table.
    pub table: TableId,
    /// The epoch under which it is owned.
    pub epoch: u64,
    /// The mailbox.
    pub mailbox: mpsc::Sender<Message>,
}
