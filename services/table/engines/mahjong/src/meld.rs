//! Melds: exposed pungs and all kongs (rules: mahjong 0, 4).

use arrayvec::ArrayVec;
use parlor_game::Seat;
use serde::{Deserialize, Serialize};

use crate::tile::{Tile, TileCounts};

/// Most melds that a seat can have.
pub const MELDS_MAX: usize = 4;

/// What kind of meld it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum MeldKind {
    /// 碰: three equal tiles, one of them claimed.
    Pung,
    /// 直杠: four equal tiles, one of them claimed.
    DirectKong,
    /// 巴杠: an own pung and the fourth tile.
    AddedKong,
    /// 暗杠: four equal tiles from the hand.
    ConcealedKong,
}

impl MeldKind {
    /// How many tiles it holds.
    #[must_use]
    pub const fn tiles(self) -> u8 {
        match self {
            Self::Pung => 3,
            _ => 4,
        }
    }
}

/// A meld in front of a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Meld {
    /// What kind of meld it is.
    pub kind: MeldKind,
    /// The tile of which it has three or four.
    pub tile: Tile,
    /// Whose discard was claimed for it; `None` for a concealed kong.
    pub from: Option<Seat>,
}

/// The melds of a seat in the order in which they were made.
pub type Melds = ArrayVec<Meld, MELDS_MAX>;

/// Adds the tiles of melds to counts.
pub fn count_melds(counts: &mut TileCounts, melds: &[Meld]) {
    for meld in melds {
        counts.add_many(meld.tile, meld.kind.tiles());
    }
}
