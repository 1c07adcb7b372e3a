//! Playing cards and what can be done to them (rules: balatro 1, 5.2).

use core::fmt;

use serde::{Deserialize, Serialize};

/// A suit, in the order in which suits are tried for a flush.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Suit {
    /// Black.
    Spades,
    /// Red.
    Hearts,
    /// Black.
    Clubs,
    /// Red.
    Diamonds,
}

impl Suit {
    /// Every suit in order.
    pub const ALL: [Self; 4] = [Self::Spades, Self::Hearts, Self::Clubs, Self::Diamonds];

    /// `S`, `H`, `C` or `D`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Spades => 'S',
            Self::Hearts => 'H',
            Self::Clubs => 'C',
            Self::Diamonds => 'D',
        }
    }

    /// The suit of a letter.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|suit| suit.letter() == letter)
    }

    /// Hearts or Diamonds.
    #[must_use]
    pub const fn is_red(self) -> bool {
        matches!(self, Self::Hearts | Self::Diamonds)
    }
}

/// A rank: 2 is the lowest, the Ace the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum Rank {
    Two,
    Three,
    Four,
    Five,
    Six,
    Seven,
    Eight,
    Nine,
    Ten,
    Jack,
    Queen,
    King,
    Ace,
}

const RANK_NAMES: [&str; 13] = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"];

impl Rank {
    /// Every rank from the Two up.
    pub const ALL: [Self; 13] = [
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
        Self::Ace,
    ];

    /// `2` to `10`, `J`, `Q`, `K`, `A`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        RANK_NAMES[self as usize]
    }

    /// The rank of a name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.name() == name)
    }

    /// Chips of a scored card: the number, 10 for J Q K, 11 for the Ace (rules: balatro 1).
    #[must_use]
    pub const fn chips(self) -> u8 {
        match self {
            Self::Jack | Self::Queen | Self::King => 10,
            Self::Ace => 11,
            other => other as u8 + 2,
        }
    }

    /// J, Q or K.
    #[must_use]
    pub const fn is_face(self) -> bool {
        matches!(self, Self::Jack | Self::Queen | Self::King)
    }

    /// The next rank up; the Ace wraps to the Two.
    #[must_use]
    pub const fn next(self) -> Self {
        Self::ALL[(self as usize + 1) % 13]
    }
}

/// What a card has been turned into (rules: balatro 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Enhancement {
    /// +30 chips when scored.
    Bonus,
    /// +4 mult when scored.
    Mult,
    /// Counts as every suit.
    Wild,
    /// x2 mult when scored, then 1 in 4 to break.
    Glass,
    /// x1.5 mult while held.
    Steel,
    /// 50 chips, no rank, no suit, always scores.
    Stone,
    /// $3 when held at the end of the round.
    Gold,
    /// 1 in 5 for +20 mult, 1 in 15 for $20 when scored.
    Lucky,
}

impl Enhancement {
    /// Every enhancement in the document's order.
    pub const ALL: [Self; 8] = [
        Self::Bonus,
        Self::Mult,
        Self::Wild,
        Self::Glass,
        Self::Steel,
        Self::Stone,
        Self::Gold,
        Self::Lucky,
    ];

    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Bonus => "bonus",
            Self::Mult => "mult",
            Self::Wild => "wild",
            Self::Glass => "glass",
            Self::Steel => "steel",
            Self::Stone => "stone",
            Self::Gold => "gold",
            Self::Lucky => "lucky",
        }
    }

    /// The enhancement of an id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|enhancement| enhancement.id() == id)
    }
}

/// A finish of a card, a joker or a consumable (rules: balatro 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Edition {
    /// +50 chips.
    Foil,
    /// +10 mult.
    Holo,
    /// x1.5 mult.
    Poly,
    /// One more slot; jokers and consumables only.
    Negative,
}

impl Edition {
    /// Every edition in the document's order.
    pub const ALL: [Self; 4] = [Self::Foil, Self::Holo, Self::Poly, Self::Negative];

    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Foil => "foil",
            Self::Holo => "holo",
            Self::Poly => "poly",
            Self::Negative => "negative",
        }
    }

    /// The edition of an id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|edition| edition.id() == id)
    }

    /// Dollars that it adds to a price (rules: balatro 10).
    #[must_use]
    pub const fn price(self) -> i64 {
        match self {
            Self::Foil => 2,
            Self::Holo => 3,
            Self::Poly | Self::Negative => 5,
        }
    }
}

/// A seal on a playing card (rules: balatro 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Seal {
    /// $3 when scored.
    Gold,
    /// Triggers once more.
    Red,
    /// Creates the planet of the last played hand when held at the end of the round.
    Blue,
    /// Creates a tarot when discarded.
    Purple,
}

impl Seal {
    /// Every seal in the document's order.
    pub const ALL: [Self; 4] = [Self::Gold, Self::Red, Self::Blue, Self::Purple];

    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Gold => "gold",
            Self::Red => "red",
            Self::Blue => "blue",
            Self::Purple => "purple",
        }
    }

    /// The seal of an id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|seal| seal.id() == id)
    }
}

/// Names a playing card from one shuffle to the next: the number of its draw.
///
/// A shuffle gives new numbers, so that the id of a face-down card does not tell what it is.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct CardId(pub u16);

/// A playing card of the run's deck.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Card {
    /// Its name until the next shuffle.
    pub id: CardId,
    /// Printed rank.
    pub rank: Rank,
    /// Printed suit.
    pub suit: Suit,
    /// What it has been turned into.
    pub enhancement: Option<Enhancement>,
    /// Its finish; never negative.
    pub edition: Option<Edition>,
    /// Its seal.
    pub seal: Option<Seal>,
    /// Chips it has gained for good.
    pub permanent_chips: u32,
    /// Does nothing. Only set on copies that are about to be scored or shown.
    pub debuffed: bool,
    /// Hidden from the player.
    pub face_down: bool,
    /// Was part of a play since the ante began.
    pub played_this_ante: bool,
}

impl Card {
    /// A plain card.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self {
            id: CardId(0),
            rank,
            suit,
            enhancement: None,
            edition: None,
            seal: None,
            permanent_chips: 0,
            debuffed: false,
            face_down: false,
            played_this_ante: false,
        }
    }

    /// The plain card of a text such as `10H`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let letter = text.chars().next_back()?;
        let rank = text.get(..text.len() - letter.len_utf8())?;
        Some(Self::new(Rank::from_name(rank)?, Suit::from_letter(letter)?))
    }

    /// Whether nothing was done to it: no enhancement, no edition, no seal.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.enhancement.is_none() && self.edition.is_none() && self.seal.is_none()
    }

    /// Whether it is a Stone card: no rank, no suit.
    #[must_use]
    pub const fn is_stone(&self) -> bool {
        matches!(self.enhancement, Some(Enhancement::Stone))
    }

    /// Whether it is a Wild card.
    #[must_use]
    pub const fn is_wild(&self) -> bool {
        matches!(self.enhancement, Some(Enhancement::Wild))
    }
}

impl fmt::Display for Card {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.rank.name(), self.suit.letter())
    }
}
