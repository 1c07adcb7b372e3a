//! Selections of cards that form hands.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use crate::card::{Card, Suit};
use crate::poker::Mods;
use crate::score::first_five;

/// A selection: one to five cards.
pub type Selection = ArrayVec<Card, 5>;

/// Most cards that are looked at; a hand beyond that is cut.
const LOOKED_AT: usize = 16;

/// For each hand type that the cards can form, the selection of the highest ranks. Stone cards fill
/// what is free.
#[must_use]
pub fn selections(cards: &[Card], mods: Mods) -> Vec<Selection> {
    let mut ranked: ArrayVec<Card, LOOKED_AT> = ArrayVec::new();
    // Cards are pushed from where they lie: as an `Option` each would be copied in pieces.
    cards.iter().filter(|card| !card.is_stone()).take(LOOKED_AT).for_each(|it| ranked.push(*it));
    ranked.sort_unstable_by_key(|card| core::cmp::Reverse(card.rank));
    let need = if mods.four_fingers { 4 } else { 5 };
    let mut found = Vec::with_capacity(8);
    if let Some(highest) = ranked.first() {
        found.push(Selection::from_iter([*highest]));
    }
    of_ranks(&ranked, &mut found);
    straights(&ranked, mods, need, &mut found);
    for suit in Suit::ALL {
        let suited = ranked.iter().filter(|card| mods.shape_suit(card, suit));
        if suited.clone().count() >= need {
            let mut of_suit: ArrayVec<Card, LOOKED_AT> = ArrayVec::new();
            suited.for_each(|card| of_suit.push(*card));
            found.push(first_five(&of_suit));
            of_ranks(&of_suit, &mut found);
            straights(&of_suit, mods, need, &mut found);
        }
    }
    fill_with_stones(cards, &mut found);
    found
}

/// Pairs to fives, two pairs and full houses of cards that are sorted by rank.
fn of_ranks(ranked: &[Card], found: &mut Vec<Selection>) {
    let mut groups: ArrayVec<&[Card], 8> = ArrayVec::new();
    for group in ranked.chunk_by(|a, b| a.rank == b.rank) {
        if group.len() > 1 && groups.try_push(&group[..group.len().min(5)]).is_err() {
            break;
        }
    }
    found.extend(groups.iter().map(|group| first_five(group)));
    if groups.len() < 2 {
        return;
    }
    groups.sort_by_key(|group| core::cmp::Reverse(group.len()));
    if let [first, second, ..] = groups[..] {
        let mut house = first_five(&first[..first.len().min(3)]);
        second.iter().take(2).for_each(|card| house.push(*card));
        found.push(house);
    }
}

/// The highest straight of cards that are sorted by rank.
fn straights(ranked: &[Card], mods: Mods, need: usize, found: &mut Vec<Selection>) {
    let reach = if mods.shortcut { 2 } else { 1 };
    let mut run: ArrayVec<&Card, 5> = ArrayVec::new();
    let mut last = 0;
    // The Ace stands once above the King and once below the Two.
    let low_aces = ranked.iter().filter(|card| card.rank == crate::card::Rank::Ace).map(|c| (1, c));
    let positions = ranked.iter().map(|card| (card.rank as usize + 2, card)).chain(low_aces);
    for (position, card) in positions {
        if !run.is_empty() && position == last {
            continue;
        }
        if run.is_empty() || last - position > reach {
            run.clear();
        }
        run.push(card);
        last = position;
        if run.len() == need {
            found.push(run.into_iter().copied().collect());
            return;
        }
    }
}

fn fill_with_stones(cards: &[Card], found: &mut Vec<Selection>) {
    let stones: Selection = cards.iter().filter(|card| card.is_stone()).take(5).copied().collect();
    if stones.is_empty() {
        return;
    }
    for selection in found.iter_mut() {
        let room = selection.remaining_capacity();
        selection.extend(stones.iter().take(room).copied());
    }
    found.push(stones);
}
