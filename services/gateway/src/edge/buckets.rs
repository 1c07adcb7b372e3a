//! Rates by key: how much somebody may ask for at a time and over time, in bounded memory.
//!
//! Each key has a debt, in time. What is taken adds to it, it is paid back as time passes, and
//! nothing is given while it would grow above the burst. Whoever owes nothing is not remembered, so
//! forgetting costs nothing.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// Keys with a debt that are remembered: some 10 MB. Of more, those that owe least are forgotten.
const REMEMBERED: usize = 100_000;

/// How often something may be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rate {
    /// After this time one more may be asked for.
    each: Duration,
    /// What may be owed at most.
    burst: Duration,
}

impl Rate {
    /// `count` in each `period`, `burst` of them at once; `None` for a count of 0, which is no
    /// limit.
    #[must_use]
    pub fn new(count: u32, period: Duration, burst: u32) -> Option<Self> {
        let each = period.checked_div(count)?;
        Some(Self { each, burst: each.saturating_mul(burst.max(1)) })
    }
}

/// The debts of those who have asked lately.
#[derive(Debug)]
pub struct Buckets<K> {
    rate: Rate,
    /// When each has paid everything back.
    paid_at: Mutex<HashMap<K, Instant>>,
}

impl<K: Copy + Eq + Hash> Buckets<K> {
    /// Nobody owes anything yet.
    #[must_use]
    pub fn new(rate: Rate) -> Self {
        Self { rate, paid_at: Mutex::default() }
    }

    fn paid_at(&self) -> MutexGuard<'_, HashMap<K, Instant>> {
        self.paid_at.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes one, if the burst allows it.
    ///
    /// # Errors
    /// How long to wait.
    pub fn take(&self, key: K) -> Result<(), Duration> {
        let now = Instant::now();
        let mut all = self.paid_at();
        let paid_at = all.get(&key).map_or(now, |&paid_at| paid_at.max(now)) + self.rate.each;
        match (paid_at - now).checked_sub(self.rate.burst) {
            Some(wait) if !wait.is_zero() => Err(wait),
            _ => {
                remember(&mut all, key, paid_at, now);
                Ok(())
            }
        }
    }

    /// What a key owes now.
    #[must_use]
    pub fn debt(&self, key: &K) -> Duration {
        let paid_at = self.paid_at().get(key).copied();
        paid_at.map_or(Duration::ZERO, |paid_at| paid_at.saturating_duration_since(Instant::now()))
    }

    /// Adds to what a key owes, at most up to twice the burst: others may have been given while
    /// this was not known here.
    pub fn charge(&self, key: K, debt: Duration) {
        if debt.is_zero() {
            return;
        }
        let now = Instant::now();
        let mut all = self.paid_at();
        let paid_at = all.get(&key).map_or(now, |&paid_at| paid_at.max(now)) + debt;
        let most = now + self.rate.burst.saturating_mul(2);
        remember(&mut all, key, paid_at.min(most), now);
    }

    /// Forgets those that owe nothing.
    pub fn forget_quiet(&self) {
        let now = Instant::now();
        let mut all = self.paid_at();
        all.retain(|_, paid_at| *paid_at > now);
        all.shrink_to_fit();
    }
}

fn remember<K: Copy + Eq + Hash>(
    all: &mut HashMap<K, Instant>,
    key: K,
    paid_at: Instant,
    now: Instant,
) {
    if all.len() >= REMEMBERED && !all.contains_key(&key) {
        all.retain(|_, paid_at| *paid_at > now);
        if all.len() >= REMEMBERED {
            let mut debts: Vec<_> = all.values().copied().collect();
            let (_, &mut least, _) = debts.select_nth_unstable(REMEMBERED / 4);
            all.retain(|_, paid_at| *paid_at > least);
        }
    }
    all.insert(key, paid_at);
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn buckets(count: u32, burst: u32) -> Buckets<u32> {
        Buckets::new(Rate::new(count, SECOND, burst).unwrap())
    }

    #[tokio::test(start_paused = true)]
    async fn a_burst_is_given_and_then_the_rate() {
        let buckets = buckets(4, 3);
        for _ in 0..3 {
            assert_eq!(buckets.take(1), Ok(()));
        }
        assert_eq!(buckets.take(1), Err(SECOND / 4));
        assert_eq!(buckets.take(2), Ok(()), "others are counted apart");
        tokio::time::advance(SECOND / 4).await;
        assert_eq!(buckets.take(1), Ok(()));
        assert_eq!(buckets.take(1), Err(SECOND / 4));
        tokio::time::advance(SECOND).await;
        assert_eq!(buckets.debt(&1), Duration::ZERO);
        assert_eq!([buckets.take(1), buckets.take(1), buckets.take(1)], [Ok(()); 3]);
        assert!(buckets.take(1).is_err(), "no more than the burst is saved up");
    }

    #[tokio::test(start_paused = true)]
    async fn a_debt_from_elsewhere_is_paid_back_here() {
        let buckets = buckets(10, 10);
        buckets.charge(1, SECOND);
        assert_eq!(buckets.take(1), Err(SECOND / 10));
        tokio::time::advance(SECOND / 2).await;
        assert_eq!(buckets.debt(&1), SECOND / 2);
        assert_eq!(buckets.take(1), Ok(()));
        buckets.charge(1, SECOND * 1000);
        assert_eq!(buckets.debt(&1), SECOND * 2, "nobody is locked out for long");
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_owes_nothing_is_forgotten() {
        let buckets = buckets(10, 10);
        (0..100).for_each(|key| buckets.take(key).unwrap());
        tokio::time::advance(SECOND / 20).await;
        buckets.take(7).unwrap();
        tokio::time::advance(SECOND / 10).await;
        buckets.forget_quiet();
        assert_eq!(buckets.paid_at().len(), 1);
    }

    #[tokio::test(start_paused = true)]
    async fn the_memory_is_bounded_and_keeps_those_that_owe_most() {
        let buckets = buckets(10, 10);
        let key = |number: usize| u32::try_from(number).unwrap();
        (0..50).for_each(|number| (0..10).for_each(|_| buckets.take(key(number)).unwrap()));
        (50..3 * REMEMBERED).for_each(|number| buckets.take(key(number)).unwrap());
        assert!(buckets.paid_at().len() <= REMEMBERED);
        assert!((0..50).all(|number| buckets.take(key(number)).is_err()));
    }

    #[test]
    fn zero_is_no_rate() {
        assert_eq!(Rate::new(0, SECOND, 5), None);
        assert_eq!(Rate::new(2, SECOND, 0), Rate::new(2, SECOND, 1));
    }
}
