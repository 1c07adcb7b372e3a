//! Which tile to discard.

use arrayvec::ArrayVec;

use super::Sight;
use crate::shape::{SuitDistance, seven_pairs_distance, waits};
use crate::tile::{COPIES, Suit, Tile, TileCounts};

/// Most kinds of tiles in a hand of fourteen.
const KINDS_MAX: usize = 14;
/// The discard that leaves the hand closest to complete; a void tile first.
///
/// Of several, one that makes the hand ready is chosen by the unseen tiles that it then waits
/// for. Before that the tile with the fewest neighbours goes: measured over whole hands, counting
/// what improves the rest wins hardly more and takes far longer.
pub(super) fn choose(sight: &Sight<'_>) -> Option<Tile> {
    if let Some(void) = sight.void
        && let Some(tile) = least_void(sight, void)
    {
        return Some(tile);
    }
    let (lacking, closest) = closest(sight);
    if lacking > 1 || closest.len() < 2 {
        return closest.into_iter().min_by_key(|tile| neighbours(&sight.tiles, *tile));
    }
    let seen = (sight.seen)();
    // The first of equals, so that the choice is a function of the view.
    closest.into_iter().rev().max_by_key(|tile| completing(sight, &seen, *tile))
}

/// A void tile of which the hand holds fewest: the others will not be missed either.
fn least_void(sight: &Sight<'_>, void: Suit) -> Option<Tile> {
    let held = sight.tiles.suit(void).iter().zip(1..).filter(|(count, _)| **count > 0);
    let (_, rank) = held.min_by_key(|(count, _)| **count)?;
    Tile::new(void, rank)
}

/// The two suits that a hand can use. With all three still open the third counts as lost, which
/// only a hand without a void suit sees, and there a suit is not in the wall.
fn suits(void: Option<Suit>) -> [Suit; 2] {
    match void.unwrap_or(Suit::Characters) {
        Suit::Characters => [Suit::Dots, Suit::Bamboos],
        Suit::Dots => [Suit::Characters, Suit::Bamboos],
        Suit::Bamboos => [Suit::Characters, Suit::Dots],
    }
}

/// How few tiles the hand can lack after a discard, and the discards that leave it so.
fn closest(sight: &Sight<'_>) -> (u8, ArrayVec<Tile, KINDS_MAX>) {
    let sets = 4_usize.saturating_sub(sight.melds.len());
    let pairs = sight.melds.is_empty().then(|| seven_pairs_distance(&sight.tiles));
    let mut best = u8::MAX;
    let mut closest = ArrayVec::new();
    let [first, second] = suits(sight.void);
    for (suit, other) in [(first, second), (second, first)] {
        let rest = SuitDistance::of(sight.tiles.suit(other)).remainder(sets);
        let counts = sight.tiles.suit(suit);
        SuitDistance::variants(
            counts,
            |count| count.checked_sub(1),
            |rank, distance| {
                let mut lacking = distance.hand(&rest);
                if let Some(pairs) = pairs {
                    // A discard from a pair breaks it.
                    let broken = u8::from(counts[rank].is_multiple_of(2));
                    lacking = lacking.min(pairs + broken);
                }
                if lacking > best {
                    return;
                }
                if lacking < best {
                    best = lacking;
                    closest.clear();
                }
                if let Some(tile) = Tile::from_index(suit.index() * 9 + rank) {
                    // A hand has no more kinds than the list has room for.
                    let _ = closest.try_push(tile);
                }
            },
        );
    }
    (best, closest)
}

/// How much a tile is worth to its neighbours; small for a lone tile at the edge.
fn neighbours(tiles: &TileCounts, tile: Tile) -> u8 {
    let suit = tiles.suit(tile.suit());
    let place = usize::from(tile.rank() - 1);
    let at = |offset: isize| {
        place.checked_add_signed(offset).and_then(|place| suit.get(place)).copied().unwrap_or(0)
    };
    let near = at(-1) + at(1);
    let far = at(-2) + at(2);
    let middle = tile.rank().min(10 - tile.rank()).min(3);
    (suit[place] - 1) * 6 + near * 4 + far * 2 + middle
}

/// Unseen tiles that complete the hand after a discard.
fn completing(sight: &Sight<'_>, seen: &TileCounts, discard: Tile) -> u8 {
    let waits = waits(&sight.tiles.without(discard)).iter();
    waits.map(|tile| COPIES.saturating_sub(seen.count(tile))).sum()
}
