//! How long this pod may act without news from the others.
//!
//! A lease counts from the moment before a heartbeat was sent, on this machine's monotonic clock.
//! The others count from a later moment, when they see the heartbeat; so by the time that they hold
//! this pod to be dead, it has stopped of its own accord, even if it was paused in between.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

/// Counts how often the lease ran out: what was known of a table in an earlier term has to be
/// checked again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Term(u64);

#[derive(Clone, Copy, Debug, Default)]
struct State {
    term: Term,
    /// `None`: there has been no heartbeat yet.
    until: Option<Instant>,
}

/// A view of the lease; cheap to clone.
#[derive(Clone, Debug)]
pub struct Lease {
    /// `None`: nobody else could own what this process owns.
    held: Option<Arc<Held>>,
}

/// What the two sides share. Whoever waits is woken in order, so that a simulation repeats itself.
#[derive(Debug, Default)]
struct Held {
    state: Mutex<State>,
    prolonged: Notify,
}

impl Held {
    fn state(&self) -> MutexGuard<'_, State> {
        // Nothing panics while it holds the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Lease {
    /// The lease of a process that has its store to itself: it never runs out.
    #[must_use]
    pub const fn unlimited() -> Self {
        Self { held: None }
    }

    /// The term, if the lease has not run out.
    #[must_use]
    pub fn term(&self) -> Option<Term> {
        let Some(held) = &self.held else { return Some(Term::default()) };
        let state = *held.state();
        state.until.filter(|until| Instant::now() < *until).map(|_| state.term)
    }

    /// The term; waits while the lease has run out, for at most `patience`.
    pub async fn held(&self, patience: Duration) -> Option<Term> {
        let term = self.term();
        let (None, Some(held)) = (term, &self.held) else { return term };
        let wait = async {
            loop {
                let mut prolonged = std::pin::pin!(held.prolonged.notified());
                prolonged.as_mut().enable();
                if let Some(term) = self.term() {
                    return term;
                }
                prolonged.await;
            }
        };
        timeout(patience, wait).await.ok()
    }
}

/// The side that prolongs the lease.
#[derive(Debug, Default)]
pub(super) struct LeaseHolder {
    held: Arc<Held>,
}

/// What a prolongation found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Prolonged {
    /// The lease had not run out.
    InTime,
    /// It had, or the others had given the pod up: a new term begins.
    Late,
}

impl LeaseHolder {
    pub fn lease(&self) -> Lease {
        Lease { held: Some(Arc::clone(&self.held)) }
    }

    /// Prolongs the lease until `until`. `given_up`: the others had forgotten this pod.
    pub fn prolong(&self, until: Instant, given_up: bool) -> Prolonged {
        let mut prolonged = Prolonged::InTime;
        {
            let mut state = self.held.state();
            let late = state.until.is_some_and(|until| until <= Instant::now());
            if late || (given_up && state.until.is_some()) {
                state.term.0 += 1;
                prolonged = Prolonged::Late;
            }
            state.until = Some(until);
        }
        self.held.prolonged.notify_waiters();
        prolonged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test(start_paused = true)]
    async fn a_lease_runs_out_and_a_late_one_begins_a_new_term() {
        let holder = LeaseHolder::default();
        let lease = holder.lease();
        assert_eq!(lease.term(), None, "not before the first heartbeat");
        assert_eq!(holder.prolong(Instant::now() + SECOND, false), Prolonged::InTime);
        let first = lease.term();
        assert!(first.is_some());
        tokio::time::advance(SECOND).await;
        assert_eq!(lease.term(), None);
        assert_eq!(holder.prolong(Instant::now() + SECOND, false), Prolonged::Late);
        assert_ne!(lease.term(), first);
    }

    #[tokio::test(start_paused = true)]
    async fn who_was_given_up_begins_a_new_term() {
        let holder = LeaseHolder::default();
        let given_up = holder.prolong(Instant::now() + SECOND, true);
        assert_eq!(given_up, Prolonged::InTime, "the first heartbeat is of a pod that none knows");
        assert_eq!(holder.prolong(Instant::now() + SECOND, true), Prolonged::Late);
    }

    #[tokio::test(start_paused = true)]
    async fn whoever_waits_for_the_lease_gets_it_or_gives_up() {
        let holder = LeaseHolder::default();
        let (lease, impatient) = (holder.lease(), holder.lease());
        let waiting = tokio::spawn(async move { lease.held(10 * SECOND).await });
        assert_eq!(impatient.held(SECOND).await, None);
        holder.prolong(Instant::now() + SECOND, false);
        assert!(waiting.await.is_ok_and(|term| term.is_some()));
        assert!(Lease::unlimited().held(Duration::ZERO).await.is_some());
    }
}
