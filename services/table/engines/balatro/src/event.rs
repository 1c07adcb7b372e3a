//! What happens in a run. Events are complete (the auditor's version); `redact` takes out what the
//! player may not know.

use alloc::boxed::Box;
use alloc::vec::Vec;

use parlor_game::HandResult;
use serde::{Deserialize, Serialize};

use crate::card::{Card, CardId};
use crate::content::{BossId, ConsumableId, TagId, VoucherId};
use crate::joker::{ItemId, Joker};
use crate::payout::Payout;
use crate::poker::{HandRecord, HandType, Places};
use crate::score::Step;
use crate::state::{Consumable, Marks, Offer, OpenPack, RunSummary, Shop, Start, TagOffer};

/// A card as a viewer sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandCard {
    /// Its name until the next shuffle.
    pub id: CardId,
    /// The card; `None` when it is face down and the viewer may not know it.
    pub card: Option<Card>,
}

impl HandCard {
    /// A card that is seen.
    #[must_use]
    pub const fn seen(card: Card) -> Self {
        Self { id: card.id, card: Some(card) }
    }
}

/// What draws another boss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BossReroll {
    /// The player, by a voucher that may count.
    Voucher,
    /// A tag.
    Tag,
}

/// Who discards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Discarder {
    /// The player: it costs a discard.
    Player,
    /// The boss.
    Boss,
}

/// Why something goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Removal {
    /// It was sold.
    Sold,
    /// It was destroyed.
    Destroyed,
    /// It is used up.
    UsedUp,
}

/// Where cards are added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Destination {
    /// Into the draw pile, to be shuffled in.
    Deck,
    /// Into the hand.
    Hand,
}

/// Why money changes hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MoneyCause {
    /// A beaten blind's payout.
    Payout,
    /// Something was bought.
    Purchase,
    /// Something was sold.
    Sale,
    /// The shop was rerolled.
    Reroll,
    /// The boss was rerolled.
    BossReroll,
    /// A joker's effect.
    Joker(ItemId),
    /// A rental joker's cost.
    Rental(ItemId),
    /// A card held at the end of a round.
    Card(CardId),
    /// A tag.
    Tag(TagId),
    /// A consumable.
    Consumable(ConsumableId),
}

/// A scored play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scored {
    /// The played type.
    pub hand: HandType,
    /// Its record after the play.
    pub record: HandRecord,
    /// The played cards after the play, in played order, with their debuffs.
    pub cards: Vec<Card>,
    /// Bit i is set when played card i was in the scoring set.
    pub scoring: Places,
    /// The boss did not let it score.
    pub blocked: bool,
    /// Final chips.
    pub chips: f64,
    /// Final mult.
    pub mult: f64,
    /// The score.
    pub score: f64,
    /// The round score after it.
    pub total: f64,
    /// Dollars earned, or lost when below 0.
    pub money: i64,
    /// Jokers that have changed.
    pub jokers: Vec<Joker>,
    /// Jokers that are used up.
    pub gone: Vec<ItemId>,
    /// Played cards that are destroyed.
    pub destroyed: Vec<CardId>,
    /// Copies that join deck and hand.
    pub added: Vec<Card>,
    /// The pipeline, step by step.
    pub trace: Vec<Step>,
}

/// The end of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunEnd {
    /// How it went.
    pub summary: RunSummary,
    /// No money moves: always without transfers.
    pub result: HandResult,
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// A run begins.
    RunStarted(Box<Start>),
    /// An ante begins.
    AnteStarted {
        /// Its number.
        ante: i32,
        /// Its boss.
        boss: BossId,
        /// The tags for skipping the small and the big blind.
        tags: [TagOffer; 2],
    },
    /// The ante has another boss.
    BossRerolled {
        /// The new boss.
        boss: BossId,
        /// By whom.
        by: BossReroll,
    },
    /// A round begins.
    BlindSelected {
        /// The score to reach.
        target: f64,
        /// Plays.
        hands: u32,
        /// Discards.
        discards: u32,
        /// The run's most played type.
        feared: HandType,
    },
    /// A blind was skipped.
    BlindSkipped,
    /// What the round singles out.
    MarksDrawn(Marks),
    /// Plays, discards or hand size of the round have changed.
    RoundChanged {
        /// Plays left.
        hands_left: u32,
        /// Discards left.
        discards_left: u32,
        /// Cards that the round adds to the hand size.
        hand_size: i32,
    },
    /// The full deck is shuffled.
    Shuffled {
        /// For each place of the new draw pile, the place in the old one. Hidden.
        order: Vec<u16>,
    },
    /// Cards are drawn from the top of the draw pile.
    Drawn {
        /// The cards.
        cards: Vec<HandCard>,
    },
    /// A card must be part of every selection, or none any more.
    CardForced {
        /// The card.
        card: Option<CardId>,
    },
    /// A joker is disabled for the hand.
    JokerDisabled {
        /// The joker.
        joker: Option<ItemId>,
    },
    /// The jokers are turned face down, shuffled, and get new item numbers.
    JokersHidden {
        /// For each place of the new row, the place in the old one. Hidden.
        order: Vec<u8>,
        /// The item number of the leftmost joker; the others follow.
        first: ItemId,
    },
    /// The boss has lost its ability.
    BossDisabled {
        /// The target now.
        target: f64,
        /// The hand, all face up.
        hand: Vec<Card>,
        /// The joker row, all face up.
        jokers: Vec<Joker>,
    },
    /// Cards are played, in this order.
    CardsPlayed {
        /// The cards, face up.
        cards: Vec<Card>,
    },
    /// The played cards have scored.
    Scored(Box<Scored>),
    /// Cards are discarded.
    CardsDiscarded {
        /// The cards, face up.
        cards: Vec<Card>,
        /// By whom.
        by: Discarder,
    },
    /// Playing cards join the deck.
    CardsAdded {
        /// The cards.
        cards: Vec<HandCard>,
        /// Where.
        to: Destination,
    },
    /// Held cards have changed.
    CardsChanged {
        /// The cards as they are now.
        cards: Vec<HandCard>,
    },
    /// Held cards are destroyed.
    CardsDestroyed {
        /// The cards.
        cards: Vec<CardId>,
    },
    /// A hand type has another level.
    HandLevelled {
        /// The type.
        hand: HandType,
        /// The level now.
        level: u32,
    },
    /// Money changes hands.
    MoneyChanged {
        /// Dollars earned, or spent when below 0.
        by: i64,
        /// Why.
        cause: MoneyCause,
        /// Dollars now.
        money: i64,
    },
    /// A joker joins the row at the right end.
    JokerGained {
        /// The joker.
        joker: Joker,
    },
    /// A joker has changed.
    JokerChanged {
        /// The joker as it is now.
        joker: Joker,
    },
    /// A joker goes.
    JokerRemoved {
        /// The joker.
        joker: ItemId,
        /// Why.
        removal: Removal,
    },
    /// A consumable is gained.
    ConsumableGained {
        /// The consumable.
        consumable: Consumable,
    },
    /// A consumable has changed.
    ConsumableChanged {
        /// The consumable as it is now.
        consumable: Consumable,
    },
    /// A consumable goes.
    ConsumableRemoved {
        /// The consumable.
        item: ItemId,
        /// Why.
        removal: Removal,
    },
    /// A consumable takes effect.
    ConsumableUsed {
        /// Which it is.
        kind: ConsumableId,
    },
    /// A tag is gained.
    TagGained {
        /// The tag.
        tag: TagOffer,
    },
    /// A tag takes effect and goes.
    TagUsed {
        /// The tag.
        tag: TagId,
    },
    /// The hand size changes for good.
    HandSizeChanged {
        /// By how many cards.
        by: i32,
        /// Because a joker was made negative.
        for_negative: bool,
    },
    /// A kind of joker is extinct for the rest of the run.
    KindExtinct,
    /// The target is reached, or the round was saved.
    RoundWon {
        /// What it will pay.
        payout: Payout,
        /// A joker has saved the round.
        saved: bool,
    },
    /// The payout was taken.
    CashedOut,
    /// A shop opens.
    ShopOpened {
        /// What it offers.
        shop: Box<Shop>,
        /// The voucher that the ante now has, when it was drawn for this shop.
        voucher: Option<VoucherId>,
    },
    /// The shop's card slots are filled anew.
    ShopRestocked {
        /// The new cards.
        cards: Vec<Offer>,
        /// Whether the reroll was a free one.
        free: bool,
    },
    /// The shop has more cards.
    OffersAdded {
        /// The new cards.
        cards: Vec<Offer>,
    },
    /// Something of the shop was bought.
    OfferTaken {
        /// The offer.
        item: ItemId,
    },
    /// A voucher takes effect.
    VoucherRedeemed {
        /// The voucher.
        voucher: VoucherId,
    },
    /// A pack opens.
    PackOpened {
        /// What it holds.
        pack: Box<OpenPack>,
    },
    /// A card of the pack was taken.
    PackPicked {
        /// The card.
        item: ItemId,
    },
    /// The pack closes; its hand of cards goes back.
    PackClosed,
    /// The shop closes.
    ShopLeft,
    /// Ante 8 is beaten.
    RunWon,
    /// The player plays on after the win.
    EndlessChosen,
    /// The hand has a new order.
    HandReordered {
        /// The cards in order.
        cards: Vec<CardId>,
    },
    /// The joker row has a new order.
    JokersReordered {
        /// The jokers in order.
        jokers: Vec<ItemId>,
    },
    /// The run has ended.
    RunEnded(Box<RunEnd>),
}
