//! What a finished round was worth to everybody.

use alloc::vec::Vec;

use parlor_game::{Amount, Seat};
use serde::{Deserialize, Serialize};

use crate::card::Cards;

/// The money of a round and the cards that decided it. Over seats, banker and house the deltas sum
/// to zero (rules: blackjack 6.1).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settlement {
    /// The round's number.
    pub round: u32,
    /// The seats that bet, in the order of play.
    pub seats: Vec<SeatSettlement>,
    /// The banker.
    pub banker: BankerSettlement,
    /// Commission of the round.
    pub house: Amount,
    /// Cards that the round drew.
    pub cards_used: u16,
}

/// One seat's part of a [`Settlement`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatSettlement {
    /// Who.
    pub seat: Seat,
    /// The first bet.
    pub bet: Amount,
    /// The seat's hands.
    pub hands: Vec<HandSettlement>,
    /// Insurance, when the seat took any.
    pub insurance: Option<InsuranceSettlement>,
    /// What hands and insurance won or lost together.
    pub net: Amount,
    /// What goes to the house.
    pub commission: Amount,
    /// `net` less `commission`.
    pub delta: Amount,
    /// The stack after the round; `None` in points mode.
    pub stack: Option<Amount>,
}

/// One hand's part of a [`Settlement`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandSettlement {
    /// The cards.
    pub cards: Cards,
    /// The best total.
    pub total: u8,
    /// What was at risk.
    pub stake: Amount,
    /// Whether the hand was doubled.
    pub doubled: bool,
    /// Which rule settled it.
    pub outcome: HandOutcome,
    /// What the seat won or lost with it.
    pub delta: Amount,
}

/// What insurance won or lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InsuranceSettlement {
    /// What was at risk.
    pub stake: Amount,
    /// Twice the stake won, or the stake lost.
    pub delta: Amount,
}

/// The banker's part of a [`Settlement`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BankerSettlement {
    /// Who.
    pub seat: Seat,
    /// The cards, up card and hole card first.
    pub cards: Cards,
    /// The best total.
    pub total: u8,
    /// Whether the first two cards were a natural.
    pub natural: bool,
    /// Cards drawn after the first two.
    pub drew: u8,
    /// Whether the banker had to draw and found no card.
    pub short: bool,
    /// What the banker won or lost to all seats together.
    pub net: Amount,
    /// What goes to the house.
    pub commission: Amount,
    /// `net` less `commission`.
    pub delta: Amount,
    /// The stack after the round; `None` in points mode.
    pub stack: Option<Amount>,
}

/// Which row of the settlement table applied (rules: blackjack 3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum HandOutcome {
    /// Beat the banker, or the banker went bust.
    Win,
    /// Lost to the banker.
    Lose,
    /// Went above 21.
    Bust,
    /// Lost to a natural.
    LoseBankerNatural,
    /// Nobody won.
    Push,
    /// Given up for half.
    Surrender,
    /// Won as a natural.
    Natural,
    /// Took even money.
    EvenMoney,
}

impl HandOutcome {
    /// Every outcome.
    pub const ALL: [Self; 8] = [
        Self::Win,
        Self::Lose,
        Self::Bust,
        Self::LoseBankerNatural,
        Self::Push,
        Self::Surrender,
        Self::Natural,
        Self::EvenMoney,
    ];

    /// The stable name, which is also the reason of the hand's transfer.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Lose => "lose",
            Self::Bust => "bust",
            Self::LoseBankerNatural => "lose_banker_natural",
            Self::Push => "push",
            Self::Surrender => "surrender",
            Self::Natural => "natural",
            Self::EvenMoney => "even_money",
        }
    }
}
