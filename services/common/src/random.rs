//! Randomness for identifiers and pauses, from the operating system.
//!
//! A simulation that has to repeat [holds](hold) it on its thread. Seeds of shuffles and secrets
//! never come from here: whoever draws them asks the operating system.

use std::cell::RefCell;
use std::marker::PhantomData;

use rand::TryRng;
use rand::rngs::SysRng;
use uuid::Uuid;

thread_local! {
    static HELD: RefCell<Option<Held>> = const { RefCell::new(None) };
}

/// What a held thread draws from.
#[derive(Debug)]
struct Held {
    state: u64,
    /// How many identifiers were made.
    made: u64,
}

impl Held {
    /// SplitMix64: good enough to simulate with, and the same in every build.
    const fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}

/// While it lives, its thread draws everything from a seed.
#[derive(Debug)]
#[must_use = "the randomness is let go when this is dropped"]
pub struct Hold {
    /// It belongs to its thread.
    _thread: PhantomData<*const ()>,
}

/// Holds the randomness of this thread, for simulations and tests.
pub fn hold(seed: u64) -> Hold {
    HELD.set(Some(Held { state: seed, made: 0 }));
    Hold { _thread: PhantomData }
}

impl Drop for Hold {
    fn drop(&mut self) {
        HELD.set(None);
    }
}

fn held<T>(draw: impl FnOnce(&mut Held) -> T) -> Option<T> {
    HELD.with_borrow_mut(|held| held.as_mut().map(draw))
}

/// A random number; `None` when the operating system gives none.
#[must_use]
pub fn number() -> Option<u32> {
    let drawn = held(|held| (held.next() >> 32) as u32);
    drawn.or_else(|| SysRng.try_next_u32().ok())
}

/// A new UUID of version 7: younger ones sort later.
#[must_use]
pub fn uuid() -> Uuid {
    let drawn = held(|held| {
        held.made += 1;
        let (high, low) = (held.next().to_be_bytes(), held.next().to_be_bytes());
        let mut bytes = [0; 10];
        bytes[..8].copy_from_slice(&high);
        bytes[8..].copy_from_slice(&low[..2]);
        uuid::Builder::from_unix_timestamp_millis(held.made, &bytes).into_uuid()
    });
    drawn.unwrap_or_else(Uuid::now_v7)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_held_thread_repeats_itself_until_it_is_let_go() {
        let draw = || (number(), uuid(), uuid());
        let first = {
            let _hold = hold(7);
            draw()
        };
        let hold = hold(7);
        let second = draw();
        assert_eq!(first, second);
        assert!(first.1 < first.2, "younger ones sort later");
        drop(hold);
        assert_ne!(uuid(), uuid());
        assert!(uuid() > first.1, "the time is in it again");
    }
}
