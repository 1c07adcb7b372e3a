//! The balatro engine.
#![no_std]
extern crate alloc;
pub mod blind;
pub mod card;
pub mod content;
pub mod joker;
pub mod number;
pub mod payout;
pub mod poker;
pub mod reason;
pub mod score;
pub mod selection;
