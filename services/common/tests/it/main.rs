//! The common crate's servers and clients against each other, over real connections.
#![allow(clippy::unwrap_used)]

mod admin;
mod auth;
mod fixture;
mod locate;
mod locate_live;
mod reasons;
mod serve;
mod telemetry;
mod tls;
mod trace;
