//! Tables in Redis, single or Cluster.
//!
//! A table's keys share the hash tag `{table-id}`, so one script sees them all: `:meta` (a hash of
//! opening, owner, epoch and last entry's number), `:log` (a stream with ids `<seq>-0`), `:snap` (a
//! hash of the last snapshot), and for a while after all that `:gone`, which keeps a late creation
//! from bringing the table back. The list of tables with their owners is split over [`INDEXES`]
//! hashes of its own. A table is listed before it exists, so that none is ever forgotten; its owner
//! is listed after it has claimed the table, so the list may lag behind `:meta`, which decides.
//!
//! Every write is a script that compares the predecessor and the epoch, because the client repeats
//! a command by itself when a connection breaks. An append whose answer was lost shows as stale; it
//! is told apart from a real conflict by reading the entries that stand in its place.
//!
//! Appends of many tables share round trips: the connection writes whatever is asked at a time as
//! one pipeline, and [`parlor_common::redis::replicas`] lets them share their waits.

mod scripts;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::future::try_join_all;
use parlor_common::redis::replicas::node_of;
use parlor_common::redis::{NotReplicated, RedisConnection, Replicas};
use parlor_common::{PodId, TableId};
use redis::streams::StreamRangeReply;
use redis::{RedisError, ScriptInvocation, Value, cmd};
use secrecy::SecretString;

use super::{Append, Creation, Durable, Head, Listed, StoreError, Stored, TableStore};
use scripts::Scripts;

pub use parlor_common::redis::Durability;

/// Hashes over which the list of tables is split, so that no node of a cluster holds it all.
const INDEXES: u8 = 16;
/// How long a removed table is remembered: longer than anybody repeats its creation.
const GONE_FOR: Duration = Duration::from_secs(900);

/// A store in Redis; cheap to clone.
#[derive(Clone)]
pub struct RedisStore {
    connection: RedisConnection,
    tag: Arc<str>,
    scripts: Scripts,
    /// Entries of a log that stay behind its snapshot.
    kept: u64,
    /// `None`: nobody waits for replicas.
    replicas: Option<Replicas>,
}

impl std::fmt::Debug for RedisStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("RedisStore")
    }
}

fn key(table: TableId, part: &str) -> String {
    format!("{{{table}}}:{part}")
}

impl RedisStore {
    /// Connects to the servers at these URLs, separated by commas; see [`RedisConnection::open`].
    /// Stores with different tags list different tables.
    ///
    /// # Errors
    /// When no server can be reached.
    pub async fn connect(
        urls: &SecretString,
        tag: &str,
        durability: Durability,
    ) -> Result<Self, StoreError> {
        let open = || async { RedisConnection::open(urls).await.map_err(|error| failed(&error)) };
        let replicas = match durability {
            Durability::Local => None,
            Durability::Replica => Some(Replicas::new(open().await?)),
        };
        let (connection, scripts) = (open().await?, Scripts::new(durability));
        Ok(Self { connection, tag: tag.into(), scripts, kept: 0, replicas })
    }

    /// The same store, where so many entries of a log stay behind its snapshot, for audits.
    #[must_use]
    pub const fn keeping(mut self, entries: u64) -> Self {
        self.kept = entries;
        self
    }

    /// The tag of whatever belongs to no table.
    #[must_use]
    pub fn tag(&self) -> &str {
        &self.tag
    }

    /// The hash in which a table is listed.
    fn index_of(&self, table: TableId) -> String {
        self.index(table.as_bytes()[15] % INDEXES)
    }

    fn index(&self, number: u8) -> String {
        format!("{{{}-{number}}}:owners", self.tag)
    }

    /// The connection, for what belongs to no table.
    #[must_use]
    pub const fn connection(&self) -> &RedisConnection {
        &self.connection
    }

    async fn command<T: redis::FromRedisValue>(
        &self,
        command: redis::Cmd,
    ) -> Result<T, StoreError> {
        self.connection.query(&command).await.map_err(|error| failed(&error))
    }

    async fn run(&self, script: &ScriptInvocation<'_>) -> Result<Value, StoreError> {
        self.connection.script(script).await.map_err(|error| refused(&error))
    }

    /// Waits until a replica has what `node` had taken, where that was asked for.
    async fn replicate(&self, table: TableId, node: &Value) -> Result<(), StoreError> {
        let Some(replicas) = &self.replicas else { return Ok(()) };
        Ok(replicas.reached(&node_of(node)?, &table.to_string()).await?)
    }

    /// Whether the log holds exactly these entries where they were to go. Waits for a replica to
    /// have them, where that was asked for.
    async fn holds(&self, append: &Append) -> Result<bool, StoreError> {
        let last = append.after + append.entries.len() as u64;
        let mut range = cmd("XRANGE");
        range.arg(key(append.table, "log"));
        range.arg(format!("{}-0", append.after + 1)).arg(format!("{last}-0"));
        if entries(self.command(range).await?) != append.entries {
            return Ok(false);
        }
        // Loading waits for the replica of whichever server has the table now.
        self.load(append.table).await.map(|_| true)
    }

    async fn list(&self, table: TableId, owner: PodId) -> Result<(), StoreError> {
        let mut list = cmd("HSET");
        list.arg(self.index_of(table)).arg(table.to_string()).arg(owner.to_string());
        self.command::<i64>(list).await.map(drop)
    }

    async fn unlist(&self, table: TableId) -> Result<(), StoreError> {
        let mut unlist = cmd("HDEL");
        unlist.arg(self.index_of(table)).arg(table.to_string());
        self.command::<i64>(unlist).await.map(drop)
    }
}

#[async_trait]
impl TableStore for RedisStore {
    async fn create(&self, creation: Creation) -> Result<Durable, StoreError> {
        let Creation { table, owner, opening, entries } = creation;
        self.list(table, owner).await?;
        let mut script = self.scripts.create.key(key(table, "meta"));
        script.key(key(table, "log")).key(key(table, "gone"));
        script.arg(opening.as_ref()).arg(owner.to_string());
        for entry in &entries {
            script.arg(entry.as_ref());
        }
        let node = match self.run(&script).await {
            Err(StoreError::Exists) => {
                // It may have another owner, or be closed: what was listed above is not true.
                self.relist(table).await?;
                return Err(StoreError::Exists);
            }
            created => created?,
        };
        self.replicate(table, &node).await?;
        Ok(Durable::up_to(entries.len() as u64))
    }

    async fn append(&self, append: Append) -> Result<Durable, StoreError> {
        let mut script = self.scripts.append.key(key(append.table, "meta"));
        script.key(key(append.table, "log"));
        script.arg(append.epoch).arg(append.after);
        for entry in &append.entries {
            script.arg(entry.as_ref());
        }
        let last = append.after + append.entries.len() as u64;
        match self.run(&script).await {
            Ok(node) => self.replicate(append.table, &node).await?,
            // The answer of an earlier try may have been lost on its way.
            Err(StoreError::Stale { last_seq }) if last_seq >= last => {
                if !self.holds(&append).await? {
                    return Err(StoreError::Stale { last_seq });
                }
            }
            Err(error) => return Err(error),
        }
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
        script.arg(epoch).arg(seq).arg(snapshot.as_ref()).arg(self.kept);
        self.run(&script).await.map(drop)
    }

    async fn load(&self, table: TableId) -> Result<Stored, StoreError> {
        let mut script = self.scripts.load.key(key(table, "meta"));
        script.key(key(table, "log")).key(key(table, "snap"));
        let value = self.run(&script).await?;
        let unreadable = |error: redis::ParsingError| StoreError::Unavailable(error.to_string());
        let (opening, epoch, owner, snapshot_seq, snapshot, log, node): Loaded =
            redis::from_redis_value(value).map_err(unreadable)?;
        // What is read will be acted upon, so it must not be lost any more.
        self.replicate(table, &node).await?;
        Ok(Stored {
            opening: opening.into(),
            epoch,
            owner: owner_of(owner.as_deref()),
            snapshot: snapshot_seq.zip(snapshot).map(|(seq, bytes)| (seq, bytes.into())),
            tail: entries(log),
        })
    }

    async fn head(&self, table: TableId) -> Result<Head, StoreError> {
        let mut fields = cmd("HMGET");
        fields.arg(key(table, "meta")).arg("epoch").arg("owner").arg("seq");
        let (epoch, owner, seq): (Option<u64>, Option<String>, Option<u64>) =
            self.command(fields).await?;
        let (Some(epoch), Some(last_seq)) = (epoch, seq) else { return Err(StoreError::Missing) };
        Ok(Head { epoch, owner: owner_of(owner.as_deref()), last_seq })
    }

    async fn claim(&self, table: TableId, epoch: u64, owner: PodId) -> Result<u64, StoreError> {
        let mut script = self.scripts.claim.key(key(table, "meta"));
        script.arg(epoch).arg(owner.to_string());
        let node = match self.run(&script).await {
            // The answer of an earlier try may have been lost on its way.
            Err(StoreError::Fenced { epoch: now }) if now == epoch + 1 => {
                let stored = self.load(table).await?;
                if (stored.epoch, stored.owner) != (epoch + 1, owner) {
                    return Err(StoreError::Fenced { epoch: stored.epoch });
                }
                None
            }
            claimed => Some(claimed?),
        };
        if let Some(node) = node {
            self.replicate(table, &node).await?;
        }
        self.list(table, owner).await?;
        Ok(epoch + 1)
    }

    async fn tables(&self) -> Result<Vec<Listed>, StoreError> {
        let listed = (0..INDEXES).map(|number| async move {
            let mut all = cmd("HGETALL");
            all.arg(self.index(number));
            self.command::<HashMap<String, String>>(all).await
        });
        let mut tables = Vec::new();
        for part in try_join_all(listed).await? {
            tables.extend(part.into_iter().filter_map(|(table, owner)| {
                Some(Listed { table: table.parse().ok()?, owner: owner_of(Some(&owner)) })
            }));
        }
        tables.sort();
        Ok(tables)
    }

    async fn relist(&self, table: TableId) -> Result<(), StoreError> {
        match self.head(table).await {
            Ok(head) => self.list(table, head.owner).await,
            Err(StoreError::Missing) => self.unlist(table).await,
            Err(error) => Err(error),
        }
    }

    async fn remove(&self, table: TableId, epoch: u64) -> Result<(), StoreError> {
        let mut script = self.scripts.remove.key(key(table, "meta"));
        script.key(key(table, "log")).key(key(table, "snap")).key(key(table, "gone"));
        script.arg(epoch).arg(GONE_FOR.as_secs());
        self.run(&script).await?;
        self.unlist(table).await
    }
}

/// What the load script answers: opening, epoch, owner, the snapshot's number and bytes, log, node.
type Loaded = (Vec<u8>, u64, Option<String>, Option<u64>, Option<Vec<u8>>, StreamRangeReply, Value);

/// An owner as it is written; whatever is not a pod's id is nobody.
fn owner_of(text: Option<&str>) -> PodId {
    text.and_then(|text| text.parse().ok()).unwrap_or(super::NOBODY)
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

impl From<NotReplicated> for StoreError {
    fn from(error: NotReplicated) -> Self {
        Self::Unavailable(error.to_string())
    }
}
