//! Behind proxies: the PROXY protocol before TLS and HTTP, on every transport of the listener.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use hyper_util::rt::TokioIo;
use parlor_gateway::Config;
use parlor_proto::gateway::v1 as pb;
use parlor_proto::gateway::v1::auth_service_client::AuthServiceClient;
use prost::Message;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;
use tonic::transport::{Channel, Endpoint};

use crate::admin::{Admins, operator};
use crate::fixture::client::Socket;
use crate::fixture::{Gateway, PATIENCE, ProtoClient, config, http};
use crate::tls;

/// Version 1, from this client.
fn line(client: &str) -> Vec<u8> {
    format!("PROXY TCP4 {client} 192.0.2.1 40000 443\r\n").into_bytes()
}

/// Version 2, from this client, with an extension.
fn binary(client: [u8; 4]) -> Vec<u8> {
    let head = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x11";
    [head, &client[..], &[192, 0, 2, 1, 0x9c, 0x40, 1, 187], &[0xe0, 0, 2, 1, 2]].concat()
}

/// Version 2 of a proxy's own connection.
const LOCAL: &[u8] = b"\r\n\r\n\0\r\nQUIT\n\x20\x00\x00\x00";

fn behind(network: &str) -> Config {
    let mut config = config();
    config.gateway_proxy_protocol_from = vec![network.parse().unwrap()];
    config.gateway_admin_tokens = operator();
    config
}

async fn begun(address: SocketAddr, header: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(header).await.unwrap();
    stream
}

/// A session whose connection begins with a header.
async fn session(
    gateway: &Gateway,
    header: &[u8],
    headers: &[(&'static str, &str)],
) -> ProtoClient {
    let stream = begun(gateway.address, header).await;
    let protocol = Some("parlor.v1.proto");
    let socket = Socket::over(stream, gateway.address, protocol, headers).await.unwrap();
    let mut client = ProtoClient { socket };
    // Signed in on a connection of its own, which needs a header too.
    let guest = sign_in(gateway, LOCAL).await.json();
    client.hello(guest["accessToken"].as_str().unwrap()).await;
    client
}

/// The address of the only session.
async fn seen(gateway: &Gateway) -> String {
    let mut viewer = Admins::of(gateway, "viewer").client;
    let list = pb::ListSessionsRequest::default();
    let mut sessions = viewer.list_sessions(list).await.unwrap().into_inner().sessions;
    assert_eq!(sessions.len(), 1);
    sessions.remove(0).address
}

async fn sign_in(gateway: &Gateway, header: &[u8]) -> http::Answer {
    let request = http::request("POST", gateway.address, "/v1/auth/guest").body(Body::from("{}"));
    http::send_over(begun(gateway.address, header).await, request.unwrap()).await
}

#[tokio::test]
async fn both_versions_name_the_client_of_a_websocket() {
    for (header, address) in [
        (line("203.0.113.7"), "203.0.113.7"),
        (binary([203, 0, 113, 8]), "203.0.113.8"),
        (LOCAL.to_vec(), "127.0.0.1"),
        (b"PROXY UNKNOWN\r\n".to_vec(), "127.0.0.1"),
    ] {
        let gateway = Gateway::with(behind("127.0.0.0/8")).await;
        let _client = session(&gateway, &header, &[("x-forwarded-for", "198.51.100.9")]).await;
        assert_eq!(seen(&gateway).await, address, "{header:?}");
    }
}

#[tokio::test]
async fn a_header_that_comes_in_pieces_is_read() {
    let gateway = Gateway::with(behind("127.0.0.0/8")).await;
    for header in [line("203.0.113.7"), binary([203, 0, 113, 7])] {
        let mut stream = TcpStream::connect(gateway.address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        for byte in header {
            stream.write_all(&[byte]).await.unwrap();
            tokio::task::yield_now().await;
        }
        let request = http::request("GET", gateway.address, "/").body(Body::empty()).unwrap();
        assert_eq!(http::send_over(stream, request).await.status, 200);
    }
}

#[tokio::test]
async fn a_proxy_of_http_behind_one_of_connections_is_believed_where_it_is_trusted() {
    let mut config = behind("127.0.0.0/8");
    config.gateway_trusted_proxies = vec!["203.0.113.0/24".parse().unwrap()];
    let gateway = Gateway::with(config).await;
    let forwarded = [("x-forwarded-for", "192.0.2.66, 198.51.100.9")];
    let _client = session(&gateway, &line("203.0.113.7"), &forwarded).await;
    assert_eq!(seen(&gateway).await, "198.51.100.9");
}

/// A channel whose connections begin with a header.
fn channel(address: SocketAddr, header: Vec<u8>) -> Channel {
    let connect = tower::service_fn(move |_| {
        let header = header.clone();
        async move { Ok::<_, std::io::Error>(TokioIo::new(begun(address, &header).await)) }
    });
    Endpoint::from_static("http://gateway").connect_with_connector_lazy(connect)
}

#[tokio::test]
async fn limits_and_bans_are_of_the_client_on_grpc_and_grpc_web() {
    let mut config = behind("127.0.0.0/8");
    config.limits.gateway_guests_per_hour = 1;
    let gateway = Gateway::with(config).await;
    let grpc = async |header: Vec<u8>| {
        let mut auth = AuthServiceClient::new(channel(gateway.address, header));
        let signed_in = auth.sign_in_guest(pb::SignInGuestRequest::default()).await;
        signed_in.map_or_else(|status| parlor_common::Failure::from(status).reason, |_| "ok".into())
    };
    let grpc_web = async |header: Vec<u8>| {
        let message = pb::SignInGuestRequest::default().encode_to_vec();
        let framed = [&[0, 0, 0, 0, u8::try_from(message.len()).unwrap()], &*message].concat();
        let path = "/parlor.gateway.v1.AuthService/SignInGuest";
        let request = http::request("POST", gateway.address, path)
            .header("content-type", "application/grpc-web+proto")
            .header("x-grpc-web", "1")
            .body(Body::from(framed));
        let stream = begun(gateway.address, &header).await;
        let answer = http::send_over(stream, request.unwrap()).await;
        let status = answer.headers.get("grpc-status").map(|it| it.to_str().unwrap().to_owned());
        status.unwrap_or_else(|| "ok".to_owned())
    };
    assert_eq!(grpc(binary([203, 0, 113, 1])).await, "ok");
    assert_eq!(grpc(line("203.0.113.1")).await, "RATE_LIMITED");
    assert_eq!(grpc_web(line("203.0.113.1")).await, "8", "resource exhausted");
    assert_eq!(grpc_web(binary([203, 0, 113, 2])).await, "ok");
    assert_eq!(grpc(line("203.0.113.3")).await, "ok");

    let ban = pb::BanAddressRequest {
        network: "203.0.113.0/24".into(),
        duration_ms: 0,
        reason: "farming".into(),
    };
    Admins::of(&gateway, "moderator").client.ban_address(ban).await.unwrap();
    assert_eq!(grpc(binary([203, 0, 113, 4])).await, "ADDRESS_BANNED");
    assert_eq!(grpc_web(line("203.0.113.5")).await, "7", "permission denied");
    assert_eq!(grpc(line("198.51.100.1")).await, "ok");
}

#[tokio::test]
async fn the_header_comes_before_tls() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = behind("127.0.0.0/8");
    config.limits.gateway_guests_per_hour = 1;
    let certificate = tls::certify(folder.path(), &mut config);
    let gateway = Gateway::with(config).await;
    let sign_in = async |header: &[u8]| {
        let stream = begun(gateway.address, header).await;
        let stream = tls::shake_hands_over(stream, certificate).await.unwrap();
        let request = http::request("POST", gateway.address, "/v1/auth/guest");
        http::send_over(stream, request.body(Body::from("{}")).unwrap()).await.status
    };
    assert_eq!(sign_in(&binary([203, 0, 113, 1])).await, 200);
    assert_eq!(sign_in(&line("203.0.113.1")).await, 429, "the same client");
    assert_eq!(sign_in(&line("203.0.113.2")).await, 200);
    assert!(tls::shake_hands(gateway.address, certificate).await.is_err(), "without a header");
}

/// All that comes until the connection is closed; a reset ends it too.
async fn heard(mut stream: TcpStream) -> String {
    let mut heard = Vec::new();
    let _ = timeout(PATIENCE, stream.read_to_end(&mut heard)).await.expect("an end");
    String::from_utf8_lossy(&heard).into_owned()
}

#[tokio::test]
async fn a_header_from_elsewhere_is_not_believed() {
    let gateway = Gateway::with(behind("192.0.2.0/24")).await;
    let request = b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";
    for header in [line("192.0.2.7"), binary([192, 0, 2, 7]), LOCAL.to_vec()] {
        let mut stream = begun(gateway.address, &header).await;
        let _ = stream.write_all(request).await;
        let heard = heard(stream).await;
        assert!(heard.is_empty() || heard.starts_with("HTTP/1.1 400"), "{heard}");
    }
    // Whoever comes from elsewhere comes as always.
    assert!(heard(begun(gateway.address, request).await).await.starts_with("HTTP/1.1 200"));
    let (_client, _) = gateway.proto().await;
    assert_eq!(seen(&gateway).await, "127.0.0.1");
}

#[tokio::test]
async fn a_proxy_that_sends_no_header_is_not_answered() {
    let gateway = Gateway::with(behind("127.0.0.0/8")).await;
    let version_2 = binary([203, 0, 113, 1]);
    let mut endless = version_2.clone();
    endless[14..16].copy_from_slice(&[0xff, 0xff]);
    for beginning in [
        b"GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n".as_slice(),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"PROXY TCP4 203.0.113.1 192.0.2.1 1 x\r\nGET / HTTP/1.1\r\n\r\n",
        b"PROXY TCP4 203.0.113.1\nGET / HTTP/1.1\r\n\r\n",
        &[b"PROXY UNKNOWN ".as_slice(), &[b'x'; 4000]].concat(),
        &endless,
    ] {
        assert_eq!(heard(begun(gateway.address, beginning).await).await, "", "{beginning:?}");
    }
}

#[tokio::test]
async fn a_header_is_not_waited_for_without_end() {
    let gateway = Gateway::with(behind("127.0.0.0/8")).await;
    let version_2 = binary([203, 0, 113, 1]);
    for beginning in [b"".as_slice(), b"PROXY TCP4 203.0", &version_2[..20]] {
        let stream = begun(gateway.address, beginning).await;
        // Taken in by the gateway before its time passes.
        tokio::time::sleep(Duration::from_millis(20)).await;
        tokio::time::pause();
        assert_eq!(heard(stream).await, "", "{beginning:?}");
        tokio::time::resume();
    }
}

#[tokio::test]
async fn one_address_does_not_take_all_connections() {
    let mut config = behind("127.0.0.0/8");
    // With a few to spare for pages and sign-ins.
    config.limits.gateway_max_sessions_per_address = 1;
    let gateway = Gateway::with(config).await;
    let page = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n";
    let ask = async |client: &str| {
        let mut stream = begun(gateway.address, &[&line(client), page.as_slice()].concat()).await;
        let mut first = [0];
        let answered = timeout(PATIENCE, stream.read(&mut first)).await.expect("an end");
        answered.is_ok_and(|read| read == 1).then_some(stream)
    };
    let mut open = Vec::new();
    while let Some(stream) = ask("203.0.113.1").await {
        open.push(stream);
        assert!(open.len() < 100, "there is a bound");
    }
    assert!(open.len() >= 2, "{} connections", open.len());
    assert!(ask("203.0.113.2").await.is_some(), "others are not kept out");
    drop(open);
    let mut is_let_in = false;
    for _ in 0..500 {
        is_let_in = ask("203.0.113.1").await.is_some();
        if is_let_in {
            break;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert!(is_let_in, "its places are free again");
}
