//! Clients that play: what `parlor bench` and the tests of the whole system put at tables.
//!
//! * [`account`]: guests and their tokens.
//! * [`transport`]: the client protocol over WebSocket and over gRPC.
//! * [`session`]: one client: it connects again after a loss, resumes every table at the last
//!   update that it has, repeats requests that were in flight, and checks what it is told: no gap,
//!   no double, one answer for each request.
//! * [`policy`]: what a client plays, from its own view alone.
//! * [`player`]: a client at a table, and the pace at which it plays.
//! * [`opening`]: a table with its players, through a private room.
//! * [`drive`]: a whole run: tables are opened, clients play, what they saw is counted.
//! * [`metronome`]: waking on time.
//! * [`measure`]: histograms, counters, faults.
//! * [`process`]: memory and processor time of processes.

pub mod account;
pub mod drive;
pub mod measure;
pub mod metronome;
pub mod opening;
pub mod player;
pub mod policy;
pub mod process;
pub mod session;
pub mod transport;

pub use account::Account;
pub use measure::{Faults, Journal, Measure};
pub use metronome::Metronome;
pub use policy::Game;
pub use session::{Happening, Session};
pub use transport::{Gateways, Transport};

/// Why a client cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The address of a gateway cannot be used.
    #[error("{0} is no http:// address of a gateway")]
    Address(String),
    /// The connection was lost or could not be made.
    #[error("the connection: {0}")]
    Connection(String),
    /// The server said something that the protocol does not know.
    #[error("the server broke the protocol: {0}")]
    Protocol(String),
    /// A request was refused for good.
    #[error("{reason}: {message}")]
    Refused {
        /// The stable reason.
        reason: String,
        /// For a developer.
        message: String,
    },
    /// Another connection of the same player took over.
    #[error("another connection has replaced this one")]
    Replaced,
    /// The system gives no thread.
    #[error("no thread: {0}")]
    Thread(std::io::Error),
    /// It took longer than anybody waits.
    #[error("no answer in time")]
    Late,
}
