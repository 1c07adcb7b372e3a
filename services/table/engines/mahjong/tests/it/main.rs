//! Tests of the mahjong engine.
#![allow(clippy::unwrap_used)]

mod bots;
mod claims;
mod faults;
mod goldens;
mod matches;
mod money;
mod playouts;
mod scores;
mod shapes;
mod support;
mod turns;
