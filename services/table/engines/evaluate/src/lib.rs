//! Answers single rule questions as JSON: `parlor evaluate`.
//!
//! One module a game. Each takes the `input` of a case and answers its `output`; the fields are
//! those of the rule documents' case files.

pub mod balatro;
pub mod blackjack;
pub mod mahjong;

/// A question that could not be answered.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The input is not of the form that the question takes.
    #[error("malformed input: {0}")]
    Malformed(String),
    /// The input is well-formed and the rules refuse it; the stable reason.
    #[error("{0}")]
    Refused(String),
}

impl From<serde_json::Error> for Error {
    fn from(error: serde_json::Error) -> Self {
        Self::Malformed(error.to_string())
    }
}
