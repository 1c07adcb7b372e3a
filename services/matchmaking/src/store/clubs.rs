//! What is remembered of clubs.

use std::collections::BTreeSet;

use async_trait::async_trait;
use parlor_common::{PlayerId, TableId, random};
use serde::{Deserialize, Serialize};

use crate::club::{CardEntry, Club, ClubId, InviteCode};
use crate::error::Error;

/// A club with the number of its last change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredClub {
    /// Counts the changes, from 1.
    pub version: u64,
    /// Names the last change, so that one whose answer was lost is known again.
    pub write: String,
    /// The club.
    pub club: Club,
}

/// One change of a club, with all that is looked up by other keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClubSave {
    /// The version that it changes; 0: there is none yet.
    pub from_version: u64,
    /// The club as it is to be, with its version.
    pub to: StoredClub,
    /// A new line of the card book.
    pub entry: Option<CardEntry>,
    /// What changes in the indexes.
    pub indexes: ClubIndexes,
}

/// What changes in the indexes of clubs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ClubIndexes {
    /// New members.
    pub joined: Vec<PlayerId>,
    /// Members no more.
    pub left: Vec<PlayerId>,
    /// Tables of new rooms.
    pub opened: Vec<TableId>,
    /// Tables of rooms that are closed.
    pub closed: Vec<TableId>,
    /// An invite code that is void; empty: none.
    pub old_invite: String,
    /// A new invite code; empty: none.
    pub new_invite: String,
}

impl ClubSave {
    /// The change from what is stored, if anything is, to a club.
    #[must_use]
    pub fn new(stored: Option<&StoredClub>, club: Club, entry: Option<CardEntry>) -> Self {
        let from_version = stored.map_or(0, |stored| stored.version);
        let indexes = ClubIndexes::between(stored.map(|stored| &stored.club), &club);
        let to = StoredClub { version: from_version + 1, write: random::uuid().to_string(), club };
        Self { from_version, to, entry, indexes }
    }
}

impl ClubIndexes {
    fn between(old: Option<&Club>, new: &Club) -> Self {
        let members = |club: &Club| -> BTreeSet<PlayerId> {
            club.members.iter().map(|member| member.member.player).collect()
        };
        let tables = |club: &Club| -> BTreeSet<TableId> {
            club.rooms.iter().filter_map(|room| room.table).collect()
        };
        let invite = |club: Option<&Club>| club.and_then(|club| club.invite);
        let (old_members, new_members) = (old.map(members).unwrap_or_default(), members(new));
        let (old_tables, new_tables) = (old.map(tables).unwrap_or_default(), tables(new));
        let (old_invite, new_invite) = (invite(old), invite(Some(new)));
        let text = |invite: Option<InviteCode>| {
            let changed = invite.filter(|_| old_invite != new_invite);
            changed.map(|invite| invite.to_string()).unwrap_or_default()
        };
        Self {
            joined: new_members.difference(&old_members).copied().collect(),
            left: old_members.difference(&new_members).copied().collect(),
            opened: new_tables.difference(&old_tables).copied().collect(),
            closed: old_tables.difference(&new_tables).copied().collect(),
            old_invite: text(old_invite),
            new_invite: text(new_invite),
        }
    }
}

/// Clubs and their card books. All methods fail with [`Error::StoreUnavailable`] only.
#[async_trait]
pub trait ClubStore: Send + Sync + 'static {
    /// A club.
    async fn club(&self, club: ClubId) -> Result<Option<StoredClub>, Error>;

    /// Changes a club in one step, with its indexes and its card book; false, and nothing is
    /// changed, when the club is not in the version that the change begins with, or its invite code
    /// is another club's.
    async fn save_club(&self, save: &ClubSave) -> Result<bool, Error>;

    /// The line of a club's card book that was made under a key.
    async fn card_entry(&self, club: ClubId, key: &str) -> Result<Option<CardEntry>, Error>;

    /// Lines of a club's card book before a number, newest first, at most `most`.
    async fn card_entries(
        &self,
        club: ClubId,
        before: u64,
        most: u32,
    ) -> Result<Vec<CardEntry>, Error>;

    /// The clubs of a player, sorted.
    async fn clubs_of(&self, player: PlayerId) -> Result<Vec<ClubId>, Error>;

    /// The club that an invite code lets in.
    async fn club_of_invite(&self, invite: InviteCode) -> Result<Option<ClubId>, Error>;

    /// The club whose open room has this table.
    async fn club_of_table(&self, table: TableId) -> Result<Option<ClubId>, Error>;

    /// Clubs with open rooms, sorted.
    async fn clubs_with_rooms(&self) -> Result<Vec<ClubId>, Error>;
}
