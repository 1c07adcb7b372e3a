//! The things that a run is made of.

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::card::{Card, Rank, Suit};
use crate::content::{ConsumableId, PackId, TagId, VoucherId};
use crate::joker::{ItemId, Joker};
use crate::poker::HandType;

/// A consumable that is owned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Consumable {
    /// Its name in the run.
    pub item: ItemId,
    /// Which it is.
    pub kind: ConsumableId,
    /// Whether it brings its own slot.
    pub negative: bool,
    /// Dollars that its sell value has gained.
    pub sell_bonus: i64,
}

/// A tag, with the hand type that it shows when it levels one up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TagOffer {
    /// Which tag it is.
    pub tag: TagId,
    /// The hand type that it levels up.
    pub hand: Option<HandType>,
}

/// The voucher of an ante.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum VoucherSlot {
    /// The ante's first shop has not been entered.
    Undrawn,
    /// In the shops of the ante until it is bought.
    Offered(VoucherId),
    /// Bought, or there was none left to offer.
    Gone,
}

/// What a round singles out (rules: balatro 2.1, 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Marks {
    /// The mail rank.
    pub mail_rank: Rank,
    /// The castle suit.
    pub castle_suit: Suit,
    /// The ancient suit.
    pub ancient_suit: Suit,
    /// The idol card.
    pub idol: (Rank, Suit),
}

impl Default for Marks {
    fn default() -> Self {
        Self {
            mail_rank: Rank::Ace,
            castle_suit: Suit::Spades,
            ancient_suit: Suit::Spades,
            idol: (Rank::Ace, Suit::Spades),
        }
    }
}

/// Something that a shop or a pack offers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ware {
    /// A joker.
    Joker(Joker),
    /// A consumable.
    Consumable(ConsumableId),
    /// A playing card.
    Card(Card),
}

/// A card slot of the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// Its name in the run.
    pub item: ItemId,
    /// What it is.
    pub ware: Ware,
    /// Costs nothing.
    pub free: bool,
}

/// A voucher in the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VoucherOffer {
    /// Its name in the run.
    pub item: ItemId,
    /// Which it is.
    pub voucher: VoucherId,
}

/// A pack in the shop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PackOffer {
    /// Its name in the run.
    pub item: ItemId,
    /// Which it is.
    pub pack: PackId,
    /// Costs nothing.
    pub free: bool,
}

/// An open shop (rules: balatro 10).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shop {
    /// Card slots that are still filled.
    pub cards: Vec<Offer>,
    /// Vouchers.
    pub vouchers: Vec<VoucherOffer>,
    /// Packs.
    pub packs: Vec<PackOffer>,
    /// Rerolls that were not free.
    pub paid_rerolls: u32,
    /// Rerolls that were free.
    pub free_rerolls: u32,
    /// Rerolls start at $0.
    pub rerolls_from_zero: bool,
}

/// A card of an open pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// Its name in the run.
    pub item: ItemId,
    /// What it is.
    pub ware: Ware,
}

/// An open pack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenPack {
    /// Which it is.
    pub pack: PackId,
    /// What is left in it.
    pub choices: Vec<Choice>,
    /// How many may still be taken.
    pub picks_left: u32,
}
