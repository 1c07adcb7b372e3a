//! Limits: rates, outstanding requests, sessions of an address.

use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::{Error, GetProfile, Hello};
use tokio_tungstenite::tungstenite;

use crate::fixture::client::{Incoming, Socket, ready};
use crate::fixture::table::Manner;
use crate::fixture::{Gateway, ProtoClient, config, http};

fn profile() -> Command {
    Command::GetProfile(GetProfile {})
}

fn error(reply: Reply) -> Error {
    match reply {
        Reply::Error(error) => error,
        other => unreachable!("expected an error, got {other:?}"),
    }
}

#[tokio::test]
async fn requests_above_the_rate_are_refused_with_the_time_to_wait() {
    let mut config = config();
    config.limits.gateway_requests_per_s = 1;
    config.limits.gateway_requests_burst = 2;
    let gateway = Gateway::with(config).await;
    let (mut client, _) = gateway.proto().await;
    for _ in 0..2 {
        assert!(matches!(client.request("r", profile()).await, Reply::Profile(_)));
    }
    let error = error(client.request("r3", profile()).await);
    assert_eq!(
        (error.code.as_str(), error.reason.as_str()),
        ("resource_exhausted", "RATE_LIMITED")
    );
    assert!(error.retryable);
    let wait: u64 = error.metadata["retry_after_ms"].parse().unwrap();
    assert!((1..=1000).contains(&wait));
}

#[tokio::test]
async fn a_new_connection_does_not_give_a_player_its_burst_again() {
    let mut config = config();
    config.limits.gateway_requests_per_s = 1;
    config.limits.gateway_requests_burst = 60;
    let gateway = Gateway::with(config).await;
    let (mut client, guest) = gateway.proto().await;
    let mut given = 0;
    while matches!(client.request("r", profile()).await, Reply::Profile(_)) {
        given += 1;
    }
    assert!(given >= 60);
    for is_replaced in [false, true] {
        if !is_replaced {
            drop(client);
        }
        client = ProtoClient::connect(gateway.address).await;
        client.hello(&guest.access_token).await;
        let mut more = 0;
        while matches!(client.request("r", profile()).await, Reply::Profile(_)) {
            more += 1;
        }
        assert!(more < 30, "{more} after {given}");
    }
    let (mut other, _) = gateway.proto().await;
    assert!(matches!(other.request("r", profile()).await, Reply::Profile(_)));
}

#[tokio::test]
async fn a_player_that_begins_sessions_without_end_is_refused() {
    let mut config = config();
    config.limits.gateway_requests_per_s = 1;
    let gateway = Gateway::with(config).await;
    let guest = gateway.guest("Ada").await;
    let mut come = 0;
    let error = loop {
        let mut client = ProtoClient::connect(gateway.address).await;
        let access_token = guest.access_token.clone();
        client.send(Out::Hello(Hello { access_token, ..Hello::default() })).await;
        match client.next().await {
            In::Welcome(_) => come += 1,
            In::Error(error) => break error,
            other => unreachable!("{other:?}"),
        }
        assert!(come < 1000, "there is a bound");
    };
    assert!(come >= 30, "a phone on a bad network does not notice");
    assert_eq!((error.reason.as_str(), error.retryable), ("RATE_LIMITED", true));
    let other = gateway.guest("Bob").await;
    ProtoClient::connect(gateway.address).await.hello(&other.access_token).await;
}

#[tokio::test]
async fn a_flood_is_answered_and_then_cut_off() {
    let mut config = config();
    config.limits.gateway_requests_per_s = 1;
    config.limits.gateway_requests_burst = 1;
    let gateway = Gateway::with(config).await;
    let (mut client, _) = gateway.proto().await;
    for number in 0..400 {
        client.ask(&format!("r{number}"), profile()).await;
    }
    let mut refused = 0;
    loop {
        match client.socket.next().await {
            Incoming::Binary(_) => refused += 1,
            Incoming::Closed(frame) => {
                if let Some(frame) = frame {
                    assert_eq!(u16::from(frame.code), 1008);
                }
                break;
            }
            Incoming::Text(text) => unreachable!("{text}"),
        }
    }
    assert!((100..400).contains(&refused), "{refused}");
}

#[tokio::test]
async fn all_connections_of_an_address_share_its_rate() {
    let mut config = config();
    config.limits.gateway_address_requests_per_s = 3;
    let gateway = Gateway::with(config).await;
    let (mut one, _) = gateway.proto().await;
    let (mut other, _) = gateway.proto().await;
    for client in [&mut one, &mut other] {
        assert!(matches!(client.request("r", profile()).await, Reply::Profile(_)));
    }
    one.request("r2", profile()).await;
    assert_eq!(error(other.request("r3", profile()).await).reason, "RATE_LIMITED");
}

#[tokio::test]
async fn unanswered_requests_are_bounded() {
    let mut config = config();
    config.session.gateway_max_outstanding = 3;
    config.session.gateway_command_timeout_ms = 300;
    let gateway = Gateway::with(config).await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.pod().set_manner(Manner::Silent);
    for number in 0..3 {
        client.ask(&format!("r{number}"), ready(&table)).await;
    }
    assert_eq!(error(client.request("r3", profile()).await).reason, "TOO_MANY_REQUESTS");
    assert_eq!(error(client.response("r0").await).reason, "LINK_UNAVAILABLE");
    client.response("r1").await;
    client.response("r2").await;
    assert!(matches!(client.request("r4", profile()).await, Reply::Profile(_)));
}

#[tokio::test]
async fn a_request_that_is_sent_again_before_its_answer_is_answered_once() {
    let mut config = config();
    config.session.gateway_command_timeout_ms = 200;
    let gateway = Gateway::with(config).await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.pod().set_manner(Manner::Silent);
    for _ in 0..3 {
        client.ask("same", ready(&table)).await;
    }
    let In::Response(response) = client.next().await else { unreachable!("a response") };
    assert_eq!(response.id, "same");
    client.ask("last", profile()).await;
    let In::Response(response) = client.next().await else { unreachable!("a response") };
    assert_eq!(response.id, "last", "nothing in between");
}

#[tokio::test]
async fn sessions_of_an_address_are_bounded() {
    let mut config = config();
    config.limits.gateway_max_sessions_per_address = 2;
    let gateway = Gateway::with(config).await;
    let (first, _) = gateway.proto().await;
    let (_second, _) = gateway.proto().await;
    let refused = Socket::connect(gateway.address, Some("parlor.v1.proto")).await;
    let Err(tungstenite::Error::Http(response)) = refused else { unreachable!("a third session") };
    assert_eq!(response.status(), 429);
    drop(first);
    let mut connected = false;
    for _ in 0..500 {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        if Socket::connect(gateway.address, Some("parlor.v1.proto")).await.is_ok() {
            connected = true;
            break;
        }
    }
    assert!(connected, "its place is free again");
}

#[tokio::test]
async fn sign_ins_of_an_address_are_bounded() {
    let mut config = config();
    config.limits.gateway_sign_ins_per_minute = 2;
    let gateway = Gateway::with(config).await;
    gateway.guest("Ada").await;
    gateway.guest("Bob").await;
    let answer = http::post(gateway.address, "/v1/auth/guest", "{}").await;
    assert_eq!((answer.status, &answer.json()["reason"]), (429, &"RATE_LIMITED".into()));
    let wait: u64 = answer.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait));
}

#[tokio::test]
async fn new_guests_of_an_address_are_bounded() {
    let mut config = config();
    config.limits.gateway_guests_per_hour = 2;
    let gateway = Gateway::with(config).await;
    let guest = gateway.guest("Ada").await;
    gateway.guest("Bob").await;
    let answer = http::post(gateway.address, "/v1/auth/guest", "{}").await;
    assert_eq!((answer.status, &answer.json()["reason"]), (429, &"RATE_LIMITED".into()));
    let wait: u64 = answer.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((60..=1800).contains(&wait), "{wait} s");
    // Players who exist already stay signed in.
    let refresh = serde_json::json!({ "refreshToken": guest.refresh_token }).to_string();
    let answer = http::post(gateway.address, "/v1/auth/refresh", &refresh).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn proxies_are_believed_only_when_they_are_trusted() {
    let mut config = config();
    config.limits.gateway_max_sessions_per_address = 1;
    config.gateway_trusted_proxies = vec!["127.0.0.0/8".parse().unwrap()];
    let gateway = Gateway::with(config.clone()).await;
    let connect = async |gateway: &Gateway, client: &str| {
        let headers = [("x-forwarded-for", client)];
        Socket::connect_with(gateway.address, Some("parlor.v1.proto"), &headers).await
    };
    let _first = connect(&gateway, "203.0.113.1").await.unwrap();
    assert!(connect(&gateway, "203.0.113.1").await.is_err());
    let _second = connect(&gateway, "203.0.113.2").await.unwrap();

    config.gateway_trusted_proxies.clear();
    let gateway = Gateway::with(config).await;
    let _first = connect(&gateway, "203.0.113.1").await.unwrap();
    assert!(connect(&gateway, "203.0.113.2").await.is_err());
}
