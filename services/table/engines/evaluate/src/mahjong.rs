//! Mahjong questions: what a hand is worth, what it waits for, what a round pays.

mod hands;
mod options;
mod round;

pub use hands::hands;
pub use round::round;
