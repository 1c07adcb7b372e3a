//! Frames that are not as they should be.

use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::{GetProfile, Hello, Request};
use serde_json::json;
use tokio_tungstenite::tungstenite::Message;

use crate::fixture::client::{Incoming, Socket};
use crate::fixture::{Gateway, JsonClient, ProtoClient, config};

#[tokio::test]
async fn a_malformed_request_is_answered_under_its_id() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.json().await;
    client.send(json!({"request": {"id": "r1", "enqueue": {"queue": "typo"}}})).await;
    let response = client.response("r1").await;
    assert_eq!(response["error"]["reason"], "MALFORMED_FRAME");
    assert_eq!(response["error"]["code"], "invalid_argument");
    assert!(response["error"]["message"].as_str().unwrap().contains("queue"));
}

#[tokio::test]
async fn malformed_frames_are_told_and_then_close_the_connection() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.json().await;
    for text in ["", "{", "[1]", r#"{"ping":{},"pong":{}}"#, "{}", "\u{0}", "[[[[", "nonsense"] {
        client.socket.send(Message::text(text)).await;
        assert_eq!(client.next().await["error"]["reason"], "MALFORMED_FRAME", "{text}");
    }
    assert_eq!(client.socket.closed().await, Some(1008));
}

#[tokio::test]
async fn messages_of_the_wrong_kind_are_malformed() {
    let gateway = Gateway::start().await;
    let (mut json, _) = gateway.json().await;
    json.socket.send(Message::binary(vec![1, 2, 3])).await;
    assert_eq!(json.next().await["error"]["reason"], "MALFORMED_FRAME");
    let (mut proto, _) = gateway.proto().await;
    proto.socket.send(Message::text("{}")).await;
    let In::Error(error) = proto.next().await else { unreachable!("an error") };
    assert_eq!(error.reason, "MALFORMED_FRAME");
    proto.socket.send(Message::binary(vec![0xff; 40])).await;
    assert!(matches!(proto.next().await, In::Error(_)));
    // The connection lives on.
    assert!(matches!(
        proto.request("r", Command::GetProfile(GetProfile {})).await,
        Reply::Profile(_)
    ));
}

#[tokio::test]
async fn a_frame_that_is_too_large_closes_the_connection() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.json().await;
    let id = "x".repeat(70_000);
    client.send(json!({"request": {"id": id, "getProfile": {}}})).await;
    assert_eq!(client.next().await["error"]["reason"], "MESSAGE_TOO_LARGE");
    assert_eq!(client.socket.closed().await, Some(1009));
}

#[tokio::test]
async fn the_welcome_names_the_largest_frame_that_is_accepted() {
    let mut config = config();
    config.session.gateway_max_frame_bytes = 2_000;
    let gateway = Gateway::with(config).await;
    let guest = gateway.guest("Ada").await;
    let mut client = JsonClient::connect(gateway.address).await;
    let welcome = client.hello(&guest.access_token).await;
    assert_eq!(welcome["maxFrameBytes"], 2_000);
    let frame = json!({"ping": {"nonce": "1"}}).to_string();
    client.socket.send(Message::text(format!("{frame:<2000}"))).await;
    assert_eq!(client.next().await["pong"]["nonce"], "1");
    client.socket.send(Message::text(format!("{frame:<2001}"))).await;
    assert_eq!(client.next().await["error"]["reason"], "MESSAGE_TOO_LARGE");
}

#[tokio::test]
async fn request_ids_have_bounds() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    for id in ["", &"x".repeat(65), "é", "two words", "line\nfeed"] {
        client.ask(id, Command::GetProfile(GetProfile {})).await;
        let In::Response(response) = client.next().await else { unreachable!("a response") };
        assert_eq!(response.id, id.chars().take(64).collect::<String>());
        let Some(Reply::Error(error)) = response.result else { unreachable!("an error") };
        assert_eq!(error.reason, "BAD_REQUEST_ID");
    }
    let long = "~".repeat(64);
    let reply = client.request(&long, Command::GetProfile(GetProfile {})).await;
    assert!(matches!(reply, Reply::Profile(_)));
}

#[tokio::test]
async fn an_empty_request_is_answered() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    client.send(Out::Request(Request { id: "r".to_owned(), command: None })).await;
    let Reply::Error(error) = client.response("r").await else { unreachable!("an error") };
    assert_eq!(error.reason, "EMPTY_REQUEST");
}

#[tokio::test]
async fn the_first_frame_is_hello_and_it_comes_once() {
    let gateway = Gateway::start().await;
    let mut client = ProtoClient::connect(gateway.address).await;
    client.ask("r", Command::GetProfile(GetProfile {})).await;
    let In::Error(error) = client.next().await else { unreachable!("an error") };
    assert_eq!(error.reason, "HELLO_EXPECTED");
    assert_eq!(client.socket.closed().await, Some(1008));

    let (mut client, _) = gateway.proto().await;
    client.send(Out::Hello(Hello::default())).await;
    let In::Error(error) = client.next().await else { unreachable!("an error") };
    assert_eq!(error.reason, "SECOND_HELLO");
    assert_eq!(client.socket.closed().await, Some(1008));
}

#[tokio::test]
async fn hello_must_come_soon() {
    let mut config = config();
    config.session.gateway_hello_timeout_ms = 50;
    let gateway = Gateway::with(config).await;
    let mut client = JsonClient::connect(gateway.address).await;
    assert_eq!(client.next().await["error"]["reason"], "HELLO_EXPECTED");
    assert_eq!(client.socket.closed().await, Some(1008));
}

#[tokio::test]
async fn a_malformed_hello_says_what_is_wrong() {
    let gateway = Gateway::start().await;
    let mut client = JsonClient::connect(gateway.address).await;
    client.send(json!({"hello": {"token": "typo"}})).await;
    let error = client.next().await["error"].clone();
    assert_eq!(error["reason"], "MALFORMED_FRAME");
    assert!(error["message"].as_str().unwrap().contains("token"));
    assert!(matches!(client.socket.next().await, Incoming::Closed(_)));
}

#[tokio::test]
async fn a_seed_that_is_too_long_is_refused() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let mut client = ProtoClient::connect(gateway.address).await;
    let hello = Hello {
        access_token: guest.access_token,
        client_seed: vec![1; 33].into(),
        ..Hello::default()
    };
    client.send(Out::Hello(hello)).await;
    let In::Error(error) = client.next().await else { unreachable!("an error") };
    assert_eq!(error.reason, "BAD_CLIENT_SEED");
}

#[tokio::test]
async fn bytes_that_are_no_frames_never_break_the_gateway() {
    let gateway = Gateway::start().await;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..40 {
        let mut socket = Socket::connect(gateway.address, Some("parlor.v1.proto")).await.unwrap();
        let mut bytes = Vec::new();
        for _ in 0..(round * 7) {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round);
            bytes.push((state >> 33) as u8);
        }
        socket.send(Message::binary(bytes)).await;
        assert!(matches!(socket.next().await, Incoming::Binary(_)), "an error frame");
        assert!(matches!(socket.next().await, Incoming::Closed(_)));
    }
    let (mut client, _) = gateway.proto().await;
    assert!(matches!(
        client.request("r", Command::GetProfile(GetProfile {})).await,
        Reply::Profile(_)
    ));
}
