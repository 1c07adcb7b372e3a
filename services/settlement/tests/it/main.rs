//! Tests of the settlement service as a whole.
//!
//! Cases in `conformance` run on SQLite, and on PostgreSQL when `PARLOR_TEST_POSTGRES_URL` names a
//! server on which databases may be created and dropped.
#![allow(clippy::unwrap_used, clippy::panic, missing_docs)]

mod book;
mod chance;
mod conformance;
mod echo;
mod faults;
mod grpc;
mod killed;
mod lookout;
mod operator;
mod proxy;
mod reasons;
mod sandbox;
mod scene;
