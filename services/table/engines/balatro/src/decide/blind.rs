//! Selecting, skipping and rerolling blinds (rules: balatro 2, 2.1).

use alloc::vec::Vec;

use parlor_game::Refusal;

use super::draft::Draft;
use super::draw::Occasion;
use super::effects::Moment;
use super::label::Label;
use super::start::pick;
use crate::blind::{Blind, Disabled};
use crate::card::{Card, Suit};
use crate::content::bosses::BossEffect;
use crate::content::tags::TagEffect;
use crate::content::vocabulary::Trigger;
use crate::content::vouchers::VoucherEffect;
use crate::event::{BossReroll, Event, MoneyCause};
use crate::poker::most_played;
use crate::reason;
use crate::state::{Marks, Phase};

/// Dollars of a boss reroll.
const BOSS_REROLL_COST: i64 = 10;

impl Draft<'_> {
    pub(super) fn select_blind(&mut self) -> Result<(), Refusal> {
        self.require(Phase::BlindSelect)?;
        self.emit(Event::BlindSelected {
            target: self.run.target_of(self.run.blind, Disabled::No),
            hands: self.run.hands_per_round(),
            discards: self.run.discards_per_round(),
            feared: most_played(&self.run.hands),
        });
        self.start_boss();
        self.spend_hand_size_tags();
        self.trigger(Trigger::BlindSelected, &Moment::default());
        self.draw_marks();
        self.shuffle();
        self.draw(Occasion::First);
        self.trigger(Trigger::FirstHandDrawn, &Moment::default());
        self.force_card();
        self.disable_joker();
        self.lose_if_stuck();
        Ok(())
    }

    /// What bosses do when their round begins.
    fn start_boss(&mut self) {
        let round = self.run.round;
        match self.run.boss_effect() {
            BossEffect::NoDiscards => self.change_round(round.hands_left, 0, round.hand_size),
            BossEffect::OneHand => self.change_round(1, round.discards_left, round.hand_size),
            BossEffect::SmallerHand => {
                self.change_round(round.hands_left, round.discards_left, round.hand_size - 1);
            }
            BossEffect::HideJokers if !self.run.jokers.is_empty() => {
                let round_no = self.run.round_no;
                let mut order: Vec<u8> = (0..self.run.jokers.len() as u8).collect();
                self.stream(&Label::new("jokers").number(round_no)).shuffle(&mut order);
                let first = self.next_item();
                self.emit(Event::JokersHidden { order, first });
            }
            _ => {}
        }
    }

    fn spend_hand_size_tags(&mut self) {
        for held in self.run.tags.clone() {
            if let TagEffect::HandSize(cards) = held.tag.spec().effect {
                self.emit(Event::TagUsed { tag: held.tag });
                let round = self.run.round;
                let hand_size = round.hand_size.saturating_add(cards);
                self.change_round(round.hands_left, round.discards_left, hand_size);
            }
        }
    }

    /// What the round singles out (rules: balatro 2.1 step 4).
    fn draw_marks(&mut self) {
        let before = self.run.round.marks;
        let mut stream = self.stream(&Label::new("marks").number(self.run.round_no));
        let mut deck: Vec<&Card> = Vec::with_capacity(self.run.full_deck().count());
        deck.extend(self.run.full_deck().filter(|card| !card.is_stone()));
        let mut draw = || pick(&deck, &mut stream);
        let (mail, castle, idol) = (draw(), draw(), draw());
        let others: Vec<Suit> =
            Suit::ALL.into_iter().filter(|suit| *suit != before.ancient_suit).collect();
        self.emit(Event::MarksDrawn(Marks {
            mail_rank: mail.map_or(before.mail_rank, |card| card.rank),
            castle_suit: castle.map_or(before.castle_suit, |card| card.suit),
            ancient_suit: pick(&others, &mut stream).unwrap_or(before.ancient_suit),
            idol: idol.map_or(before.idol, |card| (card.rank, card.suit)),
        }));
    }

    pub(super) fn skip_blind(&mut self) -> Result<(), Refusal> {
        self.require(Phase::BlindSelect)?;
        let offer = match self.run.blind {
            Blind::Small => self.run.tag_offers[0],
            Blind::Big => self.run.tag_offers[1],
            Blind::Boss => {
                return Err(Refusal::illegal(
                    reason::BOSS_CANNOT_BE_SKIPPED,
                    "a boss must be played",
                ));
            }
        };
        self.emit(Event::BlindSkipped);
        self.gain_tag(offer);
        Ok(())
    }

    pub(super) fn reroll_boss(&mut self) -> Result<(), Refusal> {
        self.require(Phase::BlindSelect)?;
        if !self.run.may_reroll_boss() {
            return Err(Refusal::illegal(
                reason::NO_BOSS_REROLL,
                "the boss cannot be rerolled (again)",
            ));
        }
        self.require_money(BOSS_REROLL_COST)?;
        self.earn(-BOSS_REROLL_COST, MoneyCause::BossReroll);
        self.draw_other_boss(BossReroll::Voucher);
        Ok(())
    }

    /// Ends the boss's ability: debuffs are lifted, what was hidden is turned up, what was taken is
    /// given back (rules: balatro 6).
    pub(super) fn disable_boss(&mut self) {
        let effect = self.run.boss_effect();
        let fights = self.run.phase == Phase::Playing && self.run.blind == Blind::Boss;
        if !fights || self.run.round.boss == Disabled::Yes {
            return;
        }
        let face_up = |card: &Card| Card { face_down: false, ..*card };
        let jokers = self.run.jokers.iter();
        self.emit(Event::BossDisabled {
            target: self.run.target_of(Blind::Boss, Disabled::Yes),
            hand: self.run.hand.iter().map(face_up).collect(),
            jokers: jokers
                .map(|joker| crate::joker::Joker { face_down: false, ..*joker })
                .collect(),
        });
        let round = self.run.round;
        match effect {
            BossEffect::NoDiscards => {
                let discards = round.discards_left + self.run.discards_per_round();
                self.change_round(round.hands_left, discards, round.hand_size);
            }
            BossEffect::OneHand => {
                let hands = round.hands_left + self.run.hands_per_round().saturating_sub(1);
                self.change_round(hands, round.discards_left, round.hand_size);
            }
            BossEffect::SmallerHand => {
                self.change_round(round.hands_left, round.discards_left, round.hand_size + 1);
                if !self.run.hand.is_empty() {
                    self.draw(Occasion::GivenBack);
                }
            }
            _ => {}
        }
    }
}

impl crate::state::Run {
    /// Whether a voucher allows another boss now; the price is not asked.
    #[must_use]
    pub fn may_reroll_boss(&self) -> bool {
        self.vouchers.has(VoucherEffect::BossRerolls)
            || self.vouchers.has(VoucherEffect::BossReroll) && self.boss_rerolls == 0
    }

    /// Dollars of a boss reroll.
    #[must_use]
    pub const fn boss_reroll_cost(&self) -> i64 {
        BOSS_REROLL_COST
    }
}
