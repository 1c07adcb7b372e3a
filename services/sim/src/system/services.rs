//! The simulated processes: the services as they ship, put together as their own `run` does, over
//! simulated clocks, stores and connections.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use clap::Parser;
use parlor_common::locate::{LiveTables, TableLocator};
use parlor_common::{PodId, TableId};
use parlor_game::shell::{Chance, Pacing};
use parlor_gateway::auth::token::{TokenLifetimes, Tokens};
use parlor_gateway::session::Core;
use parlor_gateway::session::registry::fleet::Fleet;
use parlor_matchmaking::grpc::Adapter;
use parlor_matchmaking::hands::NoHistory;
use parlor_matchmaking::ids::ReplicaId;
use parlor_matchmaking::ratings::Unrated;
use parlor_matchmaking::service::{Limits, Matchmaking, Parts};
use parlor_matchmaking::tables::grpc::TablePods;
use parlor_matchmaking::timing::Timing;
use parlor_proto::matchmaking::v1::matchmaking_service_server::MatchmakingServiceServer;
use parlor_proto::matchmaking::v1::room_service_server::RoomServiceServer;
use parlor_proto::settlement::v1::history_service_server::HistoryServiceServer;
use parlor_proto::settlement::v1::ledger_service_server::LedgerServiceServer;
use parlor_settlement::books::Books;
use parlor_settlement::grpc::{HistoryApi, LedgerApi};
use parlor_settlement::ledger::Ledger;
use parlor_settlement::lookout::{PodTables, look_until_the_end};
use parlor_settlement::orphans::{self, Orphans, TableLife};
use parlor_table::cluster::{Cluster, ClusterSettings};
use parlor_table::service::{Ends, Stay};
use parlor_table::store::TableStore;
use parlor_table::treasury::{
    SettlementTreasury, SharedTreasury, Treasure, Treasury, TreasuryError,
};
use parlor_table::{Bounds, Metrics, Setting, Tables, Upkeep};
use tonic::service::Routes;

use super::archive::Disk;
use super::exchange::Post;
use super::fate::Fate;
use super::floor::Floor;
use super::ledger::Counter;
use super::life::Life;
use super::matches::Desk;
use super::mutation::Mutation;
use super::roll::Caller;
use super::world::{Process, Role, World};

/// Where all clients come from; no limit counts them.
pub const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// A table that nobody watches leaves the memory after so long.
const ASLEEP_AFTER: Duration = Duration::from_secs(2);
/// Requests of one transaction of the ledger.
const BATCH: usize = 16;
/// Tables of one process, more than any run has.
const TABLES: usize = 1_000;
/// The names under which others call the ledger and the matchmakers.
const SETTLEMENT: &str = "settlement";
const MATCHMAKING: &str = "matchmaking";
/// The names of the table pods.
pub const TABLE_PODS: [&str; 2] = ["table-a", "table-b"];
/// A table pod that was silent for so long is held to be dead.
const LEASE: Duration = Duration::from_millis(1_500);
/// Longest time that a drain takes to pass tables on.
const HANDOVER: Duration = Duration::from_secs(5);
/// How often stacks of lost tables are looked for, and for how long a table has to be gone.
const LOOKOUT: Duration = Duration::from_secs(1);
const PATIENCE_MS: i64 = 4_000;

impl World {
    pub(super) fn start_table(self: &Arc<Self>, host: &str, process: &Process) {
        let Process { life, clock, shutdown, .. } = process;
        let (way, pod) = (self.way(life, Role::Table), PodId::random());
        let store: Arc<dyn TableStore> =
            Arc::new(Disk { archive: Arc::clone(&self.archive), way: way.clone() });
        let registry = Caller { roll: Arc::clone(&self.roll), way };
        let settings = ClusterSettings {
            url: format!("http://{}", life.name()),
            lease: LEASE,
            limit: TABLES,
            handover: HANDOVER,
            client: self.network.dialer(life),
        };
        let cluster = Cluster::over(pod, Arc::clone(&store), Arc::new(registry), settings);
        let (cluster, ends) = (Arc::new(cluster), Ends::default());
        let fate = Arc::clone(&self.fate);
        let setting = Setting {
            store,
            treasury: self.treasury(life),
            clock: clock.clone(),
            metrics: Arc::new(Metrics::new(clock.clone())),
            daily: None,
            register: Arc::default(),
            halt: ends.halt.clone(),
            pod,
            lease: cluster.lease(),
            upkeep: Upkeep { passivate_after: Some(ASLEEP_AFTER), spectator_delay: Duration::ZERO },
            chance: Arc::new(move |_: TableId| Box::new(Drawn(Arc::clone(&fate))) as _),
            shutdown: shutdown.clone(),
        };
        let bounds = Bounds { tables: TABLES, echo: false };
        let tables = Tables::shared(setting, pacing(), bounds, Some(Arc::clone(&cluster)));
        let routes = parlor_table::service::routes(&tables, shutdown);
        self.network.serve(host, life, routes);
        let (process, fate) = (process.clone(), Arc::clone(&self.fate));
        self.shutdown.spawn("table-start", async move {
            let Process { life, stay, shutdown, .. } = process;
            let begun = Stay::begin(Some(cluster), tables.clone(), ends, &shutdown).await;
            let started = match begun {
                Ok(begun) => {
                    *stay.lock().unwrap_or_else(PoisonError::into_inner) = Some(begun);
                    tables.recover().await.map(drop)
                }
                Err(error) => Err(error.into()),
            };
            if let Err(error) = started {
                // As the service does: it ends, and is started again.
                fate.note(format_args!("{} does not start: {error}", life.name()));
                life.end();
            }
        });
    }

    fn treasury(self: &Arc<Self>, life: &Life) -> SharedTreasury {
        let settlement = self.network.channel(life, SETTLEMENT);
        let treasury: SharedTreasury = Arc::new(SettlementTreasury::new(settlement));
        if self.mutation == Some(Mutation::DutyLost) {
            return Arc::new(Careless { treasury, fate: Arc::clone(&self.fate) });
        }
        treasury
    }

    pub(super) fn start_settlement(self: &Arc<Self>, process: &Process) {
        let Process { life, clock, shutdown, .. } = process;
        let way = self.way(life, Role::Settlement);
        let counter = Counter { vault: Arc::clone(&self.vault), way };
        let books = Books::open(Arc::new(counter), clock.clone(), BATCH, shutdown);
        let books = Arc::new(books);
        self.watch_tables(process, Arc::clone(&books) as _);
        let history = HistoryApi::new(Arc::clone(&books) as _, shutdown.clone());
        let ledger = LedgerServiceServer::new(LedgerApi::new(books));
        let routes = Routes::new(ledger).add_service(HistoryServiceServer::new(history));
        self.network.serve(SETTLEMENT, life, routes);
    }

    /// Has the stacks of lost tables released.
    fn watch_tables(self: &Arc<Self>, process: &Process, ledger: Arc<dyn Ledger>) {
        let Process { life, clock, shutdown, .. } = process;
        let pods = PodTables::new(self.tables_of(life));
        let (clock, shutdown) = (clock.clone(), shutdown.clone());
        match self.mutation {
            Some(Mutation::LookoutBlind) => {}
            Some(Mutation::LookoutHasty) => {
                let (tables, orphans) = (Hasty(pods), Orphans::new(0));
                let look =
                    look_until_the_end(ledger, tables, orphans, clock, LOOKOUT, shutdown.clone());
                shutdown.spawn("orphans", look);
            }
            _ => {
                let orphans = Orphans::new(PATIENCE_MS);
                let look =
                    look_until_the_end(ledger, pods, orphans, clock, LOOKOUT, shutdown.clone());
                shutdown.spawn("orphans", look);
            }
        }
    }

    /// The table pods, as a process finds them: it knows two addresses, and asks.
    fn tables_of(self: &Arc<Self>, life: &Life) -> Arc<dyn TableLocator> {
        let urls = TABLE_PODS.map(|host| format!("http://{host}"));
        match LiveTables::new(&urls, &self.network.dialer(life)) {
            Ok(tables) => Arc::new(tables),
            Err(error) => unreachable!("the addresses are constants: {error}"),
        }
    }

    pub(super) fn start_matchmaking(self: &Arc<Self>, process: &Process, number: u64) {
        let Process { life, clock, shutdown, .. } = process;
        let way = self.way(life, Role::Matchmaking);
        let pods = TablePods::new(self.tables_of(life));
        let service = Arc::new(Matchmaking::new(Parts {
            queues: self.queues.clone(),
            store: Arc::new(Desk { register: Arc::clone(&self.tickets), way: way.clone() }),
            tables: Arc::new(Floor { pods, way }),
            ratings: Arc::new(Unrated),
            hands: Arc::new(NoHistory),
            clock: clock.clone(),
            timing: Timing::default(),
            limits: Limits::default(),
        }));
        let replica = ReplicaId::numbered(u128::from(number) + 1);
        parlor_matchmaking::worker::spawn(&service, replica, shutdown);
        let adapter = Adapter::new(service, shutdown.clone());
        let routes = Routes::new(MatchmakingServiceServer::new(adapter.clone()));
        let routes = routes.add_service(RoomServiceServer::new(adapter));
        self.network.serve(MATCHMAKING, life, routes);
    }

    pub(super) async fn start_gateway(self: &Arc<Self>, process: &Process) -> Arc<Core> {
        let Process { life, clock, shutdown, .. } = process;
        let peers = parlor_gateway::Peers {
            tables: self.tables_of(life),
            matchmaking: self.network.channel(life, MATCHMAKING),
            settlement: self.network.channel(life, SETTLEMENT),
        };
        let way = self.way(life, Role::Gateway);
        let fleet = Fleet::new(Arc::new(Post { exchange: Arc::clone(&self.exchange), way }));
        let config = Flags::settings().gateway;
        let (clock, shutdown) = (clock.clone(), shutdown.clone());
        let core = parlor_gateway::core_in(&config, peers, Some(fleet), clock, shutdown).await;
        let core = match core {
            Ok(core) => Arc::new(core),
            // The settings are constants.
            Err(error) => unreachable!("the gateway's settings: {error}"),
        };
        let (kept, life) = (Arc::clone(&core), life.clone());
        self.shutdown.spawn("gateway-registry", async move {
            tokio::select! {
                biased;
                () = kept.registry.keep() => {}
                () = life.ended() => {}
            }
        });
        core
    }

    /// Signs players' tokens as the gateways do.
    pub fn tokens(&self) -> Option<Tokens> {
        let secret = Flags::settings().gateway.gateway_token_secret;
        let lifetimes = TokenLifetimes { access_ms: 86_400_000, refresh_ms: 86_400_000 };
        Tokens::new(&[secret], lifetimes, self.clock.clone()).ok()
    }
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

#[async_trait]
impl Treasury for Careless {
    async fn settle(&self, request: &Treasure) -> Result<(), TreasuryError> {
        if self.fate.happens(50) {
            return Ok(());
        }
        self.treasury.settle(request).await
    }
}

/// [`Mutation::LookoutHasty`].
struct Hasty(PodTables);

#[async_trait]
impl orphans::Tables for Hasty {
    async fn life(&self, table: TableId) -> TableLife {
        match self.0.life(table).await {
            TableLife::Unknown => TableLife::Gone,
            life => life,
        }
    }
}
