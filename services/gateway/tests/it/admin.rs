//! The administrators' door.

use parlor_common::client::{ClientOptions, PeerChannel, connect};
use parlor_gateway::admin::access::{AdminToken, Role};
use parlor_proto::gateway::v1 as pb;
use parlor_proto::gateway::v1::admin_service_client::AdminServiceClient;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::{GetProfile, Hello, TableCommand};
use parlor_proto::table::v1::{Emote, QuickChat, command};
use tonic::Status;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::fixture::client::{Socket, ready};
use crate::fixture::table::Manner;
use crate::fixture::{Gateway, ProtoClient, config, http};

/// The settings of three administrators, whose tokens are their roles' names.
pub fn operator() -> Vec<AdminToken> {
    [("viewer", Role::Viewer), ("moderator", Role::Moderator), ("operator", Role::Operator)]
        .into_iter()
        .map(|(name, role)| AdminToken::new(&format!("{name}-eve"), role, name).unwrap())
        .collect()
}

/// Somebody with a token at a gateway's door.
pub struct Admins {
    pub client: AdminServiceClient<PeerChannel>,
}

impl Admins {
    pub fn of(gateway: &Gateway, token: &str) -> Self {
        let options = ClientOptions::default().with_token(&token.into()).unwrap();
        let url = format!("http://{}", gateway.admin);
        Self { client: AdminServiceClient::new(connect(&url, &options).unwrap()) }
    }
}

async fn gateway() -> Gateway {
    let mut config = config();
    config.gateway_admin_tokens = operator();
    Gateway::with(config).await
}

fn reason(status: Status) -> String {
    parlor_common::Failure::from(status).reason
}

fn ban(player: impl ToString, duration_ms: i64, reason: &str) -> pb::BanPlayerRequest {
    let (player_id, reason) = (player.to_string(), reason.to_owned());
    pb::BanPlayerRequest { player_id, duration_ms, reason }
}

#[tokio::test]
async fn each_role_may_do_its_part_and_no_more() {
    let gateway = gateway().await;
    let (mut client, guest) = gateway.proto().await;
    let player_id = guest.player.to_string();
    let mut nobody = Admins::of(&gateway, "guess").client;
    let mut viewer = Admins::of(&gateway, "viewer").client;
    let mut moderator = Admins::of(&gateway, "moderator").client;

    let list = || pb::ListSessionsRequest::default();
    assert_eq!(reason(nobody.list_sessions(list()).await.unwrap_err()), "BAD_ADMIN_TOKEN");
    assert_eq!(viewer.list_sessions(list()).await.unwrap().into_inner().total, 1);

    let kick = || pb::KickPlayerRequest { player_id: player_id.clone(), reason: "rude".into() };
    let refused = viewer.kick_player(kick()).await.unwrap_err();
    assert_eq!(reason(refused), "ADMIN_ROLE_REQUIRED");
    let refused = moderator.drain(pb::DrainRequest::default()).await.unwrap_err();
    assert_eq!(reason(refused), "ADMIN_ROLE_REQUIRED");
    assert!(matches!(
        client.request("r", Command::GetProfile(GetProfile {})).await,
        Reply::Profile(_)
    ));

    moderator.kick_player(kick()).await.unwrap();
    assert_eq!(client.socket.closed().await, Some(4004));
    let entries = viewer.list_audit(pb::ListAuditRequest { limit: 0 }).await.unwrap();
    let entries = entries.into_inner().entries;
    let told: Vec<_> = entries
        .iter()
        .map(|it| (it.by.as_str(), it.action.as_str(), it.outcome.as_str()))
        .collect();
    let expected = [
        ("moderator-eve", "kick", "ok"),
        ("moderator-eve", "drain", "ADMIN_ROLE_REQUIRED"),
        ("viewer-eve", "kick", "ADMIN_ROLE_REQUIRED"),
    ];
    assert_eq!(told, expected);
    assert_eq!((entries[0].subject.as_str(), entries[0].reason.as_str()), (&*player_id, "rude"));
}

#[tokio::test]
async fn a_player_is_found_with_its_session_and_its_table() {
    let gateway = gateway().await;
    let guest = gateway.guest("Ada Lovelace").await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.lobby.place(guest.player, &table, "ticket");
    let mut viewer = Admins::of(&gateway, "viewer").client;
    let request = || pb::AdminFindPlayerRequest { player_id: guest.player.to_string() };
    let found = viewer.find_player(request()).await.unwrap().into_inner();
    assert_eq!((found.session, found.table_ids), (None, vec![table]));
    let mut client = ProtoClient::connect(gateway.address).await;
    let epoch = client.hello(&guest.access_token).await.session_epoch;
    let found = viewer.find_player(request()).await.unwrap().into_inner();
    let session = found.session.unwrap();
    assert_eq!((session.session_epoch, session.name.as_str()), (epoch, "Ada Lovelace"));
    assert_eq!(
        (session.transport.as_str(), session.address.as_str()),
        ("websocket-proto", "127.0.0.1")
    );
    let nobody = pb::AdminFindPlayerRequest { player_id: "nobody".into() };
    assert_eq!(reason(viewer.find_player(nobody).await.unwrap_err()), "BAD_PLAYER_ID");
}

#[tokio::test]
async fn a_banned_player_is_told_and_stays_out_until_the_ban_ends() {
    let gateway = gateway().await;
    let (mut client, guest) = gateway.proto().await;
    let mut moderator = Admins::of(&gateway, "moderator").client;
    let before = gateway.clock.now_ms();
    let answer = moderator.ban_player(ban(guest.player, 3_600_000, "cheating")).await.unwrap();
    let until_ms = answer.into_inner().ban.unwrap().until_ms;
    assert!(until_ms >= before + 3_600_000);
    let In::Error(error) = client.next().await else { unreachable!("an error") };
    assert_eq!(
        (error.code.as_str(), error.reason.as_str()),
        ("permission_denied", "PLAYER_BANNED")
    );
    assert_eq!(error.metadata["until_ms"], until_ms.to_string());
    assert_eq!(error.metadata["why"], "cheating");
    assert_eq!(client.socket.closed().await, Some(1008));

    let mut client = ProtoClient::connect(gateway.address).await;
    let access_token = guest.access_token.clone();
    client.send(Out::Hello(Hello { access_token, ..Hello::default() })).await;
    let In::Error(error) = client.next().await else { unreachable!("an error") };
    assert_eq!(error.reason, "PLAYER_BANNED");

    moderator.ban_player(ban(guest.player, 1, "short")).await.unwrap();
    while gateway.clock.now_ms() < before + 5 {
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    let mut client = ProtoClient::connect(gateway.address).await;
    client.hello(&guest.access_token).await;
    moderator.ban_player(ban(guest.player, 0, "for ever")).await.unwrap();
    assert_eq!(client.socket.closed().await, Some(1008));
    let (player_id, reason) = (guest.player.to_string(), "appeal".to_owned());
    let unban = pb::UnbanPlayerRequest { player_id, reason };
    moderator.unban_player(unban).await.unwrap();
    ProtoClient::connect(gateway.address).await.hello(&guest.access_token).await;
}

#[tokio::test]
async fn a_muted_player_plays_but_does_not_talk() {
    let gateway = gateway().await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    let mut moderator = Admins::of(&gateway, "moderator").client;
    let mute = pb::MutePlayerRequest {
        player_id: guest.player.to_string(),
        duration_ms: 0,
        reason: "rude".into(),
    };
    moderator.mute_player(mute).await.unwrap();
    let talk = |command| {
        let command = Some(parlor_proto::table::v1::Command { command: Some(command) });
        Command::Table(TableCommand { table_id: table.clone(), command })
    };
    let emote = || talk(command::Command::Emote(Emote { emote: 1 }));
    let chat = || talk(command::Command::QuickChat(QuickChat { sentence: 1 }));
    for (id, command) in [("e", emote()), ("q", chat())] {
        let Reply::Error(error) = client.request(id, command).await else { unreachable!("muted") };
        assert_eq!(error.reason, "PLAYER_MUTED");
    }
    assert!(matches!(client.request("r", ready(&table)).await, Reply::Done(_)));
    assert_eq!(gateway.pod().commands().len(), 1, "the table has heard of one command only");
    let (player_id, reason) = (guest.player.to_string(), "appeal".to_owned());
    let unmute = pb::UnmutePlayerRequest { player_id, reason };
    moderator.unmute_player(unmute).await.unwrap();
    assert!(matches!(client.request("e2", emote()).await, Reply::Done(_)));
}

#[tokio::test]
async fn an_operator_ends_a_table_and_drains_the_gateway() {
    let gateway = gateway().await;
    let (mut client, _) = gateway.proto().await;
    let table = gateway.pod().open(&[]);
    let mut operator = Admins::of(&gateway, "operator").client;
    let close = |reason: &str| pb::AdminCloseTableRequest {
        table_id: table.clone(),
        reason: reason.to_owned(),
    };
    let bad = operator.close_table(close("Not Stable!")).await.unwrap_err();
    assert_eq!(reason(bad), "BAD_ADMIN_REQUEST");
    operator.close_table(close("maintenance")).await.unwrap();
    assert_eq!(gateway.pod().closed(), [(table.clone(), "maintenance".to_owned())]);

    let sessions = operator.drain(pb::DrainRequest { reason: "upgrade".into() }).await.unwrap();
    assert_eq!(sessions.into_inner().sessions, 1);
    loop {
        if let In::GoAway(go_away) = client.next().await {
            assert_eq!(go_away.reason, "draining");
            break;
        }
    }
    assert_eq!(client.socket.closed().await, Some(1001));
    let refused = Socket::connect(gateway.address, Some("parlor.v1.json"));
    assert!(refused.await.is_err(), "no more sessions");
    // The process lives on, and says that it is not ready.
    let mut health = HealthClient::new(crate::fixture::channel(gateway.address));
    let service = "parlor.gateway.v1.SessionService".to_owned();
    let status = health.check(HealthCheckRequest { service }).await.unwrap().into_inner().status;
    assert_eq!(status, tonic_health::pb::health_check_response::ServingStatus::NotServing as i32);
}

#[tokio::test]
async fn what_is_out_of_bounds_changes_nothing() {
    let gateway = gateway().await;
    let (mut client, guest) = gateway.proto().await;
    let mut moderator = Admins::of(&gateway, "moderator").client;
    for request in [
        ban(guest.player, -1, "why"),
        ban(guest.player, i64::MAX, "why"),
        ban(guest.player, 1_000, ""),
        ban(guest.player, 1_000, &"x".repeat(201)),
    ] {
        let refused = moderator.ban_player(request).await.unwrap_err();
        assert_eq!(reason(refused), "BAD_ADMIN_REQUEST");
    }
    let absent = pb::KickPlayerRequest {
        player_id: parlor_common::PlayerId::random().to_string(),
        reason: "rude".to_owned(),
    };
    assert_eq!(reason(moderator.kick_player(absent).await.unwrap_err()), "NO_SESSION");
    let (player_id, blank) = (guest.player.to_string(), "  ".to_owned());
    let without = pb::KickPlayerRequest { player_id, reason: blank };
    assert_eq!(reason(moderator.kick_player(without).await.unwrap_err()), "BAD_ADMIN_REQUEST");
    assert!(matches!(
        client.request("r", Command::GetProfile(GetProfile {})).await,
        Reply::Profile(_)
    ));
}

#[tokio::test]
async fn players_do_not_reach_the_administration() {
    let gateway = gateway().await;
    let options = ClientOptions::default().with_token(&"operator".into()).unwrap();
    let url = format!("http://{}", gateway.address);
    let mut client = AdminServiceClient::new(connect(&url, &options).unwrap());
    let refused = client.list_sessions(pb::ListSessionsRequest::default()).await.unwrap_err();
    assert_ne!(refused.code(), tonic::Code::Ok);
}

#[tokio::test]
async fn money_and_seats_are_changed_with_a_record() {
    let gateway = gateway().await;
    let guest = gateway.guest("Ada").await;
    let table = gateway.pod().open(&[guest.player]);
    let player_id = guest.player.to_string();
    let mut moderator = Admins::of(&gateway, "moderator").client;
    let remove = |reason: &str| pb::RemoveFromTableRequest {
        table_id: table.clone(),
        player_id: player_id.clone(),
        reason: reason.to_owned(),
    };
    moderator.remove_from_table(remove("absent")).await.unwrap();
    let acts = gateway.pod().acts();
    let stood_up = matches!(
        acts[0].command.as_ref().and_then(|it| it.command.as_ref()),
        Some(command::Command::StandUp(_))
    );
    assert!(stood_up && acts[0].player_id == player_id && acts[0].table_id == table);
    assert_eq!(
        reason(moderator.remove_from_table(remove("")).await.unwrap_err()),
        "BAD_ADMIN_REQUEST"
    );
    assert_eq!(gateway.pod().acts().len(), 1);

    let adjust = |key: &str, reason: &str| pb::AdjustWalletRequest {
        player_id: player_id.clone(),
        amount: -5,
        idempotency_key: key.to_owned(),
        reason: reason.to_owned(),
    };
    let refused = moderator.adjust_wallet(adjust("a", "correction")).await.unwrap_err();
    assert_eq!(reason(refused), "ADMIN_ROLE_REQUIRED");
    let mut operator = Admins::of(&gateway, "operator").client;
    let refused = operator.adjust_wallet(adjust("b", "Not Stable!")).await.unwrap_err();
    assert_eq!(reason(refused), "BAD_ADMIN_REQUEST");
    operator.adjust_wallet(adjust("c", "correction")).await.unwrap();
    let deposits = gateway.money.deposits();
    assert_eq!((deposits["c"].amount, deposits["c"].reason.as_str()), (-5, "correction"));
    assert!(!deposits.contains_key("a") && !deposits.contains_key("b"));

    let entries = operator.list_audit(pb::ListAuditRequest { limit: 0 }).await.unwrap();
    let told: Vec<_> = entries
        .into_inner()
        .entries
        .into_iter()
        .map(|it| format!("{} {} {} {}", it.by, it.action, it.subject, it.outcome))
        .collect();
    assert_eq!(
        told,
        [
            format!("operator-eve adjust_wallet {player_id} -5 c ok"),
            format!("operator-eve adjust_wallet {player_id} -5 b BAD_ADMIN_REQUEST"),
            format!("moderator-eve adjust_wallet {player_id} -5 a ADMIN_ROLE_REQUIRED"),
            format!("moderator-eve remove_from_table {player_id} {table} BAD_ADMIN_REQUEST"),
            format!("moderator-eve remove_from_table {player_id} {table} ok"),
        ]
    );
}

#[tokio::test]
async fn what_was_begun_is_recorded_although_the_caller_goes_away() {
    let gateway = gateway().await;
    let guest = gateway.guest("Ada").await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.pod().set_manner(Manner::Silent);
    let mut moderator = Admins::of(&gateway, "moderator").client;
    let remove = pb::RemoveFromTableRequest {
        table_id: table,
        player_id: guest.player.to_string(),
        reason: "absent".into(),
    };
    {
        let call = moderator.remove_from_table(remove);
        let mut call = std::pin::pin!(call);
        // Until the table has it; then the caller breaks off.
        while gateway.pod().acts().is_empty() {
            let moment = std::time::Duration::from_millis(2);
            assert!(tokio::time::timeout(moment, call.as_mut()).await.is_err(), "no answer yet");
        }
    }
    gateway.pod().set_manner(Manner::Answers);
    loop {
        let entries = moderator.list_audit(pb::ListAuditRequest { limit: 0 }).await.unwrap();
        if let [entry] = entries.into_inner().entries.as_slice() {
            assert_eq!(
                (entry.action.as_str(), entry.outcome.as_str()),
                ("remove_from_table", "ok")
            );
            break;
        }
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
}

#[tokio::test]
async fn nobody_comes_from_a_banned_network() {
    let mut config = config();
    config.gateway_admin_tokens = operator();
    config.gateway_trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let gateway = Gateway::with(config).await;
    let mut moderator = Admins::of(&gateway, "moderator").client;
    let from = |address: &'static str| {
        let gateway = &gateway;
        async move {
            let headers = [("x-forwarded-for", address)];
            let socket = Socket::connect_with(gateway.address, Some("parlor.v1.proto"), &headers);
            ProtoClient { socket: socket.await.unwrap() }
        }
    };
    let sign_in = |address: &'static str| {
        let request = http::request("POST", gateway.address, "/v1/auth/guest")
            .header("x-forwarded-for", address)
            .body(axum::body::Body::from("{}"));
        http::send(gateway.address, request.unwrap())
    };
    let (inside, outside) = (gateway.guest("Ada").await, gateway.guest("Bob").await);
    let mut caught = from("203.0.113.7").await;
    caught.hello(&inside.access_token).await;
    let mut spared = from("203.0.114.7").await;
    spared.hello(&outside.access_token).await;

    let ban = |network: &str| pb::BanAddressRequest {
        network: network.to_owned(),
        duration_ms: 3_600_000,
        reason: "farming".to_owned(),
    };
    for wrong in ["", "0.0.0.0/0", "10.0.0.0/8", "::/0", "somewhere"] {
        let refused = moderator.ban_address(ban(wrong)).await.unwrap_err();
        assert_eq!(reason(refused), "BAD_ADMIN_REQUEST", "{wrong}");
    }
    let banned = moderator.ban_address(ban("203.0.113.9/24")).await.unwrap().into_inner();
    assert_eq!(banned.ban.as_ref().unwrap().network, "203.0.113.0/24");
    let In::Error(error) = caught.next().await else { unreachable!("an error") };
    assert_eq!((error.reason.as_str(), &*error.metadata["why"]), ("ADDRESS_BANNED", "farming"));
    assert_eq!(caught.socket.closed().await, Some(1008));
    assert!(matches!(
        spared.request("r", Command::GetProfile(GetProfile {})).await,
        Reply::Profile(_)
    ));

    // A new identity does not help, nor another address of the network.
    let refused = sign_in("203.0.113.200").await;
    assert_eq!((refused.status, &refused.json()["reason"]), (403, &"ADDRESS_BANNED".into()));
    let mut again = from("203.0.113.200").await;
    let access_token = inside.access_token.clone();
    again.send(Out::Hello(Hello { access_token, ..Hello::default() })).await;
    let In::Error(error) = again.next().await else { unreachable!("an error") };
    assert_eq!(error.reason, "ADDRESS_BANNED");
    assert_eq!(sign_in("203.0.114.7").await.status, 200);

    let bans = moderator.list_address_bans(pb::ListAddressBansRequest {}).await.unwrap();
    assert_eq!(bans.into_inner().bans, [banned.ban.unwrap()]);
    let unban = pb::UnbanAddressRequest {
        network: "203.0.113.0/24".to_owned(),
        reason: "a school".to_owned(),
    };
    moderator.unban_address(unban).await.unwrap();
    assert_eq!(sign_in("203.0.113.200").await.status, 200);
    from("203.0.113.200").await.hello(&inside.access_token).await;
}
