//! Channels to the other services.

use std::time::Duration;

use secrecy::{ExposeSecret, SecretString};
use tonic::metadata::{Ascii, MetadataValue};
use tonic::service::Interceptor;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Status};

use crate::server::ServiceAuth;
use crate::{Error, secret, trace};

/// A channel that shows our service token and carries the current trace. Cheap to clone.
pub type PeerChannel = InterceptedService<Channel, PeerInterceptor>;

/// The service token of a laptop: never accepted outside `--dev`.
pub const DEVELOPMENT_TOKEN: &str = "development-service-token";

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
    #[arg(long, env = "PARLOR_PEER_KEEPALIVE_INTERVAL_MS", default_value_t = 5_000)]
    pub peer_keepalive_interval_ms: u64,
    /// A connection that does not answer a ping within this time is given up
    #[arg(long, env = "PARLOR_PEER_KEEPALIVE_TIMEOUT_MS", default_value_t = 3_000)]
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
}

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            authorization: None,
            connect_timeout: Duration::from_secs(1),
            timeout: Duration::from_secs(10),
            keepalive_interval: Duration::from_secs(5),
            keepalive_timeout: Duration::from_secs(3),
        }
    }
}

impl ClientOptions {
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

/// A channel to `url`, such as `http://settlement:7002`. It connects when it is first used, and
/// again whenever the connection is lost. Needs a tokio runtime.
///
/// # Errors
/// [`Error::PeerAddress`].
pub fn connect(url: &str, options: &ClientOptions) -> Result<PeerChannel, Error> {
    let bad = || Error::PeerAddress { url: url.to_owned() };
    let endpoint = Endpoint::from_shared(url.to_owned()).map_err(|_| bad())?;
    if endpoint.uri().scheme_str() != Some("http") || endpoint.uri().authority().is_none() {
        return Err(bad());
    }
    let channel = endpoint
        .connect_timeout(options.connect_timeout)
        .timeout(options.timeout)
        .tcp_nodelay(true)
        .http2_keep_alive_interval(options.keepalive_interval)
        .keep_alive_timeout(options.keepalive_timeout)
        .keep_alive_while_idle(true)
        .connect_lazy();
    let interceptor = PeerInterceptor { authorization: options.authorization.clone() };
    Ok(InterceptedService::new(channel, interceptor))
}
