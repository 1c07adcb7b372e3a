//! The edge: one listener for the web client, signing in, WebSocket, gRPC and gRPC-Web.
//!
//! * [`listener`] accepts connections and speaks HTTP/1.1 and HTTP/2 on them, over [`tls`] or not,
//!   behind what a proxy says in front of both ([`proxy_protocol`]).
//! * [`address`], [`origin`], [`limits`] (of [`buckets`]): who may come, and how often.
//! * [`assets`]: the files of the web client.

pub mod address;
pub mod assets;
pub mod buckets;
pub mod limits;
pub mod listener;
pub mod origin;
pub mod proxy_protocol;
pub mod tls;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{WebSocketUpgrade, rejection::WebSocketUpgradeRejection};
use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Extension, Router};
use http::header::{CONTENT_TYPE, HeaderName};
use http::{Method, StatusCode};
use parlor_common::readiness::{Readiness, Stage};
use parlor_common::server::LIVENESS;
use parlor_common::{Code, Failure, trace};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::timeout;
use tonic::Status;
use tonic::server::NamedService;
use tonic_health::ServingStatus;
use tonic_health::server::HealthReporter;
use tonic_web::GrpcWebLayer;
use tower::Service;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{AllowOrigin, CorsLayer};
use tracing::Instrument;

use crate::auth;
use crate::auth::grpc::Auth;
use crate::config::Config;
use crate::session::Core;
use crate::transport::grpc::SessionServer;
use crate::transport::websocket::{self, Codec};
use crate::wire::JsonFrames;
use crate::{Error, reasons};
use address::Network;
use assets::Assets;
use limits::Place;
use origin::Origins;

/// Longest wait for the start of an answer, the client's sending of its request included; streams
/// start at once.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
/// How long browsers remember what CORS allows.
const CORS_MAX_AGE: Duration = Duration::from_secs(600);

/// The address of a client, as limits see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClientAddress(pub IpAddr);

/// The address at the other end of a connection: the peer's, or what the peer says in the PROXY
/// protocol.
#[derive(Clone, Copy, Debug)]
pub struct PeerAddress(pub IpAddr);

/// A connection's places among all and among those of its address; a session holds on to them.
#[derive(Clone)]
pub struct ConnectionPlace(pub Arc<(OwnedSemaphorePermit, Option<Place>)>);

/// What the routes share.
pub struct Edge {
    /// Sessions.
    pub core: Arc<Core>,
    /// For JSON.
    pub json: JsonFrames,
    assets: Assets,
    origins: Origins,
    trusted: Vec<Network>,
}

impl Edge {
    /// With these settings.
    ///
    /// # Errors
    /// [`Error::Descriptors`].
    pub fn new(config: &Config, core: Arc<Core>) -> Result<Self, Error> {
        Ok(Self {
            core,
            json: JsonFrames::new()?,
            assets: Assets::embedded(),
            origins: Origins::new(&config.gateway_allowed_origins),
            trusted: config.gateway_trusted_proxies.clone(),
        })
    }
}

/// All that the listener serves. Requests need a [`PeerAddress`] and a [`ConnectionPlace`].
///
/// # Errors
/// [`Error::Descriptors`] when reflection cannot be built, [`Error::Setting`] for an origin that
/// is none.
pub fn router(
    edge: Arc<Edge>,
    health: tonic_health::pb::health_server::HealthServer<
        impl tonic_health::pb::health_server::Health,
    >,
) -> Result<Router, Error> {
    let reflection = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(parlor_proto::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
            .with_service_name("parlor.gateway.v1.SessionService")
            .with_service_name("parlor.gateway.v1.AuthService")
            .with_service_name("grpc.health.v1.Health")
    };
    let broken = |error: tonic_reflection::server::Error| Error::Descriptors(error.to_string());
    let grpc = Router::new();
    let grpc = grpc_service(grpc, SessionServer::new(Arc::clone(&edge.core)));
    let grpc = grpc_service(grpc, Auth::server(Arc::clone(&edge.core)));
    let grpc = grpc_service(grpc, health);
    let grpc = grpc_service(grpc, reflection().build_v1().map_err(broken)?);
    let grpc = grpc_service(grpc, reflection().build_v1alpha().map_err(broken)?);
    let grpc = grpc.layer(GrpcWebLayer::new());
    let cors = cors(edge.origins.allowed())?;
    let router = Router::new()
        .route("/v1/session", any(session))
        .merge(auth::http::routes())
        .fallback(file)
        .with_state(Arc::clone(&edge))
        .merge(grpc)
        .layer(cors)
        .layer(middleware::from_fn_with_state(edge, admit))
        .layer(CatchPanicLayer::custom(|_| auth::http::failed(&Failure::internal())));
    Ok(router)
}

fn grpc_service<S>(router: Router, service: S) -> Router
where
    S: Service<Request, Error = std::convert::Infallible> + NamedService,
    S: Clone + Send + Sync + 'static,
    S::Response: IntoResponse,
    S::Future: Send + 'static,
{
    router.route_service(&format!("/{}/{{*method}}", S::NAME), service)
}

fn cors(allowed: &[String]) -> Result<CorsLayer, Error> {
    let origins =
        allowed.iter().map(|origin| origin.parse()).collect::<Result<Vec<_>, _>>().map_err(
            |_| Error::Setting {
                setting: "--gateway-allowed-origins",
                problem: "holds what is no origin".to_owned(),
            },
        )?;
    let header = HeaderName::from_static;
    Ok(CorsLayer::new()
        .allow_origin(AllowOrigin::list(origins))
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([
            CONTENT_TYPE,
            header("x-grpc-web"),
            header("x-user-agent"),
            header("grpc-timeout"),
            header("authorization"),
        ])
        .expose_headers([
            header("grpc-status"),
            header("grpc-message"),
            header("grpc-status-details-bin"),
            http::header::RETRY_AFTER,
        ])
        .max_age(CORS_MAX_AGE))
}

/// Finds out where a request comes from, and refuses pages of other origins.
async fn admit(State(edge): State<Arc<Edge>>, mut request: Request, next: Next) -> Response {
    let Some(&PeerAddress(peer)) = request.extensions().get::<PeerAddress>() else {
        tracing::error!("a request has no peer address");
        return auth::http::failed(&Failure::internal());
    };
    let client = address::client(peer, request.headers(), &edge.trusted);
    request.extensions_mut().insert(ClientAddress(client));
    let is_grpc = request
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"));
    if let Err(failure) = edge.origins.check(request.uri(), request.headers()) {
        edge.core.metrics.reject(&failure.reason);
        return if is_grpc {
            Status::from(failure).into_http()
        } else {
            auth::http::failed(&failure)
        };
    }
    let span = tracing::info_span!("http", method = %request.method(), path = request.uri().path());
    trace::adopt(&span, trace::extract_headers(request.headers()));
    let answer = timeout(ANSWER_TIMEOUT, next.run(request).instrument(span));
    let mut response = match answer.await {
        Ok(response) => response,
        // Whoever sends a body by drops does not hold a connection for ever.
        Err(_) => StatusCode::REQUEST_TIMEOUT.into_response(),
    };
    if !is_grpc {
        assets::make_safe(response.headers_mut());
    }
    response
}

async fn file(State(edge): State<Arc<Edge>>, request: Request) -> Response {
    edge.assets.serve(request.method(), request.uri().path(), request.headers())
}

/// Opens a session over WebSocket.
async fn session(
    State(edge): State<Arc<Edge>>,
    Extension(address): Extension<ClientAddress>,
    Extension(connection): Extension<ConnectionPlace>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Response {
    let upgrade = match upgrade {
        Ok(upgrade) => upgrade,
        Err(rejection) => return rejection.into_response(),
    };
    let core = Arc::clone(&edge.core);
    let upgrade = websocket::configure(upgrade, core.config.gateway_max_frame_bytes);
    let selected = upgrade.selected_protocol().and_then(|protocol| protocol.to_str().ok());
    let codec = match selected {
        Some(websocket::PROTO) => Codec::Proto,
        Some(websocket::JSON) => Codec::Json(edge.json.clone()),
        _ => {
            let message = "offer the subprotocol parlor.v1.proto or parlor.v1.json";
            let failure = Failure::new(Code::Invalid, reasons::SUBPROTOCOL_REQUIRED, message);
            return refuse(&edge, &failure);
        }
    };
    if core.leaving.is_cancelled() {
        let message = "this gateway is closing";
        return refuse(&edge, &Failure::new(Code::Unavailable, reasons::DRAINING, message));
    }
    let place = match core.limits.session(address.0) {
        Ok(place) => place,
        Err(failure) => return refuse(&edge, &failure),
    };
    upgrade.on_upgrade(async move |socket| {
        let shutdown = core.shutdown.clone();
        shutdown.spawn("gateway-session", async move {
            let _connection = connection;
            websocket::serve(core, socket, codec, address.0, place).await;
        });
    })
}

fn refuse(edge: &Edge, failure: &Failure) -> Response {
    edge.core.metrics.reject(&failure.reason);
    auth::http::failed(failure)
}

/// Keeps the health service equal to the gateway's readiness, until the gateway has ended.
pub async fn mirror_health(health: HealthReporter, readiness: Readiness) {
    health.set_service_status(LIVENESS, ServingStatus::Serving).await;
    let mut stages = readiness.subscribe();
    loop {
        let stage = *stages.borrow_and_update();
        let status = match stage {
            Stage::Ready => ServingStatus::Serving,
            Stage::NotReady | Stage::Draining => ServingStatus::NotServing,
        };
        let names =
            ["", SessionServer::NAME, parlor_proto::gateway::v1::auth_service_server::SERVICE_NAME];
        for name in names {
            health.set_service_status(name, status).await;
        }
        if stages.changed().await.is_err() {
            return;
        }
    }
}
