//! Puts the service together.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use parlor_common::client::PeerChannel;
use parlor_common::server::{MAX_MESSAGE_BYTES, ServerOptions, serve};
use parlor_common::{Clock, Shutdown};
use parlor_proto::table::v1::link_service_server::{LinkServiceServer, SERVICE_NAME as LINK};
use parlor_proto::table::v1::table_service_server::{SERVICE_NAME as TABLE, TableServiceServer};
use tokio::net::TcpListener;
use tonic::service::Routes;

use crate::actor::Setting;
use crate::chance::os_chance;
use crate::config::{Config, StoreKind};
use crate::daily::DailySeeds;
use crate::error::Error;
use crate::grpc::{LinkApi, TableApi};
use crate::store::{EmbeddedStore, MemoryStore, StoreError, TableStore};
use crate::tables::Tables;
use crate::treasury::SettlementTreasury;

/// The service's name in health, logs and metrics.
pub const SERVICE: &str = "table";

/// Why the service does not start, or ended.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The store cannot be used.
    #[error("the store of tables: {0}")]
    Store(#[from] StoreError),
    /// The store's folder cannot be made.
    #[error("the folder of the store: {0}")]
    Folder(#[from] std::io::Error),
    /// Tables cannot be taken up.
    #[error(transparent)]
    Tables(#[from] Error),
    /// The server failed.
    #[error(transparent)]
    Server(#[from] parlor_common::Error),
    /// The serving task was lost.
    #[error("the server's task was lost: {0}")]
    Lost(#[from] tokio::task::JoinError),
}

/// Runs the service on `listener` until the shutdown begins and its calls are answered.
///
/// Health is ready once every table of the store is taken up.
///
/// # Errors
/// When the store cannot be opened or the server fails.
pub async fn run(
    config: Config,
    options: ServerOptions,
    listener: TcpListener,
    settlement: PeerChannel,
    shutdown: Shutdown,
) -> Result<(), RunError> {
    let store = open(&config)?;
    let daily = config.table_daily_secret.as_ref().map(DailySeeds::new);
    let setting = Setting {
        store,
        treasury: Arc::new(SettlementTreasury::new(settlement)),
        clock: Clock::system(),
        chance: os_chance(daily.clone()),
        daily,
        shutdown: shutdown.clone(),
    };
    let tables = Tables::new(setting, config.pacing(), config.table_limit);
    let readiness = options.readiness.clone();
    let routes = routes(&tables, &shutdown);
    let options = options.with_health_names(&[TABLE, LINK]);
    let server = serve(listener, routes, options, &shutdown)?;
    let count = tables.recover().await?;
    readiness.set_ready();
    tracing::info!(tables = count, "the table service is ready with {count} tables");
    server.await??;
    Ok(())
}

/// The gRPC services on the tables of this process.
#[must_use]
pub fn routes(tables: &Tables, shutdown: &Shutdown) -> Routes {
    let links = Arc::new(AtomicU64::new(1));
    let api = TableServiceServer::new(TableApi::new(tables.clone(), Arc::clone(&links)))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    let link = LinkServiceServer::new(LinkApi::new(tables.clone(), links, shutdown.clone()))
        .max_decoding_message_size(MAX_MESSAGE_BYTES);
    Routes::new(api).add_service(link)
}

fn open(config: &Config) -> Result<Arc<dyn TableStore>, RunError> {
    Ok(match config.table_store {
        StoreKind::Memory => Arc::new(MemoryStore::default()),
        StoreKind::Embedded => {
            if let Some(folder) = config.table_store_path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            Arc::new(EmbeddedStore::open(&config.table_store_path)?)
        }
    })
}
