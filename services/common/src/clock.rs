//! The only source of time, and the form of its days.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tokio::time::Instant;

/// Wall-clock time in milliseconds since the Unix epoch; cheap to clone.
///
/// Durations are measured with `tokio::time::Instant`, which paused time controls.
#[derive(Clone, Debug, Default)]
pub struct Clock {
    source: Source,
}

#[derive(Clone, Debug, Default)]
enum Source {
    #[default]
    System,
    Held(Arc<AtomicI64>),
    /// The time at `since` by tokio's timers, and what has been added to it.
    Timers {
        since: Instant,
        then_ms: Arc<AtomicI64>,
    },
}

impl Clock {
    /// The system's clock.
    #[must_use]
    pub const fn system() -> Self {
        Self { source: Source::System }
    }

    /// A clock that stands at `now_ms` until [`Clock::advance_ms`] moves it, for tests.
    #[must_use]
    pub fn held_at(now_ms: i64) -> Self {
        Self { source: Source::Held(Arc::new(AtomicI64::new(now_ms))) }
    }

    /// A clock that stands at `now_ms` and from there goes with tokio's timers, paused or not, for
    /// simulations. [`Clock::advance_ms`] lets it jump.
    #[must_use]
    pub fn with_timers(now_ms: i64) -> Self {
        let then_ms = Arc::new(AtomicI64::new(now_ms));
        Self { source: Source::Timers { since: Instant::now(), then_ms } }
    }

    /// Moves a clock for tests on, or back; the system's clock takes no notice.
    pub fn advance_ms(&self, by_ms: i64) {
        match &self.source {
            Source::System => {}
            Source::Held(held) => {
                held.fetch_add(by_ms, Ordering::SeqCst);
            }
            Source::Timers { then_ms, .. } => {
                then_ms.fetch_add(by_ms, Ordering::SeqCst);
            }
        }
    }

    /// Milliseconds since the Unix epoch.
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the only source of time")]
    pub fn now_ms(&self) -> i64 {
        match &self.source {
            Source::System => SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |since| i64::try_from(since.as_millis()).unwrap_or(i64::MAX)),
            Source::Held(held) => held.load(Ordering::SeqCst),
            Source::Timers { since, then_ms } => {
                let passed = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
                then_ms.load(Ordering::SeqCst).saturating_add(passed)
            }
        }
    }
}

/// Whether `text` has the form `YYYY-MM-DD`.
#[must_use]
pub fn is_day(text: &str) -> bool {
    let digit_or_dash = |(index, byte): (usize, u8)| match index {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() == "YYYY-MM-DD".len() && text.bytes().enumerate().all(digit_or_dash)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_clock_with_timers_goes_with_them_and_jumps_when_told() {
        let clock = Clock::with_timers(1_000);
        tokio::time::sleep(Duration::from_millis(250)).await;
        assert_eq!(clock.now_ms(), 1_250);
        clock.clone().advance_ms(-1_000);
        assert_eq!(clock.now_ms(), 250);
    }
}
