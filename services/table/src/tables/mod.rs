//! All tables that this process owns.

mod claim;
mod create;
mod doubt;
mod sleep;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use parlor_common::TableId;
use parlor_game::entry::{Opening, decode};
use parlor_game::shell::Pacing;
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use crate::actor::{Actor, Asleep, Ended, Handle, MAILBOX, Message, Run, Setting, turn_away};
use crate::cluster::Cluster;
use crate::daily::DailySeeds;
use crate::error::Error;
use crate::games::with_game;
use crate::metrics::{CountTables, Metrics, TableCounts};
use crate::register::Register;
use crate::store::StoreError;

/// Longest id of a request.
pub const REQUEST_ID_MAX: usize = 64;
/// First pause before a table that could not be written is read again; doubled each time.
const RECOVERY_FIRST: Duration = Duration::from_millis(100);
/// Longest such pause.
const RECOVERY_MAX: Duration = Duration::from_secs(5);

/// A table as this process has it.
#[derive(Clone, Debug)]
enum Entry {
    /// Its actor runs, or is about to.
    Running(Handle),
    /// Nothing happens at it; it is read again when somebody asks for it.
    Asleep(Arc<Asleep>),
    /// Its log cannot be read; an operator has to look.
    Unreadable,
}

/// What this process takes on.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// Most tables.
    pub tables: usize,
    /// New tables may be of the echo game.
    pub echo: bool,
}

/// The tables of this process; cheap to clone.
#[derive(Clone, Debug)]
pub struct Tables {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    setting: Setting,
    pacing: Pacing,
    bounds: Bounds,
    /// `None`: this process has the store to itself.
    cluster: Option<Arc<Cluster>>,
    /// This process has taken up what it has to: before, a table that is not known may exist.
    recovered: AtomicBool,
    /// One more reference for each table that is being created.
    openings: Arc<()>,
    tables: RwLock<BTreeMap<TableId, Entry>>,
}

impl Tables {
    /// No tables yet, and at most `limit`.
    #[must_use]
    pub fn new(setting: Setting, pacing: Pacing, limit: usize) -> Self {
        Self::shared(setting, pacing, Bounds { tables: limit, echo: false }, None)
    }

    /// No tables yet, in a store that other pods use too.
    #[must_use]
    pub fn shared(
        setting: Setting,
        pacing: Pacing,
        bounds: Bounds,
        cluster: Option<Arc<Cluster>>,
    ) -> Self {
        let tables = RwLock::new(BTreeMap::new());
        let recovered = AtomicBool::new(false);
        let openings = Arc::new(());
        let inner =
            Arc::new(Inner { setting, pacing, bounds, cluster, recovered, openings, tables });
        let counted: Arc<dyn CountTables> = Arc::clone(&inner) as _;
        inner.setting.metrics.watch(Arc::downgrade(&counted));
        Self { inner }
    }

    /// Cancelled when the tables of this process are to end.
    #[must_use]
    pub fn halt(&self) -> &CancellationToken {
        &self.inner.setting.halt
    }

    /// Takes up every table of the store, or, where others share it, those that nobody owns. A
    /// table whose log makes no sense is left alone, and answers so.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn recover(&self) -> Result<usize, Error> {
        match &self.inner.cluster {
            Some(cluster) => cluster.take_over_once(self).await?,
            None => {
                for listed in self.inner.setting.store.tables().await? {
                    let table = listed.table;
                    match self.read(table).await {
                        Ok(actor) => self.start(table, actor.epoch(), Some(actor)),
                        Err(error @ (Error::Unreadable | Error::RulesVersion { .. })) => {
                            self.give_up(table, &error);
                        }
                        Err(error) => return Err(error),
                    }
                }
            }
        }
        self.inner.recovered.store(true, Ordering::Release);
        Ok(self.count())
    }

    /// Whether this process has taken up what it has to.
    ///
    /// # Errors
    /// [`Error::Starting`] until then.
    pub fn check_recovered(&self) -> Result<(), Error> {
        let recovered = self.inner.recovered.load(Ordering::Acquire);
        if recovered { Ok(()) } else { Err(Error::Starting) }
    }

    /// The pods that share the store, if there are others.
    #[must_use]
    pub fn cluster(&self) -> Option<&Arc<Cluster>> {
        self.inner.cluster.as_ref()
    }

    /// The instruments.
    #[must_use]
    pub fn metrics(&self) -> &Metrics {
        &self.inner.setting.metrics
    }

    /// Tables of this process.
    #[must_use]
    pub fn count(&self) -> usize {
        self.inner.read().len()
    }

    /// Most tables that it takes.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.inner.bounds.tables
    }

    /// Whether this process has a table, readable or not.
    #[must_use]
    pub fn has(&self, table: TableId) -> bool {
        self.inner.read().contains_key(&table)
    }

    /// The seeds of daily challenges.
    ///
    /// # Errors
    /// [`Error::DailyUnavailable`] when there are none.
    pub fn daily(&self) -> Result<&DailySeeds, Error> {
        self.inner.setting.daily.as_ref().ok_or(Error::DailyUnavailable)
    }

    /// The time of this process, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.inner.setting.clock.now_ms()
    }

    /// The way to a table.
    ///
    /// # Errors
    /// When this process does not own it, or cannot read it.
    pub fn get(&self, table: TableId) -> Result<Handle, Error> {
        match self.inner.read().get(&table) {
            Some(Entry::Running(handle)) => return Ok(handle.clone()),
            Some(Entry::Unreadable) => return Err(Error::Unreadable),
            Some(Entry::Asleep(_)) => {}
            None => return self.check_recovered().and(Err(Error::TableNotFound)),
        }
        self.wake(table, None).ok_or(Error::TableNotFound)
    }

    /// The way to a table, or to the pod that owns it.
    ///
    /// # Errors
    /// [`Error::TableMoved`] when another pod owns it; else as for [`Tables::get`].
    pub async fn find(&self, table: TableId) -> Result<Handle, Error> {
        let error = match self.get(table) {
            Err(error @ (Error::TableNotFound | Error::Starting)) => error,
            found => return found,
        };
        let Some(cluster) = &self.inner.cluster else { return Err(error) };
        let owner = cluster.owner(table).await?;
        // It may have come to us in the meantime.
        self.get(table).map_err(|_| {
            let here = owner.pod_id == self.inner.setting.pod.to_string();
            let owner = (!here && !owner.url.is_empty()).then(|| owner.url.into());
            Error::TableMoved { owner }
        })
    }

    /// The register of players' seats and rooms' codes.
    #[must_use]
    pub fn register(&self) -> &Register {
        &self.inner.setting.register
    }

    /// The tables whose actors run, by id.
    #[must_use]
    pub fn all(&self) -> Vec<Handle> {
        let running = |entry: &Entry| match entry {
            Entry::Running(handle) => Some(handle.clone()),
            Entry::Asleep(_) | Entry::Unreadable => None,
        };
        let mut handles: Vec<_> = self.inner.read().values().filter_map(running).collect();
        handles.sort_by_key(|handle| handle.table);
        handles
    }

    async fn read(&self, table: TableId) -> Result<Box<dyn Run>, Error> {
        let setting = self.inner.setting.clone();
        let stored = setting.store.load(table).await?;
        let game = decode::<Opening>(&stored.opening)?.game;
        with_game!(
            &game,
            G => Ok(Box::new(Actor::<G>::restore(&stored, setting)?)),
            else Err(Error::Unreadable)
        )
    }

    /// Takes a table whose log cannot be read out of the store; `false`: it is none of these. Its
    /// stacks go home from the ledger, as they were after the last hand that was posted.
    ///
    /// # Errors
    /// When the store is not available, or the table has another owner by now.
    pub async fn forget_unreadable(&self, table: TableId) -> Result<bool, Error> {
        if !matches!(self.inner.read().get(&table), Some(Entry::Unreadable)) {
            return Ok(false);
        }
        let epoch = self.inner.setting.store.load(table).await?.epoch;
        self.inner.setting.store.remove(table, epoch).await?;
        self.inner.write().remove(&table);
        tracing::warn!(%table, "the log of table {table}, which could not be read, is removed");
        Ok(true)
    }

    fn give_up(&self, table: TableId, error: &Error) {
        self.inner.setting.register.strike(table);
        tracing::error!(%table, %error, "table {table} stands still: {error}");
        self.insert(table, Entry::Unreadable);
    }

    /// Runs a table that this process owns under `epoch`; without an actor, it is read first.
    fn start(&self, table: TableId, epoch: u64, actor: Option<Box<dyn Run>>) {
        let (mailbox, messages) = mpsc::channel(MAILBOX);
        let handle = Handle { table, epoch, mailbox };
        {
            let mut tables = self.inner.write();
            let known = tables.get(&table);
            if matches!(known, Some(Entry::Running(known)) if known.epoch >= epoch) {
                // It has been started in the meantime, for the same request once more.
                return;
            }
            self.inner.setting.register.expect(table);
            tables.insert(table, Entry::Running(handle.clone()));
        }
        self.spawn(&handle, actor, messages);
    }

    fn spawn(
        &self,
        handle: &Handle,
        actor: Option<Box<dyn Run>>,
        messages: mpsc::Receiver<Message>,
    ) {
        let Handle { table, epoch, mailbox } = handle;
        // A table outlives the request that opened it, so its trace is its own.
        let span = tracing::info_span!(parent: None, "table", %table);
        let own = mailbox.downgrade();
        let keep = self.clone().keep(*table, *epoch, actor, messages, own).instrument(span);
        self.inner.setting.shutdown.spawn("table", keep);
    }

    /// Runs a table's actor, and reads the table again when its log could not be written.
    async fn keep(
        self,
        table: TableId,
        epoch: u64,
        mut actor: Option<Box<dyn Run>>,
        mut messages: mpsc::Receiver<Message>,
        own: mpsc::WeakSender<Message>,
    ) {
        let mut pause = RECOVERY_FIRST;
        let owner = loop {
            let ended = match actor.take() {
                Some(actor) => actor.run(&mut messages, &own).await,
                None => match self.read(table).await {
                    Ok(again) if again.epoch() == epoch => {
                        actor = Some(again);
                        continue;
                    }
                    Ok(_) => Ended::Moved(None),
                    Err(Error::Store(StoreError::Missing)) => Ended::Closed,
                    Err(error) => Ended::Failed(error),
                },
            };
            match ended {
                Ended::Closed | Ended::Stopped => break None,
                Ended::Asleep(asleep) if self.lay_down(table, &asleep, &messages) => {
                    return turn_away(&mut messages, None);
                }
                // Somebody has asked for it in the last moment.
                Ended::Asleep(_) => continue,
                Ended::Moved(owner) => {
                    tracing::info!(%table, epoch, "table {table} belongs to another owner now");
                    break owner;
                }
                Ended::Failed(error @ (Error::Unreadable | Error::RulesVersion { .. })) => {
                    return self.give_up(table, &error);
                }
                Ended::Failed(error) => {
                    tracing::warn!(%table, %error, "table {table} is read again: {error}");
                }
            }
            tokio::select! {
                biased;
                () = tokio::time::sleep(pause) => pause = (pause * 2).min(RECOVERY_MAX),
                () = self.inner.setting.halt.cancelled() => break None,
            }
        };
        self.remove(table, epoch);
        turn_away(&mut messages, owner.as_ref());
    }

    fn insert(&self, table: TableId, entry: Entry) {
        self.inner.write().insert(table, entry);
    }

    /// Forgets a table, unless it has come back under another epoch.
    fn remove(&self, table: TableId, epoch: u64) {
        let mut tables = self.inner.write();
        if let Some(Entry::Running(handle)) = tables.get(&table)
            && handle.epoch == epoch
        {
            tables.remove(&table);
            self.inner.setting.register.strike(table);
        }
    }
}

impl Inner {
    fn read(&self) -> std::sync::RwLockReadGuard<'_, BTreeMap<TableId, Entry>> {
        // No code panics while it holds the lock; a poisoned map is whole all the same.
        self.tables.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, BTreeMap<TableId, Entry>> {
        self.tables.write().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl CountTables for Inner {
    fn count(&self) -> TableCounts {
        let tables = self.read();
        let open = tables.values().filter(|entry| !matches!(entry, Entry::Unreadable)).count();
        let stopped = tables.len() - open;
        TableCounts { open: open as u64, stopped: stopped as u64, limit: self.bounds.tables as u64 }
    }
}
