//! The reasons of the gateway's own failures. Stable: clients switch over them.

use parlor_common::{Code, Failure};

/// Another JWT than ours, damaged, expired, or for another purpose.
pub const BAD_TOKEN: &str = "BAD_TOKEN";
/// The client seed is longer than 32 bytes.
pub const BAD_CLIENT_SEED: &str = "BAD_CLIENT_SEED";
/// The page token was not given out here.
pub const BAD_PAGE_TOKEN: &str = "BAD_PAGE_TOKEN";
/// A request's body over HTTP is not the JSON that is expected.
pub const BAD_REQUEST_BODY: &str = "BAD_REQUEST_BODY";
/// A request id must have 1 to 64 visible ASCII characters.
pub const BAD_REQUEST_ID: &str = "BAD_REQUEST_ID";
/// The gateway is closing; another one serves.
pub const DRAINING: &str = "DRAINING";
/// A request names no command that this gateway knows.
pub const EMPTY_REQUEST: &str = "EMPTY_REQUEST";
/// The first frame was no Hello, or did not come in time.
pub const HELLO_EXPECTED: &str = "HELLO_EXPECTED";
/// The table did not answer in time; the command may have been carried out.
pub const LINK_UNAVAILABLE: &str = "LINK_UNAVAILABLE";
/// A frame that cannot be read.
pub const MALFORMED_FRAME: &str = "MALFORMED_FRAME";
/// A frame larger than `Welcome.max_frame_bytes`.
pub const MESSAGE_TOO_LARGE: &str = "MESSAGE_TOO_LARGE";
/// The player has no session at this gateway.
pub const NO_SESSION: &str = "NO_SESSION";
/// No operator's tokens are accepted here.
pub const OPERATOR_SIGN_IN_OFF: &str = "OPERATOR_SIGN_IN_OFF";
/// A browser's page from elsewhere.
pub const ORIGIN_NOT_ALLOWED: &str = "ORIGIN_NOT_ALLOWED";
/// Too many requests; wait `retry_after_ms`.
pub const RATE_LIMITED: &str = "RATE_LIMITED";
/// A refresh token that was used up before.
pub const REFRESH_TOKEN_REUSED: &str = "REFRESH_TOKEN_REUSED";
/// A second Hello.
pub const SECOND_HELLO: &str = "SECOND_HELLO";
/// The WebSocket offers none of the gateway's subprotocols.
pub const SUBPROTOCOL_REQUIRED: &str = "SUBPROTOCOL_REQUIRED";
/// The client reads too slowly.
pub const TOO_SLOW: &str = "TOO_SLOW";
/// Too many requests are unanswered.
pub const TOO_MANY_REQUESTS: &str = "TOO_MANY_REQUESTS";
/// Too many sessions from one address.
pub const TOO_MANY_SESSIONS: &str = "TOO_MANY_SESSIONS";
/// Too many watched tables.
pub const TOO_MANY_TABLES: &str = "TOO_MANY_TABLES";
/// Nobody may come from this address until its ban ends.
pub const ADDRESS_BANNED: &str = "ADDRESS_BANNED";
/// The admin token has a role that may not do this.
pub const ADMIN_ROLE_REQUIRED: &str = "ADMIN_ROLE_REQUIRED";
/// A field of an administrator's request is out of its bounds.
pub const BAD_ADMIN_REQUEST: &str = "BAD_ADMIN_REQUEST";
/// Not the token of an administrator.
pub const BAD_ADMIN_TOKEN: &str = "BAD_ADMIN_TOKEN";
/// The operator's keys could not be read for too long.
pub const OPERATOR_KEYS_UNAVAILABLE: &str = "OPERATOR_KEYS_UNAVAILABLE";
/// The player may open no session until the ban ends.
pub const PLAYER_BANNED: &str = "PLAYER_BANNED";
/// The player may show no emotes and say nothing until the mute ends.
pub const PLAYER_MUTED: &str = "PLAYER_MUTED";
/// What the gateways share cannot be changed now.
pub const SHARED_REGISTRY_AWAY: &str = "SHARED_REGISTRY_AWAY";
/// Too many players are banned or muted at a time.
pub const TOO_MANY_SANCTIONS: &str = "TOO_MANY_SANCTIONS";

/// All reasons that the gateway itself gives, sorted. Those of other services pass through.
pub const REASONS: &[&str] = &[
    ADDRESS_BANNED,
    ADMIN_ROLE_REQUIRED,
    BAD_ADMIN_REQUEST,
    BAD_ADMIN_TOKEN,
    BAD_CLIENT_SEED,
    BAD_PAGE_TOKEN,
    BAD_REQUEST_BODY,
    BAD_REQUEST_ID,
    BAD_TOKEN,
    DRAINING,
    EMPTY_REQUEST,
    HELLO_EXPECTED,
    LINK_UNAVAILABLE,
    MALFORMED_FRAME,
    MESSAGE_TOO_LARGE,
    NO_SESSION,
    OPERATOR_KEYS_UNAVAILABLE,
    OPERATOR_SIGN_IN_OFF,
    ORIGIN_NOT_ALLOWED,
    PLAYER_BANNED,
    PLAYER_MUTED,
    RATE_LIMITED,
    REFRESH_TOKEN_REUSED,
    SECOND_HELLO,
    SHARED_REGISTRY_AWAY,
    SUBPROTOCOL_REQUIRED,
    TOO_MANY_REQUESTS,
    TOO_MANY_SANCTIONS,
    TOO_MANY_SESSIONS,
    TOO_MANY_TABLES,
    TOO_SLOW,
];

/// A failure that asks to wait.
#[must_use]
pub fn rate_limited(wait_ms: u64) -> Failure {
    Failure::new(Code::Exhausted, RATE_LIMITED, "too many requests").retry_after_ms(wait_ms.max(1))
}
