//! Settlement: a ledger that an accountant would trust, and the history of what was played.
//!
//! Money moves in transactions of a double-entry journal. Each sums to zero, never changes, is
//! numbered without gaps and hashed together with its predecessor. Each answers one request, named
//! by an idempotency key: whoever repeats the request gets the first answer.
//!
//! A map, from the inside out:
//!
//! * [`money`]: the rules, as pure functions: requests, accounts, how a batch becomes entries.
//! * [`store`]: the databases that keep it, PostgreSQL and SQLite, behind one trait.
//! * `writer`: the group commit, in which many requests share a database transaction.
//! * [`results`]: follows the hands of the journal from a cursor on.
//! * [`boards`]: ratings and leaderboards, derived from the journal.
//! * [`wallet`]: wallets that an operator keeps outside of this ledger.
//! * `auditor`: checks the whole ledger now and then.
//! * [`orphans`]: sends stacks back whose table is gone; [`lookout`] asks the table pods.
//! * [`ledger`]: what the service can be asked; [`books`]: the answers; [`page`]: lists in pages.
//! * [`grpc`] and [`wire`]: the protobuf face; [`service`] puts everything together.
//!
//! A request's way: gRPC → [`money::Submission`] (well formed from here on) → `writer` (a batch) →
//! [`store::Store::write`] (loads the pages, lets [`money::Book`] decide, saves) → answer.

mod auditor;
pub mod boards;
pub mod books;
pub mod config;
mod error;
pub mod grpc;
pub mod ledger;
pub mod lookout;
mod metrics;
pub mod money;
pub mod orphans;
pub mod page;
pub mod results;
pub mod service;
pub mod store;
pub mod wallet;
pub mod wire;
mod writer;

pub use config::Config;
pub use error::{Error, REASONS};
pub use service::{RunError, SERVICE, migrate, run};
