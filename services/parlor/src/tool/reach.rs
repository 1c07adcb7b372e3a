//! Which services a tool talks to.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use parlor_common::client::{ClientOptions, DEVELOPMENT_TOKEN, PeerChannel, connect};
use parlor_common::locate::StaticTables;
use parlor_common::secret;
use parlor_common::tls::{Identity, TlsConfig};
use secrecy::SecretString;

use super::notice::Notice;
use crate::launch::keys;

/// A person waits, and proving the books right may take a while.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Where the services are. Without URLs: those of the `run all` that runs on the data folder.
#[derive(Debug, Args)]
#[command(next_help_heading = "Services")]
pub struct Reach {
    /// Data folder of a `run all` on this machine
    #[arg(long, global = true, env = "PARLOR_DATA_DIR", default_value = "parlor-data")]
    data_dir: PathBuf,
    /// The settlement service, when it is not that of the data folder
    #[arg(long, global = true, env = "PARLOR_SETTLEMENT_URL")]
    settlement_url: Option<String>,
    /// The table pods, when they are not those of the data folder; separated by commas
    #[arg(long, global = true, env = "PARLOR_TABLE_URLS", value_delimiter = ',')]
    table_urls: Vec<String>,
    /// Token of the services, literally or as file:PATH; by default that of the data folder
    #[arg(long, global = true, env = "PARLOR_SERVICE_TOKEN", hide_env_values = true,
        value_parser = secret::parse)]
    service_token: Option<SecretString>,
    /// The administrators' listener of a gateway, when it is not that of the data folder
    #[arg(long, global = true, env = "PARLOR_GATEWAY_ADMIN_URL")]
    gateway_admin_url: Option<String>,
    /// Token of an administrator of the gateway, literally or as file:PATH; by default that of the
    /// data folder
    #[arg(long, global = true, env = "PARLOR_ADMIN_TOKEN", hide_env_values = true,
        value_parser = secret::parse)]
    admin_token: Option<SecretString>,
    #[command(flatten)]
    tls: TlsConfig,
}

impl Reach {
    /// A channel to the settlement service. Needs a tokio runtime.
    pub fn settlement(&self) -> anyhow::Result<PeerChannel> {
        let url = match &self.settlement_url {
            Some(url) => url.clone(),
            None => self.notice()?.settlement_url,
        };
        Ok(connect(&url, &self.options()?)?)
    }

    /// The table pods. Needs a tokio runtime.
    pub fn tables(&self) -> anyhow::Result<StaticTables> {
        let urls = match self.table_urls.as_slice() {
            [] => self.notice()?.table_urls,
            urls => urls.to_vec(),
        };
        Ok(StaticTables::new(&urls, &self.options()?)?)
    }

    /// A channel to a gateway's administration. Needs a tokio runtime.
    pub fn gateway_admin(&self) -> anyhow::Result<PeerChannel> {
        let url = match &self.gateway_admin_url {
            Some(url) => url.clone(),
            None => self.notice()?.gateway_admin_url,
        };
        let token = match &self.admin_token {
            Some(token) => token.clone(),
            None => keys::kept(&self.data_dir, keys::GATEWAY_ADMIN_TOKEN)?
                .context("give the token of an administrator: --admin-token")?,
        };
        let mut options = ClientOptions::default();
        options.timeout = TIMEOUT;
        options.identity = Identity::open(&self.tls)?;
        let options = options.with_token(&token).context("the admin token cannot be used")?;
        Ok(connect(&url, &options)?)
    }

    fn notice(&self) -> anyhow::Result<Notice> {
        let Some(notice) = Notice::read(&self.data_dir)? else {
            bail!(
                "nothing runs on the data folder {}: start `parlor run`, name another --data-dir, \
                 or give the services' URLs",
                self.data_dir.display()
            );
        };
        Ok(notice)
    }

    /// A channel to any service, without the token. Needs a tokio runtime.
    pub fn open(&self, url: &str) -> anyhow::Result<PeerChannel> {
        let identity = Identity::open(&self.tls)?;
        Ok(connect(url, &ClientOptions::default().with_identity(identity))?)
    }

    fn options(&self) -> anyhow::Result<ClientOptions> {
        let token = match &self.service_token {
            Some(token) => token.clone(),
            None => keys::kept(&self.data_dir, keys::SERVICE_TOKEN)?
                .unwrap_or_else(|| DEVELOPMENT_TOKEN.into()),
        };
        let mut options = ClientOptions::default();
        options.timeout = TIMEOUT;
        options.identity = Identity::open(&self.tls)?;
        options.with_token(&token).context("the service token cannot be used")
    }
}
