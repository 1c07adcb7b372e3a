//! No secret of a player and no hidden tile enters the log, at any level.

use std::io::Write;
use std::sync::{Arc, Mutex};

use parlor_proto::gateway::v1::Hello;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::table::v1::{TableUpdate, TableView};
use serde_json::json;
use tracing_subscriber::fmt::MakeWriter;

use crate::fixture::client::ready;
use crate::fixture::{Gateway, ProtoClient, http};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'log> MakeWriter<'log> for Log {
    type Writer = Self;

    fn make_writer(&'log self) -> Self {
        self.clone()
    }
}

#[tokio::test]
async fn secrets_are_not_logged() {
    let log = Log::default();
    let subscriber = tracing_subscriber::fmt()
        .with_env_filter("off,parlor_gateway=trace,parlor_common=trace")
        .with_ansi(false)
        .with_writer(log.clone())
        .finish();
    // For the whole process: the log of tests that run beside this one does no harm.
    tracing::subscriber::set_global_default(subscriber).unwrap();

    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let body = json!({"refreshToken": guest.refresh_token}).to_string();
    let refreshed = http::post(gateway.address, "/v1/auth/refresh", &body).await.json();
    let refresh_token = refreshed["refreshToken"].as_str().unwrap();
    http::post(gateway.address, "/v1/auth/refresh", &format!("{{{refresh_token}")).await;

    let table = gateway.pod().open(&[guest.player]);
    let mut client = ProtoClient::connect(gateway.address).await;
    let hello = Hello {
        access_token: guest.access_token.clone(),
        client: "test client".to_owned(),
        client_seed: bytes::Bytes::from_static(b"a-secret-seed"),
        ..Hello::default()
    };
    client.hello_with(hello).await;
    client.watch(&table).await;
    let view = TableView { last_hand_id: "a-hidden-tile".to_owned(), ..TableView::default() };
    let update = TableUpdate { view: Some(view), ..TableUpdate::default() };
    gateway.pod().publish_with(&table, update, &[]);
    client.request("r", ready(&table)).await;
    client
        .send(Out::Hello(Hello { access_token: guest.access_token.clone(), ..Hello::default() }))
        .await;
    client.socket.closed().await;
    let mut client = ProtoClient::connect(gateway.address).await;
    client
        .send(Out::Hello(Hello { access_token: refresh_token.to_owned(), ..Hello::default() }))
        .await;
    client.socket.closed().await;

    let log = String::from_utf8_lossy(&log.0.lock().unwrap()).into_owned();
    assert!(log.contains("a client said hello"), "the log works: {log}");
    let signature = |token: &str| token.rsplit('.').next().unwrap().to_owned();
    for secret in [
        signature(&guest.access_token),
        signature(&guest.refresh_token),
        signature(refresh_token),
        "a-secret-seed".to_owned(),
        "YS1zZWNyZXQtc2VlZA".to_owned(),
        "a-hidden-tile".to_owned(),
    ] {
        assert!(!log.contains(&secret), "{secret} is in the log");
    }
}
