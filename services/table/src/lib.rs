//! The table service: one owner per table, every accepted command durable before it is answered.
//!
//! A map, from the inside out:
//!
//! * `parlor_game::shell` and the engines decide; they know nothing of this crate.
//! * `core`: a table with the end of its log, the same whether a step is new or is read again;
//!   `recorder` writes hands down along the way.
//! * [`store`]: where logs are kept, behind one trait.
//! * [`actor`]: the only code that changes a table: decide, append, publish, answer. It meets the
//!   table's obligations to the ledger through [`treasury`].
//! * `daily`: the seeds of deals that all tables of a day have in common.
//! * `tables`: all actors of this process; `metrics`: what is measured of them.
//! * [`cluster`]: which process owns which table, where several share a store.
//! * [`register`]: who sits where, and which room code is whose.
//! * [`verify`]: checks a finished hand from its record alone.
//! * [`wire`] and `grpc`: the protobuf face; [`service`] puts everything together.

pub mod actor;
pub mod chance;
pub mod cluster;
pub mod config;
pub mod core;
pub mod daily;
mod error;
mod games;
mod grpc;
mod metrics;
mod recorder;
pub mod register;
pub mod service;
pub mod store;
mod tables;
pub mod treasury;
pub mod verify;
pub mod wire;

pub use actor::{Setting, Upkeep};
pub use config::Config;
pub use error::{Error, REASONS};
pub use metrics::Metrics;
pub use service::{RunError, SERVICE, run};
pub use tables::{Bounds, Tables};
