//! Clubs: members, roles, open rooms, room cards.
//!
//! A [`Club`] is one document that is changed as a whole ([`crate::store::ClubStore`]); the rules
//! of who may change what are in [`rules`], pure functions of the document. Cards are whole numbers
//! without a money value of their own: an operator grants them, and rooms with a price spend them.
//!
//! **Invariant.** A club never spends more cards than it has: a room sets its price aside before
//! its table is created, and the price is spent once, when the first hand has begun.

pub mod prices;
pub mod rules;

use std::fmt;
use std::str::FromStr;

use parlor_common::{PlayerId, TableId};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::Error;
use crate::ids::RequestId;
pub use crate::invite::InviteCode;
use crate::room::RoomCode;
use crate::ticket::{MAX_NAME, Member};

/// Most members of one club: its document stays below a hundred kilobytes.
pub const MAX_MEMBERS: usize = 500;

/// Most players who ask to be let in at a time.
pub const MAX_JOIN_REQUESTS: usize = 100;

/// Most open rooms of one club.
pub const MAX_ROOMS: usize = 50;

/// Most clubs that one player joins or founds.
pub const MAX_CLUBS_OF_PLAYER: usize = 20;

/// Most cards of a club; far from where sums would overflow.
pub const MAX_CARDS: i64 = 1_000_000_000;

/// A club.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClubId(Uuid);

impl ClubId {
    /// The club that a player's request founds: the same request, the same club.
    #[must_use]
    pub fn founded_by(player: PlayerId, request: &RequestId) -> Self {
        let name = format!("club/{}", request.as_str());
        Self(Uuid::new_v5(&Uuid::from_bytes(*player.as_bytes()), name.as_bytes()))
    }
}

impl fmt::Display for ClubId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(formatter)
    }
}

impl FromStr for ClubId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Uuid::try_parse(text).map(Self).map_err(|_| Error::BadClubId)
    }
}

/// What a member may do; a later one may do all that an earlier one may.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Plays, and opens rooms.
    Member,
    /// Also lets players in, removes members, renews the invite code.
    Manager,
    /// Also gives roles and the name. There is one.
    Owner,
}

/// A member of a club.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClubMember {
    /// Who, with the name at the time of joining.
    #[serde(flatten)]
    pub member: Member,
    /// What it may do.
    pub role: Role,
    /// Since when, milliseconds since the Unix epoch.
    pub joined_ms: i64,
}

/// An open room of a club.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClubRoom {
    /// Names the room: the request id of its table.
    pub key: String,
    /// Its code.
    pub code: RoomCode,
    /// Absent while the table is being created.
    pub table: Option<TableId>,
    /// Who opened it.
    pub host: Member,
    /// The game's id.
    pub game: String,
    /// Cards that it costs.
    pub price: i64,
    /// Whether the price is spent rather than set aside.
    pub charged: bool,
    /// When it was opened.
    pub created_ms: i64,
    /// Since when its table is not found.
    pub missing_since_ms: Option<i64>,
}

/// A club with all that changes in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Club {
    /// The club.
    pub id: ClubId,
    /// 1 to 32 characters.
    pub name: String,
    /// In the order of joining; empty when the club is no more.
    pub members: Vec<ClubMember>,
    /// Who asks to be let in.
    pub join_requests: Vec<Member>,
    /// Lets in; absent when the club is no more.
    pub invite: Option<InviteCode>,
    /// All cards, free and set aside.
    pub cards: i64,
    /// How many entries its card book has.
    pub card_entries: u64,
    /// Open rooms.
    pub rooms: Vec<ClubRoom>,
}

/// One line of a club's card book. It never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CardEntry {
    /// From 1, without gaps.
    pub number: u64,
    /// Made once under this key: `grant/KEY` or `room/KEY`.
    pub key: String,
    /// Negative when cards were spent.
    pub cards: i64,
    /// All cards afterwards.
    pub balance: i64,
    /// When.
    pub time_ms: i64,
    /// For which table they were spent.
    pub table: Option<TableId>,
    /// An operator's words about a grant.
    pub note: String,
    /// Who opened the room for which they were spent.
    #[serde(default)]
    pub host: Option<Member>,
    /// The room's game; empty for a grant.
    #[serde(default)]
    pub game: String,
}

/// The name of a club: 1 to 32 characters, none of them a control character.
///
/// # Errors
/// [`Error::BadClubName`].
pub fn check_name(name: &str) -> Result<(), Error> {
    let length = name.chars().take(MAX_NAME + 1).count();
    if (1..=MAX_NAME).contains(&length) && !name.chars().any(char::is_control) {
        Ok(())
    } else {
        Err(Error::BadClubName)
    }
}
