//! Parties in memory.

use std::collections::{BTreeSet, HashMap};

use parlor_common::PlayerId;

use crate::ids::TicketId;
use crate::party::PartyId;
use crate::store::{PartySave, PartySaved, StoredParty};
use crate::ticket::TicketParty;

/// Parties. They share a lock with the tickets, because each step may need both.
#[derive(Debug, Default)]
pub(super) struct PartyBook {
    parties: HashMap<PartyId, StoredParty>,
    members: HashMap<PlayerId, PartyId>,
    invites: HashMap<String, PartyId>,
    /// When each member was here last.
    seen: HashMap<PlayerId, i64>,
    by_seen: BTreeSet<(i64, PlayerId)>,
}

impl PartyBook {
    pub(super) fn party(&self, party: PartyId) -> Option<StoredParty> {
        self.parties.get(&party).cloned()
    }

    pub(super) fn party_of(&self, player: PlayerId) -> Option<StoredParty> {
        self.members.get(&player).and_then(|party| self.party(*party))
    }

    pub(super) fn party_of_invite(&self, invite: &str) -> Option<StoredParty> {
        self.invites.get(invite).and_then(|party| self.party(*party))
    }

    pub(super) fn is_member(&self, player: PlayerId) -> bool {
        self.members.contains_key(&player)
    }

    /// Whether the party is in the version that its ticket was made from.
    pub(super) fn fits(&self, party: TicketParty) -> bool {
        self.parties.get(&party.id).is_some_and(|stored| stored.version == party.version)
    }

    /// The party has entered a queue, which counts as a change.
    pub(super) fn entered(&mut self, party: PartyId, ticket: TicketId) {
        if let Some(stored) = self.parties.get_mut(&party) {
            stored.version += 1;
            stored.write.clear();
            stored.ticket = Some(ticket);
        }
    }

    /// Writes one change, or nothing when it does not fit what is stored.
    pub(super) fn save(
        &mut self,
        save: &PartySave,
        is_queued: impl Fn(PlayerId) -> bool,
    ) -> PartySaved {
        let PartySave { from_version, to, indexes, now_ms } = save;
        let id = to.party.id;
        let held = self.parties.get(&id);
        if held.is_some_and(|held| held.write == to.write) {
            return PartySaved::Done;
        }
        if held.map_or(0, |held| held.version) != *from_version {
            return PartySaved::Changed;
        }
        for &player in &indexes.joined {
            if self.members.get(&player).is_some_and(|party| *party != id) {
                return PartySaved::InParty(player);
            }
            if is_queued(player) {
                return PartySaved::Queued(player);
            }
        }
        if self.invites.get(&indexes.new_invite).is_some_and(|party| *party != id) {
            return PartySaved::CodeTaken;
        }
        for &player in &indexes.left {
            self.members.remove(&player);
            self.forget(player);
        }
        for &player in &indexes.joined {
            self.members.insert(player, id);
            self.note(player, *now_ms);
        }
        self.invites.remove(&indexes.old_invite);
        if !indexes.new_invite.is_empty() {
            self.invites.insert(indexes.new_invite.clone(), id);
        }
        if to.party.members.is_empty() {
            self.parties.remove(&id);
        } else {
            self.parties.insert(id, to.clone());
        }
        PartySaved::Done
    }

    pub(super) fn here(&mut self, players: &[PlayerId], now_ms: i64) {
        for &player in players {
            if self.is_member(player) {
                self.note(player, now_ms);
            }
        }
    }

    pub(super) fn absent(&self, before_ms: i64, most: u32) -> Vec<PlayerId> {
        let away = self.by_seen.iter().take_while(|(seen_ms, _)| *seen_ms < before_ms);
        away.take(usize::try_from(most).unwrap_or(usize::MAX)).map(|(_, player)| *player).collect()
    }

    fn note(&mut self, player: PlayerId, now_ms: i64) {
        self.forget(player);
        self.seen.insert(player, now_ms);
        self.by_seen.insert((now_ms, player));
    }

    fn forget(&mut self, player: PlayerId) {
        if let Some(seen_ms) = self.seen.remove(&player) {
            self.by_seen.remove(&(seen_ms, player));
        }
    }
}
