//! What the table service measures.
//!
//! What a scrape can count by itself is counted there, not by the actors: an action costs one
//! record of a histogram, a batch of actions another.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter};
use parlor_common::telemetry::{self, LATENCY_S};
use parlor_common::{Clock, Code, TableId};

use crate::store::StoreError;

/// Outcome of an action that was carried out; others are named by [`Code::name`].
const OK: &str = "ok";
/// Milliseconds of a second.
const SECOND_MS: f64 = 1_000.0;

/// How the take-over of one table went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TakeOver {
    /// The table runs here.
    Claimed,
    /// Another pod was faster.
    Lost,
    /// The store failed; it is tried again.
    Failed,
}

impl TakeOver {
    /// Its name as a label.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claimed => "claimed",
            Self::Lost => "lost",
            Self::Failed => "failed",
        }
    }
}

/// How many tables this process has, for the scrape.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableCounts {
    /// Whose actors run.
    pub open: u64,
    /// Whose logs cannot be read.
    pub stopped: u64,
    /// Most that this process takes.
    pub limit: u64,
}

/// Something that counts its tables when it is asked.
pub trait CountTables: Send + Sync + 'static {
    /// The tables as they are now.
    fn count(&self) -> TableCounts;
}

/// What a table owes the ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Owed {
    /// Obligations in its log that are not confirmed.
    pub duties: u64,
    /// The first of them; 0: none.
    pub first: u64,
    /// Since when the first one is owed at least, in milliseconds since the Unix epoch.
    pub since_ms: i64,
}

/// The instruments; made once.
#[derive(Debug)]
pub struct Metrics {
    actions: Histogram<f64>,
    appends: Histogram<f64>,
    append_failures: Counter<u64>,
    hands: Counter<u64>,
    resyncs: Counter<u64>,
    takeovers: Counter<u64>,
    takeover_seconds: Histogram<f64>,
    handovers: Counter<u64>,
    owed: Arc<Mutex<HashMap<TableId, Owed>>>,
}

impl Metrics {
    /// On the process's meter. Telemetry must be set up before.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let meter = telemetry::meter();
        let latency = |name: &'static str, description: &'static str| {
            let histogram = meter.f64_histogram(name).with_description(description);
            histogram.with_boundaries(LATENCY_S.to_vec()).build()
        };
        let counter = |name: &'static str, description: &'static str| {
            meter.u64_counter(name).with_description(description).build()
        };
        let owed = Arc::default();
        show_duties(&meter, &owed, clock);
        Self {
            actions: latency(
                "parlor_table_action_seconds",
                "From taking a command until it is durable and shown, or refused",
            ),
            appends: latency("parlor_table_append_seconds", "One append to the store"),
            append_failures: counter(
                "parlor_table_append_failures",
                "Appends that the store did not do, by reason",
            ),
            hands: counter("parlor_table_hands", "Hands that have ended, by game"),
            resyncs: counter(
                "parlor_table_resyncs",
                "Watchers that got a resync because they had missed or lost updates",
            ),
            takeovers: counter(
                "parlor_table_takeovers",
                "Tables whose owner was lost, by how taking them over went",
            ),
            takeover_seconds: latency(
                "parlor_table_takeover_seconds",
                "From a lost owner being noticed until the table runs again",
            ),
            handovers: counter(
                "parlor_table_handovers",
                "Tables that were passed on while this pod drained",
            ),
            owed,
        }
    }

    /// Shows how many tables there are for as long as `tables` lives.
    pub fn watch(&self, tables: Weak<dyn CountTables>) {
        let meter = telemetry::meter();
        let gauge = |name: &'static str, description: &'static str, of: fn(TableCounts) -> u64| {
            let tables = Weak::clone(&tables);
            let gauge = meter.u64_observable_gauge(name).with_description(description);
            let callback = gauge.with_callback(move |observer| {
                if let Some(tables) = tables.upgrade() {
                    observer.observe(of(tables.count()), &[]);
                }
            });
            callback.build();
        };
        gauge("parlor_table_open_tables", "Tables that this process runs", |it| it.open);
        gauge("parlor_table_stopped_tables", "Tables whose logs cannot be read", |it| it.stopped);
        gauge("parlor_table_limit_tables", "Most tables that it takes", |it| it.limit);
    }

    /// A command was answered; `None`: carried out.
    pub fn acted(&self, took: Duration, refused: Option<Code>) {
        let outcome = refused.map_or(OK, Code::name);
        self.actions.record(took.as_secs_f64(), &[KeyValue::new("outcome", outcome)]);
    }

    /// The store has answered.
    pub fn appended<T>(&self, took: Duration, result: &Result<T, StoreError>) {
        self.appends.record(took.as_secs_f64(), &[]);
        if let Err(error) = result {
            let reason = match error {
                StoreError::Stale { .. } => "stale",
                StoreError::Fenced { .. } => "fenced",
                StoreError::Exists | StoreError::Missing | StoreError::Unavailable(_) => {
                    "unavailable"
                }
            };
            self.append_failures.add(1, &[KeyValue::new("reason", reason)]);
        }
    }

    /// Hands have ended.
    pub fn hands(&self, game: &'static str, count: u64) {
        self.hands.add(count, &[KeyValue::new("game", game)]);
    }

    /// Watchers were sent a resync in place of updates.
    pub fn resyncs(&self, count: u64) {
        if count > 0 {
            self.resyncs.add(count, &[]);
        }
    }

    /// A table's owner was lost, and `after` that was noticed it came to this.
    pub fn taken_over(&self, outcome: TakeOver, after: Duration) {
        self.takeovers.add(1, &[KeyValue::new("result", outcome.name())]);
        if outcome == TakeOver::Claimed {
            self.takeover_seconds.record(after.as_secs_f64(), &[]);
        }
    }

    /// A table was passed on.
    pub fn handed_over(&self) {
        self.handovers.add(1, &[]);
    }

    /// What a table owes from now on; nothing once it is another's or closed.
    pub fn owes(&self, table: TableId, owed: Owed) {
        let mut all = lock(&self.owed);
        if owed.duties == 0 {
            all.remove(&table);
        } else {
            all.insert(table, owed);
        }
    }
}

fn show_duties(meter: &Meter, owed: &Arc<Mutex<HashMap<TableId, Owed>>>, clock: Clock) {
    let of = Arc::downgrade(owed);
    let duties = meter
        .u64_observable_gauge("parlor_table_owed_duties")
        .with_description("Obligations in the logs that the ledger has not confirmed");
    duties
        .with_callback(move |observer| {
            if let Some(owed) = of.upgrade() {
                observer.observe(lock(&owed).values().map(|it| it.duties).sum(), &[]);
            }
        })
        .build();
    let of = Arc::downgrade(owed);
    let oldest = meter
        .f64_observable_gauge("parlor_table_oldest_duty_seconds")
        .with_description("Age of the oldest of them; 0: there is none");
    oldest
        .with_callback(move |observer| {
            if let Some(owed) = of.upgrade() {
                let since_ms = lock(&owed).values().map(|it| it.since_ms).min();
                observer.observe(age(since_ms, clock.now_ms()), &[]);
            }
        })
        .build();
}

/// Seconds since a time, when there is one.
fn age(since_ms: Option<i64>, now_ms: i64) -> f64 {
    let age_ms = since_ms.map_or(0, |since_ms| now_ms.saturating_sub(since_ms).max(0));
    #[expect(clippy::cast_precision_loss, reason = "an age is far below 2^53 milliseconds")]
    let age_ms = age_ms as f64;
    age_ms / SECOND_MS
}

fn lock(owed: &Mutex<HashMap<TableId, Owed>>) -> MutexGuard<'_, HashMap<TableId, Owed>> {
    // No code panics while it holds the lock; the map is whole all the same.
    owed.lock().unwrap_or_else(PoisonError::into_inner)
}
