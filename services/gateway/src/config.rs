//! The gateway's settings.

use std::path::PathBuf;

use parlor_common::secret;
use secrecy::SecretString;

use crate::Error;
use crate::admin::access::AdminToken;
use crate::auth::operator::KeySource;
use crate::edge::address::Network;

/// The signing secret of a laptop: everybody knows it, so it is for `--dev` only.
pub const DEVELOPMENT_TOKEN_SECRET: &str = "development-token-secret-that-everybody-knows";

/// Begins the keys of a system that has Redis to itself.
const REDIS_TAG: &str = "parlor-gateway";

/// Every setting of the gateway. A limit of 0 that says so is no limit.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Gateway")]
#[group(skip)]
pub struct Config {
    /// Secret that signs players' tokens, at least 32 bytes, literally or as file:PATH
    #[arg(long, env = "PARLOR_GATEWAY_TOKEN_SECRET", hide_env_values = true,
        value_parser = secret::parse, default_value = DEVELOPMENT_TOKEN_SECRET)]
    pub gateway_token_secret: SecretString,
    /// The previous secret, whose tokens are still accepted
    #[arg(long, env = "PARLOR_GATEWAY_TOKEN_SECRET_PREVIOUS", hide_env_values = true,
        value_parser = secret::parse)]
    pub gateway_token_secret_previous: Option<SecretString>,
    /// How long an access token is good
    #[arg(long, env = "PARLOR_GATEWAY_ACCESS_TTL_MS", default_value_t = 15 * 60 * 1000)]
    pub gateway_access_ttl_ms: i64,
    /// How long a refresh token is good
    #[arg(long, env = "PARLOR_GATEWAY_REFRESH_TTL_MS", default_value_t = 30 * 24 * 3600 * 1000)]
    pub gateway_refresh_ttl_ms: i64,
    /// Minor units that a new guest finds in the wallet; 0: none
    #[arg(long, env = "PARLOR_GATEWAY_WELCOME_GRANT", default_value_t = 100_000)]
    pub gateway_welcome_grant: i64,

    /// Issuer of an operator's tokens; empty: operators' players may not sign in
    #[arg(long, env = "PARLOR_GATEWAY_OPERATOR_ISSUER", default_value = "")]
    pub gateway_operator_issuer: String,
    /// Audience that an operator's tokens must name
    #[arg(long, env = "PARLOR_GATEWAY_OPERATOR_AUDIENCE", default_value = "parlor")]
    pub gateway_operator_audience: String,
    /// The operator's public keys: a JWKS, or file:PATH or the https:// URL of one that is read
    /// again as keys rotate; http:// only where nobody else can answer
    #[arg(long, env = "PARLOR_GATEWAY_OPERATOR_JWKS")]
    pub gateway_operator_jwks: Option<KeySource>,
    /// How often the operator's keys are read again; a token under an unknown key may have them
    /// read twelve times as often
    #[arg(long, env = "PARLOR_GATEWAY_OPERATOR_JWKS_REFRESH_MS", default_value_t = 60_000)]
    pub gateway_operator_jwks_refresh_ms: u64,

    /// URLs of Redis servers, separated by commas, literally or as file:PATH, by which the gateways
    /// of a system know each other's sessions; without it, this gateway is alone
    #[arg(long, env = "PARLOR_REDIS_URL", hide_env_values = true, value_parser = secret::parse)]
    pub gateway_redis_url: Option<SecretString>,
    /// Begins all keys in Redis; systems with different tags do not see each other
    #[arg(long, env = "PARLOR_GATEWAY_REDIS_TAG", default_value = REDIS_TAG)]
    pub gateway_redis_tag: String,
    /// Administrators, each NAME:ROLE:SHA256 of its token with the role viewer, moderator or
    /// operator (`parlor admin token` makes them); without any, there is no admin listener
    #[arg(long, env = "PARLOR_GATEWAY_ADMIN_TOKENS", value_delimiter = ',')]
    pub gateway_admin_tokens: Vec<AdminToken>,

    /// Origins (scheme, host and port) whose pages may connect; without any, only the gateway's own
    /// host
    #[arg(long, env = "PARLOR_GATEWAY_ALLOWED_ORIGINS", value_delimiter = ',')]
    pub gateway_allowed_origins: Vec<String>,
    /// Networks of proxies whose X-Forwarded-For is believed, such as 10.0.0.0/8
    #[arg(long, env = "PARLOR_GATEWAY_TRUSTED_PROXIES", value_delimiter = ',')]
    pub gateway_trusted_proxies: Vec<Network>,
    /// Networks of proxies whose connections begin with a PROXY protocol header, version 1 or 2,
    /// that is believed; one without is closed. List nothing else that connects from there
    #[arg(long, env = "PARLOR_GATEWAY_PROXY_PROTOCOL_FROM", value_delimiter = ',')]
    pub gateway_proxy_protocol_from: Vec<Network>,
    /// Most connections at a time; more wait
    #[arg(long, env = "PARLOR_GATEWAY_MAX_CONNECTIONS", default_value_t = 20_000)]
    pub gateway_max_connections: usize,
    /// Certificate chain in PEM; with a key, the listener speaks TLS
    #[arg(long, env = "PARLOR_GATEWAY_TLS_CERTIFICATE")]
    pub gateway_tls_certificate: Option<PathBuf>,
    /// The certificate's private key in PEM
    #[arg(long, env = "PARLOR_GATEWAY_TLS_KEY")]
    pub gateway_tls_key: Option<PathBuf>,

    #[command(flatten)]
    #[allow(missing_docs)]
    pub session: SessionConfig,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitConfig,
}

/// Settings of sessions and links.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Gateway sessions")]
pub struct SessionConfig {
    /// Largest frame of a client, in bytes
    #[arg(long, env = "PARLOR_GATEWAY_MAX_FRAME_BYTES", default_value_t = 64 * 1024)]
    pub gateway_max_frame_bytes: usize,
    /// Longest wait for Hello
    #[arg(long, env = "PARLOR_GATEWAY_HELLO_TIMEOUT_MS", default_value_t = 10_000)]
    pub gateway_hello_timeout_ms: u64,
    /// A client pings when it has sent nothing for so long; twice this silence ends its session
    #[arg(long, env = "PARLOR_GATEWAY_HEARTBEAT_MS", default_value_t = 15_000)]
    pub gateway_heartbeat_ms: u32,
    /// Most unanswered requests of a session
    #[arg(long, env = "PARLOR_GATEWAY_MAX_OUTSTANDING", default_value_t = 32)]
    pub gateway_max_outstanding: usize,
    /// Most tables that a session watches
    #[arg(long, env = "PARLOR_GATEWAY_MAX_WATCHED", default_value_t = 8)]
    pub gateway_max_watched: usize,
    /// Most frames that wait for a client; a table's updates beyond them become a resync
    #[arg(long, env = "PARLOR_GATEWAY_OUTBOX_FRAMES", default_value_t = 256)]
    pub gateway_outbox_frames: usize,
    /// Most bytes of frames that wait for a client
    #[arg(long, env = "PARLOR_GATEWAY_OUTBOX_BYTES", default_value_t = 1024 * 1024)]
    pub gateway_outbox_bytes: usize,
    /// A client that takes nothing for so long although something waits is disconnected
    #[arg(long, env = "PARLOR_GATEWAY_TOO_SLOW_AFTER_MS", default_value_t = 15_000)]
    pub gateway_too_slow_after_ms: u64,
    /// Longest wait for a table's answer, across reconnections
    #[arg(long, env = "PARLOR_GATEWAY_COMMAND_TIMEOUT_MS", default_value_t = 10_000)]
    pub gateway_command_timeout_ms: u64,
    /// Longest wait for a link to a table pod
    #[arg(long, env = "PARLOR_GATEWAY_LINK_TIMEOUT_MS", default_value_t = 2_000)]
    pub gateway_link_timeout_ms: u64,
    /// First pause before a link is tried again; it doubles
    #[arg(long, env = "PARLOR_GATEWAY_RETRY_MIN_MS", default_value_t = 20)]
    pub gateway_retry_min_ms: u64,
    /// Longest pause before a link is tried again
    #[arg(long, env = "PARLOR_GATEWAY_RETRY_MAX_MS", default_value_t = 500)]
    pub gateway_retry_max_ms: u64,
    /// While the gateway drains, its clients are sent away spread over this time
    #[arg(long, env = "PARLOR_GATEWAY_DRAIN_SPREAD_MS", default_value_t = 3_000)]
    pub gateway_drain_spread_ms: u64,
}

/// Limits per player and per address.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Gateway limits")]
pub struct LimitConfig {
    /// Requests per second of one player, across its connections; 0: no limit
    #[arg(long, env = "PARLOR_GATEWAY_REQUESTS_PER_S", default_value_t = 20)]
    pub gateway_requests_per_s: u32,
    /// Requests of one player at once
    #[arg(long, env = "PARLOR_GATEWAY_REQUESTS_BURST", default_value_t = 60)]
    pub gateway_requests_burst: u32,
    /// Requests per second from one address; 0: no limit
    #[arg(long, env = "PARLOR_GATEWAY_ADDRESS_REQUESTS_PER_S", default_value_t = 1_000)]
    pub gateway_address_requests_per_s: u32,
    /// Sign-ins and refreshes per minute from one address; 0: no limit
    #[arg(long, env = "PARLOR_GATEWAY_SIGN_INS_PER_MINUTE", default_value_t = 60)]
    pub gateway_sign_ins_per_minute: u32,
    /// New guests per hour from one address; 0: no limit
    #[arg(long, env = "PARLOR_GATEWAY_GUESTS_PER_HOUR", default_value_t = 240)]
    pub gateway_guests_per_hour: u32,
    /// Sessions at a time from one address, and half of its connections; 0: no limit
    #[arg(long, env = "PARLOR_GATEWAY_MAX_SESSIONS_PER_ADDRESS", default_value_t = 512)]
    pub gateway_max_sessions_per_address: usize,
}

impl Config {
    /// Refuses values with which nothing could work.
    ///
    /// # Errors
    /// [`Error::Setting`].
    pub fn check(&self) -> Result<(), Error> {
        let session = &self.session;
        let wide = |value: usize| u64::try_from(value).unwrap_or(u64::MAX);
        let positive = |value: i64| u64::try_from(value).unwrap_or(0);
        for (setting, value, least) in [
            ("--gateway-access-ttl-ms", positive(self.gateway_access_ttl_ms), 1_000),
            ("--gateway-refresh-ttl-ms", positive(self.gateway_refresh_ttl_ms), 1_000),
            ("--gateway-operator-jwks-refresh-ms", self.gateway_operator_jwks_refresh_ms, 100),
            ("--gateway-max-connections", wide(self.gateway_max_connections), 1),
            ("--gateway-max-frame-bytes", wide(session.gateway_max_frame_bytes), 1_024),
            ("--gateway-hello-timeout-ms", session.gateway_hello_timeout_ms, 1),
            ("--gateway-heartbeat-ms", session.gateway_heartbeat_ms.into(), 10),
            ("--gateway-max-outstanding", wide(session.gateway_max_outstanding), 1),
            ("--gateway-max-watched", wide(session.gateway_max_watched), 1),
            ("--gateway-outbox-frames", wide(session.gateway_outbox_frames), 1),
            ("--gateway-outbox-bytes", wide(session.gateway_outbox_bytes), 1),
            ("--gateway-too-slow-after-ms", session.gateway_too_slow_after_ms, 1),
            ("--gateway-command-timeout-ms", session.gateway_command_timeout_ms, 1),
            ("--gateway-link-timeout-ms", session.gateway_link_timeout_ms, 1),
            ("--gateway-retry-min-ms", session.gateway_retry_min_ms, 1),
            ("--gateway-retry-max-ms", session.gateway_retry_max_ms, session.gateway_retry_min_ms),
        ] {
            if value < least {
                let problem = format!("must be at least {least}");
                return Err(Error::Setting { setting, problem });
            }
        }
        Ok(())
    }

    /// Whether tokens are signed with the secret that everybody knows.
    #[must_use]
    pub fn has_development_secret(&self) -> bool {
        secret::matches(&self.gateway_token_secret, DEVELOPMENT_TOKEN_SECRET.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use clap::Parser;

    use super::*;

    #[derive(Debug, Parser)]
    struct Flags {
        #[command(flatten)]
        config: Config,
    }

    #[test]
    fn the_defaults_are_sound_and_the_development_secret_is_told() {
        let config = Flags::parse_from(["gateway"]).config;
        assert!(config.check().is_ok() && config.has_development_secret());
        let own = ["gateway", "--gateway-token-secret=0123456789abcdef0123456789abcdef"];
        assert!(!Flags::parse_from(own).config.has_development_secret());
    }

    #[test]
    fn values_with_which_nothing_could_work_are_refused() {
        for flag in [
            "--gateway-heartbeat-ms=0",
            "--gateway-outbox-frames=0",
            "--gateway-access-ttl-ms=-5",
            "--gateway-retry-max-ms=1",
        ] {
            let config = Flags::parse_from(["gateway", flag]).config;
            let error = config.check().unwrap_err().to_string();
            let name = flag.split('=').next().unwrap();
            assert!(error.contains(name), "{error}");
        }
    }

    #[test]
    fn lists_and_sources_are_read() {
        let flags = [
            "gateway",
            "--gateway-trusted-proxies=10.0.0.0/8,::1",
            "--gateway-proxy-protocol-from=192.0.2.0/24",
            "--gateway-allowed-origins=https://a.example,https://b.example",
            "--gateway-operator-jwks=file:/etc/parlor/jwks.json",
        ];
        let config = Flags::parse_from(flags).config;
        assert_eq!(config.gateway_trusted_proxies.len(), 2);
        assert_eq!(config.gateway_proxy_protocol_from.len(), 1);
        assert_eq!(config.gateway_allowed_origins.len(), 2);
        let file = KeySource::File("/etc/parlor/jwks.json".into());
        assert_eq!(config.gateway_operator_jwks, Some(file));
        assert!(Flags::try_parse_from(["gateway", "--gateway-trusted-proxies=x"]).is_err());
    }

    #[test]
    fn secrets_are_not_shown() {
        let secret = "--gateway-token-secret=0123456789abcdef0123456789abcdef";
        let config = Flags::parse_from(["gateway", secret]).config;
        assert!(!format!("{config:?}").contains("0123456789abcdef"));
    }
}
