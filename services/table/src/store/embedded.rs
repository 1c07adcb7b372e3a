//! Tables in one file, through redb: the store of `parlor run all`.
//!
//! A single writer thread takes whatever appends have come in since its last commit and makes them
//! durable with one commit (group commit), so that many tables share one flush of the disk.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{PodId, TableId};
use redb::{
    Database, ReadableDatabase, ReadableTable, Table as RedbTable, TableDefinition,
    WriteTransaction,
};
use tokio::sync::{mpsc, oneshot};

use super::removed::Removed;
use super::{
    Append, Creation, Durable, Head as PublicHead, Listed, NOBODY, StoreError, Stored, TableStore,
};

/// Openings by table.
const OPENINGS: TableDefinition<'_, &[u8; 16], &[u8]> = TableDefinition::new("openings");
/// Epoch and last entry's number by table.
const HEADS: TableDefinition<'_, &[u8; 16], (u64, u64)> = TableDefinition::new("heads");
/// Owners by table; a table of an older version has none.
const OWNERS: TableDefinition<'_, &[u8; 16], &[u8; 16]> = TableDefinition::new("owners");
/// Entries by table and number.
const LOG: TableDefinition<'_, (&[u8; 16], u64), &[u8]> = TableDefinition::new("log");
/// The last snapshot by table.
const SNAPSHOTS: TableDefinition<'_, &[u8; 16], (u64, &[u8])> = TableDefinition::new("snapshots");

/// Jobs that may wait for the writer; further callers wait for a place.
const QUEUE: usize = 4_096;
/// Most jobs of one commit: bounds how long the first of them waits for the last.
const BATCH: usize = 1_024;

type Answer<T> = oneshot::Sender<Result<T, StoreError>>;

enum Job {
    Create(Creation, Answer<Durable>),
    Append(Append, Answer<Durable>),
    Snapshot(TableId, u64, u64, Bytes, Answer<()>),
    Claim(TableId, u64, PodId, Answer<u64>),
    Remove(TableId, u64, Answer<()>),
}

/// A store in one file. It is open in one process at a time, and closed when its last handle goes.
#[derive(Clone)]
pub struct EmbeddedStore {
    inner: Arc<Inner>,
}

struct Inner {
    database: Arc<Database>,
    /// `None` once the store is closing.
    jobs: Option<mpsc::Sender<Job>>,
    writer: Option<JoinHandle<()>>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The writer ends when nobody can send it anything more. Waiting for it means that the file
        // can be opened again at once.
        self.jobs = None;
        if let Some(writer) = self.writer.take() {
            let _ = writer.join();
        }
    }
}

impl std::fmt::Debug for EmbeddedStore {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("EmbeddedStore")
    }
}

impl EmbeddedStore {
    /// Opens the file, or makes it.
    ///
    /// # Errors
    /// When the file cannot be opened, is not a store, or is open in another process.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let database = Database::create(path).map_err(failed)?;
        let transaction = database.begin_write().map_err(failed)?;
        Tables::open(&transaction)?;
        transaction.commit().map_err(failed)?;
        let database = Arc::new(database);
        let (jobs, queue) = mpsc::channel(QUEUE);
        let (heads, removed) = (HashMap::new(), Removed::default());
        let writer = Writer { database: Arc::clone(&database), heads, removed };
        let writer = std::thread::Builder::new()
            .name("table-store".into())
            .spawn(move || writer.run(queue))
            .map_err(failed)?;
        let inner = Inner { database, jobs: Some(jobs), writer: Some(writer) };
        Ok(Self { inner: Arc::new(inner) })
    }

    async fn ask<T>(&self, job: impl FnOnce(Answer<T>) -> Job) -> Result<T, StoreError> {
        let gone = || StoreError::Unavailable("the writer has stopped".into());
        let (answer, answered) = oneshot::channel();
        let jobs = self.inner.jobs.as_ref().ok_or_else(gone)?;
        jobs.send(job(answer)).await.map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Database) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let database = Arc::clone(&self.inner.database);
        tokio::task::spawn_blocking(move || read(&database)).await.map_err(failed)?
    }
}

#[async_trait]
impl TableStore for EmbeddedStore {
    async fn create(&self, creation: Creation) -> Result<Durable, StoreError> {
        self.ask(|answer| Job::Create(creation, answer)).await
    }

    async fn append(&self, append: Append) -> Result<Durable, StoreError> {
        self.ask(|answer| Job::Append(append, answer)).await
    }

    async fn snapshot(
        &self,
        table: TableId,
        epoch: u64,
        seq: u64,
        snapshot: Bytes,
    ) -> Result<(), StoreError> {
        self.ask(|answer| Job::Snapshot(table, epoch, seq, snapshot, answer)).await
    }

    async fn load(&self, table: TableId) -> Result<Stored, StoreError> {
        self.read(move |database| load(database, table)).await
    }

    async fn head(&self, table: TableId) -> Result<PublicHead, StoreError> {
        self.read(move |database| {
            let transaction = database.begin_read().map_err(failed)?;
            let heads = transaction.open_table(HEADS).map_err(failed)?;
            let head = heads.get(table.as_bytes()).map_err(failed)?.ok_or(StoreError::Missing)?;
            let (epoch, last_seq) = head.value();
            let owners = transaction.open_table(OWNERS).map_err(failed)?;
            Ok(PublicHead { epoch, owner: owner_of(&owners, table)?, last_seq })
        })
        .await
    }

    async fn claim(&self, table: TableId, epoch: u64, owner: PodId) -> Result<u64, StoreError> {
        self.ask(|answer| Job::Claim(table, epoch, owner, answer)).await
    }

    async fn tables(&self) -> Result<Vec<Listed>, StoreError> {
        self.read(|database| {
            let transaction = database.begin_read().map_err(failed)?;
            let heads = transaction.open_table(HEADS).map_err(failed)?;
            let owners = transaction.open_table(OWNERS).map_err(failed)?;
            let mut tables = Vec::new();
            for row in heads.iter().map_err(failed)? {
                let table = TableId::from_bytes(*row.map_err(failed)?.0.value());
                tables.push(Listed { table, owner: owner_of(&owners, table)? });
            }
            Ok(tables)
        })
        .await
    }

    async fn relist(&self, _table: TableId) -> Result<(), StoreError> {
        // The list is made from the tables.
        Ok(())
    }

    async fn remove(&self, table: TableId, epoch: u64) -> Result<(), StoreError> {
        self.ask(|answer| Job::Remove(table, epoch, answer)).await
    }
}

fn owner_of(
    owners: &impl ReadableTable<&'static [u8; 16], &'static [u8; 16]>,
    table: TableId,
) -> Result<PodId, StoreError> {
    let owner = owners.get(table.as_bytes()).map_err(failed)?;
    Ok(owner.map_or(NOBODY, |row| PodId::from_bytes(*row.value())))
}

fn load(database: &Database, table: TableId) -> Result<Stored, StoreError> {
    let transaction = database.begin_read().map_err(failed)?;
    let key = table.as_bytes();
    let openings = transaction.open_table(OPENINGS).map_err(failed)?;
    let heads = transaction.open_table(HEADS).map_err(failed)?;
    let snapshots = transaction.open_table(SNAPSHOTS).map_err(failed)?;
    let log = transaction.open_table(LOG).map_err(failed)?;
    let owners = transaction.open_table(OWNERS).map_err(failed)?;
    let opening = openings.get(key).map_err(failed)?.ok_or(StoreError::Missing)?;
    let head = heads.get(key).map_err(failed)?.ok_or(StoreError::Missing)?;
    let snapshot = snapshots.get(key).map_err(failed)?.map(|row| {
        let (seq, bytes) = row.value();
        (seq, Bytes::copy_from_slice(bytes))
    });
    let first = snapshot.as_ref().map_or(1, |(seq, _)| seq + 1);
    let mut tail = Vec::new();
    for row in log.range((key, first)..=(key, u64::MAX)).map_err(failed)? {
        tail.push(Bytes::copy_from_slice(row.map_err(failed)?.1.value()));
    }
    Ok(Stored {
        opening: Bytes::copy_from_slice(opening.value()),
        epoch: head.value().0,
        owner: owner_of(&owners, table)?,
        snapshot,
        tail,
    })
}

struct Tables<'t> {
    openings: RedbTable<'t, &'static [u8; 16], &'static [u8]>,
    heads: RedbTable<'t, &'static [u8; 16], (u64, u64)>,
    owners: RedbTable<'t, &'static [u8; 16], &'static [u8; 16]>,
    log: RedbTable<'t, (&'static [u8; 16], u64), &'static [u8]>,
    snapshots: RedbTable<'t, &'static [u8; 16], (u64, &'static [u8])>,
}

impl<'t> Tables<'t> {
    fn open(transaction: &'t WriteTransaction) -> Result<Self, StoreError> {
        Ok(Self {
            openings: transaction.open_table(OPENINGS).map_err(failed)?,
            heads: transaction.open_table(HEADS).map_err(failed)?,
            owners: transaction.open_table(OWNERS).map_err(failed)?,
            log: transaction.open_table(LOG).map_err(failed)?,
            snapshots: transaction.open_table(SNAPSHOTS).map_err(failed)?,
        })
    }
}

#[derive(Clone, Copy)]
struct Head {
    epoch: u64,
    last_seq: u64,
}

/// Answers that wait for the commit.
type Waiting = Box<dyn FnOnce(Result<(), StoreError>) + Send>;

struct Writer {
    database: Arc<Database>,
    /// Heads of tables that were written lately; the file holds the same once a commit is done.
    heads: HashMap<TableId, Head>,
    /// Of this process: whoever repeats a creation does not outlive it either.
    removed: Removed,
}

impl Writer {
    fn run(mut self, mut queue: mpsc::Receiver<Job>) {
        let mut jobs = Vec::with_capacity(BATCH);
        while queue.blocking_recv_many(&mut jobs, BATCH) > 0 {
            let mut waiting = Vec::with_capacity(jobs.len());
            let committed = self.commit(jobs.drain(..), &mut waiting);
            if committed.is_err() {
                // What the file holds is known again once it is read.
                self.heads.clear();
            }
            for answer in waiting {
                answer(committed.clone());
            }
        }
    }

    fn commit(
        &mut self,
        jobs: impl Iterator<Item = Job>,
        waiting: &mut Vec<Waiting>,
    ) -> Result<(), StoreError> {
        let transaction = self.database.begin_write().map_err(failed)?;
        {
            let mut tables = Tables::open(&transaction)?;
            for job in jobs {
                self.perform(job, &mut tables, waiting)?;
            }
        }
        transaction.commit().map_err(failed)
    }

    /// Writes one job. A job that is refused is answered with the commit as well: it may depend on
    /// a write of the same batch. An error is the file's and fails the whole batch.
    fn perform(
        &mut self,
        job: Job,
        tables: &mut Tables<'_>,
        waiting: &mut Vec<Waiting>,
    ) -> Result<(), StoreError> {
        match job {
            Job::Create(creation, answer) => {
                let done = self.create(tables, &creation);
                settle(done, answer, waiting)
            }
            Job::Append(append, answer) => {
                let done = self.append(tables, &append);
                settle(done, answer, waiting)
            }
            Job::Snapshot(table, epoch, seq, snapshot, answer) => {
                let done = self.snapshot(tables, table, epoch, seq, &snapshot);
                settle(done, answer, waiting)
            }
            Job::Claim(table, epoch, owner, answer) => {
                let done = self.claim(tables, table, epoch, owner);
                settle(done, answer, waiting)
            }
            Job::Remove(table, epoch, answer) => {
                let done = self.remove(tables, table, epoch);
                settle(done, answer, waiting)
            }
        }
    }

    fn head(&mut self, tables: &Tables<'_>, table: TableId) -> Result<Option<Head>, StoreError> {
        if let Some(head) = self.heads.get(&table) {
            return Ok(Some(*head));
        }
        let row = tables.heads.get(table.as_bytes()).map_err(failed)?;
        Ok(row.map(|row| {
            let (epoch, last_seq) = row.value();
            Head { epoch, last_seq }
        }))
    }

    fn owned(
        &mut self,
        tables: &Tables<'_>,
        table: TableId,
        epoch: u64,
    ) -> Result<Head, StoreError> {
        let head = self.head(tables, table)?.ok_or(StoreError::Missing)?;
        if head.epoch != epoch {
            return Err(StoreError::Fenced { epoch: head.epoch });
        }
        Ok(head)
    }

    fn keep(
        &mut self,
        tables: &mut Tables<'_>,
        table: TableId,
        head: Head,
    ) -> Result<(), StoreError> {
        tables.heads.insert(table.as_bytes(), (head.epoch, head.last_seq)).map_err(failed)?;
        self.heads.insert(table, head);
        Ok(())
    }

    fn create(
        &mut self,
        tables: &mut Tables<'_>,
        creation: &Creation,
    ) -> Result<Durable, StoreError> {
        let Creation { table, owner, opening, entries } = creation;
        if self.removed.has(*table) || self.head(tables, *table)?.is_some() {
            return Err(StoreError::Exists);
        }
        let key = table.as_bytes();
        tables.openings.insert(key, opening.as_ref()).map_err(failed)?;
        tables.owners.insert(key, owner.as_bytes()).map_err(failed)?;
        for (entry, seq) in entries.iter().zip(1..) {
            tables.log.insert((key, seq), entry.as_ref()).map_err(failed)?;
        }
        let last_seq = entries.len() as u64;
        self.keep(tables, *table, Head { epoch: 1, last_seq })?;
        Ok(Durable::up_to(last_seq))
    }

    fn append(&mut self, tables: &mut Tables<'_>, append: &Append) -> Result<Durable, StoreError> {
        let mut head = self.owned(tables, append.table, append.epoch)?;
        if head.last_seq != append.after {
            return Err(StoreError::Stale { last_seq: head.last_seq });
        }
        for entry in &append.entries {
            head.last_seq += 1;
            let key = (append.table.as_bytes(), head.last_seq);
            tables.log.insert(key, entry.as_ref()).map_err(failed)?;
        }
        self.keep(tables, append.table, head)?;
        Ok(Durable::up_to(head.last_seq))
    }

    fn snapshot(
        &mut self,
        tables: &mut Tables<'_>,
        table: TableId,
        epoch: u64,
        seq: u64,
        snapshot: &[u8],
    ) -> Result<(), StoreError> {
        let head = self.owned(tables, table, epoch)?;
        if seq > head.last_seq {
            return Err(StoreError::Stale { last_seq: head.last_seq });
        }
        let key = table.as_bytes();
        let newest = tables.snapshots.get(key).map_err(failed)?.map(|row| row.value().0);
        if newest.is_some_and(|newest| newest >= seq) {
            return Ok(());
        }
        tables.snapshots.insert(key, (seq, snapshot)).map_err(failed)?;
        tables.log.retain_in((key, 0)..=(key, seq), |_, _| false).map_err(failed)
    }

    fn claim(
        &mut self,
        tables: &mut Tables<'_>,
        table: TableId,
        epoch: u64,
        owner: PodId,
    ) -> Result<u64, StoreError> {
        let mut head = self.owned(tables, table, epoch)?;
        head.epoch += 1;
        tables.owners.insert(table.as_bytes(), owner.as_bytes()).map_err(failed)?;
        self.keep(tables, table, head)?;
        Ok(head.epoch)
    }

    fn remove(
        &mut self,
        tables: &mut Tables<'_>,
        table: TableId,
        epoch: u64,
    ) -> Result<(), StoreError> {
        self.owned(tables, table, epoch)?;
        let key = table.as_bytes();
        tables.openings.remove(key).map_err(failed)?;
        tables.heads.remove(key).map_err(failed)?;
        tables.owners.remove(key).map_err(failed)?;
        tables.snapshots.remove(key).map_err(failed)?;
        tables.log.retain_in((key, 0)..=(key, u64::MAX), |_, _| false).map_err(failed)?;
        self.heads.remove(&table);
        self.removed.note(table);
        Ok(())
    }
}

fn settle<T: Send + 'static>(
    done: Result<T, StoreError>,
    answer: Answer<T>,
    waiting: &mut Vec<Waiting>,
) -> Result<(), StoreError> {
    let broken = match &done {
        Err(error @ StoreError::Unavailable(_)) => Some(error.clone()),
        _ => None,
    };
    waiting.push(Box::new(move |committed| {
        // The caller may have gone away; then nobody waits for the answer.
        let _ = answer.send(committed.and(done));
    }));
    broken.map_or(Ok(()), Err)
}

fn failed(error: impl std::fmt::Display) -> StoreError {
    StoreError::Unavailable(error.to_string())
}
