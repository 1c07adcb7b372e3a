//! What players do with parties.
//!
//! A change reads the party, applies a rule of [`crate::party::rules`] and writes it back if nobody
//! else has changed it meanwhile; else it begins again. That the party enters a queue is a change
//! too, so nobody can come or go between reading the members and the ticket.

use parlor_common::PlayerId;

use crate::club::rules::Effect;
use crate::error::Error;
use crate::ids::{QueueId, RequestId, TicketId};
use crate::invite::InviteCode;
use crate::party::rules::Invite;
use crate::party::{Departure, Party, PartyId, PartyTicket};
use crate::service::Matchmaking;
use crate::store::{PartySave, PartySaved, StoredParty};
use crate::ticket::{Member, TicketParty};

/// Tries of one change; a party that changes so often within one request is busy.
const CHANGE_TRIES: usize = 8;

/// A party, and where it waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartyState {
    /// The party.
    pub stored: StoredParty,
    /// Its place in a queue.
    pub queued: Option<PartyTicket>,
}

impl Matchmaking {
    /// Begins a party. The same request of the same player gives the same party.
    ///
    /// # Errors
    /// [`Error::AlreadyInParty`], [`Error::AlreadyQueued`], [`Error::PartyBusy`].
    pub async fn create_party(
        &self,
        request: &RequestId,
        leader: Member,
    ) -> Result<PartyState, Error> {
        let player = leader.player;
        let id = PartyId::begun_by(player, request);
        for _ in 0..CHANGE_TRIES {
            match self.store.party_of(player).await? {
                Some(stored) if stored.party.id == id => return self.party_state(stored).await,
                Some(_) => return Err(Error::AlreadyInParty(player)),
                None => {}
            }
            if self.store.party(id).await?.is_some() {
                // The player has left what this request began.
                return Err(Error::PartyNotFound);
            }
            let party = Party::begin(id, leader.clone(), self.new_invite()?);
            let save = PartySave::new(None, party, self.clock.now_ms());
            match self.store.save_party(&save).await? {
                PartySaved::Done => {
                    self.metrics.parties("begun");
                    return Ok(PartyState { stored: save.to, queued: None });
                }
                PartySaved::Queued(player) => return Err(Error::AlreadyQueued(player)),
                PartySaved::Changed | PartySaved::CodeTaken | PartySaved::InParty(_) => {}
            }
        }
        Err(Error::PartyBusy)
    }

    /// Joins the party of an invite code.
    ///
    /// # Errors
    /// [`Error::TooManyCodes`], [`Error::PartyNotFound`], [`Error::PartyFull`],
    /// [`Error::PartyQueued`], [`Error::AlreadyInParty`], [`Error::AlreadyQueued`],
    /// [`Error::PartyBusy`].
    pub async fn join_party(&self, player: Member, code: InviteCode) -> Result<PartyState, Error> {
        self.count_attempt(player.player).await?;
        for _ in 0..CHANGE_TRIES {
            let found = self.store.party_of_invite(code).await?;
            let state = self.party_state(found.ok_or(Error::PartyNotFound)?).await?;
            let mut party = state.stored.party.clone();
            let now_ms = self.clock.now_ms();
            let largest = self.limits.party_size;
            if party.join(player.clone(), code, largest, now_ms)? == Effect::Same {
                return Ok(state);
            }
            if state.queued.is_some() {
                return Err(Error::PartyQueued);
            }
            let save = PartySave::new(Some(&state.stored), party, now_ms);
            match self.store.save_party(&save).await? {
                PartySaved::Done => {
                    self.metrics.parties("joined");
                    return Ok(PartyState { stored: save.to, queued: None });
                }
                PartySaved::InParty(player) => return Err(Error::AlreadyInParty(player)),
                PartySaved::Queued(player) => return Err(Error::AlreadyQueued(player)),
                PartySaved::Changed | PartySaved::CodeTaken => {}
            }
        }
        Err(Error::PartyBusy)
    }

    /// Lets a member go, after its party's waiting ticket was taken back. Nothing happens to a
    /// player who is in no party.
    ///
    /// # Errors
    /// [`Error::AlreadyMatched`] while the table of a match is being created, [`Error::PartyBusy`].
    pub async fn leave_party(&self, player: PlayerId, how: Departure) -> Result<(), Error> {
        for _ in 0..CHANGE_TRIES {
            let Some(stored) = self.store.party_of(player).await? else { return Ok(()) };
            self.withdraw_party(&stored, player).await?;
            let mut party = stored.party.clone();
            party.depart(player, how);
            let save = PartySave::new(Some(&stored), party, self.clock.now_ms());
            if self.store.save_party(&save).await? == PartySaved::Done {
                self.metrics.parties(how.name());
                return Ok(());
            }
        }
        Err(Error::PartyBusy)
    }

    /// Sends a member away, in the leader's name; the party, while the leader is in it.
    ///
    /// # Errors
    /// [`Error::PartyNotFound`], [`Error::NotPartyLeader`], [`Error::MemberNotFound`]; as
    /// [`Matchmaking::leave_party`].
    pub async fn remove_from_party(
        &self,
        leader: PlayerId,
        player: PlayerId,
    ) -> Result<Option<PartyState>, Error> {
        for _ in 0..CHANGE_TRIES {
            let stored = self.store.party_of(leader).await?.ok_or(Error::PartyNotFound)?;
            let mut party = stored.party.clone();
            if party.remove(leader, player)? == Effect::Same {
                return self.party_state(stored).await.map(Some);
            }
            self.withdraw_party(&stored, leader).await?;
            let save = PartySave::new(Some(&stored), party, self.clock.now_ms());
            if self.store.save_party(&save).await? == PartySaved::Done {
                self.metrics.parties(if leader == player { "left" } else { "removed" });
                let stays = save.to.party.has(leader);
                return Ok(stays.then_some(PartyState { stored: save.to, queued: None }));
            }
        }
        Err(Error::PartyBusy)
    }

    /// Replaces the invite code, in the leader's name.
    ///
    /// # Errors
    /// [`Error::PartyNotFound`], [`Error::NotPartyLeader`], [`Error::PartyBusy`].
    pub async fn renew_party_invite(&self, leader: PlayerId) -> Result<PartyState, Error> {
        for _ in 0..CHANGE_TRIES {
            let stored = self.store.party_of(leader).await?.ok_or(Error::PartyNotFound)?;
            let mut party = stored.party.clone();
            party.renew_invite(leader, self.new_invite()?)?;
            let save = PartySave::new(Some(&stored), party, self.clock.now_ms());
            if self.store.save_party(&save).await? == PartySaved::Done {
                return self.party_state(save.to).await;
            }
        }
        Err(Error::PartyBusy)
    }

    /// Puts all members into a queue with one ticket, in the leader's name. The same request gives
    /// the same ticket.
    ///
    /// # Errors
    /// [`Error::QueueNotFound`], [`Error::PartyNotFound`], [`Error::NotPartyLeader`],
    /// [`Error::PartyTooLarge`], [`Error::PartyBusy`]; as [`Matchmaking::enqueue`].
    pub async fn enqueue_party(
        &self,
        request: &RequestId,
        queue: &QueueId,
        leader: PlayerId,
    ) -> Result<TicketId, Error> {
        let queue = self.queues.get(queue)?;
        if let Some(earlier) = self.repeated(request, leader).await? {
            return Ok(earlier);
        }
        for _ in 0..CHANGE_TRIES {
            let stored = self.store.party_of(leader).await?.ok_or(Error::PartyNotFound)?;
            stored.party.require_leader(leader)?;
            let members = stored.party.members;
            let largest = queue.largest_party;
            if u32::try_from(members.len()).map_or(true, |size| size > largest) {
                return Err(Error::PartyTooLarge { largest });
            }
            let party = TicketParty { id: stored.party.id, version: stored.version };
            if let Some(ticket) = self.enter(queue, request.clone(), members, Some(party)).await? {
                self.metrics.parties("queued");
                return Ok(ticket);
            }
        }
        Err(Error::PartyBusy)
    }

    /// A party with its place in a queue.
    pub(crate) async fn party_state(&self, stored: StoredParty) -> Result<PartyState, Error> {
        let queued = match stored.ticket {
            Some(ticket) => self.store.ticket(ticket).await?,
            None => None,
        };
        let queued = queued
            .filter(|record| record.state.live())
            .map(|record| PartyTicket { ticket: record.ticket.id, queue: record.ticket.queue });
        Ok(PartyState { stored, queued })
    }

    /// Takes the party's waiting ticket back, in a member's name, or declines its match.
    async fn withdraw_party(&self, stored: &StoredParty, member: PlayerId) -> Result<(), Error> {
        if !self.is_queued(stored).await? {
            return Ok(());
        }
        match self.cancel(member).await {
            Err(Error::AlreadyMatched) if self.is_queued(stored).await? => {
                Err(Error::AlreadyMatched)
            }
            // Otherwise it has come to its end meanwhile.
            Ok(()) | Err(Error::TicketNotFound | Error::AlreadyMatched) => Ok(()),
            Err(error) => Err(error),
        }
    }

    async fn is_queued(&self, stored: &StoredParty) -> Result<bool, Error> {
        Ok(self.party_state(stored.clone()).await?.queued.is_some())
    }

    fn new_invite(&self) -> Result<Invite, Error> {
        let length_ms = i64::from(self.timing.party_invite_ms);
        let until_ms = self.clock.now_ms().saturating_add(length_ms);
        Ok(Invite { code: InviteCode::random()?, until_ms })
    }
}
