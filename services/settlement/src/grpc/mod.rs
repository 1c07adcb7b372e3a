//! The gRPC face: nothing but translation.

mod history;
mod ledger;

pub use history::HistoryApi;
pub use ledger::LedgerApi;

/// Largest message that is decoded: a hand's record and what is around it.
pub(crate) const MAX_MESSAGE_BYTES: usize = crate::money::RECORD_LENGTH + 64 * 1024;
