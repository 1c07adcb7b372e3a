//! How far ratings may differ.

use serde::{Deserialize, Serialize};

/// A distance of ratings that widens while a ticket waits, in hundredths of a Weng-Lin point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RatingWindow {
    /// At first.
    pub start: u32,
    /// More with every second.
    pub widen_per_s: u32,
    /// At most.
    pub widest: u32,
}

impl RatingWindow {
    /// The distance after a wait; a wait below zero counts as none.
    #[must_use]
    pub fn after(&self, waited_ms: i64) -> u32 {
        let waited_ms = u64::try_from(waited_ms).unwrap_or(0);
        let widened = waited_ms.saturating_mul(u64::from(self.widen_per_s)) / 1000;
        let width = u64::from(self.start).saturating_add(widened).min(u64::from(self.widest));
        u32::try_from(width).unwrap_or(u32::MAX)
    }
}
