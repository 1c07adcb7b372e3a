//! Tables in Redis, single or Cluster.
//!
//! A table's keys share the hash tag `{table-id}`, so one script sees them all: `:meta` (a hash of
//! opening, epoch and last entry's number), `:log` (a stream with ids `<seq>-0`) and `:snap` (a
//! hash of the last snapshot). The list of tables is split over [`INDEXES`] sets of its own; a
//! table is listed before it exists, so that none is ever forgotten.
//!
//! Every write is a script that compares the predecessor and the epoch, because the client repeats
//! a command by itself when a connection breaks. An append whose answer was lost shows as stale; it
//! is told apart from a real conflict by reading the entries that stand in its place.

mod connection;
mod scripts;

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::TableId;
use redis::streams::StreamRangeReply;
use redis::{RedisError, Value, cmd};

use super::{Append, Durable, StoreError, Stored, TableStore};
use connection::Connection;
pub use connection::RedisTarget;
use scripts::Scripts;

/// Sets over which the list of tables is split, so that no node of a cluster holds it all.
const INDEXES: u8 = 16;
/// How long a durable append waits for a replica before it counts as not durable.
const REPLICA_WAIT_MS: u64 = 1_000;

/// What an append waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Durability {
    /// The node that owns the table's slot has it.
    #[default]
    Primary,
    /// At least one replica has it as well: it survives the loss of a node.
    Replica,
}

/// A store in Redis; cheap to clone.
#[derive(Clone)]
pub struct RedisStore {
    connection: Connection,
    scripts: Scripts,
    durability: Durability,
}

impl std::fmt::Debug for RedisStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("RedisStore")
    }
}

fn key(table: TableId, part: &str) -> String {
    format!("{{{table}}}:{part}")
}

/// The set in which a table is listed.
fn index_of(table: TableId) -> String {
    index(table.as_bytes()[15] % INDEXES)
}

fn index(number: u8) -> String {
    format!("{{parlor-tables-{number}}}")
}

impl RedisStore {
    /// Connects to the given nodes.
    ///
    /// # Errors
    /// When no node can be reached.
    pub async fn connect(target: &RedisTarget, durability: Durability) -> Result<Self, StoreError> {
        let connection = Connection::open(target).await.map_err(|error| failed(&error))?;
        Ok(Self { connection, scripts: Scripts::new(), durability })
    }

    async fn command<T: redis::FromRedisValue>(
        &self,
        command: redis::Cmd,
    ) -> Result<T, StoreError> {
        let value = self.connection.command(&command).await.map_err(|error| failed(&error))?;
        redis::from_redis_value(value).map_err(|error| StoreError::Unavailable(error.to_string()))
    }

    /// Waits until a replica has what was written, where that was asked for.
    async fn replicate(&self, table: TableId) -> Result<(), StoreError> {
        if self.durability == Durability::Primary {
            return Ok(());
        }
        let mut wait = cmd("WAIT");
        wait.arg(1).arg(REPLICA_WAIT_MS);
        let meta = key(table, "meta");
        let value = self.connection.routed(wait, &meta).await.map_err(|error| failed(&error))?;
        match value {
            Value::Int(replicas) if replicas >= 1 => Ok(()),
            _ => Err(StoreError::Unavailable("no replica has the entry yet".into())),
        }
    }

    /// Whether the log holds exactly these entries where they were to go.
    async fn holds(&self, append: &Append) -> Result<bool, StoreError> {
        let last = append.after + append.entries.len() as u64;
        let mut range = cmd("XRANGE");
        range.arg(key(append.table, "log"));
        range.arg(format!("{}-0", append.after + 1)).arg(format!("{last}-0"));
        Ok(entries(self.command(range).await?) == append.entries)
    }
}

#[async_trait]
impl TableStore for RedisStore {
    async fn create(&self, table: TableId, opening: Bytes) -> Result<(), StoreError> {
        let mut list = cmd("SADD");
        list.arg(index_of(table)).arg(table.to_string());
        self.command::<i64>(list).await?;
        let mut script = self.scripts.create.key(key(table, "meta"));
        script.arg(opening.as_ref());
        self.connection.script(&script).await.map_err(|error| refused(&error))?;
        self.replicate(table).await
    }

    async fn append(&self, append: Append) -> Result<Durable, StoreError> {
        let mut script = self.scripts.append.key(key(append.table, "meta"));
        script.key(key(append.table, "log"));
        script.arg(append.epoch).arg(append.after);
        for entry in &append.entries {
            script.arg(entry.as_ref());
        }
        let last = append.after + append.entries.len() as u64;
        match self.connection.script(&script).await.map_err(|error| refused(&error)) {
            Ok(_) => {}
            // The answer of an earlier try may have been lost on its way.
            Err(StoreError::Stale { last_seq }) if last_seq >= last => {
                if !self.holds(&append).await? {
                    return Err(StoreError::Stale { last_seq });
                }
            }
            Err(error) => return Err(error),
        }
        self.replicate(append.table).await?;
        Ok(Durable::up_to(last))
    }

    async fn snapshot(
        &self,
        table: TableId,
        epoch: u64,
        seq: u64,
        snapshot: Bytes,
    ) -> Result<(), StoreError> {
        let mut script = self.scripts.snapshot.key(key(table, "meta"));
        script.key(key(table, "log")).key(key(table, "snap"));
        script.arg(epoch).arg(seq).arg(snapshot.as_ref());
        self.connection.script(&script).await.map(drop).map_err(|error| refused(&error))
    }

    async fn load(&self, table: TableId) -> Result<Stored, StoreError> {
        let mut script = self.scripts.load.key(key(table, "meta"));
        script.key(key(table, "log")).key(key(table, "snap"));
        let value = self.connection.script(&script).await.map_err(|error| refused(&error))?;
        let unreadable = |error: redis::ParsingError| StoreError::Unavailable(error.to_string());
        let (opening, epoch, snapshot_seq, snapshot, log): (
            Vec<u8>,
            u64,
            Option<u64>,
            Option<Vec<u8>>,
            StreamRangeReply,
        ) = redis::from_redis_value(value).map_err(unreadable)?;
        Ok(Stored {
            opening: opening.into(),
            epoch,
            snapshot: snapshot_seq.zip(snapshot).map(|(seq, bytes)| (seq, bytes.into())),
            tail: entries(log),
        })
    }

    async fn claim(&self, table: TableId, epoch: u64) -> Result<u64, StoreError> {
        let mut script = self.scripts.claim.key(key(table, "meta"));
        script.arg(epoch);
        self.connection.script(&script).await.map_err(|error| refused(&error))?;
        self.replicate(table).await?;
        Ok(epoch + 1)
    }

    async fn tables(&self) -> Result<Vec<TableId>, StoreError> {
        let mut tables = Vec::new();
        for number in 0..INDEXES {
            let mut members = cmd("SMEMBERS");
            members.arg(index(number));
            let ids: Vec<String> = self.command(members).await?;
            for table in ids.iter().filter_map(|id| id.parse::<TableId>().ok()) {
                // A table that was listed and never came to be is no table.
                let mut exists = cmd("EXISTS");
                exists.arg(key(table, "meta"));
                if self.command::<bool>(exists).await? {
                    tables.push(table);
                }
            }
        }
        tables.sort();
        Ok(tables)
    }

    async fn remove(&self, table: TableId, epoch: u64) -> Result<(), StoreError> {
        let mut script = self.scripts.remove.key(key(table, "meta"));
        script.key(key(table, "log")).key(key(table, "snap"));
        script.arg(epoch);
        self.connection.script(&script).await.map_err(|error| refused(&error))?;
        let mut unlist = cmd("SREM");
        unlist.arg(index_of(table)).arg(table.to_string());
        self.command::<i64>(unlist).await.map(drop)
    }
}

fn entries(log: StreamRangeReply) -> Vec<Bytes> {
    let entry = |id: redis::streams::StreamId| id.get::<Vec<u8>>(scripts::FIELD).map(Bytes::from);
    log.ids.into_iter().filter_map(entry).collect()
}

/// A refusal of a script, or a failure of the connection.
fn refused(error: &RedisError) -> StoreError {
    let number = || error.detail().and_then(|detail| detail.trim().parse().ok());
    match (error.code(), number()) {
        (Some("STALE"), Some(last_seq)) => StoreError::Stale { last_seq },
        (Some("FENCED"), Some(epoch)) => StoreError::Fenced { epoch },
        (Some("TABLEEXISTS"), _) => StoreError::Exists,
        (Some("TABLEMISSING"), _) => StoreError::Missing,
        _ => failed(error),
    }
}

fn failed(error: &RedisError) -> StoreError {
    StoreError::Unavailable(error.to_string())
}
