//! Clients that are broken, half gone, or not who they say.

use std::collections::BTreeSet;

use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::session_service_client::SessionServiceClient;
use parlor_proto::gateway::v1::{
    GetProfile, Hello, ListSessionsRequest, Request, request::Command, response,
};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::admin::{Admins, operator};
use crate::fixture::client::ready;
use crate::fixture::http::DeafSocket;
use crate::fixture::{Gateway, PATIENCE, ProtoClient, channel, config};

#[tokio::test]
async fn requests_that_are_doubled_reordered_and_repeated_after_a_break_are_carried_out_once() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let table = gateway.pod().open(&[guest.player]);
    let ids: Vec<String> = (0..12).map(|number| format!("id-{number}")).collect();
    // As a network would deliver them that doubles and overtakes.
    let order = [5, 0, 5, 3, 1, 11, 0, 2, 7, 3, 4, 6, 10, 8, 9, 11, 1];
    for _ in 0..3 {
        let mut client = ProtoClient::connect(gateway.address).await;
        client.hello(&guest.access_token).await;
        for number in order {
            client.ask(&ids[number], ready(&table)).await;
        }
        let mut answered = BTreeSet::new();
        while answered.len() < ids.len() {
            if let In::Response(answer) = client.next().await {
                assert!(matches!(answer.result, Some(response::Result::Done(_))), "{answer:?}");
                answered.insert(answer.id);
            }
        }
        // Broken off without a goodbye.
        drop(client);
    }
    let commands = gateway.pod().commands();
    assert_eq!(commands.len(), ids.len(), "each once");
    assert!(commands.iter().all(|command| command.player_id == guest.player.to_string()));
}

#[tokio::test]
async fn the_token_of_another_player_gives_that_player_and_no_other() {
    let gateway = Gateway::start().await;
    let (mut ada, ada_guest) = gateway.proto().await;
    let eve = gateway.guest("Eve").await;
    let table = gateway.pod().open(&[ada_guest.player]);

    // Eve's requests are Eve's, whatever table she names.
    let mut client = ProtoClient::connect(gateway.address).await;
    assert_eq!(client.hello(&eve.access_token).await.player_id, eve.player.to_string());
    let Reply::Error(error) = client.request("r", ready(&table)).await else {
        unreachable!("not her seat")
    };
    assert_eq!(error.reason, "TABLE_NO_SEAT");
    drop(client);

    // Ada's name under Eve's signature is nobody.
    let parts = |token: &str| token.split('.').map(str::to_owned).collect::<Vec<_>>();
    let (hers, ours) = (parts(&ada_guest.access_token), parts(&eve.access_token));
    let mut forger = ProtoClient::connect(gateway.address).await;
    let access_token = format!("{}.{}.{}", ours[0], hers[1], ours[2]);
    forger.send(Out::Hello(Hello { access_token, ..Hello::default() })).await;
    let In::Error(error) = forger.next().await else { unreachable!("forged") };
    assert_eq!(error.reason, "BAD_TOKEN");

    // Nor does a call beside the connection reach the session of another.
    let mut calls = SessionServiceClient::new(channel(gateway.address));
    let command = Some(Command::GetProfile(GetProfile {}));
    let mut request = tonic::Request::new(Request { id: "r".into(), command });
    let bearer = format!("Bearer {}", eve.access_token).parse().unwrap();
    request.metadata_mut().insert("authorization", bearer);
    let mut refused = calls.call(request).await;
    for _ in 0..100 {
        // Eve's own session may still be ending.
        if refused.is_err() {
            break;
        }
        let command = Some(Command::GetProfile(GetProfile {}));
        let mut request = tonic::Request::new(Request { id: "r".into(), command });
        let bearer = format!("Bearer {}", eve.access_token).parse().unwrap();
        request.metadata_mut().insert("authorization", bearer);
        refused = calls.call(request).await;
    }
    let failure = parlor_common::Failure::from(refused.unwrap_err());
    assert_eq!(failure.reason, "NO_SESSION");
    // Ada has noticed nothing.
    let Reply::Profile(profile) = ada.request("p", Command::GetProfile(GetProfile {})).await else {
        unreachable!("a profile")
    };
    assert_eq!(profile.player_id, ada_guest.player.to_string());
}

#[tokio::test]
async fn half_open_connections_are_found_and_forgotten() {
    let mut config = config();
    config.session.gateway_heartbeat_ms = 100;
    config.gateway_admin_tokens = operator();
    let gateway = Gateway::with(config).await;
    // They say hello, begin another frame, and are gone without a word.
    let mut halves = Vec::new();
    for _ in 0..20 {
        let guest = gateway.guest("Ada").await;
        let mut half = DeafSocket::connect(gateway.address).await;
        half.hello(&guest.access_token).await;
        half.send(&[0x81, 0x80 | 50, 0, 0]).await;
        halves.push(half);
    }
    let mut viewer = Admins::of(&gateway, "viewer").client;
    let forgotten = async {
        loop {
            let request = ListSessionsRequest::default();
            let sessions = viewer.list_sessions(request).await.unwrap().into_inner();
            if sessions.total == 0 {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, forgotten).await.expect("they are forgotten");
    for half in &mut halves {
        half.read_to_end().await;
    }
}

#[tokio::test]
async fn a_connection_that_never_asks_anything_is_closed() {
    let gateway = Gateway::start().await;
    let mut silent = TcpStream::connect(gateway.address).await.unwrap();
    let mut slow = TcpStream::connect(gateway.address).await.unwrap();
    slow.write_all(b"GET /v1/session HTTP/1.1\r\nhost: x\r\nx-y").await.unwrap();
    let mut heard = Vec::new();
    for stream in [&mut silent, &mut slow] {
        let end = tokio::time::timeout(PATIENCE, stream.read_to_end(&mut heard)).await;
        assert!(end.is_ok(), "it stays open");
    }
}
