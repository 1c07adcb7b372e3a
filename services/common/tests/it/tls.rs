//! Who may call, and be called, when services speak TLS.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use parlor_common::client::{ClientOptions, PeerChannel, connect};
use parlor_common::server::ServerOptions;
use parlor_common::tls::{Identity, TlsConfig};
use parlor_proto::gateway::v1::SignInGuestRequest;
use parlor_proto::gateway::v1::auth_service_client::AuthServiceClient;
use tonic::Code;

use crate::fixture::{PATIENCE, Running, start};

fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/tls").join(name)
}

/// A service's files: certificate and key by their name, and the authority that it trusts.
fn files(name: &str, authority: &str) -> TlsConfig {
    TlsConfig {
        tls_certificate: Some(certificate(&format!("{name}.cert.pem"))),
        tls_key: Some(certificate(&format!("{name}.key.pem"))),
        tls_ca: Some(certificate(&format!("{authority}.cert.pem"))),
    }
}

fn identity(name: &str, authority: &str) -> Option<Arc<Identity>> {
    Identity::open(&files(name, authority)).unwrap()
}

async fn secure_service(identity: Option<Arc<Identity>>) -> Running {
    let running = start(ServerOptions::new("porter").with_identity(identity)).await;
    running.readiness.set_ready();
    running
}

/// A channel to the service by a name that its certificate holds.
fn channel(running: &Running, identity: Option<Arc<Identity>>, host: &str) -> PeerChannel {
    let port = running.url.rsplit(':').next().unwrap();
    let scheme = if identity.is_some() { "https" } else { "http" };
    let options = ClientOptions::default().with_identity(identity);
    connect(&format!("{scheme}://{host}:{port}"), &options).unwrap()
}

async fn greet(channel: PeerChannel) -> Result<(), Code> {
    let request = SignInGuestRequest { name: "Li".to_owned() };
    let call = async { AuthServiceClient::new(channel).sign_in_guest(request).await };
    let answer = tokio::time::timeout(PATIENCE, call).await.unwrap();
    answer.map(drop).map_err(|status| status.code())
}

#[tokio::test]
async fn services_of_one_authority_call_each_other() {
    let running = secure_service(identity("first", "ours")).await;
    let caller = identity("second", "ours");
    assert_eq!(greet(channel(&running, caller, "localhost")).await, Ok(()));
}

#[tokio::test]
async fn who_cannot_prove_to_be_ours_is_not_let_in() {
    let running = secure_service(identity("first", "ours")).await;
    // It trusts our authority, but its own certificate is of another one.
    let stranger = identity("stranger", "ours");
    // The caller has sent its request when it is told, so what it makes of that varies.
    greet(channel(&running, stranger, "localhost")).await.unwrap_err();
    greet(channel(&running, None, "localhost")).await.unwrap_err();
}

#[tokio::test]
async fn whoever_trusts_another_authority_neither_calls_nor_is_called() {
    let running = secure_service(identity("first", "ours")).await;
    // Ours, and would be let in, but does not believe that the service is.
    let astray = identity("second", "theirs");
    assert_eq!(greet(channel(&running, astray, "localhost")).await, Err(Code::Unavailable));

    let running = secure_service(identity("first", "theirs")).await;
    let caller = identity("second", "ours");
    greet(channel(&running, caller, "localhost")).await.unwrap_err();
}

#[tokio::test]
async fn nobody_calls_a_stranger_or_a_service_of_another_name() {
    let impostor = secure_service(identity("stranger", "ours")).await;
    let caller = identity("second", "ours");
    let call = greet(channel(&impostor, caller.clone(), "localhost")).await;
    assert_eq!(call, Err(Code::Unavailable));

    let running = secure_service(identity("first", "ours")).await;
    assert_eq!(greet(channel(&running, caller, "127.0.0.1")).await, Err(Code::Unavailable));
}

#[tokio::test]
async fn a_renewed_certificate_is_used_without_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name);
    let put = |name: &str| {
        for part in ["cert.pem", "key.pem"] {
            std::fs::copy(certificate(&format!("{name}.{part}")), place(part)).unwrap();
        }
    };
    put("stranger");
    let config = TlsConfig {
        tls_certificate: Some(place("cert.pem")),
        tls_key: Some(place("key.pem")),
        tls_ca: Some(certificate("ours.cert.pem")),
    };
    let renewed = Identity::open(&config).unwrap().unwrap();
    let running = secure_service(Some(Arc::clone(&renewed))).await;
    let caller = identity("second", "ours");
    let peer = channel(&running, caller, "localhost");
    assert_eq!(greet(peer.clone()).await, Err(Code::Unavailable));

    // Between two writes the files do not fit together: what was read last stays in use.
    std::fs::copy(certificate("first.cert.pem"), place("cert.pem")).unwrap();
    renewed.renew().unwrap_err();
    put("first");
    renewed.renew().unwrap();
    assert_eq!(greet(peer).await, Ok(()));
}

#[test]
fn half_an_identity_is_none() {
    assert!(Identity::open(&TlsConfig::default()).unwrap().is_none());
    let half = TlsConfig { tls_ca: None, ..files("first", "ours") };
    assert!(Identity::open(&half).is_err());
    let crossed = TlsConfig { tls_key: files("second", "ours").tls_key, ..files("first", "ours") };
    assert!(Identity::open(&crossed).is_err());
    assert!(connect("https://localhost:1", &ClientOptions::default()).is_err());
}
