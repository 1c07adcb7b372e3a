//! How many tiles a hand lacks.

use super::{step, tables};
use crate::tile::{Suit, TileCounts};

/// Most sets in a hand.
const SETS_MAX: usize = 4;
/// Costs without a pair for 0 to 4 sets, costs with a pair for 0 to 4 sets, padding: a power of
/// two, so that two of them are added and compared at once.
const LANES: usize = 16;
const PAIR: usize = SETS_MAX + 1;
/// More than any hand lacks; two of them still fit a byte.
const NEVER: u8 = 100;

/// Tiles that one suit (or several together) lacks for 0 to 4 sets, without and with a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SuitDistance([u8; LANES]);

/// What the rest of a hand lacks for whatever a suit leaves to it, in the lanes of that suit.
#[derive(Clone, Copy, Debug)]
pub struct Remainder([u8; LANES]);

impl SuitDistance {
    /// Of one suit by its counts.
    #[inline]
    #[must_use]
    pub fn of(counts: &[u8; 9]) -> Self {
        Self::finish(tables::DISTANCE_START, counts)
    }

    /// Calls `each` with a rank (from 0) and the distance after changing that rank's count as
    /// `change` says; ranks for which it answers `None` are skipped. The ranks below are read once.
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
        // Every end state has an answer; the first stands for a foreign one.
        let answers = &tables::DISTANCE_ANSWERS;
        Self(answers.get(usize::from(end)).copied().unwrap_or(answers[0]))
    }

    /// What this suit lacks for the rest of a hand of `sets` sets and a pair.
    #[inline]
    #[must_use]
    pub fn remainder(&self, sets: usize) -> Remainder {
        let mut rest = [NEVER; LANES];
        for taken in 0..=sets.min(SETS_MAX) {
            let left = sets.min(SETS_MAX) - taken;
            rest[taken] = self.0[PAIR + left];
            rest[PAIR + taken] = self.0[left];
        }
        Remainder(rest)
    }

    /// Tiles that a hand lacks whose other suits lack `rest`.
    #[inline]
    #[must_use]
    pub fn hand(&self, rest: &Remainder) -> u8 {
        let lanes = self.0.iter().zip(&rest.0).map(|(here, there)| here + there);
        lanes.fold(u8::MAX, u8::min)
    }

    /// Of this suit and another together.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        let mut both = [NEVER; LANES];
        for sets in 0..=SETS_MAX {
            let rest = other.remainder(sets);
            both[PAIR + sets] = self.hand(&rest);
            let without_pair = (0..=sets).map(|here| self.0[here] + other.0[sets - here]);
            both[sets] = without_pair.fold(NEVER, u8::min);
        }
        Self(both)
    }
}

/// Tiles that must still be drawn to complete sets and a pair, next to `melds` melds: 0 when
/// complete, 1 when ready.
#[must_use]
pub fn standard_distance(tiles: &TileCounts, melds: usize) -> u8 {
    let [characters, dots, bamboos] = Suit::ALL.map(|suit| SuitDistance::of(tiles.suit(suit)));
    characters.and(&dots).hand(&bamboos.remainder(SETS_MAX.saturating_sub(melds)))
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
