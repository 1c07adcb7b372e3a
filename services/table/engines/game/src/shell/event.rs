//! What happened at a table: the auditor's version.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::contract::Entrant;
use crate::fair::ServerSeed;
use crate::shell::input::Player;
use crate::units::{Amount, Seat};

/// Why a seat became free.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Freed {
    /// The occupant stood up.
    Left,
    /// The player did not arrive in time.
    Expired,
    /// The ledger refused the buy-in.
    Unfunded,
    /// Nothing is left of the stack.
    Broke,
    /// The host asked for it.
    Kicked,
    /// The occupant was away for too long.
    Away,
    /// The table closed.
    Closed,
}

/// What happened. Everything that a table's state depends on is in here.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event<E> {
    /// A seat is held for a player until a deadline.
    Reserved {
        /// The seat.
        seat: Seat,
        /// For whom.
        player: Player,
        /// Shown to the others.
        name: String,
        /// The occupant is the host.
        host: bool,
        /// Milliseconds since the Unix epoch.
        until_ms: i64,
    },
    /// A player or bot takes a seat; at a chips table its buy-in is asked of the ledger.
    Sat {
        /// The seat.
        seat: Seat,
        /// Who.
        player: Player,
        /// Shown to the others.
        name: String,
        /// A bot.
        bot: bool,
        /// Minor units asked of the ledger; zero in points mode.
        buy_in: Amount,
    },
    /// The ledger holds the buy-in: the seat can play.
    Funded {
        /// The seat.
        seat: Seat,
    },
    /// The ledger refused the buy-in.
    Unfunded {
        /// The seat.
        seat: Seat,
        /// The ledger's stable reason.
        reason: String,
    },
    /// The seat is empty again; its stack goes back to the wallet.
    Freed {
        /// The seat.
        seat: Seat,
        /// Why.
        why: Freed,
    },
    /// Ready for the next hand, or not.
    Readied(Seat, bool),
    /// The occupant is here (`None`), or away since this time in milliseconds.
    Presence(Seat, Option<i64>),
    /// Keeps the seat without being dealt in, or is back.
    SatOut(Seat, bool),
    /// The table plays the defaults for the seat, or no longer.
    AutoPlayed(Seat, bool),
    /// The occupant leaves when the hand (or the match) is over.
    Leaving(Seat),
    /// The seat let its time run out; whether only the seat itself may know.
    TimedOut(Seat, bool),
    /// The seat has answered in time again. Nobody is told.
    Attended(Seat),
    /// The seat adds to the entropy of the next hand.
    ClientSeeded(Seat, Vec<u8>),
    /// The secret seed of the next hand; its commitment is public.
    SeedDrawn(ServerSeed),
    /// The next hand starts at this time, or (none) not yet.
    StartSet(Option<i64>),
    /// The game would not start a hand; the game's stable reason.
    StartBlocked(String),
    /// A hand starts.
    HandStarted {
        /// Counted from 1.
        number: u64,
        /// Who is dealt in.
        entrants: Vec<Entrant>,
        /// Milliseconds since the Unix epoch.
        time_ms: i64,
    },
    /// An event of the game.
    Play(E),
    /// The hand is over: stacks change and the ledger is told.
    HandEnded {
        /// Its number.
        number: u64,
        /// Milliseconds since the Unix epoch.
        time_ms: i64,
    },
    /// The hand is void: stacks are as before it.
    HandVoided {
        /// Its number.
        number: u64,
    },
    /// The seeds of finished hands may be known from here on.
    SeedsRevealed,
    /// A seat's clock runs.
    ClockStarted(SeatClock),
    /// What is left in the seat's time bank, in milliseconds.
    TimeBankLeft(Seat, u32),
    /// A seat's clock no longer runs.
    ClockStopped(Seat, bool),
    /// The table will take a step of its own.
    SystemClockSet(Option<SystemClock>),
    /// The seat shows a picture.
    Emoted(Seat, u8, i64),
    /// The seat says a prepared sentence.
    Chatted(Seat, u8, i64),
    /// A vote to end the table is open until a deadline.
    VoteOpened(Seat, i64),
    /// A seat agrees.
    VoteAgreed(Seat),
    /// The vote is closed without agreement.
    VoteClosed,
    /// The clocks stand still, or run again.
    Paused(bool),
    /// The match is over.
    MatchEnded,
    /// A new match begins.
    Rematched,
    /// The ledger has met the obligation with this number.
    ObligationMet(u64),
    /// The table is closed for good; the stable reason.
    Closed(String),
    /// The hand with this number is in the ledger.
    HandPosted(u64),
}

/// A seat's running clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeatClock {
    /// Whose.
    pub seat: Seat,
    /// The decision that it runs for.
    pub decision: u32,
    /// Milliseconds since the Unix epoch.
    pub deadline_ms: i64,
    /// The latest deadline that this decision can get, when its seat takes control back.
    pub limit_ms: i64,
    /// The last part of the time until the limit that comes from the seat's time bank.
    pub bank_ms: u32,
    /// Only the seat itself may know of it.
    pub secret: bool,
}

/// The clock of a step that the table takes by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SystemClock {
    /// The decision that it runs for.
    pub decision: u32,
    /// Milliseconds since the Unix epoch.
    pub at_ms: i64,
}
