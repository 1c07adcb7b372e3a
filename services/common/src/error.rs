//! What can go wrong while a service is put together.

use crate::secret;

/// A fault of configuration or of the environment; a service that meets one does not start.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Logs, traces or metrics could not be set up.
    #[error("telemetry: {0}")]
    Telemetry(String),
    /// A peer's address is not a URL.
    #[error("the peer's address {url:?} is neither http nor, with an identity, https")]
    PeerAddress {
        /// As it was given.
        url: String,
    },
    /// A token holds characters that do not fit in a header.
    #[error("the service token must be 1 to {} visible ASCII characters", secret::MAX_TOKEN)]
    Token,
    /// A secret's file cannot be read.
    #[error("the secret's file {path:?} cannot be read: {source}")]
    SecretFile {
        /// As it was given.
        path: String,
        /// Why not.
        source: std::io::Error,
    },
    /// The identity for TLS between services cannot be used.
    #[error("tls: {0}")]
    Tls(String),
    /// The descriptors of our own contracts are damaged.
    #[error("reflection: {0}")]
    Reflection(String),
    /// A listener failed.
    #[error("listener: {0}")]
    Listener(#[from] std::io::Error),
    /// The gRPC server failed.
    #[error("server: {0}")]
    Server(#[from] tonic::transport::Error),
}
