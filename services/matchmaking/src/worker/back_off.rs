//! Leaves a table service that fails some time to recover.

use std::sync::{Mutex, PoisonError};

/// Pause after the first failure.
const FIRST_MS: i64 = 250;

/// Longest pause.
const LONGEST_MS: i64 = 5_000;

/// A pause that doubles with every failure in a row.
#[derive(Debug, Default)]
pub struct BackOff(Mutex<Pause>);

#[derive(Debug, Default)]
struct Pause {
    next_ms: i64,
    until_ms: i64,
}

impl BackOff {
    /// Something went well: no pause.
    pub fn succeeded(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Pause::default();
    }

    /// Something failed. Failures during a pause belong to the failure that began it.
    pub fn failed(&self, now_ms: i64) {
        let mut pause = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if pause.until_ms > now_ms {
            return;
        }
        let wait_ms = pause.next_ms.clamp(FIRST_MS, LONGEST_MS);
        *pause = Pause { next_ms: wait_ms * 2, until_ms: now_ms.saturating_add(wait_ms) };
    }

    /// Whether the pause goes on.
    pub fn pauses(&self, now_ms: i64) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).until_ms > now_ms
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest_and_end_with_a_success() {
        let back_off = BackOff::default();
        let mut now_ms = 0;
        for wait_ms in [250, 500, 1_000, 2_000, 4_000, 5_000, 5_000] {
            back_off.failed(now_ms);
            back_off.failed(now_ms + 1);
            assert!(back_off.pauses(now_ms + wait_ms - 1), "{wait_ms}");
            now_ms += wait_ms;
            assert!(!back_off.pauses(now_ms), "{wait_ms}");
        }
        back_off.failed(now_ms);
        back_off.succeeded();
        assert!(!back_off.pauses(now_ms));
    }
}
