//! Complete hands, waits and distances, against published counts and against plain searches.

use parlor_game::Stream;
use parlor_mahjong::shape::{
    SuitDistance, distance, is_complete, is_seven_pairs, is_standard, standard_distance, waits,
};
use parlor_mahjong::tile::{COPIES, Suit, Tile, TileCounts, sorted_wall};

use crate::support::{entropy, tile, tiles};

type Ranks = [u8; 9];

/// Every suit of so many tiles.
fn suits_of(total: u8) -> Vec<Ranks> {
    fn fill(ranks: &mut Ranks, place: usize, left: u8, found: &mut Vec<Ranks>) {
        if place == ranks.len() {
            if left == 0 {
                found.push(*ranks);
            }
            return;
        }
        for count in 0..=left.min(COPIES) {
            ranks[place] = count;
            fill(ranks, place + 1, left - count, found);
        }
        ranks[place] = 0;
    }
    let mut found = Vec::new();
    fill(&mut [0; 9], 0, total, &mut found);
    found
}

fn counts(suit: Suit, ranks: &Ranks) -> TileCounts {
    let mut counts = TileCounts::default();
    for (rank, count) in (1..).zip(ranks) {
        counts.add_many(Tile::new(suit, rank).unwrap(), *count);
    }
    counts
}

/// Ways to take these tiles from four copies of each.
fn copies(ranks: &Ranks) -> u64 {
    ranks.iter().map(|count| [1, 4, 6, 4, 1][usize::from(*count)]).product()
}

/// Suits of each total that are sets (and a pair): how many, and weighted by copies.
fn splitting(total: u8) -> (u64, u64) {
    let pair = total % 3 == 2;
    let mut found = (0, 0);
    for ranks in suits_of(total) {
        let mut hand = counts(Suit::Characters, &ranks);
        if !pair {
            hand.add_many(tile("5p"), 2);
        }
        if is_standard(&hand) {
            found.0 += 1;
            found.1 += copies(&ranks);
        }
    }
    found
}

#[test]
fn as_many_suits_split_as_are_published() {
    let sets = [0, 3, 6, 9, 12].map(|total| splitting(total).0);
    assert_eq!(sets, [1, 16, 127, 627, 2098]);
    let with_pair = [2, 5, 8, 11, 14].map(|total| splitting(total).0);
    assert_eq!(with_pair, [9, 135, 996, 4475, 13259]);
}

#[test]
fn as_many_hands_are_complete_as_are_published() {
    let sets = [0, 3, 6, 9, 12].map(|total| splitting(total).1);
    let with_pair = [2, 5, 8, 11, 14].map(|total| splitting(total).1);
    let mut found = [0_u64; 2];
    for pair in 0..5 {
        for first in 0..5 - pair {
            let second = 4 - pair - first;
            // The suit of the pair, then two others.
            found[0] += 3 * with_pair[pair] * sets[first] * sets[second];
        }
        found[1] += 2 * with_pair[pair] * sets[4 - pair];
    }
    assert_eq!(found, [7_140_498_565_560, 384_392_282_236]);
}

/// Sets and a pair by trying everything.
fn splits(tiles: &TileCounts, pair: bool) -> bool {
    let Some((lowest, count)) = tiles.kinds().next() else { return pair };
    let without = |taken: &[Tile]| {
        let mut rest = *tiles;
        taken.iter().all(|tile| rest.remove(*tile)).then_some(rest)
    };
    let run = lowest.up(1).zip(lowest.up(2)).map(|(middle, high)| [lowest, middle, high]);
    (!pair && count >= 2 && without(&[lowest; 2]).is_some_and(|rest| splits(&rest, true)))
        || (count >= 3 && without(&[lowest; 3]).is_some_and(|rest| splits(&rest, pair)))
        || run.and_then(|run| without(&run)).is_some_and(|rest| splits(&rest, pair))
}

/// A hand of 1, 4, 7, 10 or 13 tiles, half of them close to complete.
fn any_hand(chance: &mut Stream) -> TileCounts {
    let mut wall = sorted_wall(if chance.chance(1, 2) { 3 } else { 4 });
    if chance.chance(1, 2) {
        wall.truncate(36);
    }
    chance.shuffle(&mut wall);
    let size = 1 + 3 * chance.below(5) as usize;
    if chance.chance(1, 2) {
        return wall.into_iter().take(size).collect();
    }
    let mut hand: TileCounts = wall[..2].iter().map(|_| wall[0]).collect();
    while usize::from(hand.total()) < size + 1 {
        let low = wall[chance.below(36) as usize];
        let set = match (low.up(1), low.up(2)) {
            (Some(middle), Some(high)) if chance.chance(2, 3) => [low, middle, high],
            _ => [low; 3],
        };
        let more: TileCounts = hand.sorted().into_iter().chain(set).collect();
        if more.kinds().all(|(_, count)| count <= COPIES) {
            hand = more;
        }
    }
    let held = hand.sorted();
    hand.without(held[chance.below(u32::try_from(held.len()).unwrap()) as usize])
}

#[test]
fn waits_are_the_tiles_that_complete_the_hand() {
    let mut chance = entropy(11).labelled("test/waits");
    let mut ready = 0;
    for _ in 0..40_000 {
        let hand = any_hand(&mut chance);
        let found = waits(&hand);
        ready += u32::from(!found.is_empty());
        for tile in Tile::all() {
            // The plain search knows five copies of a tile as well.
            let full = hand.with(tile);
            let pairs = full.total() == 14 && full.kinds().all(|(_, count)| count % 2 == 0);
            let pairs = pairs && full.count(tile) <= COPIES;
            let expected = splits(&full, false) || pairs;
            assert_eq!(found.contains(tile), expected, "{hand:?} and {tile}");
            if full.count(tile) <= COPIES {
                assert_eq!(is_complete(&full), expected, "{full:?}");
            }
        }
    }
    assert!(ready > 10_000, "{ready} ready hands");
}

#[test]
fn one_hand_of_a_suit_waits_for_all_nine() {
    // Of none it holds all four already.
    let nine = |ranks: &Ranks| {
        waits(&counts(Suit::Bamboos, ranks)).len() == 9 && ranks.iter().all(|count| *count < 4)
    };
    let hands: Vec<Ranks> = suits_of(13).into_iter().filter(nine).collect();
    assert_eq!(hands, [[3, 1, 1, 1, 1, 1, 1, 1, 3]]);
}

#[test]
fn seven_pairs_need_pairs_of_fourteen_tiles() {
    let holds = |text: &str| is_seven_pairs(&tiles(text).into_iter().collect());
    assert!(holds("1133557799m2244p"));
    assert!(holds("1111m335577m2244p"));
    assert!(!holds("113355779m22446p"));
    assert!(!holds("11335577m2244p"));
    assert!(!holds("111335577m22448p"));
}

/// What one suit lacks for so many sets, by trying every choice of sets and pair.
fn lacking(ranks: &Ranks, sets: usize, pair: bool) -> u8 {
    fn choose(want: &mut Ranks, from: usize, sets: usize, have: &Ranks, best: &mut u8) {
        if sets == 0 {
            let missing = want.iter().zip(have).map(|(want, have)| want.saturating_sub(*have));
            *best = (*best).min(missing.sum());
            return;
        }
        for set in from..16 {
            let ranks = if set < 7 { [set, set + 1, set + 2] } else { [set - 7; 3] };
            ranks.iter().for_each(|rank| want[*rank] += 1);
            if ranks.iter().all(|rank| want[*rank] <= COPIES) {
                choose(want, set, sets - 1, have, best);
            }
            ranks.iter().for_each(|rank| want[*rank] -= 1);
        }
    }
    let mut best = u8::MAX;
    let pairs = if pair { 0..9 } else { 0..1 };
    for rank in pairs {
        let mut want = [0; 9];
        want[rank] = if pair { 2 } else { 0 };
        choose(&mut want, 0, sets, ranks, &mut best);
    }
    best
}

#[test]
fn distances_are_those_of_a_plain_search() {
    let mut chance = entropy(12).labelled("test/distance");
    for _ in 0..60 {
        let mut wall = sorted_wall(4);
        wall.truncate(36);
        chance.shuffle(&mut wall);
        let size = chance.below(15) as usize;
        let hand: TileCounts = wall.into_iter().take(size).collect();
        let ranks = *hand.suit(Suit::Characters);
        for sets in 0..=4 {
            // An empty suit gives nothing, but what it is asked for may be built in it.
            let empty = SuitDistance::of(&[0; 9]);
            let alone = (0..=sets).map(|here| {
                let there = u8::try_from(sets - here).unwrap() * 3;
                let with_pair = lacking(&ranks, here, true) + there;
                with_pair.min(lacking(&ranks, here, false) + there + 2)
            });
            let found = SuitDistance::of(&ranks).hand(&empty.remainder(sets));
            assert_eq!(found, alone.min().unwrap(), "{hand:?}, {sets} sets");
        }
    }
}

#[test]
fn a_hand_lacks_one_tile_exactly_when_it_is_ready() {
    let mut chance = entropy(13).labelled("test/ready");
    for _ in 0..40_000 {
        let hand = any_hand(&mut chance);
        let melds = usize::from((13 - hand.total()) / 3);
        let alive = waits(&hand).iter().any(|tile| hand.count(tile) < COPIES);
        let lacks = distance(&hand, melds);
        if alive {
            assert_eq!(lacks, 1, "{hand:?}");
        } else {
            assert!(lacks > 1, "{hand:?} lacks {lacks}");
        }
    }
}

#[test]
fn a_draw_changes_a_distance_by_one_at_most() {
    let mut chance = entropy(14).labelled("test/steps");
    for _ in 0..4_000 {
        let hand = any_hand(&mut chance);
        let melds = usize::from((13 - hand.total()) / 3);
        let before = standard_distance(&hand, melds);
        let after = |tile: Tile| standard_distance(&hand.with(tile), melds);
        let drawable = Tile::all().filter(|tile| hand.count(*tile) < COPIES);
        let best = drawable.map(after).min().unwrap();
        assert_eq!(best, before - 1, "{hand:?}: some tile always helps");
    }
}
