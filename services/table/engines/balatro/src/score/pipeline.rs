//! The order of things in a play (rules: balatro 5). Steps carry the document's numbers.

use alloc::vec::Vec;

use super::outcome::{Outcome, Step, StepKind, StepSource};
use super::rolls::{Certain, RollKey, Rolls};
use super::scene::Scene;
use super::scorer::{About, Row, Scorer, Spot};
use crate::card::{Card, Edition, Enhancement, Seal};
use crate::content::bosses::BossEffect;
use crate::content::vocabulary::Trigger;
use crate::number::{clamp, floor};

/// Scores a play.
#[must_use]
pub fn score(scene: &Scene, rolls: &mut dyn Rolls) -> Outcome {
    Scorer::new(scene, &Row::of(scene), rolls, None).run()
}

/// The score of a play without luck, and nothing else of it: for estimates. `row` is that of the
/// scene's jokers, which many plays have in common.
#[must_use]
pub fn estimate(scene: &Scene, row: &Row) -> f64 {
    Scorer::new(scene, row, &mut Certain, None).play().1
}

/// Scores a play and tells every step.
#[must_use]
pub fn score_traced(scene: &Scene, rolls: &mut dyn Rolls) -> (Outcome, Vec<Step>) {
    let row = Row::of(scene);
    let mut scorer = Scorer::new(scene, &row, rolls, Some(Vec::with_capacity(24)));
    let outcome = scorer.run();
    (outcome, scorer.trace.unwrap_or_default())
}

impl Scorer<'_> {
    fn run(&mut self) -> Outcome {
        let (base, score) = self.play();
        if !self.blocked {
            self.destroy();
        }
        self.fire_all(Trigger::After, About::NOTHING);
        self.outcome(base, score)
    }

    /// 0 to 8: the base values and the score.
    fn play(&mut self) -> ((f64, f64), f64) {
        self.blocked = self.identify();
        if self.blocked {
            self.triggered = true;
            self.step(StepSource::Boss, None, StepKind::Blocked, 0.0);
            self.fire_all(Trigger::BossTriggered, About::NOTHING);
            return ((0.0, 0.0), 0.0);
        }
        self.fire_all(Trigger::Before, About::NOTHING);
        let base = self.base();
        self.score_cards();
        self.score_held();
        self.score_jokers();
        self.finish();
        (base, clamp(floor(self.chips * self.mult)))
    }

    /// 0 and 1: what the boss takes, the type, its counters, and whether it may score at all.
    fn identify(&mut self) -> bool {
        let effect = self.scene.boss.effect();
        let hand = self.formed.hand;
        if effect == BossEffect::PayPerCard {
            self.earn(StepSource::Boss, None, -(self.played.len() as i64));
            self.triggered = true;
        }
        self.record.run = self.record.run.saturating_add(1);
        self.record.round = self.record.round.saturating_add(1);
        match effect {
            BossEffect::TakeLevel if self.record.level > 1 => {
                self.level_up(StepSource::Boss, -1);
                self.triggered = true;
            }
            BossEffect::TakeMoney if self.scene.boss.most_played == Some(hand) => {
                self.earn(StepSource::Boss, None, self.money.saturating_neg());
                self.triggered = true;
            }
            BossEffect::DiscardTwo | BossEffect::HalveBase | BossEffect::DisableJoker => {
                self.triggered = true;
            }
            BossEffect::DebuffSuit(_)
            | BossEffect::DebuffFaces
            | BossEffect::DebuffPlayed
            | BossEffect::DebuffAll => {
                self.triggered |= self.scoring().any(|place| self.played[place].debuffed);
            }
            _ => {}
        }
        match effect {
            BossEffect::NeedFive => self.played.len() < 5,
            BossEffect::NoRepeats => self.scene.boss.seen.contains(hand),
            BossEffect::OneType => self.scene.boss.locked.is_some_and(|first| first != hand),
            BossEffect::BarHand(barred) => barred == hand,
            _ => false,
        }
    }

    /// 3: chips and mult of the type at its level.
    fn base(&mut self) -> (f64, f64) {
        let (chips, mult) = self.formed.hand.base(self.record.level);
        (self.chips, self.mult) = (chips as f64, mult as f64);
        self.step(StepSource::Hand, None, StepKind::Base, 0.0);
        if self.scene.boss.effect() == BossEffect::HalveBase {
            self.chips = floor(self.chips / 2.0 + 0.5);
            self.mult = floor(self.mult / 2.0 + 0.5).max(1.0);
            self.step(StepSource::Boss, None, StepKind::Base, 0.0);
        }
        (self.chips, self.mult)
    }

    /// 4: each scoring card, left to right, as often as it triggers.
    fn score_cards(&mut self) {
        self.first_face = self.scoring().find(|place| self.row.mods.face(&self.played[*place]));
        for place in 0..self.played.len() {
            if self.formed.scoring & 1 << place == 0 || self.played[place].debuffed {
                continue;
            }
            let spot = Spot::Played(place as u8);
            let repetitions = self.repetitions(Trigger::RetriggerScored, spot);
            for repetition in 0..repetitions {
                self.again(place, repetition);
                let lucky = self.score_card(place);
                self.fire_all(Trigger::Scored, About { lucky, ..About::card(spot) });
            }
        }
    }

    fn again(&mut self, place: usize, repetition: u32) {
        if repetition > 0 {
            let source = StepSource::Card(self.played[place].id);
            self.step(source, None, StepKind::Again, 0.0);
        }
    }

    /// 4.1: what the card itself gives. Whether a Lucky roll succeeded.
    fn score_card(&mut self, place: usize) -> bool {
        let card = self.played[place];
        let source = StepSource::Card(card.id);
        let printed = match card.enhancement {
            Some(Enhancement::Stone) => 50,
            Some(Enhancement::Bonus) => u32::from(card.rank.chips()) + 30,
            _ => u32::from(card.rank.chips()),
        };
        self.add_chips(source, None, f64::from(printed) + f64::from(card.permanent_chips));
        if card.is_plain() {
            return false;
        }
        let is_lucky = card.enhancement == Some(Enhancement::Lucky);
        if card.enhancement == Some(Enhancement::Mult) {
            self.add_mult(source, None, 4.0);
        }
        let lucky_mult = is_lucky && self.chance(RollKey::LuckyMult, 1, 5);
        if lucky_mult {
            self.add_mult(source, None, 20.0);
        }
        if card.seal == Some(Seal::Gold) {
            self.earn(source, None, 3);
        }
        let lucky_money = is_lucky && self.chance(RollKey::LuckyMoney, 1, 15);
        if lucky_money {
            self.earn(source, None, 20);
        }
        if card.enhancement == Some(Enhancement::Glass) {
            self.times_mult(source, None, 2.0);
        }
        match card.edition {
            Some(Edition::Foil) => self.add_chips(source, None, 50.0),
            Some(Edition::Holo) => self.add_mult(source, None, 10.0),
            Some(Edition::Poly) => self.times_mult(source, None, 1.5),
            Some(Edition::Negative) | None => {}
        }
        lucky_mult || lucky_money
    }

    /// 5: each held card in hand order, as often as it triggers.
    fn score_held(&mut self) {
        let steel = |card: &Card| card.enhancement == Some(Enhancement::Steel);
        let reacts = self.reacts(Trigger::Held);
        if reacts {
            self.lowest_held = self.find_lowest_held();
        }
        for place in 0..self.held_count() {
            let card = *self.held(place);
            if !reacts && !steel(&card) || self.held_debuffed(&card) {
                continue;
            }
            let spot = Spot::Held(place as u16);
            let repetitions = self.repetitions(Trigger::RetriggerHeld, spot);
            for _ in 0..repetitions {
                if steel(&card) {
                    self.times_mult(StepSource::Card(card.id), None, 1.5);
                }
                self.fire_all(Trigger::Held, About::card(spot));
            }
        }
    }

    #[inline]
    fn repetitions(&mut self, trigger: Trigger, spot: Spot) -> u32 {
        let red = self.card(spot).seal == Some(Seal::Red);
        1 + u32::from(red) + self.fire_all(trigger, About::card(spot))
    }

    /// 6: each joker, left to right.
    fn score_jokers(&mut self) {
        let reactions = self.reacts(Trigger::ReactsToJoker);
        for place in 0..self.row.len() {
            let joker = self.scene.jokers[place];
            let source = StepSource::Joker(place as u8);
            let edition = joker.edition.filter(|_| !joker.debuffed);
            match edition {
                Some(Edition::Foil) => self.add_chips(source, None, 50.0),
                Some(Edition::Holo) => self.add_mult(source, None, 10.0),
                _ => {}
            }
            self.fire(place, Trigger::Main, About::NOTHING);
            if self.triggered {
                self.fire(place, Trigger::BossTriggered, About::NOTHING);
            }
            if reactions {
                let about = About { other: Some(place as u8), ..About::NOTHING };
                self.fire_all(Trigger::ReactsToJoker, about);
            }
            if edition == Some(Edition::Poly) {
                self.times_mult(source, None, 1.5);
            }
        }
    }

    /// 7: held planets, then the deck.
    fn finish(&mut self) {
        for _ in 0..self.scene.facts.planets_held[self.formed.hand.index()] {
            self.times_mult(StepSource::Planet, None, 1.5);
        }
        if self.scene.facts.balances {
            let mean = clamp(floor((self.chips + self.mult) / 2.0));
            (self.chips, self.mult) = (mean, mean);
            self.step(StepSource::Deck, None, StepKind::Balance, mean);
        }
    }

    /// 8: which scoring cards are destroyed, and who grows by it.
    fn destroy(&mut self) {
        for place in 0..self.played.len() {
            if self.formed.scoring & 1 << place == 0 || self.played[place].debuffed {
                continue;
            }
            self.fire_all(Trigger::DestroyCheck, About::card(Spot::Played(place as u8)));
            let glass = self.played[place].enhancement == Some(Enhancement::Glass);
            let survives = self.destroyed & 1 << place == 0;
            if glass && survives && self.chance(RollKey::Glass, 1, 4) {
                self.destroyed |= 1 << place;
                let source = StepSource::Card(self.played[place].id);
                self.step(source, None, StepKind::Destroy, 0.0);
            }
        }
        if self.destroyed != 0 {
            let (mut glass, mut faces) = (0, 0);
            for (place, card) in self.played.iter().enumerate() {
                if self.destroyed & 1 << place != 0 {
                    glass += u8::from(card.enhancement == Some(Enhancement::Glass));
                    faces += u8::from(self.row.mods.face(card));
                }
            }
            self.fire_all(Trigger::CardsDestroyed, About { glass, faces, ..About::NOTHING });
        }
    }

    fn outcome(&mut self, base: (f64, f64), score: f64) -> Outcome {
        let before = self.scene.jokers.iter();
        let jokers = before
            .zip(&self.states)
            .enumerate()
            .filter(|(_, (joker, now))| joker.state != **now)
            .map(|(place, (_, now))| (place, *now))
            .collect();
        let gone = if self.gone == 0 {
            Vec::new()
        } else {
            (0..self.row.len()).filter(|place| self.gone & 1 << place != 0).collect()
        };
        Outcome {
            hand: self.formed.hand,
            record: self.record,
            scoring: self.formed.scoring,
            blocked: self.blocked,
            triggered: self.triggered,
            base,
            chips: self.chips,
            mult: self.mult,
            score,
            money: self.money.saturating_sub(self.scene.facts.money),
            created: core::mem::take(&mut self.created),
            destroyed: self.destroyed,
            cards: self.played.clone(),
            jokers,
            gone,
        }
    }
}
