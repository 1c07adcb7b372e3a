//! What every Parlor service is built from.
//!
//! * [`status`]: the only map from errors to gRPC and HTTP.
//! * [`ids`]: identifiers of players, tables, hands.
//! * [`clock`]: the only source of time, so that tests can hold it; [`random`]: identifiers and
//!   jitter likewise.
//! * [`shutdown`]: spawns a service's tasks and ends them in order.
//! * [`server`]: the gRPC server around a service, and [`readiness`], what its health says.
//! * [`client`]: channels to other services; [`locate`]: which table pod to call; [`tls`]: who
//!   they are.
//! * [`telemetry`] sets up logs, traces and metrics; [`trace`] carries traces across calls;
//!   [`admin`] shows metrics and health to the platform.
//! * [`secret`]: secrets as settings; [`redis`]: a connection to one or to a cluster;
//!   [`patience`]: waiting for what a service needs to start; [`process`]: what one uses.

pub mod admin;
pub mod client;
pub mod clock;
mod error;
pub mod ids;
pub mod locate;
pub mod patience;
pub mod process;
pub mod random;
pub mod readiness;
mod reasons;
pub mod redis;
pub mod secret;
pub mod server;
pub mod shutdown;
pub mod status;
pub mod telemetry;
pub mod tls;
pub mod trace;

pub use clock::Clock;
pub use error::Error;
pub use ids::{HandId, HoldId, PlayerId, PodId, TableId};
pub use readiness::Readiness;
pub use reasons::REASONS;
pub use shutdown::Shutdown;
pub use status::{Code, Failure};
