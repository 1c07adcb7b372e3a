//! The golden list: a reason that is added, renamed or lost shows here.

#[test]
fn the_reasons_are_these() {
    let reasons = [
        "ADDRESS_BANNED",
        "ADMIN_ROLE_REQUIRED",
        "BAD_ADMIN_REQUEST",
        "BAD_ADMIN_TOKEN",
        "BAD_CLIENT_SEED",
        "BAD_PAGE_TOKEN",
        "BAD_REQUEST_BODY",
        "BAD_REQUEST_ID",
        "BAD_TOKEN",
        "DRAINING",
        "EMPTY_REQUEST",
        "HELLO_EXPECTED",
        "LINK_UNAVAILABLE",
        "MALFORMED_FRAME",
        "MESSAGE_TOO_LARGE",
        "NO_SESSION",
        "OPERATOR_KEYS_UNAVAILABLE",
        "OPERATOR_SIGN_IN_OFF",
        "ORIGIN_NOT_ALLOWED",
        "PLAYER_BANNED",
        "PLAYER_MUTED",
        "RATE_LIMITED",
        "REFRESH_TOKEN_REUSED",
        "SECOND_HELLO",
        "SHARED_REGISTRY_AWAY",
        "SUBPROTOCOL_REQUIRED",
        "TOO_MANY_REQUESTS",
        "TOO_MANY_SANCTIONS",
        "TOO_MANY_SESSIONS",
        "TOO_MANY_TABLES",
        "TOO_SLOW",
    ];
    assert_eq!(parlor_gateway::REASONS, reasons);
    assert!(reasons.is_sorted());
}
