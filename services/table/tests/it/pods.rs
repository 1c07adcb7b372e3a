//! Several table services on one store, each in a thread and runtime of its own, so that one can
//! die or stand still without the others.

use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use parlor_common::client::{ClientOptions, PeerChannel, connect};
use parlor_common::locate::{LiveTables, StaticTables, TableLocator};
use parlor_common::server::ServerOptions;
use parlor_common::{Failure, PlayerId, Shutdown, TableId};
use parlor_proto::settlement::v1::DepositRequest;
use parlor_proto::settlement::v1::ledger_service_client::LedgerServiceClient;
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::placement_service_client::PlacementServiceClient;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use tokio::net::TcpListener;
use tokio::runtime::Builder;
use tokio::sync::mpsc;

use crate::blackjack;
use crate::house::{bind, channel};

/// Longest wait for anything here; far more than it takes.
pub const PATIENCE: Duration = Duration::from_secs(30);

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    table: parlor_table::Config,
}

enum Order {
    /// The process is killed.
    Die,
    /// The process is told to end.
    End,
    /// The process stands still until the sender is dropped.
    Stop(std::sync::mpsc::Receiver<()>),
}

/// One table service.
pub struct Pod {
    pub url: String,
    pub tables: TableServiceClient<PeerChannel>,
    orders: mpsc::Sender<Order>,
    thread: Option<std::thread::JoinHandle<()>>,
}

/// A pod that stands still for as long as this lives.
pub struct Stopped {
    _going: std::sync::mpsc::SyncSender<()>,
}

impl Pod {
    fn start(flags: &[String], ledger_url: &str) -> Self {
        let config = Flags::parse_from(flags).table;
        let ledger_url = ledger_url.to_owned();
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (orders, received) = mpsc::channel(1);
        let runtime = Builder::new_current_thread().enable_all().build().unwrap();
        let thread = std::thread::spawn(move || {
            runtime.block_on(live(config, listener, ledger_url, received));
            // Whatever has not ended by now is dropped where it stands.
            runtime.shutdown_background();
        });
        let tables = TableServiceClient::new(connect(&url, &ClientOptions::default()).unwrap());
        Self { url, tables, orders, thread: Some(thread) }
    }

    /// Kills it: nothing is written, released or answered any more.
    pub fn kill(mut self) {
        self.orders.try_send(Order::Die).unwrap();
        self.thread.take().unwrap().join().unwrap();
    }

    /// Tells it to end, and waits until it has.
    pub async fn end(mut self) {
        self.orders.send(Order::End).await.unwrap();
        let thread = self.thread.take().unwrap();
        tokio::task::spawn_blocking(|| thread.join().unwrap()).await.unwrap();
    }

    /// Lets it stand still.
    pub async fn stop(&self) -> Stopped {
        let (going, stopped) = std::sync::mpsc::sync_channel(0);
        self.orders.send(Order::Stop(stopped)).await.unwrap();
        Stopped { _going: going }
    }

    pub async fn tables_owned(&self) -> Vec<String> {
        let request = pb::ListTablesRequest { page_size: 500, ..Default::default() };
        let listed = self.tables.clone().list_tables(request).await.unwrap().into_inner();
        listed.tables.into_iter().map(|table| table.table_id).collect()
    }
}

async fn live(
    config: parlor_table::Config,
    listener: std::net::TcpListener,
    ledger_url: String,
    mut orders: mpsc::Receiver<Order>,
) {
    let shutdown = Shutdown::new();
    let listener = TcpListener::from_std(listener).unwrap();
    let ledger = connect(&ledger_url, &ClientOptions::default()).unwrap();
    let (options, peers) = (ServerOptions::new("table"), ClientOptions::default());
    let service = parlor_table::run(config, options, listener, ledger, peers, shutdown.clone());
    shutdown.spawn("table", async move { service.await.unwrap() });
    while let Some(order) = orders.recv().await {
        match order {
            Order::Die => return,
            Order::End => break,
            // The only thread of the runtime: everything stands still.
            Order::Stop(until) => drop(until.recv()),
        }
    }
    shutdown.finished(PATIENCE).await.unwrap();
}

/// Table services that share a Redis, with a ledger.
pub struct Pods {
    pub pods: Vec<Pod>,
    pub ledger: LedgerServiceClient<PeerChannel>,
    flags: Vec<String>,
    pub ledger_url: String,
    /// Of the ledger.
    _shutdown: Shutdown,
    _folder: tempfile::TempDir,
}

impl Pods {
    /// Starts `count` of them, on a store of their own in the Redis at `urls`.
    pub async fn start(urls: &str, durability: &str, count: usize) -> Self {
        let _ = tracing_subscriber::fmt().with_test_writer().with_env_filter("info").try_init();
        let (shutdown, folder) = (Shutdown::new(), tempfile::tempdir().unwrap());
        let settlement = bind().await;
        let ledger_url = format!("http://{}", settlement.local_addr().unwrap());
        let ledger = LedgerServiceClient::new(channel(&settlement));
        let database = format!("sqlite://{}", folder.path().join("ledger.db").display());
        let config = parlor_settlement::Config::with_database(&database);
        let options = ServerOptions::new("settlement");
        // No table is lost for as long as its ledger would wait before it believes it.
        let nowhere = StaticTables::new(&["http://127.0.0.1:9"], &ClientOptions::default());
        let tables = Arc::new(nowhere.unwrap());
        shutdown.spawn(
            "settlement",
            parlor_settlement::run(config, options, settlement, tables, shutdown.clone()),
        );
        let flags = [
            "test".to_owned(),
            "--table-store=redis".into(),
            format!("--table-redis-url={urls}"),
            format!("--table-redis-tag=test-{}", TableId::random()),
            format!("--table-durability={durability}"),
            "--table-lease-ttl-ms=1000".into(),
            "--table-start-delay-ms=0".into(),
            "--table-auto-play-delay-ms=0".into(),
        ];
        let (flags, pods) = (flags.to_vec(), Vec::new());
        let mut this =
            Self { pods, ledger, flags, ledger_url, _shutdown: shutdown, _folder: folder };
        for _ in 0..count {
            this.add();
        }
        this.until_up(count).await;
        this
    }

    pub fn add(&mut self) {
        self.pods.push(Pod::start(&self.flags, &self.ledger_url));
    }

    /// A locator that knows one of the pods.
    pub fn locator(&self) -> LiveTables {
        LiveTables::new(&[&self.pods[0].url], &ClientOptions::default()).unwrap()
    }

    /// Waits until every pod sees so many that take tables.
    pub async fn until_up(&self, count: usize) {
        for pod in &self.pods {
            let channel = connect(&pod.url, &ClientOptions::default()).unwrap();
            let mut placement = PlacementServiceClient::new(channel);
            until(async || {
                let pods =
                    placement.list_pods(pb::ListPodsRequest {}).await.ok()?.into_inner().pods;
                let open = pods.iter().filter(|pod| !pod.departed && !pod.draining).count();
                let ready = pod.tables.clone().list_tables(pb::ListTablesRequest::default()).await;
                (open == count && pods.len() == count && ready.is_ok()).then_some(())
            })
            .await;
        }
    }

    pub async fn grant(&self, player: PlayerId) {
        let request = DepositRequest {
            idempotency_key: format!("welcome/{player}"),
            player_id: player.to_string(),
            amount: 10_000,
            reason: "welcome".into(),
        };
        self.ledger.clone().deposit(request).await.unwrap();
    }

    /// A table with one player and bots, where `locator` places it.
    pub async fn table(&self, locator: &LiveTables) -> (PlayerId, TableId) {
        let player = PlayerId::random();
        self.grant(player).await;
        let request = blackjack::request(&format!("r-{player}"), player);
        let pod = locator.place().await.unwrap();
        let created = TableServiceClient::new(pod.channel).create_table(request).await.unwrap();
        (player, created.into_inner().table_id.parse().unwrap())
    }
}

/// Asks until there is an answer.
pub async fn until<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asking).await.expect("an answer in time")
}

/// Acts at a table wherever it is, as a gateway does: again with the same id until it is answered.
pub async fn act(
    locator: &LiveTables,
    table: TableId,
    player: PlayerId,
    request_id: &str,
    command: &pb::command::Command,
) -> Result<u64, Failure> {
    let request = pb::ActRequest {
        table_id: table.to_string(),
        player_id: player.to_string(),
        request_id: request_id.to_owned(),
        command: Some(pb::Command { command: Some(command.clone()) }),
        player_name: "Tester".into(),
    };
    until(async || {
        let pod = locator.owner(&table).await.ok()?;
        let answer = TableServiceClient::new(pod.channel).act(request.clone()).await;
        match answer.map_err(Failure::from) {
            Ok(answer) => Some(Ok(answer.into_inner().log_seq)),
            Err(failure) if failure.code.retryable() => {
                locator.forget(&table);
                None
            }
            Err(failure) => Some(Err(failure)),
        }
    })
    .await
}

/// A spectator's view of a table wherever it is.
pub async fn view(locator: &LiveTables, table: TableId) -> pb::TableView {
    until(async || {
        let pod = locator.owner(&table).await.ok()?;
        let request = pb::GetTableRequest { table_id: table.to_string() };
        let answer = TableServiceClient::new(pod.channel).get_table(request).await;
        if answer.is_err() {
            locator.forget(&table);
        }
        answer.ok()?.into_inner().table
    })
    .await
}

/// The URL of a table's owner, as any pod that lives says.
pub async fn owner(locator: &Arc<LiveTables>, table: TableId) -> String {
    until(async || {
        locator.forget(&table);
        Some(locator.owner(&table).await.ok()?.address.to_string())
    })
    .await
}
