//! Lets a table sleep that nobody watches and that has nothing to do for a while.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::{Clock, TableId};
use parlor_game::shell::Phase;
use parlor_proto::table::v1 as pb;
use tokio::time::Instant;

use super::{Actor, Ended};
use crate::wire::envelope::Enveloped;

/// A deadline that is nearer keeps a table awake: reading it again would cost more.
const SOON: Duration = Duration::from_secs(10);

/// What is kept in memory of a table that sleeps, beside its line in the register.
#[derive(Debug)]
pub struct Asleep {
    /// The table.
    pub table: TableId,
    /// The epoch under which it is owned.
    pub epoch: u64,
    /// When it has to be woken, in milliseconds since the Unix epoch.
    pub deadline_ms: Option<i64>,
    /// What a list of tables says about it.
    pub summary: pb::TableSummary,
}

impl Asleep {
    /// How long it may sleep; `None`: until somebody asks.
    #[must_use]
    pub fn sleeps_for(&self, clock: &Clock) -> Option<Duration> {
        self.deadline_ms.map(|at| super::outbox::until(clock, at))
    }
}

/// Since when nothing has happened at a table: the moment, and its last entry then.
pub(super) type IdleSince = Option<(Instant, u64)>;

impl<G: Enveloped> Actor<G> {
    /// When the table may fall asleep, if nothing happens until then.
    pub(super) fn sleep_at(&mut self) -> Option<Instant> {
        let after = self.setting.upkeep.passivate_after?;
        if !self.is_idle() {
            self.idle_since = None;
            return None;
        }
        let seq = self.core.seq;
        let since = self.idle_since.filter(|(_, then)| *then == seq);
        let (since, _) = *self.idle_since.insert(since.unwrap_or((Instant::now(), seq)));
        Some(since + after)
    }

    fn is_idle(&self) -> bool {
        let soon_ms = i64::try_from(SOON.as_millis()).unwrap_or(i64::MAX);
        let horizon_ms = self.setting.clock.now_ms().saturating_add(soon_ms);
        let table = &self.core.table;
        self.audience.is_empty()
            && self.pending.is_empty()
            && self.away_at.is_none()
            && table.obligations.is_empty()
            && table.phase != Phase::Closed
            && table.next_deadline().is_none_or(|at_ms| at_ms > horizon_ms)
    }

    /// Falls asleep, once everything is in a snapshot.
    pub(super) async fn fall_asleep(&mut self) -> Option<Ended> {
        if self.is_ahead_of_its_snapshot() {
            self.snapshot().await;
            if self.is_ahead_of_its_snapshot() {
                // The store is away: try again after as long a time.
                self.idle_since = None;
                return None;
            }
        }
        Some(Ended::Asleep(Arc::new(Asleep {
            table: self.table_id(),
            epoch: self.epoch,
            deadline_ms: self.core.table.next_deadline(),
            summary: self.summary(),
        })))
    }
}
