//! From a claimed match to seats.
//!
//! A claim ends in one of three ways: its table was created and every ticket has its seats; there
//! is certainly no table and the tickets wait again; or it is not known, and the claim is left
//! until its time is up and somebody looks for the table again.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::future::join_all;
use parlor_common::{PlayerId, TableId};

use crate::error::Error;
use crate::ids::TicketId;
use crate::metrics::MatchEnd;
use crate::queue::Queue;
use crate::service::Matchmaking;
use crate::store::{Claim, Outcome, Settled};
use crate::tables::{CreateError, CreatedTable, NewTable, Seats, Whereabouts};
use crate::ticket::{Closed, Member, ReadyCheck, Ticket, TicketState};

/// Tries to write down how a claim ended.
const SETTLE_TRIES: u32 = 4;

/// Pause between them.
const SETTLE_PAUSE: Duration = Duration::from_millis(150);

/// Each ticket with what becomes of it.
type Outcomes = Vec<(TicketId, Outcome)>;

/// Tables at which members were found; `None` for one that is gone by now.
type Found = BTreeMap<TableId, Option<Seats>>;

/// Whether a claim's table may exist without our knowing.
#[derive(Clone, Copy)]
enum Creation {
    /// It was asked for, and the answer is missing.
    Perhaps,
    /// It was not asked for.
    Never,
}

impl Matchmaking {
    /// Seats the players of a claim: of a fresh one by creating its table, of one that was taken
    /// over by looking for what became of it.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`]; the claim is then left for a later try.
    #[tracing::instrument(
        skip_all, fields(queue = %queue.id, claim = %claim.id, attempt = claim.attempt)
    )]
    pub async fn seat(&self, queue: &Queue, claim: &Claim) -> Result<MatchEnd, Error> {
        let tickets = self.tickets_of(claim).await?;
        if let Some(check) = claim.ready.as_ref().filter(|check| !check.all_ready()) {
            // No table was ever asked for: only a check that everybody has passed leads to one.
            let outcomes = after_check(&tickets, check);
            return self.settle(claim, &tickets, outcomes, MatchEnd::NotReady).await;
        }
        let found = self.find_members(&tickets).await;
        if claim.attempt > 1 {
            return self.resolve(claim, &tickets, &found, Creation::Perhaps).await;
        }
        if found.values().any(|found| !found.tables.is_empty()) {
            return self.resolve(claim, &tickets, &found, Creation::Never).await;
        }
        let left_ms = claim.until_ms.saturating_sub(self.clock.now_ms());
        if left_ms < i64::from(self.timing.create_budget_ms) {
            // Too late: whoever takes the claim over must not meet a table that comes after it
            // has looked.
            return Ok(MatchEnd::Undecided);
        }
        match self.tables.create(new_table(queue, claim, &tickets)).await {
            Ok(created) => self.seated(claim, &tickets, &created).await,
            Err(CreateError::Refused(failure)) => {
                tracing::warn!(%failure, "a table was refused");
                let outcomes = put_back(&tickets);
                self.settle(claim, &tickets, outcomes, MatchEnd::Refused).await
            }
            Err(CreateError::Unknown(failure)) => {
                tracing::warn!(%failure, "whether a table was created is not known");
                let found = self.find_members(&tickets).await;
                self.resolve(claim, &tickets, &found, Creation::Perhaps).await
            }
        }
    }

    async fn tickets_of(&self, claim: &Claim) -> Result<Vec<Ticket>, Error> {
        let mut tickets = Vec::with_capacity(claim.tickets.len());
        for &id in &claim.tickets {
            tickets.extend(self.store.ticket(id).await?.map(|record| record.ticket));
        }
        Ok(tickets)
    }

    async fn find_members(&self, tickets: &[Ticket]) -> BTreeMap<PlayerId, Whereabouts> {
        let asked = members(tickets)
            .map(|member| async { (member.player, self.presence.now(member.player).await) });
        join_all(asked).await.into_iter().collect()
    }

    async fn seated(
        &self,
        claim: &Claim,
        tickets: &[Ticket],
        created: &CreatedTable,
    ) -> Result<MatchEnd, Error> {
        let mut seats = created.seats.iter().copied();
        let outcome = |ticket: &Ticket| {
            let seats = seats.by_ref().take(ticket.members.len()).collect();
            (ticket.id, Outcome::Seated { table: created.table, seats })
        };
        let outcomes = tickets.iter().map(outcome).collect();
        let end = self.settle(claim, tickets, outcomes, MatchEnd::Seated).await?;
        if end == MatchEnd::Superseded {
            self.withdraw(tickets, created.table).await?;
        }
        Ok(end)
    }

    /// Closes a table that came too late, unless somebody has found it and sent players there, or
    /// is about to. One that is left open loses its reservations by itself.
    async fn withdraw(&self, tickets: &[Ticket], table: TableId) -> Result<(), Error> {
        for ticket in tickets {
            match self.store.ticket(ticket.id).await?.map(|record| record.state) {
                Some(TicketState::Claimed { .. }) => return Ok(()),
                Some(TicketState::Matched { table: found, .. }) if found == table => return Ok(()),
                _ => {}
            }
        }
        if let Err(failure) = self.tables.close(table, "superseded").await {
            tracing::warn!(%failure, %table, "a table that came too late could not be closed");
        }
        Ok(())
    }

    /// Ends a claim by where its players are found.
    async fn resolve(
        &self,
        claim: &Claim,
        tickets: &[Ticket],
        found: &BTreeMap<PlayerId, Whereabouts>,
        creation: Creation,
    ) -> Result<MatchEnd, Error> {
        let mut seats = Found::new();
        let mut all_known = found.values().all(|found| found.silent == 0);
        for table in found.values().flat_map(|found| &found.tables) {
            if !seats.contains_key(table) {
                match self.tables.seats(*table).await {
                    Ok(known) => drop(seats.insert(*table, known)),
                    Err(_) => all_known = false,
                }
            }
        }
        let outcomes: Outcomes =
            tickets.iter().map(|ticket| (ticket.id, outcome_of(ticket, &seats))).collect();
        let all_seated =
            outcomes.iter().all(|(_, outcome)| matches!(outcome, Outcome::Seated { .. }));
        let age_ms = self.clock.now_ms().saturating_sub(claim.claimed_ms);
        let patient = age_ms < i64::from(self.timing.give_up_ms);
        let end = match creation {
            _ if all_seated => MatchEnd::Seated,
            // The request may still be on its way: only when the claim's time is up, which is
            // longer than a request lives, does it count that nothing was found.
            Creation::Perhaps if claim.attempt == 1 || !all_known && patient => {
                return Ok(MatchEnd::Undecided);
            }
            Creation::Perhaps => MatchEnd::Lost,
            Creation::Never => MatchEnd::Elsewhere,
        };
        self.settle(claim, tickets, outcomes, end).await
    }

    async fn settle(
        &self,
        claim: &Claim,
        tickets: &[Ticket],
        outcomes: Outcomes,
        end: MatchEnd,
    ) -> Result<MatchEnd, Error> {
        let mut tries = 1;
        let settled = loop {
            let (now_ms, keep_ms) = (self.clock.now_ms(), self.keep_until_ms());
            match self.store.settle(claim, &outcomes, now_ms, keep_ms).await {
                Ok(settled) => break settled,
                Err(error) if tries >= SETTLE_TRIES => return Err(error),
                Err(_) => tokio::time::sleep(SETTLE_PAUSE).await,
            }
            tries += 1;
        };
        if settled == Settled::Lost {
            return Ok(MatchEnd::Superseded);
        }
        self.presence.forget(members(tickets).map(|member| &member.player));
        let now_ms = self.clock.now_ms();
        for (ticket, (_, outcome)) in tickets.iter().zip(&outcomes) {
            if matches!(outcome, Outcome::Seated { .. }) {
                self.metrics.seated(&ticket.queue, now_ms.saturating_sub(ticket.enqueued_ms));
            }
        }
        if end == MatchEnd::Seated {
            self.metrics.quality(&claim.queue, tickets);
        }
        Ok(end)
    }
}

fn members(tickets: &[Ticket]) -> impl Iterator<Item = &Member> {
    tickets.iter().flat_map(|ticket| &ticket.members)
}

fn put_back(tickets: &[Ticket]) -> Outcomes {
    tickets.iter().map(|ticket| (ticket.id, Outcome::PutBack)).collect()
}

/// Whoever has spoilt the ready check leaves; the others wait again.
fn after_check(tickets: &[Ticket], check: &ReadyCheck) -> Outcomes {
    let outcome = |ticket: &Ticket| {
        if check.is_spoilt_by(&ticket.members) {
            Outcome::Closed { reason: Closed::NotReady }
        } else {
            Outcome::PutBack
        }
    };
    tickets.iter().map(|ticket| (ticket.id, outcome(ticket))).collect()
}

/// A whole party at one table is seated there, whoever created it; a party of which some have
/// gone elsewhere ends; the others wait again. The seats were read last, so they decide.
fn outcome_of(ticket: &Ticket, seats: &Found) -> Outcome {
    let mut tables = seats.iter().filter_map(|(table, seats)| Some((table, seats.as_ref()?)));
    let together = tables.clone().find_map(|(table, seats)| {
        Some(Outcome::Seated { table: *table, seats: seats.of_all(&ticket.members)? })
    });
    let has_seat =
        |seats: &Seats| ticket.members.iter().any(|member| seats.of(member.player).is_some());
    match together {
        Some(seated) => seated,
        None if tables.any(|(_, seats)| has_seat(seats)) => {
            Outcome::Closed { reason: Closed::Failed }
        }
        None => Outcome::PutBack,
    }
}

fn new_table(queue: &Queue, claim: &Claim, tickets: &[Ticket]) -> NewTable {
    let players: Vec<Member> = members(tickets).cloned().collect();
    let mut settings = queue.settings.clone();
    // A group that is smaller than the queue wants was made because bots may fill it.
    let complete = u32::try_from(players.len()).is_ok_and(|count| count >= queue.rules.players);
    settings.fill_with_bots |= !complete;
    NewTable { request_id: claim.id.to_string(), settings, players, host: None }
}
