//! The mahjong engine.
#![no_std]
extern crate alloc;
pub mod meld;
pub mod options;
pub mod score;
pub mod settle;
pub mod shape;
pub mod tile;
