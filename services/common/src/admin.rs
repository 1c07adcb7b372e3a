//! The admin listener of a process: `/metrics`, `/livez`, `/readyz`.
//!
//! It is for the platform, not for players: keep its port inside the cluster.

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::StatusCode;
use http::header::CONTENT_TYPE;
use prometheus::{Registry, TextEncoder};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

use crate::readiness::{Readiness, Stage};
use crate::{Error, Shutdown};

/// What the admin listener shows.
#[derive(Clone, Debug)]
pub struct Admin {
    /// From [`crate::telemetry::Guard::registry`].
    pub registry: Registry,
    /// Of every service in the process; `/readyz` is fine only when all are ready.
    pub readiness: Vec<Readiness>,
}

/// Serves the admin endpoints in a task of `shutdown` until it begins.
///
/// Give it a shutdown that ends last, so that the drain can be watched.
pub fn serve(
    listener: TcpListener,
    admin: Admin,
    shutdown: &Shutdown,
) -> JoinHandle<Result<(), Error>> {
    let router = Router::new()
        .route("/metrics", get(metrics))
        .route("/livez", get(async || "ok\n"))
        .route("/readyz", get(ready))
        .with_state(Arc::new(admin));
    let end = shutdown.begun();
    shutdown.spawn("admin-server", async move {
        axum::serve(listener, router).with_graceful_shutdown(end).await.map_err(Error::from)
    })
}

async fn metrics(State(admin): State<Arc<Admin>>) -> Response {
    match TextEncoder::new().encode_to_string(&admin.registry.gather()) {
        Ok(text) => ([(CONTENT_TYPE, prometheus::TEXT_FORMAT)], text).into_response(),
        Err(error) => {
            tracing::error!(%error, "the metrics could not be encoded");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}

async fn ready(State(admin): State<Arc<Admin>>) -> (StatusCode, String) {
    let mut text = String::new();
    let mut status = StatusCode::OK;
    for readiness in &admin.readiness {
        let stage = match readiness.stage() {
            Stage::Ready => "ready",
            Stage::NotReady => "not ready",
            Stage::Draining => "draining",
        };
        if readiness.stage() != Stage::Ready {
            status = StatusCode::SERVICE_UNAVAILABLE;
        }
        text.push_str(&format!("{}: {stage}\n", readiness.service()));
    }
    (status, text)
}
