//! Waits until a replica has what was written; many writers share one wait.
//!
//! `WAIT` speaks of the writes of its own connection, and a connection may be replaced at any time.
//! So each wait follows a write of its own in the same pipeline: replication keeps the order, so
//! whatever its server had taken before has then reached the replica too, over whichever connection
//! it came. The write names its server; when that is another than the one that took what is waited
//! for (there was a failover in between), nothing is known of it and the wait fails.
//!
//! So a script whose effect must not be lost names its server too: it begins with
//! [`Durability::node_function`] and answers `node()`.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use redis::{Value, cmd, pipe};

use super::RedisConnection;

/// How long a write waits for a replica before it counts as not durable.
const REPLICA_WAIT_MS: u64 = 1_000;
/// Most servers of a cluster that are remembered; those of the past are forgotten.
const NODES_MAX: usize = 1_024;

/// Names the server that runs the script, so that writes can share one wait for its replicas.
const NODE: &str = "
local function node()
  local id = redis.pcall('CLUSTER', 'MYID')
  if type(id) == 'string' then return id end
  return string.match(redis.call('INFO', 'server'), 'run_id:(%w+)')
end
";

/// Nobody waits for replicas.
const NO_NODE: &str = "
local function node() return '' end
";

/// Writes behind whatever the server has taken so far, and names the server.
const FENCE: &str = "
redis.call('SET', KEYS[1], ARGV[1], 'PX', 60000)
return node()
";

/// What a write waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Durability {
    /// The server that owns the slot has it
    #[default]
    Local,
    /// At least one replica has it as well, so that it survives the loss of a server
    Replica,
}

impl Durability {
    /// The Lua function `node()`, which names the server where somebody waits for its replicas.
    #[must_use]
    pub const fn node_function(self) -> &'static str {
        match self {
            Self::Local => NO_NODE,
            Self::Replica => NODE,
        }
    }
}

/// Why a write counts as not durable. It may be all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotReplicated {
    /// No replica has it in time.
    #[error("no replica has the write yet")]
    NotYet,
    /// The slot is another server's now.
    #[error("the slot has moved to another node")]
    Moved,
    /// The server did not answer, or not as a server does.
    #[error("{0}")]
    Failed(String),
}

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
    ended: Option<NotReplicated>,
}

/// Waits for replicas, over a connection of its own: a wait holds up its connection. Cheap to
/// clone.
#[derive(Clone)]
pub struct Replicas {
    connection: RedisConnection,
    lanes: Arc<Mutex<HashMap<String, Arc<Lane>>>>,
}

impl Replicas {
    /// Waits over this connection, which nobody else should use.
    #[must_use]
    pub fn new(connection: RedisConnection) -> Self {
        Self { connection, lanes: Arc::default() }
    }

    /// Waits until a replica has what `node` has taken before this call. `tag` is the hash tag of a
    /// key that the node owns.
    ///
    /// # Errors
    /// Why that is not known.
    pub async fn reached(&self, node: &str, tag: &str) -> Result<(), NotReplicated> {
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

    async fn wait(&self, node: &str, tag: &str, number: u64) -> Result<(), NotReplicated> {
        let key = format!("{{{tag}}}:fence");
        let (mut fence, mut wait) = (cmd("EVAL"), cmd("WAIT"));
        // Sent as it is: it shares a pipeline with the wait.
        fence.arg(format!("{NODE}{FENCE}")).arg(1).arg(&key).arg(number);
        wait.arg(1).arg(REPLICA_WAIT_MS);
        let mut pipeline = pipe();
        pipeline.add_command(fence).add_command(wait);
        let answers = self.connection.routed(&pipeline, 2, &key).await;
        let answers = answers.map_err(|error| NotReplicated::Failed(error.to_string()))?;
        match answers.as_slice() {
            [taken, Value::Int(replicas)] if *replicas >= 1 => {
                if node_of(taken)? == node {
                    Ok(())
                } else {
                    Err(NotReplicated::Moved)
                }
            }
            _ => Err(NotReplicated::NotYet),
        }
    }
}

/// The name that a script gives its server.
///
/// # Errors
/// When it is none.
pub fn node_of(value: &Value) -> Result<String, NotReplicated> {
    redis::from_redis_value_ref(value)
        .map_err(|error: redis::ParsingError| NotReplicated::Failed(error.to_string()))
}
