//! What operators may do to a gateway and its players, over gRPC on a port of its own.
//!
//! * [`access`]: tokens and roles;
//! * [`audit`]: the record of what was done;
//! * [`office`]: what can be done;
//! * [`grpc`] is `AdminService`.

pub mod access;
pub mod audit;
pub mod grpc;
pub mod office;

use std::sync::Arc;

use parlor_common::Readiness;
use parlor_common::server::{ServerOptions, ServiceAuth, serve};
use parlor_proto::gateway::v1::admin_service_server::SERVICE_NAME;
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::Error;
use crate::session::Core;
use access::AdminToken;

/// The administrators' door: where it is, and what its server needs.
pub struct Door {
    /// Where it listens.
    pub listener: TcpListener,
    /// Limits and TLS, as for the other services. Whoever calls shows an admin token, so the
    /// services' own is not asked for.
    pub options: ServerOptions,
}

/// Serves `AdminService` in tasks of the gateway's shutdown.
///
/// # Errors
/// When the server cannot be set up.
pub fn open(door: Door, core: &Arc<Core>, tokens: &[AdminToken]) -> Result<(), Error> {
    let Door { listener, options } = door;
    let mut options = options.with_auth(ServiceAuth::Open).with_health_names(&[SERVICE_NAME]);
    // Its own: the gateway's says whether players may come.
    options.readiness = Readiness::new("gateway-admin");
    options.readiness.set_ready();
    let routes = Routes::new(grpc::Administration::server(Arc::clone(core), tokens.to_vec()));
    serve(listener, routes, options, &core.shutdown)?;
    Ok(())
}
