//! Services as processes of their own, as pods are: health, TLS between them, the end.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::Duration;

use parlor_common::PlayerId;
use parlor_common::client::{ClientOptions, PeerChannel, connect};
use parlor_common::tls::{Identity, TlsConfig};
use parlor_proto::settlement::v1::DepositRequest;
use parlor_proto::settlement::v1::ledger_service_client::LedgerServiceClient;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use serde_json::Value;

use crate::hand::{BUY_IN, creation, sitting};
use crate::http::get;
use crate::operator::text;
use crate::process::{Running, parlor};

const TOKEN: &str = "token-of-these-tests";
/// Longest wait for a process, on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(60);

/// The services, with the names by which their probes ask.
const HEALTH_NAMES: [(&str, &str); 4] = [
    ("settlement", "parlor.settlement.v1.LedgerService"),
    ("table", "parlor.table.v1.TableService"),
    ("matchmaking", "parlor.matchmaking.v1.MatchmakingService"),
    ("gateway", "parlor.gateway.v1.SessionService"),
];

/// A service that runs alone.
struct Pod {
    running: Running,
    /// `HOST:PORT` of its gRPC listener.
    address: String,
    /// Of its metrics and readiness.
    admin: String,
}

impl Pod {
    /// Starts `service` with its files in `folder` and these variables.
    fn start(service: &str, folder: &Path, variables: &[(&str, String)]) -> Self {
        let (address, admin) = (free_address(), free_address());
        let command = &mut parlor();
        command.args(["run", service]).env("PARLOR_ADMIN_LISTEN", &admin);
        command.env(format!("PARLOR_{}_LISTEN", service.to_uppercase()), &address);
        let ledger = format!("sqlite://{}", folder.join("ledger.db").display());
        command.env("PARLOR_SERVICE_TOKEN", TOKEN).env("PARLOR_SETTLEMENT_DATABASE_URL", ledger);
        command.env("PARLOR_TABLE_STORE_PATH", folder.join("tables.redb"));
        command.env("PARLOR_GATEWAY_TOKEN_SECRET", "of these tests, with 32 bytes and more");
        command.envs(variables.iter().cloned());
        Self { running: Running::start(command), address, admin }
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Its URL by the name in the certificates of these tests.
    fn secure_url(&self) -> String {
        self.url().replace("http://127.0.0.1", "https://localhost")
    }

    /// Tells it to end, and waits until it has, which must go well.
    fn end(self) {
        self.running.signal("TERM");
        let ended = self.running.ended();
        assert!(ended.status.success(), "{}", ended.stderr);
        assert!(!ended.stderr.contains("did not end in time"), "{}", ended.stderr);
    }
}

/// An address on which nobody listens.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// `parlor admin health`.
fn health(url: &str, service: &str, identity: &[(&str, String)]) -> Output {
    let command = &mut parlor();
    command.args(["admin", "health", "--url", url, "--service", service]);
    command.envs(identity.iter().map(|(name, value)| (*name, value))).output().unwrap()
}

fn status(output: &Output) -> Value {
    serde_json::from_slice::<Value>(&output.stdout).map_or(Value::Null, |it| it["status"].clone())
}

/// Waits until the service says that it takes requests.
async fn await_health(url: &str, service: &str, identity: &[(&str, String)]) {
    let healthy = async || {
        let output = health(url, service, identity);
        output.status.success() && status(&output) == "SERVING"
    };
    until(healthy, &format!("{service} at {url} to take requests")).await;
}

/// Waits until `condition` holds.
async fn until(mut condition: impl AsyncFnMut() -> bool, what: &str) {
    let holds = async {
        while !condition().await {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let held = tokio::time::timeout(PATIENCE, holds).await;
    assert!(held.is_ok(), "waited in vain for {what}");
}

fn certificate(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../common/tests/it/tls").join(name)
}

/// The variables of an identity, as the chart sets them.
fn identity(name: &str) -> Vec<(&'static str, String)> {
    let file = |name: String| certificate(&name).display().to_string();
    vec![
        ("PARLOR_TLS_CERTIFICATE", file(format!("{name}.cert.pem"))),
        ("PARLOR_TLS_KEY", file(format!("{name}.key.pem"))),
        ("PARLOR_TLS_CA", file("ours.cert.pem".to_owned())),
    ]
}

#[tokio::test]
async fn every_service_answers_for_its_health_and_ends_when_told() {
    let folder = tempfile::tempdir().unwrap();
    let mut pods: Vec<Pod> = Vec::new();
    for (service, name) in HEALTH_NAMES {
        let peers = ["PARLOR_SETTLEMENT_URL", "PARLOR_TABLE_URLS", "PARLOR_MATCHMAKING_URL"];
        let urls: Vec<_> = peers.into_iter().zip(pods.iter().map(Pod::url)).collect();
        let pod = Pod::start(service, folder.path(), &urls);
        await_health(&pod.url(), name, &[]).await;
        await_health(&pod.url(), "liveness", &[]).await;
        let admin = format!("http://{}/", pod.admin);
        assert_eq!(get(&admin, "readyz"), (200, format!("{service}: ready\n")));
        assert_eq!(get(&admin, "livez").0, 200);
        let (_, metrics) = get(&admin, "metrics");
        assert!(metrics.contains("parlor_build_info{version=\""), "{service}: {metrics}");
        pods.push(pod);
    }
    let unknown = health(&pods[1].url(), "parlor.table.v1.NoSuchService", &[]);
    assert_eq!(unknown.status.code(), Some(1));
    assert_eq!(status(&unknown), "SERVICE_UNKNOWN");
    let nobody = health(&format!("http://{}", free_address()), "", &[]);
    assert_eq!(nobody.status.code(), Some(1));

    // Settlement first: whoever calls it ends in time all the same.
    pods.into_iter().for_each(Pod::end);
}

// Two threads: while one waits for the table's end, the other lets go of the connection to it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn services_with_certificates_call_each_other_and_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (identity("first"), identity("second"));
    let settlement = Pod::start("settlement", folder.path(), &first);
    await_health(&settlement.secure_url(), HEALTH_NAMES[0].1, &second).await;
    let mut variables = second.clone();
    variables.push(("PARLOR_SETTLEMENT_URL", settlement.secure_url()));
    let table = Pod::start("table", folder.path(), &variables);
    await_health(&table.secure_url(), HEALTH_NAMES[1].1, &first).await;

    // Neither without a certificate nor with that of another authority.
    for (url, identity) in [
        (settlement.url(), Vec::new()),
        (settlement.secure_url(), Vec::new()),
        (settlement.secure_url(), identity("stranger")),
    ] {
        let output = health(&url, HEALTH_NAMES[0].1, &identity);
        assert_eq!(output.status.code(), Some(1), "{url}: {}", text(&output.stdout));
    }

    // Money goes from the ledger to the table, and the tools see it.
    let ledger = |arguments: &[&str]| {
        let command = &mut parlor();
        command.args(["admin", "ledger"]).args(arguments).envs(variables.clone());
        let output = command.env("PARLOR_SERVICE_TOKEN", TOKEN).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout)
    };
    let player = PlayerId::random().to_string();
    let deposit = DepositRequest {
        idempotency_key: "first".to_owned(),
        player_id: player.clone(),
        amount: BUY_IN,
        reason: "test".to_owned(),
    };
    LedgerServiceClient::new(channel(&settlement)).deposit(deposit).await.unwrap();
    assert!(ledger(&["balance", &player]).contains(&BUY_IN.to_string()));
    let mut client = TableServiceClient::new(channel(&table));
    let created = client.create_table(creation(&player)).await.unwrap().into_inner().table_id;
    client.act(sitting(&created, &player)).await.unwrap();
    let held = async || ledger(&["holds", "--table", &created]).contains(&player);
    until(held, "the player's stack in the ledger").await;
    table.end();
    settlement.end();
}

#[test]
fn half_of_an_identity_is_a_mistake() {
    let command = &mut parlor();
    command.args(["run", "settlement"]).env("PARLOR_SERVICE_TOKEN", TOKEN);
    let ended = Running::start(command.env("PARLOR_TLS_CA", certificate("ours.cert.pem"))).ended();
    assert_eq!(ended.status.code(), Some(1));
    assert!(ended.stderr.contains("go together"), "{}", ended.stderr);
}

/// A channel to a service with certificates.
fn channel(pod: &Pod) -> PeerChannel {
    let config = TlsConfig {
        tls_certificate: Some(certificate("first.cert.pem")),
        tls_key: Some(certificate("first.key.pem")),
        tls_ca: Some(certificate("ours.cert.pem")),
    };
    let options = ClientOptions::default().with_identity(Identity::open(&config).unwrap());
    connect(&pod.secure_url(), &options.with_token(&TOKEN.into()).unwrap()).unwrap()
}

/// Each service with the variables that make it need a store at this address, which is away.
fn needy(address: &str) -> [(&'static str, Vec<(&'static str, String)>); 3] {
    let redis = ("PARLOR_REDIS_URL", format!("redis://{address}"));
    let database = format!("postgres://nobody@{address}/ledger");
    [
        ("matchmaking", vec![("PARLOR_MATCHMAKING_STORE", "redis".to_owned()), redis.clone()]),
        ("table", vec![("PARLOR_TABLE_STORE", "redis".to_owned()), redis]),
        ("settlement", vec![("PARLOR_SETTLEMENT_DATABASE_URL", database)]),
    ]
}

#[tokio::test]
async fn a_service_waits_for_its_store_until_it_is_told_to_end_or_has_waited_long_enough() {
    let folder = tempfile::tempdir().unwrap();
    for (service, variables) in needy(&free_address()) {
        let pod = Pod::start(service, folder.path(), &variables);
        let admin = format!("http://{}/", pod.admin);
        let listens = async || std::net::TcpStream::connect(&pod.admin).is_ok();
        until(listens, "the admin listener").await;
        assert_eq!((get(&admin, "livez").0, get(&admin, "readyz").0), (200, 503), "{service}");
        pod.running.signal("TERM");
        let ended = pod.running.ended();
        assert!(ended.status.success(), "{service}: {}", ended.stderr);

        let impatient = ("PARLOR_START_PATIENCE_S", "0".to_owned());
        let pod = Pod::start(service, folder.path(), &[variables, vec![impatient]].concat());
        let ended = pod.running.ended();
        assert!(!ended.status.success(), "{service}");
        assert!(ended.stderr.contains("has failed"), "{service}: {}", ended.stderr);
    }
}

#[tokio::test]
async fn a_service_that_has_waited_for_redis_serves_once_it_is_there() {
    let there = std::process::Command::new("redis-server").arg("--version").output();
    if !there.is_ok_and(|version| version.status.success()) {
        assert!(std::env::var_os("PARLOR_TEST_REQUIRE_SERVICES").is_none(), "no redis-server");
        println!("skipped: there is no redis-server");
        return;
    }
    let (folder, address) = (tempfile::tempdir().unwrap(), free_address());
    let [(service, variables), ..] = needy(&address);
    let pod = Pod::start(service, folder.path(), &variables);
    let away = "the matchmaking store is away, tried again soon";
    until(async || pod.running.has_said(away), "the first try").await;
    let port = address.rsplit(':').next().unwrap();
    let mut redis = std::process::Command::new("redis-server");
    redis.args(["--port", port, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
    redis.stdout(std::process::Stdio::null()).arg("--dir").arg(folder.path());
    let mut redis = redis.spawn().unwrap();
    await_health(&pod.url(), "parlor.matchmaking.v1.MatchmakingService", &[]).await;
    pod.running.signal("TERM");
    let ended = pod.running.ended();
    redis.kill().unwrap();
    redis.wait().unwrap();
    assert!(ended.status.success(), "{}", ended.stderr);
}
