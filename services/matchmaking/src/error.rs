//! What can go wrong in matchmaking, and how it leaves the service.

use parlor_common::{Code, Failure, PlayerId, TableId};

/// Every reason this service gives of its own, sorted. A peer's reasons pass through unchanged.
pub const REASONS: &[&str] = &[
    "ALREADY_IN_PARTY",
    "ALREADY_MATCHED",
    "ALREADY_QUEUED",
    "ALREADY_SEATED",
    "BAD_CARDS",
    "BAD_CLUB_CHANGE",
    "BAD_CLUB_ID",
    "BAD_CLUB_NAME",
    "BAD_INVITE_CODE",
    "BAD_PARTY",
    "BAD_PLAYER_NAME",
    "BAD_REQUEST_ID",
    "BAD_ROOM_CODE",
    "BAD_ROOM_SETTINGS",
    "BAD_TICKET_ID",
    "CARD_KEY_REUSED",
    "CLUB_BUSY",
    "CLUB_FULL",
    "CLUB_NOT_FOUND",
    "CLUB_ROLE_TOO_LOW",
    "DRAINING",
    "INTERNAL",
    "JOIN_REQUEST_NOT_FOUND",
    "MEMBER_NOT_FOUND",
    "NOT_A_MEMBER",
    "NOT_ENOUGH_CARDS",
    "NOT_PARTY_LEADER",
    "NO_FREE_CODE",
    "NO_READY_CHECK",
    "OWNER_MUST_STAY",
    "PARTY_BUSY",
    "PARTY_FULL",
    "PARTY_NOT_FOUND",
    "PARTY_QUEUED",
    "PARTY_TOO_LARGE",
    "QUEUE_FULL",
    "QUEUE_NOT_FOUND",
    "ROOM_BEING_CREATED",
    "ROOM_FULL",
    "ROOM_NOT_FOUND",
    "STORE_UNAVAILABLE",
    "TABLES_UNAVAILABLE",
    "TICKET_NOT_FOUND",
    "TOO_MANY_CLUBS",
    "TOO_MANY_CLUB_ROOMS",
    "TOO_MANY_CODES",
    "TOO_MANY_WATCHERS",
];

/// A fault or a refusal of matchmaking.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Error {
    /// The player is in a party: in another one, or enters queues only with it.
    #[error("the player is in a party")]
    AlreadyInParty(PlayerId),
    /// The ticket has become a match: it cannot be taken back.
    #[error("the ticket is already matched")]
    AlreadyMatched,
    /// The player waits in a queue.
    #[error("the player already waits in a queue")]
    AlreadyQueued(PlayerId),
    /// The player has a seat at an unfinished table.
    #[error("the player already has a seat at a table")]
    AlreadySeated(PlayerId, TableId),
    /// A party is empty, names a player twice, or is larger than the queue's match.
    #[error("a party has 1 to {largest} different players")]
    BadParty {
        /// Most players.
        largest: u32,
    },
    /// A name is empty, too long, or has control characters.
    #[error("a name has 1 to 32 characters and no control characters")]
    BadPlayerName,
    /// A request id is empty, too long, or has control characters.
    #[error("a request id has 1 to 64 characters and no control characters")]
    BadRequestId,
    /// Not six digits.
    #[error("a room code has 6 digits")]
    BadRoomCode,
    /// A room's settings are out of bounds.
    #[error("{0}")]
    BadRoomSettings(&'static str),
    /// Not a ticket id.
    #[error("the identifier is not a UUID")]
    BadTicketId,
    /// The service is ending: ask another replica, or this one when it is back.
    #[error("this replica is going away")]
    Draining,
    /// Every code that was tried is in use.
    #[error("no free room code was found")]
    NoFreeCode,
    /// The player is not asked whether it is ready, or not any more.
    #[error("no ready check waits for the player")]
    NoReadyCheck,
    /// The queue holds as many tickets as it may.
    #[error("the queue is full")]
    QueueFull,
    /// There is no such queue.
    #[error("there is no such queue")]
    QueueNotFound,
    /// The first attempt of the same request is still under way.
    #[error("the room is being created")]
    RoomBeingCreated,
    /// No seat is free.
    #[error("the room has no free seat")]
    RoomFull,
    /// There is no such room, or not any more.
    #[error("there is no room with this code")]
    RoomNotFound,
    /// The store did not answer.
    #[error("the matchmaking store is away")]
    StoreUnavailable(String),
    /// No table service answered.
    #[error("no table service is reachable")]
    TablesUnavailable,
    /// There is no such ticket, or not for this player.
    #[error("there is no such ticket")]
    TicketNotFound,
    /// The player has tried too many room codes.
    #[error("too many room codes were tried")]
    TooManyCodes {
        /// When to try again.
        retry_after_ms: u64,
    },
    /// As many watchers as the service may hold.
    #[error("too many tickets are watched")]
    TooManyWatchers,
    /// A grant of no cards, of too many, or with too long a note.
    #[error("cards are 1 to 1000000000, given or taken, and a note has at most 100 characters")]
    BadCards,
    /// A change of a club that says nothing.
    #[error("the change of the club is missing or not known")]
    BadClubChange,
    /// Not a club's id.
    #[error("a club id is a UUID")]
    BadClubId,
    /// A club's name is empty, too long, or has control characters.
    #[error("a club's name has 1 to 32 characters and no control characters")]
    BadClubName,
    /// Not eight letters and digits of an invite code.
    #[error("an invite code has 8 letters and digits")]
    BadInviteCode,
    /// Another grant was made under this key.
    #[error("the key belongs to another grant")]
    CardKeyReused,
    /// Others change the club at the same moment, again and again.
    #[error("the club changes too often now")]
    ClubBusy,
    /// The club has as many members, or players who ask, as it may.
    #[error("the club is full")]
    ClubFull,
    /// There is no such club, or not for this player.
    #[error("there is no such club")]
    ClubNotFound,
    /// The member's role does not allow it.
    #[error("the member's role does not allow this")]
    ClubRoleTooLow,
    /// The player does not ask to be let in.
    #[error("the player does not ask to be let in")]
    JoinRequestNotFound,
    /// The player is no member of the club.
    #[error("there is no such member")]
    MemberNotFound,
    /// The room is for members of a club.
    #[error("the room is for members of its club")]
    NotAMember,
    /// The club has too few cards that are free.
    #[error("the club has too few room cards")]
    NotEnoughCards,
    /// A club with other members needs its owner, until another is made owner.
    #[error("make another member the owner first")]
    OwnerMustStay,
    /// The club has as many open rooms as it may.
    #[error("the club has too many open rooms")]
    TooManyClubRooms,
    /// The player is in as many clubs as it may be.
    #[error("the player is in too many clubs")]
    TooManyClubs,
    /// Only the leader of the party may do this.
    #[error("only the leader of the party may do this")]
    NotPartyLeader,
    /// Others change the party at the same moment, again and again.
    #[error("the party changes too often now")]
    PartyBusy,
    /// The party has as many members as it may.
    #[error("the party is full")]
    PartyFull,
    /// There is no such party, or not for this player, or its code has lapsed.
    #[error("there is no such party")]
    PartyNotFound,
    /// The party waits in a queue, where nobody can join it.
    #[error("the party waits in a queue")]
    PartyQueued,
    /// The queue takes no party of this size.
    #[error("the queue takes parties of at most {largest} players")]
    PartyTooLarge {
        /// Most players.
        largest: u32,
    },
    /// A peer's answer, passed through.
    #[error("{0}")]
    Peer(Failure),
    /// The configuration of the queues is wrong.
    #[error("queues: {0}")]
    Queues(String),
    /// The process could not start or go on serving.
    #[error("{0}")]
    Serve(String),
}

impl Error {
    /// The code and the reason; faults that must not leave the service have none.
    fn class(&self) -> Option<(Code, &'static str)> {
        Some(match self {
            Self::AlreadyInParty(_) => (Code::Precondition, "ALREADY_IN_PARTY"),
            Self::AlreadyMatched => (Code::Precondition, "ALREADY_MATCHED"),
            Self::AlreadyQueued(_) => (Code::Precondition, "ALREADY_QUEUED"),
            Self::AlreadySeated(..) => (Code::Precondition, "ALREADY_SEATED"),
            Self::BadParty { .. } => (Code::Invalid, "BAD_PARTY"),
            Self::BadPlayerName => (Code::Invalid, "BAD_PLAYER_NAME"),
            Self::BadRequestId => (Code::Invalid, "BAD_REQUEST_ID"),
            Self::BadRoomCode => (Code::Invalid, "BAD_ROOM_CODE"),
            Self::BadRoomSettings(_) => (Code::Invalid, "BAD_ROOM_SETTINGS"),
            Self::BadTicketId => (Code::Invalid, "BAD_TICKET_ID"),
            Self::Draining => (Code::Unavailable, "DRAINING"),
            Self::NoFreeCode => (Code::Exhausted, "NO_FREE_CODE"),
            Self::NoReadyCheck => (Code::Precondition, "NO_READY_CHECK"),
            Self::QueueFull => (Code::Exhausted, "QUEUE_FULL"),
            Self::QueueNotFound => (Code::NotFound, "QUEUE_NOT_FOUND"),
            Self::RoomBeingCreated => (Code::Stale, "ROOM_BEING_CREATED"),
            Self::RoomFull => (Code::Precondition, "ROOM_FULL"),
            Self::RoomNotFound => (Code::NotFound, "ROOM_NOT_FOUND"),
            Self::StoreUnavailable(_) => (Code::Unavailable, "STORE_UNAVAILABLE"),
            Self::TablesUnavailable => (Code::Unavailable, "TABLES_UNAVAILABLE"),
            Self::TicketNotFound => (Code::NotFound, "TICKET_NOT_FOUND"),
            Self::TooManyCodes { .. } => (Code::Exhausted, "TOO_MANY_CODES"),
            Self::TooManyWatchers => (Code::Exhausted, "TOO_MANY_WATCHERS"),
            Self::BadCards => (Code::Invalid, "BAD_CARDS"),
            Self::BadClubChange => (Code::Invalid, "BAD_CLUB_CHANGE"),
            Self::BadClubId => (Code::Invalid, "BAD_CLUB_ID"),
            Self::BadClubName => (Code::Invalid, "BAD_CLUB_NAME"),
            Self::BadInviteCode => (Code::Invalid, "BAD_INVITE_CODE"),
            Self::CardKeyReused => (Code::Precondition, "CARD_KEY_REUSED"),
            Self::ClubBusy => (Code::Stale, "CLUB_BUSY"),
            Self::ClubFull => (Code::Exhausted, "CLUB_FULL"),
            Self::ClubNotFound => (Code::NotFound, "CLUB_NOT_FOUND"),
            Self::ClubRoleTooLow => (Code::Denied, "CLUB_ROLE_TOO_LOW"),
            Self::JoinRequestNotFound => (Code::NotFound, "JOIN_REQUEST_NOT_FOUND"),
            Self::MemberNotFound => (Code::NotFound, "MEMBER_NOT_FOUND"),
            Self::NotAMember => (Code::Denied, "NOT_A_MEMBER"),
            Self::NotEnoughCards => (Code::Precondition, "NOT_ENOUGH_CARDS"),
            Self::OwnerMustStay => (Code::Precondition, "OWNER_MUST_STAY"),
            Self::TooManyClubRooms => (Code::Exhausted, "TOO_MANY_CLUB_ROOMS"),
            Self::TooManyClubs => (Code::Exhausted, "TOO_MANY_CLUBS"),
            Self::NotPartyLeader => (Code::Denied, "NOT_PARTY_LEADER"),
            Self::PartyBusy => (Code::Stale, "PARTY_BUSY"),
            Self::PartyFull => (Code::Precondition, "PARTY_FULL"),
            Self::PartyNotFound => (Code::NotFound, "PARTY_NOT_FOUND"),
            Self::PartyQueued => (Code::Precondition, "PARTY_QUEUED"),
            Self::PartyTooLarge { .. } => (Code::Precondition, "PARTY_TOO_LARGE"),
            Self::Peer(_) | Self::Queues(_) | Self::Serve(_) => return None,
        })
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let Some((code, reason)) = error.class() else {
            return match error {
                Error::Peer(failure) => failure,
                fault => {
                    tracing::error!(error = %fault, "a fault inside matchmaking");
                    Self::internal()
                }
            };
        };
        let failure = Self::new(code, reason, error.to_string());
        match error {
            Error::AlreadyInParty(player) | Error::AlreadyQueued(player) => {
                failure.with("player_id", player)
            }
            Error::PartyTooLarge { largest } => failure.with("largest", largest),
            Error::AlreadySeated(player, table) => {
                failure.with("player_id", player).with("table_id", table)
            }
            Error::TooManyCodes { retry_after_ms } => failure.retry_after_ms(retry_after_ms),
            _ => failure,
        }
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::Peer(failure)
    }
}
