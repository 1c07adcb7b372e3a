//! Puts the service together.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::locate::TableLocator;
use parlor_common::patience::until_open;
use parlor_common::server::{ServerOptions, serve};
use parlor_common::{Clock, Shutdown};
use parlor_proto::settlement::v1::history_service_server::{
    HistoryServiceServer, SERVICE_NAME as HISTORY,
};
use parlor_proto::settlement::v1::ledger_service_server::{
    LedgerServiceServer, SERVICE_NAME as LEDGER,
};
use secrecy::ExposeSecret;
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::auditor::audit_until_the_end;
use crate::books::Books;
use crate::config::{Config, WalletProvider};
use crate::grpc::{HistoryApi, LedgerApi, MAX_MESSAGE_BYTES};
use crate::ledger::Ledger;
use crate::lookout::{PodTables, look_until_the_end};
use crate::orphans::Orphans;
use crate::store::{self, Store, StoreError};
use crate::wallet::courier::carry_until_the_end;
use crate::wallet::http::{HttpWallet, SettingsError};
use crate::wallet::provider::Provider;
use crate::wallet::{Custody, Timing};

/// The service's name in health, logs and metrics.
pub const SERVICE: &str = "settlement";

/// Why the service does not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The ledger's database cannot be used.
    #[error("the ledger's database: {0}")]
    Store(#[from] StoreError),
    /// The operator's wallet cannot be used.
    #[error(transparent)]
    Wallet(#[from] SettingsError),
    /// The server failed.
    #[error(transparent)]
    Server(#[from] parlor_common::Error),
    /// The serving task was lost.
    #[error("the server's task was lost: {0}")]
    Lost(#[from] tokio::task::JoinError),
}

/// Opens the ledger's database, which brings its tables up to date.
///
/// # Errors
///
/// When the database cannot be used.
pub async fn migrate(config: &Config) -> Result<(), RunError> {
    open(config).await.map(drop)
}

async fn open(config: &Config) -> Result<Arc<dyn Store>, RunError> {
    let url = config.settlement_database_url.expose_secret();
    Ok(store::open(url, config.settlement_database_readers).await?)
}

/// An operator's wallet, and how long things may take with it.
type OperatorWallet = (Arc<dyn Provider>, Timing);

/// The operator's wallet, if there is one.
fn wallet(config: &Config) -> Result<Option<OperatorWallet>, RunError> {
    if config.settlement_wallet_provider == WalletProvider::Ledger {
        return Ok(None);
    }
    let url = config.settlement_wallet_url.as_str();
    let token = config.settlement_wallet_token.as_ref().filter(|_| !url.is_empty());
    let token = token.ok_or(SettingsError::Missing)?;
    let timeout = Duration::from_millis(config.settlement_wallet_timeout_ms);
    let patience = Duration::from_millis(config.settlement_wallet_patience_ms);
    let provider = HttpWallet::new(url, token, timeout)?;
    Ok(Some((Arc::new(provider), Timing::new(patience, timeout))))
}

/// Has the stacks of tables that are lost for good released.
fn watch_tables(
    config: &Config,
    ledger: &Arc<dyn Ledger>,
    tables: Arc<dyn TableLocator>,
    shutdown: &Shutdown,
) {
    if config.settlement_orphan_interval_ms == 0 {
        return;
    }
    let interval = Duration::from_millis(config.settlement_orphan_interval_ms);
    let patience_ms = i64::try_from(config.settlement_orphan_patience_ms).unwrap_or(i64::MAX);
    let (ledger, tables) = (Arc::clone(ledger), PodTables::new(tables));
    let (orphans, end) = (Orphans::new(patience_ms), shutdown.clone());
    let work = look_until_the_end(ledger, tables, orphans, Clock::system(), interval, end);
    shutdown.spawn("orphans", work);
}

/// Runs the service on `listener` until the shutdown begins and its calls are answered.
///
/// `options` say who may call; health is ready once the database has answered. `tables` finds out
/// which tables are lost.
///
/// # Errors
///
/// When the database cannot be opened or the server fails.
pub async fn run(
    config: Config,
    options: ServerOptions,
    listener: TcpListener,
    tables: Arc<dyn TableLocator>,
    shutdown: Shutdown,
) -> Result<(), RunError> {
    let wallet = wallet(&config)?;
    let may_pass = |error: &RunError| matches!(error, RunError::Store(StoreError::Unavailable(_)));
    let patience = options.config.start_patience();
    let opened =
        until_open("the ledger's database", patience, &shutdown, may_pass, || open(&config));
    let Some(store) = opened.await? else { return Ok(()) };
    let most = config.settlement_batch_requests;
    let books = Arc::new(Books::open(Arc::clone(&store), Clock::system(), most, &shutdown));
    if config.settlement_audit_interval_ms > 0 {
        let interval = Duration::from_millis(config.settlement_audit_interval_ms);
        let books = Arc::clone(&books);
        let work = audit_until_the_end(books, Clock::system(), interval, shutdown.clone());
        shutdown.spawn("ledger-auditor", work);
    }
    let ledger: Arc<dyn Ledger> = match wallet {
        None => Arc::clone(&books) as _,
        Some((provider, timing)) => {
            let custody =
                Custody::new(Arc::clone(&books) as _, store, provider, Clock::system(), timing);
            let work = carry_until_the_end(custody.clone(), shutdown.clone());
            shutdown.spawn("wallet-courier", work);
            Arc::new(custody)
        }
    };
    watch_tables(&config, &ledger, tables, &shutdown);
    let readiness = options.readiness.clone();
    let ledger = LedgerServiceServer::new(LedgerApi::new(ledger))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let history = HistoryServiceServer::new(HistoryApi::new(books, shutdown.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let routes = Routes::new(ledger).add_service(history);
    let options = options.with_health_names(&[LEDGER, HISTORY]);
    let server = serve(listener, routes, options, &shutdown)?;
    readiness.set_ready();
    tracing::info!("settlement is ready");
    server.await??;
    Ok(())
}
