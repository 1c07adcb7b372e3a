//! Spans and metrics on their way out of the process. The only test that sets the subscriber up.

use std::time::Duration;

use opentelemetry_proto::tonic::collector::metrics::v1::metrics_service_server::{
    MetricsService, MetricsServiceServer,
};
use opentelemetry_proto::tonic::collector::metrics::v1::{
    ExportMetricsServiceRequest, ExportMetricsServiceResponse,
};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{
    TraceService, TraceServiceServer,
};
use opentelemetry_proto::tonic::collector::trace::v1::{
    ExportTraceServiceRequest, ExportTraceServiceResponse,
};
use parlor_common::admin::{self, Admin};
use parlor_common::server::ServerOptions;
use parlor_common::telemetry::{LogFormat, TelemetryConfig, init};
use parlor_common::{Shutdown, telemetry};
use parlor_proto::gateway::v1::SignInGuestRequest;
use parlor_proto::gateway::v1::auth_service_client::AuthServiceClient;
use tokio::net::TcpListener;
use tokio::sync::mpsc;
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};

use crate::admin::get;
use crate::fixture::{PATIENCE, start};

/// Names of what has arrived: `span …` or `metric …`.
#[derive(Clone)]
struct Collector(mpsc::Sender<String>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        for resource in request.into_inner().resource_spans {
            for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
                self.0.send(format!("span {}", span.name)).await.unwrap();
            }
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

#[tonic::async_trait]
impl MetricsService for Collector {
    async fn export(
        &self,
        request: Request<ExportMetricsServiceRequest>,
    ) -> Result<Response<ExportMetricsServiceResponse>, Status> {
        for resource in request.into_inner().resource_metrics {
            for metric in resource.scope_metrics.into_iter().flat_map(|scope| scope.metrics) {
                self.0.send(format!("metric {}", metric.name)).await.unwrap();
            }
        }
        Ok(Response::new(ExportMetricsServiceResponse::default()))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn spans_and_metrics_reach_the_collector_and_the_scrape() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let endpoint = format!("http://{}", listener.local_addr().unwrap());
    let (sender, mut arrived) = mpsc::channel(1000);
    let collector = Server::builder()
        .add_service(TraceServiceServer::new(Collector(sender.clone())))
        .add_service(MetricsServiceServer::new(Collector(sender)))
        .serve_with_incoming(TcpIncoming::from(listener));
    tokio::spawn(collector);

    let config = TelemetryConfig {
        log_filter: "off".to_owned(),
        log_format: LogFormat::Json,
        otlp_endpoint: endpoint,
        otlp_filter: "info".to_owned(),
        otlp_sample_ratio: 1.0,
    };
    let guard = init(&config, "parlor-test").unwrap();
    assert!(init(&config, "parlor-test").is_err());

    let running = start(ServerOptions::new("porter")).await;
    let mut client = AuthServiceClient::new(running.channel());
    client.sign_in_guest(SignInGuestRequest::default()).await.unwrap();
    telemetry::meter().u64_counter("parlor_test_greetings").build().add(3, &[]);

    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = Shutdown::new();
    let admin = Admin { registry: guard.registry(), readiness: Vec::new() };
    let _server = admin::serve(listener, admin, &shutdown);
    let (status, scrape) = get(address, "/metrics").await;
    assert_eq!(status, 200);
    let call = r#"code="0",method="SignInGuest",service="parlor.gateway.v1.AuthService""#;
    for line in [
        "parlor_test_greetings_total 3".to_owned(),
        format!("parlor_grpc_server_duration_seconds_count{{{call}}} 1"),
    ] {
        assert!(scrape.lines().any(|scraped| scraped == line), "{line:?} is not in\n{scrape}");
    }

    tokio::time::timeout(PATIENCE, guard.shutdown()).await.unwrap();
    let mut names = Vec::new();
    while let Ok(Some(name)) = tokio::time::timeout(Duration::from_millis(1), arrived.recv()).await
    {
        names.push(name);
    }
    for name in ["span parlor.gateway.v1.AuthService/SignInGuest", "metric parlor_test_greetings"] {
        assert!(names.iter().any(|arrived| arrived == name), "{name:?} is not in {names:?}");
    }
}
