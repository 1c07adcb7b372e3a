//! The only source of time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// Wall-clock time in milliseconds since the Unix epoch; cheap to clone.
///
/// Durations are measured with `tokio::time::Instant`, which paused time controls.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    held: Option<Arc<AtomicI64>>,
}

impl Clock {
    /// The system's clock.
    #[must_use]
    pub const fn system() -> Self {
        Self { held: None }
    }

    /// A clock that stands at `now_ms` until [`Clock::advance_ms`] moves it, for tests.
    #[must_use]
    pub fn held_at(now_ms: i64) -> Self {
        Self { held: Some(Arc::new(AtomicI64::new(now_ms))) }
    }

    /// Moves a held clock on; the system's clock takes no notice.
    pub fn advance_ms(&self, by_ms: i64) {
        if let Some(held) = &self.held {
            held.fetch_add(by_ms, Ordering::SeqCst);
        }
    }

    /// Milliseconds since the Unix epoch.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the only source of time")]
    pub fn now_ms(&self) -> i64 {
        match &self.held {
            Some(held) => held.load(Ordering::SeqCst),
            None => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
        }
    }
}
