//! What follows from the heartbeats of the pods.
//!
//! A pod's silence is measured by who listens: the time between two looks in which its heartbeat
//! did not change. A look that comes late, because the listener was paused or the registry was
//! away, counts as one that came in time: the silence may have been the listener's own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use parlor_common::{PodId, TableId};
use parlor_proto::table::v1 as pb;
use sha2::{Digest, Sha256};
use tokio::time::Instant;

use super::BEATS_PER_LEASE;

/// What a pod says of itself, with the number of its heartbeat.
#[derive(Clone, Debug, PartialEq)]
pub struct Heartbeat {
    /// The pod.
    pub id: PodId,
    /// Counted by the pod; whether it has changed is all that matters.
    pub number: u64,
    /// What it says of itself.
    pub pod: pb::TablePod,
}

#[derive(Debug)]
struct Member {
    number: u64,
    pod: pb::TablePod,
    silent: Duration,
}

/// The pods that are known.
#[derive(Debug)]
pub(super) struct Members {
    lease: Duration,
    members: BTreeMap<PodId, Member>,
    looked: Option<Instant>,
}

/// Whether a look has shown something that leaves tables without an owner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    /// A pod is gone or dead.
    Loss,
    /// None is.
    Nothing,
}

impl Members {
    pub fn new(lease: Duration) -> Self {
        Self { lease, members: BTreeMap::new(), looked: None }
    }

    /// Takes in what the registry says now.
    pub fn look(&mut self, heartbeats: Vec<Heartbeat>, now: Instant) -> Change {
        let longest = 2 * self.lease / BEATS_PER_LEASE;
        let passed = self.looked.map_or(Duration::ZERO, |at| now.saturating_duration_since(at));
        let passed = passed.min(longest);
        self.looked = Some(now);
        let mut before = std::mem::take(&mut self.members);
        for Heartbeat { id, number, pod } in heartbeats {
            let silent = match before.remove(&id) {
                Some(member) if member.number == number => member.silent + passed,
                _ => Duration::ZERO,
            };
            self.members.insert(id, Member { number, pod, silent });
        }
        let dead = self.members.values().any(|member| self.is_over(member));
        if dead || !before.is_empty() { Change::Loss } else { Change::Nothing }
    }

    fn is_over(&self, member: &Member) -> bool {
        member.silent >= self.lease
    }

    /// Pods that have fallen silent.
    pub fn dead(&self) -> Vec<PodId> {
        let dead = self.members.iter().filter(|(_, member)| self.is_over(member));
        dead.map(|(id, _)| *id).collect()
    }

    /// All pods, with the silent ones marked.
    pub fn all(&self) -> impl Iterator<Item = pb::TablePod> {
        self.members.values().map(|member| {
            let departed = self.is_over(member);
            pb::TablePod { departed, ..member.pod.clone() }
        })
    }

    /// A pod, if it lives.
    pub fn living_pod(&self, id: PodId) -> Option<pb::TablePod> {
        let member = self.members.get(&id).filter(|member| !self.is_over(member));
        member.map(|member| member.pod.clone())
    }

    /// Where a pod is called, if it lives.
    pub fn url_of(&self, id: PodId) -> Option<Arc<str>> {
        self.living_pod(id).map(|pod| pod.url.into())
    }

    /// Who may be given tables: those who live and do not drain.
    pub fn heirs(&self) -> Vec<(PodId, pb::TablePod)> {
        let heirs = self.members.iter().filter(|(_, one)| !self.is_over(one) && !one.pod.draining);
        heirs.map(|(id, member)| (*id, member.pod.clone())).collect()
    }
}

/// Which of the heirs a table falls to: each survivor finds the same one, and the tables of a dead
/// pod are spread over all of them (rendezvous hashing).
pub(super) fn heir_of(table: TableId, heirs: impl Iterator<Item = PodId>) -> Option<PodId> {
    heirs.max_by_key(|heir| {
        let hash = Sha256::new().chain_update(table.as_bytes()).chain_update(heir.as_bytes());
        <[u8; 32]>::from(hash.finalize())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEASE: Duration = Duration::from_secs(2);
    const BEAT: Duration = Duration::from_millis(500);

    fn id(pod: u8) -> PodId {
        PodId::from_bytes([pod; 16])
    }

    fn heartbeat(pod: u8, number: u64) -> Heartbeat {
        Heartbeat { id: id(pod), number, pod: pb::TablePod::default() }
    }

    #[tokio::test(start_paused = true)]
    async fn a_pod_that_is_silent_for_a_lease_is_dead() {
        let mut members = Members::new(LEASE);
        for number in 0..5 {
            assert!(members.living_pod(id(2)).is_some() || number == 0);
            let change = members.look(vec![heartbeat(1, number), heartbeat(2, 7)], Instant::now());
            assert_eq!(change == Change::Loss, number == 4, "{number}");
            tokio::time::advance(BEAT).await;
        }
        assert_eq!(members.dead(), [id(2)]);
        assert!(members.living_pod(id(1)).is_some());
        assert_eq!(members.heirs().len(), 1);
        assert_eq!(members.all().filter(|pod| pod.departed).count(), 1);
        members.look(vec![heartbeat(1, 9), heartbeat(2, 8)], Instant::now());
        assert!(members.living_pod(id(2)).is_some(), "it was only asleep");
    }

    #[tokio::test(start_paused = true)]
    async fn a_listener_that_was_paused_does_not_blame_the_others() {
        let mut members = Members::new(LEASE);
        members.look(vec![heartbeat(1, 1), heartbeat(2, 1)], Instant::now());
        tokio::time::advance(10 * LEASE).await;
        let change = members.look(vec![heartbeat(1, 1), heartbeat(2, 1)], Instant::now());
        assert_eq!((change, members.dead()), (Change::Nothing, Vec::new()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_pod_that_leaves_is_a_loss_once() {
        let mut members = Members::new(LEASE);
        members.look(vec![heartbeat(1, 1), heartbeat(2, 1)], Instant::now());
        assert_eq!(members.look(vec![heartbeat(1, 2)], Instant::now()), Change::Loss);
        assert_eq!(members.look(vec![heartbeat(1, 3)], Instant::now()), Change::Nothing);
    }

    #[test]
    fn the_tables_of_a_dead_pod_are_spread_and_others_stay() {
        let tables: Vec<_> =
            (0..300_u16).map(|number| TableId::derived(&[0; 16], &number.to_string())).collect();
        let four = [id(1), id(2), id(3), id(4)];
        let three = [id(1), id(2), id(3)];
        let mut share = BTreeMap::new();
        for table in tables {
            let before = heir_of(table, four.into_iter());
            let after = heir_of(table, three.into_iter());
            assert!(before == Some(id(4)) || before == after, "only the dead pod's tables move");
            *share.entry(after).or_insert(0) += 1;
        }
        assert!(share.values().all(|share| *share > 60), "{share:?}");
        assert_eq!(heir_of(TableId::random(), std::iter::empty()), None);
    }
}
