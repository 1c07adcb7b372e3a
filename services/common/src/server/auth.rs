//! Which services may call this one.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::header::AUTHORIZATION;
use secrecy::SecretString;
use tonic::Status;

use crate::{Code, Failure, secret};

/// Probes cannot send headers.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// Who may call a server.
#[derive(Clone, Debug, Default)]
pub enum ServiceAuth {
    /// Everybody: the gateway, which signs its clients in itself, and tests.
    #[default]
    Open,
    /// Whoever shows one of these as `authorization: Bearer …`; the first is the current one, the
    /// others are still good while a new one is rolled out. Health is open.
    Tokens(Vec<SecretString>),
}

pub(super) async fn check(
    State(auth): State<ServiceAuth>,
    request: Request,
    next: Next,
) -> Response {
    if auth.allows(&request) {
        next.run(request).await
    } else {
        let failure = Failure::new(
            Code::Unauthenticated,
            "SERVICE_TOKEN_REQUIRED",
            "the call does not carry this system's service token",
        );
        Status::from(failure).into_http()
    }
}

impl ServiceAuth {
    fn allows(&self, request: &Request) -> bool {
        let Self::Tokens(tokens) = self else { return true };
        if request.uri().path().starts_with(HEALTH) {
            return true;
        }
        let Some(header) = request.headers().get(AUTHORIZATION) else { return false };
        let Some(given) = header.as_bytes().strip_prefix(b"Bearer ") else { return false };
        tokens.iter().any(|token| secret::matches(token, given))
    }
}
