//! Several gateways of one system, on a real Redis.

use parlor_common::client::PeerChannel;
use parlor_gateway::Config;
use parlor_proto::gateway::v1 as pb;
use parlor_proto::gateway::v1::admin_service_client::AdminServiceClient;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::{Hello, Ping};
use tonic::Code;

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

fn profile() -> Command {
    Command::GetProfile(pb::GetProfile {})
}

#[tokio::test]
async fn another_gateway_does_not_give_a_player_its_burst_again() {
    let Some(redis) = Redis::single() else { return };
    let limited = |mut config: Config| {
        config.limits.gateway_requests_per_s = 1;
        config.limits.gateway_requests_burst = 100;
        config
    };
    let (first, second) = two(limited(redis.config()), limited(redis.config())).await;
    for stays_connected in [false, true] {
        let (mut client, guest) = first.proto().await;
        let mut given = 0;
        while matches!(client.request("r", profile()).await, Reply::Profile(_)) {
            given += 1;
        }
        assert!(given >= 100);
        if !stays_connected {
            drop(client);
            // The session ends, and its gateway tells of the debt.
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
        }
        let mut client = ProtoClient::connect(second.address).await;
        client.hello(&guest.access_token).await;
        let mut more = 0;
        while matches!(client.request("r", profile()).await, Reply::Profile(_)) {
            more += 1;
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        assert!(more < 80, "{more} more after {given}");
    }
}

#[tokio::test]
async fn the_ban_of_a_network_reaches_every_gateway() {
    let Some(redis) = Redis::single() else { return };
    let with_admins = |mut config: Config| {
        config.gateway_admin_tokens = operator();
        config
    };
    let (first, second) = two(with_admins(redis.config()), with_admins(redis.config())).await;
    let mut client = second.proto().await.0;
    let mut moderator = Admins::of(&first, "moderator").client;
    let network = "127.0.0.0/16".to_owned();
    let ban = pb::BanAddressRequest {
        network: network.clone(),
        duration_ms: 3_600_000,
        reason: "farming".into(),
    };
    moderator.ban_address(ban).await.unwrap();
    // At the next renewal of the other gateway.
    let In::Error(error) = client.next().await else { unreachable!("an error") };
    assert_eq!(error.reason, "ADDRESS_BANNED");
    let mut elsewhere = Admins::of(&second, "moderator").client;
    let list = pb::ListAddressBansRequest {};
    let bans = elsewhere.list_address_bans(list).await.unwrap().into_inner().bans;
    assert_eq!((bans.len(), bans[0].network.as_str()), (1, "127.0.0.0/16"));
    let unban = pb::UnbanAddressRequest { network, reason: "a school".into() };
    elsewhere.unban_address(unban).await.unwrap();
    second.proto().await;
}

#[tokio::test]
async fn what_was_done_while_redis_is_away_stands_in_the_record() {
    let Some(redis) = Redis::single() else { return };
    let bridge = redis.bridge().await;
    let mut config = redis.config_over(&bridge.url());
    config.gateway_admin_tokens = operator();
    let gateway = Gateway::with(config).await;
    let mut operator = Admins::of(&gateway, "operator").client;
    let kick = |reason: &str| pb::KickPlayerRequest {
        player_id: parlor_common::PlayerId::random().to_string(),
        reason: reason.to_owned(),
    };
    let reasons = async |client: &mut AdminServiceClient<PeerChannel>| {
        let entries = client.list_audit(pb::ListAuditRequest { limit: 0 }).await.unwrap();
        let entries = entries.into_inner().entries;
        entries.into_iter().map(|entry| entry.reason).collect::<Vec<_>>()
    };
    // Until Redis is reached, and has it.
    while operator.kick_player(kick("before")).await.unwrap_err().code() == Code::Unavailable {}
    bridge.cut();
    let refused = operator.kick_player(kick("meanwhile")).await.unwrap_err();
    assert_eq!(parlor_common::Failure::from(refused).reason, "SHARED_REGISTRY_AWAY");
    assert_eq!(reasons(&mut operator).await.first().map(String::as_str), Some("meanwhile"));
    bridge.mend();
    loop {
        let reasons = reasons(&mut operator).await;
        assert_eq!(reasons.first().map(String::as_str), Some("meanwhile"));
        if reasons.iter().any(|reason| reason == "before") {
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
