//! The table around a game: one decider for every game.
//!
//! [`Table::step`] takes an [`Input`] (a player's command, a connection, the clock, the ledger's
//! answer) and gives the [`Event`]s that follow from it. Seats, readiness, clocks, auto-play,
//! votes, hands, matches and obligations to the ledger are here; what a move means is the game's.
//!
//! * [`settings`]: what a table is opened with.
//! * [`input`], [`event`]: the words it is asked in, and answers in.
//! * [`state`]: what it remembers; `evolve` folds events into it.
//! * `answer`, `seating`, `clocks`, `hands`: what an input does.
//! * `follow`: what the table does by itself once an input is dealt with.

mod answer;
mod clocks;
pub mod event;
mod evolve;
mod follow;
mod hands;
pub mod input;
mod seating;
pub mod settings;
pub mod state;

pub use answer::{Chance, Moment, Observer};
pub use event::{Event, Freed, SeatClock, SystemClock};
pub use input::{Command, EXPRESSION_MAX, Input, Outcome, Player, Reservation};
pub use settings::{Admission, Pacing, Settings, Stakes};
pub use state::{Duty, Hand, Obligation, Occupant, Phase, Seeds, Table, Tenure, Vote};

/// Every reason that the table itself can refuse a command with, sorted.
pub const REASONS: &[&str] = &[
    "already_seated",
    "bad_buy_in",
    "bad_expression",
    "bad_seat",
    "bad_seats",
    "bots_not_allowed",
    "client_seed_too_long",
    "hand_running",
    "leaving",
    "match_not_over",
    "match_running",
    "no_hand",
    "no_vote",
    "not_host",
    "not_in_hand",
    "not_seated",
    "on_auto_play",
    "pause_not_allowed",
    "seat_empty",
    "seat_taken",
    "table_closed",
    "table_full",
    "table_paused",
    "too_fast",
    "vote_open",
];
