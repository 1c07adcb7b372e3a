//! The reasons that do not belong to one service.

/// Every reason that this crate gives, sorted. Clients switch over them: they may be added to, and
/// none may change.
pub const REASONS: &[&str] = &[
    "ABORTED",
    "BAD_HAND_ID",
    "BAD_HOLD_ID",
    "BAD_PLAYER_ID",
    "BAD_POD_ID",
    "BAD_TABLE_ID",
    "FAILED_PRECONDITION",
    "INTERNAL",
    "INVALID_REQUEST",
    "NOT_FOUND",
    "NO_TABLE_POD",
    "PERMISSION_DENIED",
    "RESOURCE_EXHAUSTED",
    "SERVICE_TOKEN_REQUIRED",
    "SERVICE_UNAVAILABLE",
    "TABLE_NOT_FOUND",
    "UNAUTHENTICATED",
];
