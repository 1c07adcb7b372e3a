//! What the bot scores with: the scene of its view.

use alloc::vec::Vec;

use crate::card::Card;
use crate::joker::Joker;
use crate::poker::Mods;
use crate::score::{Row, Scene, SceneJoker, estimate, first_five};
use crate::view::RunView;

/// The bot's estimate of plays.
pub struct Table {
    scene: Scene,
    row: Row,
    hand: Vec<Card>,
}

impl Table {
    /// Takes what the view shows; what is face down is left out.
    pub fn of(run: &RunView) -> Self {
        let seen = |view: &crate::view::JokerView| {
            let joker = scene_joker(view.joker.as_ref()?, view.sell);
            Some(SceneJoker { debuffed: view.debuffed, ..joker })
        };
        let mut facts = run.facts;
        facts.hands_left = facts.hands_left.saturating_sub(1);
        let mut jokers = Vec::with_capacity(run.jokers.len());
        jokers.extend(run.jokers.iter().filter_map(seen));
        let mut hand = Vec::with_capacity(run.hand.len());
        run.hand.iter().flat_map(|held| &held.card).for_each(|card| hand.push(*card));
        let scene = Scene {
            held: Vec::with_capacity(hand.len()),
            jokers,
            hands: run.hands,
            boss: run.boss_scene,
            facts,
            ..Scene::default()
        };
        let row = Row::of(&scene);
        Self { scene, row, hand }
    }

    /// The cards of the hand that are seen.
    pub fn hand(&self) -> &[Card] {
        &self.hand
    }

    /// Whether any joker has a say in scores.
    pub fn has_jokers(&self) -> bool {
        !self.scene.jokers.is_empty()
    }

    /// What the jokers change about cards.
    pub fn mods(&self) -> Mods {
        self.row.mods()
    }

    /// The score of a selection of the hand, without luck.
    pub fn score(&mut self, selected: &[Card]) -> f64 {
        self.scene.played = first_five(selected);
        let is_held = |card: &&Card| selected.iter().all(|other| other.id != card.id);
        self.scene.held.clear();
        self.hand.iter().filter(is_held).for_each(|card| self.scene.held.push(*card));
        estimate(&self.scene, &self.row)
    }

    /// Another joker row takes the place of the one that is shown.
    pub fn set_jokers(&mut self, jokers: &[SceneJoker]) {
        self.scene.jokers.clear();
        self.scene.jokers.extend_from_slice(jokers);
        self.scene.facts.joker_slots = self.scene.facts.joker_slots.max(jokers.len() as i64);
        self.row = Row::of(&self.scene);
    }

    /// The score of given cards.
    pub fn score_of(&mut self, played: &[Card], held: &[Card]) -> f64 {
        self.scene.played = first_five(played);
        self.scene.held.clear();
        self.scene.held.extend_from_slice(held);
        estimate(&self.scene, &self.row)
    }

    /// The joker row.
    pub fn jokers(&self) -> Vec<SceneJoker> {
        self.scene.jokers.clone()
    }
}

/// A joker as scoring sees it.
pub fn scene_joker(joker: &Joker, sell: i64) -> SceneJoker {
    let (kind, edition, state) = (joker.kind, joker.edition, joker.state);
    SceneJoker { kind, edition, debuffed: false, sell, state }
}
