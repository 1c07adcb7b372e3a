//! What the ledger tells about itself.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram};
use parlor_common::telemetry::{LATENCY_S, meter};

use crate::Error;
use crate::money::{Receipt, Submission};

/// Boundaries of the histogram of batch sizes.
const BATCH_SIZES: [f64; 11] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0, 1024.0];

/// Instruments of the writing task.
#[derive(Debug)]
pub(crate) struct Metrics {
    requests: Counter<u64>,
    retries: Counter<u64>,
    batch: Histogram<f64>,
    commit: Histogram<f64>,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let meter = meter();
        Self {
            requests: meter
                .u64_counter("parlor_settlement_requests")
                .with_description("Requests to the ledger by operation and result")
                .build(),
            retries: meter
                .u64_counter("parlor_settlement_retries")
                .with_description("Batches that were tried again because the database was away")
                .build(),
            batch: meter
                .f64_histogram("parlor_settlement_batch_requests")
                .with_description("Requests that shared a database transaction")
                .with_boundaries(BATCH_SIZES.to_vec())
                .build(),
            commit: meter
                .f64_histogram("parlor_settlement_commit_seconds")
                .with_description("Time to write a batch, with all tries")
                .with_boundaries(LATENCY_S.to_vec())
                .build(),
        }
    }

    pub(crate) fn batch(&self, requests: usize, took: Duration) {
        #[allow(clippy::cast_precision_loss)] // A batch has at most some thousands.
        self.batch.record(requests as f64, &[]);
        self.commit.record(took.as_secs_f64(), &[]);
    }

    pub(crate) fn retry(&self) {
        self.retries.add(1, &[]);
    }

    pub(crate) fn request(&self, submission: &Submission, result: &Result<Receipt, Error>) {
        let reason = match result {
            Ok(_) => "OK",
            Err(error) => error.code_and_reason().1,
        };
        let operation = submission.request.operation();
        let labels = [KeyValue::new("operation", operation), KeyValue::new("result", reason)];
        self.requests.add(1, &labels);
    }
}
