//! Starting decks, stakes and profiles (rules: balatro 1, 13).

use serde::{Deserialize, Serialize};

use super::antes::Scaling;

/// Which cards a deck starts with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Composition {
    /// The 52 cards.
    Standard,
    /// The 40 cards without J, Q, K.
    NoFaces,
    /// 26 Spades and 26 Hearts.
    SpadesAndHearts,
    /// 52 cards of random rank and suit.
    Random,
}

/// The entry of a deck.
#[derive(Clone, Copy, Debug)]
pub struct DeckSpec {
    /// Stable lower-case id.
    pub id: &'static str,
    /// Hands more each round.
    pub hands: i32,
    /// Discards more each round.
    pub discards: i32,
    /// Dollars more at the start.
    pub money: i64,
    /// Cards more in hand.
    pub hand_size: i32,
    /// Joker slots more.
    pub joker_slots: i32,
    /// Consumable slots more.
    pub consumable_slots: i32,
    /// Vouchers owned from the start, by id.
    pub vouchers: &'static [&'static str],
    /// Consumables owned from the start, by id.
    pub consumables: &'static [&'static str],
    /// Weight of spectrals in shops, in tenths.
    pub spectral_rate: u32,
    /// Dollars for each hand left.
    pub per_hand_left: i64,
    /// Dollars for each discard left.
    pub per_discard_left: i64,
    /// Whether money bears interest.
    pub interest: bool,
    /// Which cards it starts with.
    pub composition: Composition,
    /// Chips and mult are balanced before they are multiplied.
    pub balances: bool,
    /// Targets are multiplied by this.
    pub target_times: u64,
    /// A Double tag after each boss.
    pub doubles_tags: bool,
}

impl DeckSpec {
    const fn named(id: &'static str) -> Self {
        Self { id, ..PLAIN }
    }
}

/// The 52 cards and no effect: the deck of a run for which none was chosen.
pub const PLAIN: DeckSpec = DeckSpec {
    id: "",
    hands: 0,
    discards: 0,
    money: 0,
    hand_size: 0,
    joker_slots: 0,
    consumable_slots: 0,
    vouchers: &[],
    consumables: &[],
    spectral_rate: 0,
    per_hand_left: 1,
    per_discard_left: 0,
    interest: true,
    composition: Composition::Standard,
    balances: false,
    target_times: 1,
    doubles_tags: false,
};

/// All decks.
pub const DECKS: [DeckSpec; 15] = [
    DeckSpec { discards: 1, ..DeckSpec::named("red") },
    DeckSpec { hands: 1, ..DeckSpec::named("blue") },
    DeckSpec { money: 10, ..DeckSpec::named("yellow") },
    DeckSpec { per_hand_left: 2, per_discard_left: 1, interest: false, ..DeckSpec::named("green") },
    DeckSpec { joker_slots: 1, hands: -1, ..DeckSpec::named("black") },
    DeckSpec {
        vouchers: &["crystal_ball"],
        consumables: &["fool", "fool"],
        ..DeckSpec::named("magic")
    },
    DeckSpec { vouchers: &["telescope"], consumable_slots: -1, ..DeckSpec::named("nebula") },
    DeckSpec { spectral_rate: 20, consumables: &["hex"], ..DeckSpec::named("ghost") },
    DeckSpec { composition: Composition::NoFaces, ..DeckSpec::named("abandoned") },
    DeckSpec { composition: Composition::SpadesAndHearts, ..DeckSpec::named("checkered") },
    DeckSpec {
        vouchers: &["tarot_merchant", "planet_merchant", "overstock"],
        ..DeckSpec::named("zodiac")
    },
    DeckSpec { hand_size: 2, joker_slots: -1, ..DeckSpec::named("painted") },
    DeckSpec { doubles_tags: true, ..DeckSpec::named("anaglyph") },
    DeckSpec { balances: true, target_times: 2, ..DeckSpec::named("plasma") },
    DeckSpec { composition: Composition::Random, ..DeckSpec::named("erratic") },
];

super::content_id! {
    /// A deck's place in [`DECKS`].
    DeckId, DeckSpec, DECKS
}

/// How hard the run is; each stake adds to the ones below it (rules: balatro 13).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Stake {
    /// Nothing added.
    #[default]
    White,
    /// The small blind pays nothing.
    Red,
    /// Targets of the second table.
    Green,
    /// Jokers may be eternal.
    Black,
    /// One discard fewer.
    Blue,
    /// Targets of the third table.
    Purple,
    /// Jokers may be perishable.
    Orange,
    /// Jokers may be rental.
    Gold,
}

impl Stake {
    /// Every stake, the easiest first.
    pub const ALL: [Self; 8] = [
        Self::White,
        Self::Red,
        Self::Green,
        Self::Black,
        Self::Blue,
        Self::Purple,
        Self::Orange,
        Self::Gold,
    ];

    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::White => "white",
            Self::Red => "red",
            Self::Green => "green",
            Self::Black => "black",
            Self::Blue => "blue",
            Self::Purple => "purple",
            Self::Orange => "orange",
            Self::Gold => "gold",
        }
    }

    /// The stake of an id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stake| stake.id() == id)
    }

    /// The table of targets.
    #[must_use]
    pub fn scaling(self) -> Scaling {
        match self {
            _ if self >= Self::Purple => Scaling::Third,
            _ if self >= Self::Green => Scaling::Second,
            _ => Scaling::First,
        }
    }
}

/// Which set of base numbers a run uses (content `profiles`).
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub enum Profile {
    /// 4 hands, $4, targets by the table, 28 bosses.
    #[default]
    Classic,
    /// 5 hands, $0, targets of 150, 250 and 350 rising by 50, suit and hand-type bosses.
    Seed,
}

impl Profile {
    /// Hands of a round before anything else.
    #[must_use]
    pub const fn hands(self) -> i32 {
        match self {
            Self::Classic => 4,
            Self::Seed => 5,
        }
    }

    /// Dollars at the start before anything else.
    #[must_use]
    pub const fn money(self) -> i64 {
        match self {
            Self::Classic => 4,
            Self::Seed => 0,
        }
    }
}
