//! What happened at the table, complete. [`redact`](crate::redact) says who sees what of it.

use alloc::sync::Arc;
use alloc::vec::Vec;

use parlor_game::{Amount, Entrant, HandResult, Seat};
use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::settlement::Settlement;
use crate::shoe::{Occasion, Stock};
use crate::state::HandStatus;

/// Something that happened. Cards are `None` only in what a viewer gets who may not know them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Event {
    /// A round began and bets may be made.
    RoundOpened {
        /// Counts the rounds of the table from 1.
        round: u32,
        /// Who keeps the bank of this round.
        banker: Seat,
        /// Who is at the table, the banker included, by seat.
        entrants: Vec<Entrant>,
    },
    /// Cards were shuffled and became the stock.
    Shuffled {
        /// The whole shoe or the tray.
        occasion: Occasion,
        /// Cards in the new stock.
        count: u16,
        /// The new stock from the top.
        stock: Option<Stock>,
    },
    /// A seat bet.
    BetPlaced {
        /// Who.
        seat: Seat,
        /// How much.
        amount: Amount,
    },
    /// A seat does not bet on this round.
    SatOut {
        /// Who.
        seat: Seat,
    },
    /// A seat's occupant left; it declines and stands from now on.
    SeatLeft {
        /// Who.
        seat: Seat,
    },
    /// Everybody has two cards.
    Dealt {
        /// Whether the players' cards lie open.
        faces: Faces,
        /// The players' cards in the order of play.
        hands: Vec<DealtHand>,
        /// The banker's card that everybody sees.
        up: Card,
        /// The banker's card that nobody sees.
        hole: Option<Card>,
    },
    /// The banker shows an ace: everybody in the round may insure.
    InsuranceOffered,
    /// A seat insured.
    InsuranceTaken {
        /// Who.
        seat: Seat,
        /// How much.
        amount: Amount,
    },
    /// A seat took its bet for a natural.
    EvenMoneyTaken {
        /// Who.
        seat: Seat,
    },
    /// A seat took no insurance.
    InsuranceDeclined {
        /// Who.
        seat: Seat,
    },
    /// The hole card was looked at before anyone played.
    BankerPeeked {
        /// Whether it makes a natural; the round then ends. Otherwise insurance is lost.
        natural: bool,
    },
    /// It is this hand's turn.
    TurnStarted {
        /// Whose.
        seat: Seat,
        /// Which of the seat's hands, from 0.
        hand: u8,
    },
    /// A hand took a card.
    Hit {
        /// Whether the card lies open.
        faces: Faces,
        /// Whose.
        seat: Seat,
        /// Which of the seat's hands.
        hand: u8,
        /// The card.
        card: Option<Card>,
        /// What became of the hand.
        status: HandStatus,
    },
    /// A hand is done: the seat stood, or the hand needed no decision.
    Stood {
        /// Whose.
        seat: Seat,
        /// Which of the seat's hands.
        hand: u8,
    },
    /// A hand was doubled.
    Doubled {
        /// Whether the card lies open.
        faces: Faces,
        /// Whose.
        seat: Seat,
        /// Which of the seat's hands.
        hand: u8,
        /// The one card.
        card: Option<Card>,
        /// The stake now.
        stake: Amount,
        /// What became of the hand.
        status: HandStatus,
    },
    /// A hand became two: its second card went to a new hand right after it.
    Split {
        /// Whether the cards lie open.
        faces: Faces,
        /// Whose.
        seat: Seat,
        /// Which of the seat's hands; the new one has the next number.
        hand: u8,
        /// The stake of each of the two.
        stake: Amount,
        /// The new card of the hand and that of the new hand.
        cards: Option<[Card; 2]>,
    },
    /// A hand was given up.
    Surrendered {
        /// Whose.
        seat: Seat,
        /// Which of the seat's hands.
        hand: u8,
    },
    /// The banker's hole card was turned.
    HoleRevealed {
        /// The card.
        card: Card,
    },
    /// The banker took a card.
    BankerDrew {
        /// The card.
        card: Card,
    },
    /// The round was paid.
    Settled {
        /// What every hand won or lost.
        settlement: Arc<Settlement>,
        /// What moved between the stacks.
        result: HandResult,
        /// Whether the stock serves the next round too.
        shoe: ShoeFate,
    },
    /// Nobody bet.
    Voided {
        /// Whether the stock serves the next round too.
        shoe: ShoeFate,
    },
}

/// Whether the players' cards lie open (setting `player_cards_public`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Faces {
    /// Everybody sees them.
    Up,
    /// Only the seat itself sees them before the settlement.
    Down,
}

/// The first two cards of a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DealtHand {
    /// Whose.
    pub seat: Seat,
    /// The cards.
    pub cards: Option<[Card; 2]>,
}

/// What becomes of the shoe after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ShoeFate {
    /// The next round draws from what is left, so its order stays secret.
    GoesOn,
    /// The next round begins with a shuffle of the whole shoe.
    Ends,
}
