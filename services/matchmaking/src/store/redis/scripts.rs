//! The scripts, their keys, and how states and claims are written down.

use redis::Script;
use serde::{Deserialize, Serialize};

use std::collections::BTreeSet;

use parlor_common::PlayerId;
use parlor_common::redis::Durability;

use crate::error::Error;
use crate::ids::{MatchId, QueueId, TicketId};
use crate::store::{Claim, NewClaim};
use crate::ticket::{ReadyCheck, TicketState};

use super::{json, to_json, unexpected};

/// The names of all keys.
pub(super) struct Keys {
    /// In the order of `lua/common.lua`.
    pub tickets: [String; 19],
    /// In the order of `lua/rooms.lua`.
    pub rooms: [String; 3],
    /// Of clubs.
    pub clubs: ClubKeys,
    tag: String,
}

/// The keys of clubs.
pub(super) struct ClubKeys {
    pub documents: String,
    pub entries: String,
    pub entry_keys: String,
    pub members: String,
    pub invites: String,
    pub tables: String,
    pub open: String,
}

impl ClubKeys {
    /// In the order of `lua/save_club.lua`.
    pub fn all(&self) -> [&str; 7] {
        [
            &self.documents,
            &self.entries,
            &self.entry_keys,
            &self.members,
            &self.invites,
            &self.tables,
            &self.open,
        ]
    }
}

impl Keys {
    pub fn new(tag: &str) -> Self {
        let key = |part: &str| format!("{{{tag}}}:{part}");
        Self {
            tickets: [
                key("bodies"),
                key("states"),
                key("players"),
                key("requests"),
                key("waiting"),
                key("expiring"),
                key("forgetting"),
                key("claims"),
                key("overdue"),
                key("leases"),
                key("waits"),
                key("replicas"),
                key("checks"),
                key("checking"),
                key("parties"),
                key("party-members"),
                key("party-invites"),
                key("party-seen"),
                key("changes"),
            ],
            rooms: [key("room-codes"), key("room-requests"), key("room-ends")],
            clubs: ClubKeys {
                documents: key("clubs"),
                entries: key("club-card-entries"),
                entry_keys: key("club-card-keys"),
                members: key("club-members"),
                invites: key("club-invites"),
                tables: key("club-tables"),
                open: key("club-open"),
            },
            tag: tag.to_owned(),
        }
    }

    /// The hash tag.
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// When members of parties were here last.
    pub fn party_seen(&self) -> &str {
        let [.., seen, _] = &self.tickets;
        seen
    }

    /// The stream of changes.
    pub fn changes(&self) -> &str {
        let [.., changes] = &self.tickets;
        changes
    }

    /// How often a player tried a code. It lapses by itself, so it may lie in a slot of its own.
    pub fn attempts(&self, player: PlayerId) -> String {
        format!("{}:attempts:{player}", self.tag)
    }
}

/// All scripts.
pub(super) struct Scripts {
    pub enqueue: Script,
    pub cancel: Script,
    pub ticket: Script,
    pub stats: Script,
    pub waiting: Script,
    pub bodies: Script,
    pub heartbeat: Script,
    pub lease: Script,
    pub release: Script,
    pub claim: Script,
    pub answer_ready: Script,
    pub take_on: Script,
    pub settle: Script,
    pub sweep: Script,
    pub open_room: Script,
    pub bind_room: Script,
    pub abandon_room: Script,
    pub learn_room: Script,
    pub room: Script,
    pub close_room: Script,
    pub attempt: Script,
    pub save_club: Script,
    pub party: Script,
    pub save_party: Script,
}

macro_rules! lua {
    ($common:literal, $own:literal) => {
        Script::new(concat!(
            include_str!(concat!("lua/", $common, ".lua")),
            include_str!(concat!("lua/", $own, ".lua"))
        ))
    };
}

/// A script that answers `{node, answer}`, for [`super::RedisStore::run_durably`].
macro_rules! durable {
    ($durability:ident, $common:expr, $own:literal) => {{
        let own = include_str!(concat!("lua/", $own, ".lua"));
        let node = $durability.node_function();
        let step = "\nlocal function step()\n";
        Script::new(&format!("{}{node}{step}{own}\nend\nreturn {{node(), step()}}", $common))
    }};
}

impl Scripts {
    pub fn new(durability: Durability) -> Self {
        let common = include_str!("lua/common.lua");
        Self {
            enqueue: durable!(durability, common, "enqueue"),
            cancel: durable!(durability, common, "cancel"),
            ticket: lua!("common", "ticket"),
            stats: lua!("common", "stats"),
            waiting: lua!("common", "waiting"),
            bodies: lua!("common", "bodies"),
            heartbeat: lua!("common", "heartbeat"),
            lease: lua!("common", "lease"),
            release: lua!("common", "release"),
            claim: durable!(durability, common, "claim"),
            answer_ready: durable!(durability, common, "answer_ready"),
            take_on: durable!(durability, common, "take_on"),
            settle: durable!(durability, common, "settle"),
            sweep: lua!("common", "sweep"),
            open_room: lua!("rooms", "open_room"),
            bind_room: lua!("rooms", "bind_room"),
            abandon_room: lua!("rooms", "abandon_room"),
            learn_room: lua!("rooms", "learn_room"),
            room: lua!("rooms", "room"),
            close_room: lua!("rooms", "close_room"),
            attempt: Script::new(include_str!("lua/attempt.lua")),
            save_club: durable!(durability, "", "save_club"),
            party: lua!("common", "party"),
            save_party: durable!(durability, common, "save_party"),
        }
    }
}

/// A state as the scripts know it: its first letter says which it is.
pub(super) fn state_to(state: &TicketState) -> Result<String, Error> {
    Ok(match state {
        TicketState::Waiting => "W".to_owned(),
        TicketState::Claimed { claim } => format!("C{claim}"),
        TicketState::Matched { .. } => format!("M{}", to_json(state)?),
        TicketState::Closed { .. } => format!("X{}", to_json(state)?),
    })
}

pub(super) fn state_from(text: &str) -> Result<TicketState, Error> {
    match text.split_at_checked(1) {
        Some(("W", "")) => Ok(TicketState::Waiting),
        Some(("C", claim)) => Ok(TicketState::Claimed { claim: claim.parse()? }),
        Some(("M" | "X", state)) => json(state),
        _ => Err(unexpected(text)),
    }
}

/// The part of a claim that never changes.
#[derive(Serialize, Deserialize)]
struct ClaimBody {
    id: MatchId,
    queue: QueueId,
    claimed_ms: i64,
    tickets: Vec<TicketId>,
}

pub(super) fn claim_to(queue: &QueueId, claim: &NewClaim, now_ms: i64) -> Result<String, Error> {
    to_json(&ClaimBody {
        id: claim.id,
        queue: queue.clone(),
        claimed_ms: now_ms,
        tickets: claim.tickets.clone(),
    })
}

/// Reads `until|players|ready|declined`; no check from nothing.
pub(super) fn check_from(text: &str) -> Result<Option<ReadyCheck>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    let parts: Vec<&str> = text.split('|').collect();
    let [until_ms, players, ready, declined] = parts.as_slice() else {
        return Err(unexpected(text));
    };
    let named = |list: &str| -> Result<BTreeSet<PlayerId>, Error> {
        let players = list.split_terminator(',');
        players.map(|player| player.parse().map_err(Error::from)).collect()
    };
    Ok(Some(ReadyCheck {
        until_ms: until_ms.parse().map_err(|_| unexpected(text))?,
        players: players.parse().map_err(|_| unexpected(text))?,
        ready: named(ready)?,
        declined: named(declined)?,
    }))
}

/// Reads claims and their checks in turn.
pub(super) fn claims_from(texts: &[String]) -> Result<Vec<Claim>, Error> {
    let mut claims = Vec::with_capacity(texts.len() / 2);
    let mut texts = texts.iter();
    while let (Some(claim), Some(check)) = (texts.next(), texts.next()) {
        claims.push(claim_from(claim, check)?);
    }
    Ok(claims)
}

/// Reads `attempt|until|{json}` and the ready check.
pub(super) fn claim_from(text: &str, check: &str) -> Result<Claim, Error> {
    let mut parts = text.splitn(3, '|');
    let (Some(attempt), Some(until_ms), Some(body)) = (parts.next(), parts.next(), parts.next())
    else {
        return Err(unexpected(text));
    };
    let ClaimBody { id, queue, claimed_ms, tickets } = json(body)?;
    Ok(Claim {
        id,
        queue,
        attempt: attempt.parse().map_err(|_| unexpected(text))?,
        claimed_ms,
        until_ms: until_ms.parse().map_err(|_| unexpected(text))?,
        tickets,
        ready: check_from(check)?,
    })
}
