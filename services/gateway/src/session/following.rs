//! What a session follows beside tables: the player's ticket, and its party.

use std::sync::Arc;

use futures_util::StreamExt;
use futures_util::future::{AbortHandle, BoxFuture, abortable};
use futures_util::stream::FuturesUnordered;
use parlor_common::{PlayerId, TableId};

use super::party::PartyFollower;
use super::{Core, Outbox, ticket};

/// How something that was followed has gone on.
enum Outcome {
    /// The ticket has ended, with the table if there is one.
    Ticket { id: String, table: Option<TableId> },
    /// The party has entered a queue.
    Queued { party: Box<PartyFollower>, ticket_id: String },
    /// The player is in the party no more.
    Parted { id: String },
    /// It is followed no more.
    Aborted,
}

/// Something that is followed.
struct Followed {
    id: String,
    abort: AbortHandle,
    is_over: bool,
}

/// The player's ticket and party; they make progress in [`Following::next`].
pub struct Following {
    core: Arc<Core>,
    outbox: Arc<Outbox>,
    player: PlayerId,
    ticket: Option<Followed>,
    party: Option<Followed>,
    running: FuturesUnordered<BoxFuture<'static, Outcome>>,
}

impl Following {
    /// Nothing yet.
    #[must_use]
    pub fn new(core: Arc<Core>, outbox: Arc<Outbox>, player: PlayerId) -> Self {
        Self { core, outbox, player, ticket: None, party: None, running: FuturesUnordered::new() }
    }

    /// Follows a ticket, instead of an earlier one.
    pub fn ticket(&mut self, id: String) {
        if self.ticket.as_ref().is_some_and(|now| now.id == id && !now.is_over) {
            return;
        }
        if let Some(before) = self.ticket.take() {
            before.abort.abort();
        }
        let (core, outbox) = (Arc::clone(&self.core), Arc::clone(&self.outbox));
        let (follow, abort) = abortable(ticket::follow(core, outbox, self.player, id.clone()));
        self.ticket = Some(Followed { id: id.clone(), abort, is_over: false });
        self.running.push(Box::pin(async move {
            match follow.await {
                Ok(table) => Outcome::Ticket { id, table },
                Err(_) => Outcome::Aborted,
            }
        }));
    }

    /// Follows the player's party, instead of an earlier one.
    pub fn party(&mut self, id: String) {
        if self.party.as_ref().is_some_and(|now| now.id == id && !now.is_over) {
            return;
        }
        let (core, outbox) = (Arc::clone(&self.core), Arc::clone(&self.outbox));
        let known = self.ticket.as_ref().map(|now| now.id.clone()).unwrap_or_default();
        self.run(PartyFollower::new(core, outbox, self.player, id, known));
    }

    fn run(&mut self, party: PartyFollower) {
        if let Some(before) = self.party.take() {
            before.abort.abort();
        }
        let id = party.party_id().to_owned();
        let (next, abort) = abortable(party.next_ticket());
        self.party = Some(Followed { id: id.clone(), abort, is_over: false });
        self.running.push(Box::pin(async move {
            match next.await {
                Ok(Some((party, ticket_id))) => {
                    Outcome::Queued { party: Box::new(party), ticket_id }
                }
                Ok(None) => Outcome::Parted { id },
                Err(_) => Outcome::Aborted,
            }
        }));
    }

    /// Waits for a table that is to be watched; `None` when nothing is followed. May be dropped and
    /// called again.
    pub async fn next(&mut self) -> Option<TableId> {
        loop {
            match self.running.next().await? {
                Outcome::Ticket { id, table } => {
                    end(&mut self.ticket, &id);
                    if table.is_some() {
                        return table;
                    }
                }
                Outcome::Queued { party, ticket_id } => {
                    // A party that was left meanwhile is not followed on.
                    if self.party.as_ref().is_some_and(|now| now.id == party.party_id()) {
                        self.run(*party);
                        // The leader's own request may have led to it already, and to its end.
                        if self.ticket.as_ref().is_none_or(|now| now.id != ticket_id) {
                            self.ticket(ticket_id);
                        }
                    }
                }
                Outcome::Parted { id } => end(&mut self.party, &id),
                Outcome::Aborted => {}
            }
        }
    }
}

fn end(followed: &mut Option<Followed>, id: &str) {
    if let Some(followed) = followed.as_mut().filter(|now| now.id == id) {
        followed.is_over = true;
    }
}
