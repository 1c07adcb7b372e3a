//! The binary from the outside, as its users meet it.
#![allow(clippy::unwrap_used)]

mod administration;
mod bench;
mod evaluate;
mod hand;
mod http;
mod migrate;
mod operator;
mod process;
mod run;
mod services;
mod simulate;
mod telemetry;
