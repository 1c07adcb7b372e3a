//! Simulations: bots on the bare engines, and the whole system under a simulated clock.

pub mod balatro;
pub mod blackjack;
pub mod mahjong;
mod report;

pub use report::Report;
