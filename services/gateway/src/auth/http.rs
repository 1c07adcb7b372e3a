//! Signing in over HTTP with JSON.

use std::sync::Arc;

use axum::Extension;
use axum::body::Body;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use bytes::Bytes;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use parlor_common::status::RETRY_AFTER_MS;
use parlor_common::{Code, Failure};
use parlor_proto::gateway::v1::SignInResponse;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::json;

use crate::edge::{ClientAddress, Edge};
use crate::reasons;

/// Largest body of a request; the longest is an operator's token.
pub const MAX_BODY_BYTES: usize = 16 * 1024;

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Guest {
    name: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refresh {
    #[serde(alias = "refreshToken")]
    refresh_token: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Operator {
    token: String,
}

/// The routes under `/v1/auth`.
pub fn routes() -> axum::Router<Arc<Edge>> {
    axum::Router::new()
        .route("/v1/auth/guest", post(guest))
        .route("/v1/auth/refresh", post(refresh))
        .route("/v1/auth/operator", post(operator))
        .layer(axum::extract::DefaultBodyLimit::max(MAX_BODY_BYTES))
}

async fn guest(
    State(edge): State<Arc<Edge>>,
    Extension(address): Extension<ClientAddress>,
    body: Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Response {
    let answer = async {
        edge.core.admit_guest(address.0)?;
        let body = body.map_err(|_| bad_body("the body is too large"))?;
        let Guest { name } = if body.is_empty() { Guest::default() } else { read(&body)? };
        edge.core.sign_in.guest(&name).await
    };
    reply(&edge, answer.await)
}

async fn refresh(
    State(edge): State<Arc<Edge>>,
    Extension(address): Extension<ClientAddress>,
    body: Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Response {
    let answer = || {
        edge.core.admit_sign_in(address.0)?;
        let body = body.map_err(|_| bad_body("the body is too large"))?;
        let Refresh { refresh_token } = read(&body)?;
        edge.core.sign_in.refresh(&refresh_token)
    };
    reply(&edge, answer())
}

async fn operator(
    State(edge): State<Arc<Edge>>,
    Extension(address): Extension<ClientAddress>,
    body: Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Response {
    let answer = async {
        edge.core.admit_sign_in(address.0)?;
        let body = body.map_err(|_| bad_body("the body is too large"))?;
        let Operator { token } = read(&body)?;
        edge.core.sign_in.operator(&token).await
    };
    reply(&edge, answer.await)
}

fn read<T: DeserializeOwned>(body: &[u8]) -> Result<T, Failure> {
    // The error of serde may quote the body, which may be a token.
    serde_json::from_slice(body).map_err(|error| {
        let place = format!("not the expected JSON, at line {}", error.line());
        bad_body(&place)
    })
}

fn bad_body(message: &str) -> Failure {
    Failure::new(Code::Invalid, reasons::BAD_REQUEST_BODY, message)
}

fn reply(edge: &Edge, answer: Result<SignInResponse, Failure>) -> Response {
    let response = answer.and_then(|response| {
        let name = "parlor.gateway.v1.SignInResponse";
        edge.json.write_message(name, &response).ok_or_else(Failure::internal)
    });
    match response {
        Ok(text) => json_response(StatusCode::OK, text),
        Err(failure) => {
            edge.core.metrics.reject(&failure.reason);
            failed(&failure)
        }
    }
}

/// A failure over HTTP: the fields of the protocol's `Error`, as JSON.
#[must_use]
pub fn failed(failure: &Failure) -> Response {
    let body = json!({
        "code": failure.code.name(),
        "reason": failure.reason,
        "message": failure.message,
        "retryable": failure.code.retryable(),
        "metadata": failure.metadata,
    });
    let status = StatusCode::from_u16(failure.code.http());
    let status = status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = json_response(status, body.to_string());
    let wait_ms: Option<u64> =
        failure.metadata.get(RETRY_AFTER_MS).and_then(|wait| wait.parse().ok());
    if let Some(wait_ms) = wait_ms {
        response.headers_mut().insert(RETRY_AFTER, wait_ms.div_ceil(1000).into());
    }
    response
}

fn json_response(status: StatusCode, text: String) -> Response {
    let headers = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (CACHE_CONTROL, HeaderValue::from_static("no-store")),
    ];
    (status, headers, Body::from(text)).into_response()
}
