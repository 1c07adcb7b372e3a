//! The services that a benchmark starts for itself.

use std::ffi::OsString;
use std::fs::File;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::ValueEnum;
use parlor_common::client::{ClientOptions, connect};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

/// Longest wait for the services to be ready.
const READY: Duration = Duration::from_secs(60);
/// How often they are asked.
const ASK: Duration = Duration::from_millis(50);
/// Complaints of a process that are told.
const COMPLAINTS: usize = 10;

/// Nothing that guards against one client's flood, no pauses between hands, and the echo game.
const SETTINGS: [&str; 18] = [
    "--log-filter=warn",
    "--gateway-requests-per-s=0",
    "--gateway-address-requests-per-s=0",
    "--gateway-sign-ins-per-minute=0",
    "--gateway-guests-per-hour=0",
    "--gateway-max-sessions-per-address=0",
    "--gateway-max-connections=1000000",
    "--matchmaking-code-attempts=1000000",
    "--table-start-delay-ms=0",
    "--table-bot-delay-min-ms=0",
    "--table-bot-delay-max-ms=0",
    "--table-reservation-ms=60000",
    "--table-disconnect-grace-ms=600000",
    "--table-limit=1000000",
    "--table-echo",
    "--grpc-max-streams=65536",
    "--gateway-max-outstanding=64",
    "--dev",
];

/// How the services are spread over processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Layout {
    /// One process, as `parlor run all`
    All,
    /// One process for each service
    Separate,
}

/// Services that end with this value.
pub struct Server {
    /// The gateway.
    pub url: String,
    children: Vec<(&'static str, Child)>,
    /// Removed at the end.
    folder: TempDir,
}

impl Server {
    /// Starts services and waits until they are ready.
    pub async fn start(
        layout: Layout,
        table_store: &str,
        settings: &[OsString],
    ) -> anyhow::Result<Self> {
        let folder = tempfile::Builder::new().prefix("parlor-bench-").tempdir()?;
        let ports = free_ports().await?;
        let targets: &[&'static str] = match layout {
            Layout::All => &["all"],
            Layout::Separate => &["settlement", "table", "matchmaking", "gateway"],
        };
        let mut children = Vec::new();
        for target in targets {
            let mut command = Command::new(std::env::current_exe()?);
            command
                .args(["run", target])
                .args(SETTINGS)
                .arg(format!("--table-store={table_store}"))
                .args(place(target, folder.path(), &ports))
                .args(settings)
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(File::create(log(folder.path(), target))?)
                // Ctrl-C is for this process, which then ends its children.
                .process_group(0)
                .kill_on_drop(true);
            let child = command.spawn().with_context(|| format!("starting {target}"))?;
            children.push((*target, child));
        }
        let url = format!("http://127.0.0.1:{}", ports.gateway);
        let mut server = Self { url, children, folder };
        server.ready(&ports).await?;
        Ok(server)
    }

    /// The processes, by name.
    pub fn processes(&self) -> Vec<(String, u32)> {
        let named = |(target, child): &(&'static str, Child)| {
            let name = if *target == "all" { "server" } else { target };
            Some((name.to_owned(), child.id()?))
        };
        self.children.iter().filter_map(named).collect()
    }

    /// Ends the processes; gives the first complaints of each. Their data is thrown away, so
    /// nothing is lost.
    pub async fn stop(mut self) -> Vec<String> {
        let mut complaints = Vec::new();
        for (target, child) in &mut self.children {
            if let Err(error) = child.kill().await {
                complaints.push(format!("{target} could not be ended: {error}"));
            }
            let log = std::fs::read_to_string(log(self.folder.path(), target)).unwrap_or_default();
            let complains = |line: &&str| line.contains("WARN") || line.contains("ERROR");
            let lines = log.lines().filter(complains).take(COMPLAINTS);
            complaints.extend(lines.map(|line| format!("{target}: {line}")));
        }
        complaints
    }

    async fn ready(&mut self, ports: &Ports) -> anyhow::Result<()> {
        let deadline = Instant::now() + READY;
        for port in [ports.settlement, ports.table, ports.matchmaking] {
            while !serves(&format!("http://127.0.0.1:{port}")).await {
                self.check(deadline)?;
                sleep(ASK).await;
            }
        }
        while tokio::net::TcpStream::connect(("127.0.0.1", ports.gateway)).await.is_err() {
            self.check(deadline)?;
            sleep(ASK).await;
        }
        Ok(())
    }

    fn check(&mut self, deadline: Instant) -> anyhow::Result<()> {
        for (target, child) in &mut self.children {
            if let Some(status) = child.try_wait()? {
                let log = std::fs::read_to_string(log(self.folder.path(), target))?;
                bail!("{target} has ended: {status}\n{log}");
            }
        }
        if Instant::now() >= deadline {
            bail!("the services are not ready after {} s", READY.as_secs());
        }
        Ok(())
    }
}

fn log(folder: &Path, target: &str) -> PathBuf {
    folder.join(format!("{target}.log"))
}

async fn serves(url: &str) -> bool {
    let Ok(channel) = connect(url, &ClientOptions::default()) else { return false };
    let asked = HealthClient::new(channel).check(HealthCheckRequest::default()).await;
    asked.is_ok_and(|answer| answer.get_ref().status() == ServingStatus::Serving)
}

struct Ports {
    gateway: u16,
    table: u16,
    settlement: u16,
    matchmaking: u16,
    admin: [u16; 4],
}

/// Ports that nobody listens on. They are let go before the services take them, since a service
/// cannot be handed a listener.
async fn free_ports() -> anyhow::Result<Ports> {
    let mut listeners = Vec::new();
    for _ in 0..8 {
        let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
        listeners.push(TcpListener::bind(any).await?);
    }
    let mut ports = [0; 8];
    for (port, listener) in ports.iter_mut().zip(&listeners) {
        *port = listener.local_addr()?.port();
    }
    let [gateway, table, settlement, matchmaking, admin @ ..] = ports;
    Ok(Ports { gateway, table, settlement, matchmaking, admin })
}

/// Where a process listens, keeps its data, and finds the others.
fn place(target: &str, folder: &Path, ports: &Ports) -> Vec<String> {
    let local = |port: u16| format!("127.0.0.1:{port}");
    let number = ["gateway", "table", "settlement"].iter().position(|name| *name == target);
    vec![
        format!("--gateway-listen={}", local(ports.gateway)),
        format!("--table-listen={}", local(ports.table)),
        format!("--settlement-listen={}", local(ports.settlement)),
        format!("--matchmaking-listen={}", local(ports.matchmaking)),
        format!("--admin-listen={}", local(ports.admin[number.unwrap_or(3)])),
        format!("--table-urls=http://{}", local(ports.table)),
        format!("--settlement-url=http://{}", local(ports.settlement)),
        format!("--matchmaking-url=http://{}", local(ports.matchmaking)),
        format!("--data-dir={}", folder.display()),
        format!("--table-store-path={}", folder.join("tables.redb").display()),
        format!("--settlement-database-url=sqlite://{}", folder.join("ledger.db").display()),
    ]
}
