//! What a seat, or the table, asks for.

use serde::{Deserialize, Serialize};

use crate::tile::{Suit, Tile};

/// A command. All but [`Command::CloseWindow`] come from seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Command {
    /// Gives away three tiles of one suit, in any order (rules: mahjong 1.7).
    Exchange([Tile; 3]),
    /// Declares the void suit (rules: mahjong 1.8).
    ChooseVoid(Suit),
    /// Discards a tile on the own turn.
    Discard(Tile),
    /// Declares four equal tiles of the hand (rules: mahjong 4.1).
    ConcealedKong(Tile),
    /// Adds the fourth tile to an own pung (rules: mahjong 4.2).
    AddedKong(Tile),
    /// Wins: with the drawn tile on the own turn, or with the offered tile.
    Win,
    /// Claims the offered discard for a kong (rules: mahjong 4.3).
    Kong,
    /// Claims the offered discard for a pung.
    Pung,
    /// Declines an offer.
    Pass,
    /// The table's own step: the pause after a discard or an added kong is over.
    CloseWindow,
}

/// A seat's answer to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Answer {
    /// Takes the tile and wins.
    Win,
    /// Takes it for a direct kong.
    Kong,
    /// Takes it for a pung.
    Pung,
    /// Takes nothing.
    Pass,
}
