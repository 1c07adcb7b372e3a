//! A table service with a real ledger behind it, in one folder, that can be stopped and started.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::Parser;
use parlor_common::client::{ClientOptions, PeerChannel, connect};
use parlor_common::locate::StaticTables;
use parlor_common::server::ServerOptions;
use parlor_common::{PlayerId, Shutdown};
use parlor_proto::settlement::v1::history_service_client::HistoryServiceClient;
use parlor_proto::settlement::v1::ledger_service_client::LedgerServiceClient;
use parlor_proto::settlement::v1::{
    DepositRequest, GetBalanceRequest, GetHandRequest, HandRecord, HandSummary, ListHandsRequest,
    ReconcileRequest,
};
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use tokio::net::TcpListener;
use tonic::Status;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    table: parlor_table::Config,
}

pub struct House {
    pub tables: TableServiceClient<PeerChannel>,
    pub ledger: LedgerServiceClient<PeerChannel>,
    pub history: HistoryServiceClient<PeerChannel>,
    shutdown: Shutdown,
}

impl House {
    /// Starts both services with their files in `folder`; pauses are as short as they can be.
    pub async fn start(folder: &Path) -> Self {
        Self::start_with(folder, &[]).await
    }

    /// Starts both services with further flags of the table service.
    pub async fn start_with(folder: &Path, flags: &[&str]) -> Self {
        Self::start_as(folder, flags, |_| {}).await
    }

    /// Starts them also with a ledger whose settings `change` has seen.
    pub async fn start_as(
        folder: &Path,
        flags: &[&str],
        change: impl FnOnce(&mut parlor_settlement::Config),
    ) -> Self {
        let _ = tracing_subscriber::fmt().with_test_writer().with_env_filter("info").try_init();
        let shutdown = Shutdown::new();
        let database = format!("sqlite://{}", folder.join("ledger.db").display());
        let (settlement, listener) = (bind().await, bind().await);
        let (ledger, table) = (channel(&settlement), channel(&listener));
        let mut config = parlor_settlement::Config::with_database(&database);
        change(&mut config);
        let tables = StaticTables::new(&[url(&listener)], &ClientOptions::default()).unwrap();
        let (options, tables) = (ServerOptions::new("settlement"), Arc::new(tables));
        shutdown.spawn(
            "settlement",
            parlor_settlement::run(config, options, settlement, tables, shutdown.clone()),
        );
        let store = folder.join("tables.redb");
        let usual = [
            "test",
            "--table-store-path",
            store.to_str().unwrap(),
            "--table-start-delay-ms=0",
            "--table-auto-play-delay-ms=0",
        ];
        let flags = Flags::parse_from(usual.iter().chain(flags));
        let (config, options) = (flags.table, ServerOptions::new("table"));
        let (settlement, peers) = (ledger.clone(), ClientOptions::default());
        let service =
            parlor_table::run(config, options, listener, settlement, peers, shutdown.clone());
        shutdown.spawn("table", service);
        let house = Self {
            tables: TableServiceClient::new(table),
            ledger: LedgerServiceClient::new(ledger.clone()),
            history: HistoryServiceClient::new(ledger),
            shutdown,
        };
        house.until_it_answers().await;
        house
    }

    async fn until_it_answers(&self) {
        let mut tables = self.tables.clone();
        while tables.list_tables(pb::ListTablesRequest::default()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    pub async fn stop(self) {
        self.shutdown.begin();
        self.shutdown.finished(Duration::from_secs(10)).await.unwrap();
    }

    pub async fn grant(&self, player: PlayerId, amount: i64) {
        let request = DepositRequest {
            idempotency_key: format!("welcome/{player}"),
            player_id: player.to_string(),
            amount,
            reason: "welcome".into(),
        };
        self.ledger.clone().deposit(request).await.unwrap();
    }

    /// Wallet and chips at tables.
    pub async fn worth(&self, player: PlayerId) -> (i64, i64) {
        let request = GetBalanceRequest { player_id: player.to_string() };
        let balance = self.ledger.clone().get_balance(request).await.unwrap().into_inner();
        (balance.balance, balance.held)
    }

    /// Waits until the player has nothing at tables any more; the wallet then.
    pub async fn cashed_out(&self, player: PlayerId) -> i64 {
        let released = async {
            loop {
                match self.worth(player).await {
                    (wallet, 0) => return wallet,
                    _ => tokio::time::sleep(Duration::from_millis(20)).await,
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(60), released).await.unwrap()
    }

    /// The stored record of a hand, as its player gets it.
    pub async fn hand(&self, hand_id: &str, player: PlayerId) -> Result<HandRecord, Status> {
        let player_id = player.to_string();
        let request = GetHandRequest { hand_id: hand_id.to_owned(), player_id };
        let answer = self.history.clone().get_hand(request).await?;
        Ok(answer.into_inner().hand.unwrap())
    }

    /// The player's hands, newest first.
    pub async fn hands(&self, player: PlayerId) -> Vec<HandSummary> {
        let request = ListHandsRequest { player_id: player.to_string(), ..Default::default() };
        self.history.clone().list_hands(request).await.unwrap().into_inner().hands
    }

    /// The ledger's proof of itself.
    pub async fn assert_books_are_sound(&self) {
        let proof = self.ledger.clone().reconcile(ReconcileRequest {}).await.unwrap().into_inner();
        assert_eq!(
            (proof.sum, proof.mismatches, proof.overdrawn, proof.broken_links),
            (0, 0, 0, 0)
        );
    }

    pub async fn act(
        &self,
        table_id: &str,
        player: PlayerId,
        request_id: &str,
        command: pb::command::Command,
    ) -> Result<u64, Status> {
        let request = pb::ActRequest {
            table_id: table_id.to_owned(),
            player_id: player.to_string(),
            request_id: request_id.to_owned(),
            command: Some(pb::Command { command: Some(command) }),
            player_name: "Tester".into(),
        };
        self.tables.clone().act(request).await.map(|response| response.into_inner().log_seq)
    }

    pub async fn watch(&self, table_id: &str, player: Option<PlayerId>) -> Result<Watch, Status> {
        let request = pb::WatchRequest {
            table_id: table_id.to_owned(),
            player_id: player.map(|player| player.to_string()).unwrap_or_default(),
            with_views: true,
        };
        let stream = self.tables.clone().watch(request).await?.into_inner();
        Ok(Watch { stream, seq: None, view: pb::TableView::default(), events: Vec::new() })
    }
}

/// One viewer of a table, who checks that nothing is missing.
pub struct Watch {
    stream: tonic::Streaming<pb::WatchResponse>,
    seq: Option<u64>,
    pub view: pb::TableView,
    pub events: Vec<pb::table_event::Event>,
}

impl Watch {
    /// Waits for the next message and takes it in.
    pub async fn next(&mut self) -> Result<(), Status> {
        let next = tokio::time::timeout(Duration::from_secs(20), self.stream.message());
        let message = next.await.expect("a message in time")?.ok_or(Status::cancelled("end"))?;
        match message.message.unwrap() {
            pb::watch_response::Message::Resync(resync) => {
                self.seq = Some(resync.seq);
                self.view = resync.view.unwrap();
            }
            pb::watch_response::Message::Update(update) => {
                assert_eq!(Some(update.seq), self.seq.map(|seq| seq + 1), "no gap and no double");
                self.seq = Some(update.seq);
                self.view = update.view.unwrap_or_else(|| std::mem::take(&mut self.view));
                self.events.extend(update.events.into_iter().filter_map(|one| one.event));
            }
        }
        Ok(())
    }

    /// Waits until the view is as wished.
    pub async fn until(&mut self, wished: impl Fn(&pb::TableView) -> bool) {
        while !wished(&self.view) {
            self.next().await.unwrap();
        }
    }
}

pub async fn bind() -> TcpListener {
    TcpListener::bind("127.0.0.1:0").await.unwrap()
}

fn url(listener: &TcpListener) -> String {
    format!("http://{}", listener.local_addr().unwrap())
}

pub fn channel(listener: &TcpListener) -> PeerChannel {
    connect(&url(listener), &ClientOptions::default()).unwrap()
}
