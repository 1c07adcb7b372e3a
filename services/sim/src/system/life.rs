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
    pauses: Arc<Mutex<Pauses>>,
}

/// Until when a process stands still.
#[derive(Clone, Copy, Debug, Default)]
struct Pauses {
    /// Its calls to the stores.
    calls: Option<Instant>,
    /// Its connections.
    connections: Option<Instant>,
}

/// What of a process stands still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Still {
    /// Its calls to the stores: it goes on talking to the others.
    Calls,
    /// Everything that others could notice, as with SIGSTOP.
    Everything,
}

impl Life {
    /// A life of the process with this name.
    pub fn new(name: &str) -> Self {
        Self { name: name.into(), end: CancellationToken::new(), pauses: Arc::default() }
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

    /// Lets it stand still for a while, in either direction.
    pub fn freeze(&self, still: Still, pause: Duration) {
        let until = Some(Instant::now() + pause);
        let mut pauses = self.pauses();
        pauses.calls = until;
        if still == Still::Everything {
            pauses.connections = until;
        }
    }

    fn pauses(&self) -> MutexGuard<'_, Pauses> {
        self.pauses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits while its connections stand still.
    pub async fn connected(&self) {
        let until = self.pauses().connections;
        if let Some(until) = until.filter(|until| *until > Instant::now()) {
            tokio::time::sleep_until(until).await;
        }
    }

    /// Does not return when the process has died meanwhile, and late when its calls stand still.
    async fn go_on(&self) {
        let until = self.pauses().calls;
        if let Some(until) = until {
            tokio::time::sleep_until(until).await;
        }
        if self.is_over() {
            pending::<()>().await;
        }
    }
}

/// A step at which processes of a run die more often than elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Crash {
    /// The call's name, such as `claim`.
    pub step: &'static str,
    /// On which side of it.
    pub moment: Moment,
}

/// Before or after a call has its effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Nothing is done yet.
    Before,
    /// It is done, and the caller does not know.
    After,
}

/// How often a process dies at a [`Crash`], in a thousand.
const CRASHES: u64 = 400;

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
    /// Where its caller dies more often.
    pub crash: Option<Crash>,
}

impl Way {
    /// Dies here, if it is to: at a step that is no call to a store.
    pub async fn pass(&self, what: &str, moment: Moment) {
        if self.falls(what, moment) {
            self.die(what, moment).await;
        }
        self.life.go_on().await;
    }

    /// Whether the caller dies at this moment of a step.
    fn falls(&self, what: &str, moment: Moment) -> bool {
        let odds = match (self.crash, moment) {
            (Some(crash), _) if crash.step == what && crash.moment == moment => CRASHES,
            (_, Moment::Before) => Odds::USUAL.death_before,
            (_, Moment::After) => Odds::USUAL.death_after,
        };
        self.fate.strikes(odds)
    }

    /// Makes a call. `None`: the caller gives up and does not know whether it is done.
    pub async fn call<T: Send + 'static>(&self, what: &str, effect: Effect<T>) -> Option<T> {
        let (life, fate, odds) = (&self.life, &self.fate, Odds::USUAL);
        tokio::time::sleep(fate.journey()).await;
        life.go_on().await;
        if self.falls(what, Moment::Before) {
            self.die(what, Moment::Before).await;
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
        if self.falls(what, Moment::After) {
            self.die(what, Moment::After).await;
        }
        if fate.strikes(odds.answer_lost) {
            return self.give_up(what, "is not answered").await;
        }
        tokio::time::sleep(fate.journey()).await;
        life.go_on().await;
        Some(answer)
    }

    async fn die(&self, what: &str, moment: Moment) {
        self.fate.note(format_args!("{} dies {moment:?} {what}", self.life.name()));
        if self.crash.is_some_and(|crash| crash.step == what && crash.moment == moment) {
            self.fate.crashed();
        }
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
