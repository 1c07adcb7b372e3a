//! What an actor works with, and how it ends.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parlor_common::{Clock, PodId, Shutdown};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;

use super::{Asleep, Message};
use crate::chance::ChanceSource;
use crate::cluster::Lease;
use crate::daily::DailySeeds;
use crate::error::Error;
use crate::metrics::Metrics;
use crate::register::Register;
use crate::store::TableStore;
use crate::treasury::SharedTreasury;

/// What an actor works with.
#[derive(Clone)]
pub struct Setting {
    /// Where logs are kept.
    pub store: Arc<dyn TableStore>,
    /// The ledger.
    pub treasury: SharedTreasury,
    /// The time that deadlines are written in.
    pub clock: Clock,
    /// Where players' seats and rooms' codes are looked up.
    pub register: Arc<Register>,
    /// What is measured.
    pub metrics: Arc<Metrics>,
    /// Where seeds and pauses come from.
    pub chance: ChanceSource,
    /// The seeds of deals that tables have in common; `None`: there are no such deals.
    pub daily: Option<DailySeeds>,
    /// Waits for the actor's tasks.
    pub shutdown: Shutdown,
    /// Ends the actor; the table stays in its log.
    pub halt: CancellationToken,
    /// This process among those that share the store.
    pub pod: PodId,
    /// How long it may act without news from the others.
    pub lease: Lease,
    /// What becomes of tables that nobody watches, and what spectators see.
    pub upkeep: Upkeep,
}

/// What becomes of tables that nobody watches, and what spectators see.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Upkeep {
    /// A table that nobody watches and at which nothing happens for so long leaves the memory;
    /// `None`: none does.
    pub passivate_after: Option<Duration>,
    /// Spectators see everything so much later than the players.
    pub spectator_delay: Duration,
}

impl std::fmt::Debug for Setting {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("Setting")
    }
}

/// Why an actor has ended.
#[derive(Debug)]
pub enum Ended {
    /// The table is closed and everything that it owed is settled.
    Closed,
    /// The process is going away; the table is in its log.
    Stopped,
    /// Another pod owns the table, and may be called there.
    Moved(Option<Arc<str>>),
    /// Nothing happens at it: it is in its log, and is read again when somebody asks for it.
    Asleep(Arc<Asleep>),
    /// The log could not be written: the table has to be read again.
    Failed(Error),
}

/// A table's actor, whatever its game.
#[async_trait]
pub trait Run: Send {
    /// The epoch under which it owns the table.
    fn epoch(&self) -> u64;

    /// Runs until the table is closed, the process goes away, or the log cannot be written.
    async fn run(
        self: Box<Self>,
        mailbox: &mut mpsc::Receiver<Message>,
        own: &mpsc::WeakSender<Message>,
    ) -> Ended;
}
