//! What every Parlor service is built from.
//!
//! * [`status`]: the only map from errors to gRPC and HTTP.
//! * [`ids`]: identifiers of players, tables, hands.
//! * [`clock`]: the only source of time, so that tests can hold it.

pub mod clock;
pub mod ids;
pub mod status;

pub use clock::Clock;
pub use ids::{HandId, PlayerId, TableId};
pub use status::{Code, Failure};
