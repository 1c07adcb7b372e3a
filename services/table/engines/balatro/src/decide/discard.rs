//! Discarding (rules: balatro 2.3).

use alloc::vec::Vec;

use parlor_game::Refusal;

use super::draft::Draft;
use super::draw::Occasion;
use super::effects::Moment;
use crate::card::{Card, CardId, Seal};
use crate::content::ConsumableKind;
use crate::content::vocabulary::Trigger;
use crate::event::{Discarder, Event};
use crate::poker::classify;
use crate::reason;
use crate::state::Phase;

impl Draft<'_> {
    pub(super) fn discard(&mut self, cards: &[CardId]) -> Result<(), Refusal> {
        self.require(Phase::Playing)?;
        self.check_selection(cards)?;
        if self.run.round.discards_left == 0 {
            return Err(Refusal::illegal(reason::NO_DISCARDS_LEFT, "no discards are left"));
        }
        let selected = self.debuffed_cards(cards);
        let hand = classify(&selected, self.run.mods().0).hand;
        let moment = Moment { cards: &selected, hand: Some(hand), ..Moment::default() };
        self.trigger(Trigger::PreDiscard, &moment);
        self.discard_cards(cards, Discarder::Player);
        self.draw(Occasion::Discard);
        self.force_card();
        self.lose_if_stuck();
        Ok(())
    }

    fn debuffed_cards(&self, cards: &[CardId]) -> Vec<Card> {
        let (boss, mods) = (self.run.boss_scene(), self.run.mods().0);
        let mut cards = self.held_cards(cards);
        cards.iter_mut().for_each(|card| card.debuffed = boss.debuffs(card, mods));
        cards
    }

    /// Cards leave the hand one by one, each with what reacts to it.
    pub(super) fn discard_cards(&mut self, cards: &[CardId], by: Discarder) {
        let selected = self.debuffed_cards(cards);
        let mut destroyed = Vec::new();
        for card in &selected {
            if card.seal == Some(Seal::Purple) && !card.debuffed {
                self.create_consumable(ConsumableKind::Tarot, "purple_seal");
            }
            let moment = Moment { cards: &selected, card: Some(*card), ..Moment::default() };
            if self.trigger(Trigger::Discarded, &moment).destroys_card {
                destroyed.push(card.id);
            }
        }
        if !destroyed.is_empty() {
            self.destroy_held(&destroyed);
        }
        let left = self.held_cards(cards);
        if by == Discarder::Player || !left.is_empty() {
            self.emit(Event::CardsDiscarded { cards: left, by });
        }
    }
}
