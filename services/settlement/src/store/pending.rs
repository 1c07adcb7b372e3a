//! What a wallet outside is asked to do, until it is done.

use async_trait::async_trait;

use crate::money::{Debit, Transfer, TransferState};
use crate::store::StoreError;

/// What became of asking for a buy-in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Begun {
    /// It is written down, and the caller is the only one who works on it for a while.
    Pending(Transfer),
    /// Somebody else works on it, or the operator was asked a moment ago.
    Busy,
    /// The operator has taken the money before.
    Paid(Transfer),
    /// The key was used for another buy-in.
    Conflict,
}

/// How a step has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Conclusion {
    /// The operator has taken the money; its own number of that.
    Paid(String),
    /// All is done.
    Done(String),
    /// The operator has said no; why.
    Refused(String),
    /// The end is not known: to be tried again.
    Later {
        /// What was wrong.
        why: String,
        /// When to try again.
        due_ms: i64,
    },
    /// The operator has taken money for which there will be no hold: it is to be given back.
    GiveBack(String),
}

/// Where transfers are written down.
#[async_trait]
pub trait Transfers: Send + Sync + 'static {
    /// Writes a buy-in down, or finds what has become of it. Nobody else gets it until `until_ms`.
    async fn begin(&self, debit: &Debit, now_ms: i64, until_ms: i64) -> Result<Begun, StoreError>;

    /// Transfers on which somebody has to work; nobody else gets them until `until_ms`.
    async fn claim(
        &self,
        limit: u32,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Vec<Transfer>, StoreError>;

    /// Writes down how a step has ended; false when somebody else has ended it before.
    async fn conclude(
        &self,
        transfer: &Transfer,
        conclusion: &Conclusion,
        now_ms: i64,
    ) -> Result<bool, StoreError>;

    /// How far a transfer has come by now.
    async fn state(&self, transfer: &Transfer) -> Result<Option<TransferState>, StoreError>;

    /// How many transfers have not ended.
    async fn unfinished(&self) -> Result<u64, StoreError>;
}
