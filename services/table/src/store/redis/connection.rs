//! One shared, self-repairing connection to a Redis or to a Redis Cluster.

use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::cluster::ClusterClientBuilder;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{Route, RoutingInfo, SingleNodeRoutingInfo, SlotAddr};
use redis::{Cmd, RedisResult, ScriptInvocation, Value};

// The client's own defaults wait without bound when a slot has no node. These were found to ride
// out a failover without an error in most runs, and to fail in bounded time otherwise.
/// One try of a command.
const RESPONSE: Duration = Duration::from_millis(500);
/// A new connection.
const CONNECT: Duration = Duration::from_millis(300);
/// A command with all its tries.
const OVERALL: Duration = Duration::from_secs(5);
/// Tries of a command in a cluster.
const RETRIES: u32 = 20;
/// Shortest and longest pause between tries, in milliseconds.
const RETRY_WAIT_MS: (u64, u64) = (50, 400);

/// Which Redis to connect to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedisTarget {
    /// One server.
    Single(String),
    /// Some nodes of a cluster; it tells the others.
    Cluster(Vec<String>),
}

#[derive(Clone)]
pub(super) enum Connection {
    Single(ConnectionManager),
    Cluster(ClusterConnection),
}

impl Connection {
    pub async fn open(target: &RedisTarget) -> RedisResult<Self> {
        match target {
            RedisTarget::Single(url) => {
                let config = ConnectionManagerConfig::new()
                    .set_response_timeout(Some(OVERALL))
                    .set_connection_timeout(Some(CONNECT));
                let client = redis::Client::open(url.as_str())?;
                Ok(Self::Single(ConnectionManager::new_with_config(client, config).await?))
            }
            RedisTarget::Cluster(urls) => {
                let client = ClusterClientBuilder::new(urls.iter().map(String::as_str))
                    .response_timeout(RESPONSE)
                    .connection_timeout(CONNECT)
                    .overall_response_timeout(Some(OVERALL))
                    .retries(RETRIES)
                    .min_retry_wait(RETRY_WAIT_MS.0)
                    .max_retry_wait(RETRY_WAIT_MS.1)
                    .build()?;
                Ok(Self::Cluster(client.get_async_connection().await?))
            }
        }
    }

    pub async fn command(&self, command: &Cmd) -> RedisResult<Value> {
        match self.clone() {
            Self::Single(mut connection) => command.query_async(&mut connection).await,
            Self::Cluster(mut connection) => command.query_async(&mut connection).await,
        }
    }

    pub async fn script(&self, script: &ScriptInvocation<'_>) -> RedisResult<Value> {
        match self.clone() {
            Self::Single(mut connection) => script.invoke_async(&mut connection).await,
            Self::Cluster(mut connection) => script.invoke_async(&mut connection).await,
        }
    }

    /// Sends a command without a key to the node that owns `key`.
    pub async fn routed(&self, command: Cmd, key: &str) -> RedisResult<Value> {
        match self.clone() {
            Self::Single(mut connection) => command.query_async(&mut connection).await,
            Self::Cluster(mut connection) => {
                let route = Route::with_key(key, SlotAddr::Master);
                let routing = RoutingInfo::SingleNode(SingleNodeRoutingInfo::SpecificNode(route));
                connection.route_command(command, routing).await
            }
        }
    }
}
