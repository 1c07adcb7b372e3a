use parlor_common::{Code, Failure, PlayerId, TableId};
use parlor_matchmaking::{Error, REASONS};

/// One of each error that may leave the service.
fn all_errors() -> Vec<Error> {
    let (player, table) = (PlayerId::random(), TableId::random());
    vec![
        Error::AlreadyMatched,
        Error::AlreadyQueued(player),
        Error::AlreadySeated(player, table),
        Error::BadParty { largest: 4 },
        Error::BadPlayerName,
        Error::BadRequestId,
        Error::BadRoomCode,
        Error::BadRoomSettings("the settings are too large"),
        Error::BadTicketId,
        Error::Draining,
        Error::Serve("a fault".to_owned()),
        Error::NoFreeCode,
        Error::QueueFull,
        Error::QueueNotFound,
        Error::RoomBeingCreated,
        Error::RoomFull,
        Error::RoomNotFound,
        Error::StoreUnavailable("away".to_owned()),
        Error::TablesUnavailable,
        Error::TicketNotFound,
        Error::TooManyCodes { retry_after_ms: 7 },
        Error::TooManyWatchers,
    ]
}

#[test]
fn the_reasons_are_these_and_no_others() {
    let listed: Vec<String> =
        all_errors().into_iter().map(|error| Failure::from(error).reason).collect();
    assert_eq!(listed, REASONS);
    assert_eq!(
        REASONS.join(" "),
        "ALREADY_MATCHED ALREADY_QUEUED ALREADY_SEATED BAD_PARTY BAD_PLAYER_NAME BAD_REQUEST_ID \
         BAD_ROOM_CODE BAD_ROOM_SETTINGS BAD_TICKET_ID DRAINING INTERNAL NO_FREE_CODE QUEUE_FULL \
         QUEUE_NOT_FOUND ROOM_BEING_CREATED ROOM_FULL ROOM_NOT_FOUND STORE_UNAVAILABLE \
         TABLES_UNAVAILABLE TICKET_NOT_FOUND TOO_MANY_CODES TOO_MANY_WATCHERS"
    );
}

#[test]
fn a_fault_does_not_tell_what_it_was() {
    let failure = Failure::from(Error::Serve("secret address".to_owned()));
    assert_eq!(failure, Failure::internal());
}

#[test]
fn details_of_a_store_fault_stay_inside() {
    let failure = Failure::from(Error::StoreUnavailable("redis://user@host".to_owned()));
    assert_eq!(failure.code, Code::Unavailable);
    assert!(!format!("{failure:?}").contains("user@host"));
}

#[test]
fn whoever_tries_too_many_codes_is_told_when_to_come_back() {
    let failure = Failure::from(Error::TooManyCodes { retry_after_ms: 1234 });
    assert_eq!(failure.metadata["retry_after_ms"], "1234");
}
