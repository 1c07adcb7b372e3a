//! The life of a simulated process, and its calls to what outlives it.
//!
//! A process that has died does nothing any more that anybody could notice: its tasks may still be
//! there, but whatever they ask of the world never comes back, and its connections are cut.

use std::future::{Future, pending};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use parlor_common::Shutdown;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::fate::Fate;

/// One life of a process. A restarted process has a new one.
#[derive(Clone, Debug)]
pub struct Life {
    name: Arc<str>,
    end: CancellationToken,
    /// Until when its calls stand still.
    frozen: Arc<Mutex<Option<Instant>>>,
}

impl Life {
    /// A life of the process with this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), end: CancellationToken::new(), frozen: Arc::default() }
    }

    /// The name of the process.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Dies, as if by `kill -9`.
    pub fn end(&self) {
        self.end.cancel();
    }

    /// Whether it has died.
    pub fn is_over(&self) -> bool {
        self.end.is_cancelled()
    }

    /// Waits until it dies.
    pub async fn ended(&self) {
        self.end.cancelled().await;
    }

    /// Lets its calls to the stores stand still for a while, in either direction.
    pub fn freeze(&self, pause: Duration) {
        *self.frozen() = Some(Instant::now() + pause);
    }

    fn frozen(&self) -> MutexGuard<'_, Option<Instant>> {
        self.frozen.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does not return when the process has died meanwhile, and late when its calls stand still.
    async fn go_on(&self) {
        let frozen = *self.frozen();
        if let Some(until) = frozen {
            tokio::time::sleep_until(until).await;
        }
        if self.is_over() {
            pending::<()>().await;
        }
    }
}

/// How often a call to a store goes wrong, in a thousand.
#[derive(Clone, Copy, Debug)]
pub struct Odds {
    /// It never arrives.
    pub lost: u64,
    /// It is done, and the answer never comes.
    pub answer_lost: u64,
    /// It arrives after the caller has given up.
    pub late: u64,
    /// The caller dies before it arrives.
    pub death_before: u64,
    /// The caller dies after it is done, before the answer.
    pub death_after: u64,
}

impl Odds {
    /// Of every store.
    pub const USUAL: Self =
        Self { lost: 4, answer_lost: 4, late: 4, death_before: 1, death_after: 3 };
}

/// What a call does when it arrives.
pub type Effect<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// The way of one process to a store.
#[derive(Clone)]
pub struct Way {
    /// Whose.
    pub life: Life,
    /// What decides.
    pub fate: Arc<Fate>,
    /// Runs what arrives late.
    pub world: Shutdown,
}

impl Way {
    /// Makes a call. `None`: the caller gives up and does not know whether it is done.
    pub async fn call<T: Send + 'static>(&self, what: &str, effect: Effect<T>) -> Option<T> {
        let (life, fate, odds) = (&self.life, &self.fate, Odds::USUAL);
        tokio::time::sleep(fate.journey()).await;
        life.go_on().await;
        if fate.strikes(odds.death_before) {
            self.die(what, "before").await;
        }
        if fate.strikes(odds.lost) {
            return self.give_up(what, "is lost").await;
        }
        if fate.strikes(odds.late) {
            let arrives = fate.pause(500, 8_000);
            self.world.spawn("late-call", async move {
                tokio::time::sleep(arrives).await;
                effect.await;
            });
            return self.give_up(what, "will come late").await;
        }
        let answer = effect.await;
        if fate.strikes(odds.death_after) {
            self.die(what, "after").await;
        }
        if fate.strikes(odds.answer_lost) {
            return self.give_up(what, "is not answered").await;
        }
        tokio::time::sleep(fate.journey()).await;
        life.go_on().await;
        Some(answer)
    }

    async fn die(&self, what: &str, when: &str) {
        self.fate.note(format_args!("{} dies {when} {what}", self.life.name()));
        self.life.end();
        self.life.go_on().await;
    }

    async fn give_up<T>(&self, what: &str, why: &str) -> Option<T> {
        self.fate.note(format_args!("{what} of {} {why}", self.life.name()));
        tokio::time::sleep(Duration::from_millis(400)).await;
        self.life.go_on().await;
        None
    }
}
