//! Every setting of `parlor run`.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::builder::FalseyValueParser;
use clap::parser::ValueSource;
use clap::{ArgMatches, Args};
use parlor_common::client::PeerConfig;
use parlor_common::server::ServerConfig;
use parlor_common::telemetry::TelemetryConfig;
use parlor_common::tls::TlsConfig;
use parlor_gateway::admin::access::{AdminToken, Role};
use secrecy::ExposeSecret;

use super::keys;
use crate::command::Target;

/// What the audit calls whoever can read the data folder of a `run all`.
const LOCAL: &str = "local";

/// Settings of the process and of the services in it.
#[derive(Debug, Args)]
pub struct Settings {
    /// Folder in which `run all` keeps tables, ledger and secrets; remove it to begin afresh
    #[arg(long, env = "PARLOR_DATA_DIR", default_value = "parlor-data")]
    pub data_dir: PathBuf,
    /// Let a single service run on the secrets that everybody knows
    #[arg(long, env = "PARLOR_DEV", value_parser = FalseyValueParser::new())]
    pub dev: bool,
    /// Longest time that the services may take to end
    #[arg(long, env = "PARLOR_SHUTDOWN_TIMEOUT_MS", default_value_t = 25_000)]
    pub shutdown_timeout_ms: u64,
    #[command(flatten)]
    pub listen: ListenConfig,
    #[command(flatten)]
    pub peers: PeersConfig,
    #[command(flatten)]
    pub peer: PeerConfig,
    #[command(flatten)]
    pub server: ServerConfig,
    #[command(flatten)]
    pub tls: TlsConfig,
    #[command(flatten)]
    pub telemetry: TelemetryConfig,
    #[command(flatten)]
    pub settlement: parlor_settlement::Config,
    #[command(flatten)]
    pub table: parlor_table::config::Config,
    #[command(flatten)]
    pub matchmaking: parlor_matchmaking::Config,
    #[command(flatten)]
    pub gateway: parlor_gateway::Config,
}

/// Where the process listens.
#[derive(Debug, Args)]
#[command(next_help_heading = "Listeners")]
pub struct ListenConfig {
    /// Players and their web client; by default 0.0.0.0:8080, in `run all` 127.0.0.1:8080 or, when
    /// that is taken, any free port
    #[arg(long, env = "PARLOR_GATEWAY_LISTEN")]
    pub gateway_listen: Option<SocketAddr>,
    /// Administrators of the gateway, where there are admin tokens; by default 0.0.0.0:7004, in
    /// `run all` a free loopback port
    #[arg(long, env = "PARLOR_GATEWAY_ADMIN_LISTEN")]
    pub gateway_admin_listen: Option<SocketAddr>,
    /// By default 0.0.0.0:7001, in `run all` a free loopback port
    #[arg(long, env = "PARLOR_TABLE_LISTEN")]
    pub table_listen: Option<SocketAddr>,
    /// By default 0.0.0.0:7002, in `run all` a free loopback port
    #[arg(long, env = "PARLOR_SETTLEMENT_LISTEN")]
    pub settlement_listen: Option<SocketAddr>,
    /// By default 0.0.0.0:7003, in `run all` a free loopback port
    #[arg(long, env = "PARLOR_MATCHMAKING_LISTEN")]
    pub matchmaking_listen: Option<SocketAddr>,
    /// Metrics, liveness and readiness; by default 0.0.0.0:9090, in `run all` a free loopback port
    #[arg(long, env = "PARLOR_ADMIN_LISTEN")]
    pub admin_listen: Option<SocketAddr>,
}

/// Where a single service finds the others; `run all` needs none of these.
#[derive(Debug, Args)]
#[command(next_help_heading = "Other services")]
pub struct PeersConfig {
    /// The settlement service
    #[arg(long, env = "PARLOR_SETTLEMENT_URL", default_value = "http://127.0.0.1:7002")]
    pub settlement_url: String,
    /// The matchmaking service
    #[arg(long, env = "PARLOR_MATCHMAKING_URL", default_value = "http://127.0.0.1:7003")]
    pub matchmaking_url: String,
    /// The table pods, separated by commas
    #[arg(
        long,
        env = "PARLOR_TABLE_URLS",
        value_delimiter = ',',
        default_value = "http://127.0.0.1:7001"
    )]
    pub table_urls: Vec<String>,
}

/// Which settings were given, rather than left at their defaults.
#[derive(Debug)]
pub struct Given(BTreeSet<String>);

impl Given {
    /// Of the `run` command.
    pub fn new(matches: &ArgMatches) -> Self {
        let given = |id: &&str| matches.value_source(id) != Some(ValueSource::DefaultValue);
        let ids = matches.ids().map(clap::Id::as_str);
        Self(ids.filter(given).map(str::to_owned).collect())
    }

    fn has(&self, id: &str) -> bool {
        self.0.contains(id)
    }
}

impl Settings {
    /// Puts whatever was not given a place of its own into the data folder.
    pub fn keep_in(&mut self, folder: &Path, given: &Given) -> anyhow::Result<()> {
        if !given.has("settlement_database_url") {
            let url = format!("sqlite://{}", folder.join("settlement.db").display());
            self.settlement.settlement_database_url = url.into();
        }
        if !given.has("table_store_path") {
            self.table.table_store_path = folder.join("tables.redb");
        }
        if !given.has("matchmaking_clubs_file") {
            self.matchmaking.matchmaking_clubs_file = Some(folder.join("clubs.redb"));
        }
        if !given.has("service_token") {
            self.peer.service_token = keys::keep(folder, keys::SERVICE_TOKEN)?;
        }
        if !given.has("gateway_token_secret") {
            self.gateway.gateway_token_secret = keys::keep(folder, keys::GATEWAY_TOKEN_SECRET)?;
        }
        if !given.has("gateway_admin_tokens") {
            let token = keys::keep(folder, keys::GATEWAY_ADMIN_TOKEN)?;
            let token = AdminToken::new(LOCAL, Role::Operator, token.expose_secret());
            self.gateway.gateway_admin_tokens = vec![token.map_err(anyhow::Error::msg)?];
        }
        if !given.has("table_daily_secret") {
            self.table.table_daily_secret = Some(keys::keep(folder, keys::TABLE_DAILY_SECRET)?);
        }
        Ok(())
    }

    /// Whether players connect over TLS.
    pub fn has_tls(&self) -> bool {
        self.gateway.gateway_tls_certificate.is_some()
    }

    /// Refuses to run a single service on secrets that everybody knows, unless told to.
    pub fn refuse_development_secrets(&self, target: Target) -> anyhow::Result<()> {
        if self.dev {
            return Ok(());
        }
        if self.peer.has_development_token() {
            bail!(
                "set PARLOR_SERVICE_TOKEN to a secret of your own, or allow the known one: --dev"
            );
        }
        if target == Target::Gateway && self.gateway.has_development_secret() {
            bail!(
                "set PARLOR_GATEWAY_TOKEN_SECRET to a secret of your own, \
                 or allow the known one: --dev"
            );
        }
        Ok(())
    }
}
