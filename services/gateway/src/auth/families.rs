//! Which refresh tokens have been used up.
//!
//! Each sign-in starts a family; each refresh makes the next generation and uses the last one up.
//! There is no store: a process knows only the families that it has refreshed, a bounded number of
//! them, until it restarts. A stolen token that is used at another gateway, or after a restart, is
//! not noticed here; its expiry still bounds it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use uuid::Uuid;

/// Families that are remembered, twice at most: about 10 MB.
const REMEMBERED: usize = 65_536;
/// A client that lost the answer to its refresh may repeat it for so long.
const GRACE_MS: i64 = 60_000;

#[derive(Clone, Copy, Debug)]
struct Family {
    /// The youngest generation that was given out.
    newest: u64,
    since_ms: i64,
    revoked: bool,
}

#[derive(Debug, Default)]
struct Generations {
    young: HashMap<Uuid, Family>,
    old: HashMap<Uuid, Family>,
}

/// What has become of a refresh token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It is good: give out this generation.
    Next(u64),
    /// It was used up before, so that either this caller or the earlier one has stolen it. The
    /// whole family is refused from now on.
    Reused,
}

/// The families of this process.
#[derive(Debug, Default)]
pub struct Families {
    generations: Mutex<Generations>,
}

impl Families {
    /// Uses up a generation.
    pub fn spend(&self, family: Uuid, generation: u64, now_ms: i64) -> Use {
        let mut known = self.generations.lock().unwrap_or_else(PoisonError::into_inner);
        let state = known.young.get(&family).or_else(|| known.old.get(&family)).copied();
        let next = generation.saturating_add(1);
        let (state, outcome) = match state {
            Some(state) if state.revoked => (state, Use::Reused),
            Some(state) if generation >= state.newest => {
                (Family { newest: next, since_ms: now_ms, revoked: false }, Use::Next(next))
            }
            Some(state) if next == state.newest && now_ms - state.since_ms <= GRACE_MS => {
                (state, Use::Next(next))
            }
            Some(state) => (Family { revoked: true, ..state }, Use::Reused),
            None => (Family { newest: next, since_ms: now_ms, revoked: false }, Use::Next(next)),
        };
        if known.young.len() >= REMEMBERED {
            known.old = std::mem::take(&mut known.young);
        }
        known.young.insert(family, state);
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_refresh_uses_its_token_up() {
        let families = Families::default();
        let family = Uuid::from_u128(1);
        assert_eq!(families.spend(family, 0, 0), Use::Next(1));
        assert_eq!(families.spend(family, 1, 0), Use::Next(2));
    }

    #[test]
    fn a_lost_answer_may_be_asked_for_again_within_the_grace() {
        let families = Families::default();
        let family = Uuid::from_u128(1);
        assert_eq!(families.spend(family, 0, 0), Use::Next(1));
        assert_eq!(families.spend(family, 0, GRACE_MS), Use::Next(1));
        assert_eq!(families.spend(family, 1, GRACE_MS), Use::Next(2));
    }

    #[test]
    fn reuse_after_the_grace_ends_the_family() {
        let families = Families::default();
        let family = Uuid::from_u128(1);
        assert_eq!(families.spend(family, 0, 0), Use::Next(1));
        assert_eq!(families.spend(family, 0, GRACE_MS + 1), Use::Reused);
        assert_eq!(families.spend(family, 1, GRACE_MS + 1), Use::Reused);
        assert_eq!(families.spend(Uuid::from_u128(2), 0, 0), Use::Next(1), "others live on");
    }

    #[test]
    fn an_older_generation_ends_the_family_even_within_the_grace() {
        let families = Families::default();
        let family = Uuid::from_u128(1);
        assert_eq!(families.spend(family, 0, 0), Use::Next(1));
        assert_eq!(families.spend(family, 1, 0), Use::Next(2));
        assert_eq!(families.spend(family, 0, 0), Use::Reused);
    }

    #[test]
    fn the_memory_is_bounded() {
        let families = Families::default();
        for number in 0..(3 * REMEMBERED as u128) {
            families.spend(Uuid::from_u128(number), 0, 0);
        }
        let known = families.generations.lock().unwrap_or_else(PoisonError::into_inner);
        assert!(known.young.len() + known.old.len() <= 2 * REMEMBERED);
    }
}
