//! Matchmaking through its gRPC API, its stores, and a simulation with crashes.
#![allow(missing_docs, clippy::unwrap_used)]

mod clubs;
mod conformance;
mod failover;
mod fake_tables;
mod harness;
mod parties;
mod queues;
mod ready;
mod reasons;
mod redis_nodes;
mod replicas;
mod replication;
mod rooms;
mod simulation;
