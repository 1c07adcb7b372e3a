//! Tests of the table service from outside: its stores, and the service over gRPC with a real
//! ledger.
#![allow(missing_docs, clippy::unwrap_used)]

mod blackjack;
mod daily;
mod durable;
mod house;
mod idle;
mod ledger;
mod ownership;
mod pods;
mod service;
mod stores;
mod through_gateway;
mod unreadable;
