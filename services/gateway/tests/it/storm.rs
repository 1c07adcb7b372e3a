//! Many clients at once: all come back together, many do not read.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use parlor_common::process::resident_bytes;
use parlor_common::{Clock, PlayerId};
use parlor_gateway::auth::token::{Identity, TokenLifetimes, Tokens};
use parlor_gateway::config::DEVELOPMENT_TOKEN_SECRET;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::{Hello, ListSessionsRequest, ListSessionsResponse, ResumePoint};
use parlor_proto::table::v1::{TableUpdate, TableView};
use tokio::sync::Semaphore;

use crate::admin::{Admins, operator};
use crate::fixture::{Gateway, PATIENCE, ProtoClient, config};

/// Sessions of the storm.
const SESSIONS: usize = 2_000;
/// What a session that does nothing may cost, with its client, in KiB.
const MOST_KIB_EACH: u64 = 256;
/// Handshakes at a time: as many as a listener's backlog bears.
const AT_ONCE: usize = 500;

/// Resident memory of this process, in MB.
fn resident_mb() -> u64 {
    resident_bytes(std::process::id()).unwrap_or(0) >> 20
}

/// Tokens as the gateway itself would give them.
fn tokens(players: usize) -> Vec<String> {
    let lifetimes = TokenLifetimes { access_ms: 3_600_000, refresh_ms: 3_600_000 };
    let secret = [DEVELOPMENT_TOKEN_SECRET.into()];
    let tokens = Tokens::new(&secret, lifetimes, Clock::system()).unwrap();
    let token = |_| {
        let identity = Identity { player: PlayerId::random(), name: "Ada".to_owned() };
        tokens.access(&identity).unwrap().token
    };
    (0..players).map(token).collect()
}

async fn sessions(viewer: &mut Admins) -> ListSessionsResponse {
    viewer.client.list_sessions(ListSessionsRequest::default()).await.unwrap().into_inner()
}

async fn until_gone(viewer: &mut Admins) {
    let gone = async {
        while sessions(viewer).await.total > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, gone).await.expect("all sessions end");
}

/// Connects, resumes, and reads the updates behind `seq` up to `last`: exactly those.
async fn resume(
    gateway: &Gateway,
    places: &Semaphore,
    token: &str,
    table: &str,
    (seq, last): (u64, u64),
) -> ProtoClient {
    let mut client = {
        let _place = places.acquire().await.unwrap();
        ProtoClient::connect(gateway.address).await
    };
    let resume = vec![ResumePoint { table_id: table.to_owned(), seq }];
    client.hello_with(Hello { access_token: token.to_owned(), resume, ..Hello::default() }).await;
    for expected in seq + 1..=last {
        assert_eq!(client.update().await, expected);
    }
    client
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_thousand_sessions_come_back_at_once_and_miss_nothing() {
    let mut config = config();
    config.limits.gateway_max_sessions_per_address = 0;
    config.limits.gateway_address_requests_per_s = 0;
    config.session.gateway_heartbeat_ms = 120_000;
    // On a machine that is busy, a client of the crowd may wait long for its turn.
    config.session.gateway_hello_timeout_ms = 120_000;
    config.gateway_admin_tokens = operator();
    let gateway = Gateway::with(config).await;
    let mut viewer = Admins::of(&gateway, "viewer");
    let table = gateway.pod().open(&[]);
    let (tokens, places) = (tokens(SESSIONS), Arc::new(Semaphore::new(AT_ONCE)));
    let wave = |from, last| {
        let clients =
            tokens.iter().map(|token| resume(&gateway, &places, token, &table, (from, last)));
        join_all(clients)
    };
    let publish = |times: usize| (0..times).for_each(|_| gateway.pod().publish(&table));

    let before = resident_mb();
    publish(3);
    let clients = wave(0, 3).await;
    let first = resident_mb();
    assert_eq!(sessions(&mut viewer).await.total, SESSIONS as u64);
    // The network breaks for everybody, and the table goes on.
    drop(clients);
    publish(2);
    let mut clients = wave(3, 5).await;
    let second = resident_mb();
    assert_eq!(sessions(&mut viewer).await.total, SESSIONS as u64, "none twice");
    publish(1);
    for seq in join_all(clients.iter_mut().map(ProtoClient::update)).await {
        assert_eq!(seq, 6);
    }
    // All at once replace themselves, as phones do that change their network.
    let third = wave(6, 6).await;
    let go_aways = join_all(clients.iter_mut().map(ProtoClient::next)).await;
    assert!(go_aways.iter().all(|it| matches!(it, In::GoAway(go) if go.reason == "replaced")));
    drop((clients, third));
    until_gone(&mut viewer).await;
    assert_eq!(sessions(&mut viewer).await.waiting_bytes, 0);
    println!(
        "{SESSIONS} sessions with their clients: {before} MB before, {first} MB, {second} MB after \
         the storm, {} MB when all are gone",
        resident_mb()
    );
    assert!(second < first + first / 2 + 64, "{first} MB, then {second} MB");
    // Client, session and gateway are one process here: two sockets, and all that both ends hold.
    let each_kib = first.saturating_sub(before) * 1024 / SESSIONS as u64;
    assert!(each_kib < MOST_KIB_EACH, "{each_kib} KiB for each session and its client");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_do_not_read_cost_a_bounded_amount_of_memory() {
    const CLIENTS: usize = 30;
    const OUTBOX_BYTES: usize = 128 * 1024;
    const UPDATE_BYTES: usize = 20_000;
    let mut config = config();
    config.session.gateway_outbox_bytes = OUTBOX_BYTES;
    config.session.gateway_too_slow_after_ms = 600_000;
    config.session.gateway_heartbeat_ms = 120_000;
    config.gateway_admin_tokens = operator();
    let gateway = Gateway::with(config).await;
    let mut viewer = Admins::of(&gateway, "viewer");
    let table = gateway.pod().open(&[]);
    let mut clients = Vec::new();
    for token in tokens(CLIENTS) {
        let mut client = ProtoClient::connect(gateway.address).await;
        client.hello(&token).await;
        client.watch(&table).await;
        clients.push(client);
    }
    let mut most = 0;
    // What the kernel buffers for a socket has to be full before anything waits here.
    for _ in 0..400 {
        let view = TableView { last_hand_id: "x".repeat(UPDATE_BYTES), ..TableView::default() };
        gateway.pod().publish_with(
            &table,
            TableUpdate { view: Some(view), ..TableUpdate::default() },
            &[],
        );
        most = most.max(sessions(&mut viewer).await.waiting_bytes);
    }
    let bound = CLIENTS * (OUTBOX_BYTES + UPDATE_BYTES + 1_024);
    println!(
        "{CLIENTS} clients that do not read: {most} bytes waited at most, the bound is {bound}; \
         {} MB resident",
        resident_mb()
    );
    assert!(most > 0, "somebody is behind");
    assert!(usize::try_from(most).unwrap() <= bound, "{most} of {bound}");
    drop(clients);
    until_gone(&mut viewer).await;
    assert_eq!(sessions(&mut viewer).await.waiting_bytes, 0, "all is given back");
}
