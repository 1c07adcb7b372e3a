//! Waits until a replica has what was written; many tables share one wait.
//!
//! `WAIT` speaks of the writes of its own connection, and a connection may be replaced at any time.
//! So each wait follows a write of its own in the same pipeline: replication keeps the order, so
//! whatever its server had taken before has then reached the replica too, over whichever connection
//! it came. The write names its server; when that is another than the one that took the entries
//! (there was a failover in between), nothing is known of them and the wait fails.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use parlor_common::redis::RedisConnection;
use redis::{Value, cmd, pipe};

use super::{StoreError, failed, scripts};

/// How long an append waits for a replica before it counts as not durable.
const REPLICA_WAIT_MS: u64 = 1_000;
/// Most servers of a cluster that are remembered; those of the past are forgotten.
const NODES_MAX: usize = 1_024;

/// The waits of one server, one after the other: whoever comes while one runs shares the next.
#[derive(Default)]
struct Lane {
    /// Numbers those who wait.
    last: AtomicU64,
    /// One wait at a time.
    waits: tokio::sync::Mutex<Waits>,
}

/// How far the waits of a server have come.
#[derive(Default)]
struct Waits {
    /// The last number that a wait covered.
    last: u64,
    /// How it ended.
    ended: Option<StoreError>,
}

/// Waits for replicas, over a connection of its own: a wait holds up its connection.
#[derive(Clone)]
pub(super) struct Replicas {
    connection: RedisConnection,
    fence: Arc<str>,
    lanes: Arc<Mutex<HashMap<String, Arc<Lane>>>>,
}

impl Replicas {
    pub fn new(connection: RedisConnection) -> Self {
        Self { connection, fence: scripts::fence().into(), lanes: Arc::default() }
    }

    /// Waits until a replica has what `node` has taken before this call. `tag` is the hash tag of a
    /// key that the node owns.
    pub async fn reached(&self, node: &str, tag: &str) -> Result<(), StoreError> {
        let lane = self.lane(node);
        let number = lane.last.fetch_add(1, Ordering::AcqRel) + 1;
        let mut waits = lane.waits.lock().await;
        if waits.last < number {
            // Everybody who has a number by now has been answered by the node already, and shares
            // the outcome: while the replicas are away, nobody waits for one wait after the other.
            let last = lane.last.load(Ordering::Acquire);
            let ended = self.wait(node, tag, last).await.err();
            *waits = Waits { last, ended };
        }
        waits.ended.clone().map_or(Ok(()), Err)
    }

    fn lane(&self, node: &str) -> Arc<Lane> {
        let mut lanes = self.lanes.lock().unwrap_or_else(PoisonError::into_inner);
        if lanes.len() >= NODES_MAX && !lanes.contains_key(node) {
            lanes.retain(|_, lane| Arc::strong_count(lane) > 1);
        }
        Arc::clone(lanes.entry(node.to_owned()).or_default())
    }

    async fn wait(&self, node: &str, tag: &str, number: u64) -> Result<(), StoreError> {
        let key = format!("{{{tag}}}:fence");
        let (mut fence, mut wait) = (cmd("EVAL"), cmd("WAIT"));
        fence.arg(&*self.fence).arg(1).arg(&key).arg(number);
        wait.arg(1).arg(REPLICA_WAIT_MS);
        let mut pipeline = pipe();
        pipeline.add_command(fence).add_command(wait);
        let answers = self.connection.routed(&pipeline, 2, &key).await;
        match answers.map_err(|error| failed(&error))?.as_slice() {
            [taken, Value::Int(replicas)] if *replicas >= 1 => {
                let here = node_of(taken)?;
                let moved = || StoreError::Unavailable("the slot has moved to another node".into());
                if here == node { Ok(()) } else { Err(moved()) }
            }
            _ => Err(StoreError::Unavailable("no replica has the entry yet".into())),
        }
    }
}

/// The name that a script gives its server.
pub(super) fn node_of(value: &Value) -> Result<String, StoreError> {
    let unreadable = |error: redis::ParsingError| StoreError::Unavailable(error.to_string());
    redis::from_redis_value_ref(value).map_err(unreadable)
}
