//! Playing and discarding.

use alloc::vec;
use alloc::vec::Vec;

use arrayvec::ArrayVec;

use super::selections::{Selection, selections};
use super::table::Table;
use crate::card::{Card, CardId, Suit};
use crate::command::Command;
use crate::content::bosses::BossEffect;
use crate::poker::{HandType, Mods, classify};
use crate::selection::MAX_SELECTED;
use crate::view::{RoundView, RunView};

/// The bot's choice in a round.
pub fn play(run: &RunView) -> Command {
    let Some(round) = &run.round else { return Command::GiveUp };
    let mut table = Table::of(run);
    let needed = round.target - round.score;
    let (best, score) = best_play(run, &mut table, round.forced, needed);
    let enough = score * f64::from(round.hands_left) >= needed;
    if run.may.discard && !enough {
        let discard = worst_cards(table.hand(), table.mods(), round);
        if !discard.is_empty() {
            return Command::Discard(discard);
        }
    }
    if best.is_empty() {
        // Nothing is seen: whatever there is.
        let first = round.forced.or(run.hand.first().map(|card| card.id));
        return first.map_or(Command::GiveUp, |card| Command::Play(vec![card]));
    }
    Command::Play(with_forced(best, round.forced))
}

/// A selection with the forced card, seen or not.
fn with_forced(mut selection: Vec<CardId>, forced: Option<CardId>) -> Vec<CardId> {
    if let Some(card) = forced
        && !selection.is_empty()
        && !selection.contains(&card)
    {
        selection.truncate(MAX_SELECTED - 1);
        selection.push(card);
    }
    selection
}

/// Selections that are scored with all jokers: the best by what their cards alone are worth.
const SCORED: usize = 3;

/// A selection whose cards are worth so many times less than the best is not scored: jokers hardly
/// make up for it.
const HOPELESS: u64 = 3;

/// Cards that are looked at for filling a selection.
const SPARE: usize = 16;

/// The best scoring selection, or the first that scores what is `needed`, with cards that cost
/// nothing to throw away.
fn best_play(
    run: &RunView,
    table: &mut Table,
    forced: Option<CardId>,
    needed: f64,
) -> (Vec<CardId>, f64) {
    let mut best = (Selection::new(), -1.0);
    // Without jokers what the cards are worth is the order of the scores.
    let tried = if table.has_jokers() { SCORED } else { 1 };
    let candidates = candidates(run, table);
    let most = candidates.first().map_or(0, |(worth, _)| *worth);
    for (worth, mut selection) in candidates.into_iter().take(tried) {
        if worth * HOPELESS < most {
            break;
        }
        include(&mut selection, forced, table.hand());
        let score = table.score(&selection);
        if score > best.1 {
            best = (selection, score);
        }
        if score >= needed {
            break;
        }
    }
    let (mut selection, mut score) = best;
    let filled = filled(&selection, table.hand());
    if score < needed && !selection.is_empty() && filled.len() > selection.len() {
        // Only jokers can tell such a card from none.
        let with_spare = if table.has_jokers() { table.score(&filled) } else { score };
        if with_spare >= score {
            (selection, score) = (filled, with_spare);
        }
    }
    (selection.iter().map(|card| card.id).collect(), score.max(0.0))
}

/// A selection with the lowest other cards of the hand in its free places.
fn filled(selection: &Selection, hand: &[Card]) -> Selection {
    let is_spare = |card: &&Card| selection.iter().all(|other| other.id != card.id);
    let mut spare: ArrayVec<&Card, SPARE> = hand.iter().filter(is_spare).take(SPARE).collect();
    spare.sort_unstable_by_key(|card| card.rank);
    let mut filled = selection.clone();
    spare.iter().take(filled.remaining_capacity()).for_each(|card| filled.push(**card));
    filled
}

/// The selections that promise most, without those that the boss blocks if there are others.
fn candidates(run: &RunView, table: &Table) -> ArrayVec<(u64, Selection), SCORED> {
    let blocks = |hand: HandType| match run.boss_scene.effect() {
        BossEffect::NoRepeats => run.boss_scene.seen.contains(hand),
        BossEffect::OneType => run.boss_scene.locked.is_some_and(|first| first != hand),
        BossEffect::BarHand(barred) => barred == hand,
        _ => false,
    };
    let mut best: ArrayVec<(u64, Selection), SCORED> = ArrayVec::new();
    let mods = table.mods();
    for selection in selections(table.hand(), mods) {
        let hand = classify(&selection, mods).hand;
        let (chips, mult) = hand.base(run.hands[hand.index()].level);
        let active = selection.iter().filter(|card| !card.debuffed);
        let cards: u64 = active.map(|card| u64::from(card.rank.chips())).sum();
        let worth = if blocks(hand) { 0 } else { (chips + cards) * mult };
        let place = best.iter().position(|(other, _)| *other < worth).unwrap_or(best.len());
        if place < SCORED {
            best.truncate(SCORED - 1);
            best.insert(place, (worth, selection));
        }
    }
    best
}

/// Puts the forced card into a selection, if it is seen.
fn include(selection: &mut Selection, forced: Option<CardId>, hand: &[Card]) {
    let forced = forced.and_then(|id| hand.iter().find(|card| card.id == id));
    if let Some(card) = forced
        && selection.iter().all(|other| other.id != card.id)
    {
        selection.truncate(MAX_SELECTED - 1);
        selection.push(*card);
    }
}

/// What to discard: all but the cards of the longest suit when it is close to a flush, else all but
/// pairs and the like.
fn worst_cards(hand: &[Card], mods: Mods, round: &RoundView) -> Vec<CardId> {
    let need = if mods.four_fingers { 4 } else { 5 };
    let of_suit = |suit| hand.iter().filter(|card| mods.shape_suit(card, suit)).count();
    let longest = Suit::ALL.into_iter().max_by_key(|suit| of_suit(*suit));
    let for_flush = longest.filter(|suit| of_suit(*suit) + 1 >= need);
    let is_grouped = |card: &Card| {
        let same = |other: &&Card| other.rank == card.rank && !other.is_stone();
        hand.iter().filter(same).count() > 1
    };
    let mut worst: Vec<&Card> = hand
        .iter()
        .filter(|card| !card.is_stone())
        .filter(|card| match for_flush {
            Some(suit) => !mods.shape_suit(card, suit),
            None => !is_grouped(card),
        })
        .collect();
    worst.sort_unstable_by_key(|card| card.rank);
    let worst = worst.iter().take(MAX_SELECTED).map(|card| card.id).collect();
    with_forced(worst, round.forced)
}
