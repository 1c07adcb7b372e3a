//! What is remembered of parties.

use std::collections::BTreeSet;

use async_trait::async_trait;
use parlor_common::{PlayerId, random};
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::ids::TicketId;
use crate::invite::InviteCode;
use crate::party::{Party, PartyId};

/// A party with the number of its last change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredParty {
    /// Counts the changes, and the tickets too, from 1.
    pub version: u64,
    /// Names the last change, so that one whose answer was lost is known again.
    pub write: String,
    /// The ticket with which these members have entered a queue last; it may have ended.
    pub ticket: Option<TicketId>,
    /// The party.
    pub party: Party,
}

/// One change of a party, with all that is looked up by other keys.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartySave {
    /// The version that it changes; 0: there is none yet.
    pub from_version: u64,
    /// The party as it is to be. Without members it is forgotten.
    pub to: StoredParty,
    /// What changes in the indexes.
    pub indexes: PartyIndexes,
    /// When, milliseconds since the Unix epoch; who joins is here then.
    pub now_ms: i64,
}

/// What changes in the indexes of parties.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct PartyIndexes {
    /// New members.
    pub joined: Vec<PlayerId>,
    /// Members no more.
    pub left: Vec<PlayerId>,
    /// An invite code that is void; empty: none.
    pub old_invite: String,
    /// A new invite code; empty: none.
    pub new_invite: String,
}

impl PartySave {
    /// The change from what is stored, if anything is, to a party. Its ticket is forgotten when its
    /// members change.
    #[must_use]
    pub fn new(stored: Option<&StoredParty>, party: Party, now_ms: i64) -> Self {
        let from_version = stored.map_or(0, |stored| stored.version);
        let indexes = PartyIndexes::between(stored.map(|stored| &stored.party), &party);
        let same_members = indexes.joined.is_empty() && indexes.left.is_empty();
        let ticket = stored.and_then(|stored| stored.ticket).filter(|_| same_members);
        let (version, write) = (from_version + 1, random::uuid().to_string());
        Self { from_version, to: StoredParty { version, write, ticket, party }, indexes, now_ms }
    }
}

impl PartyIndexes {
    fn between(old: Option<&Party>, new: &Party) -> Self {
        let members = |party: &Party| -> BTreeSet<PlayerId> {
            party.members.iter().map(|member| member.player).collect()
        };
        let (before, after) = (old.map(members).unwrap_or_default(), members(new));
        let old_invite = old.map(|old| old.invite);
        let new_invite = Some(new.invite).filter(|_| !after.is_empty());
        let text = |invite: Option<InviteCode>| {
            let changed = invite.filter(|_| old_invite != new_invite);
            changed.map(|invite| invite.to_string()).unwrap_or_default()
        };
        Self {
            joined: after.difference(&before).copied().collect(),
            left: before.difference(&after).copied().collect(),
            old_invite: text(old_invite),
            new_invite: text(new_invite),
        }
    }
}

/// What [`PartyStore::save_party`] did. Nothing was changed unless it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartySaved {
    /// The party is what was asked for, now or since before.
    Done,
    /// It is not in the version that the change begins with.
    Changed,
    /// The new invite code is another party's.
    CodeTaken,
    /// This new member is in another party.
    InParty(PlayerId),
    /// This new member has a live ticket.
    Queued(PlayerId),
}

/// Parties. They end with the tickets: what outlives neither its players nor their process needs
/// no file. All methods fail with [`Error::StoreUnavailable`] only.
#[async_trait]
pub trait PartyStore: Send + Sync + 'static {
    /// A party.
    async fn party(&self, party: PartyId) -> Result<Option<StoredParty>, Error>;

    /// The party of a player.
    async fn party_of(&self, player: PlayerId) -> Result<Option<StoredParty>, Error>;

    /// The party that an invite code lets in, whether or not the code has lapsed.
    async fn party_of_invite(&self, invite: InviteCode) -> Result<Option<StoredParty>, Error>;

    /// Changes a party in one step, with its indexes.
    async fn save_party(&self, save: &PartySave) -> Result<PartySaved, Error>;

    /// Notes that members are here; players who are in no party are passed over.
    async fn here(&self, players: &[PlayerId], now_ms: i64) -> Result<(), Error>;

    /// Members who were here last before `before_ms`, the longest away first, at most `most`.
    async fn absent(&self, before_ms: i64, most: u32) -> Result<Vec<PlayerId>, Error>;
}
