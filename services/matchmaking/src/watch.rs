//! Watchers of tickets are pushed: one bounded channel a ticket, which keeps the latest state only.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::Stream;
use parlor_common::{PlayerId, Shutdown, TableId};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;

use crate::error::Error;
use crate::ids::{QueueId, TicketId};
use crate::service::Matchmaking;
use crate::store::{Change, QueueStats};
use crate::ticket::{Closed, ReadyCheck, Ticket, TicketRecord, TicketState};

/// Most tickets that are watched at one replica; a few hundred bytes each.
pub const MAX_WATCHED: usize = 100_000;

/// How often watchers learn how the queue has moved.
const QUEUE_NEWS: Duration = Duration::from_secs(1);

/// Tickets that are looked at afresh with each of those news: should the news of an end be lost,
/// its watchers are told a little later.
const LOOKED_AT: usize = 256;

/// What has become of a watched ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It waits among so many.
    Waiting(QueueStats),
    /// Its match was found, and its players are asked whether they are ready.
    Checking(ReadyCheck),
    /// Its members have seats, in their order.
    Matched {
        /// The table.
        table: TableId,
        /// Who sits where.
        seats: Vec<(PlayerId, u32)>,
    },
    /// It ended without a seat.
    Closed(Closed),
}

impl Progress {
    fn of(record: &TicketRecord, stats: QueueStats) -> Self {
        match &record.state {
            TicketState::Waiting | TicketState::Claimed { .. } => match &record.ready {
                Some(check) => Self::Checking(check.clone()),
                None => Self::Waiting(stats),
            },
            TicketState::Matched { table, seats, .. } => {
                let players = record.ticket.members.iter().map(|member| member.player);
                Self::Matched { table: *table, seats: players.zip(seats.iter().copied()).collect() }
            }
            TicketState::Closed { reason } => Self::Closed(*reason),
        }
    }

    /// Whether nothing follows.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        !matches!(self, Self::Waiting(_) | Self::Checking(_))
    }
}

#[derive(Debug)]
struct Watched {
    queue: QueueId,
    progress: watch::Sender<Progress>,
}

/// The tickets that somebody watches here.
#[derive(Debug, Default)]
pub struct Watchers {
    watched: Mutex<BTreeMap<TicketId, Watched>>,
    /// Where the last look at tickets ended.
    looked_at: Mutex<Option<TicketId>>,
}

impl Watchers {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<TicketId, Watched>> {
        self.watched.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn subscribe(
        &self,
        ticket: &Ticket,
        progress: Progress,
    ) -> Result<watch::Receiver<Progress>, Error> {
        let mut watched = self.lock();
        if let Some(known) = watched.get(&ticket.id) {
            return Ok(known.progress.subscribe());
        }
        if watched.len() >= MAX_WATCHED {
            return Err(Error::TooManyWatchers);
        }
        let (sender, receiver) = watch::channel(progress);
        watched.insert(ticket.id, Watched { queue: ticket.queue.clone(), progress: sender });
        Ok(receiver)
    }

    fn is_watched(&self, ticket: TicketId) -> bool {
        self.lock().contains_key(&ticket)
    }

    fn is_checking(&self, ticket: TicketId) -> bool {
        let watched = self.lock();
        let known = watched.get(&ticket);
        known.is_some_and(|known| matches!(*known.progress.borrow(), Progress::Checking(_)))
    }

    /// Tells the watchers of a ticket; after something final they are let go.
    fn tell(&self, ticket: TicketId, progress: Progress) {
        let mut watched = self.lock();
        let Some(known) = watched.get(&ticket) else { return };
        let ends = progress.is_final();
        known.progress.send_if_modified(|last| {
            let changed = *last != progress;
            *last = progress;
            changed
        });
        if ends {
            watched.remove(&ticket);
        }
    }

    /// Forgets tickets that nobody watches any more; how many are left.
    fn prune(&self) -> usize {
        let mut watched = self.lock();
        watched.retain(|_, known| known.progress.receiver_count() > 0);
        watched.len()
    }

    fn queues(&self) -> Vec<QueueId> {
        let watched = self.lock();
        let mut queues: Vec<QueueId> = watched.values().map(|known| known.queue.clone()).collect();
        queues.sort_unstable();
        queues.dedup();
        queues
    }

    fn tell_queue(&self, stats: &HashMap<QueueId, QueueStats>) {
        for known in self.lock().values() {
            let Some(stats) = stats.get(&known.queue) else { continue };
            known.progress.send_if_modified(|last| match last {
                Progress::Waiting(before) if before != stats => {
                    *before = *stats;
                    true
                }
                _ => false,
            });
        }
    }

    /// The next tickets to be looked at, round and round.
    fn next_to_look_at(&self, most: usize) -> Vec<TicketId> {
        let mut last = self.looked_at.lock().unwrap_or_else(PoisonError::into_inner);
        let watched = self.lock();
        let after = |id: &&TicketId| last.is_none_or(|last| **id > last);
        let next: Vec<TicketId> = watched.keys().filter(after).take(most).copied().collect();
        *last = next.last().copied();
        next
    }
}

impl Matchmaking {
    /// Follows a ticket of the player: its state now, then every change, until it ends. The stream
    /// also ends when the service does.
    ///
    /// # Errors
    /// [`Error::TicketNotFound`] when it is not this player's, [`Error::TooManyWatchers`].
    pub async fn watch(
        &self,
        ticket: TicketId,
        player: PlayerId,
    ) -> Result<impl Stream<Item = Progress> + Send + 'static, Error> {
        let record = self.store.ticket(ticket).await?;
        let record = record.filter(|record| record.ticket.has(player));
        let record = record.ok_or(Error::TicketNotFound)?;
        let progress = Progress::of(&record, self.store.stats(&record.ticket.queue).await?);
        let receiver = if progress.is_final() {
            watch::channel(progress).1
        } else {
            let receiver = self.watchers.subscribe(&record.ticket, progress)?;
            // It may have ended before we listened.
            self.look_at(ticket).await?;
            receiver
        };
        Ok(follow(receiver))
    }

    /// Tells a ticket's watchers what it is now.
    async fn look_at(&self, ticket: TicketId) -> Result<(), Error> {
        match self.store.ticket(ticket).await? {
            // How the queue moves is told to all its tickets together.
            Some(record) if record.state.live() && record.ready.is_none() => {
                if self.watchers.is_checking(ticket) {
                    let stats = self.store.stats(&record.ticket.queue).await?;
                    self.watchers.tell(ticket, Progress::Waiting(stats));
                }
            }
            Some(record) => {
                self.watchers.tell(ticket, Progress::of(&record, QueueStats::default()));
            }
            None => self.watchers.tell(ticket, Progress::Closed(Closed::Expired)),
        }
        Ok(())
    }

    async fn tell_queue_news(&self) -> Result<(), Error> {
        self.metrics.watched(self.watchers.prune());
        let mut stats = HashMap::new();
        for queue in self.watchers.queues() {
            stats.insert(queue.clone(), self.store.stats(&queue).await?);
        }
        self.watchers.tell_queue(&stats);
        for ticket in self.watchers.next_to_look_at(LOOKED_AT) {
            self.look_at(ticket).await?;
        }
        Ok(())
    }

    /// Keeps the watchers informed until the shutdown begins.
    pub(crate) async fn push_news(self: Arc<Self>, shutdown: Shutdown) {
        let token = shutdown.token();
        let mut changes = self.store.changes();
        let mut news = tokio::time::interval(QUEUE_NEWS);
        news.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let told = tokio::select! {
                biased;
                () = token.cancelled() => return,
                change = changes.recv() => match change {
                    Ok(Change::Ended(ticket) | Change::Moved(ticket))
                        if self.watchers.is_watched(ticket) =>
                    {
                        self.look_at(ticket).await
                    }
                    Ok(_) => Ok(()),
                    Err(RecvError::Lagged(missed)) => {
                        tracing::warn!(missed, "news of tickets were missed");
                        Ok(())
                    }
                    Err(RecvError::Closed) => return,
                },
                _ = news.tick() => self.tell_queue_news().await,
            };
            if let Err(error) = told {
                tracing::warn!(%error, "watchers could not be told");
            }
        }
    }
}

fn follow(receiver: watch::Receiver<Progress>) -> impl Stream<Item = Progress> + Send + 'static {
    // The state is the receiver, and whether its present value was told; `None` after the end.
    futures_util::stream::unfold(Some((receiver, false)), |state| async move {
        let (mut receiver, told) = state?;
        if told {
            receiver.changed().await.ok()?;
        }
        let progress = receiver.borrow_and_update().clone();
        let next = (!progress.is_final()).then_some((receiver, true));
        Some((progress, next))
    })
}
