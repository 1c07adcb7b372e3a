//! Puts the service together.

use std::sync::Arc;

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

use crate::books::Books;
use crate::config::Config;
use crate::grpc::{HistoryApi, LedgerApi, MAX_MESSAGE_BYTES};
use crate::store::{self, StoreError};

/// The service's name in health, logs and metrics.
pub const SERVICE: &str = "settlement";

/// Why the service does not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The ledger's database cannot be used.
    #[error("the ledger's database: {0}")]
    Store(#[from] StoreError),
    /// The server failed.
    #[error(transparent)]
    Server(#[from] parlor_common::Error),
    /// The serving task was lost.
    #[error("the server's task was lost: {0}")]
    Lost(#[from] tokio::task::JoinError),
}

/// Runs the service on `listener` until the shutdown begins and its calls are answered.
///
/// `options` say who may call; health is ready once the database has answered.
///
/// # Errors
///
/// When the database cannot be opened or the server fails.
pub async fn run(
    config: Config,
    options: ServerOptions,
    listener: TcpListener,
    shutdown: Shutdown,
) -> Result<(), RunError> {
    let url = config.settlement_database_url.expose_secret();
    let store = store::open(url, config.settlement_database_readers).await?;
    let most = config.settlement_batch_requests;
    let books = Books::open(store, Clock::system(), most, &shutdown);
    let readiness = options.readiness.clone();
    let books = Arc::new(books);
    let ledger = LedgerServiceServer::new(LedgerApi::new(Arc::clone(&books) as _))
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
