//! What keeps a gateway from starting.

/// A fault of configuration or of the environment.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The compiled descriptors are damaged: a broken build.
    #[error("the compiled descriptors cannot be used: {0}")]
    Descriptors(String),
    /// No secret to sign tokens with, or one that is too short.
    #[error("the token secret is missing or shorter than {min_bytes} bytes")]
    TokenSecret {
        /// Shortest secret that is accepted.
        min_bytes: usize,
    },
    /// The system has no randomness.
    #[error("no randomness for a token secret: {0}")]
    Randomness(String),
    /// An operator's keys.
    #[error("the operator's JWKS cannot be used: {0}")]
    Jwks(String),
    /// A setting has a value that cannot be meant.
    #[error("the setting {setting} {problem}")]
    Setting {
        /// Its flag.
        setting: &'static str,
        /// What is wrong.
        problem: String,
    },
    /// What all services share.
    #[error(transparent)]
    Common(#[from] parlor_common::Error),
    /// The certificate or its key.
    #[error("TLS: {0}")]
    Tls(String),
}
