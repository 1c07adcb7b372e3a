//! Tiles, suits, and a hand as counts of tiles.

use alloc::vec::Vec;
use core::fmt;

use serde::{Deserialize, Serialize};

/// How many kinds of tiles there are: three suits of nine ranks.
pub const KINDS: usize = 27;
/// How many copies of each kind are in the wall.
pub const COPIES: u8 = 4;

/// A suit (rules: mahjong 0).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Suit {
    /// 万, written `m`.
    Characters,
    /// 筒, written `p`.
    Dots,
    /// 条, written `s`.
    Bamboos,
}

impl Suit {
    /// All suits in their order, which also breaks ties.
    pub const ALL: [Self; 3] = [Self::Characters, Self::Dots, Self::Bamboos];

    /// The suits that are in the wall: all with four players, dots and bamboos with three.
    #[must_use]
    pub fn in_play(players: u8) -> &'static [Self] {
        if players == 3 { &Self::ALL[1..] } else { &Self::ALL }
    }

    /// `m`, `p` or `s`.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Characters => 'm',
            Self::Dots => 'p',
            Self::Bamboos => 's',
        }
    }

    /// The suit of a letter.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<Self> {
        match letter {
            'm' => Some(Self::Characters),
            'p' => Some(Self::Dots),
            's' => Some(Self::Bamboos),
            _ => None,
        }
    }

    /// The suit's place in [`Suit::ALL`].
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// One kind of tile, such as `3m`; by default `1m`.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub struct Tile(u8);

impl Tile {
    /// The tile of a suit and a rank from 1 to 9.
    #[must_use]
    pub const fn new(suit: Suit, rank: u8) -> Option<Self> {
        if rank >= 1 && rank <= 9 { Some(Self(suit as u8 * 9 + rank - 1)) } else { None }
    }

    /// The tile at a place in the order `1m..9m`, `1p..9p`, `1s..9s`.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Self> {
        if index < KINDS { Some(Self(index as u8)) } else { None }
    }

    /// The tile written as rank and suit letter, such as `3m`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut letters = text.chars();
        let (rank, suit) = (letters.next()?, letters.next()?);
        if letters.next().is_some() {
            return None;
        }
        let rank = u8::try_from(rank.to_digit(10)?).ok()?;
        Self::new(Suit::from_letter(suit)?, rank)
    }

    /// Every kind in order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..KINDS as u8).map(Self)
    }

    /// Place in the order of [`Tile::from_index`].
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The tile's suit.
    #[must_use]
    pub const fn suit(self) -> Suit {
        match self.0 / 9 {
            0 => Suit::Characters,
            1 => Suit::Dots,
            _ => Suit::Bamboos,
        }
    }

    /// The tile's rank, 1 to 9.
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 % 9 + 1
    }

    /// Whether the rank is 1 or 9.
    #[must_use]
    pub const fn is_terminal(self) -> bool {
        matches!(self.rank(), 1 | 9)
    }

    /// The tile `steps` ranks higher in the same suit.
    #[must_use]
    pub const fn up(self, steps: u8) -> Option<Self> {
        if self.rank() + steps <= 9 { Some(Self(self.0 + steps)) } else { None }
    }
}

impl TryFrom<u8> for Tile {
    type Error = &'static str;

    fn try_from(index: u8) -> Result<Self, Self::Error> {
        Self::from_index(usize::from(index)).ok_or("a tile is less than 27")
    }
}

impl From<Tile> for u8 {
    fn from(tile: Tile) -> Self {
        tile.0
    }
}

impl fmt::Display for Tile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.rank(), self.suit().letter())
    }
}

impl fmt::Debug for Tile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// The wall before the shuffle: 108 tiles, or 72 for three players, sorted (rules: mahjong 1.1).
#[must_use]
pub fn sorted_wall(players: u8) -> Vec<Tile> {
    let suits = Suit::in_play(players);
    let kinds = Tile::all().filter(|tile| suits.contains(&tile.suit()));
    kinds.flat_map(|tile| core::iter::repeat_n(tile, usize::from(COPIES))).collect()
}

/// How many tiles of each kind somebody holds. Never more tiles than a wall has.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct TileCounts([[u8; 9]; 3]);

impl TileCounts {
    /// Counts of the nine ranks of a suit.
    #[must_use]
    pub const fn suit(&self, suit: Suit) -> &[u8; 9] {
        &self.0[suit.index()]
    }

    /// How many tiles of this kind there are.
    #[must_use]
    pub const fn count(&self, tile: Tile) -> u8 {
        self.0[tile.index() / 9][tile.index() % 9]
    }

    /// Adds one tile.
    pub fn add(&mut self, tile: Tile) {
        self.add_many(tile, 1);
    }

    /// Adds several tiles of a kind.
    pub fn add_many(&mut self, tile: Tile, count: u8) {
        let cell = &mut self.0[tile.index() / 9][tile.index() % 9];
        *cell = cell.saturating_add(count);
    }

    /// Takes one tile away; answers whether it was there.
    pub fn remove(&mut self, tile: Tile) -> bool {
        self.remove_many(tile, 1)
    }

    /// Takes several tiles of a kind away; does nothing unless all are there.
    pub fn remove_many(&mut self, tile: Tile, count: u8) -> bool {
        let cell = &mut self.0[tile.index() / 9][tile.index() % 9];
        let enough = *cell >= count;
        if enough {
            *cell -= count;
        }
        enough
    }

    /// These tiles and one more.
    #[must_use]
    pub fn with(mut self, tile: Tile) -> Self {
        self.add(tile);
        self
    }

    /// These tiles without one of a kind (which should be there).
    #[must_use]
    pub fn without(mut self, tile: Tile) -> Self {
        self.remove(tile);
        self
    }

    /// These tiles without all those of a suit.
    #[must_use]
    pub const fn without_suit(mut self, suit: Suit) -> Self {
        self.0[suit.index()] = [0; 9];
        self
    }

    /// Tiles in a suit.
    #[must_use]
    pub fn suit_total(&self, suit: Suit) -> u8 {
        self.suit(suit).iter().fold(0, |sum, count| sum.wrapping_add(*count))
    }

    /// Tiles in all.
    #[must_use]
    pub fn total(&self) -> u8 {
        self.0.as_flattened().iter().fold(0, |sum, count| sum.wrapping_add(*count))
    }

    /// Whether every kind is there an even number of times.
    #[must_use]
    pub fn are_all_even(&self) -> bool {
        self.0.as_flattened().iter().fold(0, |bits, count| bits | count) & 1 == 0
    }

    /// Each kind that is there with its count, in order.
    pub fn kinds(&self) -> impl Iterator<Item = (Tile, u8)> + '_ {
        self.kinds_from(Tile(0))
    }

    /// Each kind from `first` on that is there, with its count, in order.
    pub fn kinds_from(&self, first: Tile) -> impl Iterator<Item = (Tile, u8)> + '_ {
        let counts = self.0.as_flattened().iter().copied().zip(0..).skip(first.index());
        counts.filter(|(count, _)| *count > 0).map(|(count, index)| (Tile(index), count))
    }

    /// Whether some kind is there four times.
    #[must_use]
    pub fn has_four(&self) -> bool {
        self.0.as_flattened().iter().fold(0, |bits, count| bits | count) & COPIES != 0
    }

    /// Every tile, sorted, equal tiles repeated.
    #[must_use]
    pub fn sorted(&self) -> Vec<Tile> {
        let mut tiles = Vec::with_capacity(14);
        for (tile, count) in self.kinds() {
            tiles.extend(core::iter::repeat_n(tile, usize::from(count)));
        }
        tiles
    }
}

impl FromIterator<Tile> for TileCounts {
    fn from_iter<I: IntoIterator<Item = Tile>>(tiles: I) -> Self {
        let mut counts = Self::default();
        tiles.into_iter().for_each(|tile| counts.add(tile));
        counts
    }
}

impl fmt::Debug for TileCounts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_list().entries(self.sorted()).finish()
    }
}

/// A set of kinds of tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TileSet(u32);

impl TileSet {
    /// Adds a kind.
    pub fn insert(&mut self, tile: Tile) {
        self.0 |= 1 << tile.index();
    }

    /// Whether the kind is in the set.
    #[must_use]
    pub const fn contains(self, tile: Tile) -> bool {
        self.0 >> tile.index() & 1 == 1
    }

    /// How many kinds are in the set.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The kinds of both sets.
    #[must_use]
    pub const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The kinds in order.
    pub fn iter(self) -> impl Iterator<Item = Tile> {
        let mut rest = self.0;
        core::iter::from_fn(move || {
            let tile = Tile::from_index(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(tile)
        })
    }
}
