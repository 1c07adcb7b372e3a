//! What a table remembers: its options and the run (rules: balatro 2).
//!
//! * [`Run`] is everything of one run, folded from events by `evolve`.
//! * `derive`, `price` and `scene` compute what follows from it: hand size and slots, prices, what
//!   scoring sees.
//! * `items` has the things that a run is made of.

mod derive;
mod items;
mod price;
mod scene;

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;

use arrayvec::ArrayVec;
use parlor_game::Seat;
use serde::{Deserialize, Serialize};

pub use items::{
    Choice, Consumable, Marks, Offer, OpenPack, PackOffer, Shop, TagOffer, VoucherOffer,
    VoucherSlot, Ware,
};

use crate::blind::{Blind, Disabled};
use crate::card::{Card, CardId};
use crate::content::vouchers::VoucherSet;
use crate::content::{BossId, ConsumableId};
use crate::joker::{ItemId, Joker};
use crate::options::Options;
use crate::payout::Payout;
use crate::poker::{HandBook, HandRecord, HandType};

/// A table's state: one match, which may see several runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The room options.
    pub options: Options,
    /// Runs that were started.
    pub runs: u32,
    /// The run in progress, or the last one.
    pub run: Option<Box<Run>>,
}

/// Where a run is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// A blind is to be selected or skipped.
    BlindSelect,
    /// A round is played.
    Playing,
    /// A round is won; the payout waits.
    RoundWon,
    /// In the shop.
    Shop,
    /// Ante 8 is beaten: play on or finish.
    Won,
    /// The run has ended.
    Over,
}

impl Phase {
    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::BlindSelect => "blind_select",
            Self::Playing => "playing",
            Self::RoundWon => "round_won",
            Self::Shop => "shop",
            Self::Won => "won",
            Self::Over => "over",
        }
    }
}

/// The round that is played, or was played last.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// The score to reach; infinite when out of reach.
    pub target: f64,
    /// The score so far: whole and finite.
    pub score: f64,
    /// Plays left.
    pub hands_left: u32,
    /// Discards left.
    pub discards_left: u32,
    /// Plays made.
    pub hands_played: u32,
    /// Discards made.
    pub discards_used: u32,
    /// Cards that the round adds to (or takes from) the hand size.
    pub hand_size: i32,
    /// Whether the boss has lost its ability.
    pub boss: Disabled,
    /// The first type that was played.
    pub locked: Option<HandType>,
    /// The run's most played type when the round began.
    pub feared: HandType,
    /// The type that was played last.
    pub last_hand: Option<HandType>,
    /// The card that every selection must hold.
    pub forced: Option<CardId>,
    /// The joker that is disabled for this hand.
    pub disabled_joker: Option<ItemId>,
    /// What the round singles out.
    pub marks: Marks,
}

/// What a run counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Blinds skipped.
    pub skips: u32,
    /// Rounds won.
    pub rounds_won: u32,
    /// Hands played.
    pub hands_played: u32,
    /// Discards that rounds had left when they were won.
    pub discards_saved: u32,
    /// Tarots used.
    pub tarots_used: u32,
    /// Planets used: one bit for each hand type.
    pub planets_used: u16,
    /// The last tarot or planet that can be copied.
    pub last_used: Option<ConsumableId>,
    /// The best score of one play.
    pub best_hand: f64,
    /// Cards that the hand has gained (or lost) for good.
    pub hand_size: i32,
    /// Times that a joker was made negative by a spectral.
    pub ectoplasms: u32,
    /// The kind that closes and opens pool gates is extinct.
    pub extinct: bool,
    /// Antes started; each has a number of its own even when an ante is played again.
    pub antes: u32,
    /// Shuffles made.
    pub shuffles: u32,
    /// Shops entered.
    pub shops: u32,
    /// Packs opened.
    pub packs: u32,
    /// Consumables used.
    pub uses: u32,
    /// Times that the boss was rerolled.
    pub boss_rerolls: u32,
}

/// One run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Whose run it is.
    pub seat: Seat,
    /// The options that it was started with.
    pub options: Options,
    /// Where it is.
    pub phase: Phase,
    /// Ante 8 was beaten.
    pub won: bool,
    /// The ante; may go below 1.
    pub ante: i32,
    /// The blind that is played or comes next.
    pub blind: Blind,
    /// Number of the round, from 1; 0 before the first.
    pub round_no: u32,
    /// The boss of the ante.
    pub boss: BossId,
    /// Times that each boss was drawn, by place.
    pub boss_uses: ArrayVec<u8, { BossId::COUNT }>,
    /// Rerolls of this ante's boss.
    pub boss_rerolls: u32,
    /// The tags of the small and the big blind.
    pub tag_offers: [TagOffer; 2],
    /// The ante's voucher.
    pub voucher: VoucherSlot,
    /// Dollars.
    pub money: i64,
    /// Levels and counters of the hand types.
    pub hands: HandBook,
    /// The joker row, left to right.
    pub jokers: Vec<Joker>,
    /// The consumables.
    pub consumables: Vec<Consumable>,
    /// Vouchers owned.
    pub vouchers: VoucherSet,
    /// Tags held.
    pub tags: Vec<TagOffer>,
    /// Cards that are nowhere else; the last one is drawn next.
    pub draw_pile: Vec<Card>,
    /// Cards in hand, in the player's order.
    pub hand: Vec<Card>,
    /// Cards that are being scored.
    pub table: Vec<Card>,
    /// Cards that were played or discarded in this round.
    pub discarded: Vec<Card>,
    /// Cards of the deck when the run began.
    pub starting_deck: u32,
    /// The round.
    pub round: Round,
    /// What the last round pays; waits in phase [`Phase::RoundWon`].
    pub payout: Payout,
    /// The shop, while it is open.
    pub shop: Option<Box<Shop>>,
    /// The open pack.
    pub pack: Option<Box<OpenPack>>,
    /// What is counted.
    pub tally: Tally,
    /// The next free item number.
    pub next_item: u32,
    /// The next free card number.
    pub next_card: u16,
    /// Events so far.
    pub steps: u32,
}

/// What a run begins with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Whose run it is.
    pub seat: Seat,
    /// The room options.
    pub options: Options,
    /// Dollars.
    pub money: i64,
    /// The deck.
    pub cards: Vec<Card>,
    /// Vouchers of the deck.
    pub vouchers: VoucherSet,
    /// Consumables of the deck.
    pub consumables: Vec<Consumable>,
}

/// What ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The rules: lost, or won and finished.
    Decided,
    /// The player gave up.
    GivenUp,
}

/// How a run stands, or how it ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunSummary {
    /// Ante 8 was beaten.
    pub won: bool,
    /// Whether the player gave up.
    pub gave_up: bool,
    /// The ante in which it ended.
    pub ante: i32,
    /// Rounds played.
    pub round_no: u32,
    /// Rounds won.
    pub rounds_won: u32,
    /// Blinds skipped.
    pub skips: u32,
    /// Hands played.
    pub hands_played: u32,
    /// The best score of one play.
    pub best_hand: f64,
    /// The type that was played most.
    pub favourite: HandType,
    /// Dollars at the end.
    pub money: i64,
    /// The daily challenge that it belongs to.
    pub daily: Option<String>,
}

impl Run {
    /// A run before its first ante.
    pub(crate) fn new(start: &Start, first_boss: BossId, first_tag: TagOffer) -> Self {
        let items = start.consumables.iter().map(|consumable| consumable.item.0 + 1).max();
        Self {
            seat: start.seat,
            options: start.options.clone(),
            phase: Phase::BlindSelect,
            won: false,
            ante: 1,
            blind: Blind::Small,
            round_no: 0,
            boss: first_boss,
            boss_uses: [0; BossId::COUNT].into(),
            boss_rerolls: 0,
            tag_offers: [first_tag; 2],
            voucher: VoucherSlot::Undrawn,
            money: start.money,
            hands: [HandRecord::NEW; 12],
            jokers: Vec::new(),
            consumables: start.consumables.clone(),
            vouchers: start.vouchers,
            tags: Vec::new(),
            draw_pile: start.cards.clone(),
            hand: Vec::new(),
            table: Vec::new(),
            discarded: Vec::new(),
            starting_deck: u32::try_from(start.cards.len()).unwrap_or(u32::MAX),
            round: Round::default(),
            payout: Payout::default(),
            shop: None,
            pack: None,
            tally: Tally::default(),
            next_item: items.unwrap_or(0),
            next_card: u16::try_from(start.cards.len()).unwrap_or(u16::MAX),
            steps: 0,
        }
    }
}

impl Default for Round {
    fn default() -> Self {
        Self {
            target: 0.0,
            score: 0.0,
            hands_left: 0,
            discards_left: 0,
            hands_played: 0,
            discards_used: 0,
            hand_size: 0,
            boss: Disabled::No,
            locked: None,
            feared: HandType::HighCard,
            last_hand: None,
            forced: None,
            disabled_joker: None,
            marks: Marks::default(),
        }
    }
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            skips: 0,
            rounds_won: 0,
            hands_played: 0,
            discards_saved: 0,
            tarots_used: 0,
            planets_used: 0,
            last_used: None,
            best_hand: 0.0,
            hand_size: 0,
            ectoplasms: 0,
            extinct: false,
            antes: 0,
            shuffles: 0,
            shops: 0,
            packs: 0,
            uses: 0,
            boss_rerolls: 0,
        }
    }
}
