//! The binary from the outside, as its users meet it.
#![allow(clippy::unwrap_used)]

mod evaluate;
mod hand;
mod http;
mod operator;
mod process;
mod run;
mod simulate;
