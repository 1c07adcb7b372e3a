//! A Redis Cluster of three masters and three replicas, of which the master of matchmaking's slot
//! is killed while players come in: nobody is seated twice, and nobody is stuck.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use parlor_common::client::PeerChannel;
use parlor_common::{Failure, PlayerId};
use parlor_matchmaking::Config;
use parlor_matchmaking::config::StoreKind;
use parlor_matchmaking::store::redis::Durability;
use parlor_proto::matchmaking::v1::matchmaking_service_client::MatchmakingServiceClient;
use parlor_proto::matchmaking::v1::ticket_update::Update;
use parlor_proto::matchmaking::v1::{EnqueueRequest, TicketClosed, WatchTicketRequest};
use parlor_proto::table::v1::Phase;
use tempfile::{NamedTempFile, TempDir};

use crate::harness::{Harness, member, soon};
use crate::redis_nodes::{Node, cli, free_ports, is_there, until};

type Client = MatchmakingServiceClient<PeerChannel>;

const QUEUES: &str = r#"{"queues": [{"id": "pair", "players": 2, "ticket_ttl_ms": 60000,
    "settings": {"options": {"mahjong": {}}, "stakeMode": "STAKE_MODE_POINTS", "seats": 2}}]}"#;

const NODES: usize = 6;

/// Servers of their own, which end with the test.
struct Cluster {
    nodes: BTreeMap<u16, Node>,
    folder: TempDir,
}

impl Cluster {
    /// `None` where there is no Redis to start.
    async fn start() -> Option<Self> {
        if !is_there() {
            return None;
        }
        let folder = TempDir::new().unwrap();
        let start = |port| (port, start_node(port, folder.path()));
        let nodes = free_ports(NODES).into_iter().map(start).collect();
        let cluster = Self { nodes, folder };
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
        drop(self.nodes.remove(&port).unwrap());
    }

    /// Once its replica has taken its place, a node that was killed comes back as the replica.
    async fn revive(&mut self, port: u16, key: &str) {
        until(|| self.master_of(key).is_some_and(|master| master != port)).await;
        self.nodes.insert(port, start_node(port, self.folder.path()));
    }
}

fn start_node(port: u16, folder: &Path) -> Node {
    let conf = folder.join(format!("{port}.conf"));
    let settings = ["--cluster-enabled", "yes", "--cluster-node-timeout", "1500"];
    let conf = ["--cluster-config-file", conf.to_str().unwrap()];
    Node::start(port, folder, &[&settings[..], &conf].concat())
}

fn address(port: u16) -> String {
    format!("127.0.0.1:{port}")
}

/// A player who wants a seat, whatever happens, as a client that asks again when it must. Its
/// table, and how many tickets were lost.
async fn seat(mut client: Client, player: PlayerId) -> (String, u32) {
    let mut request = 0;
    loop {
        let message = EnqueueRequest {
            request_id: format!("request {request}"),
            queue_id: "pair".to_owned(),
            members: vec![member(&player)],
        };
        let failure = match soon(client.enqueue(message)).await.map_err(Failure::from) {
            Ok(ticket) => match end_of(&mut client, ticket.into_inner().ticket_id, player).await {
                Some(Update::Matched(matched)) => return (matched.table_id, request),
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
                Some(table) if failure.reason == "ALREADY_SEATED" => {
                    return (table.clone(), request);
                }
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
    seat_all_while_the_master_dies(Durability::Local).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_waits_for_a_replica_loses_no_ticket_with_the_master() {
    let lost = seat_all_while_the_master_dies(Durability::Replica).await;
    assert_eq!(lost.unwrap_or(0), 0);
}

/// How many tickets were lost; `None` where there is no Redis to start.
async fn seat_all_while_the_master_dies(durability: Durability) -> Option<u32> {
    let mut cluster = Cluster::start().await?;
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), QUEUES).unwrap();
    let tag = format!("failover-{durability:?}");
    let config = Config {
        matchmaking_store: StoreKind::Redis,
        matchmaking_redis_url: Some(cluster.urls().into()),
        matchmaking_redis_tag: tag.clone(),
        matchmaking_durability: durability,
        matchmaking_queues_file: Some(file.path().to_owned()),
        ..Config::default()
    };
    let first = Harness::start_with(config.clone()).await;
    let second = first.second(config).await;
    let players: Vec<PlayerId> = (0..40).map(|_| PlayerId::random()).collect();
    let (mut seated, mut dead) = (tokio::task::JoinSet::new(), 0);
    let key = format!("{{{tag}}}:states");
    for (number, player) in players.iter().enumerate() {
        let client = if number % 2 == 0 { first.queues.clone() } else { second.queues.clone() };
        let player = *player;
        seated.spawn(async move { (player, seat(client, player).await) });
        if number == players.len() / 2 {
            dead = cluster.master_of(&key).unwrap();
            cluster.kill(dead);
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    if durability == Durability::Replica {
        // Nothing is acknowledged while the new master has no replica.
        cluster.revive(dead, &key).await;
    }
    let told: BTreeMap<PlayerId, (String, u32)> =
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
        assert_eq!(open, [told[player].0.clone()], "{player}");
    }
    Some(told.values().map(|(_, lost)| lost).sum())
}
