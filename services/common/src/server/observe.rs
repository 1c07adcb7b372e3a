//! A span and a measurement for every call.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use opentelemetry::KeyValue;
use opentelemetry::metrics::Histogram;
use tokio::time::Instant;
use tonic::{Code, Status};
use tracing::Instrument;

use crate::{telemetry, trace};

/// Stands for names that callers make up, so that they cannot fill the metrics.
const OTHER: &str = "other";

#[derive(Clone)]
pub(super) struct Instruments {
    duration: Histogram<f64>,
}

impl Instruments {
    pub(super) fn new() -> Self {
        let duration = telemetry::meter()
            .f64_histogram("parlor_grpc_server_duration_seconds")
            .with_description("Time from a call's headers to the headers of its answer")
            .with_boundaries(telemetry::LATENCY_S.to_vec())
            .build();
        Self { duration }
    }
}

pub(super) async fn observe(
    State(instruments): State<Instruments>,
    request: Request,
    next: Next,
) -> Response {
    let path = request.uri().path().trim_start_matches('/').to_owned();
    let (service, method) = path.split_once('/').unwrap_or((OTHER, OTHER));
    let span = tracing::info_span!(
        "grpc",
        otel.name = path,
        otel.kind = "server",
        rpc.system = "grpc",
        rpc.service = service,
        rpc.method = method,
        rpc.grpc.status_code = tracing::field::Empty,
    );
    trace::adopt(&span, trace::extract_headers(request.headers()));
    let started = Instant::now();
    let response = next.run(request).instrument(span.clone()).await;
    // A call that fails at once has its status in the headers; one that is under way has not.
    let code = Status::from_header_map(response.headers()).map_or(Code::Ok, |status| status.code());
    span.record("rpc.grpc.status_code", code as i32);
    let known = !matches!(code, Code::Unimplemented | Code::Unauthenticated);
    let (service, method) = if known { (service, method) } else { (OTHER, OTHER) };
    let labels = [
        KeyValue::new("service", service.to_owned()),
        KeyValue::new("method", method.to_owned()),
        KeyValue::new("code", i64::from(code as i32)),
    ];
    instruments.duration.record(started.elapsed().as_secs_f64(), &labels);
    response
}
