//! The 52 cards and what they count.

use core::fmt;
use core::str::FromStr;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

/// Cards in one deck.
pub const DECK: usize = 52;

/// Most cards that one hand can hold: 21 aces of eight decks count 21, and one more is bust.
pub const HAND_MAX: usize = 22;

const RANKS: [&str; 13] = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const SUITS: [char; 4] = ['S', 'H', 'D', 'C'];

/// A playing card. Its text is rank and suit, such as `10H` or `AS`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Card(u8);

/// The cards of one hand in the order in which they came.
pub type Cards = ArrayVec<Card, HAND_MAX>;

/// A text or number that names no card.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no such card")]
pub struct NoSuchCard;

impl Card {
    /// The cards of one deck in the order in which a new deck lies: spades, hearts, diamonds,
    /// clubs, each from the ace to the king.
    pub fn deck() -> impl Iterator<Item = Self> {
        (0..DECK as u8).map(Self)
    }

    /// The rank, from 1 for an ace to 13 for a king.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 % 13 + 1
    }

    /// The points, with an ace as 1 and the pictures as 10.
    #[must_use]
    pub const fn points(self) -> u8 {
        let rank = self.rank();
        if rank > 10 { 10 } else { rank }
    }

    /// Whether the card is an ace, which counts 1 or 11.
    #[must_use]
    pub const fn is_ace(self) -> bool {
        self.rank() == 1
    }
}

impl fmt::Display for Card {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (suit, rank) = (usize::from(self.0) / 13, usize::from(self.0) % 13);
        write!(formatter, "{}{}", RANKS[rank], SUITS[suit % SUITS.len()])
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl FromStr for Card {
    type Err = NoSuchCard;

    fn from_str(text: &str) -> Result<Self, NoSuchCard> {
        let suit = text.chars().next_back().ok_or(NoSuchCard)?;
        let rank = text.strip_suffix(suit).ok_or(NoSuchCard)?;
        let suit = SUITS.iter().position(|&known| known == suit).ok_or(NoSuchCard)?;
        let rank = RANKS.iter().position(|&known| known == rank).ok_or(NoSuchCard)?;
        Self::try_from((suit * 13 + rank) as u8)
    }
}

impl TryFrom<u8> for Card {
    type Error = NoSuchCard;

    fn try_from(number: u8) -> Result<Self, NoSuchCard> {
        if usize::from(number) < DECK { Ok(Self(number)) } else { Err(NoSuchCard) }
    }
}

impl From<Card> for u8 {
    fn from(card: Card) -> Self {
        card.0
    }
}

/// What a hand counts (rules: blackjack 1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Total {
    /// The best total: each ace is lowered from 11 to 1 while the hand is above 21.
    pub points: u8,
    /// Whether an ace still counts 11.
    pub soft: bool,
}

impl Total {
    /// Counts cards.
    #[must_use]
    pub fn of(cards: &[Card]) -> Self {
        let (mut points, mut aces) = (0_u8, false);
        for card in cards {
            points = points.saturating_add(card.points());
            aces |= card.is_ace();
        }
        // A second ace as 11 would always be too much.
        let soft = aces && points <= 11;
        Self { points: if soft { points + 10 } else { points }, soft }
    }

    /// Whether the hand is above 21.
    #[must_use]
    pub const fn is_bust(self) -> bool {
        self.points > 21
    }
}

/// Whether these are two cards that count 21. Whether that makes a natural also depends on the
/// hand: one from a split never is.
#[must_use]
pub fn is_natural(cards: &[Card]) -> bool {
    cards.len() == 2 && Total::of(cards).points == 21
}
