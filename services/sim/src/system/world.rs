//! The simulated machines: what outlives processes, the processes themselves, and their restarts.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::Parser;
use parlor_common::client::ClientOptions;
use parlor_common::locate::{StaticTables, TablePod};
use parlor_common::{Clock, PodId, Shutdown, TableId};
use parlor_game::shell::{Chance, Pacing};
use parlor_gateway::auth::token::{TokenLifetimes, Tokens};
use parlor_gateway::session::Core;
use parlor_matchmaking::grpc::Adapter;
use parlor_matchmaking::hands::NoHistory;
use parlor_matchmaking::ids::ReplicaId;
use parlor_matchmaking::queue::Queues;
use parlor_matchmaking::ratings::Unrated;
use parlor_matchmaking::service::{Limits, Matchmaking, Parts};
use parlor_matchmaking::store::embedded::EmbeddedStore;
use parlor_matchmaking::tables::grpc::TablePods;
use parlor_matchmaking::timing::Timing;
use parlor_proto::matchmaking::v1::matchmaking_service_server::MatchmakingServiceServer;
use parlor_proto::settlement::v1::history_service_server::HistoryServiceServer;
use parlor_proto::settlement::v1::ledger_service_server::LedgerServiceServer;
use parlor_settlement::books::Books;
use parlor_settlement::grpc::{HistoryApi, LedgerApi};
use parlor_table::cluster::{Cluster, ClusterSettings};
use parlor_table::store::TableStore;
use parlor_table::treasury::{
    SettlementTreasury, SharedTreasury, Treasure, Treasury, TreasuryError,
};
use parlor_table::{Bounds, Metrics, Setting, Tables, Upkeep};
use tokio_util::sync::CancellationToken;
use tonic::service::Routes;

use super::archive::{Archive, Disk};
use super::fate::Fate;
use super::ledger::{Counter, Vault};
use super::life::{Life, Way};
use super::matches::Desk;
use super::mutation::Mutation;
use super::network::Network;
use super::oracle::Oracle;
use super::roll::{Caller, Roll};

/// When runs begin, in milliseconds since the Unix epoch.
const DAWN_MS: i64 = 1_800_000_000_000;
/// Where all clients come from; no limit counts them.
pub const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// A table that nobody watches leaves the memory after so long.
const ASLEEP_AFTER: Duration = Duration::from_secs(2);
/// Requests of one transaction of the ledger.
const BATCH: usize = 16;
/// Tables of one process, more than any run has.
const TABLES: usize = 1_000;

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Owns tables.
    Table,
    /// Keeps the ledger.
    Settlement,
    /// Matches players.
    Matchmaking,
    /// Lets players in.
    Gateway,
}

/// The names under which others call the ledger and the matchmakers.
const SETTLEMENT: &str = "settlement";
const MATCHMAKING: &str = "matchmaking";
/// The names of the table pods.
pub const TABLE_PODS: [&str; 2] = ["table-a", "table-b"];
/// A table pod that was silent for so long is held to be dead.
const LEASE: Duration = Duration::from_millis(1_500);

/// A process that runs, or has run.
#[derive(Clone)]
pub struct Process {
    /// What it does.
    pub role: Role,
    /// Its life.
    pub life: Life,
    /// Its clock.
    pub clock: Clock,
    /// What its sessions share, if it is a gateway.
    pub gateway: Option<Arc<Core>>,
}

/// A run's machines.
pub struct World {
    /// What decides.
    pub fate: Arc<Fate>,
    /// What must hold.
    pub oracle: Arc<Oracle>,
    /// Connections.
    pub network: Arc<Network>,
    /// The ledger's database.
    pub vault: Arc<Vault>,
    /// Runs everything.
    pub shutdown: Shutdown,
    /// Players leave and do not come back.
    pub is_closing: AtomicBool,
    archive: Arc<Archive>,
    tickets: Arc<EmbeddedStore>,
    roll: Arc<Roll>,
    queues: Queues,
    processes: Mutex<Vec<Process>>,
    started: AtomicU64,
    mutation: Option<Mutation>,
    clock: Clock,
}

impl World {
    /// Machines on which nothing runs.
    pub fn new(fate: Arc<Fate>, queues: Queues, mutation: Option<Mutation>) -> Arc<Self> {
        let oracle = Arc::new(Oracle::new(Arc::clone(&fate)));
        let tickets = match EmbeddedStore::in_memory() {
            Ok(tickets) => tickets,
            Err(error) => unreachable!("memory is no file that could fail: {error}"),
        };
        let shutdown = Shutdown::new();
        Arc::new(Self {
            network: Arc::new(Network::new(Arc::clone(&fate), shutdown.clone())),
            archive: Arc::new(Archive::new(Arc::clone(&oracle), mutation)),
            vault: Arc::new(Vault::new(Arc::clone(&oracle), mutation)),
            tickets: Arc::new(tickets),
            roll: Arc::default(),
            is_closing: AtomicBool::new(false),
            processes: Mutex::default(),
            started: AtomicU64::new(0),
            clock: Clock::with_timers(DAWN_MS),
            oracle,
            shutdown,
            fate,
            queues,
            mutation,
        })
    }

    fn locked(&self) -> MutexGuard<'_, Vec<Process>> {
        self.processes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Processes that live, in the order in which they were started.
    pub fn alive(&self) -> Vec<Process> {
        let mut processes = self.locked();
        processes.retain(|process| !process.life.is_over());
        processes.clone()
    }

    /// Keeps one process of a role running for ever, at this host.
    pub fn keep(self: &Arc<Self>, role: Role, host: &'static str) {
        let world = Arc::clone(self);
        self.shutdown.spawn("keeper", async move {
            loop {
                let process = world.start(role, host).await;
                process.life.ended().await;
                world.network.withdraw(&process.life);
                world.fate.note(format_args!("{} is gone", process.life.name()));
                tokio::time::sleep(world.fate.pause(100, 2_500)).await;
            }
        });
    }

    async fn start(self: &Arc<Self>, role: Role, host: &str) -> Process {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let life = Life::new(&format!("{host}-{number}"));
        self.fate.note(format_args!("{} starts", life.name()));
        // No two clocks show the same time.
        let clock = Clock::with_timers(self.clock.now_ms());
        let skew = i64::try_from(self.fate.between(0, 400)).unwrap_or(0) - 200;
        clock.advance_ms(skew);
        let gateway = match role {
            Role::Gateway => Some(self.start_gateway(&life, &clock).await),
            Role::Table => {
                self.start_table(host, &life, &clock);
                None
            }
            Role::Settlement => {
                self.start_settlement(&life, &clock);
                None
            }
            Role::Matchmaking => {
                self.start_matchmaking(&life, &clock, number);
                None
            }
        };
        let process = Process { role, life, clock, gateway };
        self.locked().push(process.clone());
        process
    }

    fn way(&self, life: &Life) -> Way {
        Way { life: life.clone(), fate: Arc::clone(&self.fate), world: self.shutdown.clone() }
    }

    fn start_table(self: &Arc<Self>, host: &str, life: &Life, clock: &Clock) {
        let (shutdown, pod) = (Shutdown::new(), PodId::random());
        let store: Arc<dyn TableStore> =
            Arc::new(Disk { archive: Arc::clone(&self.archive), way: self.way(life) });
        let registry = Caller { roll: Arc::clone(&self.roll), way: self.way(life) };
        let settings = ClusterSettings {
            url: format!("http://{host}"),
            lease: LEASE,
            limit: TABLES,
            handover: LEASE,
            client: ClientOptions::default(),
        };
        let cluster = Cluster::over(pod, Arc::clone(&store), Arc::new(registry), settings);
        let cluster = Arc::new(cluster);
        let settlement = self.network.channel(life, SETTLEMENT);
        let treasury: SharedTreasury = Arc::new(SettlementTreasury::new(settlement));
        let treasury: SharedTreasury = match self.mutation {
            Some(Mutation::DutyLost) => {
                Arc::new(Careless { treasury, fate: Arc::clone(&self.fate) })
            }
            _ => treasury,
        };
        let fate = Arc::clone(&self.fate);
        let setting = Setting {
            store,
            treasury,
            clock: clock.clone(),
            metrics: Arc::new(Metrics::new(clock.clone())),
            daily: None,
            register: Arc::default(),
            halt: CancellationToken::new(),
            pod,
            lease: cluster.lease(),
            upkeep: Upkeep { passivate_after: Some(ASLEEP_AFTER), spectator_delay: Duration::ZERO },
            chance: Arc::new(move |_: TableId| Box::new(Drawn(Arc::clone(&fate))) as _),
            shutdown: shutdown.clone(),
        };
        let bounds = Bounds { tables: TABLES, echo: false };
        let tables = Tables::shared(setting, pacing(), bounds, Some(Arc::clone(&cluster)));
        let routes = parlor_table::service::routes(&tables, &shutdown);
        self.network.serve(host, life, routes);
        let (life, fate) = (life.clone(), Arc::clone(&self.fate));
        self.shutdown.spawn("table-start", async move {
            if let Err(error) = begin(cluster, &tables, &shutdown).await {
                // As the service does: it ends, and is started again.
                fate.note(format_args!("{} does not start: {error}", life.name()));
                life.end();
            }
        });
    }

    fn start_settlement(&self, life: &Life, clock: &Clock) {
        let counter = Counter { vault: Arc::clone(&self.vault), way: self.way(life) };
        let books = Books::open(Arc::new(counter), clock.clone(), BATCH, &Shutdown::new());
        let (books, shutdown) = (Arc::new(books), Shutdown::new());
        let history = HistoryServiceServer::new(HistoryApi::new(Arc::clone(&books) as _, shutdown));
        let ledger = LedgerServiceServer::new(LedgerApi::new(books));
        self.network.serve(SETTLEMENT, life, Routes::new(ledger).add_service(history));
    }

    fn tables_of(&self, life: &Life) -> Arc<StaticTables> {
        let pod = |host: &&str| TablePod {
            address: format!("http://{host}").into(),
            channel: self.network.channel(life, host),
        };
        Arc::new(StaticTables::of(TABLE_PODS.iter().map(pod).collect()))
    }

    fn start_matchmaking(&self, life: &Life, clock: &Clock, number: u64) {
        let shutdown = Shutdown::new();
        let service = Arc::new(Matchmaking::new(Parts {
            queues: self.queues.clone(),
            store: Arc::new(Desk { store: Arc::clone(&self.tickets), way: self.way(life) }),
            tables: Arc::new(TablePods::new(self.tables_of(life))),
            ratings: Arc::new(Unrated),
            hands: Arc::new(NoHistory),
            clock: clock.clone(),
            timing: Timing::default(),
            limits: Limits::default(),
        }));
        let replica = ReplicaId::numbered(u128::from(number) + 1);
        parlor_matchmaking::worker::spawn(&service, replica, &shutdown);
        let adapter = MatchmakingServiceServer::new(Adapter::new(service, shutdown));
        self.network.serve(MATCHMAKING, life, Routes::new(adapter));
    }

    async fn start_gateway(&self, life: &Life, clock: &Clock) -> Arc<Core> {
        let peers = parlor_gateway::Peers {
            tables: self.tables_of(life),
            matchmaking: self.network.channel(life, MATCHMAKING),
            settlement: self.network.channel(life, SETTLEMENT),
        };
        let config = Flags::settings().gateway;
        let core = parlor_gateway::core(&config, peers, clock.clone(), Shutdown::new()).await;
        match core {
            Ok(core) => Arc::new(core),
            // The settings are constants.
            Err(error) => unreachable!("the gateway's settings: {error}"),
        }
    }

    /// Signs players' tokens as the gateways do.
    pub fn tokens(&self) -> Option<Tokens> {
        let secret = Flags::settings().gateway.gateway_token_secret;
        let lifetimes = TokenLifetimes { access_ms: 86_400_000, refresh_ms: 86_400_000 };
        Tokens::new(&[secret], lifetimes, self.clock.clone()).ok()
    }
}

/// What the service does between listening and being ready.
async fn begin(
    cluster: Arc<Cluster>,
    tables: &Tables,
    shutdown: &Shutdown,
) -> Result<(), parlor_table::Error> {
    cluster.join().await?;
    let stop = CancellationToken::new();
    let beat = Arc::clone(&cluster).beat_until(tables.clone(), stop.clone());
    shutdown.spawn("table-heartbeat", beat);
    shutdown.spawn("table-take-over", cluster.take_over_until(tables.clone(), stop));
    tables.recover().await.map(drop)
}

/// The clocks of tables: shorter than people would like, so that more happens.
const fn pacing() -> Pacing {
    Pacing {
        start_delay_ms: 300,
        reservation_ms: 15_000,
        auto_play_delay_ms: 200,
        disconnect_grace_ms: 20_000,
        vote_ms: 10_000,
        bot_delay_min_ms: 50,
        bot_delay_max_ms: 200,
        time_bank_ms: 2_000,
    }
}

/// The gateway's settings are flags.
#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    gateway: parlor_gateway::Config,
}

impl Flags {
    fn settings() -> Self {
        Self::parse_from([
            "simulation",
            // Limits count by real time.
            "--gateway-requests-per-s=0",
            "--gateway-address-requests-per-s=0",
            "--gateway-sign-ins-per-minute=0",
            "--gateway-guests-per-hour=0",
            "--gateway-max-sessions-per-address=0",
        ])
    }
}

/// A table's chance, from the fate of the run.
struct Drawn(Arc<Fate>);

impl Chance for Drawn {
    fn seed(&mut self) -> [u8; 32] {
        self.0.bytes()
    }

    fn shared_seed(&mut self, _: &str) -> Option<[u8; 32]> {
        // No table of a run deals what another deals.
        None
    }

    fn between(&mut self, least: u32, most: u32) -> u32 {
        let drawn = self.0.between(least.into(), most.into());
        u32::try_from(drawn).unwrap_or(least)
    }
}

/// [`Mutation::DutyLost`].
struct Careless {
    treasury: SharedTreasury,
    fate: Arc<Fate>,
}

#[async_trait::async_trait]
impl Treasury for Careless {
    async fn settle(&self, request: &Treasure) -> Result<(), TreasuryError> {
        if self.fate.happens(50) {
            return Ok(());
        }
        self.treasury.settle(request).await
    }
}
