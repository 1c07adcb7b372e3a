//! Where players sit, asked of the tables themselves.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::future::join_all;
use parlor_common::{Clock, PlayerId};

use crate::error::Error;
use crate::tables::{Tables, Whereabouts};
use crate::ticket::Member;

/// How long an answer is good enough for [`Presence::lately`]: it spares the pods a storm of the
/// same question while a client signs in.
const FRESH_MS: i64 = 1_000;

/// Most players whose answer is remembered.
const REMEMBERED: usize = 16_384;

/// Asks where players sit.
pub struct Presence {
    tables: Arc<dyn Tables>,
    clock: Clock,
    answers: Mutex<HashMap<PlayerId, (i64, Whereabouts)>>,
}

impl Presence {
    /// Asks these tables.
    #[must_use]
    pub fn new(tables: Arc<dyn Tables>, clock: Clock) -> Self {
        Self { tables, clock, answers: Mutex::default() }
    }

    /// Where a player sat a moment ago.
    pub async fn lately(&self, player: PlayerId) -> Whereabouts {
        let now_ms = self.clock.now_ms();
        let known = {
            let answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
            answers.get(&player).filter(|(until_ms, _)| *until_ms > now_ms).cloned()
        };
        match known {
            Some((_, answer)) => answer,
            None => self.now(player).await,
        }
    }

    /// Where a player sits now.
    pub async fn now(&self, player: PlayerId) -> Whereabouts {
        let answer = self.tables.whereabouts(player).await;
        let now_ms = self.clock.now_ms();
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        if answer.silent > 0 {
            answers.remove(&player);
            return answer;
        }
        if answers.len() >= REMEMBERED {
            answers.retain(|_, (until_ms, _)| *until_ms > now_ms);
        }
        if answers.len() < REMEMBERED {
            answers.insert(player, (now_ms.saturating_add(FRESH_MS), answer.clone()));
        }
        answer
    }

    /// The players have got seats, or are about to: what is remembered of them is old.
    pub fn forget<'a>(&self, players: impl IntoIterator<Item = &'a PlayerId>) {
        let mut answers = self.answers.lock().unwrap_or_else(PoisonError::into_inner);
        for player in players {
            answers.remove(player);
        }
    }

    /// Makes sure that none of the members has a seat. Pods that do not answer are passed over:
    /// the outage of one must not keep everybody from playing.
    ///
    /// # Errors
    /// [`Error::AlreadySeated`]; [`Error::TablesUnavailable`] when no pod answers at all.
    pub async fn none_seated(&self, members: &[Member]) -> Result<(), Error> {
        let asked = members.iter().map(|member| self.now(member.player));
        for (member, found) in members.iter().zip(join_all(asked).await) {
            if let Some(&table) = found.tables.first() {
                return Err(Error::AlreadySeated(member.player, table));
            }
            if found.answered == 0 && found.silent > 0 {
                return Err(Error::TablesUnavailable);
            }
        }
        Ok(())
    }
}
