//! What operators see of the tables.

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram};
use parlor_common::telemetry::{LATENCY_S, meter};
use std::time::Duration;

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

/// The instruments. Make them after telemetry is set up.
#[derive(Debug)]
pub struct Metrics {
    takeovers: Counter<u64>,
    takeover_seconds: Histogram<f64>,
    handovers: Counter<u64>,
}

impl Metrics {
    /// The instruments of this process.
    #[must_use]
    pub fn new() -> Self {
        let meter = meter();
        Self {
            takeovers: meter
                .u64_counter("parlor_table_takeovers")
                .with_description("Tables whose owner was lost, by how taking them over went")
                .build(),
            takeover_seconds: meter
                .f64_histogram("parlor_table_takeover_seconds")
                .with_description("From a lost owner being noticed until the table runs again")
                .with_boundaries(LATENCY_S.to_vec())
                .build(),
            handovers: meter
                .u64_counter("parlor_table_handovers")
                .with_description("Tables that were passed on while this pod drained")
                .build(),
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
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}
