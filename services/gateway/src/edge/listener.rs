//! Accepts connections, a bounded number at a time, and speaks HTTP on them.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use parlor_common::Shutdown;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tower::ServiceExt;

use super::address::Network;
use super::proxy_protocol::{self, Refused};
use super::tls::Tls;
use super::{ConnectionPlace, PeerAddress, limits};
use crate::config::Config;
use crate::session::Core;

/// Pause after a failed accept: mostly the process is out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// A client must have sent its headers within this time.
const HEADER_TIMEOUT: Duration = Duration::from_secs(10);
/// Buffer for the headers of a request over HTTP/1.1.
const HEADER_BYTES: usize = 16 * 1024;
/// Calls at a time on one connection over HTTP/2.
const MAX_STREAMS: u32 = 64;
/// Interval of HTTP/2 pings to the client.
const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(20);
/// A connection that does not answer a ping within this time is closed.
const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);

/// How connections are taken in.
pub struct Entrance {
    /// Speaks TLS, where it is set.
    pub tls: Option<Arc<Tls>>,
    /// Connections at a time; more wait.
    pub most: usize,
    /// Proxies whose connections begin with a header of the PROXY protocol.
    pub announcing: Vec<Network>,
    /// Proxies that connect for many clients, and say for whom in each request.
    pub trusted: Vec<Network>,
    /// Counts connections of an address.
    pub core: Arc<Core>,
}

impl Entrance {
    /// As the settings say.
    #[must_use]
    pub fn new(config: &Config, tls: Option<Arc<Tls>>, core: Arc<Core>) -> Self {
        Self {
            tls,
            most: config.gateway_max_connections,
            announcing: config.gateway_proxy_protocol_from.clone(),
            trusted: config.gateway_trusted_proxies.clone(),
            core,
        }
    }

    /// Whose connection it is, with its place among those of this address; `None` when it is to be
    /// closed.
    async fn admit(
        &self,
        stream: &mut TcpStream,
        peer: IpAddr,
    ) -> Option<(IpAddr, Option<limits::Place>)> {
        let is_in = |networks: &[Network], address| {
            networks.iter().any(|network: &Network| network.contains(address))
        };
        let announces = is_in(&self.announcing, peer);
        let named = if announces { self.announced(stream).await.ok()? } else { None };
        let client = named.unwrap_or(peer);
        // Behind a proxy's own address are many clients, or none.
        if is_in(&self.trusted, client) || (announces && named.is_none()) {
            return Some((client, None));
        }
        let place = self.core.limits.connection(client);
        if place.is_none() {
            self.core.metrics.connection_refused("too_many_from_address");
        }
        place.map(|place| (client, Some(place)))
    }

    async fn announced(&self, stream: &mut TcpStream) -> Result<Option<IpAddr>, Refused> {
        proxy_protocol::read(stream).await.inspect_err(|refused| {
            let cause = match refused {
                Refused::Malformed => "proxy_header_malformed",
                Refused::Late => "proxy_header_late",
                Refused::Broken => "proxy_header_broken",
                Refused::Silent => return,
            };
            self.core.metrics.connection_refused(cause);
        })
    }
}

/// Accepts until the shutdown begins; connections that are open then are finished.
pub async fn serve(listener: TcpListener, entrance: Entrance, router: Router, shutdown: Shutdown) {
    let places = Arc::new(Semaphore::new(entrance.most.clamp(1, Semaphore::MAX_PERMITS)));
    let (http, entrance) = (http(), Arc::new(entrance));
    let accept = async {
        loop {
            // Never closed, so never an error.
            let Ok(place) = Arc::clone(&places).acquire_owned().await else { return };
            let (stream, peer) = accept(&listener).await;
            let (http, router, entrance) = (http.clone(), router.clone(), Arc::clone(&entrance));
            let end = shutdown.clone();
            let connection = take_in(entrance, http, stream, peer, place, router, end);
            shutdown.spawn("gateway-connection", connection);
        }
    };
    tokio::select! {
        () = accept => {}
        () = shutdown.begun() => {}
    }
}

async fn take_in(
    entrance: Arc<Entrance>,
    http: auto::Builder<TokioExecutor>,
    mut stream: TcpStream,
    peer: IpAddr,
    place: OwnedSemaphorePermit,
    router: Router,
    shutdown: Shutdown,
) {
    let Some((client, of_address)) = entrance.admit(&mut stream, peer).await else { return };
    let place = ConnectionPlace(Arc::new((place, of_address)));
    match &entrance.tls {
        None => connection(http, stream, client, place, router, shutdown).await,
        Some(tls) => {
            if let Some(stream) = tls.accept(stream).await {
                connection(http, stream, client, place, router, shutdown).await;
            }
        }
    }
}

async fn accept(listener: &TcpListener) -> (TcpStream, IpAddr) {
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                // Frames are small and awaited.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "nodelay could not be set");
                }
                return (stream, peer.ip());
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

fn http() -> auto::Builder<TokioExecutor> {
    let mut http = auto::Builder::new(TokioExecutor::new());
    http.http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_TIMEOUT)
        .max_buf_size(HEADER_BYTES);
    http.http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(u32::try_from(HEADER_BYTES).unwrap_or(u32::MAX))
        .keep_alive_interval(KEEPALIVE_INTERVAL)
        .keep_alive_timeout(KEEPALIVE_TIMEOUT);
    http
}

async fn connection<S>(
    http: auto::Builder<TokioExecutor>,
    stream: S,
    peer: IpAddr,
    place: ConnectionPlace,
    router: Router,
    shutdown: Shutdown,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let asked = CancellationToken::new();
    let first = asked.clone();
    let service = service_fn(move |request: Request<Incoming>| {
        first.cancel();
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(PeerAddress(peer));
        request.extensions_mut().insert(place.clone());
        router.clone().oneshot(request)
    });
    let connection = http.serve_connection_with_upgrades(TokioIo::new(stream), service);
    let mut connection = std::pin::pin!(connection);
    let result = tokio::select! {
        result = connection.as_mut() => result,
        // Before the version of HTTP is known, no limit of HTTP's applies.
        Err(_) = timeout(HEADER_TIMEOUT, asked.cancelled()) => return,
        () = shutdown.begun() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        tracing::debug!(%error, "a connection broke");
    }
}
