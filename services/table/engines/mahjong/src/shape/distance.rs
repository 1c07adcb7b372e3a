//! How many tiles a hand lacks.

use super::{step, tables};
use crate::tile::{Suit, TileCounts};

/// Most sets in a hand.
const SETS_MAX: usize = 4;

/// Tiles that one suit (or several together) lacks for 0 to 4 sets, without and with a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuitDistance([u8; 10]);

impl SuitDistance {
    /// Of one suit by its counts.
    #[inline]
    #[must_use]
    pub fn of(counts: &[u8; 9]) -> Self {
        Self::finish(tables::DISTANCE_START, counts)
    }

    /// Calls `each` with a rank and the distance after changing that rank's count as `change`
    /// says; ranks for which `change` answers `None` are skipped. The ranks below are read once.
    #[inline]
    pub fn variants(
        counts: &[u8; 9],
        change: impl Fn(u8) -> Option<u8>,
        mut each: impl FnMut(usize, Self),
    ) {
        let mut before = tables::DISTANCE_START;
        for (rank, count) in counts.iter().enumerate() {
            if let Some(changed) = change(*count) {
                let state = step(&tables::DISTANCE_STEPS, before, changed);
                each(rank, Self::finish(state, &counts[rank + 1..]));
            }
            before = step(&tables::DISTANCE_STEPS, before, *count);
        }
    }

    #[inline]
    fn finish(state: u16, ranks: &[u8]) -> Self {
        let read = |state, count: &u8| step(&tables::DISTANCE_STEPS, state, *count);
        let end = ranks.iter().fold(state, read);
        // Every end state has an answer; a foreign one reads as a hand without tiles.
        let empty = [0, 2, 3, 5, 6, 8, 9, 11, 12, 14];
        Self(tables::DISTANCE_ANSWERS.get(usize::from(end)).copied().unwrap_or(empty))
    }

    /// Of this suit and another together.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut both = [0; 10];
        for sets in 0..=SETS_MAX {
            both[sets * 2] = self.least(other, sets, false);
            both[sets * 2 + 1] = self.least(other, sets, true);
        }
        Self(both)
    }

    /// Tiles that both suits together lack for `sets` sets and a pair.
    #[inline]
    #[must_use]
    pub fn hand(&self, other: &Self, sets: usize) -> u8 {
        self.least(other, sets.min(SETS_MAX), true)
    }

    #[inline]
    fn least(&self, other: &Self, sets: usize, with_pair: bool) -> u8 {
        let mut least = u8::MAX;
        for here in 0..=sets {
            let (here, there) = (here * 2, (sets - here) * 2);
            if with_pair {
                let pair_here = self.0[here + 1] + other.0[there];
                let pair_there = self.0[here] + other.0[there + 1];
                least = least.min(pair_here.min(pair_there));
            } else {
                least = least.min(self.0[here] + other.0[there]);
            }
        }
        least
    }
}

/// Tiles that must still be drawn to complete sets and a pair, next to `melds` melds: 0 when
/// complete, 1 when ready.
#[must_use]
pub fn standard_distance(tiles: &TileCounts, melds: usize) -> u8 {
    let [characters, dots, bamboos] = Suit::ALL.map(|suit| SuitDistance::of(tiles.suit(suit)));
    characters.and(&dots).hand(&bamboos, SETS_MAX.saturating_sub(melds))
}

/// Tiles that must still be drawn for seven pairs, of a hand without melds.
#[must_use]
pub fn seven_pairs_distance(tiles: &TileCounts) -> u8 {
    let pairs = tiles.kinds().fold(0, |pairs, (_, count)| pairs + count / 2);
    7_u8.saturating_sub(pairs)
}

/// Tiles that must still be drawn to complete the hand either way.
#[must_use]
pub fn distance(tiles: &TileCounts, melds: usize) -> u8 {
    let standard = standard_distance(tiles, melds);
    if melds == 0 { standard.min(seven_pairs_distance(tiles)) } else { standard }
}
