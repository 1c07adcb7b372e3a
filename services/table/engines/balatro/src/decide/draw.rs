//! Shuffling and drawing, and what bosses hide (rules: balatro 2.1, 6).

use alloc::vec::Vec;

use parlor_game::Refusal;

use super::draft::Draft;
use super::label::Label;
use super::start::pick;
use crate::card::{Card, CardId};
use crate::content::bosses::BossEffect;
use crate::event::{Event, HandCard};
use crate::joker::ItemId;
use crate::reason;
use crate::selection::has_repeats;

/// Cards that are drawn after a play or a discard against the boss that fixes the number.
const FIXED_DRAW: usize = 3;

/// Why cards are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Occasion {
    /// The round begins.
    First,
    /// After a play.
    Play,
    /// After a discard.
    Discard,
    /// A pack deals a hand, or a consumable has emptied it.
    Refill,
    /// A disabled boss gives a card back.
    GivenBack,
}

impl Draft<'_> {
    /// Shuffles the full deck. The caller has gathered the cards.
    pub(super) fn shuffle(&mut self) {
        let number = self.run.tally.shuffles;
        let mut order: Vec<u16> = (0..self.run.draw_pile.len() as u16).collect();
        self.stream(&Label::new("shuffle").number(number)).shuffle(&mut order);
        self.emit(Event::Shuffled { order });
    }

    /// Draws up to the hand size, or what the boss makes of it.
    pub(super) fn draw(&mut self, occasion: Occasion) {
        let effect = self.run.boss_effect();
        let missing = self.run.hand_size().saturating_sub(self.run.hand.len());
        let count = match (occasion, effect) {
            (Occasion::Play | Occasion::Discard, BossEffect::DrawThree) => FIXED_DRAW,
            (Occasion::GivenBack, _) => 1,
            _ => missing,
        };
        let (mods, doublings) = self.run.mods();
        let Some(first) = self.run.draw_pile.last().filter(|_| count > 0) else { return };
        let mut rolls = (effect == BossEffect::HideByChance).then(|| {
            let (round, card) = (self.run.round_no, u32::from(first.id.0));
            self.stream(&Label::new("wheel").number(round).number(card))
        });
        let numerator = 1_u32.checked_shl(doublings).unwrap_or(u32::MAX);
        let mut hides = |card: &Card| match effect {
            BossEffect::HideFirstHand => occasion == Occasion::First,
            BossEffect::HideAfterPlay => occasion == Occasion::Play,
            BossEffect::HideFaces => mods.printed_face(card),
            BossEffect::HideByChance => {
                rolls.as_mut().is_some_and(|stream| stream.chance(numerator, 7))
            }
            _ => false,
        };
        let drawn = |card: &Card| HandCard {
            id: card.id,
            card: Some(Card { face_down: hides(card), ..*card }),
        };
        let cards = self.run.draw_pile.iter().rev().take(count).map(drawn).collect();
        self.emit(Event::Drawn { cards });
    }

    /// The boss that forces a card picks one when none is forced.
    pub(super) fn force_card(&mut self) {
        if self.run.boss_effect() == BossEffect::ForceCard && self.run.round.forced.is_none() {
            let held: Vec<CardId> = self.run.hand.iter().map(|card| card.id).collect();
            let card = pick(&held, &mut self.stream_now("bell"));
            if card.is_some() {
                self.emit(Event::CardForced { card });
            }
        }
    }

    /// The boss that disables a joker picks one for the coming play, not the last one again.
    pub(super) fn disable_joker(&mut self) {
        if self.run.boss_effect() != BossEffect::DisableJoker {
            return;
        }
        let last = self.run.round.disabled_joker;
        let all: Vec<ItemId> = self.run.jokers.iter().map(|joker| joker.item).collect();
        let others: Vec<ItemId> =
            all.iter().copied().filter(|joker| Some(*joker) != last).collect();
        let candidates = if others.is_empty() { &all } else { &others };
        let joker = pick(candidates, &mut self.stream_now("heart"));
        if joker != last {
            self.emit(Event::JokerDisabled { joker });
        }
    }

    pub(super) fn reorder_hand(&mut self, cards: &[CardId]) -> Result<(), Refusal> {
        if self.run.hand.is_empty() {
            return Err(super::wrong_phase());
        }
        let held = cards.iter().all(|card| self.run.hand_place(*card).is_some());
        if cards.len() != self.run.hand.len() || !held || has_repeats(cards) {
            return Err(not_a_permutation());
        }
        self.emit(Event::HandReordered { cards: cards.to_vec() });
        Ok(())
    }

    pub(super) fn reorder_jokers(&mut self, jokers: &[ItemId]) -> Result<(), Refusal> {
        if !self.run.may_reorder_jokers() {
            return Err(super::wrong_phase());
        }
        let owned = jokers.iter().all(|joker| self.run.joker_place(*joker).is_some());
        if jokers.len() != self.run.jokers.len() || !owned || has_repeats(jokers) {
            return Err(not_a_permutation());
        }
        self.emit(Event::JokersReordered { jokers: jokers.to_vec() });
        Ok(())
    }
}

fn not_a_permutation() -> Refusal {
    Refusal::illegal(reason::NOT_A_PERMUTATION, "the order must name everything exactly once")
}
