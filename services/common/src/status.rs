//! The only map from errors to gRPC and HTTP.
//!
//! Every failure that leaves a service is a [`Failure`]: one of few [`Code`]s, a stable reason in
//! `SCREAMING_SNAKE_CASE`, a text for developers and, where it helps, metadata. It travels between
//! services as a `tonic::Status` with `google.rpc.ErrorInfo` and comes out unchanged.

use std::collections::{BTreeMap, HashMap};
use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use tonic::{Code as Grpc, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The `domain` of every `ErrorInfo`.
pub const DOMAIN: &str = "parlor";

/// Metadata key: wait so many milliseconds before trying again.
pub const RETRY_AFTER_MS: &str = "retry_after_ms";

/// What kind of failure it is. The list is closed: a client may switch over it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// The input can never be right.
    Invalid,
    /// The caller is not signed in, or its token is no longer good.
    Unauthenticated,
    /// The caller is known and may not do this.
    Denied,
    /// The thing does not exist, or not for this caller.
    NotFound,
    /// The input is right and the state does not allow it, such as an illegal move.
    Precondition,
    /// Somebody else was faster: read again, then decide again.
    Stale,
    /// Too much, too fast, or too full.
    Exhausted,
    /// Not now: a part of the system is away. The same request may succeed later.
    Unavailable,
    /// A fault of ours.
    Internal,
}

impl Code {
    /// All codes.
    pub const ALL: [Self; 9] = [
        Self::Invalid,
        Self::Unauthenticated,
        Self::Denied,
        Self::NotFound,
        Self::Precondition,
        Self::Stale,
        Self::Exhausted,
        Self::Unavailable,
        Self::Internal,
    ];

    /// The gRPC status code.
    #[must_use]
    pub const fn grpc(self) -> Grpc {
        match self {
            Self::Invalid => Grpc::InvalidArgument,
            Self::Unauthenticated => Grpc::Unauthenticated,
            Self::Denied => Grpc::PermissionDenied,
            Self::NotFound => Grpc::NotFound,
            Self::Precondition => Grpc::FailedPrecondition,
            Self::Stale => Grpc::Aborted,
            Self::Exhausted => Grpc::ResourceExhausted,
            Self::Unavailable => Grpc::Unavailable,
            Self::Internal => Grpc::Internal,
        }
    }

    /// The HTTP status code.
    #[must_use]
    pub const fn http(self) -> u16 {
        match self {
            Self::Invalid => 400,
            Self::Unauthenticated => 401,
            Self::Denied => 403,
            Self::NotFound => 404,
            Self::Precondition | Self::Stale => 409,
            Self::Exhausted => 429,
            Self::Unavailable => 503,
            Self::Internal => 500,
        }
    }

    /// The name in a client's error frame.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Invalid => "invalid_argument",
            Self::Unauthenticated => "unauthenticated",
            Self::Denied => "permission_denied",
            Self::NotFound => "not_found",
            Self::Precondition => "failed_precondition",
            Self::Stale => "aborted",
            Self::Exhausted => "resource_exhausted",
            Self::Unavailable => "unavailable",
            Self::Internal => "internal",
        }
    }

    /// Whether the same request may succeed later without a change.
    #[must_use]
    pub const fn retryable(self) -> bool {
        matches!(self, Self::Stale | Self::Exhausted | Self::Unavailable)
    }

    /// The code of a gRPC status; codes that we do not send become the nearest one.
    #[must_use]
    pub const fn from_grpc(code: Grpc) -> Self {
        match code {
            Grpc::InvalidArgument | Grpc::OutOfRange => Self::Invalid,
            Grpc::Unauthenticated => Self::Unauthenticated,
            Grpc::PermissionDenied => Self::Denied,
            Grpc::NotFound => Self::NotFound,
            Grpc::FailedPrecondition | Grpc::AlreadyExists => Self::Precondition,
            Grpc::Aborted => Self::Stale,
            Grpc::ResourceExhausted => Self::Exhausted,
            Grpc::Unavailable | Grpc::DeadlineExceeded | Grpc::Cancelled => Self::Unavailable,
            _ => Self::Internal,
        }
    }
}

/// A failure as it leaves a service.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Failure {
    /// The kind.
    pub code: Code,
    /// Stable, `SCREAMING_SNAKE_CASE`, such as `BLACKJACK_NOT_YOUR_TURN`.
    pub reason: String,
    /// For a developer, lower case, without secrets.
    pub message: String,
    /// Numbers and names that help the caller.
    pub metadata: BTreeMap<String, String>,
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.reason, self.message)
    }
}

impl Failure {
    /// A failure without metadata.
    #[must_use]
    pub fn new(code: Code, reason: impl Into<String>, message: impl Into<String>) -> Self {
        let (reason, message) = (reason.into(), message.into());
        Self { code, reason, message, metadata: BTreeMap::new() }
    }

    /// A fault of ours. The cause belongs in the log, not in the message.
    #[must_use]
    pub fn internal() -> Self {
        Self::new(Code::Internal, "INTERNAL", "an internal error; it has been logged")
    }

    /// Adds a number or a name that helps the caller.
    #[must_use]
    pub fn with(mut self, key: impl Into<String>, value: impl ToString) -> Self {
        self.metadata.insert(key.into(), value.to_string());
        self
    }

    /// Asks the caller to wait.
    #[must_use]
    pub fn retry_after_ms(self, wait_ms: u64) -> Self {
        self.with(RETRY_AFTER_MS, wait_ms)
    }
}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Self {
        let wait = failure.metadata.get(RETRY_AFTER_MS).and_then(|wait| wait.parse().ok());
        let metadata: HashMap<_, _> = failure.metadata.into_iter().collect();
        let mut details = ErrorDetails::with_error_info(failure.reason, DOMAIN, metadata);
        if let Some(wait_ms) = wait {
            details.set_retry_info(Some(Duration::from_millis(wait_ms)));
        }
        Self::with_error_details(failure.code.grpc(), failure.message, details)
    }
}

impl From<Status> for Failure {
    fn from(status: Status) -> Self {
        let code = Code::from_grpc(status.code());
        match status.get_details_error_info() {
            Some(info) if info.domain == DOMAIN => Self {
                code,
                reason: info.reason,
                message: status.message().to_owned(),
                metadata: info.metadata.into_iter().collect(),
            },
            // Not one of our services answered: a proxy, a timeout, a connection that broke.
            _ => {
                let code = if broke_off(&status) { Code::Unavailable } else { code };
                Self::new(code, transport_reason(code), status.message())
            }
        }
    }
}

/// Whether there was no answer, because the connection broke while it was waited for: tonic calls
/// that unknown or internal. A status that came from a peer has no cause on our side.
fn broke_off(status: &Status) -> bool {
    matches!(status.code(), Grpc::Unknown | Grpc::Internal) && status.source().is_some()
}

fn transport_reason(code: Code) -> &'static str {
    match code {
        Code::Unavailable => "SERVICE_UNAVAILABLE",
        Code::NotFound => "NOT_FOUND",
        Code::Invalid => "INVALID_REQUEST",
        Code::Unauthenticated => "UNAUTHENTICATED",
        Code::Denied => "PERMISSION_DENIED",
        Code::Exhausted => "RESOURCE_EXHAUSTED",
        Code::Stale => "ABORTED",
        Code::Precondition => "FAILED_PRECONDITION",
        Code::Internal => "INTERNAL",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_survives_the_wire() {
        for code in Code::ALL {
            let failure = Failure::new(code, "TABLE_NOT_FOUND", "there is no such table")
                .with("table_id", 7)
                .retry_after_ms(250);
            assert_eq!(Failure::from(Status::from(failure.clone())), failure);
        }
    }

    #[test]
    fn a_connection_that_broke_is_no_fault_of_the_peer() {
        let broken = std::io::Error::from(std::io::ErrorKind::ConnectionReset);
        let failure = Failure::from(Status::from_error(Box::new(broken)));
        assert_eq!(
            (failure.code, failure.reason.as_str()),
            (Code::Unavailable, "SERVICE_UNAVAILABLE")
        );
        let failure = Failure::from(Status::internal("a fault of the peer"));
        assert_eq!(failure.code, Code::Internal);
    }
}
