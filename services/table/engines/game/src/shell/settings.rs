//! What a table is opened with.

use alloc::string::String;

use serde::{Deserialize, Serialize};

use crate::units::Amount;

/// How money is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stakes {
    /// Table stakes from the players' wallets.
    Chips {
        /// Minor units that an occupant usually brings; positive.
        buy_in: Amount,
    },
    /// A score sheet that may go negative; no wallet is touched.
    Points,
}

/// The table's own clocks, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pacing {
    /// Pause before a hand starts once everybody is ready.
    pub start_delay_ms: u32,
    /// How long a seat is held for a player who was matched.
    pub reservation_ms: u32,
    /// How long the table waits before it acts for a seat on auto-play.
    pub auto_play_delay_ms: u32,
    /// A seat whose occupant is away for so long goes to auto-play, or is freed between hands.
    pub disconnect_grace_ms: u32,
    /// A dissolve vote is open for so long; silence agrees.
    pub vote_ms: u32,
    /// Bots wait between these two before they act.
    pub bot_delay_min_ms: u32,
    /// Upper bound of a bot's wait.
    pub bot_delay_max_ms: u32,
    /// What a seat may think longer in a hand, all its open decisions together; full again in each
    /// hand.
    pub time_bank_ms: u32,
}

impl Default for Pacing {
    fn default() -> Self {
        Self {
            start_delay_ms: 3_000,
            reservation_ms: 15_000,
            auto_play_delay_ms: 800,
            disconnect_grace_ms: 60_000,
            vote_ms: 60_000,
            bot_delay_min_ms: 500,
            bot_delay_max_ms: 1_200,
            time_bank_ms: 0,
        }
    }
}

/// Who may join a table, and how it fills.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Admission {
    /// Free seats are given to bots once no reservation is open and a person is there.
    pub fill_with_bots: bool,
    /// The host may seat bots.
    pub bots_allowed: bool,
    /// Occupants are ready without saying so.
    pub always_ready: bool,
    /// Others may watch.
    pub spectators_allowed: bool,
}

/// What a table is opened with; fixed for its life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settings<O> {
    /// The game's room options.
    pub options: O,
    /// Chips or points.
    pub stakes: Stakes,
    /// Seats at the table.
    pub seats: u8,
    /// Who may join, and how the table fills.
    pub admission: Admission,
    /// The table's own clocks.
    pub pacing: Pacing,
    /// The table closes after so many hands; 0: no limit but the match's own.
    pub hands_limit: u32,
    /// Code of a private room; empty at a public table.
    pub room_code: String,
}
