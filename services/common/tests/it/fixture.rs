//! A small service to be served and called: sign-in, whose answers the tests choose.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::client::{ClientOptions, PeerChannel, connect};
use parlor_common::server::{ServerOptions, serve};
use parlor_common::{Error, Readiness, Shutdown};
use parlor_proto::gateway::v1::auth_service_server::{
    AuthService, AuthServiceServer, SERVICE_NAME,
};
use parlor_proto::gateway::v1::{
    RefreshRequest, SignInGuestRequest, SignInOperatorRequest, SignInResponse,
};
use tokio::net::TcpListener;
use tokio::sync::Notify;
use tokio::task::JoinHandle;
use tonic::service::Routes;
use tonic::{Request, Response, Status};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// No test waits longer for anything.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// `SignInGuest` greets and tells the `traceparent` it saw; `Refresh` panics when it is given
/// `panic`, and otherwise waits for `release` after telling `entered`.
#[derive(Clone, Default)]
pub struct Porter {
    pub entered: Arc<Notify>,
    pub release: Arc<Notify>,
}

#[tonic::async_trait]
impl AuthService for Porter {
    async fn sign_in_guest(
        &self,
        request: Request<SignInGuestRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        let name = request.into_inner().name;
        let access_token = parlor_common::trace::traceparent().unwrap_or_default();
        Ok(Response::new(SignInResponse { name, access_token, ..SignInResponse::default() }))
    }

    async fn sign_in_operator(
        &self,
        _: Request<SignInOperatorRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        Err(Status::unimplemented("not a part of these tests"))
    }

    async fn refresh(
        &self,
        request: Request<RefreshRequest>,
    ) -> Result<Response<SignInResponse>, Status> {
        assert_ne!(request.get_ref().refresh_token, "panic", "asked to panic");
        self.entered.notify_one();
        self.release.notified().await;
        Ok(Response::new(SignInResponse { name: "late".to_owned(), ..SignInResponse::default() }))
    }
}

/// The service, running.
pub struct Running {
    pub url: String,
    pub porter: Porter,
    pub readiness: Readiness,
    pub shutdown: Shutdown,
    pub server: JoinHandle<Result<(), Error>>,
}

/// Starts the service on a port of its own.
pub async fn start(options: ServerOptions) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let porter = Porter::default();
    let shutdown = Shutdown::new();
    let options = options.with_health_names(&[SERVICE_NAME]);
    let readiness = options.readiness.clone();
    let routes = Routes::new(AuthServiceServer::new(porter.clone()));
    let server = serve(listener, routes, options, &shutdown).unwrap();
    Running { url, porter, readiness, shutdown, server }
}

impl Running {
    /// A channel without a token.
    pub fn channel(&self) -> PeerChannel {
        connect(&self.url, &ClientOptions::default()).unwrap()
    }
}

/// What health says of a service; empty: of the server.
pub async fn health(channel: &PeerChannel, service: &str) -> ServingStatus {
    let request = HealthCheckRequest { service: service.to_owned() };
    HealthClient::new(channel.clone()).check(request).await.unwrap().into_inner().status()
}

/// Waits until health says so.
pub async fn health_becomes(channel: &PeerChannel, service: &str, wanted: ServingStatus) {
    let request = HealthCheckRequest { service: service.to_owned() };
    let watching = async {
        let mut client = HealthClient::new(channel.clone());
        let mut statuses = client.watch(request).await.unwrap().into_inner();
        while let Some(status) = statuses.message().await.unwrap() {
            if status.status() == wanted {
                return;
            }
        }
        panic!("the health stream of {service:?} ended before {wanted:?}");
    };
    tokio::time::timeout(PATIENCE, watching).await.unwrap();
}
