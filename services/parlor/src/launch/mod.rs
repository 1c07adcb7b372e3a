//! Starts services and ends them in order.
//!
//! * [`settings`]: every setting of the four services and of the process.
//! * [`keys`]: secrets that `run all` makes for itself and keeps.
//! * [`listen`]: where the process listens.
//! * [`crew`]: the services that run here, their readiness and their end.

mod crew;
pub mod keys;
mod listen;
mod settings;

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use parlor_common::admin::{self, Admin};
use parlor_common::client::{ClientOptions, connect};
use parlor_common::locate::{LiveTables, TableLocator};
use parlor_common::tls::Identity;
use parlor_common::{Clock, Shutdown};
use parlor_gateway::Listeners;
use parlor_gateway::admin::Door;
use prometheus::Registry;
use tokio::net::TcpListener;

use crate::command::Target;
use crate::tool::notice::Notice;
use crew::Crew;
pub use settings::{Given, Settings};

/// How long the admin listener may take to finish its last answers.
const ADMIN_END: Duration = Duration::from_secs(1);

/// Runs what `target` says until a signal asks it to end, or a service fails.
pub async fn run(
    target: Target,
    settings: Settings,
    given: &Given,
    registry: Registry,
) -> anyhow::Result<()> {
    match target {
        Target::All => run_all(settings, given, registry).await,
        _ => run_one(target, settings, registry).await,
    }
}

/// Where the services find each other.
struct Peers {
    settlement_url: String,
    matchmaking_url: String,
    table_urls: Vec<String>,
    options: ClientOptions,
}

impl Peers {
    fn tables(&self) -> anyhow::Result<Arc<dyn TableLocator>> {
        Ok(Arc::new(LiveTables::new(&self.table_urls, &self.options)?))
    }
}

async fn run_all(mut settings: Settings, given: &Given, registry: Registry) -> anyhow::Result<()> {
    let folder = settings.data_dir.clone();
    let _lock = lock(&folder)
        .with_context(|| format!("the data folder {} cannot be used", folder.display()))?;
    settings.keep_in(&folder, given)?;

    let settlement = listen::loopback(settings.listen.settlement_listen).await?;
    let table = listen::loopback(settings.listen.table_listen).await?;
    let matchmaking = listen::loopback(settings.listen.matchmaking_listen).await?;
    let gateway = listen::gateway(settings.listen.gateway_listen).await?;
    let admin = listen::loopback(settings.listen.admin_listen).await?;
    let gateway_admin = listen::loopback(settings.listen.gateway_admin_listen).await?;
    let page = listen::page(&gateway, settings.has_tls())?;
    let peers = Peers {
        settlement_url: listen::url(&settlement)?,
        matchmaking_url: listen::url(&matchmaking)?,
        table_urls: vec![listen::url(&table)?],
        options: settings.peer.client_options()?,
    };

    let notice = Notice {
        page: page.clone(),
        admin_url: listen::url(&admin)?,
        settlement_url: peers.settlement_url.clone(),
        matchmaking_url: peers.matchmaking_url.clone(),
        table_urls: peers.table_urls.clone(),
        gateway_admin_url: listen::url(&gateway_admin)?,
        process_id: std::process::id(),
    };
    let _notice = notice.put_up(&folder)?;

    // Among themselves they never leave this machine.
    let mut crew = Crew::new(&settings, None);
    start_settlement(&mut crew, &settings, settlement, &peers)?;
    start_table(&mut crew, &settings, table, &peers)?;
    start_matchmaking(&mut crew, &settings, matchmaking, &peers)?;
    start_gateway(&mut crew, &settings, gateway, Some(gateway_admin), &peers)?;
    let banner = || {
        eprintln!("Parlor {} is ready. Open this page; Ctrl-C ends it.", env!("CARGO_PKG_VERSION"));
        println!("{page}");
    };
    watch(crew, admin, registry, banner).await
}

async fn run_one(target: Target, settings: Settings, registry: Registry) -> anyhow::Result<()> {
    settings.refuse_development_secrets(target)?;
    let identity = Identity::open(&settings.tls)?;
    let peers = Peers {
        settlement_url: settings.peers.settlement_url.clone(),
        matchmaking_url: settings.peers.matchmaking_url.clone(),
        table_urls: settings.peers.table_urls.clone(),
        options: settings.peer.client_options()?.with_identity(identity.clone()),
    };
    let listener = listen::service(target, &settings.listen).await?;
    let admin = listen::admin(settings.listen.admin_listen).await?;
    let mut crew = Crew::new(&settings, identity);
    match target {
        Target::Settlement => start_settlement(&mut crew, &settings, listener, &peers)?,
        Target::Table => start_table(&mut crew, &settings, listener, &peers)?,
        Target::Matchmaking => start_matchmaking(&mut crew, &settings, listener, &peers)?,
        Target::Gateway => {
            let door = if settings.gateway.gateway_admin_tokens.is_empty() {
                None
            } else {
                Some(listen::gateway_admin(settings.listen.gateway_admin_listen).await?)
            };
            start_gateway(&mut crew, &settings, listener, door, &peers)?;
        }
        Target::All => bail!("all services are no single service"),
    }
    watch(crew, admin, registry, || {}).await
}

fn start_settlement(
    crew: &mut Crew,
    settings: &Settings,
    listener: TcpListener,
    peers: &Peers,
) -> anyhow::Result<()> {
    let (config, tables) = (settings.settlement.clone(), peers.tables()?);
    crew.start(parlor_settlement::SERVICE, |options, shutdown| async move {
        Ok(parlor_settlement::run(config, options, listener, tables, shutdown).await?)
    });
    Ok(())
}

fn start_table(
    crew: &mut Crew,
    settings: &Settings,
    listener: TcpListener,
    peers: &Peers,
) -> anyhow::Result<()> {
    let config = settings.table.clone();
    let settlement = connect(&peers.settlement_url, &peers.options)?;
    let peers = peers.options.clone();
    crew.start(parlor_table::service::SERVICE, |options, shutdown| async move {
        let run =
            parlor_table::service::run(config, options, listener, settlement, peers, shutdown);
        Ok(run.await?)
    });
    Ok(())
}

fn start_matchmaking(
    crew: &mut Crew,
    settings: &Settings,
    listener: TcpListener,
    peers: &Peers,
) -> anyhow::Result<()> {
    let config = settings.matchmaking.clone();
    let peers = parlor_matchmaking::Peers {
        tables: peers.tables()?,
        settlement: Some(connect(&peers.settlement_url, &peers.options)?),
    };
    crew.start("matchmaking", |options, shutdown| async move {
        Ok(parlor_matchmaking::run(config, listener, peers, options, shutdown).await?)
    });
    Ok(())
}

fn start_gateway(
    crew: &mut Crew,
    settings: &Settings,
    players: TcpListener,
    door: Option<TcpListener>,
    peers: &Peers,
) -> anyhow::Result<()> {
    let config = settings.gateway.clone();
    let peers = parlor_gateway::Peers {
        tables: peers.tables()?,
        matchmaking: connect(&peers.matchmaking_url, &peers.options)?,
        settlement: connect(&peers.settlement_url, &peers.options)?,
    };
    crew.start("gateway", |options, shutdown| async move {
        let (readiness, clock) = (options.readiness.clone(), Clock::system());
        let admin = door.map(|listener| Door { listener, options });
        let listeners = Listeners { players, admin };
        Ok(parlor_gateway::run(config, listeners, peers, readiness, clock, shutdown).await?)
    });
    Ok(())
}

/// Waits until every service is ready, then for the end, and ends everything in order.
async fn watch(
    crew: Crew,
    admin: TcpListener,
    registry: Registry,
    ready: impl FnOnce(),
) -> anyhow::Result<()> {
    let admin_shutdown = Shutdown::new();
    if let Some(identity) = crew.identity() {
        identity.keep_renewed(&admin_shutdown);
    }
    tracing::info!(address = %admin.local_addr()?, "metrics and readiness are on the admin port");
    let shown = Admin { registry, readiness: crew.readiness() };
    let _admin = admin::serve(admin, shown, &admin_shutdown);
    let result = crew.serve_until_asked(ready).await;
    // Last, so that the drain can be watched.
    if let Err(lingering) = admin_shutdown.finished(ADMIN_END).await {
        tracing::warn!(%lingering, "the admin listener did not end");
    }
    result
}

/// Takes the folder for this process: two would overwrite each other's data.
fn lock(folder: &Path) -> anyhow::Result<File> {
    fs::create_dir_all(folder)?;
    let lock = File::create(folder.join("lock"))?;
    lock.try_lock().context("another process uses it")?;
    Ok(lock)
}
