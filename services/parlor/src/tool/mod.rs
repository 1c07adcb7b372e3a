//! What the commands share that talk to running services.
//!
//! * [`notice`]: what runs on a data folder, written by `run all` for the tools.
//! * [`reach`]: which services a tool talks to.
//! * [`json`]: protocol messages as JSON.
//! * [`hand`]: a finished hand, from a file or from settlement.

pub mod hand;
pub mod json;
pub mod notice;
pub mod reach;
