//! What a load test counts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use hdrhistogram::Histogram;
use tokio::time::Instant;

/// Longest latency that is told apart, in microseconds; longer ones count as this.
const LATENCY_MAX_US: u64 = 600_000_000;
/// Digits of a latency that are kept.
const DIGITS: u8 = 3;
/// Histograms that clients spread over, so that they do not wait for each other.
const SHARDS: usize = 16;
/// Faults that are kept as text.
const TEXTS: usize = 20;

/// A promise of the protocol that was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fault {
    /// An update that is not the next one.
    Sequence,
    /// A request that was answered twice on one connection.
    AnsweredTwice,
    /// Something that the protocol does not allow.
    Protocol,
    /// A client that could not go on.
    Client,
}

/// Broken promises, and what is no fault but worth a number.
#[derive(Debug, Default)]
pub struct Faults {
    found: Mutex<(BTreeMap<Fault, u64>, Vec<String>)>,
    repeated: AtomicU64,
    reconnecting: AtomicU64,
}

impl Faults {
    /// Writes a fault down.
    pub fn add(&self, fault: Fault, text: impl FnOnce() -> String) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        *found.0.entry(fault).or_default() += 1;
        if found.1.len() < TEXTS {
            let text = format!("{fault:?}: {}", text());
            tracing::warn!("{text}");
            found.1.push(text);
        }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).0.values().sum()
    }

    /// The first ones, as text.
    #[must_use]
    pub fn texts(&self) -> Vec<String> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).1.clone()
    }

    /// Counts a request that was refused for now and is repeated.
    pub fn repeated(&self) {
        self.repeated.fetch_add(1, Ordering::Relaxed);
    }

    /// Counts an attempt to connect that failed.
    pub fn reconnecting(&self) {
        self.reconnecting.fetch_add(1, Ordering::Relaxed);
    }

    /// Requests that were repeated because they were refused for now, and attempts to connect that
    /// failed.
    #[must_use]
    pub fn patience(&self) -> (u64, u64) {
        (self.repeated.load(Ordering::Relaxed), self.reconnecting.load(Ordering::Relaxed))
    }
}

/// Latencies and counts of one run. Nothing is counted before [`Measure::open`].
#[derive(Debug)]
pub struct Measure {
    open: AtomicBool,
    actions: AtomicU64,
    refused: AtomicU64,
    answered: Shards,
    delivered: Shards,
}

#[derive(Debug)]
struct Shards(Vec<Mutex<Histogram<u64>>>);

impl Shards {
    fn new() -> Self {
        let empty = || Mutex::new(empty());
        Self((0..SHARDS).map(|_| empty()).collect())
    }

    fn record(&self, place: usize, latency: Duration) {
        let micros = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
        let shard = &self.0[place % SHARDS];
        let mut histogram = shard.lock().unwrap_or_else(PoisonError::into_inner);
        histogram.saturating_record(micros);
    }

    fn merged(&self) -> Histogram<u64> {
        let mut all = empty();
        for shard in &self.0 {
            // All have the same bounds.
            let _ = all.add(&*shard.lock().unwrap_or_else(PoisonError::into_inner));
        }
        all
    }
}

fn empty() -> Histogram<u64> {
    // The bounds are constants that the histogram takes.
    Histogram::new_with_max(LATENCY_MAX_US, DIGITS)
        .unwrap_or_else(|error| unreachable!("the bounds are sound: {error}"))
}

impl Default for Measure {
    fn default() -> Self {
        Self {
            open: AtomicBool::new(false),
            actions: AtomicU64::new(0),
            refused: AtomicU64::new(0),
            answered: Shards::new(),
            delivered: Shards::new(),
        }
    }
}

impl Measure {
    /// Begins to count.
    pub fn open(&self) {
        self.open.store(true, Ordering::Relaxed);
    }

    /// Stops counting.
    pub fn close(&self) {
        self.open.store(false, Ordering::Relaxed);
    }

    fn is_open(&self) -> bool {
        self.open.load(Ordering::Relaxed)
    }

    /// An action was answered; `place` spreads callers.
    pub fn answered(&self, place: usize, latency: Duration) {
        if self.is_open() {
            self.actions.fetch_add(1, Ordering::Relaxed);
            self.answered.record(place, latency);
        }
    }

    /// What an action did reached one of its viewers.
    pub fn delivered(&self, place: usize, latency: Duration) {
        if self.is_open() {
            self.delivered.record(place, latency);
        }
    }

    /// An action was refused: its client acted upon a view that was no longer true.
    pub fn refused(&self) {
        if self.is_open() {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Actions that were answered.
    #[must_use]
    pub fn actions(&self) -> u64 {
        self.actions.load(Ordering::Relaxed)
    }

    /// Actions that were refused.
    #[must_use]
    pub fn refusals(&self) -> u64 {
        self.refused.load(Ordering::Relaxed)
    }

    /// Microseconds from when an action was meant to be sent to its answer.
    #[must_use]
    pub fn answer_latency(&self) -> Histogram<u64> {
        self.answered.merged()
    }

    /// Microseconds from when an action was meant to be sent to each of its viewers; the echo game
    /// only.
    #[must_use]
    pub fn delivery_latency(&self) -> Histogram<u64> {
        self.delivered.merged()
    }
}

/// A command that a client was told is carried out.
#[derive(Clone, Debug)]
pub struct Accepted {
    /// Number of the table in the run.
    pub table: usize,
    /// Who gave it.
    pub player_id: String,
    /// The client's id of the request.
    pub request_id: String,
    /// When it was meant to be given.
    pub meant: Instant,
    /// When the client was told.
    pub at: Instant,
}

/// What clients were told, for those who check it.
#[derive(Debug, Default)]
pub struct Journal {
    accepted: Mutex<Vec<Accepted>>,
    heard: Mutex<Vec<(usize, Instant)>>,
}

impl Journal {
    /// A command is carried out.
    pub fn accept(&self, accepted: Accepted) {
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner).push(accepted);
    }

    /// The first client of a table has heard of it.
    pub fn hear(&self, table: usize) {
        let mut heard = self.heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.push((table, Instant::now()));
    }

    /// Every command that is carried out.
    #[must_use]
    pub fn accepted(&self) -> Vec<Accepted> {
        self.accepted.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// When the first client of each table heard of it, by number of the table.
    #[must_use]
    pub fn heard(&self) -> Vec<(usize, Instant)> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
