//! Several gateways of one system, on a real Redis.

use parlor_gateway::Config;
use parlor_proto::gateway::v1 as pb;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::{Hello, Ping};

use crate::admin::{Admins, operator};
use crate::fixture::client::ready;
use crate::fixture::redis::Redis;
use crate::fixture::{Gateway, ProtoClient};

/// Two gateways that have reached Redis.
async fn two(first: Config, second: Config) -> (Gateway, Gateway) {
    let (first, second) = (Gateway::with(first).await, Gateway::with(second).await);
    joined(&first, &second).await;
    (first, second)
}

/// Waits until a player who moves between the gateways is noticed on both.
async fn joined(first: &Gateway, second: &Gateway) {
    let (mut old, guest) = first.proto().await;
    loop {
        let mut new = ProtoClient::connect(second.address).await;
        new.hello(&guest.access_token).await;
        if is_replaced(&mut old).await {
            return;
        }
        old = ProtoClient::connect(first.address).await;
        old.hello(&guest.access_token).await;
    }
}

/// Whether the connection ends as replaced within moments.
async fn is_replaced(client: &mut ProtoClient) -> bool {
    let end = async {
        loop {
            if let In::GoAway(go_away) = client.next().await {
                return go_away.reason == "replaced";
            }
        }
    };
    let moments = std::time::Duration::from_millis(700);
    tokio::time::timeout(moments, end).await.unwrap_or(false)
}

async fn replaced(client: &mut ProtoClient) {
    loop {
        if let In::GoAway(go_away) = client.next().await {
            assert_eq!(go_away.reason, "replaced");
            break;
        }
    }
    assert_eq!(client.socket.closed().await, Some(4001));
}

async fn lives(client: &mut ProtoClient) {
    client.send(Out::Ping(Ping { nonce: 9 })).await;
    loop {
        match client.next().await {
            In::Pong(pong) if pong.nonce == 9 => return,
            In::GoAway(go_away) => unreachable!("sent away: {}", go_away.reason),
            _ => {}
        }
    }
}

async fn sessions_move(redis: Redis) {
    let (first, second) = two(redis.config(), redis.config()).await;
    let (mut client, guest) = first.proto().await;
    let mut last = 0;
    for round in 0..6 {
        let gateway = if round % 2 == 0 { &second } else { &first };
        let table = gateway.pod().open(&[guest.player]);
        let mut next = ProtoClient::connect(gateway.address).await;
        let epoch = next.hello(&guest.access_token).await.session_epoch;
        assert!(epoch > last, "epochs grow across gateways");
        last = epoch;
        replaced(&mut client).await;
        // The later one is not hit by what was meant for the earlier ones.
        assert!(matches!(next.request("r", ready(&table)).await, Reply::Done(_)));
        client = next;
    }
    lives(&mut client).await;
}

#[tokio::test]
async fn a_connection_at_another_gateway_replaces_the_old_one() {
    let Some(redis) = Redis::single() else { return };
    sessions_move(redis).await;
}

#[tokio::test]
async fn gateways_share_a_redis_cluster_too() {
    let Some(redis) = Redis::cluster() else { return };
    sessions_move(redis).await;
}

#[tokio::test]
async fn of_many_connections_at_once_one_stays() {
    let Some(redis) = Redis::single() else { return };
    let (first, second) = two(redis.config(), redis.config()).await;
    let guest = first.guest("Ada").await;
    let connect = |number: usize| {
        let gateway = if number.is_multiple_of(2) { &first } else { &second };
        let token = guest.access_token.clone();
        async move {
            let mut client = ProtoClient::connect(gateway.address).await;
            let epoch = client.hello(&token).await.session_epoch;
            (epoch, client)
        }
    };
    let mut clients = futures_util::future::join_all((0..20).map(connect)).await;
    clients.sort_by_key(|(epoch, _)| *epoch);
    let (_, mut latest) = clients.pop().unwrap();
    for (_, client) in &mut clients {
        replaced(client).await;
    }
    lives(&mut latest).await;
}

#[tokio::test]
async fn players_come_while_redis_is_away_and_are_one_again_when_it_is_back() {
    let Some(redis) = Redis::single() else { return };
    let bridge = redis.bridge().await;
    let (first, second) = two(redis.config_over(&bridge.url()), redis.config()).await;
    bridge.cut();
    let (mut cut_off, guest) = first.proto().await;
    let mut known = ProtoClient::connect(second.address).await;
    known.hello(&guest.access_token).await;
    // Both live: the first gateway is alone, and nobody is kept from playing.
    lives(&mut cut_off).await;
    lives(&mut known).await;
    bridge.mend();
    replaced(&mut cut_off).await;
    lives(&mut known).await;
}

#[tokio::test]
async fn a_gateway_starts_without_redis() {
    let Some(redis) = Redis::single() else { return };
    let gateway = Gateway::with(redis.config_over("redis://127.0.0.1:1")).await;
    let (mut client, _) = gateway.proto().await;
    lives(&mut client).await;
}

#[tokio::test]
async fn bans_kicks_and_the_audit_reach_every_gateway() {
    let Some(redis) = Redis::single() else { return };
    let with_admins = |mut config: Config| {
        config.gateway_admin_tokens = operator();
        config
    };
    let (first, second) = two(with_admins(redis.config()), with_admins(redis.config())).await;
    let mut admins = Admins::of(&first, "operator");
    let (mut client, guest) = second.proto().await;
    let player_id = guest.player.to_string();

    let found = pb::AdminFindPlayerRequest { player_id: player_id.clone() };
    let found = admins.client.find_player(found).await.unwrap().into_inner();
    assert!(!found.session.unwrap().gateway_id.is_empty());

    let kick = pb::KickPlayerRequest { player_id: player_id.clone(), reason: "test".into() };
    admins.client.kick_player(kick).await.unwrap();
    assert_eq!(client.socket.closed().await, Some(4004));

    let mut client = ProtoClient::connect(second.address).await;
    client.hello(&guest.access_token).await;
    let ban = pb::BanPlayerRequest {
        player_id: player_id.clone(),
        duration_ms: 3_600_000,
        reason: "cheating".into(),
    };
    admins.client.ban_player(ban).await.unwrap();
    assert_eq!(client.socket.closed().await, Some(1008));
    for gateway in [&first, &second] {
        let mut client = ProtoClient::connect(gateway.address).await;
        let access_token = guest.access_token.clone();
        client.send(Out::Hello(Hello { access_token, ..Hello::default() })).await;
        let In::Error(error) = client.next().await else { unreachable!("banned") };
        assert_eq!(error.reason, "PLAYER_BANNED");
        assert_eq!(error.metadata["why"], "cheating");
    }

    let mut elsewhere = Admins::of(&second, "operator");
    let unban = pb::UnbanPlayerRequest { player_id, reason: "appeal".into() };
    elsewhere.client.unban_player(unban).await.unwrap();
    let mut client = ProtoClient::connect(first.address).await;
    client.hello(&guest.access_token).await;

    let request = pb::ListAuditRequest { limit: 0 };
    let entries = elsewhere.client.list_audit(request).await.unwrap().into_inner().entries;
    let actions: Vec<_> = entries.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions, ["unban", "ban", "kick"], "of both gateways");
}
