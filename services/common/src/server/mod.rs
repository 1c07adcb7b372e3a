//! The gRPC server around every service.
//!
//! [`serve`] adds to a service's routes what all have in common: health and reflection, the
//! caller's trace, request metrics, authentication of the calling service, and panics that become
//! errors.
//!
//! Limits of single messages belong to the generated servers: build each adapter with
//! `.max_decoding_message_size(MAX_MESSAGE_BYTES)`.

mod auth;
mod incoming;
mod observe;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::middleware;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;
use tonic::Status;
use tonic::service::Routes;
use tonic::transport::Server;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use tower_http::catch_panic::CatchPanicLayer;

pub use auth::ServiceAuth;

use crate::readiness::{Readiness, Stage};
use crate::tls::Identity;
use crate::{Error, Failure, Shutdown};

/// Largest message that a service decodes; a whole hand with its events stays far below.
pub const MAX_MESSAGE_BYTES: usize = 1 << 20;

/// The name by which gRPC health says that the process can answer at all, whatever its readiness:
/// it serves from the first answer to the last.
pub const LIVENESS: &str = "liveness";

/// Connections and streams: the settings that all services share.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "gRPC servers")]
pub struct ServerConfig {
    /// Most connections at a time to one listener; more wait
    #[arg(long, env = "PARLOR_GRPC_MAX_CONNECTIONS", default_value_t = 1024)]
    pub grpc_max_connections: usize,
    /// Most calls at a time on one connection
    #[arg(long, env = "PARLOR_GRPC_MAX_STREAMS", default_value_t = 4096)]
    pub grpc_max_streams: u32,
    /// Age at which a connection is asked to reconnect, so that calls find new pods
    #[arg(long, env = "PARLOR_GRPC_MAX_CONNECTION_AGE_MS", default_value_t = 300_000)]
    pub grpc_max_connection_age_ms: u64,
    /// Interval of HTTP/2 pings to the client
    #[arg(long, env = "PARLOR_GRPC_KEEPALIVE_INTERVAL_MS", default_value_t = 20_000)]
    pub grpc_keepalive_interval_ms: u64,
    /// A connection that does not answer a ping within this time is closed
    #[arg(long, env = "PARLOR_GRPC_KEEPALIVE_TIMEOUT_MS", default_value_t = 10_000)]
    pub grpc_keepalive_timeout_ms: u64,
    /// How long a service that starts waits for its Redis or database
    #[arg(long, env = "PARLOR_START_PATIENCE_S", default_value_t = 120)]
    pub start_patience_s: u64,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            grpc_max_connections: 1024,
            grpc_max_streams: 4096,
            grpc_max_connection_age_ms: 300_000,
            grpc_keepalive_interval_ms: 20_000,
            grpc_keepalive_timeout_ms: 10_000,
            start_patience_s: 120,
        }
    }
}

impl ServerConfig {
    /// How long a service that starts waits for what it needs.
    #[must_use]
    pub const fn start_patience(&self) -> Duration {
        Duration::from_secs(self.start_patience_s)
    }
}

/// What [`serve`] needs to know of a service.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// Set ready by the service when it is; the server sets it draining when the end begins.
    pub readiness: Readiness,
    /// Who may call.
    pub auth: ServiceAuth,
    /// Connections and streams.
    pub config: ServerConfig,
    /// gRPC services whose health is this service's readiness, as their `SERVICE_NAME` says.
    pub health_names: Vec<&'static str>,
    /// When the server stops taking calls; `None`: as soon as the shutdown begins. A service that
    /// still has to answer while it drains gives a token of its own.
    pub stop: Option<CancellationToken>,
    /// Our identity: with one, callers need one too. Probes ask the admin listener then.
    pub identity: Option<Arc<Identity>>,
}

impl ServerOptions {
    /// An open server with the default limits for the service of this name.
    #[must_use]
    pub fn new(service: &'static str) -> Self {
        Self {
            readiness: Readiness::new(service),
            auth: ServiceAuth::Open,
            config: ServerConfig::default(),
            health_names: Vec::new(),
            stop: None,
            identity: None,
        }
    }

    /// Lets in only who shows the token.
    #[must_use]
    pub fn with_auth(mut self, auth: ServiceAuth) -> Self {
        self.auth = auth;
        self
    }

    /// Speaks TLS, and only with callers of our own authority.
    #[must_use]
    pub fn with_identity(mut self, identity: Option<Arc<Identity>>) -> Self {
        self.identity = identity;
        self
    }

    /// Sets the limits.
    #[must_use]
    pub fn with_config(mut self, config: ServerConfig) -> Self {
        self.config = config;
        self
    }

    /// Reports the readiness as the health of these gRPC services too.
    #[must_use]
    pub fn with_health_names(mut self, names: &[&'static str]) -> Self {
        self.health_names.extend_from_slice(names);
        self
    }

    /// Stops on this token instead of the shutdown's own.
    #[must_use]
    pub fn with_stop(mut self, stop: CancellationToken) -> Self {
        self.stop = Some(stop);
        self
    }
}

/// Serves `routes` on a bound listener in tasks of `shutdown`.
///
/// Health answers `NOT_SERVING` until `options.readiness` is set ready, and again from the moment
/// the shutdown begins. Calls in flight are finished; streams end when their service ends them. The
/// handle completes when the last connection is closed.
///
/// # Errors
/// When the reflection descriptors cannot be read; the handle yields what the transport says.
pub fn serve(
    listener: TcpListener,
    routes: Routes,
    options: ServerOptions,
    shutdown: &Shutdown,
) -> Result<JoinHandle<Result<(), Error>>, Error> {
    let ServerOptions { readiness, auth, config, health_names, stop, identity } = options;
    let (health, health_service) = tonic_health::server::health_reporter();
    let routes = routes
        .add_service(reflection()?.build_v1().map_err(reflection_error)?)
        .add_service(reflection()?.build_v1alpha().map_err(reflection_error)?)
        .add_service(health_service);
    let router = routes
        .into_axum_router()
        .layer(middleware::from_fn_with_state(auth, auth::check))
        .layer(CatchPanicLayer::custom(answer_panic))
        .layer(middleware::from_fn_with_state(observe::Instruments::new(), observe::observe));

    let stop = stop.unwrap_or_else(|| shutdown.token());
    let (end, mirror_end) = (shutdown.begun(), CancellationToken::new());
    let mirror = mirror(health.clone(), health_names.clone(), readiness, end, mirror_end.clone());
    let incoming = incoming::admit(listener, config.grpc_max_connections, identity);
    let server = transport(&config).add_routes(Routes::from(router).prepare());
    Ok(shutdown.spawn("grpc-server", async move {
        // Before the first connection: the reporter starts out as serving.
        report(&health, &health_names, ServingStatus::NotServing).await;
        health.set_service_status(LIVENESS, ServingStatus::Serving).await;
        let served = server.serve_with_incoming_shutdown(incoming, stop.cancelled_owned());
        let served = async {
            let result = served.await;
            mirror_end.cancel();
            result
        };
        let (result, ()) = tokio::join!(served, mirror);
        result.map_err(Error::from)
    }))
}

fn transport(config: &ServerConfig) -> Server {
    Server::builder()
        .max_concurrent_streams(config.grpc_max_streams)
        .max_connection_age(Duration::from_millis(config.grpc_max_connection_age_ms))
        .http2_keepalive_interval(Some(Duration::from_millis(config.grpc_keepalive_interval_ms)))
        .http2_keepalive_timeout(Some(Duration::from_millis(config.grpc_keepalive_timeout_ms)))
}

fn reflection() -> Result<tonic_reflection::server::Builder<'static>, Error> {
    Ok(tonic_reflection::server::Builder::configure()
        .register_encoded_file_descriptor_set(parlor_proto::DESCRIPTORS)
        .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET))
}

fn reflection_error(error: tonic_reflection::server::Error) -> Error {
    Error::Reflection(error.to_string())
}

/// Keeps health equal to readiness until the server has stopped.
async fn mirror(
    health: HealthReporter,
    names: Vec<&'static str>,
    readiness: Readiness,
    end: impl Future<Output = ()>,
    stopped: CancellationToken,
) {
    let mut stages = readiness.subscribe();
    let mut end = std::pin::pin!(end);
    let mut ending = false;
    loop {
        let stage = *stages.borrow_and_update();
        let status = match stage {
            Stage::Ready => ServingStatus::Serving,
            Stage::NotReady | Stage::Draining => ServingStatus::NotServing,
        };
        report(&health, &names, status).await;
        tokio::select! {
            biased;
            () = stopped.cancelled() => return,
            () = &mut end, if !ending => {
                ending = true;
                readiness.set_draining();
            }
            changed = stages.changed() => if changed.is_err() { return },
        }
    }
}

async fn report(health: &HealthReporter, names: &[&'static str], status: ServingStatus) {
    health.set_service_status("", status).await;
    for name in names {
        health.set_service_status(*name, status).await;
    }
}

fn answer_panic(panic: Box<dyn Any + Send>) -> http::Response<axum::body::Body> {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_default();
    tracing::error!(panic = text, "a call panicked");
    Status::from(Failure::internal()).into_http()
}
