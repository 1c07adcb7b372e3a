//! The matchmakers: one task a queue, which matches while it holds the queue's lease.
//!
//! * [`share`]: which replica should hold which lease.
//! * [`queue_worker`]: one queue: its lease, its matches, and what a dead replica left behind.
//! * `seating`: from a claimed match to seats.

pub mod back_off;
pub mod queue_worker;
mod seating;
pub mod share;

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parlor_common::Shutdown;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, MissedTickBehavior};

use crate::error::Error;
use crate::ids::{QueueId, ReplicaId};
use crate::service::Matchmaking;
use crate::store::{Change, Claim};

use queue_worker::QueueWorker;

/// Signs of life within the length of a lease.
const BEATS: u32 = 3;

/// Shortest pause between two runs of the matcher over one queue, so that a burst of tickets is
/// matched together.
const SHORTEST_PAUSE: Duration = Duration::from_millis(10);

/// The pause is at least so many times as long as the run before: matching never takes more than
/// a fifth of a core for one queue.
const PAUSE_FACTOR: u32 = 4;

/// Ended tickets that one sweep handles.
const SWEPT_AT_ONCE: u32 = 1_000;

/// Starts the tasks of a replica: signs of life, and one matchmaker a queue.
pub fn spawn(service: &Arc<Matchmaking>, replica: ReplicaId, shutdown: &Shutdown) {
    let mut alive = Living::default();
    let mut wakers = BTreeMap::new();
    for queue in service.queues.iter() {
        let worker = QueueWorker::new(Arc::clone(service), Arc::clone(queue), replica);
        wakers.insert(queue.id.clone(), Arc::clone(worker.waker()));
        let alive = alive.watch();
        let matchmaker = Matchmaker { worker, alive, shutdown: shutdown.clone() };
        shutdown.spawn("matchmaker", matchmaker.run());
    }
    let watched = alive.watch();
    shutdown
        .spawn("matchmaking-heartbeat", beat(service.clone(), replica, alive, shutdown.clone()));
    shutdown.spawn("matchmaking-waker", wake(service.clone(), wakers, shutdown.clone()));
    let parties =
        Arc::clone(service).look_after_parties(replica, watched.clone(), shutdown.clone());
    shutdown.spawn("matchmaking-parties", parties);
    let rooms = look_after_rooms(service.clone(), replica, watched, shutdown.clone());
    shutdown.spawn("matchmaking-club-rooms", rooms);
    shutdown.spawn("matchmaking-news", Arc::clone(service).push_news(shutdown.clone()));
}

/// The replicas that live, for the tasks that wait for a change of them.
///
/// Each has a channel of its own: tokio draws by lot in which order those are woken who wait at
/// the same one, and no simulation could repeat that.
#[derive(Debug, Default)]
struct Living {
    channels: Vec<watch::Sender<Vec<ReplicaId>>>,
}

impl Living {
    fn watch(&mut self) -> watch::Receiver<Vec<ReplicaId>> {
        let (sender, receiver) = watch::channel(Vec::new());
        self.channels.push(sender);
        receiver
    }

    fn publish(&self, living: &Vec<ReplicaId>) {
        for channel in &self.channels {
            channel.send_if_modified(|known| {
                let changed = known != living;
                known.clone_from(living);
                changed
            });
        }
    }
}

fn beat_pause(service: &Matchmaking) -> Duration {
    Duration::from_millis(u64::from((service.timing.lease_ms / BEATS).max(1)))
}

/// Does something at once and then again and again, until the shutdown begins. What takes longer
/// than the pause is followed by a whole pause.
async fn regularly<F: Future<Output = ()>>(
    every: Duration,
    shutdown: &Shutdown,
    act: impl Fn() -> F,
) {
    let token = shutdown.token();
    let mut rounds = tokio::time::interval(every);
    rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            biased;
            () = token.cancelled() => return,
            _ = rounds.tick() => {}
        }
        act().await;
    }
}

/// Says that this replica lives, learns which others do, and sweeps.
async fn beat(service: Arc<Matchmaking>, replica: ReplicaId, alive: Living, shutdown: Shutdown) {
    regularly(beat_pause(&service), &shutdown, || beat_once(&service, replica, &alive)).await;
    // A sign of life that ends at once: the others need not wait for its queues.
    let now_ms = service.clock.now_ms();
    if let Err(error) = service.store.heartbeat(replica, now_ms, now_ms).await {
        tracing::debug!(%error, "the last sign of life could not be given");
    }
}

async fn beat_once(service: &Matchmaking, replica: ReplicaId, alive: &Living) {
    if let Err(error) = try_to_beat(service, replica, alive).await {
        tracing::warn!(%error, "a sign of life could not be given");
    }
}

async fn try_to_beat(
    service: &Matchmaking,
    replica: ReplicaId,
    alive: &Living,
) -> Result<(), Error> {
    let now_ms = service.clock.now_ms();
    let until_ms = now_ms.saturating_add(i64::from(service.timing.lease_ms));
    let living = service.store.heartbeat(replica, now_ms, until_ms).await?;
    alive.publish(&living);
    let swept = service.store.sweep(now_ms, service.keep_until_ms(), SWEPT_AT_ONCE).await?;
    service.metrics.tickets("expired", swept.expired);
    Ok(())
}

/// Looks after clubs' open rooms while this replica is the one to do so. It has no lease: two that
/// do it at once do no harm.
async fn look_after_rooms(
    service: Arc<Matchmaking>,
    replica: ReplicaId,
    alive: watch::Receiver<Vec<ReplicaId>>,
    shutdown: Shutdown,
) {
    let every = Duration::from_millis(u64::from(service.timing.club_rooms_ms.max(1)));
    let alive = &alive;
    regularly(every, &shutdown, || look_once(&service, replica, alive)).await;
}

async fn look_once(
    service: &Matchmaking,
    replica: ReplicaId,
    alive: &watch::Receiver<Vec<ReplicaId>>,
) {
    if !share::looks_after_rooms(replica, &alive.borrow()) {
        return;
    }
    if let Err(error) = service.look_after_rooms().await {
        tracing::warn!(%error, "the rooms of clubs could not be looked after");
    }
}

/// Wakes a queue's matchmaker when a ticket enters.
async fn wake(
    service: Arc<Matchmaking>,
    wakers: BTreeMap<QueueId, Arc<Notify>>,
    shutdown: Shutdown,
) {
    let token = shutdown.token();
    let mut changes = service.store.changes();
    loop {
        tokio::select! {
            biased;
            () = token.cancelled() => return,
            change = changes.recv() => match change {
                Ok(Change::Enqueued(queue) | Change::Checked(queue)) => {
                    if let Some(waker) = wakers.get(&queue) {
                        waker.notify_one();
                    }
                }
                Ok(Change::Ended(_) | Change::Moved(_) | Change::Party(_)) => {}
                Err(RecvError::Lagged(_)) => wakers.values().for_each(|waker| waker.notify_one()),
                Err(RecvError::Closed) => return,
            },
        }
    }
}

struct Matchmaker {
    worker: QueueWorker,
    alive: watch::Receiver<Vec<ReplicaId>>,
    shutdown: Shutdown,
}

impl Matchmaker {
    async fn run(mut self) {
        let token = self.shutdown.token();
        let service = Arc::clone(self.worker.service());
        let waker = Arc::clone(self.worker.waker());
        let mut beats = tokio::time::interval(beat_pause(&service));
        beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let every = Duration::from_millis(u64::from(service.timing.match_interval_ms.max(1)));
        let mut rounds = tokio::time::interval(every);
        rounds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut ready_at = Instant::now();
        loop {
            let done = tokio::select! {
                biased;
                () = token.cancelled() => break,
                changed = self.alive.changed() => match changed {
                    Ok(()) => self.tend().await,
                    Err(_) => break,
                },
                _ = beats.tick() => self.tend().await,
                _ = rounds.tick() => self.round(&mut ready_at).await,
                () = waker.notified() => {
                    tokio::time::sleep_until(ready_at).await;
                    self.round(&mut ready_at).await
                }
            };
            if let Err(error) = done {
                let queue = &self.worker.queue().id;
                tracing::warn!(%error, %queue, "the queue could not be tended");
            }
        }
        if let Err(error) = self.worker.resign().await {
            tracing::debug!(%error, "a lease was not given back and will lapse");
        }
    }

    async fn tend(&mut self) -> Result<(), Error> {
        let alive = self.alive.borrow_and_update().clone();
        self.worker.tend(&alive).await?;
        let orphans = self.worker.adopt().await?;
        self.seat_all(orphans);
        Ok(())
    }

    async fn round(&mut self, ready_at: &mut Instant) -> Result<(), Error> {
        if !self.worker.holds_lease() {
            return Ok(());
        }
        let begun = Instant::now();
        let claims = self.worker.match_waiting().await;
        let took = begun.elapsed();
        *ready_at = Instant::now() + (took * PAUSE_FACTOR).max(SHORTEST_PAUSE);
        self.seat_all(claims?);
        Ok(())
    }

    fn seat_all(&self, claims: Vec<queue_worker::Permitted<Claim>>) {
        for claim in claims {
            self.shutdown.spawn("matchmaking-seating", self.worker.seat(claim));
        }
    }
}
