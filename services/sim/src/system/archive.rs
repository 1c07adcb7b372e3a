//! The store of tables, which outlives every process, and the way of one process to it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{PodId, TableId};
use parlor_game::entry::{Entry, Link, decode, encode, link};
use parlor_table::store::{
    Append, Creation, Durable, Head, Listed, MemoryStore, NOBODY, StoreError, Stored, TableStore,
};

use super::life::Way;
use super::mutation::Mutation;
use super::oracle::Oracle;

/// What is kept of all tables. Each method is one step, of which the oracle is told.
pub struct Archive {
    kept: MemoryStore,
    oracle: Arc<Oracle>,
    mutation: Option<Mutation>,
    /// The true end of each log, for [`Mutation::RequestsForgotten`].
    ends: Mutex<BTreeMap<TableId, Link>>,
}

impl Archive {
    /// No tables yet.
    pub fn new(oracle: Arc<Oracle>, mutation: Option<Mutation>) -> Self {
        Self { kept: MemoryStore::default(), oracle, mutation, ends: Mutex::default() }
    }

    async fn create(&self, owner: &str, creation: Creation) -> Result<Durable, StoreError> {
        let durable = self.kept.create(creation.clone()).await?;
        let Creation { table, opening, entries, .. } = creation;
        self.set_end(table, link(entries.last().unwrap_or(&opening)));
        self.oracle.opened(owner, table, &opening);
        self.oracle.appended(owner, table, &entries);
        Ok(durable)
    }

    async fn append(&self, owner: &str, mut append: Append) -> Result<Durable, StoreError> {
        if self.mutation == Some(Mutation::RequestsForgotten) {
            self.join_on(&mut append);
        }
        let mut done = self.kept.append(append.clone()).await;
        if let Err(StoreError::Fenced { epoch }) = done
            && self.mutation == Some(Mutation::EpochUnchecked)
        {
            append.epoch = epoch;
            done = self.kept.append(append.clone()).await;
        }
        if let Err(StoreError::Stale { last_seq }) = done
            && self.mutation == Some(Mutation::PredecessorUnchecked)
        {
            append.after = last_seq;
            done = self.kept.append(append.clone()).await;
        }
        if done.is_ok() {
            if let Some(last) = append.entries.last() {
                self.set_end(append.table, link(last));
            }
            self.oracle.appended(owner, append.table, &append.entries);
        }
        done
    }

    async fn load(&self, table: TableId) -> Result<Stored, StoreError> {
        let mut stored = self.kept.load(table).await?;
        self.oracle.loaded(table, &stored);
        if self.mutation == Some(Mutation::RequestsForgotten) {
            let mut previous = link(&stored.opening);
            for bytes in &mut stored.tail {
                rewrite(bytes, |entry| {
                    entry.request = None;
                    entry.previous = previous;
                });
                previous = link(bytes);
            }
        }
        Ok(stored)
    }

    async fn snapshot(
        &self,
        table: TableId,
        epoch: u64,
        seq: u64,
        snapshot: Bytes,
    ) -> Result<(), StoreError> {
        if self.mutation == Some(Mutation::RequestsForgotten) {
            return Ok(());
        }
        self.kept.snapshot(table, epoch, seq, snapshot).await
    }

    async fn claim(
        &self,
        owner: &str,
        table: TableId,
        epoch: u64,
        pod: PodId,
    ) -> Result<u64, StoreError> {
        let claimed = self.kept.claim(table, epoch, pod).await?;
        self.oracle.claimed(owner, table, claimed);
        Ok(claimed)
    }

    async fn remove(&self, owner: &str, table: TableId, epoch: u64) -> Result<(), StoreError> {
        self.kept.remove(table, epoch).await?;
        self.oracle.removed(owner, table);
        Ok(())
    }

    /// Loses a table for ever, as when all copies of its log are gone.
    pub async fn lose(&self, table: TableId) {
        if let Ok(head) = self.kept.head(table).await
            && self.kept.remove(table, head.epoch).await.is_ok()
        {
            self.oracle.lost(table);
        }
    }

    fn set_end(&self, table: TableId, end: Link) {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner).insert(table, end);
    }

    /// Whoever writes with forgotten requests knows other links than the log has.
    fn join_on(&self, append: &mut Append) {
        let ends = self.ends.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(mut previous) = ends.get(&append.table).copied() else { return };
        for bytes in &mut append.entries {
            rewrite(bytes, |entry| entry.previous = previous);
            previous = link(bytes);
        }
    }
}

fn rewrite(bytes: &mut Bytes, change: impl FnOnce(&mut Entry)) {
    if let Ok(mut entry) = decode::<Entry>(bytes) {
        change(&mut entry);
        *bytes = encode(&entry).into();
    }
}

/// One process's way to the archive: calls are late, lost, or not answered.
#[derive(Clone)]
pub struct Disk {
    /// What it leads to.
    pub archive: Arc<Archive>,
    /// The way.
    pub way: Way,
}

impl Disk {
    async fn call<T: Send + 'static>(
        &self,
        what: &str,
        effect: impl Future<Output = Result<T, StoreError>> + Send + 'static,
    ) -> Result<T, StoreError> {
        let gone = || Err(StoreError::Unavailable("no answer".into()));
        self.way.call(what, Box::pin(effect)).await.unwrap_or_else(gone)
    }

    fn parts(&self) -> (Arc<Archive>, String) {
        (Arc::clone(&self.archive), self.way.life.name().to_owned())
    }

    /// Answers at once and writes behind: what is not written when the process dies is lost.
    async fn acknowledge_first(&self, append: Append) -> Result<Durable, StoreError> {
        let (archive, owner) = self.parts();
        let (life, later) = (self.way.life.clone(), append.clone());
        self.way.world.spawn("write-behind", async move {
            tokio::time::sleep(Duration::from_millis(40)).await;
            if !life.is_over() {
                let _ = archive.append(&owner, later).await;
            }
        });
        // Only a store can say that something is durable; this one forgets it at once.
        let forgetful = MemoryStore::default();
        let entries = append.after + append.entries.len() as u64;
        let entries = vec![Bytes::new(); usize::try_from(entries).unwrap_or(0)];
        let (table, opening) = (append.table, Bytes::new());
        forgetful.create(Creation { table, owner: NOBODY, opening, entries }).await
    }
}

#[async_trait]
impl TableStore for Disk {
    async fn create(&self, creation: Creation) -> Result<Durable, StoreError> {
        let (archive, owner) = self.parts();
        self.call("create", async move { archive.create(&owner, creation).await }).await
    }

    async fn append(&self, append: Append) -> Result<Durable, StoreError> {
        if self.archive.mutation == Some(Mutation::AckBeforeAppend) {
            return self.acknowledge_first(append).await;
        }
        let (archive, owner) = self.parts();
        self.call("append", async move { archive.append(&owner, append).await }).await
    }

    async fn snapshot(
        &self,
        table: TableId,
        epoch: u64,
        seq: u64,
        snapshot: Bytes,
    ) -> Result<(), StoreError> {
        let (archive, _) = self.parts();
        let effect = async move { archive.snapshot(table, epoch, seq, snapshot).await };
        self.call("snapshot", effect).await
    }

    async fn load(&self, table: TableId) -> Result<Stored, StoreError> {
        let (archive, _) = self.parts();
        self.call("load", async move { archive.load(table).await }).await
    }

    async fn head(&self, table: TableId) -> Result<Head, StoreError> {
        let (archive, _) = self.parts();
        self.call("head", async move { archive.kept.head(table).await }).await
    }

    async fn claim(&self, table: TableId, epoch: u64, pod: PodId) -> Result<u64, StoreError> {
        let (archive, owner) = self.parts();
        self.call("claim", async move { archive.claim(&owner, table, epoch, pod).await }).await
    }

    async fn relist(&self, table: TableId) -> Result<(), StoreError> {
        let (archive, _) = self.parts();
        self.call("relist", async move { archive.kept.relist(table).await }).await
    }

    async fn tables(&self) -> Result<Vec<Listed>, StoreError> {
        let (archive, _) = self.parts();
        self.call("list", async move { archive.kept.tables().await }).await
    }

    async fn remove(&self, table: TableId, epoch: u64) -> Result<(), StoreError> {
        let (archive, owner) = self.parts();
        self.call("remove", async move { archive.remove(&owner, table, epoch).await }).await
    }
}
