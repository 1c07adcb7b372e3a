//! A Redis Cluster of three masters and three replicas, of which the master of matchmaking's slot
//! is killed while players come in: nobody is seated twice, and nobody is stuck.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use parlor_common::client::PeerChannel;
use parlor_common::{Failure, PlayerId};
use parlor_matchmaking::Config;
use parlor_matchmaking::config::StoreKind;
use parlor_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use parlor_proto::matchmaking::v1::ticket_update::Update;
use parlor_proto::matchmaking::v1::{EnqueueRequest, TicketClosed, WatchTicketRequest};
use parlor_proto::table::v1::Phase;
use tempfile::{NamedTempFile, TempDir};

use crate::harness::{Harness, member, soon};

type Client = MatchmakingServiceClient<PeerChannel>;

const QUEUES: &str = r#"{"queues": [{"id": "pair", "players": 2, "ticket_ttl_ms": 60000,
    "settings": {"options": {"mahjong": {}}, "stakeMode": "STAKE_MODE_POINTS", "seats": 2}}]}"#;

const NODES: usize = 6;
const TAG: &str = "failover";

/// Servers of their own, which end with the test.
struct Cluster {
    nodes: BTreeMap<u16, Child>,
    _folder: TempDir,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        for node in self.nodes.values_mut() {
            let _ = node.kill();
            let _ = node.wait();
        }
    }
}

impl Cluster {
    /// `None` where there is no Redis to start.
    async fn start() -> Option<Self> {
        let there = Command::new("redis-server").arg("--version").stdout(Stdio::null()).status();
        if !there.is_ok_and(|status| status.success()) {
            assert!(std::env::var_os("PARLOR_TEST_REQUIRE_SERVICES").is_none(), "no redis-server");
            println!("skipped: there is no redis-server");
            return None;
        }
        let folder = TempDir::new().unwrap();
        let nodes = free_ports().into_iter().map(|port| (port, node(port, folder.path())));
        let cluster = Self { nodes: nodes.collect(), _folder: folder };
        let all: Vec<String> = cluster.nodes.keys().map(|port| address(*port)).collect();
        for port in cluster.nodes.keys() {
            until(|| cli(*port, &["PING"]).starts_with("PONG")).await;
        }
        let mut create = Command::new("redis-cli");
        create.args(["--cluster", "create"]).args(&all);
        let create = create.args(["--cluster-replicas", "1", "--cluster-yes"]).output().unwrap();
        assert!(create.status.success(), "{}", String::from_utf8_lossy(&create.stdout));
        for port in cluster.nodes.keys() {
            until(|| cli(*port, &["CLUSTER", "INFO"]).contains("cluster_state:ok")).await;
        }
        // A master is replaced only by a replica that has its data.
        for port in cluster.nodes.keys() {
            let linked = || {
                let state = cli(*port, &["INFO", "replication"]);
                state.contains("role:master") || state.contains("master_link_status:up")
            };
            until(linked).await;
        }
        Some(cluster)
    }

    fn urls(&self) -> String {
        let urls: Vec<String> =
            self.nodes.keys().map(|port| format!("redis://{}", address(*port))).collect();
        urls.join(",")
    }

    /// The port of the master of a key's slot, as the cluster sees it.
    fn master_of(&self, key: &str) -> Option<u16> {
        let asked = *self.nodes.keys().next().unwrap();
        let slot: u32 = cli(asked, &["CLUSTER", "KEYSLOT", key]).trim().parse().ok()?;
        let nodes = cli(asked, &["CLUSTER", "NODES"]);
        let holds = |line: &&str| {
            line.contains("master")
                && line.split(' ').skip(8).any(|range| {
                    let (first, last) = range.split_once('-').unwrap_or((range, range));
                    let slots = first.parse().ok().zip(last.parse().ok());
                    slots.is_some_and(|(first, last): (u32, u32)| (first..=last).contains(&slot))
                })
        };
        let address = nodes.lines().find(holds)?.split(' ').nth(1)?.to_owned();
        address.split('@').next()?.rsplit(':').next()?.parse().ok()
    }

    fn kill(&mut self, port: u16) {
        let mut node = self.nodes.remove(&port).unwrap();
        node.kill().unwrap();
        node.wait().unwrap();
    }
}

fn free_ports() -> Vec<u16> {
    let mut ports = Vec::new();
    let mut held = Vec::new();
    while ports.len() < NODES {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        // The nodes speak with each other on a port that is 10000 higher.
        if port < 55_000 && TcpListener::bind(("127.0.0.1", port + 10_000)).is_ok() {
            ports.push(port);
        }
        held.push(listener);
    }
    ports
}

fn address(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

fn node(port: u16, folder: &std::path::Path) -> Child {
    let mut server = Command::new("redis-server");
    server.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", ""]);
    server.args(["--appendonly", "no", "--cluster-enabled", "yes"]);
    server.args(["--cluster-node-timeout", "1500"]);
    server.arg("--cluster-config-file").arg(folder.join(format!("{port}.conf")));
    server.arg("--dir").arg(folder).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

fn cli(port: u16, command: &[&str]) -> String {
    let answer = Command::new("redis-cli").args(["-p", &port.to_string()]).args(command).output();
    String::from_utf8_lossy(&answer.unwrap().stdout).into_owned()
}

async fn until(holds: impl Fn() -> bool) {
    soon(async {
        while !holds() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    })
    .await;
}

/// A player who wants a seat, whatever happens, as a client that asks again when it must.
async fn seat(mut client: Client, player: PlayerId) -> String {
    let mut request = 0;
    loop {
        let message = EnqueueRequest {
            request_id: format!("request {request}"),
            queue_id: "pair".to_owned(),
            members: vec![member(&player)],
        };
        let failure = match soon(client.enqueue(message)).await.map_err(Failure::from) {
            Ok(ticket) => match end_of(&mut client, ticket.into_inner().ticket_id, player).await {
                Some(Update::Matched(matched)) => return matched.table_id,
                Some(Update::Closed(_)) => None,
                _ => continue,
            },
            Err(failure) => Some(failure),
        };
        match failure {
            // The ticket was lost with the master: another one.
            None => request += 1,
            Some(failure) => match failure.metadata.get("table_id") {
                // The news of the match were lost with the master.
                Some(table) if failure.reason == "ALREADY_SEATED" => return table.clone(),
                _ => tokio::time::sleep(Duration::from_millis(100)).await,
            },
        }
    }
}

async fn end_of(client: &mut Client, ticket_id: String, player: PlayerId) -> Option<Update> {
    let request = WatchTicketRequest { ticket_id, player_id: player.to_string() };
    let mut updates = match soon(client.watch_ticket(request)).await.map_err(Failure::from) {
        Ok(updates) => updates.into_inner(),
        Err(failure) if failure.reason == "TICKET_NOT_FOUND" => {
            return Some(Update::Closed(TicketClosed { reason: "lost".to_owned() }));
        }
        Err(_) => {
            tokio::time::sleep(Duration::from_millis(100)).await;
            return None;
        }
    };
    let mut last = None;
    while let Ok(Some(update)) = soon(updates.message()).await {
        last = update.update;
    }
    last
}

#[tokio::test(flavor = "multi_thread")]
async fn the_death_of_the_master_seats_nobody_twice_and_leaves_nobody_waiting() {
    let Some(mut cluster) = Cluster::start().await else { return };
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), QUEUES).unwrap();
    let config = Config {
        matchmaking_store: StoreKind::Redis,
        matchmaking_redis_url: Some(cluster.urls().into()),
        matchmaking_redis_tag: TAG.to_owned(),
        matchmaking_queues_file: Some(file.path().to_owned()),
        ..Config::default()
    };
    let first = Harness::start_with(config.clone()).await;
    let second = first.second(config).await;
    let players: Vec<PlayerId> = (0..40).map(|_| PlayerId::random()).collect();
    let mut seated = tokio::task::JoinSet::new();
    for (number, player) in players.iter().enumerate() {
        let client = if number % 2 == 0 { first.queues.clone() } else { second.queues.clone() };
        let player = *player;
        seated.spawn(async move { (player, seat(client, player).await) });
        if number == players.len() / 2 {
            let master = cluster.master_of(&format!("{{{TAG}}}:states")).unwrap();
            cluster.kill(master);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let told: BTreeMap<PlayerId, String> =
        tokio::time::timeout(Duration::from_secs(60), seated.join_all())
            .await
            .expect("somebody is stuck")
            .into_iter()
            .collect();
    let state = first.tables.state();
    for player in &players {
        let id = player.to_string();
        let open: Vec<String> = state
            .tables
            .values()
            .filter(|table| table.phase() != Phase::Closed)
            .filter(|table| table.seats.iter().any(|seat| seat.player_id == id))
            .map(|table| table.table_id.clone())
            .collect();
        assert_eq!(open, [told[player].clone()], "{player}");
    }
}
