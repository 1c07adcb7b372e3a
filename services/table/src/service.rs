//! Puts the service together.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use parlor_common::client::{ClientOptions, PeerChannel};
use parlor_common::patience::until_open;
use parlor_common::server::{MAX_MESSAGE_BYTES, ServerOptions, serve};
use parlor_common::{Clock, PodId, Shutdown};
use parlor_proto::table::v1::link_service_server::{LinkServiceServer, SERVICE_NAME as LINK};
use parlor_proto::table::v1::placement_service_server::{
    PlacementServiceServer, SERVICE_NAME as PLACEMENT,
};
use parlor_proto::table::v1::table_service_server::{SERVICE_NAME as TABLE, TableServiceServer};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use crate::actor::Setting;
use crate::chance::os_chance;
use crate::cluster::{Cluster, ClusterSettings, Lease};
use crate::config::{Config, StoreKind};
use crate::daily::DailySeeds;
use crate::error::Error;
use crate::grpc::{LinkApi, PlacementApi, TableApi};
use crate::metrics::Metrics;
use crate::store::{EmbeddedStore, MemoryStore, RedisStore, StoreError, TableStore};
use crate::tables::Tables;
use crate::treasury::SettlementTreasury;

/// The service's name in health, logs and metrics.
pub const SERVICE: &str = "table";

/// Longest wait for tables to end once they are told to.
const HALT: Duration = Duration::from_secs(5);
/// Pause between two looks at whether they have.
const HALT_PAUSE: Duration = Duration::from_millis(10);

/// Why the service does not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store cannot be used.
    #[error("the store of tables: {0}")]
    Store(#[from] StoreError),
    /// The store's folder cannot be made.
    #[error("the folder of the store: {0}")]
    Folder(#[from] std::io::Error),
    /// A setting that the store needs is missing.
    #[error("{0} is not set")]
    Missing(&'static str),
    /// Tables cannot be taken up.
    #[error(transparent)]
    Tables(#[from] Error),
    /// The server failed.
    #[error(transparent)]
    Server(#[from] parlor_common::Error),
    /// The serving task was lost.
    #[error("the server's task was lost: {0}")]
    Lost(#[from] tokio::task::JoinError),
}

/// Where tables are kept, and with whom this process shares them.
struct Keeping {
    store: Arc<dyn TableStore>,
    pod: PodId,
    cluster: Option<Arc<Cluster>>,
}

/// Runs the service on `listener` until the shutdown begins, its tables are passed on where others
/// take them, and its calls are answered. `peers`: how pods call each other.
///
/// Health is ready once every table that this process has to run is taken up.
///
/// # Errors
/// When the store cannot be opened or the server fails.
pub async fn run(
    config: Config,
    options: ServerOptions,
    listener: TcpListener,
    settlement: PeerChannel,
    peers: ClientOptions,
    shutdown: Shutdown,
) -> Result<(), RunError> {
    let daily = config.table_daily_secret.as_ref().map(DailySeeds::new);
    let may_pass = |error: &RunError| {
        let is_shared = config.table_store == StoreKind::Redis;
        is_shared && matches!(error, RunError::Store(StoreError::Unavailable(_)))
    };
    let patience = options.config.start_patience();
    let opened = until_open("the tables' store", patience, &shutdown, may_pass, || {
        open(&config, &listener, peers.clone())
    });
    let Some(keeping) = opened.await? else { return Ok(()) };
    let ends = Ends::default();
    let cluster = keeping.cluster.clone();
    let setting = Setting {
        register: Arc::default(),
        store: keeping.store,
        treasury: Arc::new(SettlementTreasury::new(settlement)),
        clock: Clock::system(),
        chance: os_chance(daily.clone()),
        metrics: Arc::new(Metrics::new(Clock::system())),
        daily,
        shutdown: shutdown.clone(),
        halt: ends.halt.clone(),
        pod: keeping.pod,
        lease: cluster.as_ref().map_or_else(Lease::unlimited, |cluster| cluster.lease()),
        upkeep: config.upkeep(),
    };
    let tables = Tables::shared(setting, config.pacing(), config.bounds(), cluster.clone());
    let readiness = options.readiness.clone();
    let options = options.with_health_names(&[TABLE, LINK, PLACEMENT]).with_stop(ends.stop.clone());
    let routes = routes(&tables, &shutdown);
    let mut server = serve(listener, routes, options, &shutdown)?;
    let stay = Stay::begin(cluster, tables, ends, &shutdown).await?;
    let count = stay.tables.recover().await?;
    readiness.set_ready();
    tracing::info!(pod = %keeping.pod, tables = count, "the table service runs {count} tables");
    tokio::select! {
        () = shutdown.begun() => {}
        ended = &mut server => return Ok(ended??),
    }
    stay.end().await?;
    server.await??;
    Ok(())
}

/// What tells a pod's tasks to end.
#[derive(Clone, Debug, Default)]
pub struct Ends {
    /// The tables write what they have to, and end; no more are taken over.
    pub halt: CancellationToken,
    /// The heartbeats end, and the server.
    pub stop: CancellationToken,
}

/// A pod's time among the others, from its first heartbeat until it has passed its tables on.
pub struct Stay {
    cluster: Option<Arc<Cluster>>,
    tables: Tables,
    ends: Ends,
    beating: Option<JoinHandle<()>>,
}

impl Stay {
    /// Makes the pod known, and has it take over what nobody owns. Without a cluster there is
    /// nobody to know it. The tables of its own are still to be recovered.
    ///
    /// # Errors
    /// When the registry of pods cannot be written.
    pub async fn begin(
        cluster: Option<Arc<Cluster>>,
        tables: Tables,
        ends: Ends,
        shutdown: &Shutdown,
    ) -> Result<Self, StoreError> {
        let mut beating = None;
        if let Some(cluster) = &cluster {
            cluster.join().await?;
            let beat = Arc::clone(cluster).beat_until(tables.clone(), ends.stop.clone());
            beating = Some(shutdown.spawn("table-heartbeat", beat));
            let take_over = Arc::clone(cluster).take_over_until(tables.clone(), ends.halt.clone());
            shutdown.spawn("table-take-over", take_over);
        }
        Ok(Self { cluster, tables, ends, beating })
    }

    /// What SIGTERM asks for: passes the tables on where others take them, waits until those that
    /// stay have written what they had to, and leaves.
    ///
    /// # Errors
    /// When the heartbeat has panicked.
    pub async fn end(self) -> Result<(), tokio::task::JoinError> {
        if let Some(cluster) = &self.cluster {
            cluster.hand_over(&self.tables).await;
        }
        self.ends.halt.cancel();
        halted(&self.tables).await;
        self.ends.stop.cancel();
        if let Some(beating) = self.beating {
            // A heartbeat that is under way would bring this pod back.
            beating.await?;
        }
        if let Some(cluster) = &self.cluster {
            cluster.leave().await;
        }
        Ok(())
    }
}

/// The gRPC services on the tables of this process.
#[must_use]
pub fn routes(tables: &Tables, shutdown: &Shutdown) -> Routes {
    let links = Arc::new(AtomicU64::new(1));
    let api = TableServiceServer::new(TableApi::new(tables.clone(), Arc::clone(&links)))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let link = LinkServiceServer::new(LinkApi::new(tables.clone(), links, shutdown.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let placement = PlacementServiceServer::new(PlacementApi::new(tables.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    Routes::new(api).add_service(link).add_service(placement)
}

/// Waits until the tables have written what they had to.
async fn halted(tables: &Tables) {
    let deadline = Instant::now() + HALT;
    while !tables.all().is_empty() && Instant::now() < deadline {
        tokio::time::sleep(HALT_PAUSE).await;
    }
}

async fn open(
    config: &Config,
    listener: &TcpListener,
    peers: ClientOptions,
) -> Result<Keeping, RunError> {
    let pod = PodId::random();
    let alone = |store| Keeping { store, pod, cluster: None };
    Ok(match config.table_store {
        StoreKind::Memory => alone(Arc::new(MemoryStore::default())),
        StoreKind::Embedded => {
            if let Some(folder) = config.table_store_path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            alone(Arc::new(EmbeddedStore::open(&config.table_store_path)?))
        }
        StoreKind::Redis => {
            let urls = config.table_redis_url.as_ref();
            let urls = urls.ok_or(RunError::Missing("PARLOR_REDIS_URL"))?;
            let (tag, durability) = (&config.table_redis_tag, config.table_durability);
            let store = RedisStore::connect(urls, tag, durability).await?;
            let store = store.keeping(config.table_log_keep_entries);
            let settings = ClusterSettings {
                url: config.pod_url(listener, &peers)?,
                lease: Duration::from_millis(config.table_lease_ttl_ms),
                limit: config.table_limit,
                handover: Duration::from_millis(config.table_handover_timeout_ms),
                client: peers,
            };
            let cluster = Arc::new(Cluster::new(pod, &store, settings));
            Keeping { store: Arc::new(store), pod, cluster: Some(cluster) }
        }
    })
}
