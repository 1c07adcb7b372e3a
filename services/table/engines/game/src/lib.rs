//! What every table game shares, and nothing of any one game.
//!
//! A game is a pair of pure functions: [`Game::decide`] turns a command into events and changes
//! nothing, [`Game::evolve`] folds an event into the state and decides nothing. Chance enters only
//! through [`Entropy`] and its outcome is written into the events, so a log of events replays
//! without a random generator.
//!
//! * [`contract`]: the [`Game`] trait and the words it speaks ([`Viewer`], [`Awaiting`], …).
//! * [`fair`]: the verifiable shuffle, `parlor-fair-v1`.
//! * [`result`]: what a finished hand moved between seats.
//! * [`refusal`]: how a game says no.
//! * [`entry`]: the hash-chained log entry.
//! * [`shell`]: the table around a game: seats, clocks, votes, hands, duties to the ledger.
//! * `playout`: a random playout over any game that checks the contract (feature `testing`).
#![no_std]

extern crate alloc;

pub mod contract;
pub mod entry;
pub mod fair;
pub mod refusal;
pub mod result;
pub mod shell;
pub mod units;

#[cfg(feature = "testing")]
pub mod playout;

pub use contract::{
    Actor, Audience, Awaiting, Entrant, Game, Hidden, Pace, Pending, SystemPending, Viewer,
};
pub use fair::{Entropy, Stream};
pub use refusal::{Refusal, RefusalKind};
pub use result::{HandResult, Party, Transfer};
pub use units::{Amount, Seat};
