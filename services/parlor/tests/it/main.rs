//! The binary from the outside, as its users meet it.
#![allow(clippy::unwrap_used)]

mod evaluate;
mod http;
mod process;
mod run;
mod simulate;
