//! Tickets, matches and leases in memory, and the parties whose tickets they are.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use parlor_common::PlayerId;

use crate::ids::{Epoch, MatchId, QueueId, ReplicaId, RequestId, TicketId};
use crate::store::{
    Answered, Cancelled, Change, Claim, Claimed, Due, Enqueued, Lease, NewClaim, Outcome,
    PartySave, PartySaved, QueueStats, Settled, Swept,
};
use crate::ticket::{Closed, ReadyAnswer, ReadyCheck, Ticket, TicketRecord, TicketState};

use super::party_book::PartyBook;

#[derive(Debug)]
struct Entry {
    ticket: Arc<Ticket>,
    state: TicketState,
}

#[derive(Debug, Default)]
struct QueueBook {
    /// By time of enqueueing, then id.
    waiting: BTreeSet<(i64, TicketId)>,
    /// The last lease, with its end.
    lease: Option<(Lease, i64)>,
    recent_wait_ms: u32,
}

/// Tickets, matches and leases. Each method is one step of [`crate::store::TicketStore`].
#[derive(Debug, Default)]
pub(super) struct TicketBook {
    tickets: HashMap<TicketId, Entry>,
    /// Each player's last ticket.
    players: HashMap<PlayerId, TicketId>,
    requests: HashMap<(PlayerId, RequestId), TicketId>,
    queues: HashMap<QueueId, QueueBook>,
    claims: HashMap<MatchId, Claim>,
    /// Claims by the end of their time.
    overdue: BTreeSet<(i64, MatchId)>,
    /// Claims under a ready check, by the end of its time; those that are decided first.
    checking: BTreeSet<(i64, MatchId)>,
    /// Waiting tickets by the end of their time.
    expiring: BTreeSet<(i64, TicketId)>,
    /// Ended tickets by the time at which they are forgotten.
    forgetting: BTreeSet<(i64, TicketId)>,
    replicas: BTreeMap<ReplicaId, i64>,
    parties: PartyBook,
    changes: Vec<Change>,
}

impl TicketBook {
    /// What has changed since the last call.
    pub(super) fn take_changes(&mut self) -> Vec<Change> {
        std::mem::take(&mut self.changes)
    }

    pub(super) fn enqueue(&mut self, ticket: Ticket, most: u32) -> Enqueued {
        let request = ticket.members.first().map(|caller| (caller.player, ticket.request.clone()));
        if let Some(&earlier) = request.as_ref().and_then(|request| self.requests.get(request)) {
            return Enqueued::Repeated(earlier);
        }
        if ticket.party.is_some_and(|party| !self.parties.fits(party)) {
            return Enqueued::PartyChanged;
        }
        for member in &ticket.members {
            if self.is_queued(member.player) {
                return Enqueued::AlreadyQueued(member.player);
            }
            if ticket.party.is_none() && self.parties.is_member(member.player) {
                return Enqueued::InParty(member.player);
            }
        }
        let queue = self.queues.entry(ticket.queue.clone()).or_default();
        if queue.waiting.len() >= usize::try_from(most).unwrap_or(usize::MAX) {
            return Enqueued::Full;
        }
        queue.waiting.insert((ticket.enqueued_ms, ticket.id));
        self.expiring.insert((ticket.expires_ms, ticket.id));
        self.requests.extend(request.map(|request| (request, ticket.id)));
        for member in &ticket.members {
            self.players.insert(member.player, ticket.id);
        }
        self.changes.push(Change::Enqueued(ticket.queue.clone()));
        if let Some(party) = ticket.party {
            self.parties.entered(party.id, ticket.id);
            self.changes.push(Change::Party(party.id));
        }
        let entry = Entry { ticket: Arc::new(ticket), state: TicketState::Waiting };
        self.tickets.insert(entry.ticket.id, entry);
        Enqueued::Waiting
    }

    pub(super) fn cancel(&mut self, player: PlayerId, keep_until_ms: i64) -> Cancelled {
        let Some(entry) = self.entry_of(player) else { return Cancelled::NoTicket };
        let id = entry.ticket.id;
        match entry.state {
            TicketState::Claimed { .. } | TicketState::Matched { .. } => Cancelled::TooLate,
            TicketState::Closed { .. } => Cancelled::Done(id),
            TicketState::Waiting => {
                self.leave_queue(id);
                self.end(id, TicketState::Closed { reason: Closed::Cancelled }, keep_until_ms);
                Cancelled::Done(id)
            }
        }
    }

    pub(super) fn ticket(&self, ticket: TicketId) -> Option<TicketRecord> {
        self.tickets.get(&ticket).map(|entry| self.record(entry))
    }

    pub(super) fn ticket_of(&self, player: PlayerId) -> Option<TicketRecord> {
        self.entry_of(player).map(|entry| self.record(entry))
    }

    fn record(&self, entry: &Entry) -> TicketRecord {
        let ready = match entry.state {
            TicketState::Claimed { claim } => {
                self.claims.get(&claim).and_then(|claim| claim.ready.clone())
            }
            _ => None,
        };
        TicketRecord { ticket: (*entry.ticket).clone(), state: entry.state.clone(), ready }
    }

    pub(super) fn stats(&self, queue: &QueueId) -> QueueStats {
        self.queues.get(queue).map_or_else(QueueStats::default, |queue| QueueStats {
            waiting: u32::try_from(queue.waiting.len()).unwrap_or(u32::MAX),
            recent_wait_ms: queue.recent_wait_ms,
        })
    }

    pub(super) fn heartbeat(
        &mut self,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Vec<ReplicaId> {
        self.replicas.insert(replica, until_ms);
        self.replicas.retain(|_, until| *until > now_ms);
        self.replicas.keys().copied().collect()
    }

    pub(super) fn lease(
        &mut self,
        queue: &QueueId,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Option<Lease> {
        let book = self.queues.entry(queue.clone()).or_default();
        let epoch = match &book.lease {
            Some((lease, _)) if lease.replica == replica => lease.epoch,
            Some((_, until)) if *until > now_ms => return None,
            Some((lease, _)) => Epoch(lease.epoch.0 + 1),
            None => Epoch(1),
        };
        let lease = Lease { queue: queue.clone(), replica, epoch };
        book.lease = Some((lease.clone(), until_ms));
        Some(lease)
    }

    pub(super) fn release(&mut self, lease: &Lease) {
        if let Some((held, until)) =
            self.queues.get_mut(&lease.queue).and_then(|queue| queue.lease.as_mut())
            && held == lease
        {
            *until = i64::MIN;
        }
    }

    pub(super) fn waiting(&self, queue: &QueueId) -> Vec<Arc<Ticket>> {
        let waiting = self.queues.get(queue).into_iter().flat_map(|queue| &queue.waiting);
        waiting
            .filter_map(|(_, id)| self.tickets.get(id))
            .map(|entry| Arc::clone(&entry.ticket))
            .collect()
    }

    pub(super) fn claim(&mut self, lease: &Lease, claim: NewClaim, now_ms: i64) -> Claimed {
        if !self.holds(lease) {
            return Claimed::LeaseLost;
        }
        if let Some(earlier) = self.claims.get(&claim.id) {
            return Claimed::Done(earlier.clone());
        }
        let waits = |id: &TicketId| {
            self.tickets.get(id).is_some_and(|entry| {
                entry.state == TicketState::Waiting && entry.ticket.queue == lease.queue
            })
        };
        if claim.tickets.is_empty() || !claim.tickets.iter().all(waits) {
            return Claimed::TicketGone;
        }
        let mut players = 0;
        for &id in &claim.tickets {
            self.leave_queue(id);
            if let Some(entry) = self.tickets.get_mut(&id) {
                entry.state = TicketState::Claimed { claim: claim.id };
                players += entry.ticket.players();
            }
        }
        let ready = claim.ready_until_ms.map(|until_ms| ReadyCheck::new(until_ms, players));
        match claim.ready_until_ms {
            Some(until_ms) => {
                self.checking.insert((until_ms, claim.id));
                self.changes.extend(claim.tickets.iter().copied().map(Change::Moved));
            }
            None => drop(self.overdue.insert((claim.until_ms, claim.id))),
        }
        let claim = Claim {
            id: claim.id,
            queue: lease.queue.clone(),
            attempt: 1,
            claimed_ms: now_ms,
            until_ms: claim.until_ms,
            tickets: claim.tickets,
            ready,
        };
        self.claims.insert(claim.id, claim.clone());
        Claimed::Done(claim)
    }

    pub(super) fn answer_ready(
        &mut self,
        player: PlayerId,
        answer: ReadyAnswer,
        now_ms: i64,
    ) -> Answered {
        let Some(&TicketState::Claimed { claim }) = self.entry_of(player).map(|entry| &entry.state)
        else {
            return Answered::NotAsked;
        };
        let Some(claim) = self.claims.get_mut(&claim) else { return Answered::NotAsked };
        let Some(check) = claim.ready.as_mut() else { return Answered::NotAsked };
        let (until_ms, due) = (check.until_ms, (check.until_ms, claim.id));
        let answers = match answer {
            ReadyAnswer::Ready => &mut check.ready,
            ReadyAnswer::Declined => &mut check.declined,
        };
        if answers.contains(&player) {
            return Answered::Noted;
        }
        if until_ms <= now_ms || !self.checking.contains(&due) {
            return Answered::NotAsked;
        }
        answers.insert(player);
        if check.is_decided() {
            self.checking.remove(&due);
            self.checking.insert((i64::MIN, claim.id));
            self.changes.push(Change::Checked(claim.queue.clone()));
        }
        self.changes.extend(claim.tickets.iter().copied().map(Change::Moved));
        Answered::Noted
    }

    pub(super) fn take_on(
        &mut self,
        lease: &Lease,
        due: Due,
        now_ms: i64,
        until_ms: i64,
        most: u32,
    ) -> Vec<Claim> {
        let keys = self.due(lease, due, now_ms, most);
        let mut taken = Vec::with_capacity(keys.len());
        for key in keys {
            let Some(claim) = self.claims.get_mut(&key.1) else { continue };
            match due {
                Due::Checked => self.checking.remove(&key),
                Due::Overdue => {
                    // It is somebody else's now; what was only checked was nobody's yet.
                    claim.attempt = claim.attempt.saturating_add(1);
                    self.overdue.remove(&key)
                }
            };
            claim.until_ms = until_ms;
            self.overdue.insert((until_ms, claim.id));
            taken.push(claim.clone());
        }
        taken
    }

    pub(super) fn settle(
        &mut self,
        claim: &Claim,
        outcomes: &[(TicketId, Outcome)],
        now_ms: i64,
        keep_until_ms: i64,
    ) -> Settled {
        let Some(held) = self.claims.get(&claim.id) else {
            return if self.settled_so(claim.id, outcomes) { Settled::Done } else { Settled::Lost };
        };
        if held.attempt != claim.attempt {
            return Settled::Lost;
        }
        self.overdue.remove(&(held.until_ms, held.id));
        self.claims.remove(&claim.id);
        for (id, outcome) in outcomes {
            let claimed = TicketState::Claimed { claim: claim.id };
            let Some(entry) = self.tickets.get_mut(id) else { continue };
            if entry.state != claimed {
                continue;
            }
            match outcome {
                Outcome::PutBack => {
                    entry.state = TicketState::Waiting;
                    let ticket = Arc::clone(&entry.ticket);
                    self.expiring.insert((ticket.expires_ms, ticket.id));
                    let queue = self.queues.entry(ticket.queue.clone()).or_default();
                    queue.waiting.insert((ticket.enqueued_ms, ticket.id));
                    self.changes.push(Change::Moved(*id));
                }
                Outcome::Closed { reason } => {
                    self.end(*id, TicketState::Closed { reason: *reason }, keep_until_ms);
                }
                Outcome::Seated { table, seats } => {
                    let waited_ms = now_ms.saturating_sub(entry.ticket.enqueued_ms);
                    let queue = entry.ticket.queue.clone();
                    self.note_wait(&queue, waited_ms);
                    let (table, seats) = (*table, seats.clone());
                    let state = TicketState::Matched { claim: claim.id, table, seats };
                    self.end(*id, state, keep_until_ms);
                }
            }
        }
        Settled::Done
    }

    pub(super) fn sweep(&mut self, now_ms: i64, keep_until_ms: i64, most: u32) -> Swept {
        let mut swept = Swept::default();
        while swept.expired < most
            && let Some(&(until, id)) = self.expiring.first()
            && until <= now_ms
        {
            self.leave_queue(id);
            self.end(id, TicketState::Closed { reason: Closed::Expired }, keep_until_ms);
            swept.expired += 1;
        }
        while swept.forgotten < most
            && let Some(&(until, id)) = self.forgetting.first()
            && until <= now_ms
        {
            self.forgetting.remove(&(until, id));
            self.forget(id);
            swept.forgotten += 1;
        }
        swept
    }

    pub(super) const fn parties(&self) -> &PartyBook {
        &self.parties
    }

    pub(super) const fn parties_mut(&mut self) -> &mut PartyBook {
        &mut self.parties
    }

    pub(super) fn save_party(&mut self, save: &PartySave) -> PartySaved {
        let live = |player: PlayerId| {
            let last = self.players.get(&player).and_then(|id| self.tickets.get(id));
            last.is_some_and(|entry| entry.state.live())
        };
        let saved = self.parties.save(save, live);
        if saved == PartySaved::Done {
            self.changes.push(Change::Party(save.to.party.id));
        }
        saved
    }

    fn is_queued(&self, player: PlayerId) -> bool {
        self.entry_of(player).is_some_and(|entry| entry.state.live())
    }

    fn entry_of(&self, player: PlayerId) -> Option<&Entry> {
        self.players.get(&player).and_then(|id| self.tickets.get(id))
    }

    /// Claims of the lease's queue that are due, with their times.
    fn due(&self, lease: &Lease, due: Due, now_ms: i64, most: u32) -> Vec<(i64, MatchId)> {
        if !self.holds(lease) {
            return Vec::new();
        }
        let times = match due {
            Due::Checked => &self.checking,
            Due::Overdue => &self.overdue,
        };
        times
            .iter()
            .take_while(|(until, _)| *until <= now_ms)
            .filter(|(_, id)| self.claims.get(id).is_some_and(|claim| claim.queue == lease.queue))
            .take(usize::try_from(most).unwrap_or(usize::MAX))
            .copied()
            .collect()
    }

    fn holds(&self, lease: &Lease) -> bool {
        let held = self.queues.get(&lease.queue).and_then(|queue| queue.lease.as_ref());
        held.is_some_and(|(held, _)| held == lease)
    }

    /// Whether a claim that is gone has ended as the outcomes say: its answer was lost.
    fn settled_so(&self, claim: MatchId, outcomes: &[(TicketId, Outcome)]) -> bool {
        let seated = outcomes.iter().any(|(_, outcome)| matches!(outcome, Outcome::Seated { .. }));
        seated
            && outcomes.iter().all(|(id, outcome)| match outcome {
                Outcome::Seated { table, seats } => {
                    let (table, seats) = (*table, seats.clone());
                    let state = TicketState::Matched { claim, table, seats };
                    self.tickets.get(id).is_some_and(|entry| entry.state == state)
                }
                Outcome::PutBack | Outcome::Closed { .. } => true,
            })
    }

    fn leave_queue(&mut self, id: TicketId) {
        let Some(entry) = self.tickets.get(&id) else { return };
        self.expiring.remove(&(entry.ticket.expires_ms, id));
        if let Some(queue) = self.queues.get_mut(&entry.ticket.queue) {
            queue.waiting.remove(&(entry.ticket.enqueued_ms, id));
        }
    }

    fn end(&mut self, id: TicketId, state: TicketState, keep_until_ms: i64) {
        if let Some(entry) = self.tickets.get_mut(&id) {
            entry.state = state;
            self.forgetting.insert((keep_until_ms, id));
            self.changes.push(Change::Ended(id));
        }
    }

    fn forget(&mut self, id: TicketId) {
        let Some(entry) = self.tickets.remove(&id) else { return };
        for member in &entry.ticket.members {
            if self.players.get(&member.player) == Some(&id) {
                self.players.remove(&member.player);
            }
        }
        if let Some(caller) = entry.ticket.members.first() {
            self.requests.remove(&(caller.player, entry.ticket.request.clone()));
        }
    }

    /// A moving mean in which each wait weighs a quarter.
    fn note_wait(&mut self, queue: &QueueId, waited_ms: i64) {
        let Some(queue) = self.queues.get_mut(queue) else { return };
        let waited_ms = u32::try_from(waited_ms.max(1)).unwrap_or(u32::MAX);
        queue.recent_wait_ms = match queue.recent_wait_ms {
            0 => waited_ms,
            mean => {
                let sum = 3 * u64::from(mean) + u64::from(waited_ms);
                u32::try_from(sum / 4).unwrap_or(u32::MAX)
            }
        };
    }
}
