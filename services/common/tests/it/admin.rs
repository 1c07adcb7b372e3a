//! The admin endpoints.

use parlor_common::admin::{Admin, serve};
use parlor_common::{Readiness, Shutdown};
use prometheus::Registry;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::fixture::PATIENCE;

/// Status code and body of a GET.
pub async fn get(address: std::net::SocketAddr, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(address).await.unwrap();
    let request = format!("GET {path} HTTP/1.1\r\nhost: admin\r\nconnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
}

#[tokio::test]
async fn readyz_waits_for_every_service_and_livez_for_none() {
    let (table, gateway) = (Readiness::new("table"), Readiness::new("gateway"));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let shutdown = Shutdown::new();
    let readiness = vec![table.clone(), gateway.clone()];
    let server = serve(listener, Admin { registry: Registry::new(), readiness }, &shutdown);

    assert_eq!(get(address, "/livez").await.0, 200);
    table.set_ready();
    let (status, body) = get(address, "/readyz").await;
    assert_eq!((status, body.as_str()), (503, "table: ready\ngateway: not ready\n"));
    gateway.set_ready();
    assert_eq!(get(address, "/readyz").await.0, 200);
    table.set_draining();
    let (status, body) = get(address, "/readyz").await;
    assert_eq!((status, body.as_str()), (503, "table: draining\ngateway: ready\n"));
    assert_eq!(get(address, "/livez").await.0, 200);

    shutdown.finished(PATIENCE).await.unwrap();
    server.await.unwrap().unwrap();
}
