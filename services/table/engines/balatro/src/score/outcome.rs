//! What a play comes to.

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use crate::card::{Card, CardId};
use crate::content::{ConsumableKind, JokerId};
use crate::joker::JokerState;
use crate::poker::{HandRecord, HandType, Places};

/// Something that a play has created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Created {
    /// What it is.
    pub kind: CreatedKind,
    /// The joker whose effect it was.
    pub by: JokerId,
}

/// What a play can create.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreatedKind {
    /// A random consumable of a kind.
    Consumable(ConsumableKind),
    /// A playing card, into deck and hand.
    Card(Card),
}

/// What a play comes to. Nothing of it has happened yet.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The played type.
    pub hand: HandType,
    /// Its record after the play: counters, and the level after The Arm and level-ups.
    pub record: HandRecord,
    /// Bit i is set when played card i was in the scoring set.
    pub scoring: Places,
    /// The boss did not let it score.
    pub blocked: bool,
    /// The boss was triggered.
    pub triggered: bool,
    /// Chips and mult of the type at its level, as the boss left them; 0 when blocked.
    pub base: (f64, f64),
    /// Final chips.
    pub chips: f64,
    /// Final mult.
    pub mult: f64,
    /// The score: whole, finite, never below 0.
    pub score: f64,
    /// Dollars earned, or lost when below 0.
    pub money: i64,
    /// What was created, in order.
    pub created: Vec<Created>,
    /// Bit i is set when played card i was destroyed.
    pub destroyed: Places,
    /// The played cards as they are now, with the debuffs of the boss.
    pub cards: ArrayVec<Card, 5>,
    /// Jokers that have changed: place and new state.
    pub jokers: Vec<(usize, JokerState)>,
    /// Places of the jokers that are used up.
    pub gone: Vec<usize>,
}

/// Who is behind a step of the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepSource {
    /// The played type.
    Hand,
    /// The boss.
    Boss,
    /// A played or held card.
    Card(CardId),
    /// The joker at a place of the row.
    Joker(u8),
    /// A held planet.
    Planet,
    /// The starting deck.
    Deck,
}

/// What a step of the score does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum StepKind {
    /// Sets chips and mult to the running values.
    Base,
    /// Adds chips.
    Chips,
    /// Adds mult.
    Mult,
    /// Multiplies mult.
    TimesMult,
    /// Earns (or loses) dollars.
    Money,
    /// The played type gains (or loses) levels.
    Level,
    /// A card triggers again, or a value of a joker or card grows.
    Grow,
    /// A card triggers again.
    Again,
    /// Sets chips and mult to their mean.
    Balance,
    /// The boss blocks the play.
    Blocked,
    /// Something is created.
    Create,
    /// A card is destroyed.
    Destroy,
}

/// One step of the pipeline, for showing it as it runs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Who is behind it.
    pub source: StepSource,
    /// The card that it happens on, when that is not the source.
    pub on: Option<CardId>,
    /// What it does.
    pub kind: StepKind,
    /// By how much.
    pub value: f64,
    /// Chips after it.
    pub chips: f64,
    /// Mult after it.
    pub mult: f64,
}
