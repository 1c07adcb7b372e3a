//! What a viewer may know of a run, built from nothing.
//!
//! A run has one player and nobody to hide from but its player: what is hidden (the order of the
//! draw pile, what is face down) is hidden from everybody but the auditor. A spectator sees what
//! the player sees, without what the player may do.

mod build;
mod shown;

use alloc::vec::Vec;

use parlor_game::Seat;
use serde::Serialize;

pub use shown::Shown;

use crate::blind::Blind;
use crate::card::CardId;
use crate::content::{BossId, ConsumableId, VoucherId};
use crate::event::HandCard;
use crate::joker::{ItemId, Joker};
use crate::options::Options;
use crate::payout::Payout;
use crate::poker::{HandBook, HandType};
use crate::score::{BossScene, Facts};
use crate::state::{Consumable, Marks, PackOffer, Phase, RunSummary, TagOffer, Ware};

/// What a viewer may know of a table.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// Runs that were started.
    pub runs: u32,
    /// The run in progress, or the last one.
    pub run: Option<RunView>,
}

/// What a viewer may know of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RunView {
    /// Whose run it is.
    pub seat: Seat,
    /// The options that it was started with.
    pub options: Options,
    /// Where it is.
    pub phase: Phase,
    /// Ante 8 was beaten.
    pub won: bool,
    /// The ante.
    pub ante: i32,
    /// The blind that is played or comes next.
    pub blind: Blind,
    /// Number of the round; 0 before the first.
    pub round_no: u32,
    /// The three blinds of the ante.
    pub blinds: [BlindView; 3],
    /// Dollars.
    pub money: i64,
    /// The round that is played; present in phase [`Phase::Playing`].
    pub round: Option<RoundView>,
    /// What the round singled out last.
    pub marks: Marks,
    /// The hand, in the player's order; also dealt with some packs.
    pub hand: Vec<HandCard>,
    /// Cards that are drawn up to.
    pub hand_size: usize,
    /// What is known of the deck.
    pub deck: DeckView,
    /// Levels and counters of the hand types.
    pub hands: HandBook,
    /// The joker row, left to right.
    pub jokers: Vec<JokerView>,
    /// Joker slots, with those that negative jokers bring.
    pub joker_slots: i64,
    /// The consumables.
    pub consumables: Vec<ConsumableView>,
    /// Consumable slots, with those that negative ones bring.
    pub consumable_slots: i64,
    /// Vouchers owned.
    pub vouchers: Vec<VoucherId>,
    /// Tags held.
    pub tags: Vec<TagOffer>,
    /// The payout that waits; present in phase [`Phase::RoundWon`].
    pub payout: Option<Payout>,
    /// The shop, while it is open.
    pub shop: Option<ShopView>,
    /// The open pack.
    pub pack: Option<PackView>,
    /// The last tarot or planet that can be copied.
    pub last_used: Option<ConsumableId>,
    /// How the run stands.
    pub summary: RunSummary,
    /// What the viewer may do; nothing for a spectator.
    pub may: May,
    /// The boss as scoring sees it.
    pub boss_scene: BossScene,
    /// Numbers of the run that scoring reads.
    pub facts: Facts,
}

/// How a blind of the ante stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum BlindStatus {
    /// It is over: beaten or skipped.
    Done,
    /// It is played or comes next.
    Current,
    /// It comes later.
    Later,
}

/// A blind of the ante.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct BlindView {
    /// Which of the three.
    pub blind: Blind,
    /// The boss, for the third.
    pub boss: Option<BossId>,
    /// The score to reach; infinite when out of reach.
    pub target: f64,
    /// Dollars for beating it.
    pub reward: i64,
    /// The tag for skipping it.
    pub tag: Option<TagOffer>,
    /// How it stands.
    pub status: BlindStatus,
}

/// The round that is played.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct RoundView {
    /// The score to reach; infinite when out of reach.
    pub target: f64,
    /// The score so far.
    pub score: f64,
    /// Plays left.
    pub hands_left: u32,
    /// Discards left.
    pub discards_left: u32,
    /// Plays made.
    pub hands_played: u32,
    /// Discards made.
    pub discards_used: u32,
    /// The boss has lost its ability.
    pub boss_disabled: bool,
    /// The first type that was played.
    pub locked: Option<HandType>,
    /// The run's most played type when the round began.
    pub feared: HandType,
    /// The card that every selection must hold.
    pub forced: Option<CardId>,
}

/// What is known of the deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct DeckView {
    /// Cards of the full deck.
    pub full: u32,
    /// Cards of the draw pile.
    pub draw_pile: u32,
    /// Cards that are not seen (in the draw pile or face down in hand), by suit and rank.
    pub unseen: [[u16; 13]; 4],
    /// Stone cards that are not seen.
    pub unseen_stones: u16,
}

/// A joker of the row.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JokerView {
    /// Its name in the run.
    pub item: ItemId,
    /// The joker; `None` when it is face down.
    pub joker: Option<Joker>,
    /// Does nothing now.
    pub debuffed: bool,
    /// Dollars that it sells for; 0 when it is face down.
    pub sell: i64,
    /// What its main effect gives now, when that is a number.
    pub shown: Option<Shown>,
    /// The viewer may sell it.
    pub sellable: bool,
}

/// A consumable that is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ConsumableView {
    /// The consumable.
    pub consumable: Consumable,
    /// Dollars that it sells for.
    pub sell: i64,
    /// The viewer may use it now, on cards that fit.
    pub usable: bool,
}

/// An open shop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShopView {
    /// Card slots.
    pub cards: Vec<OfferView>,
    /// Vouchers.
    pub vouchers: Vec<VoucherView>,
    /// Packs.
    pub packs: Vec<PackOfferView>,
    /// Dollars of the next reroll.
    pub reroll_cost: i64,
}

/// A card slot of the shop.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct OfferView {
    /// Its name in the run.
    pub item: ItemId,
    /// What it is.
    pub ware: Ware,
    /// Dollars that it costs.
    pub price: i64,
    /// The viewer may buy it: money and room allow it.
    pub buyable: bool,
}

/// A voucher in the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct VoucherView {
    /// Its name in the run.
    pub item: ItemId,
    /// Which it is.
    pub voucher: VoucherId,
    /// Dollars that it costs.
    pub price: i64,
    /// The viewer may buy it.
    pub buyable: bool,
}

/// A pack in the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PackOfferView {
    /// The pack.
    pub offer: PackOffer,
    /// Dollars that it costs.
    pub price: i64,
    /// The viewer may buy it.
    pub buyable: bool,
}

/// An open pack.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackView {
    /// Which it is.
    pub pack: crate::content::PackId,
    /// What is left in it.
    pub choices: Vec<ChoiceView>,
    /// How many may still be taken.
    pub picks_left: u32,
}

/// A card of an open pack.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ChoiceView {
    /// Its name in the run.
    pub item: ItemId,
    /// What it is.
    pub ware: Ware,
    /// The viewer may take it, on cards that fit.
    pub pickable: bool,
}

/// What the viewer may do now, beside what the items say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct May {
    /// Start the round.
    pub select_blind: bool,
    /// Skip the blind.
    pub skip_blind: bool,
    /// Draw another boss.
    pub reroll_boss: bool,
    /// Play cards.
    pub play: bool,
    /// Discard cards.
    pub discard: bool,
    /// Bring the hand into another order.
    pub reorder_hand: bool,
    /// Bring the jokers into another order.
    pub reorder_jokers: bool,
    /// Take the payout.
    pub cash_out: bool,
    /// Draw new cards for the shop.
    pub reroll: bool,
    /// Leave the shop.
    pub leave_shop: bool,
    /// Close the pack.
    pub skip_pack: bool,
    /// Play on after the win, or finish.
    pub continue_or_finish: bool,
    /// End the run.
    pub give_up: bool,
}
