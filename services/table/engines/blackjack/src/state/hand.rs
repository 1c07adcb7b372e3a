//! One hand of a player.

use parlor_game::Amount;
use serde::{Deserialize, Serialize};

use crate::card::{Cards, Total, is_natural};

/// One hand of a player.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hand {
    /// The cards in the order in which they came.
    pub cards: Cards,
    /// What is at risk.
    pub stake: Amount,
    /// What became of it.
    pub status: HandStatus,
    /// Where it comes from.
    pub origin: Origin,
    /// Whether it was doubled.
    pub doubled: bool,
}

/// What became of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum HandStatus {
    /// Still to be decided.
    Open,
    /// Done, and compared with the banker.
    Stood,
    /// Above 21.
    Bust,
    /// Given up.
    Surrendered,
    /// Took even money.
    EvenMoney,
}

/// Where a hand comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Origin {
    /// The deal.
    Deal,
    /// A split.
    Split,
    /// A split of two aces: it gets one card.
    SplitAces,
}

impl Hand {
    pub(crate) fn dealt(stake: Amount) -> Self {
        Self {
            cards: Cards::new(),
            stake,
            status: HandStatus::Open,
            origin: Origin::Deal,
            doubled: false,
        }
    }

    /// What the hand counts.
    #[must_use]
    pub fn total(&self) -> Total {
        Total::of(&self.cards)
    }

    /// Whether the hand is a natural: the two dealt cards count 21 (rules: blackjack 1).
    #[must_use]
    pub fn is_natural(&self) -> bool {
        self.origin == Origin::Deal && is_natural(&self.cards)
    }

    /// Whether the hand may be a natural for all that somebody knows who sees only its back.
    #[must_use]
    pub fn could_be_natural(&self) -> bool {
        self.origin == Origin::Deal && self.is_fresh()
    }

    /// Whether the hand has the two cards with which it began.
    #[must_use]
    pub fn is_fresh(&self) -> bool {
        self.cards.len() == 2
    }
}

impl HandStatus {
    /// The stable name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Stood => "stood",
            Self::Bust => "bust",
            Self::Surrendered => "surrendered",
            Self::EvenMoney => "even_money",
        }
    }
}
