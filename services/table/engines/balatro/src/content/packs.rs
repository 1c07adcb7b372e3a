//! Booster packs (rules: balatro 10).

use serde::{Deserialize, Serialize};

/// What a pack holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum PackKind {
    /// Tarots, with a hand of cards to use them on.
    Arcana,
    /// Planets.
    Celestial,
    /// Playing cards.
    Standard,
    /// Jokers.
    Buffoon,
    /// Spectrals, with a hand of cards to use them on.
    Spectral,
}

impl PackKind {
    /// Whether a temporary hand is dealt.
    #[must_use]
    pub const fn deals_hand(self) -> bool {
        matches!(self, Self::Arcana | Self::Spectral)
    }
}

/// The entry of a pack.
#[derive(Clone, Copy, Debug)]
pub struct PackSpec {
    /// Stable lower-case id.
    pub id: &'static str,
    /// What it holds.
    pub kind: PackKind,
    /// How many cards.
    pub cards: u32,
    /// How many of them may be taken.
    pub choose: u32,
    /// Dollars before the discount.
    pub cost: i64,
    /// Weight among shop packs, in hundredths.
    pub weight: u32,
}

const fn pack(id: &'static str, kind: PackKind, size: (u32, u32, i64), weight: u32) -> PackSpec {
    PackSpec { id, kind, cards: size.0, choose: size.1, cost: size.2, weight }
}

/// All packs: cards, picks and dollars, then the weight.
pub const PACKS: [PackSpec; 15] = [
    pack("arcana_normal", PackKind::Arcana, (3, 1, 4), 400),
    pack("arcana_jumbo", PackKind::Arcana, (5, 1, 6), 200),
    pack("arcana_mega", PackKind::Arcana, (5, 2, 8), 50),
    pack("celestial_normal", PackKind::Celestial, (3, 1, 4), 400),
    pack("celestial_jumbo", PackKind::Celestial, (5, 1, 6), 200),
    pack("celestial_mega", PackKind::Celestial, (5, 2, 8), 50),
    pack("standard_normal", PackKind::Standard, (3, 1, 4), 400),
    pack("standard_jumbo", PackKind::Standard, (5, 1, 6), 200),
    pack("standard_mega", PackKind::Standard, (5, 2, 8), 50),
    pack("buffoon_normal", PackKind::Buffoon, (2, 1, 4), 120),
    pack("buffoon_jumbo", PackKind::Buffoon, (4, 1, 6), 60),
    pack("buffoon_mega", PackKind::Buffoon, (4, 2, 8), 15),
    pack("spectral_normal", PackKind::Spectral, (2, 1, 4), 60),
    pack("spectral_jumbo", PackKind::Spectral, (4, 1, 6), 30),
    pack("spectral_mega", PackKind::Spectral, (4, 2, 8), 7),
];

super::content_id! {
    /// A pack's place in [`PACKS`].
    PackId, PackSpec, PACKS
}
