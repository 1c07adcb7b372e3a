//! Everything that the score of a play depends on.

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use serde::Serialize;

use crate::card::{Card, Edition, Rank, Suit};
use crate::content::bosses::BossEffect;
use crate::content::{BossId, JokerId};
use crate::joker::{JokerState, Link};
use crate::poker::{HandBook, HandRecord, HandSet, HandType, Mods};

/// A joker as the pipeline sees it.
#[derive(Clone, Copy, Debug)]
pub struct SceneJoker {
    /// Which joker it is.
    pub kind: JokerId,
    /// Its finish.
    pub edition: Option<Edition>,
    /// Does nothing, but is still counted.
    pub debuffed: bool,
    /// Dollars that it would sell for.
    pub sell: i64,
    /// What it remembers.
    pub state: JokerState,
}

impl SceneJoker {
    /// As copies and passives see it.
    #[must_use]
    pub const fn link(&self) -> Link {
        Link { kind: self.kind, debuffed: self.debuffed }
    }
}

/// The blind that is played against.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BossScene {
    /// The boss; `None` for other blinds and when it is disabled.
    pub boss: Option<BossId>,
    /// Types that were played in this round.
    pub seen: HandSet,
    /// The first type of this round.
    pub locked: Option<HandType>,
    /// The run's most played type when the blind started.
    pub most_played: Option<HandType>,
}

impl BossScene {
    /// What the boss does.
    #[must_use]
    pub fn effect(&self) -> BossEffect {
        self.boss.map_or(BossEffect::Plain, |boss| boss.spec().effect)
    }

    /// Whether the boss debuffs a card (rules: balatro 4, 6).
    #[must_use]
    pub fn debuffs(&self, card: &Card, mods: Mods) -> bool {
        match self.effect() {
            BossEffect::DebuffSuit(suit) => mods.boss_suit(card, suit),
            BossEffect::DebuffFaces => mods.printed_face(card),
            BossEffect::DebuffPlayed => card.played_this_ante,
            BossEffect::DebuffAll => true,
            _ => false,
        }
    }
}

/// Numbers of the run that effects read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Facts {
    /// Dollars owned before the play.
    pub money: i64,
    /// Hands left after the play.
    pub hands_left: u32,
    /// Discards left.
    pub discards_left: u32,
    /// Hands that the round has seen before the play.
    pub hands_played: u32,
    /// Cards in the draw pile.
    pub draw_pile: u32,
    /// Cards in the full deck.
    pub deck_size: u32,
    /// Cards in the full deck when the run started.
    pub starting_deck_size: u32,
    /// Steel cards in the full deck.
    pub steel_cards: u32,
    /// Stone cards in the full deck.
    pub stone_cards: u32,
    /// Enhanced cards in the full deck.
    pub enhanced_cards: u32,
    /// Joker slots, with those that negative jokers bring.
    pub joker_slots: i64,
    /// Blinds skipped in the run.
    pub skips: u32,
    /// Tarots used in the run.
    pub tarots_used: u32,
    /// Consumables that there is room for.
    pub consumable_room: u32,
    /// The round's ancient suit.
    pub ancient_suit: Option<Suit>,
    /// The round's idol.
    pub idol: Option<(Rank, Suit)>,
    /// Planets held that belong to a type, by [`HandType::index`]; all 0 without the voucher.
    pub planets_held: [u8; 12],
    /// Chips and mult are balanced at the end.
    pub balances: bool,
}

impl Default for Facts {
    fn default() -> Self {
        Self {
            money: 0,
            hands_left: 0,
            discards_left: 0,
            hands_played: 0,
            draw_pile: 0,
            deck_size: 52,
            starting_deck_size: 52,
            steel_cards: 0,
            stone_cards: 0,
            enhanced_cards: 0,
            joker_slots: 5,
            skips: 0,
            tarots_used: 0,
            consumable_room: 0,
            ancient_suit: None,
            idol: None,
            planets_held: [0; 12],
            balances: false,
        }
    }
}

/// A play and everything around it.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The played cards in the order of the command, at most five.
    pub played: ArrayVec<Card, 5>,
    /// The cards that stay in hand, in hand order.
    pub held: Vec<Card>,
    /// The joker row, left to right; at most [`MAX_JOKERS`](crate::joker::MAX_JOKERS) count.
    pub jokers: Vec<SceneJoker>,
    /// Levels and counters before the play.
    pub hands: HandBook,
    /// The blind.
    pub boss: BossScene,
    /// Numbers of the run.
    pub facts: Facts,
}

/// The cards that are played of a selection: the first five.
#[must_use]
pub fn first_five(selected: &[Card]) -> ArrayVec<Card, 5> {
    let mut played = ArrayVec::new();
    // Never more than there is room for.
    let _ = played.try_extend_from_slice(&selected[..selected.len().min(5)]);
    played
}

impl Default for Scene {
    fn default() -> Self {
        Self {
            played: ArrayVec::new(),
            held: Vec::new(),
            jokers: Vec::new(),
            hands: [HandRecord::NEW; 12],
            boss: BossScene::default(),
            facts: Facts::default(),
        }
    }
}
