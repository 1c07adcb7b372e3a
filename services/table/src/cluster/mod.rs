//! Who owns which table, where several pods share one store.
//!
//! * `lease`: how long this pod may act without news from the others.
//! * `registry`: the pods that are up; kept in Redis.
//! * `members`: what follows from their heartbeats: who lives, who is an heir. Pure.
//! * `keeper`: the task that sends heartbeats and takes over the tables of those who fell silent.
//! * `handover`: passes this pod's tables on when it drains.
//!
//! **Invariant**: a claim raises the table's epoch in the same step that names the new owner, and
//! an append under an older epoch is refused. Leases only decide when a claim is worth a try, and
//! when a pod stops answering from memory; were all clocks wrong, no entry would be lost or
//! doubled.

mod handover;
mod keeper;
mod lease;
mod members;
mod registry;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use parlor_common::client::ClientOptions;
use parlor_common::{PodId, TableId};
use parlor_proto::table::v1 as pb;
use tokio::sync::Notify;

use lease::LeaseHolder;
pub use lease::{Lease, Term};
pub use members::Heartbeat;
use members::Members;
use registry::RedisRegistry;
pub use registry::{Echo, Registry};

use crate::error::Error;
use crate::store::{RedisStore, TableStore};

/// Heartbeats in the time of one lease.
const BEATS_PER_LEASE: u32 = 4;

/// How this pod takes part.
#[derive(Clone, Debug)]
pub struct ClusterSettings {
    /// Where the others call this pod.
    pub url: String,
    /// A pod that was silent for so long is held to be dead.
    pub lease: Duration,
    /// Most tables that it takes.
    pub limit: usize,
    /// Longest time that handing tables over may take.
    pub handover: Duration,
    /// How it calls the others.
    pub client: ClientOptions,
}

/// This pod's part in the cluster.
pub struct Cluster {
    me: PodId,
    settings: ClusterSettings,
    registry: Arc<dyn Registry>,
    store: Arc<dyn TableStore>,
    members: RwLock<Members>,
    holder: LeaseHolder,
    draining: AtomicBool,
    /// Wakes the heartbeat before its time.
    beat: Notify,
    /// Wakes the search for tables without an owner before its time.
    sweep: Notify,
}

impl std::fmt::Debug for Cluster {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Cluster").field("me", &self.me).finish_non_exhaustive()
    }
}

impl Cluster {
    /// A pod that nobody knows of yet.
    #[must_use]
    pub fn new(me: PodId, store: &RedisStore, settings: ClusterSettings) -> Self {
        let registry = RedisRegistry::new(store.connection().clone(), store.tag());
        Self::over(me, Arc::new(store.clone()), Arc::new(registry), settings)
    }

    /// A pod that nobody knows of yet, over a store and a registry that the pods share.
    #[must_use]
    pub fn over(
        me: PodId,
        store: Arc<dyn TableStore>,
        registry: Arc<dyn Registry>,
        settings: ClusterSettings,
    ) -> Self {
        Self {
            me,
            registry,
            store,
            members: RwLock::new(Members::new(settings.lease)),
            holder: LeaseHolder::default(),
            draining: AtomicBool::new(false),
            beat: Notify::new(),
            sweep: Notify::new(),
            settings,
        }
    }

    /// How long this pod may act.
    #[must_use]
    pub fn lease(&self) -> Lease {
        self.holder.lease()
    }

    /// Whether this pod is about to end.
    #[must_use]
    pub fn is_draining(&self) -> bool {
        self.draining.load(Ordering::Acquire)
    }

    /// All pods that are known, this one included.
    #[must_use]
    pub fn pods(&self) -> Vec<pb::TablePod> {
        self.members().all().collect()
    }

    /// Where the pod with this id is called, if it lives.
    #[must_use]
    pub fn url_of(&self, pod: PodId) -> Option<Arc<str>> {
        self.members().url_of(pod)
    }

    /// The pod that owns a table according to the store.
    ///
    /// # Errors
    /// [`Error::TableNotFound`], [`Error::TableMoved`] without a name while nobody who lives owns
    /// it, or the store's failure.
    pub async fn owner(&self, table: TableId) -> Result<pb::TablePod, Error> {
        let head = self.store.head(table).await?;
        let owner = self.members().living_pod(head.owner);
        owner.ok_or(Error::TableMoved { owner: None })
    }

    fn members(&self) -> std::sync::RwLockReadGuard<'_, Members> {
        self.members.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn interval(&self) -> Duration {
        self.settings.lease / BEATS_PER_LEASE
    }
}
