//! A play while it is being scored, and the primitive steps that change it.

use alloc::vec::Vec;

use arrayvec::ArrayVec;

use super::outcome::{Created, Step, StepKind, StepSource};
use super::rolls::{RollKey, Rolls};
use super::scene::{Scene, SceneJoker, first_five};
use crate::card::{Card, CardId};
use crate::content::vocabulary::Trigger;
use crate::joker::{self, JokerState, MAX_JOKERS};
use crate::number::clamp;
use crate::poker::{Formed, HandRecord, Mods, Places, classify};

/// A card in the play: a played one or a held one, by place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Spot {
    Played(u8),
    Held(u16),
}

/// What a joker's effect is about. Small, for it goes with every reaction.
#[derive(Clone, Copy, Default)]
pub(super) struct About {
    pub spot: Option<Spot>,
    /// Place of the joker that is reacted to.
    pub other: Option<u8>,
    pub lucky: bool,
    pub added: u8,
    pub glass: u8,
    pub faces: u8,
}

impl About {
    pub(super) const NOTHING: Self =
        Self { spot: None, other: None, lucky: false, added: 0, glass: 0, faces: 0 };

    pub(super) const fn card(spot: Spot) -> Self {
        Self { spot: Some(spot), ..Self::NOTHING }
    }
}

/// What a joker row does in every play with it.
pub struct Row {
    /// What the jokers change about cards.
    pub(super) mods: Mods,
    /// How often listed chances are doubled.
    pub(super) doublings: u32,
    /// For each joker the place of the one by whose entry it acts and whose state it reads: its
    /// own unless it copies.
    acts_as: ArrayVec<u8, MAX_JOKERS>,
    /// For each trigger, the places of the jokers that react to it, one bit each.
    pub(super) reactors: [u64; Trigger::COUNT],
}

impl Row {
    /// Of a scene's jokers.
    #[must_use]
    pub fn of(scene: &Scene) -> Self {
        let jokers = &scene.jokers[..scene.jokers.len().min(MAX_JOKERS)];
        let (mods, doublings) = joker::mods(jokers.iter().map(SceneJoker::link));
        let (acts_as, reactors) = (ArrayVec::new(), [0; Trigger::COUNT]);
        let mut row = Self { mods, doublings, acts_as, reactors };
        for place in 0..jokers.len() {
            let of = joker::acts_as(|at| jokers.get(at).map(SceneJoker::link), place);
            if let Some(of) = of {
                for trigger in jokers[of].kind.spec().triggers() {
                    row.reactors[trigger] |= 1 << place;
                }
            }
            row.acts_as.push(of.unwrap_or(place) as u8);
        }
        row
    }

    /// What the jokers change about cards.
    #[must_use]
    pub const fn mods(&self) -> Mods {
        self.mods
    }

    /// How many jokers count.
    pub(super) const fn len(&self) -> usize {
        self.acts_as.len()
    }

    /// The place of the joker as which the one at `place` acts.
    pub(super) fn acts_as(&self, place: usize) -> usize {
        usize::from(self.acts_as[place])
    }
}

/// A play while it is being scored.
pub(super) struct Scorer<'a> {
    pub scene: &'a Scene,
    pub rolls: &'a mut dyn Rolls,
    pub trace: Option<Vec<Step>>,
    pub row: &'a Row,
    pub played: ArrayVec<Card, 5>,
    /// Copies that joined the hand during the play.
    pub copies: Vec<Card>,
    pub formed: Formed,
    pub record: HandRecord,
    /// What the jokers remember; empty until the play changes it.
    pub states: Vec<JokerState>,
    pub gone: u64,
    pub chips: f64,
    pub mult: f64,
    pub money: i64,
    pub room: u32,
    pub created: Vec<Created>,
    pub destroyed: Places,
    pub blocked: bool,
    pub triggered: bool,
    /// Steel, Stone and enhanced cards that the play has added to the full deck.
    pub deck_change: (i64, i64, i64),
    pub first_face: Option<usize>,
    pub lowest_held: Option<usize>,
}

impl<'a> Scorer<'a> {
    pub(super) fn new(
        scene: &'a Scene,
        row: &'a Row,
        rolls: &'a mut dyn Rolls,
        trace: Option<Vec<Step>>,
    ) -> Self {
        let mods = row.mods;
        let mut played = first_five(&scene.played);
        // 0: the boss's debuffs.
        for card in &mut played {
            card.debuffed |= scene.boss.debuffs(card, mods);
        }
        let formed = classify(&played, mods);
        Self {
            scene,
            rolls,
            trace,
            row,
            played,
            copies: Vec::new(),
            formed,
            record: scene.hands[formed.hand.index()],
            states: Vec::new(),
            gone: 0,
            chips: 0.0,
            mult: 0.0,
            money: scene.facts.money,
            room: scene.facts.consumable_room,
            created: Vec::new(),
            destroyed: 0,
            blocked: false,
            triggered: false,
            deck_change: (0, 0, 0),
            first_face: None,
            lowest_held: None,
        }
    }

    /// The joker as which the one at `place` acts.
    pub(super) fn acting(&self, place: usize) -> &'a SceneJoker {
        &self.scene.jokers[self.row.acts_as(place)]
    }

    /// What the joker remembers as which the one at `place` acts.
    pub(super) fn state(&self, place: usize) -> JokerState {
        let of = self.row.acts_as(place);
        self.states.get(of).map_or_else(|| self.scene.jokers[of].state, |state| *state)
    }

    /// The same, to be changed.
    pub(super) fn state_mut(&mut self, place: usize) -> &mut JokerState {
        if self.states.is_empty() {
            self.states.extend(self.scene.jokers.iter().map(|joker| joker.state));
        }
        &mut self.states[self.row.acts_as(place)]
    }

    /// Places of the scoring set, in played order.
    pub(super) fn scoring(&self) -> impl Iterator<Item = usize> + use<> {
        let scoring = self.formed.scoring;
        (0..self.played.len()).filter(move |place| scoring & 1 << place != 0)
    }

    pub(super) fn card(&self, spot: Spot) -> &Card {
        match spot {
            Spot::Played(place) => &self.played[usize::from(place)],
            Spot::Held(place) => self.held(usize::from(place)),
        }
    }

    pub(super) fn held_count(&self) -> usize {
        self.scene.held.len() + self.copies.len()
    }

    pub(super) fn held(&self, place: usize) -> &Card {
        let before = self.scene.held.len();
        if place < before { &self.scene.held[place] } else { &self.copies[place - before] }
    }

    /// Whether a held card does nothing; the scene's copy does not know of the boss yet.
    pub(super) fn held_debuffed(&self, card: &Card) -> bool {
        card.debuffed || self.scene.boss.debuffs(card, self.row.mods)
    }

    /// The rightmost of the lowest ranked held cards, debuffed or not (rules: balatro 7).
    pub(super) fn find_lowest_held(&self) -> Option<usize> {
        (0..self.held_count())
            .rev()
            .filter(|place| !self.held(*place).is_stone())
            .min_by_key(|place| self.held(*place).rank)
    }

    pub(super) fn chance(&mut self, key: RollKey, numerator: u32, denominator: u32) -> bool {
        let doubled = numerator.checked_shl(self.row.doublings).unwrap_or(u32::MAX);
        let certain = self.row.doublings >= 16 || doubled >= denominator;
        certain || self.rolls.chance(key, doubled, denominator)
    }

    pub(super) fn add_chips(&mut self, source: StepSource, on: Option<CardId>, chips: f64) {
        self.chips = clamp(self.chips + chips);
        self.step(source, on, StepKind::Chips, chips);
    }

    pub(super) fn add_mult(&mut self, source: StepSource, on: Option<CardId>, mult: f64) {
        self.mult = clamp(self.mult + mult);
        self.step(source, on, StepKind::Mult, mult);
    }

    pub(super) fn times_mult(&mut self, source: StepSource, on: Option<CardId>, factor: f64) {
        self.mult = clamp(self.mult * factor);
        self.step(source, on, StepKind::TimesMult, factor);
    }

    pub(super) fn earn(&mut self, source: StepSource, on: Option<CardId>, dollars: i64) {
        self.money = self.money.saturating_add(dollars);
        self.step(source, on, StepKind::Money, dollars as f64);
    }

    pub(super) fn level_up(&mut self, source: StepSource, by: i32) {
        self.record.level = self.record.level.saturating_add_signed(by).max(1);
        self.step(source, None, StepKind::Level, f64::from(by));
    }

    pub(super) fn step(
        &mut self,
        source: StepSource,
        on: Option<CardId>,
        kind: StepKind,
        value: f64,
    ) {
        if let Some(trace) = &mut self.trace {
            trace.push(Step { source, on, kind, value, chips: self.chips, mult: self.mult });
        }
    }
}
