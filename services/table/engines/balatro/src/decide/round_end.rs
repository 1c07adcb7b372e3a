//! Winning and losing a round, and the end of the run (rules: balatro 2.2, 2.4, 9).

use alloc::vec::Vec;

use parlor_game::{HandResult, Refusal};

use super::draft::Draft;
use super::draw::Occasion;
use super::effects::Moment;
use crate::blind::{Blind, is_quarter, reward};
use crate::card::{Enhancement, Seal};
use crate::content::tags::TagEffect;
use crate::content::vocabulary::Trigger;
use crate::content::{ConsumableId, TagId};
use crate::event::{Event, MoneyCause, RunEnd};
use crate::joker::{ItemId, Joker};
use crate::payout::{Earnings, Payout};
use crate::state::{Ending, Phase, TagOffer};

/// The ante whose boss wins the run.
pub(crate) const WIN_ANTE: i32 = 8;
/// Dollars that a rental joker costs at each round end.
const RENT: i64 = 3;
/// Dollars of a Gold card that is held at the round end.
const GOLD_CARD: i64 = 3;

/// How a round is won.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Win {
    /// The target is reached.
    Score,
    /// A joker saves the round; the blind pays nothing.
    Saved,
}

impl Draft<'_> {
    /// The round is over and the run goes on.
    pub(super) fn win_round(&mut self, by: Win) {
        let (blind, boss) = (self.run.blind, self.run.boss);
        self.trigger(Trigger::RoundEnd, &Moment::default());
        if blind == Blind::Boss {
            self.trigger(Trigger::BossDefeated, &Moment::default());
        }
        self.collect_rent();
        self.count_perishables();
        self.held_at_round_end();
        let jokers = self.trigger(Trigger::Payout, &Moment::default()).payout;
        let tags = if blind == Blind::Boss { self.spend_boss_tags() } else { 0 };
        let deck = self.run.options.deck_spec();
        let (interest_steps, interest_rate) = self.run.interest();
        let reward = match by {
            Win::Score => reward(blind, boss, self.run.options.stake),
            Win::Saved => 0,
        };
        let payout = Payout::of(&Earnings {
            reward,
            hands_left: self.run.round.hands_left,
            per_hand: deck.per_hand_left,
            discards_left: self.run.round.discards_left,
            per_discard: deck.per_discard_left,
            jokers,
            tags,
            money: self.run.money,
            interest_steps,
            interest_rate,
        });
        self.emit(Event::RoundWon { payout, saved: by == Win::Saved });
        if blind == Blind::Boss {
            self.boss_beaten();
        }
    }

    fn boss_beaten(&mut self) {
        if self.run.options.deck_spec().doubles_tags
            && let Some(tag) = TagId::from_id("double")
        {
            self.gain_tag(TagOffer { tag, hand: None });
        }
        if self.run.ante >= WIN_ANTE && !self.run.won {
            self.emit(Event::RunWon);
        } else {
            self.start_ante(self.run.ante.saturating_add(1));
        }
    }

    fn collect_rent(&mut self) {
        let rentals = self.run.jokers.iter().filter(|joker| joker.stickers.rental);
        let items: Vec<ItemId> = rentals.map(|joker| joker.item).collect();
        for item in items {
            self.earn(-RENT, MoneyCause::Rental(item));
        }
    }

    fn count_perishables(&mut self) {
        for mut joker in self.run.jokers.clone() {
            if let Some(left @ 1..) = joker.stickers.perishable {
                joker.stickers.perishable = Some(left - 1);
                self.emit(Event::JokerChanged { joker: Joker { face_down: false, ..joker } });
            }
        }
    }

    /// Gold cards and blue seals of held cards, as often as they trigger.
    fn held_at_round_end(&mut self) {
        let mods = self.run.mods().0;
        let retriggers = self.trigger(Trigger::RetriggerHeld, &Moment::default()).retriggers;
        let held: Vec<_> =
            self.run.hand.iter().map(|card| self.run.with_debuff(card, mods)).collect();
        let planet = self.run.round.last_hand.and_then(ConsumableId::planet_of);
        for card in held.iter().filter(|card| !card.debuffed) {
            let repetitions = 1 + retriggers + u32::from(card.seal == Some(Seal::Red));
            for _ in 0..repetitions {
                if card.enhancement == Some(Enhancement::Gold) {
                    self.earn(GOLD_CARD, MoneyCause::Card(card.id));
                }
                if card.seal == Some(Seal::Blue)
                    && self.run.consumable_room() > 0
                    && let Some(planet) = planet
                {
                    self.gain_consumable(planet);
                }
            }
        }
    }

    fn spend_boss_tags(&mut self) -> i64 {
        let mut dollars = 0;
        for held in self.run.tags.clone() {
            if let TagEffect::BossMoney(each) = held.tag.spec().effect {
                self.emit(Event::TagUsed { tag: held.tag });
                dollars += each;
            }
        }
        dollars
    }

    /// The round is lost, unless a joker saves it.
    pub(super) fn lose_round(&mut self) {
        let moment = Moment {
            quarter: is_quarter(self.run.round.score, self.run.round.target),
            ..Moment::default()
        };
        if self.trigger(Trigger::WouldLose, &moment).saves {
            self.win_round(Win::Saved);
        } else {
            self.end(Ending::Decided);
        }
    }

    /// Without a card in hand a round cannot go on (rules: balatro 2.2 step 9).
    pub(super) fn lose_if_stuck(&mut self) {
        if self.run.phase == Phase::Playing && self.run.hand.is_empty() {
            self.lose_round();
        }
    }

    /// After a consumable: an empty hand is filled again before it is lost.
    pub(super) fn refill_if_empty(&mut self) {
        if self.run.phase == Phase::Playing && self.run.hand.is_empty() {
            self.draw(Occasion::Refill);
            self.force_card();
            self.lose_if_stuck();
        }
    }

    pub(super) fn continue_endless(&mut self) -> Result<(), Refusal> {
        self.require(Phase::Won)?;
        self.emit(Event::EndlessChosen);
        self.start_ante(self.run.ante.saturating_add(1));
        Ok(())
    }

    pub(super) fn finish(&mut self) -> Result<(), Refusal> {
        self.require(Phase::Won)?;
        self.end(Ending::Decided);
        Ok(())
    }

    /// The run ends.
    pub(super) fn end(&mut self, ending: Ending) {
        let summary = self.run.summary(ending);
        let end = RunEnd { summary, result: HandResult::default() };
        self.emit(Event::RunEnded(end.into()));
    }
}
