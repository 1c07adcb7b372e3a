//! Channels to the other services.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use http::Uri;
use http::uri::Authority;
use hyper_util::rt::TokioIo;
use secrecy::{ExposeSecret, SecretString};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;
use tokio_rustls::rustls::pki_types::ServerName;
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};
use tower::util::BoxCloneSyncService;

use crate::server::ServiceAuth;
use crate::tls::Identity;
use crate::{Error, secret, trace};

/// A channel that shows our service token and carries the current trace. Cheap to clone.
pub type PeerChannel = InterceptedService<Channel, PeerInterceptor>;

/// The service token of a laptop: never accepted outside `--dev`.
pub const DEVELOPMENT_TOKEN: &str = "development-service-token";

/// Where a secure server listens when the URL does not say.
const HTTPS_PORT: u16 = 443;

/// How services call each other: the settings that all share.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Calls between services")]
pub struct PeerConfig {
    /// Token that services show each other, literally or as file:PATH
    #[arg(long, env = "PARLOR_SERVICE_TOKEN", hide_env_values = true,
        value_parser = secret::parse, default_value = DEVELOPMENT_TOKEN)]
    pub service_token: SecretString,
    /// The previous service token, still accepted while a new one is rolled out
    #[arg(long, env = "PARLOR_SERVICE_TOKEN_PREVIOUS", hide_env_values = true,
        value_parser = secret::parse)]
    pub service_token_previous: Option<SecretString>,
    /// Longest wait for a connection
    #[arg(long, env = "PARLOR_PEER_CONNECT_TIMEOUT_MS", default_value_t = 1_000)]
    pub peer_connect_timeout_ms: u64,
    /// Longest wait for the (first) answer of a call
    #[arg(long, env = "PARLOR_PEER_TIMEOUT_MS", default_value_t = 10_000)]
    pub peer_timeout_ms: u64,
    /// Interval of HTTP/2 pings to the server
    #[arg(long, env = "PARLOR_PEER_KEEPALIVE_INTERVAL_MS", default_value_t = 1_000)]
    pub peer_keepalive_interval_ms: u64,
    /// A connection that does not answer a ping within this time is given up
    #[arg(long, env = "PARLOR_PEER_KEEPALIVE_TIMEOUT_MS", default_value_t = 2_000)]
    pub peer_keepalive_timeout_ms: u64,
}

impl PeerConfig {
    /// Whether the token is the one that everybody knows.
    #[must_use]
    pub fn has_development_token(&self) -> bool {
        secret::matches(&self.service_token, DEVELOPMENT_TOKEN.as_bytes())
    }

    /// Which tokens our own servers accept.
    #[must_use]
    pub fn auth(&self) -> ServiceAuth {
        let previous = self.service_token_previous.iter().cloned();
        ServiceAuth::Tokens(std::iter::once(self.service_token.clone()).chain(previous).collect())
    }

    /// The options of our own clients.
    ///
    /// # Errors
    /// [`Error::Token`].
    pub fn client_options(&self) -> Result<ClientOptions, Error> {
        let options = ClientOptions {
            authorization: None,
            connect_timeout: Duration::from_millis(self.peer_connect_timeout_ms),
            timeout: Duration::from_millis(self.peer_timeout_ms),
            keepalive_interval: Duration::from_millis(self.peer_keepalive_interval_ms),
            keepalive_timeout: Duration::from_millis(self.peer_keepalive_timeout_ms),
            identity: None,
            dialer: None,
        };
        options.with_token(&self.service_token)
    }
}

/// How to call a service.
#[derive(Clone, Debug)]
pub struct ClientOptions {
    authorization: Option<MetadataValue<Ascii>>,
    /// Longest wait for a connection.
    pub connect_timeout: Duration,
    /// Longest wait for the answer of a unary call, or for the start of a stream.
    pub timeout: Duration,
    /// Interval of HTTP/2 pings, also when idle.
    pub keepalive_interval: Duration,
    /// A connection that does not answer a ping within this time is given up.
    pub keepalive_timeout: Duration,
    /// Our identity, for https URLs.
    pub identity: Option<Arc<Identity>>,
    dialer: Option<Dialer>,
}

type Dial = dyn Fn(&str, &ClientOptions) -> PeerChannel + Send + Sync;

/// Another way to the peers than TCP, such as the network of a simulation.
#[derive(Clone)]
pub struct Dialer(Arc<Dial>);

impl Dialer {
    /// Channels to URLs, made by `dial`.
    pub fn new(dial: impl Fn(&str, &ClientOptions) -> PeerChannel + Send + Sync + 'static) -> Self {
        Self(Arc::new(dial))
    }
}

impl fmt::Debug for Dialer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Dialer")
    }
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            authorization: None,
            connect_timeout: Duration::from_secs(1),
            timeout: Duration::from_secs(10),
            keepalive_interval: Duration::from_secs(1),
            keepalive_timeout: Duration::from_secs(2),
            identity: None,
            dialer: None,
        }
    }
}

impl ClientOptions {
    /// Lets `dialer` make the channels, where peers are not reached over TCP.
    #[must_use]
    pub fn with_dialer(mut self, dialer: Dialer) -> Self {
        self.dialer = Some(dialer);
        self
    }

    /// Speaks TLS with https URLs.
    #[must_use]
    pub fn with_identity(mut self, identity: Option<Arc<Identity>>) -> Self {
        self.identity = identity;
        self
    }

    /// Shows this token with every call.
    ///
    /// # Errors
    /// [`Error::Token`] when it is empty, too long or does not fit in a header.
    pub fn with_token(mut self, token: &SecretString) -> Result<Self, Error> {
        let token = token.expose_secret();
        let visible = token.bytes().all(|byte| byte.is_ascii_graphic());
        if token.is_empty() || token.len() > secret::MAX_TOKEN || !visible {
            return Err(Error::Token);
        }
        let value = MetadataValue::try_from(format!("Bearer {token}"));
        let mut value: MetadataValue<Ascii> = value.map_err(|_| Error::Token)?;
        // Keeps it out of debug output and of HTTP/2's header table.
        value.set_sensitive(true);
        self.authorization = Some(value);
        Ok(self)
    }
}

/// Adds the service token and the trace context to every call.
#[derive(Clone, Debug)]
pub struct PeerInterceptor {
    authorization: Option<MetadataValue<Ascii>>,
}

impl Interceptor for PeerInterceptor {
    fn call(&mut self, mut request: Request<()>) -> Result<Request<()>, Status> {
        if let Some(value) = &self.authorization {
            request.metadata_mut().insert("authorization", value.clone());
        }
        trace::inject(request.metadata_mut());
        Ok(request)
    }
}

/// A peer over a channel that was made elsewhere, such as one in memory.
#[must_use]
pub fn over(channel: Channel, options: &ClientOptions) -> PeerChannel {
    let interceptor = PeerInterceptor { authorization: options.authorization.clone() };
    InterceptedService::new(channel, interceptor)
}

/// A channel to `url`, such as `http://settlement:7002`, or https with an identity. It connects
/// when it is first used, and again whenever the connection is lost. Needs a tokio runtime.
///
/// # Errors
/// [`Error::PeerAddress`].
pub fn connect(url: &str, options: &ClientOptions) -> Result<PeerChannel, Error> {
    if let Some(Dialer(dial)) = &options.dialer {
        return Ok(dial(url, options));
    }
    let bad = || Error::PeerAddress { url: url.to_owned() };
    let uri: Uri = url.parse().map_err(|_| bad())?;
    let authority = uri.authority().ok_or_else(bad)?;
    let secure = match (uri.scheme_str(), &options.identity) {
        (Some("http"), _) => None,
        (Some("https"), Some(identity)) => Some(secure(identity, authority).ok_or_else(bad)?),
        _ => return Err(bad()),
    };
    // The connection's TLS is ours; tonic is only told where the call goes.
    let endpoint = Endpoint::from_shared(format!("http://{authority}")).map_err(|_| bad())?;
    let endpoint = endpoint
        .connect_timeout(options.connect_timeout)
        .timeout(options.timeout)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(options.keepalive_interval)
        .keep_alive_timeout(options.keepalive_timeout)
        .keep_alive_while_idle(true);
    let channel = match secure {
        None => endpoint.connect_lazy(),
        Some(connector) => endpoint.connect_with_connector_lazy(connector),
    };
    Ok(over(channel, options))
}

/// Makes secure connections to one peer.
type SecureConnector = BoxCloneSyncService<Uri, TokioIo<TlsStream<TcpStream>>, io::Error>;

/// `None` when the host is no name that a certificate can hold.
fn secure(identity: &Arc<Identity>, authority: &Authority) -> Option<SecureConnector> {
    // The brackets of an IPv6 address belong to the URL, not to the address.
    let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
    let name = ServerName::try_from(host.clone()).ok()?;
    let address = (host, authority.port_u16().unwrap_or(HTTPS_PORT));
    let identity = Arc::clone(identity);
    let connect = move |_: Uri| -> BoxFuture<'static, io::Result<_>> {
        // Asked for at each connection, so that a renewed certificate is shown by the next.
        let (connector, name, address) = (identity.connector(), name.clone(), address.clone());
        Box::pin(async move {
            let stream = TcpStream::connect((address.0.as_str(), address.1)).await?;
            stream.set_nodelay(true)?;
            Ok(TokioIo::new(connector.connect(name, stream).await?))
        })
    };
    Some(BoxCloneSyncService::new(tower::service_fn(connect)))
}
