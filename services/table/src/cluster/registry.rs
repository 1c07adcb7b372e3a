//! The pods that are up. In Redis they are one hash: by id, the number of the last heartbeat (8
//! bytes, big endian) and what the pod says of itself (a serialized `TablePod`).
//!
//! No entry expires by itself. Who falls silent stays listed until the others have taken its tables
//! over, so that whoever asks for all pods sees that some tables are not answered for.

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::PodId;
use parlor_common::redis::RedisConnection;
use parlor_proto::table::v1 as pb;
use prost::Message;
use redis::{Script, Value, cmd};

use super::members::Heartbeat;
use crate::store::StoreError;

const BEAT: &str = "
local known = redis.call('HEXISTS', KEYS[1], ARGV[1])
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return { known, redis.call('HGETALL', KEYS[1]) }
";

/// Bytes of the number of a heartbeat.
const NUMBER_BYTES: usize = 8;

/// What a heartbeat brings back.
#[derive(Clone, Debug)]
pub struct Echo {
    /// The others had forgotten this pod, or never knew it.
    pub forgotten: bool,
    /// All pods, this one included.
    pub heartbeats: Vec<Heartbeat>,
}

/// Where pods leave their heartbeats. Its methods are atomic each.
#[async_trait]
pub trait Registry: Send + Sync + 'static {
    /// Says that a pod lives.
    async fn beat(&self, heartbeat: &Heartbeat) -> Result<Echo, StoreError>;

    /// All pods.
    async fn all(&self) -> Result<Vec<Heartbeat>, StoreError>;

    /// Takes a pod off the list.
    async fn remove(&self, pod: PodId) -> Result<(), StoreError>;
}

/// The registry in Redis.
pub(super) struct RedisRegistry {
    connection: RedisConnection,
    key: String,
    beat: Script,
}

impl RedisRegistry {
    pub fn new(connection: RedisConnection, tag: &str) -> Self {
        let key = format!("{{{tag}-pods}}:beats");
        Self { connection, key, beat: Script::new(BEAT) }
    }
}

#[async_trait]
impl Registry for RedisRegistry {
    async fn beat(&self, heartbeat: &Heartbeat) -> Result<Echo, StoreError> {
        let mut value = heartbeat.number.to_be_bytes().to_vec();
        heartbeat.pod.encode(&mut value).map_err(unreadable)?;
        let mut beat = self.beat.key(&self.key);
        beat.arg(heartbeat.id.to_string()).arg(value);
        let echo = self.connection.script(&beat).await.map_err(unreadable)?;
        let (known, all): (bool, Vec<(String, Vec<u8>)>) =
            redis::from_redis_value(echo).map_err(unreadable)?;
        Ok(Echo { forgotten: !known, heartbeats: heartbeats(all) })
    }

    async fn all(&self) -> Result<Vec<Heartbeat>, StoreError> {
        let mut all = cmd("HGETALL");
        all.arg(&self.key);
        let all = self.connection.query::<Vec<(String, Vec<u8>)>>(&all).await;
        all.map(heartbeats).map_err(unreadable)
    }

    async fn remove(&self, pod: PodId) -> Result<(), StoreError> {
        let mut remove = cmd("HDEL");
        remove.arg(&self.key).arg(pod.to_string());
        self.connection.query::<Value>(&remove).await.map(drop).map_err(unreadable)
    }
}

fn heartbeats(all: Vec<(String, Vec<u8>)>) -> Vec<Heartbeat> {
    all.into_iter().filter_map(|(id, value)| heartbeat(&id, value)).collect()
}

/// `None` for what no pod of ours wrote.
fn heartbeat(id: &str, value: Vec<u8>) -> Option<Heartbeat> {
    let mut value = Bytes::from(value);
    if value.len() < NUMBER_BYTES {
        return None;
    }
    let number = value.split_to(NUMBER_BYTES);
    let number = u64::from_be_bytes(number.as_ref().try_into().ok()?);
    Some(Heartbeat { id: id.parse().ok()?, number, pod: pb::TablePod::decode(value).ok()? })
}

fn unreadable(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_pod_wrote_is_passed_over() {
        let id = PodId::random().to_string();
        for (id, value) in [("x", vec![0; 8]), (id.as_str(), vec![0; 7]), (&id, vec![255; 9])] {
            assert_eq!(heartbeat(id, value), None);
        }
        assert!(heartbeat(&id, vec![0; 8]).is_some_and(|heartbeat| heartbeat.number == 0));
    }
}
