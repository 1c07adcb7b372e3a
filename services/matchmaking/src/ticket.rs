//! Tickets: players who wait together for a match.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use parlor_common::{PlayerId, TableId};

use crate::error::Error;
use crate::ids::{MatchId, QueueId, RequestId, TicketId};
use crate::party::PartyId;

/// Longest name of a player, in characters.
pub const MAX_NAME: usize = 32;

/// A rating in hundredths of a Weng-Lin point: a newcomer has 2500.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rating(pub i32);

impl Rating {
    /// What a player has before the first rated hand.
    pub const NEWCOMER: Self = Self(2500);

    /// The mean, rounded towards zero; a newcomer's for nobody.
    #[must_use]
    pub fn mean(ratings: &[Self]) -> Self {
        let Ok(count @ 1..) = i64::try_from(ratings.len()) else { return Self::NEWCOMER };
        let sum: i64 = ratings.iter().map(|rating| i64::from(rating.0)).sum();
        i32::try_from(sum / count).map_or(Self::NEWCOMER, Self)
    }
}

/// A player with the name that others see.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Member {
    /// Who.
    pub player: PlayerId,
    /// 1 to 32 characters.
    pub name: String,
}

impl Member {
    /// A player with a name.
    ///
    /// # Errors
    /// [`Error::BadPlayerName`] when the name is empty, too long or has control characters.
    pub fn new(player: PlayerId, name: &str) -> Result<Self, Error> {
        let length = name.chars().take(MAX_NAME + 1).count();
        if (1..=MAX_NAME).contains(&length) && !name.chars().any(char::is_control) {
            Ok(Self { player, name: name.to_owned() })
        } else {
            Err(Error::BadPlayerName)
        }
    }
}

/// The party whose ticket it is, in the version from which its members are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TicketParty {
    /// The party.
    pub id: PartyId,
    /// The version.
    pub version: u64,
}

/// The stay of some players in a queue. It never changes; what becomes of it is its
/// [`TicketState`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ticket {
    /// The ticket.
    pub id: TicketId,
    /// Where it waits.
    pub queue: QueueId,
    /// The caller's name for the request.
    pub request: RequestId,
    /// The caller first; never empty.
    pub members: Vec<Member>,
    /// The players' mean.
    pub rating: Rating,
    /// Since when it waits, milliseconds since the Unix epoch.
    pub enqueued_ms: i64,
    /// When it stops waiting.
    pub expires_ms: i64,
    /// The players' party, if they are in one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub party: Option<TicketParty>,
}

impl Ticket {
    /// Whether the player is one of its members.
    #[must_use]
    pub fn has(&self, player: PlayerId) -> bool {
        self.members.iter().any(|member| member.player == player)
    }

    /// How many players it stands for.
    #[must_use]
    pub fn players(&self) -> u32 {
        u32::try_from(self.members.len()).unwrap_or(u32::MAX)
    }
}

/// Why a ticket ended without a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closed {
    /// A member took it back.
    Cancelled,
    /// It waited for as long as its queue allows.
    Expired,
    /// A member has found another seat meanwhile.
    Failed,
    /// A member was not ready for the match that was found.
    NotReady,
}

impl Closed {
    /// Its stable name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Failed => "failed",
            Self::NotReady => "not_ready",
        }
    }
}

/// What has become of a ticket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "is", rename_all = "snake_case")]
pub enum TicketState {
    /// It waits.
    Waiting,
    /// It belongs to a match whose table is being created: it can be neither matched again nor
    /// taken back.
    Claimed {
        /// The match.
        #[serde(rename = "match")]
        claim: MatchId,
    },
    /// Its players have seats. Final.
    Matched {
        /// The match.
        #[serde(rename = "match")]
        claim: MatchId,
        /// The table.
        table: TableId,
        /// Seats in the order of the members.
        seats: Vec<u32>,
    },
    /// It ended without a seat. Final.
    Closed {
        /// Why.
        reason: Closed,
    },
}

impl TicketState {
    /// Whether its players may not take another ticket.
    #[must_use]
    pub const fn live(&self) -> bool {
        matches!(self, Self::Waiting | Self::Claimed { .. })
    }
}

/// What a player says when asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadyAnswer {
    /// Go on.
    Ready,
    /// Not now.
    Declined,
}

/// The question to the players of a match whether they are ready, and their answers so far.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadyCheck {
    /// When the time to answer is up.
    pub until_ms: i64,
    /// How many are asked.
    pub players: u32,
    /// Who is ready.
    pub ready: BTreeSet<PlayerId>,
    /// Who has declined, even after having been ready.
    pub declined: BTreeSet<PlayerId>,
}

impl ReadyCheck {
    /// Nobody has answered yet.
    #[must_use]
    pub const fn new(until_ms: i64, players: u32) -> Self {
        Self { until_ms, players, ready: BTreeSet::new(), declined: BTreeSet::new() }
    }

    /// Whether everybody is ready.
    #[must_use]
    pub fn all_ready(&self) -> bool {
        self.declined.is_empty() && u32::try_from(self.ready.len()).is_ok_and(|n| n >= self.players)
    }

    /// Whether no further answer matters.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        !self.declined.is_empty() || self.all_ready()
    }

    /// Whether a party has spoilt a check that is over: a member has declined or, when nobody has,
    /// did not answer in time.
    #[must_use]
    pub fn is_spoilt_by(&self, party: &[Member]) -> bool {
        let mut party = party.iter().map(|member| member.player);
        if self.declined.is_empty() {
            party.any(|player| !self.ready.contains(&player))
        } else {
            party.any(|player| self.declined.contains(&player))
        }
    }
}

/// A ticket and what has become of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TicketRecord {
    /// The ticket.
    pub ticket: Ticket,
    /// What has become of it.
    pub state: TicketState,
    /// The ready check of its match, while it is claimed and its queue asks.
    pub ready: Option<ReadyCheck>,
}
