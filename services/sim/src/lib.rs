//! Simulations: bots on the bare engines, and clients that play over the network.

pub mod balatro;
pub mod blackjack;
pub mod load;
pub mod mahjong;
mod report;
#[cfg(feature = "system")]
pub mod system;

use std::time::Instant;

pub use report::Report;

/// The moment, for measuring how long the play takes.
#[expect(clippy::disallowed_methods, reason = "a simulation measures real time")]
fn now() -> Instant {
    Instant::now()
}
