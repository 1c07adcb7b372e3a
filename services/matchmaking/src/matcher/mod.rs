//! Who plays with whom: a pure function of the waiting tickets and the time.
//!
//! The oldest ticket chooses first. Among its neighbours by rating it looks for tickets that fill
//! the match exactly, nearest first; every member of a group must accept every other
//! ([`RatingWindow`] widens with waiting), and a party is never split. A ticket that finds no full
//! group and has waited long enough takes the largest group there is, and bots fill the rest.
//!
//! Each search is bounded ([`search`]), so that the cost grows with the number of tickets and
//! not with how many of them fit each other.

mod pool;
mod search;
mod window;

pub use window::RatingWindow;

use crate::ids::TicketId;
use crate::ticket::{Rating, Ticket};

use pool::Pool;

/// What a queue asks of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatchRules {
    /// Players that a match needs before bots fill in; at least 1.
    pub players: u32,
    /// How far ratings may differ; `None`: as far as they like.
    pub window: Option<RatingWindow>,
    /// A ticket that has waited for so many milliseconds plays with bots; `None`: never.
    pub bot_fill_after_ms: Option<u32>,
}

/// A ticket as the matcher sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// The ticket.
    pub id: TicketId,
    /// How many seats it needs.
    pub players: u32,
    /// The party's rating.
    pub rating: Rating,
    /// Since when it waits, milliseconds since the Unix epoch.
    pub enqueued_ms: i64,
}

impl From<&Ticket> for Candidate {
    fn from(ticket: &Ticket) -> Self {
        Self {
            id: ticket.id,
            players: ticket.players(),
            rating: ticket.rating,
            enqueued_ms: ticket.enqueued_ms,
        }
    }
}

/// Tickets that play together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The ticket that chose, then those it chose, nearest first.
    pub tickets: Vec<TicketId>,
    /// Players in all; fewer than [`MatchRules::players`] when bots fill in.
    pub players: u32,
}

/// Groups the candidates at one moment. The same input gives the same groups in the same order,
/// whatever the order of the candidates.
#[must_use]
pub fn groups(rules: &MatchRules, candidates: &[Candidate], now_ms: i64) -> Vec<Group> {
    let mut pool = Pool::new(rules, candidates, now_ms);
    let mut groups = Vec::new();
    for chooser in pool.oldest_first() {
        if !pool.is_free(chooser) {
            continue;
        }
        let found = search::best_group(&pool, chooser, rules.players);
        let full = found.players == rules.players;
        if full || (found.players < rules.players && bots_fill(rules, &pool, chooser)) {
            let tickets = found.members.iter().map(|&member| pool.id(member)).collect();
            groups.push(Group { tickets, players: found.players });
            for &member in &found.members {
                pool.remove(member);
            }
        } else if found.exhaustive {
            // Nothing fits it now, so it fits into no group of a younger one either.
            pool.remove(chooser);
        }
    }
    groups
}

fn bots_fill(rules: &MatchRules, pool: &Pool, chooser: usize) -> bool {
    rules.bot_fill_after_ms.is_some_and(|after| pool.waited_ms(chooser) >= i64::from(after))
}

#[cfg(test)]
mod tests;
