//! What the gateway measures.

use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, UpDownCounter};
use parlor_common::telemetry::{self, LATENCY_S};

/// The instruments; made once.
#[derive(Debug)]
pub struct Metrics {
    sessions: UpDownCounter<i64>,
    frames_in: Counter<u64>,
    updates: Counter<u64>,
    resyncs: Counter<u64>,
    requests: Histogram<f64>,
    rejects: Counter<u64>,
    endings: Counter<u64>,
}

impl Metrics {
    /// On the process's meter. Telemetry must be set up before.
    #[must_use]
    pub fn new() -> Self {
        let meter = telemetry::meter();
        Self {
            sessions: meter
                .i64_up_down_counter("parlor_gateway_sessions")
                .with_description("Sessions that have said Hello")
                .build(),
            frames_in: meter
                .u64_counter("parlor_gateway_frames_in")
                .with_description("Frames from clients")
                .build(),
            updates: meter
                .u64_counter("parlor_gateway_updates")
                .with_description("Table updates to clients")
                .build(),
            resyncs: meter
                .u64_counter("parlor_gateway_resyncs")
                .with_description("Table resyncs to clients")
                .build(),
            requests: meter
                .f64_histogram("parlor_gateway_request_seconds")
                .with_description("From a request to its response")
                .with_boundaries(LATENCY_S.to_vec())
                .build(),
            rejects: meter
                .u64_counter("parlor_gateway_rejects")
                .with_description("Frames and connections that were refused, by reason")
                .build(),
            endings: meter
                .u64_counter("parlor_gateway_endings")
                .with_description("Sessions that have ended, by cause")
                .build(),
        }
    }

    /// Counts a session as long as the result lives.
    #[must_use]
    pub fn session(self: &std::sync::Arc<Self>) -> SessionCount {
        self.sessions.add(1, &[]);
        SessionCount(std::sync::Arc::clone(self))
    }

    /// A frame came from a client.
    pub fn frame_in(&self) {
        self.frames_in.add(1, &[]);
    }

    /// An update was put into an outbox.
    pub fn update_sent(&self) {
        self.updates.add(1, &[]);
    }

    /// A resync was put into an outbox.
    pub fn resync_sent(&self) {
        self.resyncs.add(1, &[]);
    }

    /// A request was answered.
    pub fn request(&self, command: &'static str, outcome: &'static str, took: Duration) {
        let labels = [KeyValue::new("command", command), KeyValue::new("outcome", outcome)];
        self.requests.record(took.as_secs_f64(), &labels);
    }

    /// Something was refused by the gateway itself. `reason` is one of [`crate::REASONS`].
    pub fn reject(&self, reason: &str) {
        let known = crate::REASONS.binary_search(&reason).ok();
        let reason = known.and_then(|index| crate::REASONS.get(index)).copied().unwrap_or("OTHER");
        self.rejects.add(1, &[KeyValue::new("reason", reason)]);
    }

    /// A session has ended.
    pub fn ended(&self, cause: &'static str) {
        self.endings.add(1, &[KeyValue::new("cause", cause)]);
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

/// A session that is counted.
pub struct SessionCount(std::sync::Arc<Metrics>);

impl Drop for SessionCount {
    fn drop(&mut self) {
        self.0.sessions.add(-1, &[]);
    }
}
