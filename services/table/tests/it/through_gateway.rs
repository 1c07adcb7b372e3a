//! Sessions at a gateway while the owners of their tables die and leave.

use std::sync::Arc;

use clap::Parser;
use parlor_common::client::{ClientOptions, PeerChannel, connect};
use parlor_common::locate::LiveTables;
use parlor_common::readiness::Readiness;
use parlor_common::server::ServerOptions;
use parlor_common::{Clock, Shutdown};
use parlor_proto::gateway::v1 as gw;
use parlor_proto::gateway::v1::auth_service_client::AuthServiceClient;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command as Ask;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::session_service_client::SessionServiceClient;
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::command::Command;
use parlor_proto::table::v1::table_event::Event;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use tokio::sync::mpsc;
use tokio::time::{Duration, Instant};
use tokio_stream::wrappers::ReceiverStream;

use crate::blackjack;
use crate::house::{bind, channel};
use crate::pods::{PATIENCE, Pods, until};
use crate::stores::service_url;

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    gateway: parlor_gateway::Config,
}

/// Matchmaking and a gateway before the pods.
async fn gateway(pods: &Pods, shutdown: &Shutdown) -> PeerChannel {
    let listener = bind().await;
    let url = format!("http://{}", listener.local_addr().unwrap());
    let settlement = connect(&pods.ledger_url, &ClientOptions::default()).unwrap();
    let lobby = bind().await;
    let matchmaking = channel(&lobby);
    let peers = parlor_matchmaking::Peers { tables: Arc::new(pods.locator()), settlement: None };
    let (config, options) = (parlor_matchmaking::Config::default(), ServerOptions::new("lobby"));
    let run = parlor_matchmaking::run(config, lobby, peers, options, shutdown.clone());
    shutdown.spawn("matchmaking", async move { run.await.unwrap() });
    let config = Flags::parse_from(["test", "--gateway-requests-per-s=0"]).gateway;
    let tables = Arc::new(pods.locator());
    let peers = parlor_gateway::Peers { tables, matchmaking, settlement };
    let (readiness, clock) = (Readiness::new("gateway"), Clock::system());
    let run = parlor_gateway::run(config, listener, peers, readiness, clock, shutdown.clone());
    shutdown.spawn("gateway", async move { run.await.unwrap() });
    connect(&url, &ClientOptions::default()).unwrap()
}

/// A player at one table, who says again and again whether it is ready.
struct Client {
    send: mpsc::Sender<gw::ClientFrame>,
    frames: tonic::Streaming<gw::ServerFrame>,
    table_id: String,
    player_id: String,
    seq: Option<u64>,
    view: pb::TableView,
    resyncs: usize,
    requests: u32,
    /// Whether the player was said to be ready, update by update.
    told: Vec<bool>,
    longest: Duration,
}

impl Client {
    /// Signs in, has a table opened and watches it.
    async fn seated(gateway: PeerChannel, locator: &LiveTables) -> Self {
        use parlor_common::locate::TableLocator as _;
        let mut auth = AuthServiceClient::new(gateway.clone());
        let guest = until(async || {
            let request = gw::SignInGuestRequest { name: "Ada".into() };
            auth.sign_in_guest(request).await.ok().map(tonic::Response::into_inner)
        })
        .await;
        let player = guest.player_id.parse().unwrap();
        let mut request = blackjack::request(&format!("r-{player}"), player);
        let settings = request.settings.as_mut().unwrap();
        // Alone, and so never in a hand.
        (settings.fill_with_bots, settings.always_ready) = (false, false);
        let pod = locator.place().await.unwrap();
        let created = TableServiceClient::new(pod.channel).create_table(request).await.unwrap();
        let (send, sent) = mpsc::channel(16);
        let frames = SessionServiceClient::new(gateway).connect(ReceiverStream::new(sent)).await;
        let mut client = Self {
            send,
            frames: frames.unwrap().into_inner(),
            table_id: created.into_inner().table_id,
            player_id: guest.player_id,
            seq: None,
            view: pb::TableView::default(),
            resyncs: 0,
            requests: 0,
            told: Vec::new(),
            longest: Duration::ZERO,
        };
        let hello = gw::Hello {
            access_token: guest.access_token,
            with_views: true,
            ..gw::Hello::default()
        };
        client.send(Out::Hello(hello)).await;
        // Whoever watches takes the seat that is reserved.
        let watch = gw::Watch { table_id: client.table_id.clone() };
        client.ask(Ask::Watch(watch)).await;
        while client.seat().occupant != pb::Occupant::Player as i32 {
            client.next().await;
        }
        client
    }

    async fn send(&self, frame: Out) {
        self.send.send(gw::ClientFrame { frame: Some(frame) }).await.unwrap();
    }

    fn seat(&self) -> pb::SeatView {
        let own = self.view.seats.iter().find(|seat| seat.player_id == self.player_id);
        own.cloned().unwrap_or_default()
    }

    /// Takes the next frame in, and checks that nothing is missing before it.
    async fn next(&mut self) -> In {
        let frame = tokio::time::timeout(PATIENCE, self.frames.message()).await;
        let frame = frame.expect("a frame in time").unwrap().unwrap().frame.unwrap();
        match &frame {
            In::Resync(resync) => {
                self.resyncs += 1;
                self.seq = Some(resync.seq);
                self.view = resync.view.clone().unwrap();
            }
            In::Update(update) => {
                assert_eq!(Some(update.seq), self.seq.map(|seq| seq + 1), "no gap and no double");
                self.seq = Some(update.seq);
                self.view = update.view.clone().unwrap_or_else(|| self.view.clone());
                for event in update.events.iter().filter_map(|one| one.event.as_ref()) {
                    let Event::SeatChanged(pb::SeatChanged { seat: Some(seat) }) = event else {
                        continue;
                    };
                    if seat.player_id == self.player_id && self.told.last() != Some(&seat.ready) {
                        self.told.push(seat.ready);
                    }
                }
            }
            In::Error(_) | In::TableLeft(_) | In::GoAway(_) => panic!("unexpected: {frame:?}"),
            _ => {}
        }
        frame
    }

    async fn ask(&mut self, command: Ask) {
        self.requests += 1;
        let id = format!("q-{}", self.requests);
        let asked = Instant::now();
        self.send(Out::Request(gw::Request { id: id.clone(), command: Some(command) })).await;
        loop {
            if let In::Response(response) = self.next().await
                && response.id == id
            {
                let done = matches!(response.result, Some(Reply::Done(_)));
                assert!(done, "{response:?}");
                self.longest = self.longest.max(asked.elapsed());
                return;
            }
        }
    }

    async fn act(&mut self, command: Command) {
        let command = Some(pb::Command { command: Some(command) });
        let table = gw::TableCommand { table_id: self.table_id.clone(), command };
        self.ask(Ask::Table(table)).await;
    }

    /// Says so many times the opposite of what it said before, and sees that each was taken once.
    async fn play(&mut self, times: usize) {
        for _ in 0..times {
            let ready = !self.seat().ready;
            self.act(Command::Ready(pb::Ready { ready })).await;
            while self.seat().ready != ready {
                self.next().await;
            }
        }
    }
}

async fn owner_index(pods: &Pods, table_id: &str) -> usize {
    until(async || {
        for (index, pod) in pods.pods.iter().enumerate() {
            if pod.tables_owned().await.iter().any(|owned| owned == table_id) {
                return Some(index);
            }
        }
        None
    })
    .await
}

#[tokio::test]
async fn a_session_outlives_the_owners_of_its_table() {
    let Some(urls) = service_url("PARLOR_TEST_REDIS_CLUSTER_URLS") else { return };
    let mut pods = Pods::start(&urls, "replica", 3).await;
    let locator = pods.locator();
    let shutdown = Shutdown::new();
    let gateway = gateway(&pods, &shutdown).await;
    let mut client = Client::seated(gateway, &locator).await;
    client.play(5).await;

    let (told, resyncs) = (client.told.len(), client.resyncs);
    client.longest = Duration::ZERO;
    let leaver = pods.pods.remove(owner_index(&pods, &client.table_id).await);
    let ((), ()) = tokio::join!(client.play(200), leaver.end());
    client.play(5).await;
    assert_eq!(client.told.len(), told + 205, "each command is carried out once");
    assert_eq!(client.resyncs, resyncs, "the row of updates goes on at the next owner");
    println!("a planned change of owner was felt for {:?}", client.longest);

    client.longest = Duration::ZERO;
    pods.add();
    pods.until_up(3).await;
    let sleeper = owner_index(&pods, &client.table_id).await;
    let stopped = pods.pods[sleeper].stop().await;
    client.play(20).await;
    println!("the pause of the owner was felt for {:?}", client.longest);
    drop(stopped);
    client.play(20).await;
    pods.until_up(3).await;
    // Who slept has nothing left, and goes.
    let sleeper = pods.pods.remove(sleeper);
    assert_eq!(sleeper.tables_owned().await, [""; 0]);
    sleeper.end().await;

    client.longest = Duration::ZERO;
    let victim = pods.pods.remove(owner_index(&pods, &client.table_id).await);
    client.play(5).await;
    victim.kill();
    client.play(20).await;
    assert_eq!(owner_index(&pods, &client.table_id).await, 0, "the last pod has it");
    println!("the death of the owner was felt for {:?}", client.longest);
    shutdown.begin();
}
