//! What can go wrong in the table service.

use std::sync::Arc;

use parlor_common::locate::OWNER_URL;
use parlor_common::{Code, Failure};
use parlor_game::entry::Unreadable;
use parlor_game::{Refusal, RefusalKind};

use crate::store::StoreError;

/// A failure of the table service.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no such table here.
    #[error("there is no such table")]
    TableNotFound,
    /// The table has moved to another owner.
    #[error("the table has moved to another owner")]
    TableMoved {
        /// Where the new owner is called, if it is known.
        owner: Option<Arc<str>>,
    },
    /// The log of the table cannot be read.
    #[error("the log of the table cannot be read")]
    Unreadable,
    /// The log was written under rules that this engine does not know.
    #[error("the table was written under rules version {version}")]
    RulesVersion {
        /// The version in the log.
        version: u32,
    },
    /// The table has more waiting requests than it takes.
    #[error("the table is busy")]
    Busy,
    /// This process owns as many tables as it takes.
    #[error("no more tables are taken here")]
    Full,
    /// This process is still taking up its tables.
    #[error("this process is still taking up its tables")]
    Starting,
    /// This process is going away.
    #[error("this process is draining")]
    Draining,
    /// Without a secret there are no daily challenges.
    #[error("there are no daily challenges here")]
    DailyUnavailable,
    /// A challenge is played on its day.
    #[error("the daily challenge is played on its day (UTC)")]
    DailyNotOpen,
    /// The seed of a challenge is not revealed while it can be played.
    #[error("the challenge can still be played")]
    DailyOpen,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The caller has no seat, and the table shows itself to nobody else.
    #[error("the table may not be watched")]
    SpectatorsNotAllowed,
    /// A request is malformed; its stable reason and a text.
    #[error("{1}")]
    Invalid(&'static str, &'static str),
    /// The game or the table refused; the scope of the reason, and the refusal.
    #[error("{1}")]
    Refused(&'static str, Refusal),
}

/// Reasons of this service that are not a game's or the table shell's, sorted.
pub const REASONS: &[&str] = &[
    "BAD_COMMAND",
    "BAD_DAY",
    "BAD_NAME",
    "BAD_OPTIONS",
    "BAD_PLAYER_ID",
    "BAD_REQUEST_ID",
    "BAD_RESERVATIONS",
    "BAD_SETTINGS",
    "BAD_TABLE_ID",
    "DAILY_NOT_OPEN",
    "DAILY_OPEN",
    "DAILY_UNAVAILABLE",
    "SPECTATORS_NOT_ALLOWED",
    "TABLE_BUSY",
    "TABLE_MOVED",
    "TABLE_NOT_FOUND",
    "TABLE_STORE_UNAVAILABLE",
    "TABLE_UNREADABLE",
    "TABLES_DRAINING",
    "TABLES_FULL",
    "TABLES_STARTING",
    "WRONG_GAME",
];

impl From<Unreadable> for Error {
    fn from(_: Unreadable) -> Self {
        Self::Unreadable
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let text = error.to_string();
        match error {
            Error::TableNotFound | Error::Store(StoreError::Missing) => {
                Self::new(Code::NotFound, "TABLE_NOT_FOUND", text)
            }
            Error::TableMoved { owner } => {
                let moved = Self::new(Code::Unavailable, "TABLE_MOVED", text);
                owner.into_iter().fold(moved, |moved, owner| moved.with(OWNER_URL, owner))
            }
            Error::Store(StoreError::Fenced { .. }) => {
                Self::new(Code::Unavailable, "TABLE_MOVED", text)
            }
            Error::Unreadable | Error::RulesVersion { .. } => {
                Self::new(Code::Internal, "TABLE_UNREADABLE", text)
            }
            Error::SpectatorsNotAllowed => Self::new(Code::Denied, "SPECTATORS_NOT_ALLOWED", text),
            Error::DailyUnavailable => Self::new(Code::Precondition, "DAILY_UNAVAILABLE", text),
            Error::DailyNotOpen => Self::new(Code::Precondition, "DAILY_NOT_OPEN", text),
            Error::DailyOpen => Self::new(Code::Precondition, "DAILY_OPEN", text),
            Error::Busy => Self::new(Code::Exhausted, "TABLE_BUSY", text),
            Error::Full => Self::new(Code::Exhausted, "TABLES_FULL", text),
            Error::Starting => Self::new(Code::Unavailable, "TABLES_STARTING", text),
            Error::Draining => Self::new(Code::Unavailable, "TABLES_DRAINING", text),
            Error::Store(_) => Self::new(
                Code::Unavailable,
                "TABLE_STORE_UNAVAILABLE",
                "the table's store is not available",
            ),
            Error::Invalid(reason, text) => Self::new(Code::Invalid, reason, text),
            Error::Refused(scope, refusal) => refused(scope, &refusal),
        }
    }
}

/// A refusal with its scope before its reason, such as `BLACKJACK_NOT_YOUR_TURN`.
#[must_use]
pub fn refused(scope: &str, refusal: &Refusal) -> Failure {
    let code = match refusal.kind {
        RefusalKind::Invalid => Code::Invalid,
        RefusalKind::Illegal => Code::Precondition,
    };
    let reason = format!("{scope}_{}", refusal.reason).to_uppercase();
    let failure = Failure::new(code, reason, refusal.message.clone());
    refusal.details.iter().fold(failure, |failure, (name, value)| failure.with(*name, value))
}
