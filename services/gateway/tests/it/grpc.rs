//! gRPC and gRPC-Web, on the same port.

use axum::body::Body;
use futures_util::StreamExt;
use parlor_common::client::PeerChannel;
use parlor_proto::gateway::v1::auth_service_client::AuthServiceClient;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::session_service_client::SessionServiceClient;
use parlor_proto::gateway::v1::{
    ClientFrame, GetProfile, Hello, Request, ServerFrame, SignInGuestRequest, SignInResponse, Watch,
};
use prost::Message;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::Streaming;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_client::HealthClient;

use crate::fixture::{Gateway, channel, config, eventually, http};

struct GrpcClient {
    send: Option<mpsc::Sender<ClientFrame>>,
    frames: Streaming<ServerFrame>,
}

impl GrpcClient {
    async fn connect(channel: PeerChannel) -> Self {
        let (send, sent) = mpsc::channel(16);
        let mut client = SessionServiceClient::new(channel);
        let frames = client.connect(ReceiverStream::new(sent)).await.unwrap().into_inner();
        Self { send: Some(send), frames }
    }

    async fn send(&self, frame: Out) {
        let frame = ClientFrame { frame: Some(frame) };
        self.send.as_ref().unwrap().send(frame).await.unwrap();
    }

    async fn next(&mut self) -> In {
        self.frames.message().await.unwrap().unwrap().frame.unwrap()
    }

    async fn hello(&mut self, access_token: &str) {
        let access_token = access_token.to_owned();
        self.send(Out::Hello(Hello { access_token, ..Hello::default() })).await;
        assert!(matches!(self.next().await, In::Welcome(_)));
    }

    async fn ask(&self, id: &str, command: Command) {
        self.send(Out::Request(Request { id: id.to_owned(), command: Some(command) })).await;
    }
}

#[tokio::test]
async fn a_session_over_grpc_signs_in_plays_and_leaves() {
    let gateway = Gateway::start().await;
    let channel = channel(gateway.address);
    let mut auth = AuthServiceClient::new(channel.clone());
    let request = SignInGuestRequest { name: "Ada".to_owned() };
    let signed_in = auth.sign_in_guest(request).await.unwrap().into_inner();
    let mut client = GrpcClient::connect(channel).await;
    client.hello(&signed_in.access_token).await;
    let table = gateway.pod().open(&[]);
    client.ask("w", Command::Watch(Watch { table_id: table.clone() })).await;
    loop {
        if let In::Resync(_) = client.next().await {
            break;
        }
    }
    gateway.pod().publish(&table);
    loop {
        if let In::Update(update) = client.next().await {
            assert_eq!(update.seq, 1);
            break;
        }
    }
    drop(client);
    eventually("unsubscribed", || gateway.pod().subscribers(&table) == 0).await;
}

#[tokio::test]
async fn a_client_that_only_listens_is_served() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.lobby.place(guest.player, &table, "");
    let mut client = GrpcClient::connect(channel(gateway.address)).await;
    client.hello(&guest.access_token).await;
    client.send = None;
    assert!(matches!(client.next().await, In::Resync(_)));
    gateway.pod().publish(&table);
    assert!(matches!(client.next().await, In::Update(_)));
    drop(client);
    eventually("unsubscribed", || gateway.pod().subscribers(&table) == 0).await;
}

#[tokio::test]
async fn a_client_that_only_listens_is_shown_that_the_session_lives() {
    let mut config = config();
    config.session.gateway_heartbeat_ms = 40;
    let gateway = Gateway::with(config).await;
    let guest = gateway.guest("Ada").await;
    let mut client = GrpcClient::connect(channel(gateway.address)).await;
    client.hello(&guest.access_token).await;
    client.send = None;
    for _ in 0..4 {
        assert!(matches!(client.next().await, In::Pong(pong) if pong.nonce == 0));
    }
}

#[tokio::test]
async fn a_failure_is_a_frame_and_then_the_status_of_the_stream() {
    let gateway = Gateway::start().await;
    let mut client = GrpcClient::connect(channel(gateway.address)).await;
    client.send(Out::Hello(Hello::default())).await;
    let In::Error(error) = client.next().await else { unreachable!("an error") };
    assert_eq!(error.reason, "BAD_TOKEN");
    let status = client.frames.message().await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unauthenticated);
    assert_eq!(parlor_common::Failure::from(status).reason, "BAD_TOKEN");
}

#[tokio::test]
async fn a_message_that_is_too_large_ends_the_stream() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let mut client = GrpcClient::connect(channel(gateway.address)).await;
    client.hello(&guest.access_token).await;
    client.ask(&"x".repeat(70_000), Command::GetProfile(GetProfile {})).await;
    let In::Error(error) = client.next().await else { unreachable!("an error") };
    assert_eq!(error.reason, "MESSAGE_TOO_LARGE");
    assert_eq!(client.frames.message().await.unwrap_err().code(), tonic::Code::InvalidArgument);
}

#[tokio::test]
async fn a_grpc_session_is_replaced_by_a_websocket_and_the_other_way_round() {
    let gateway = Gateway::start().await;
    let (mut socket, guest) = gateway.proto().await;
    let mut client = GrpcClient::connect(channel(gateway.address)).await;
    client.hello(&guest.access_token).await;
    assert!(matches!(socket.next().await, In::GoAway(gone) if gone.reason == "replaced"));
    let mut socket = crate::fixture::ProtoClient::connect(gateway.address).await;
    socket.hello(&guest.access_token).await;
    assert!(matches!(client.next().await, In::GoAway(gone) if gone.reason == "replaced"));
    assert!(client.frames.message().await.unwrap().is_none());
}

#[tokio::test]
async fn health_is_told_until_the_end_begins() {
    let gateway = Gateway::start().await;
    let mut health = HealthClient::new(channel(gateway.address));
    let names =
        ["", "liveness", "parlor.gateway.v1.SessionService", "parlor.gateway.v1.AuthService"];
    for service in names {
        let request = HealthCheckRequest { service: service.to_owned() };
        let mut stages = health.watch(request).await.unwrap().into_inner();
        let status = stages.message().await.unwrap().unwrap().status();
        assert_eq!(status.as_str_name(), "SERVING", "{service}");
    }
    let mut stages = health.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    stages.message().await.unwrap();
    let (_client, _) = gateway.json().await;
    gateway.shutdown.begin();
    let status = stages.message().await.unwrap().unwrap().status();
    assert_eq!(status.as_str_name(), "NOT_SERVING");
}

#[tokio::test]
async fn an_unknown_method_is_unimplemented() {
    let gateway = Gateway::start().await;
    let answer = grpc_web(&gateway, "parlor.gateway.v1.SessionService/Absent", &[]).await;
    assert_eq!(answer.headers["grpc-status"], "12");
}

/// Sends one message in the framing of gRPC-Web.
async fn grpc_web(gateway: &Gateway, method: &str, message: &[u8]) -> http::Answer {
    http::send(gateway.address, web_request(gateway, method, message)).await
}

fn web_request(gateway: &Gateway, method: &str, message: &[u8]) -> ::http::Request<Body> {
    let mut body = vec![0];
    body.extend_from_slice(&u32::try_from(message.len()).unwrap().to_be_bytes());
    body.extend_from_slice(message);
    http::request("POST", gateway.address, &format!("/{method}"))
        .header("content-type", "application/grpc-web+proto")
        .header("x-grpc-web", "1")
        .body(Body::from(body))
        .unwrap()
}

#[tokio::test]
async fn grpc_web_signs_in_over_http_1() {
    let gateway = Gateway::start().await;
    let message = SignInGuestRequest { name: "Ada".to_owned() }.encode_to_vec();
    let answer = grpc_web(&gateway, "parlor.gateway.v1.AuthService/SignInGuest", &message).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["content-type"], "application/grpc-web+proto");
    let length = u32::from_be_bytes(answer.body[1..5].try_into().unwrap()) as usize;
    let response = SignInResponse::decode(&answer.body[5..5 + length]).unwrap();
    assert_eq!(response.name, "Ada");
    let trailers = String::from_utf8_lossy(&answer.body[5 + length..]).into_owned();
    assert!(trailers.contains("grpc-status:0"), "{trailers}");
}

#[tokio::test]
async fn a_request_over_grpc_gets_its_response() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let mut client = GrpcClient::connect(channel(gateway.address)).await;
    client.hello(&guest.access_token).await;
    client.ask("p", Command::GetProfile(GetProfile {})).await;
    let In::Response(response) = client.next().await else { unreachable!("a response") };
    assert_eq!(response.id, "p");
    assert!(matches!(response.result, Some(Reply::Profile(_))));
}

fn bearing(token: &str, request: Request) -> tonic::Request<Request> {
    let mut request = tonic::Request::new(request);
    request.metadata_mut().insert("authorization", format!("Bearer {token}").parse().unwrap());
    request
}

fn profile(id: &str) -> Request {
    Request { id: id.to_owned(), command: Some(Command::GetProfile(GetProfile {})) }
}

#[tokio::test]
async fn a_request_beside_the_connection_is_one_of_its_session() {
    let gateway = Gateway::start().await;
    let (mut socket, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    let mut client = SessionServiceClient::new(channel(gateway.address));
    let watch = Request {
        id: "w".to_owned(),
        command: Some(Command::Watch(Watch { table_id: table.clone() })),
    };
    let response = client.call(bearing(&guest.access_token, watch)).await.unwrap().into_inner();
    assert_eq!(response.id, "w");
    assert!(matches!(response.result, Some(Reply::Done(_))));
    // The response came beside the connection, what it entails comes over it.
    assert!(matches!(socket.next().await, In::Resync(_)));
    let bad = Request { id: String::new(), command: None };
    let response = client.call(bearing(&guest.access_token, bad)).await.unwrap().into_inner();
    let Some(Reply::Error(error)) = response.result else { unreachable!("an error") };
    assert_eq!(error.reason, "BAD_REQUEST_ID");
}

#[tokio::test]
async fn a_request_beside_no_connection_is_refused() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let mut client = SessionServiceClient::new(channel(gateway.address));
    let reason = |status| parlor_common::Failure::from(status).reason;
    let call = client.call(bearing(&guest.access_token, profile("p"))).await;
    assert_eq!(reason(call.unwrap_err()), "NO_SESSION");
    let call = client.call(bearing("nonsense", profile("p"))).await;
    assert_eq!(reason(call.unwrap_err()), "BAD_TOKEN");
    let call = client.call(profile("p")).await;
    assert_eq!(reason(call.unwrap_err()), "BAD_TOKEN");
    let (socket, guest) = gateway.proto().await;
    assert!(client.call(bearing(&guest.access_token, profile("p"))).await.is_ok());
    drop(socket);
    for _ in 0..1_000 {
        tokio::time::sleep(std::time::Duration::from_millis(2)).await;
        if let Err(status) = client.call(bearing(&guest.access_token, profile("p"))).await {
            assert_eq!(reason(status), "NO_SESSION");
            return;
        }
    }
    unreachable!("the session does not end");
}

/// Reads messages out of a response in the framing of gRPC-Web.
struct WebFrames {
    body: axum::body::BodyDataStream,
    read: Vec<u8>,
}

impl WebFrames {
    async fn next(&mut self) -> In {
        loop {
            if let Some((length, rest)) = self.read.get(1..5).zip(self.read.get(5..)) {
                let length = u32::from_be_bytes(length.try_into().unwrap()) as usize;
                if let Some(message) = rest.get(..length) {
                    let frame = ServerFrame::decode(message).unwrap();
                    self.read.drain(..5 + length);
                    return frame.frame.unwrap();
                }
            }
            let more = tokio::time::timeout(crate::fixture::PATIENCE, self.body.next()).await;
            self.read.extend_from_slice(&more.expect("a frame in time").unwrap().unwrap());
        }
    }
}

#[tokio::test]
async fn a_browser_listens_over_grpc_web_and_calls_beside_it() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.lobby.place(guest.player, &table, "");
    let hello = Hello { access_token: guest.access_token.clone(), ..Hello::default() };
    let hello = ClientFrame { frame: Some(Out::Hello(hello)) }.encode_to_vec();
    let request = web_request(&gateway, "parlor.gateway.v1.SessionService/Connect", &hello);
    let (response, connection) = http::open(gateway.address, request).await;
    let connection = tokio::spawn(connection);
    let mut frames = WebFrames { body: response.into_body().into_data_stream(), read: Vec::new() };
    assert!(matches!(frames.next().await, In::Welcome(_)));
    assert!(matches!(frames.next().await, In::Resync(_)));
    let mut client = SessionServiceClient::new(channel(gateway.address));
    let call = Request { id: "r".to_owned(), command: Some(crate::fixture::client::ready(&table)) };
    let response = client.call(bearing(&guest.access_token, call)).await.unwrap().into_inner();
    assert!(matches!(response.result, Some(Reply::Done(_))));
    assert!(matches!(frames.next().await, In::Update(update) if update.seq == 1));
    connection.abort();
    eventually("unsubscribed", || gateway.pod().subscribers(&table) == 0).await;
}
