//! Who may change what in a party. Each rule changes the document or refuses and changes nothing.

use parlor_common::PlayerId;

use super::{Departure, Party, PartyId};
use crate::club::rules::Effect;
use crate::error::Error;
use crate::invite::InviteCode;
use crate::ticket::Member;

/// Departures that are remembered: more than anybody needs who is told at once.
const DEPARTED_KEPT: usize = 16;

type Ruled = Result<Effect, Error>;

/// An invite code and when it lapses, milliseconds since the Unix epoch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Invite {
    /// The code.
    pub code: InviteCode,
    /// Its end.
    pub until_ms: i64,
}

impl Party {
    /// A new party with its leader in it.
    #[must_use]
    pub fn begin(id: PartyId, leader: Member, invite: Invite) -> Self {
        Self {
            id,
            members: vec![leader],
            invite: invite.code,
            invite_until_ms: invite.until_ms,
            departed: Vec::new(),
        }
    }

    /// Whether the player is a member.
    #[must_use]
    pub fn has(&self, player: PlayerId) -> bool {
        self.members.iter().any(|member| member.player == player)
    }

    /// Makes sure that a player leads.
    ///
    /// # Errors
    /// [`Error::PartyNotFound`]: strangers learn nothing; [`Error::NotPartyLeader`].
    pub fn require_leader(&self, player: PlayerId) -> Result<(), Error> {
        match self.members.first() {
            Some(leader) if leader.player == player => Ok(()),
            _ if self.has(player) => Err(Error::NotPartyLeader),
            _ => Err(Error::PartyNotFound),
        }
    }

    /// Lets a player in who knows the code.
    ///
    /// # Errors
    /// [`Error::PartyNotFound`] when the code is not this party's or has lapsed,
    /// [`Error::PartyFull`].
    pub fn join(&mut self, player: Member, code: InviteCode, largest: u32, now_ms: i64) -> Ruled {
        if self.has(player.player) {
            return Ok(Effect::Same);
        }
        if self.members.is_empty() || self.invite != code || self.invite_until_ms <= now_ms {
            return Err(Error::PartyNotFound);
        }
        if u32::try_from(self.members.len()).is_ok_and(|members| members >= largest) {
            return Err(Error::PartyFull);
        }
        self.departed.retain(|(departed, _)| *departed != player.player);
        self.members.push(player);
        Ok(Effect::Changed)
    }

    /// Lets a member go. The one who has been there longest leads then.
    pub fn depart(&mut self, player: PlayerId, how: Departure) -> Effect {
        if !self.has(player) {
            return Effect::Same;
        }
        self.members.retain(|member| member.player != player);
        self.departed.retain(|(departed, _)| *departed != player);
        if self.departed.len() >= DEPARTED_KEPT {
            self.departed.remove(0);
        }
        self.departed.push((player, how));
        Effect::Changed
    }

    /// Sends a member away, in the leader's name; the leader who sends itself away leaves.
    ///
    /// # Errors
    /// As [`Party::require_leader`]; [`Error::MemberNotFound`].
    pub fn remove(&mut self, actor: PlayerId, player: PlayerId) -> Ruled {
        self.require_leader(actor)?;
        let how = if actor == player { Departure::Left } else { Departure::Removed };
        if self.departed.contains(&(player, how)) {
            return Ok(Effect::Same);
        }
        match self.depart(player, how) {
            Effect::Changed => Ok(Effect::Changed),
            Effect::Same => Err(Error::MemberNotFound),
        }
    }

    /// Replaces the invite code, in the leader's name.
    ///
    /// # Errors
    /// As [`Party::require_leader`].
    pub fn renew_invite(&mut self, actor: PlayerId, invite: Invite) -> Ruled {
        self.require_leader(actor)?;
        self.invite = invite.code;
        self.invite_until_ms = invite.until_ms;
        Ok(Effect::Changed)
    }

    /// How a player who is no member has gone, as far as that is remembered.
    #[must_use]
    pub fn departure_of(&self, player: PlayerId) -> Option<Departure> {
        self.departed.iter().find(|(departed, _)| *departed == player).map(|(_, how)| *how)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const LARGEST: u32 = 3;

    fn member() -> Member {
        Member::new(PlayerId::random(), "小明").unwrap()
    }

    fn invite(until_ms: i64) -> Invite {
        Invite { code: InviteCode::random().unwrap(), until_ms }
    }

    /// A party of a leader and these, whose code is good until 100.
    fn party(others: &[&Member]) -> (Party, Member) {
        let leader = member();
        let id = PartyId::begun_by(leader.player, &"r".parse().unwrap());
        let mut party = Party::begin(id, leader.clone(), invite(100));
        for other in others {
            let code = party.invite;
            party.join((*other).clone(), code, LARGEST, 0).unwrap();
        }
        (party, leader)
    }

    #[test]
    fn a_code_lets_in_until_it_lapses_and_the_party_is_full() {
        let (one, two, three) = (member(), member(), member());
        let (mut party, _) = party(&[]);
        let code = party.invite;
        let other = InviteCode::random().unwrap();
        assert_eq!(party.join(one.clone(), other, LARGEST, 0), Err(Error::PartyNotFound));
        assert_eq!(party.join(one.clone(), code, LARGEST, 100), Err(Error::PartyNotFound));
        assert_eq!(party.join(one.clone(), code, LARGEST, 99), Ok(Effect::Changed));
        assert_eq!(party.join(one, code, LARGEST, 100), Ok(Effect::Same));
        assert_eq!(party.join(two, code, LARGEST, 99), Ok(Effect::Changed));
        let before = party.clone();
        assert_eq!(party.join(three, code, LARGEST, 99), Err(Error::PartyFull));
        assert_eq!(party, before);
    }

    #[test]
    fn only_the_leader_sends_away_and_renews_the_code() {
        let (one, stranger) = (member(), member());
        let (mut party, leader) = party(&[&one]);
        let (leader, one, stranger) = (leader.player, one.player, stranger.player);
        let before = party.clone();
        assert_eq!(party.remove(one, leader), Err(Error::NotPartyLeader));
        assert_eq!(party.remove(stranger, one), Err(Error::PartyNotFound));
        assert_eq!(party.remove(leader, stranger), Err(Error::MemberNotFound));
        assert_eq!(party.renew_invite(one, invite(200)), Err(Error::NotPartyLeader));
        assert_eq!(party, before);
        assert_eq!(party.remove(leader, one), Ok(Effect::Changed));
        assert_eq!(party.remove(leader, one), Ok(Effect::Same), "a repetition");
        assert_eq!(party.departure_of(one), Some(Departure::Removed));
        party.renew_invite(leader, invite(200)).unwrap();
        assert_ne!(party.invite, before.invite);
    }

    #[test]
    fn when_the_leader_goes_the_longest_member_leads() {
        let (one, two) = (member(), member());
        let (mut party, leader) = party(&[&one, &two]);
        assert_eq!(party.depart(leader.player, Departure::Left), Effect::Changed);
        assert_eq!(party.depart(leader.player, Departure::Left), Effect::Same);
        party.require_leader(one.player).unwrap();
        assert_eq!(party.require_leader(leader.player), Err(Error::PartyNotFound));
    }

    #[test]
    fn departures_are_remembered_within_bounds() {
        let (mut party, _) = party(&[]);
        let code = party.invite;
        for _ in 0..3 * DEPARTED_KEPT {
            let passing = member();
            party.join(passing.clone(), code, LARGEST, 0).unwrap();
            party.depart(passing.player, Departure::Absent);
            assert_eq!(party.departure_of(passing.player), Some(Departure::Absent));
        }
        assert_eq!(party.departed.len(), DEPARTED_KEPT);
    }
}
