//! A matchmaking service with table pods behind it, all on ports of their own.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::client::{ClientOptions, PeerChannel, connect};
use parlor_common::locate::StaticTables;
use parlor_common::server::{ServerOptions, serve};
use parlor_common::{Failure, PlayerId, Shutdown};
use parlor_matchmaking::{Config, Peers, run};
use parlor_proto::matchmaking::v1::club_service_client::ClubServiceClient;
use parlor_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use parlor_proto::matchmaking::v1::party_service_client::PartyServiceClient;
use parlor_proto::matchmaking::v1::room_service_client::RoomServiceClient;
use parlor_proto::matchmaking::v1::ticket_update::Update;
use parlor_proto::matchmaking::v1::{EnqueueRequest, Member, TicketUpdate, WatchTicketRequest};
use parlor_proto::table::v1::table_service_server::TableServiceServer;
use tempfile::NamedTempFile;
use tokio::net::TcpListener;
use tonic::Streaming;
use tonic::service::Routes;

use crate::fake_tables::FakeTables;

/// No test waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(20);

pub struct Harness {
    pub tables: FakeTables,
    pub queues: MatchmakingServiceClient<PeerChannel>,
    pub rooms: RoomServiceClient<PeerChannel>,
    pub clubs: ClubServiceClient<PeerChannel>,
    pub parties: PartyServiceClient<PeerChannel>,
    tables_url: String,
    shutdown: Shutdown,
    tables_shutdown: Shutdown,
}

impl Harness {
    /// A service with the built-in queues.
    pub async fn start() -> Self {
        Self::start_with(Config::default()).await
    }

    /// A service with these queues.
    pub async fn start_with_queues(json: &str) -> Self {
        let file = NamedTempFile::new().unwrap();
        std::fs::write(file.path(), json).unwrap();
        let path = Some(file.path().to_owned());
        Self::start_with(Config { matchmaking_queues_file: path, ..Config::default() }).await
    }

    pub async fn start_with(config: Config) -> Self {
        let tables = FakeTables::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let tables_url = format!("http://{}", listener.local_addr().unwrap());
        let tables_shutdown = Shutdown::new();
        let routes = Routes::new(TableServiceServer::new(tables.clone()));
        serve(listener, routes, ServerOptions::new("table"), &tables_shutdown).unwrap();
        Self::start_beside(config, tables, tables_url, tables_shutdown).await
    }

    async fn start_beside(
        config: Config,
        tables: FakeTables,
        tables_url: String,
        tables_shutdown: Shutdown,
    ) -> Self {
        let client = ClientOptions::default();
        let locator = StaticTables::new(&[&tables_url], &client).unwrap();
        let peers = Peers { tables: Arc::new(locator), settlement: None };
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let channel =
            connect(&format!("http://{}", listener.local_addr().unwrap()), &client).unwrap();
        let shutdown = Shutdown::new();
        let options = ServerOptions::new("matchmaking");
        let readiness = options.readiness.clone();
        let serving = run(config, listener, peers, options, shutdown.clone());
        shutdown.spawn("service", async move { serving.await.unwrap() });
        let mut stages = readiness.subscribe();
        let ready = |stage: &parlor_common::readiness::Stage| {
            *stage == parlor_common::readiness::Stage::Ready
        };
        soon(stages.wait_for(ready)).await.unwrap();
        Self {
            tables,
            queues: MatchmakingServiceClient::new(channel.clone()),
            rooms: RoomServiceClient::new(channel.clone()),
            clubs: ClubServiceClient::new(channel.clone()),
            parties: PartyServiceClient::new(channel),
            tables_url,
            shutdown,
            tables_shutdown,
        }
    }

    /// Another replica, next to the same tables.
    pub async fn second(&self, config: Config) -> Self {
        let (tables, url) = (self.tables.clone(), self.tables_url.clone());
        Self::start_beside(config, tables, url, self.tables_shutdown.clone()).await
    }

    /// Ends matchmaking and waits until it has.
    pub async fn stop(self) {
        self.shutdown.finished(PATIENCE).await.unwrap();
    }

    /// Ends matchmaking and starts it afresh, next to the same tables.
    pub async fn restart(self) -> Self {
        self.restart_with(Config::default()).await
    }

    /// Ends matchmaking and starts it afresh with these settings, next to the same tables.
    pub async fn restart_with(self, config: Config) -> Self {
        self.shutdown.finished(PATIENCE).await.unwrap();
        let Self { tables, tables_url, tables_shutdown, .. } = self;
        Self::start_beside(config, tables, tables_url, tables_shutdown).await
    }

    /// Tells matchmaking to end, without waiting.
    pub fn begin_shutdown(&self) {
        self.shutdown.begin();
    }

    /// Ends the table pod.
    pub async fn stop_tables(&self) {
        self.tables_shutdown.finished(PATIENCE).await.unwrap();
    }

    pub async fn enqueue(&mut self, queue: &str, members: &[PlayerId]) -> Result<String, Failure> {
        self.enqueue_as(&PlayerId::random().to_string(), queue, members).await
    }

    pub async fn enqueue_as(
        &mut self,
        request: &str,
        queue: &str,
        members: &[PlayerId],
    ) -> Result<String, Failure> {
        let request = EnqueueRequest {
            request_id: request.to_owned(),
            queue_id: queue.to_owned(),
            members: members.iter().map(member).collect(),
        };
        Ok(soon(self.queues.enqueue(request)).await?.into_inner().ticket_id)
    }

    pub async fn watch(
        &mut self,
        ticket: &str,
        player: PlayerId,
    ) -> Result<Streaming<TicketUpdate>, Failure> {
        let (ticket_id, player_id) = (ticket.to_owned(), player.to_string());
        let request = WatchTicketRequest { ticket_id, player_id };
        Ok(soon(self.queues.watch_ticket(request)).await?.into_inner())
    }

    /// Watches a ticket until it ends.
    pub async fn end_of(&mut self, ticket: &str, player: PlayerId) -> Update {
        let mut updates = self.watch(ticket, player).await.unwrap();
        let mut last = None;
        while let Some(update) = soon(updates.message()).await.unwrap() {
            last = update.update;
        }
        last.unwrap()
    }

    /// Watches a ticket until its player has a seat.
    pub async fn seat_of(&mut self, ticket: &str, player: PlayerId) -> (String, u32) {
        match self.end_of(ticket, player).await {
            Update::Matched(matched) => (matched.table_id, matched.seat),
            other => panic!("not matched but {other:?}"),
        }
    }
}

/// The wire's form of a player.
pub fn member(player: &PlayerId) -> Member {
    Member { player_id: player.to_string(), name: "阿明".to_owned() }
}

/// The future's answer, or a test that fails instead of hanging.
pub async fn soon<T>(future: impl Future<Output = T>) -> T {
    tokio::time::timeout(PATIENCE, future).await.expect("nothing happened")
}
