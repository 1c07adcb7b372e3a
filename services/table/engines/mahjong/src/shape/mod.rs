//! Shapes of hands: complete, ready, and how far from it (rules: mahjong 6).
//!
//! A suit is read rank by rank by one of two automata that the build script writes: one says
//! whether the suit splits into sets (and a pair), the other how many tiles are missing for each
//! number of sets. Reading a suit is nine table steps; nothing is searched at run time.

mod distance;

pub use distance::{Remainder, SuitDistance, distance, seven_pairs_distance, standard_distance};

use crate::tile::{Suit, Tile, TileCounts, TileSet};

mod tables {
    include!(concat!(env!("OUT_DIR"), "/shape_tables.rs"));
}

const SETS_ONLY: u8 = 1;
const SETS_AND_PAIR: u8 = 2;

/// One step of an automaton. Counts above four do not occur in a hand; they read a foreign row.
#[inline]
fn step(steps: &[u16], state: u16, count: u8) -> u16 {
    steps.get(usize::from(state) + usize::from(count)).copied().unwrap_or(0)
}

#[inline]
fn ends(state: u16) -> u8 {
    tables::WIN_ANSWERS.get(usize::from(state)).copied().unwrap_or(0)
}

fn read_suit(suit: &[u8; 9]) -> u8 {
    ends(
        suit.iter().fold(tables::WIN_START, |state, count| step(&tables::WIN_STEPS, state, *count)),
    )
}

/// Whether the tiles are some sets and one pair (rules: mahjong 6.2). Melds are not among them.
#[must_use]
pub fn is_standard(tiles: &TileCounts) -> bool {
    let [characters, dots, bamboos] = Suit::ALL.map(|suit| tiles.suit_total(suit) % 3);
    // One suit holds the pair.
    let wanted = match (characters, dots, bamboos) {
        (2, 0, 0) => [SETS_AND_PAIR, SETS_ONLY, SETS_ONLY],
        (0, 2, 0) => [SETS_ONLY, SETS_AND_PAIR, SETS_ONLY],
        (0, 0, 2) => [SETS_ONLY, SETS_ONLY, SETS_AND_PAIR],
        _ => return false,
    };
    let suits = Suit::ALL.map(|suit| tiles.suit(suit));
    // The three suits are read side by side, so that the steps of one hide those of the others.
    let mut states = [tables::WIN_START; 3];
    for rank in 0..9 {
        for (state, suit) in states.iter_mut().zip(suits) {
            *state = step(&tables::WIN_STEPS, *state, suit[rank]);
        }
    }
    states.into_iter().zip(wanted).all(|(state, wanted)| ends(state) & wanted != 0)
}

/// Whether the tiles are seven pairs; four equal tiles are two (rules: mahjong 6.3).
#[must_use]
pub fn is_seven_pairs(tiles: &TileCounts) -> bool {
    tiles.are_all_even() && tiles.total() == 14
}

/// Whether the concealed tiles, the winning one included, are a complete hand. Only a hand
/// without melds has the fourteen tiles of seven pairs.
#[must_use]
pub fn is_complete(tiles: &TileCounts) -> bool {
    is_standard(tiles) || is_seven_pairs(tiles)
}

/// The tiles that complete these concealed tiles (one fewer than a complete hand), whether or not
/// a copy of them is left (rules: mahjong 6.5).
#[must_use]
pub fn waits(tiles: &TileCounts) -> TileSet {
    standard_waits(tiles).union(seven_pairs_waits(tiles))
}

fn standard_waits(tiles: &TileCounts) -> TileSet {
    let mut waits = TileSet::default();
    let totals = Suit::ALL.map(|suit| tiles.suit_total(suit) % 3);
    let short_of_pair = totals.iter().filter(|total| **total == 1).count();
    let pairs = totals.iter().filter(|total| **total == 2).count();
    for suit in Suit::ALL {
        // The suit gets one tile; the others must be whole, with one pair among all.
        let wanted = match (totals[suit.index()], short_of_pair, pairs) {
            (1, 1, 0) => SETS_AND_PAIR,
            (2, 0, 2) => SETS_ONLY,
            _ => continue,
        };
        let others = Suit::ALL.iter().filter(|other| **other != suit);
        let whole = others.copied().all(|other| {
            let wanted = if totals[other.index()] == 2 { SETS_AND_PAIR } else { SETS_ONLY };
            read_suit(tiles.suit(other)) & wanted != 0
        });
        if whole {
            suit_waits(tiles.suit(suit), suit, wanted, &mut waits);
        }
    }
    waits
}

fn suit_waits(counts: &[u8; 9], suit: Suit, wanted: u8, waits: &mut TileSet) {
    let mut before = tables::WIN_START;
    for (rank, count) in counts.iter().enumerate() {
        let with_one_more = step(&tables::WIN_STEPS, before, (count + 1).min(4));
        let end = counts[rank + 1..]
            .iter()
            .fold(with_one_more, |state, count| step(&tables::WIN_STEPS, state, *count));
        // A fifth copy completes a pair of four only in theory; see `fifth_copy`.
        let complete =
            if *count < 4 { ends(end) & wanted != 0 } else { fifth_copy(counts, rank, wanted) };
        if complete && let Some(tile) = Tile::from_index(suit.index() * 9 + rank) {
            waits.insert(tile);
        }
        before = step(&tables::WIN_STEPS, before, *count);
    }
}

/// Whether a fifth copy of a rank completes the suit. No such tile exists, but with
/// `dead_wait_is_ting` the shape counts as ready (rules: mahjong 6.5). The tables know no five
/// equal tiles, so one set or the pair that holds the rank is taken out first: any split of the
/// suit has a triplet of it, the pair, or a run.
fn fifth_copy(counts: &[u8; 9], rank: usize, wanted: u8) -> bool {
    let mut rest = *counts;
    rest[rank] = 2;
    let triplet = read_suit(&rest) & wanted != 0;
    rest[rank] = 3;
    let pair = wanted == SETS_AND_PAIR && read_suit(&rest) & SETS_ONLY != 0;
    let run = (rank.saturating_sub(2)..=rank.min(6)).any(|low| {
        let mut rest = *counts;
        // One of the five is the added copy, so four stay.
        rest[rank] = 5;
        rest[low..low + 3].iter_mut().all(|count| {
            let held = *count > 0;
            *count = count.saturating_sub(1);
            held
        }) && read_suit(&rest) & wanted != 0
    });
    triplet || pair || run
}

fn seven_pairs_waits(tiles: &TileCounts) -> TileSet {
    let mut waits = TileSet::default();
    if tiles.total() != 13 {
        return waits;
    }
    let mut odd = tiles.kinds().filter(|(_, count)| count % 2 == 1);
    if let (Some((tile, _)), None) = (odd.next(), odd.next()) {
        waits.insert(tile);
    }
    waits
}
