//! Tables in memory: for benchmarks, and for games that may end with the process.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{PodId, TableId};

use super::removed::Removed;
use super::{Append, Creation, Durable, Head, Listed, StoreError, Stored, TableStore};

#[derive(Debug)]
struct Log {
    stored: Stored,
    last_seq: u64,
}

/// A store that lives as long as its process.
#[derive(Debug, Default)]
pub struct MemoryStore {
    tables: Mutex<BTreeMap<TableId, Log>>,
    removed: Mutex<Removed>,
}

impl MemoryStore {
    fn tables(&self) -> MutexGuard<'_, BTreeMap<TableId, Log>> {
        // A panic elsewhere cannot leave a log half-changed: each change is one assignment.
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn removed(&self) -> MutexGuard<'_, Removed> {
        self.removed.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn owned<T>(
        &self,
        table: TableId,
        epoch: u64,
        change: impl FnOnce(&mut Log) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut tables = self.tables();
        let log = tables.get_mut(&table).ok_or(StoreError::Missing)?;
        if log.stored.epoch != epoch {
            return Err(StoreError::Fenced { epoch: log.stored.epoch });
        }
        change(log)
    }
}

#[async_trait]
impl TableStore for MemoryStore {
    async fn create(&self, creation: Creation) -> Result<Durable, StoreError> {
        let Creation { table, owner, opening, entries } = creation;
        let mut tables = self.tables();
        if tables.contains_key(&table) || self.removed().has(table) {
            return Err(StoreError::Exists);
        }
        let last_seq = entries.len() as u64;
        let stored = Stored { opening, epoch: 1, owner, snapshot: None, tail: entries };
        tables.insert(table, Log { stored, last_seq });
        Ok(Durable::up_to(last_seq))
    }

    async fn append(&self, append: Append) -> Result<Durable, StoreError> {
        self.owned(append.table, append.epoch, |log| {
            if log.last_seq != append.after {
                return Err(StoreError::Stale { last_seq: log.last_seq });
            }
            log.last_seq += append.entries.len() as u64;
            log.stored.tail.extend(append.entries);
            Ok(Durable::up_to(log.last_seq))
        })
    }

    async fn snapshot(
        &self,
        table: TableId,
        epoch: u64,
        seq: u64,
        snapshot: Bytes,
    ) -> Result<(), StoreError> {
        self.owned(table, epoch, |log| {
            if seq > log.last_seq {
                return Err(StoreError::Stale { last_seq: log.last_seq });
            }
            if log.stored.snapshot.as_ref().is_some_and(|(newest, _)| *newest >= seq) {
                return Ok(());
            }
            let kept = usize::try_from(log.last_seq - seq).unwrap_or(usize::MAX);
            let forgotten = log.stored.tail.len().saturating_sub(kept);
            log.stored.tail.drain(..forgotten);
            log.stored.snapshot = Some((seq, snapshot));
            Ok(())
        })
    }

    async fn load(&self, table: TableId) -> Result<Stored, StoreError> {
        self.tables().get(&table).map(|log| log.stored.clone()).ok_or(StoreError::Missing)
    }

    async fn head(&self, table: TableId) -> Result<Head, StoreError> {
        let tables = self.tables();
        let log = tables.get(&table).ok_or(StoreError::Missing)?;
        let Stored { epoch, owner, .. } = log.stored;
        Ok(Head { epoch, owner, last_seq: log.last_seq })
    }

    async fn claim(&self, table: TableId, epoch: u64, owner: PodId) -> Result<u64, StoreError> {
        self.owned(table, epoch, |log| {
            log.stored.epoch += 1;
            log.stored.owner = owner;
            Ok(log.stored.epoch)
        })
    }

    async fn tables(&self) -> Result<Vec<Listed>, StoreError> {
        let listed =
            |(table, log): (&TableId, &Log)| Listed { table: *table, owner: log.stored.owner };
        Ok(self.tables().iter().map(listed).collect())
    }

    async fn relist(&self, _table: TableId) -> Result<(), StoreError> {
        // The list is made from the tables.
        Ok(())
    }

    async fn remove(&self, table: TableId, epoch: u64) -> Result<(), StoreError> {
        self.owned(table, epoch, |_| Ok(()))?;
        self.removed().note(table);
        self.tables().remove(&table);
        Ok(())
    }
}
