//! Matchmaking through its gRPC API, its stores, and a simulation with crashes.
#![allow(missing_docs, clippy::unwrap_used)]

mod conformance;
mod fake_tables;
mod harness;
mod queues;
mod reasons;
mod replicas;
mod rooms;
mod simulation;
