//! The whole system under a simulated clock, network and stores, from one seed.
//!
//! What runs is what ships: the gateways' sessions and links, the matchmakers, the tables' actors
//! and their engines, the ledger's writer and rules, and the gRPC between them. What is simulated
//! is what they stand on:
//!
//! * time: tokio's, paused, so that it passes only when everybody waits (`Clock::with_timers`);
//! * [`network`]: pipes that are slow, and cut;
//! * [`archive`], [`roll`], [`ledger`], [`mod@matches`], [`exchange`]: what the services remember,
//!   which outlives the processes. A call may be late, lost, done and not answered, or the last
//!   that its caller does ([`life`]);
//! * [`world`] and [`services`]: the processes, which are killed, told to end, and started again;
//!   one that stands still for longer than its lease is replaced while it lives and writes;
//! * [`player`]: clients, who lose connections, resume, and repeat themselves;
//! * [`scene`]: what a run plays; [`trouble`]: when what goes wrong.
//!
//! The [`oracle`] hears of every step and checks what must always hold. All that is drawn is drawn
//! in one order from one seed ([`fate`]), so a seed is a run. A [`Mutation`] puts a fault of ours
//! in, to show that it would be caught; a [`Crash`] lets matchmakers die at one step of theirs.

mod archive;
mod exchange;
mod fate;
mod floor;
mod ledger;
mod life;
mod matches;
mod mutation;
mod network;
mod oracle;
mod player;
mod roll;
mod run;
mod scene;
mod services;
mod trouble;
mod world;

pub use fate::Telling;
pub use life::{Crash, Moment};
pub use mutation::Mutation;
pub use oracle::{Invariant, Tally, Violation};
pub use run::{Outcome, Plan, simulate};
pub use scene::Game;
