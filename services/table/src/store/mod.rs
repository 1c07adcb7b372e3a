//! Where tables are kept: an append-only log per table, with snapshots.
//!
//! **Invariant**: an append succeeds only directly after the entry that its writer has seen, and
//! only under the epoch that the writer owns. So no two owners can both extend a log, and an
//! acknowledged entry is never replaced. One conformance suite ([`conformance`]) holds every store
//! to it.

pub mod conformance;
mod embedded;
mod memory;
mod redis;
mod removed;

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{PodId, TableId};

pub use embedded::EmbeddedStore;
pub use memory::MemoryStore;
pub use redis::{Durability, RedisStore};

/// The owner of a table that was written by no pod with a name, such as by an older version.
pub const NOBODY: PodId = PodId::from_bytes([0; 16]);

/// Most entries that one append takes.
pub const APPEND_MAX: usize = 256;

/// Why a store did not do as it was asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The log goes on already from another entry than the writer's last.
    #[error("the log ends at entry {last_seq}")]
    Stale {
        /// The last entry's number.
        last_seq: u64,
    },
    /// Another owner has claimed the table.
    #[error("the table belongs to epoch {epoch}")]
    Fenced {
        /// The epoch in force.
        epoch: u64,
    },
    /// There is a table of this id already, or was until lately.
    #[error("the table exists already, or is closed")]
    Exists,
    /// There is no table of this id.
    #[error("the table does not exist")]
    Missing,
    /// The store cannot be reached, or has failed; whether it did as asked is not known.
    #[error("the store is not available: {0}")]
    Unavailable(String),
}

/// Proof that entries are durable. Only a store can make one, so that nothing can be published or
/// answered before its append has succeeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use = "entries may be published once they are durable"]
pub struct Durable {
    last_seq: u64,
}

impl Durable {
    pub(super) const fn up_to(last_seq: u64) -> Self {
        Self { last_seq }
    }

    /// The last entry that is durable.
    #[must_use]
    pub const fn last_seq(self) -> u64 {
        self.last_seq
    }
}

/// Entries that go to the log together, all or none.
#[derive(Clone, Debug)]
pub struct Append {
    /// The table.
    pub table: TableId,
    /// The epoch under which the writer owns it.
    pub epoch: u64,
    /// Number of the entry that the first one follows; 0: the opening.
    pub after: u64,
    /// Encoded entries, numbered `after + 1` on; at most [`APPEND_MAX`].
    pub entries: Vec<Bytes>,
}

/// A new table with its first entries; they are kept together, or not at all.
#[derive(Clone, Debug)]
pub struct Creation {
    /// The table.
    pub table: TableId,
    /// The pod that owns it, under epoch 1.
    pub owner: PodId,
    /// The encoded opening.
    pub opening: Bytes,
    /// Encoded entries, numbered from 1 on; at most [`APPEND_MAX`].
    pub entries: Vec<Bytes>,
}

/// Who owns a table, and how long its log is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// The epoch in force.
    pub epoch: u64,
    /// The pod that claimed the table with this epoch.
    pub owner: PodId,
    /// Number of the last entry; 0: the opening.
    pub last_seq: u64,
}

/// A table in the list of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Listed {
    /// The table. It may not exist yet, or not any more.
    pub table: TableId,
    /// The owner as far as the list knows; [`TableStore::head`] decides.
    pub owner: PodId,
}

/// A table as it was kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// The encoded opening.
    pub opening: Bytes,
    /// The epoch in force.
    pub epoch: u64,
    /// The pod that owns the table under it.
    pub owner: PodId,
    /// The last snapshot, with the number of the entry after which it was taken.
    pub snapshot: Option<(u64, Bytes)>,
    /// Encoded entries after the snapshot (or after the opening), in order, without gaps.
    pub tail: Vec<Bytes>,
}

/// A store of tables. Its methods are atomic each and safe to call from many tasks.
#[async_trait]
pub trait TableStore: Send + Sync + 'static {
    /// Keeps a new table, owned under epoch 1. One that was removed lately does not come back:
    /// the creation was late, or was repeated.
    async fn create(&self, creation: Creation) -> Result<Durable, StoreError>;

    /// Makes entries durable.
    async fn append(&self, append: Append) -> Result<Durable, StoreError>;

    /// Keeps a snapshot taken after entry `seq`; entries up to it may be forgotten. One that is
    /// late does not replace a newer one, whose entries are gone.
    async fn snapshot(
        &self,
        table: TableId,
        epoch: u64,
        seq: u64,
        snapshot: Bytes,
    ) -> Result<(), StoreError>;

    /// A table with all that is needed to go on with it.
    async fn load(&self, table: TableId) -> Result<Stored, StoreError>;

    /// Who owns a table.
    async fn head(&self, table: TableId) -> Result<Head, StoreError>;

    /// Takes a table over from the owner under `epoch`; gives the new epoch.
    async fn claim(&self, table: TableId, epoch: u64, owner: PodId) -> Result<u64, StoreError>;

    /// The list of all tables that are kept.
    async fn tables(&self) -> Result<Vec<Listed>, StoreError>;

    /// Puts what the list says of a table in order.
    async fn relist(&self, table: TableId) -> Result<(), StoreError>;

    /// Forgets a closed table.
    async fn remove(&self, table: TableId, epoch: u64) -> Result<(), StoreError>;
}
