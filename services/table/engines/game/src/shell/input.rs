//! What a table is asked: by players, by the clock, by the ledger.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::units::{Amount, Seat};

/// Who plays: the 16 bytes of a player's identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Player(pub [u8; 16]);

/// Largest number of an emote or of a prepared sentence.
pub const EXPRESSION_MAX: u8 = 32;

/// What a player asks of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Command<C> {
    /// A move of the game.
    Play(C),
    /// Takes the reserved seat, this seat, or the first free one.
    Sit {
        /// The wish.
        seat: Option<Seat>,
        /// Minor units to bring; zero: the table's usual buy-in.
        buy_in: Amount,
        /// Shown to the others.
        name: String,
    },
    /// Ready for the next hand, or not.
    Ready(bool),
    /// Gives the seat up when the hand (or the match) is over.
    StandUp,
    /// Keeps the seat without being dealt in, or comes back.
    SitOut(bool),
    /// Lets the table play the defaults, or takes control back.
    AutoPlay(bool),
    /// Adds to the entropy of the next hand.
    ClientSeed(Vec<u8>),
    /// Shows a picture; 1 to [`EXPRESSION_MAX`].
    Emote(u8),
    /// Says a prepared sentence; 1 to [`EXPRESSION_MAX`].
    QuickChat(u8),
    /// Seats a bot. Host only.
    AddBot(Option<Seat>),
    /// Frees a seat between hands. Host only.
    Kick(Seat),
    /// Opens a vote to end the table.
    ProposeDissolve,
    /// Answers the open vote.
    VoteDissolve(bool),
    /// Stops the clocks, or starts them again. Host only, private rooms only.
    Pause(bool),
    /// Starts a new match after the last one. Host only.
    Rematch,
}

/// How an obligation to the ledger ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    /// The ledger has done it.
    Met,
    /// The ledger will never do it; its stable reason.
    Refused(String),
}

/// A seat that is held for a player who was matched or who opened the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reservation {
    /// For whom.
    pub player: Player,
    /// Shown to the others.
    pub name: String,
    /// The wish; any free seat otherwise.
    pub seat: Option<Seat>,
    /// The player is the host of the table.
    pub host: bool,
}

/// One thing that a table is asked to take notice of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Input<C> {
    /// Holds seats, all or none.
    Reserve(Vec<Reservation>),
    /// A player's command.
    Player(Player, Command<C>),
    /// A player has arrived at the table, or has lost the connection.
    Connection {
        /// Who.
        player: Player,
        /// Here or away.
        connected: bool,
    },
    /// Time has passed: the earliest deadline that is due is acted upon.
    Tick,
    /// The ledger has answered.
    Obligation {
        /// Number of the obligation.
        id: u64,
        /// The answer.
        outcome: Outcome,
    },
    /// An operator ends the table.
    Close(String),
}
