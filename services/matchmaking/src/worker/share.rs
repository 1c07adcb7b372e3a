//! Which replica should match which queue: rendezvous hashing, so that a replica that comes or
//! goes moves only its own share.

use crate::ids::{QueueId, ReplicaId};

/// The replica among those alive that should hold the queue's lease.
#[must_use]
pub fn preferred(queue: &QueueId, alive: &[ReplicaId]) -> Option<ReplicaId> {
    alive.iter().copied().max_by_key(|replica| (weight(queue.as_str(), *replica), *replica))
}

/// Whether this is the replica among those alive that looks after clubs' rooms and parties.
#[must_use]
pub fn looks_after_rooms(replica: ReplicaId, alive: &[ReplicaId]) -> bool {
    // No queue has this name.
    let preferred = alive.iter().max_by_key(|replica| (weight("CLUB ROOMS", **replica), **replica));
    preferred == Some(&replica)
}

fn weight(queue: &str, replica: ReplicaId) -> u64 {
    // FNV-1a: the same in every build, unlike the standard library's hasher.
    let bytes = queue.bytes().chain([0]).chain(*replica.as_bytes());
    let hash = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    // FNV mixes its last bytes poorly upwards (the finalizer is MurmurHash3's).
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    let hash = (hash ^ (hash >> 33)).wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    hash ^ (hash >> 33)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn queues() -> Vec<QueueId> {
        (0..300).map(|number| format!("queue-{number}").parse().unwrap()).collect()
    }

    #[test]
    fn queues_are_shared_evenly() {
        let alive: Vec<ReplicaId> = (1..=3).map(ReplicaId::numbered).collect();
        for replica in &alive {
            let share =
                queues().iter().filter(|queue| preferred(queue, &alive) == Some(*replica)).count();
            assert!((70..=130).contains(&share), "{replica} has {share} of 300");
        }
    }

    #[test]
    fn a_replica_that_goes_moves_only_its_own_queues() {
        let alive: Vec<ReplicaId> = (1..=3).map(ReplicaId::numbered).collect();
        let left = &alive[..2];
        for queue in queues() {
            let before = preferred(&queue, &alive).unwrap();
            if before != alive[2] {
                assert_eq!(preferred(&queue, left), Some(before));
            }
        }
        assert_eq!(preferred(&queues()[0], &[]), None);
    }
}
