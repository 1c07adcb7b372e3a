//! What a player may ask for (rules: balatro 2).

use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::card::CardId;
use crate::joker::ItemId;

/// A player's command.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Command {
    /// Starts the round of the current blind.
    SelectBlind,
    /// Skips a small or big blind for its tag.
    SkipBlind,
    /// Another boss, for $10, with the voucher.
    RerollBoss,
    /// Plays one to five held cards, scored in this order.
    Play(Vec<CardId>),
    /// Discards one to five held cards.
    Discard(Vec<CardId>),
    /// The hand in a new order.
    ReorderHand(Vec<CardId>),
    /// The joker row in a new order.
    ReorderJokers(Vec<ItemId>),
    /// Uses a consumable on held cards.
    Use {
        /// The consumable.
        item: ItemId,
        /// The cards, in the order in which they were selected.
        targets: Vec<CardId>,
    },
    /// Sells a joker or a consumable.
    Sell(ItemId),
    /// Takes the payout and enters the shop.
    CashOut,
    /// Buys a card of the shop.
    Buy(ItemId),
    /// Buys a voucher.
    Redeem(ItemId),
    /// Buys and opens a pack.
    OpenPack(ItemId),
    /// Takes a card of the open pack; a consumable is used at once on the targets.
    Pick {
        /// The card of the pack.
        item: ItemId,
        /// Held cards for a consumable.
        targets: Vec<CardId>,
    },
    /// Closes the open pack without taking more.
    SkipPack,
    /// New cards in the shop.
    Reroll,
    /// Leaves the shop for the next blind.
    LeaveShop,
    /// Plays on after the run is won.
    Continue,
    /// Ends the run that is won.
    Finish,
    /// Ends the run at any time.
    GiveUp,
}
