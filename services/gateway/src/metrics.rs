//! What the gateway measures.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use opentelemetry::KeyValue;
use opentelemetry::metrics::{Counter, Histogram, Meter, ObservableGauge, UpDownCounter};
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
    refused_connections: Counter<u64>,
    endings: Counter<u64>,
    shared_failures: Counter<u64>,
    waiting: Arc<Waiting>,
    _waiting: [ObservableGauge<u64>; 2],
}

/// What waits in all outboxes for clients to take it: the memory that slow readers cost.
#[derive(Debug, Default)]
pub struct Waiting {
    /// Serialized frames, in bytes.
    pub bytes: AtomicU64,
    /// Frames.
    pub frames: AtomicU64,
}

impl Waiting {
    /// A frame waits.
    pub fn add(&self, bytes: usize) {
        self.frames.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Frames wait no longer.
    pub fn remove(&self, frames: usize, bytes: usize) {
        self.frames.fetch_sub(frames as u64, Ordering::Relaxed);
        self.bytes.fetch_sub(bytes as u64, Ordering::Relaxed);
    }
}

impl Metrics {
    /// On the process's meter. Telemetry must be set up before.
    #[must_use]
    pub fn new() -> Self {
        let meter = telemetry::meter();
        let waiting = Arc::<Waiting>::default();
        Self {
            _waiting: [
                gauge(
                    &meter,
                    "parlor_gateway_outbox_bytes",
                    "Bytes of frames that wait for clients",
                    {
                        let waiting = Arc::clone(&waiting);
                        move || waiting.bytes.load(Ordering::Relaxed)
                    },
                ),
                gauge(&meter, "parlor_gateway_outbox_frames", "Frames that wait for clients", {
                    let waiting = Arc::clone(&waiting);
                    move || waiting.frames.load(Ordering::Relaxed)
                }),
            ],
            waiting,
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
            refused_connections: meter
                .u64_counter("parlor_gateway_refused_connections")
                .with_description("Connections that were closed before a request, by cause")
                .build(),
            endings: meter
                .u64_counter("parlor_gateway_endings")
                .with_description("Sessions that have ended, by cause")
                .build(),
            shared_failures: meter
                .u64_counter("parlor_gateway_shared_failures")
                .with_description("Calls to the registry of all gateways that failed")
                .build(),
        }
    }

    /// Counts a session as long as the result lives.
    #[must_use]
    pub fn session(self: &Arc<Self>) -> SessionCount {
        self.sessions.add(1, &[]);
        SessionCount(Arc::clone(self))
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

    /// A connection was closed before its first request.
    pub fn connection_refused(&self, cause: &'static str) {
        self.refused_connections.add(1, &[KeyValue::new("cause", cause)]);
    }

    /// What waits in all outboxes.
    #[must_use]
    pub const fn waiting(&self) -> &Arc<Waiting> {
        &self.waiting
    }

    /// What the gateways share did not answer.
    pub fn shared_failure(&self) {
        self.shared_failures.add(1, &[]);
    }

    /// A session has ended.
    pub fn ended(&self, cause: &'static str) {
        self.endings.add(1, &[KeyValue::new("cause", cause)]);
    }
}

fn gauge(
    meter: &Meter,
    name: &'static str,
    description: &'static str,
    read: impl Fn() -> u64 + Send + Sync + 'static,
) -> ObservableGauge<u64> {
    meter
        .u64_observable_gauge(name)
        .with_description(description)
        .with_callback(move |observer| observer.observe(read(), &[]))
        .build()
}

impl Default for Metrics {
    fn default() -> Self {
        Self::new()
    }
}

/// A session that is counted.
pub struct SessionCount(Arc<Metrics>);

impl Drop for SessionCount {
    fn drop(&mut self) {
        self.0.sessions.add(-1, &[]);
    }
}
