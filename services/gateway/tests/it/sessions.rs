//! Sessions: welcome, replacement, silence, slow readers, the end of the gateway.

use std::time::Duration;

use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::{GetProfile, Hello, Ping, ResumePoint};
use parlor_proto::table::v1::{TableUpdate, TableView};
use serde_json::json;

use crate::fixture::client::{Incoming, Socket, ready};
use crate::fixture::{Gateway, JsonClient, ProtoClient, config, eventually};

#[tokio::test]
async fn the_welcome_says_who_and_where_the_player_is() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada Lovelace").await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.lobby.place(guest.player, &table, "");
    let mut client = JsonClient::connect(gateway.address).await;
    let welcome = client.hello(&guest.access_token).await;
    assert_eq!(welcome["playerId"], guest.player.to_string());
    assert_eq!(welcome["name"], "Ada Lovelace");
    assert_eq!(welcome["balance"], "100000");
    assert_eq!(welcome["tableId"], table);
    assert_eq!(welcome["heartbeatMs"], 15_000);
    let resync = client.next().await["resync"].clone();
    assert_eq!(resync["tableId"], table, "it is watched already");
    assert_eq!(resync["view"]["ownSeat"], 0);
}

#[tokio::test]
async fn a_bad_token_ends_the_connection() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    for token in ["", "nonsense", &guest.refresh_token, &"x".repeat(20_000)] {
        let mut client = JsonClient::connect(gateway.address).await;
        client.send(json!({"hello": {"accessToken": token}})).await;
        let error = client.next().await["error"].clone();
        assert_eq!(
            (&error["code"], &error["reason"]),
            (&json!("unauthenticated"), &json!("BAD_TOKEN"))
        );
        assert_eq!(client.socket.closed().await, Some(1008));
    }
}

#[tokio::test]
async fn a_new_connection_replaces_the_old_one() {
    let gateway = Gateway::start().await;
    let (mut old, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    old.watch(&table).await;
    let mut new = ProtoClient::connect(gateway.address).await;
    let first = new.hello(&guest.access_token).await.session_epoch;
    loop {
        if let In::GoAway(go_away) = old.next().await {
            assert_eq!(go_away.reason, "replaced");
            break;
        }
    }
    assert_eq!(old.socket.closed().await, Some(4001));
    eventually("unsubscribed", || gateway.pod().subscribers(&table) == 0).await;
    let mut newest = ProtoClient::connect(gateway.address).await;
    assert!(newest.hello(&guest.access_token).await.session_epoch > first);
    assert!(matches!(newest.request("r", ready(&table)).await, Reply::Done(_)));
}

#[tokio::test]
async fn pings_are_answered_with_the_time() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    let before = gateway.clock.now_ms();
    client.send(Out::Ping(Ping { nonce: u64::MAX })).await;
    let In::Pong(pong) = client.next().await else { unreachable!("a pong") };
    assert_eq!(pong.nonce, u64::MAX);
    assert!((before..=gateway.clock.now_ms()).contains(&pong.time_ms));
}

#[tokio::test]
async fn a_silent_client_is_sent_away() {
    let mut config = config();
    config.session.gateway_heartbeat_ms = 50;
    let gateway = Gateway::with(config).await;
    let guest = gateway.guest("Ada").await;
    // A bare TCP client that upgrades and says hello, but whose library answers no pings.
    let mut client = crate::fixture::http::DeafSocket::connect(gateway.address).await;
    client.hello(&guest.access_token).await;
    let heard = client.read_to_end().await;
    let heard = String::from_utf8_lossy(&heard);
    assert!(heard.contains(r#""goAway":{"reason":"idle""#), "{heard}");
}

#[tokio::test]
async fn a_client_whose_library_answers_pings_stays() {
    let mut config = config();
    config.session.gateway_heartbeat_ms = 50;
    let gateway = Gateway::with(config).await;
    let (mut client, _) = gateway.json().await;
    let nothing = tokio::time::timeout(Duration::from_millis(400), client.socket.next()).await;
    assert!(nothing.is_err(), "{nothing:?}");
    client.send(json!({"ping": {}})).await;
    assert!(client.next().await["pong"].is_object());
}

fn large_update() -> TableUpdate {
    let view = TableView { last_hand_id: "x".repeat(20_000), ..TableView::default() };
    TableUpdate { view: Some(view), ..TableUpdate::default() }
}

/// Publishes until what lies between the gateway and a client that does not read is full, and the
/// client has been left behind for good; gives the number of the last update.
async fn leave_behind(gateway: &Gateway, table: &str) -> u64 {
    let mut published = 0;
    loop {
        for _ in 0..20 {
            gateway.pod().publish_with(table, large_update(), &[]);
        }
        published += 20;
        assert!(published < 20_000, "it is never left behind");
        tokio::time::sleep(Duration::from_millis(1)).await;
        // A moment without a subscription may also be one between lagging and catching up.
        let mut moments = 0;
        while gateway.pod().subscribers(table) == 0 {
            moments += 1;
            if moments > 20 {
                return published;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

#[tokio::test]
async fn a_slow_reader_gets_a_resync_instead_of_a_backlog() {
    let mut config = config();
    config.session.gateway_outbox_frames = 8;
    config.session.gateway_too_slow_after_ms = 60_000;
    let gateway = Gateway::with(config).await;
    let (mut client, _) = gateway.proto().await;
    let table = gateway.pod().open(&[]);
    client.watch(&table).await;
    let last = leave_behind(&gateway, &table).await;
    let (mut seq, mut resyncs) = (0, 0);
    while seq < last {
        match client.next().await {
            In::Update(update) => {
                assert_eq!(update.seq, seq + 1, "no gap without a resync");
                seq = update.seq;
            }
            In::Resync(resync) => {
                assert!(resync.seq > seq);
                (seq, resyncs) = (resync.seq, resyncs + 1);
            }
            _ => {}
        }
    }
    assert!(resyncs >= 1);
    gateway.pod().publish(&table);
    assert_eq!(client.update().await, last + 1);
}

#[tokio::test]
async fn a_slow_reader_does_not_slow_the_others_down() {
    let mut config = config();
    config.session.gateway_outbox_frames = 8;
    let gateway = Gateway::with(config).await;
    let (mut slow, _) = gateway.proto().await;
    let (mut quick, _) = gateway.proto().await;
    let table = gateway.pod().open(&[]);
    slow.watch(&table).await;
    quick.watch(&table).await;
    for seq in 1..=1_000 {
        gateway.pod().publish_with(&table, large_update(), &[]);
        assert_eq!(quick.update().await, seq);
    }
}

#[tokio::test]
async fn a_client_that_does_not_read_at_all_is_disconnected() {
    let mut config = config();
    config.session.gateway_outbox_frames = 4;
    config.session.gateway_heartbeat_ms = 200;
    config.session.gateway_too_slow_after_ms = 100;
    config.limits.gateway_max_sessions_per_address = 1;
    let gateway = Gateway::with(config).await;
    let (mut client, _) = gateway.proto().await;
    let table = gateway.pod().open(&[]);
    client.watch(&table).await;
    let last = leave_behind(&gateway, &table).await;
    // Its place is free again when it is disconnected.
    let mut tries = 0;
    while Socket::connect(gateway.address, Some("parlor.v1.proto")).await.is_err() {
        tries += 1;
        assert!(tries < 1_000, "it is never disconnected");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let mut seen = 0;
    while let Incoming::Binary(_) = client.socket.next().await {
        seen += 1;
    }
    assert!(seen < last, "{seen} of {last}");
}

#[tokio::test]
async fn a_gateway_that_ends_sends_its_clients_away_spread_out() {
    let mut config = config();
    config.session.gateway_drain_spread_ms = 300;
    let gateway = Gateway::with(config).await;
    let (mut client, _) = gateway.json().await;
    gateway.shutdown.begin();
    let go_away = client.next().await["goAway"].clone();
    assert_eq!(go_away["reason"], "draining");
    assert!(go_away["reconnectAfterMs"].as_u64().unwrap_or(0) <= 300);
    // It is served until then.
    client.send(json!({"ping": {"nonce": "5"}})).await;
    assert_eq!(client.socket.closed().await, Some(1001));
    gateway.shutdown.finished(Duration::from_secs(5)).await.unwrap();
}

#[tokio::test]
async fn a_gateway_without_clients_ends_at_once() {
    let gateway = Gateway::start().await;
    gateway.guest("Ada").await;
    gateway.shutdown.finished(Duration::from_secs(5)).await.unwrap();
}

#[tokio::test]
async fn a_player_goes_on_playing_while_matchmaking_is_away() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.lobby.set_away(true);
    let mut client = ProtoClient::connect(gateway.address).await;
    let access_token = guest.access_token.clone();
    client.send(Out::Hello(Hello { access_token, ..Hello::default() })).await;
    let In::Error(error) = client.next().await else { unreachable!("an error") };
    assert_eq!((error.code.as_str(), error.retryable), ("unavailable", true));
    assert!(!error.message.contains("10.9.8.7"), "no addresses of ours: {}", error.message);

    let mut client = ProtoClient::connect(gateway.address).await;
    let resume = vec![ResumePoint { table_id: table.clone(), seq: 0 }];
    let access_token = guest.access_token;
    client.hello_with(Hello { access_token, resume, ..Hello::default() }).await;
    assert!(matches!(client.request("r", ready(&table)).await, Reply::Done(_)));
}

#[tokio::test]
async fn a_player_goes_on_playing_while_the_ledger_is_away() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    gateway.money.set_away(true);
    let mut client = ProtoClient::connect(gateway.address).await;
    assert_eq!(client.hello(&guest.access_token).await.balance, None);
    let reply = client.request("r", Command::GetProfile(GetProfile {})).await;
    let Reply::Error(error) = reply else { unreachable!("no profile") };
    assert_eq!((error.reason.as_str(), error.retryable), ("SERVICE_UNAVAILABLE", true));
    assert!(!error.message.contains("10.9.8.7"), "no addresses of ours: {}", error.message);
}
