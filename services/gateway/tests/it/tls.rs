//! TLS on the listener.

use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use parlor_gateway::Config;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::pem::PemObject;
use tokio_rustls::rustls::pki_types::{CertificateDer, ServerName};
use tokio_rustls::rustls::{ClientConfig, RootCertStore};

use crate::fixture::{Gateway, config};

// Self-signed, for `localhost`; used nowhere else.
const FIRST: (&str, &str) = (include_str!("tls/first.cert.pem"), include_str!("tls/first.key.pem"));
const SECOND: (&str, &str) =
    (include_str!("tls/second.cert.pem"), include_str!("tls/second.key.pem"));

/// Puts a certificate into a folder, for a gateway; gives what its clients trust.
pub fn certify(folder: &Path, config: &mut Config) -> &'static str {
    write(folder, FIRST);
    config.gateway_tls_certificate = Some(folder.join("cert.pem"));
    config.gateway_tls_key = Some(folder.join("key.pem"));
    FIRST.0
}

pub async fn shake_hands(
    address: SocketAddr,
    trusted: &str,
) -> std::io::Result<TlsStream<TcpStream>> {
    shake_hands_over(TcpStream::connect(address).await.unwrap(), trusted).await
}

pub async fn shake_hands_over(
    stream: TcpStream,
    trusted: &str,
) -> std::io::Result<TlsStream<TcpStream>> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(trusted.as_bytes()).unwrap()).unwrap();
    let mut config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    let name = ServerName::try_from("localhost").unwrap();
    TlsConnector::from(Arc::new(config)).connect(name, stream).await
}

fn write(folder: &Path, (certificate, key): (&str, &str)) {
    std::fs::write(folder.join("cert.pem"), certificate).unwrap();
    std::fs::write(folder.join("key.pem"), key).unwrap();
}

async fn gateway(folder: &Path) -> Gateway {
    let mut config = config();
    certify(folder, &mut config);
    Gateway::with(config).await
}

#[tokio::test]
async fn the_listener_speaks_tls() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path()).await;
    let stream = shake_hands(gateway.address, FIRST.0).await.unwrap();
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(b"http/1.1".as_slice()));
    let url = format!("wss://{}/v1/session", gateway.address);
    let mut request =
        tokio_tungstenite::tungstenite::client::IntoClientRequest::into_client_request(url)
            .unwrap();
    let headers = request.headers_mut();
    headers.insert("sec-websocket-protocol", "parlor.v1.json".parse().unwrap());
    let (_, response) = tokio_tungstenite::client_async(request, stream).await.unwrap();
    assert_eq!(response.status(), 101);
    assert!(shake_hands(gateway.address, SECOND.0).await.is_err(), "another certificate");
}

#[tokio::test]
async fn a_renewed_certificate_is_used_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let gateway = gateway(folder.path()).await;
    assert!(shake_hands(gateway.address, FIRST.0).await.is_ok());
    // Half of a renewal: the key does not fit.
    std::fs::write(folder.path().join("cert.pem"), SECOND.0).unwrap();
    pass(Duration::from_secs(31)).await;
    assert!(shake_hands(gateway.address, FIRST.0).await.is_ok());
    write(folder.path(), SECOND);
    pass(Duration::from_secs(31)).await;
    let mut renewed = false;
    for _ in 0..500 {
        renewed = shake_hands(gateway.address, SECOND.0).await.is_ok();
        if renewed {
            break;
        }
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    assert!(renewed);
}

async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
    // The files are read on another thread.
    tokio::time::sleep(Duration::from_millis(50)).await;
}

#[tokio::test]
async fn files_that_cannot_be_used_keep_the_gateway_from_starting() {
    let folder = tempfile::tempdir().unwrap();
    for (certificate, key) in
        [("", FIRST.1), (FIRST.0, ""), (FIRST.0, SECOND.1), ("nonsense", "nonsense")]
    {
        write(folder.path(), (certificate, key));
        let mut config = config();
        config.gateway_tls_certificate = Some(folder.path().join("cert.pem"));
        config.gateway_tls_key = Some(folder.path().join("key.pem"));
        let error = Gateway::refused(config).await;
        assert!(matches!(error, parlor_gateway::Error::Tls(_)), "{error}");
    }
    let mut config = config();
    config.gateway_tls_key = Some(folder.path().join("key.pem"));
    let error = Gateway::refused(config).await;
    assert!(matches!(error, parlor_gateway::Error::Setting { .. }), "{error}");
}
