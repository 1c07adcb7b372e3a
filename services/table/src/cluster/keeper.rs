//! The tasks that keep this pod's lease, and take over tables that nobody owns any more.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::StreamExt;
use parlor_common::{PodId, TableId};
use parlor_proto::table::v1 as pb;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::Cluster;
use super::lease::Prolonged;
use super::members::{Change, Heartbeat, heir_of};
use crate::store::{Listed, StoreError};
use crate::tables::Tables;

/// Tables that are claimed or asked about at a time: enough to hide the way to the store and back.
const CLAIMS: usize = 32;
/// Leases between two looks at every table of this pod's share, whatever its listed owner.
const LEASES_PER_CHECK: u32 = 15;

/// Leases after which a pod whose lease had run out compares its tables with the store once more:
/// whoever took it for dead has claimed by then what it meant to.
const LEASES_TO_SECOND_LOOK: u32 = 2;

/// How far a search for tables without an owner goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Depth {
    /// Tables whose listed owner does not live.
    Listed,
    /// Also tables whose listed owner may not be the true one.
    Full,
}

impl Cluster {
    /// Makes this pod known to the others. It may act from then on.
    ///
    /// # Errors
    /// When the registry cannot be written.
    pub async fn join(&self) -> Result<(), StoreError> {
        self.beat_once(0, 0).await.map(drop)
    }

    /// Sends heartbeats until `stop`.
    pub async fn beat_until(self: Arc<Self>, tables: Tables, stop: CancellationToken) {
        let mut number = 1;
        let mut second_look: Option<Instant> = None;
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = tokio::time::sleep(self.interval()) => {}
                () = self.beat.notified() => {}
            }
            let beat = self.beat_once(number, tables.count());
            match timeout(self.settings.lease, beat).await {
                Ok(Ok(Prolonged::InTime)) => {
                    if second_look.take_if(|at| *at <= Instant::now()).is_some() {
                        tables.recheck();
                    }
                }
                Ok(Ok(Prolonged::Late)) => {
                    tracing::warn!(pod = %self.me, "the lease had run out; tables are checked");
                    tables.recheck();
                    let pause = LEASES_TO_SECOND_LOOK * self.settings.lease;
                    second_look = Some(Instant::now() + pause);
                    self.sweep.notify_one();
                }
                Ok(Err(error)) => tracing::warn!(%error, "no heartbeat could be sent: {error}"),
                Err(_) => tracing::warn!("a heartbeat took longer than the lease"),
            }
            number += 1;
        }
    }

    async fn beat_once(&self, number: u64, tables: usize) -> Result<Prolonged, StoreError> {
        let heartbeat = Heartbeat { id: self.me, number, pod: self.announcement(tables) };
        let sent = Instant::now();
        let echo = self.registry.beat(&heartbeat).await?;
        let change = {
            let mut members =
                self.members.write().unwrap_or_else(std::sync::PoisonError::into_inner);
            members.look(echo.heartbeats, Instant::now())
        };
        if change == Change::Loss {
            self.sweep.notify_one();
        }
        Ok(self.holder.prolong(sent + self.settings.lease, echo.forgotten))
    }

    fn announcement(&self, tables: usize) -> pb::TablePod {
        pb::TablePod {
            pod_id: self.me.to_string(),
            url: self.settings.url.clone(),
            tables: tables as u64,
            table_limit: self.settings.limit as u64,
            draining: self.draining.load(Ordering::Acquire),
            departed: false,
        }
    }

    /// Takes over what nobody owns, once; for the start.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn take_over_once(&self, tables: &Tables) -> Result<(), StoreError> {
        self.search(tables, Depth::Full, &mut HashSet::new()).await
    }

    /// Takes over what nobody owns, whenever a pod is lost, until `stop`.
    pub async fn take_over_until(self: Arc<Self>, tables: Tables, stop: CancellationToken) {
        let full_every = LEASES_PER_CHECK * self.settings.lease;
        let mut next_full = Instant::now() + full_every;
        let mut missing = HashSet::new();
        loop {
            tokio::select! {
                biased;
                () = stop.cancelled() => return,
                () = self.sweep.notified() => {}
                () = tokio::time::sleep_until(next_full) => {}
            }
            let full = Instant::now() >= next_full;
            let depth = if full { Depth::Full } else { Depth::Listed };
            if full {
                next_full = Instant::now() + full_every;
            }
            if let Err(error) = self.search(&tables, depth, &mut missing).await {
                tracing::warn!(%error, "tables without an owner could not be looked for: {error}");
            }
        }
    }

    /// `missing` remembers between full searches which tables are this pod's and do not run: one
    /// that is being created just now is there the next time.
    async fn search(
        &self,
        tables: &Tables,
        depth: Depth,
        missing: &mut HashSet<TableId>,
    ) -> Result<(), StoreError> {
        // The pods are read after the tables: whoever owns one of them by now is known.
        let listed = self.store.tables().await?;
        let registered: BTreeSet<PodId> =
            self.registry.all().await?.into_iter().map(|heartbeat| heartbeat.id).collect();
        let (dead, heirs) = {
            let members = self.members();
            let heirs = members.heirs().into_iter().map(|(id, _)| id).collect::<Vec<_>>();
            (members.dead(), heirs)
        };
        let lives = |pod: PodId| registered.contains(&pod) && !dead.contains(&pod);
        let my_share = |table| heir_of(table, heirs.iter().copied()) == Some(self.me);
        let mut lost = HashSet::new();
        let doubtful: Vec<_> = listed
            .iter()
            .filter(|one| match (lives(one.owner), depth) {
                (false, _) => my_share(one.table),
                (true, Depth::Listed) => false,
                (true, Depth::Full) if one.owner == self.me => {
                    !tables.has(one.table) && {
                        lost.insert(one.table);
                        missing.contains(&one.table)
                    }
                }
                (true, Depth::Full) => my_share(one.table),
            })
            .copied()
            .collect();
        if depth == Depth::Full {
            *missing = lost;
        }
        let mine: HashSet<_> =
            listed.iter().filter(|one| one.owner == self.me).map(|one| one.table).collect();
        let began = Instant::now();
        futures_util::stream::iter(doubtful)
            .for_each_concurrent(CLAIMS, |one| self.mend(tables, one, &lives, began))
            .await;
        self.check_own(tables, |table| depth == Depth::Full || !mine.contains(&table)).await;
        for pod in dead {
            if listed.iter().all(|one| one.owner != pod) {
                tracing::info!(%pod, "no table of pod {pod} is left: it is forgotten");
                self.registry.remove(pod).await?;
            }
        }
        Ok(())
    }

    /// Gives up the tables here that another pod has, or that have no log any more: where nothing
    /// happens, nobody would find out, and the list may still have a table whose log is lost.
    async fn check_own(&self, tables: &Tables, which: impl Fn(TableId) -> bool) {
        let own: Vec<_> = tables.owned().into_iter().filter(|(table, _)| which(*table)).collect();
        futures_util::stream::iter(own)
            .for_each_concurrent(CLAIMS, |(table, epoch)| async move {
                if self.has_lost(table, epoch).await {
                    tables.doubt(table, epoch);
                }
            })
            .await;
    }

    /// Whether a table that this pod took under `epoch` belongs to another by now, or to nobody.
    async fn has_lost(&self, table: TableId, epoch: u64) -> bool {
        match self.store.head(table).await {
            Ok(head) => head.epoch != epoch,
            Err(error) => error == StoreError::Missing,
        }
    }

    /// Claims a table if its owner does not live; puts the list in order if it does.
    async fn mend(
        &self,
        tables: &Tables,
        listed: Listed,
        lives: impl Fn(PodId) -> bool,
        began: Instant,
    ) {
        let table = listed.table;
        let mended = match self.store.head(table).await {
            Ok(head) if head.owner != self.me && lives(head.owner) => {
                if head.owner == listed.owner { Ok(()) } else { self.store.relist(table).await }
            }
            Ok(head) if head.owner == self.me && tables.has(table) => {
                self.store.relist(table).await
            }
            Ok(head) => return tables.take_over(table, head.epoch, began).await,
            Err(StoreError::Missing) => self.store.relist(table).await,
            Err(error) => Err(error),
        };
        if let Err(error) = mended {
            tracing::warn!(%table, %error, "the owner of table {table} is not known: {error}");
        }
    }

    /// Leaves the registry: whatever this pod still owns may be taken at once.
    pub async fn leave(&self) {
        let left = timeout(Duration::from_secs(1), self.registry.remove(self.me)).await;
        if !matches!(left, Ok(Ok(()))) {
            tracing::warn!(pod = %self.me, "the others will notice only when the lease ends");
        }
    }
}
