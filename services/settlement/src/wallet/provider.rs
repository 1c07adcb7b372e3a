//! What an operator's wallet is asked, and what counts as an answer.

use async_trait::async_trait;
use parlor_common::PlayerId;

use crate::money::{Chips, Transfer};

/// What an operator has answered. Whatever is neither a clear yes nor a clear no is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It is done; the operator's own number of it.
    Yes(String),
    /// It is not done and will not be.
    No(Refusal),
    /// It may be done or not; what was wrong, without secrets.
    Unknown(String),
}

/// Why an operator says no.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The wallet does not hold as much; what it holds, if the operator says so.
    InsufficientFunds(Option<Chips>),
    /// Anything else, in the operator's own stable name.
    Other(String),
}

impl Refusal {
    /// The stable name.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::InsufficientFunds(_) => "insufficient_funds",
            Self::Other(name) => name,
        }
    }
}

/// An operator's wallet.
#[async_trait]
pub trait Provider: Send + Sync + 'static {
    /// What is in a player's wallet; what was wrong, if that cannot be said.
    async fn balance(&self, player: PlayerId) -> Result<Chips, String>;

    /// Asks once for a transfer, under its [`Transfer::order_key`].
    async fn order(&self, transfer: &Transfer) -> Answer;
}
