//! Every service as processes of its own, on a Redis Cluster and PostgreSQL.

use std::path::PathBuf;
use std::time::Duration;

use parlor_common::client::{ClientOptions, DEVELOPMENT_TOKEN, PeerChannel, connect};
use parlor_proto::table::v1::ListTablesRequest;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;
use tokio::time::{Instant, sleep};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::balance::balance;
use crate::pod::{PATIENCE, Pod, Recipe, free_ports, random};
use crate::redis_cluster::RedisCluster;

/// A table pod that is silent for so long is held to be dead.
pub const LEASE_MS: u64 = 2_000;

/// What everything runs on, and everything that runs.
pub struct System {
    pub redis: RedisCluster,
    pub settlements: Vec<Pod>,
    pub tables: Vec<Pod>,
    pub gateways: Vec<Pod>,
    matchmakers: Vec<Pod>,
    /// One address for both settlements.
    pub settlement_url: String,
    pub table_ports: Vec<u16>,
    gateway_ports: Vec<u16>,
    database: Database,
    folder: TempDir,
}

/// A database of this run only.
struct Database {
    server: String,
    name: String,
    url: String,
}

impl Database {
    async fn create() -> Self {
        let server = std::env::var("PARLOR_TEST_POSTGRES_URL")
            .expect("PARLOR_TEST_POSTGRES_URL: deploy/test.sh kill starts what is needed");
        let name = format!("parlor_kill_{:04x}{:04x}", random(u16::MAX), random(u16::MAX));
        let url = server.rsplit_once('/').map(|(host, _)| format!("{host}/{name}")).unwrap();
        let database = Self { server, name, url };
        database.execute("CREATE DATABASE").await;
        database
    }

    async fn execute(&self, what: &str) {
        let mut connection = PgConnection::connect(&self.server).await.unwrap();
        let statement = format!("{what} {}", self.name);
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement)).execute(&mut connection).await.unwrap();
    }
}

/// Ports of the services, in the order in which they are started.
struct Ports {
    settlements: [u16; 2],
    matchmakers: [u16; 2],
    tables: [u16; 3],
    gateways: [u16; 2],
    admin: Vec<u16>,
}

impl Ports {
    fn free() -> Self {
        let ports = free_ports(18);
        let [s0, s1, m0, m1, t0, t1, t2, g0, g1, ref admin @ ..] = ports[..] else {
            unreachable!("18 ports")
        };
        Self {
            settlements: [s0, s1],
            matchmakers: [m0, m1],
            tables: [t0, t1, t2],
            gateways: [g0, g1],
            admin: admin.to_vec(),
        }
    }
}

impl System {
    pub async fn start() -> Self {
        let folder = tempfile::Builder::new().prefix("parlor-kill-").tempdir().unwrap();
        let (redis, database) =
            (RedisCluster::start(folder.path()).await, Database::create().await);
        let mut ports = Ports::free();
        let settlement_url = balance(ports.settlements.to_vec()).await;
        let matchmaking_url = balance(ports.matchmakers.to_vec()).await;
        let table_urls = ports.tables.map(|port| format!("http://127.0.0.1:{port}")).join(",");
        let common = [
            "--dev".to_owned(),
            format!("--settlement-url={settlement_url}"),
            format!("--matchmaking-url={matchmaking_url}"),
            format!("--table-urls={table_urls}"),
            format!("--settlement-database-url={}", database.url),
            format!("--table-redis-url={}", redis.urls()),
            format!("--matchmaking-redis-url={}", redis.urls()),
            format!("--table-lease-ttl-ms={LEASE_MS}"),
        ];
        let mut start = |service: &str, all: &[u16]| -> Vec<Pod> {
            let named = all.iter().enumerate();
            let pods = named.map(|(number, port)| {
                let mut arguments = vec!["run".to_owned(), service.to_owned()];
                arguments.push(format!("--{service}-listen=127.0.0.1:{port}"));
                arguments.push(format!("--admin-listen=127.0.0.1:{}", ports.admin.pop().unwrap()));
                arguments.extend(common.iter().cloned());
                arguments.extend(SETTINGS.map(str::to_owned));
                Pod::start(Recipe {
                    name: format!("{service}-{number}"),
                    program: PathBuf::from(env!("CARGO_BIN_EXE_parlor")),
                    arguments,
                    folder: folder.path().to_owned(),
                })
            });
            pods.collect()
        };
        let settlements = start("settlement", &ports.settlements.clone());
        let tables = start("table", &ports.tables.clone());
        let matchmakers = start("matchmaking", &ports.matchmakers.clone());
        let gateways = start("gateway", &ports.gateways.clone());
        let mut system = Self {
            redis,
            settlements,
            tables,
            gateways,
            matchmakers,
            settlement_url,
            table_ports: ports.tables.to_vec(),
            gateway_ports: ports.gateways.to_vec(),
            database,
            folder,
        };
        let mut all = [&ports.settlements[..], &ports.tables, &ports.matchmakers].concat();
        all.extend(ports.gateways);
        for port in all {
            system.await_health(port).await;
        }
        system
    }

    /// Waits until the service on this port takes requests. Whoever ends by itself meanwhile, since
    /// something that it needs is not there, is started again.
    pub async fn await_health(&mut self, port: u16) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let asked = HealthClient::new(channel(port)).check(HealthCheckRequest::default()).await;
            if asked.is_ok_and(|answer| answer.get_ref().status() == ServingStatus::Serving) {
                return;
            }
            if Instant::now() >= deadline {
                let tails: Vec<String> = self.pods().map(|pod| pod.tail()).collect();
                panic!("port {port} is not healthy:\n{}", tails.join("\n"));
            }
            self.pods().for_each(Pod::revive);
            sleep(Duration::from_millis(50)).await;
        }
    }

    fn pods(&mut self) -> impl Iterator<Item = &mut Pod> {
        let services = self.settlements.iter_mut().chain(&mut self.tables);
        services.chain(&mut self.matchmakers).chain(&mut self.gateways)
    }

    /// The gateways' URLs.
    pub fn gateway_urls(&self) -> Vec<String> {
        self.gateway_ports.iter().map(|port| format!("http://127.0.0.1:{port}")).collect()
    }

    pub fn gateway_port(&self, place: usize) -> u16 {
        self.gateway_ports[place]
    }

    /// The balance of an account, as it lies in the database.
    pub async fn balance(&self, account: &str) -> i64 {
        let mut connection = PgConnection::connect(&self.database.url).await.unwrap();
        let select = sqlx::query_scalar("SELECT balance FROM accounts WHERE account = $1");
        select.bind(account).fetch_one(&mut connection).await.unwrap()
    }

    /// Tables that each table pod owns.
    pub async fn owned(&self) -> Vec<usize> {
        let mut owned = Vec::new();
        for port in &self.table_ports {
            let mut client = TableServiceClient::new(channel(*port));
            let request = ListTablesRequest { page_size: 500, ..ListTablesRequest::default() };
            owned.push(client.list_tables(request).await.unwrap().into_inner().tables.len());
        }
        owned
    }

    /// The table pod with the most tables, of which it has some.
    pub async fn busiest(&self) -> usize {
        let owned = self.owned().await;
        let place = (0..owned.len()).max_by_key(|place| owned[*place]).unwrap();
        assert!(owned[place] > 0, "{owned:?}");
        place
    }

    pub async fn end(mut self) {
        for pods in [&mut self.gateways, &mut self.matchmakers, &mut self.tables] {
            for pod in pods {
                pod.kill().await;
            }
        }
        for pod in &mut self.settlements {
            pod.kill().await;
        }
        self.database.execute("DROP DATABASE").await;
    }
}

/// Whoever wants to know why a run has failed finds its logs.
impl Drop for System {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.folder.disable_cleanup(true);
            println!("the logs are in {}", self.folder.path().display());
        }
    }
}

/// A channel to a service of this run.
pub fn channel(port: u16) -> PeerChannel {
    reach(&format!("http://127.0.0.1:{port}"))
}

/// A channel to the service at this URL.
pub fn reach(url: &str) -> PeerChannel {
    let options = ClientOptions::default().with_token(&DEVELOPMENT_TOKEN.into()).unwrap();
    connect(url, &options).unwrap()
}

/// Shared stores, acknowledged only with a replica, the whole log kept for the check, no limits for
/// one address, short pauses.
const SETTINGS: [&str; 19] = [
    "--log-filter=info,opentelemetry=warn",
    "--table-store=redis",
    "--table-durability=replica",
    "--table-log-keep-entries=1000000",
    "--matchmaking-store=redis",
    "--table-start-delay-ms=0",
    "--table-bot-delay-min-ms=0",
    "--table-bot-delay-max-ms=50",
    "--table-reservation-ms=60000",
    "--table-disconnect-grace-ms=120000",
    "--table-echo",
    "--matchmaking-code-attempts=1000000",
    "--gateway-requests-per-s=0",
    "--gateway-address-requests-per-s=0",
    "--gateway-sign-ins-per-minute=0",
    "--gateway-guests-per-hour=0",
    "--gateway-max-sessions-per-address=0",
    "--gateway-drain-spread-ms=500",
    "--shutdown-timeout-ms=20000",
];
