//! What administrators did: a log line each, and a bounded list that can be asked for.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use parlor_common::{Clock, Failure};
use parlor_proto::gateway::v1::AuditEntry;
use serde::{Deserialize, Serialize};

use super::access::Caller;
use crate::metrics::Metrics;
use crate::session::Registry;

/// Entries that a process remembers.
const REMEMBERED: usize = 1_000;
/// What a process without Redis is called in its entries.
const ALONE: &str = "alone";

/// An entry as it is kept in Redis.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    time_ms: i64,
    by: String,
    role: String,
    action: String,
    subject: String,
    reason: String,
    outcome: String,
    gateway_id: String,
}

impl From<Entry> for AuditEntry {
    fn from(entry: Entry) -> Self {
        let Entry { time_ms, by, role, action, subject, reason, outcome, gateway_id } = entry;
        Self { time_ms, by, role, action, subject, reason, outcome, gateway_id }
    }
}

/// An entry in this process.
struct Remembered {
    entry: Entry,
    /// Whether the gateways' common record has it too.
    is_shared: bool,
}

/// The record.
pub struct Audit {
    recent: Mutex<VecDeque<Remembered>>,
    registry: Arc<Registry>,
    metrics: Arc<Metrics>,
    clock: Clock,
}

impl Audit {
    /// Nothing was done yet.
    #[must_use]
    pub fn new(registry: Arc<Registry>, metrics: Arc<Metrics>, clock: Clock) -> Self {
        Self { recent: Mutex::default(), registry, metrics, clock }
    }

    /// Writes down what was done, or tried.
    pub async fn record(
        &self,
        caller: &Caller,
        action: &'static str,
        subject: &str,
        reason: &str,
        outcome: Result<(), &Failure>,
    ) {
        let outcome = outcome.err().map_or("ok", |failure| failure.reason.as_str());
        let gateway_id = self.registry.fleet().map_or(ALONE, |fleet| fleet.me());
        tracing::info!(
            target: "parlor::audit",
            by = caller.name, role = caller.role.name(), action, subject, reason, outcome,
            "an administrator acted"
        );
        let entry = Entry {
            time_ms: self.clock.now_ms(),
            by: caller.name.clone(),
            role: caller.role.name().to_owned(),
            action: action.to_owned(),
            subject: subject.to_owned(),
            reason: reason.to_owned(),
            outcome: outcome.to_owned(),
            gateway_id: gateway_id.to_owned(),
        };
        // The log line is there in any case.
        let is_shared = match (self.registry.fleet(), serde_json::to_string(&entry)) {
            (Some(fleet), Ok(text)) => fleet.record(&self.metrics, text).await.is_ok(),
            _ => false,
        };
        let mut recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if recent.len() >= REMEMBERED {
            recent.pop_front();
        }
        recent.push_back(Remembered { entry, is_shared });
    }

    /// The latest entries first: of all gateways where they share them, else of this process. What
    /// this gateway could not share while Redis was away is among them.
    pub async fn latest(&self, most: usize) -> Vec<AuditEntry> {
        let shared = match self.registry.fleet() {
            Some(fleet) => fleet.recorded(&self.metrics, most).await.ok(),
            None => None,
        };
        let recent = self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        let is_missing = |it: &&Remembered| shared.is_none() || !it.is_shared;
        let own = recent.iter().rev().filter(is_missing).map(|it| it.entry.clone());
        let texts = shared.iter().flatten().rev();
        let common = texts.filter_map(|text| serde_json::from_str::<Entry>(text).ok());
        let mut entries: Vec<_> = own.chain(common).collect();
        // Stable: those of one millisecond stay as they are.
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.time_ms));
        entries.truncate(most);
        entries.into_iter().map(AuditEntry::from).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::access::Role;
    use super::*;

    #[tokio::test]
    async fn the_record_is_bounded_and_begins_with_the_latest() {
        let (metrics, clock) = (Arc::new(Metrics::new()), Clock::held_at(7));
        let registry = Registry::new(None, Arc::clone(&metrics), clock.clone());
        let audit = Audit::new(Arc::new(registry), metrics, clock);
        let caller = Caller { name: "eve".to_owned(), role: Role::Moderator };
        for number in 0..REMEMBERED + 5 {
            audit.record(&caller, "kick", &number.to_string(), "", Ok(())).await;
        }
        let all = audit.latest(usize::MAX).await;
        assert_eq!(all.len(), REMEMBERED);
        assert_eq!(all.first().map(|entry| entry.subject.as_str()), Some("1004"));
        assert_eq!(audit.latest(3).await.len(), 3);
    }
}
