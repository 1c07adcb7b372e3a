use parlor_common::{Code, Failure, PlayerId, TableId};
use parlor_matchmaking::{Error, REASONS};

/// One of each error that may leave the service.
fn all_errors() -> Vec<Error> {
    let (player, table) = (PlayerId::random(), TableId::random());
    vec![
        Error::AlreadyInParty(player),
        Error::AlreadyMatched,
        Error::AlreadyQueued(player),
        Error::AlreadySeated(player, table),
        Error::BadCards,
        Error::BadClubChange,
        Error::BadClubId,
        Error::BadClubName,
        Error::BadInviteCode,
        Error::BadParty { largest: 4 },
        Error::BadPlayerName,
        Error::BadRequestId,
        Error::BadRoomCode,
        Error::BadRoomSettings("the settings are too large"),
        Error::BadTicketId,
        Error::CardKeyReused,
        Error::ClubBusy,
        Error::ClubFull,
        Error::ClubNotFound,
        Error::ClubRoleTooLow,
        Error::Draining,
        Error::Serve("a fault".to_owned()),
        Error::JoinRequestNotFound,
        Error::MemberNotFound,
        Error::NotAMember,
        Error::NotEnoughCards,
        Error::NotPartyLeader,
        Error::NoFreeCode,
        Error::NoReadyCheck,
        Error::OwnerMustStay,
        Error::PartyBusy,
        Error::PartyFull,
        Error::PartyNotFound,
        Error::PartyQueued,
        Error::PartyTooLarge { largest: 2 },
        Error::QueueFull,
        Error::QueueNotFound,
        Error::RoomBeingCreated,
        Error::RoomFull,
        Error::RoomNotFound,
        Error::StoreUnavailable("away".to_owned()),
        Error::TablesUnavailable,
        Error::TicketNotFound,
        Error::TooManyClubs,
        Error::TooManyClubRooms,
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
        "ALREADY_IN_PARTY ALREADY_MATCHED ALREADY_QUEUED ALREADY_SEATED BAD_CARDS \
         BAD_CLUB_CHANGE BAD_CLUB_ID BAD_CLUB_NAME BAD_INVITE_CODE BAD_PARTY BAD_PLAYER_NAME \
         BAD_REQUEST_ID BAD_ROOM_CODE BAD_ROOM_SETTINGS BAD_TICKET_ID CARD_KEY_REUSED \
         CLUB_BUSY CLUB_FULL CLUB_NOT_FOUND CLUB_ROLE_TOO_LOW DRAINING INTERNAL \
         JOIN_REQUEST_NOT_FOUND MEMBER_NOT_FOUND NOT_A_MEMBER NOT_ENOUGH_CARDS \
         NOT_PARTY_LEADER NO_FREE_CODE NO_READY_CHECK OWNER_MUST_STAY PARTY_BUSY \
         PARTY_FULL PARTY_NOT_FOUND PARTY_QUEUED PARTY_TOO_LARGE QUEUE_FULL QUEUE_NOT_FOUND \
         ROOM_BEING_CREATED ROOM_FULL ROOM_NOT_FOUND STORE_UNAVAILABLE TABLES_UNAVAILABLE \
         TICKET_NOT_FOUND TOO_MANY_CLUBS TOO_MANY_CLUB_ROOMS TOO_MANY_CODES \
         TOO_MANY_WATCHERS"
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
