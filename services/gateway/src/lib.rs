//! The gateway: the one door through which players come.
//!
//! A map of the crate, from the outside in:
//!
//! * [`edge`]: the listener, the web client's files, limits, origins, addresses;
//! * [`auth`]: who a client is, and tokens; [`admin`]: what operators may do, on another port;
//! * [`transport`]: WebSocket and gRPC, which turn messages into frames;
//! * [`session`]: what happens between Hello and goodbye, whatever the transport;
//! * [`link`]: the streams to the table pods that all sessions share;
//! * [`wire`]: frames as bytes and as JSON.
//!
//! **Invariants.** The player of a command comes from the token, never from a message. Every
//! request gets exactly one response. A client sees each update of a table once and in order, or a
//! resync. What a table says is passed on undecoded; what a client says never is. Nothing waits for
//! a slow client, and every queue is bounded.

pub mod admin;
pub mod auth;
pub mod config;
pub mod edge;
mod error;
pub mod link;
mod metrics;
mod peers;
mod reasons;
pub mod session;
pub mod transport;
pub mod wire;

use std::sync::Arc;
use std::time::Duration;

use parlor_common::client::PeerChannel;
use parlor_common::readiness::Readiness;
use parlor_common::{Clock, Shutdown};
use tokio::net::TcpListener;
use tokio_util::task::TaskTracker;

pub use config::Config;
pub use error::Error;
pub use peers::Peers;
pub use reasons::REASONS;

use admin::Door;
use auth::SignIn;
use auth::operator::Operator;
use auth::token::{TokenLifetimes, Tokens};
use edge::Edge;
use edge::limits::{FORGET_EVERY, Limits};
use edge::listener::Entrance;
use edge::tls::Tls;
use link::{LinkTimes, Links};
use metrics::Metrics;
use peers::Clients;
use session::Core;
use session::registry::Registry;
use session::registry::fleet::Fleet;
use session::registry::redis::RedisShared;

/// Where a gateway listens.
pub struct Listeners {
    /// For players.
    pub players: TcpListener,
    /// For administrators, where there are any.
    pub admin: Option<Door>,
}

impl From<TcpListener> for Listeners {
    fn from(players: TcpListener) -> Self {
        Self { players, admin: None }
    }
}

/// Runs the gateway on bound listeners until the shutdown begins and every client has been sent
/// away. `readiness` is set ready when clients may come, and draining when no more may.
///
/// # Errors
/// When the settings cannot be used.
pub async fn run(
    config: Config,
    listeners: impl Into<Listeners>,
    peers: Peers,
    readiness: Readiness,
    clock: Clock,
    shutdown: Shutdown,
) -> Result<(), Error> {
    let Listeners { players, admin } = listeners.into();
    config.check()?;
    let core = Arc::new(core(&config, peers, clock, shutdown.clone()).await?);
    let edge = Arc::new(Edge::new(&config, Arc::clone(&core))?);
    let (health, health_service) = tonic_health::server::health_reporter();
    let router = edge::router(edge, health_service)?;
    let tls = Tls::new(&config).await?.map(Arc::new);

    if let Some(door) = admin {
        admin::open(door, &core, &config.gateway_admin_tokens)?;
    }
    readiness.set_ready();
    let mirror = edge::mirror_health(health, readiness.clone());
    let serve = async {
        let entrance = Entrance::new(&config, tls.clone(), Arc::clone(&core));
        edge::listener::serve(players, entrance, router, shutdown.clone()).await;
        readiness.set_draining();
        core.sessions_ended().await;
    };
    tokio::select! {
        () = serve => {}
        () = mirror => {}
        () = tell_drained(&core, &readiness) => {}
        () = core.registry.keep() => {}
        () = forget_quiet(&core.limits) => {}
        () = renew(tls.as_deref()) => {}
    }
    core.links.close();
    Ok(())
}

/// What all sessions of a gateway share, with links that are not open yet.
///
/// # Errors
/// When the settings cannot be used.
pub async fn core(
    config: &Config,
    peers: Peers,
    clock: Clock,
    shutdown: Shutdown,
) -> Result<Core, Error> {
    let tag = config.gateway_redis_tag.clone();
    let redis = config.gateway_redis_url.clone().map(|urls| RedisShared::new(urls, tag));
    let fleet = redis.map(|shared| Fleet::new(Arc::new(shared)));
    core_in(config, peers, fleet, clock, shutdown).await
}

/// The same in a given fleet, whatever the settings say; without one the gateway is alone.
///
/// # Errors
/// When the settings cannot be used.
pub async fn core_in(
    config: &Config,
    peers: Peers,
    fleet: Option<Fleet>,
    clock: Clock,
    shutdown: Shutdown,
) -> Result<Core, Error> {
    let session = config.session.clone();
    let times = LinkTimes {
        connect: Duration::from_millis(session.gateway_link_timeout_ms),
        command: Duration::from_millis(session.gateway_command_timeout_ms),
        retry_min: Duration::from_millis(session.gateway_retry_min_ms),
        retry_max: Duration::from_millis(session.gateway_retry_max_ms),
    };
    let metrics = Arc::new(Metrics::new());
    let sign_in = sign_in(config, peers.settlement.clone(), clock.clone()).await?;
    Ok(Core {
        config: session,
        sign_in,
        links: Arc::new(Links::new(peers.tables, times, shutdown.clone())),
        clients: Clients::new(peers.matchmaking, peers.settlement),
        registry: Arc::new(Registry::new(fleet, Arc::clone(&metrics), clock.clone())),
        limits: Limits::new(&config.limits),
        metrics,
        clock,
        leaving: shutdown.token().child_token(),
        shutdown,
        inboxes: Arc::default(),
        running: TaskTracker::new(),
    })
}

async fn sign_in(config: &Config, settlement: PeerChannel, clock: Clock) -> Result<SignIn, Error> {
    let lifetimes = TokenLifetimes {
        access_ms: config.gateway_access_ttl_ms,
        refresh_ms: config.gateway_refresh_ttl_ms,
    };
    let secrets: Vec<_> = std::iter::once(&config.gateway_token_secret)
        .chain(&config.gateway_token_secret_previous)
        .cloned()
        .collect();
    let tokens = Tokens::new(&secrets, lifetimes, clock.clone())?;
    let operator = match (config.gateway_operator_issuer.as_str(), &config.gateway_operator_jwks) {
        ("", None) => None,
        ("", Some(_)) | (_, None) => {
            return Err(Error::Setting {
                setting: "--gateway-operator-issuer",
                problem: "and --gateway-operator-jwks go together".to_owned(),
            });
        }
        (issuer, Some(keys)) => {
            let audience = config.gateway_operator_audience.clone();
            let refresh = Duration::from_millis(config.gateway_operator_jwks_refresh_ms);
            let keys = keys.clone();
            Some(Operator::new(issuer.into(), audience, keys, refresh, clock.clone()).await?)
        }
    };
    Ok(SignIn::new(tokens, operator, settlement, config.gateway_welcome_grant, clock))
}

/// A drained gateway is not ready; it goes on until it is ended.
async fn tell_drained(core: &Core, readiness: &Readiness) {
    core.leaving.cancelled().await;
    readiness.set_draining();
    std::future::pending().await
}

async fn renew(tls: Option<&Tls>) {
    match tls {
        Some(tls) => tls.renew().await,
        None => std::future::pending().await,
    }
}

async fn forget_quiet(limits: &Limits) {
    let mut rounds = tokio::time::interval(FORGET_EVERY);
    loop {
        rounds.tick().await;
        limits.forget_quiet();
    }
}
