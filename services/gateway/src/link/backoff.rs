//! Pauses between tries: doubling, bounded, and spread so that clients do not return as a crowd.

use std::time::Duration;

use parlor_common::random;

/// Doublings after which the pause certainly is the longest.
const MAX_DOUBLINGS: u32 = 16;

/// The pauses of one series of tries.
#[derive(Clone, Debug)]
pub struct Backoff {
    min: Duration,
    max: Duration,
    failures: u32,
}

impl Backoff {
    /// Pauses from about `min` to about `max`.
    #[must_use]
    pub const fn new(min: Duration, max: Duration) -> Self {
        Self { min, max, failures: 0 }
    }

    /// Pauses after a further failure.
    pub async fn pause(&mut self) {
        let pause = self.pause_after(self.failures);
        self.failures = self.failures.saturating_add(1);
        tokio::time::sleep(pause).await;
    }

    /// Starts again with short pauses, after a success.
    pub const fn reset(&mut self) {
        self.failures = 0;
    }

    /// The pause after so many earlier failures: half of it is fixed, half is drawn.
    #[must_use]
    pub fn pause_after(&self, failures: u32) -> Duration {
        let factor = 1_u32 << failures.min(MAX_DOUBLINGS);
        let whole = self.min.saturating_mul(factor).min(self.max);
        whole / 2 + spread(whole / 2)
    }
}

/// A random part of `most`.
#[must_use]
pub fn spread(most: Duration) -> Duration {
    // Without randomness all wait equally long: worse, but no reason to fail.
    let drawn = random::number().unwrap_or(u32::MAX);
    most.mul_f64(f64::from(drawn) / f64::from(u32::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_within_their_bounds() {
        let backoff = Backoff::new(Duration::from_millis(10), Duration::from_millis(100));
        for (failures, whole_ms) in [(0, 10), (1, 20), (2, 40), (3, 80), (4, 100), (u32::MAX, 100)]
        {
            let pause = backoff.pause_after(failures);
            let whole = Duration::from_millis(whole_ms);
            assert!(pause >= whole / 2 && pause <= whole, "{failures}: {pause:?}");
        }
    }
}
