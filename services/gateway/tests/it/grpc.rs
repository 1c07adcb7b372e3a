//! gRPC and gRPC-Web, on the same port.

use axum::body::Body;
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

use crate::fixture::{Gateway, channel, eventually, http};

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
    for service in ["", "parlor.gateway.v1.SessionService", "parlor.gateway.v1.AuthService"] {
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
    let mut body = vec![0];
    body.extend_from_slice(&u32::try_from(message.len()).unwrap().to_be_bytes());
    body.extend_from_slice(message);
    let request = http::request("POST", gateway.address, &format!("/{method}"))
        .header("content-type", "application/grpc-web+proto")
        .header("x-grpc-web", "1")
        .body(Body::from(body));
    http::send(gateway.address, request.unwrap()).await
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
