//! Parties: players who enter queues together.
//!
//! A [`Party`] is one small document that is changed as a whole ([`crate::store::PartyStore`]); the
//! rules of who may change what are in [`rules`], pure functions of the document.
//!
//! **Invariant.** A player is in one party at most. A party's ticket has exactly the members that
//! the party had at that moment: entering a queue and changing the members are steps of the store
//! that exclude each other, and nobody comes in while the ticket is live.

pub mod rules;

use std::fmt;
use std::str::FromStr;

use parlor_common::PlayerId;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::Error;
use crate::ids::{QueueId, RequestId, TicketId};
use crate::invite::InviteCode;
use crate::ticket::Member;

/// A party.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PartyId(Uuid);

impl PartyId {
    /// The party that a player's request begins: the same request, the same party.
    #[must_use]
    pub fn begun_by(player: PlayerId, request: &RequestId) -> Self {
        let name = format!("party/{}", request.as_str());
        Self(Uuid::new_v5(&Uuid::from_bytes(*player.as_bytes()), name.as_bytes()))
    }
}

impl fmt::Display for PartyId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.hyphenated().fmt(formatter)
    }
}

impl FromStr for PartyId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Uuid::try_parse(text).map(Self).map_err(|_| Error::PartyNotFound)
    }
}

/// How a member has gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Departure {
    /// By its own request.
    Left,
    /// The leader sent it away.
    Removed,
    /// It was not connected for too long.
    Absent,
}

impl Departure {
    /// Its stable name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Removed => "removed",
            Self::Absent => "absent",
        }
    }
}

/// Players who enter queues together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Party {
    /// The party.
    pub id: PartyId,
    /// The leader first, then in the order of joining; empty when the party is no more.
    pub members: Vec<Member>,
    /// Lets its reader in.
    pub invite: InviteCode,
    /// Until then, milliseconds since the Unix epoch.
    pub invite_until_ms: i64,
    /// Who has gone lately, and how: so that they can be told.
    pub departed: Vec<(PlayerId, Departure)>,
}

/// A party's place in a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartyTicket {
    /// Its live ticket.
    pub ticket: TicketId,
    /// Where it waits.
    pub queue: QueueId,
}
