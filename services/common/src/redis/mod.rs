//! One shared, self-repairing connection to a Redis or to a Redis Cluster, and what it takes for a
//! write to outlive a server ([`replicas`]).

pub mod replicas;

use std::time::Duration;

use redis::aio::{ConnectionManager, ConnectionManagerConfig};
use redis::cluster::ClusterClientBuilder;
use redis::cluster_async::ClusterConnection;
use redis::cluster_routing::{Route, SingleNodeRoutingInfo, SlotAddr};
use redis::{
    Cmd, ErrorKind, FromRedisValue, Pipeline, RedisError, RedisResult, ScriptInvocation, Value,
};
use secrecy::{ExposeSecret, SecretString};

pub use replicas::{Durability, NotReplicated, Replicas};

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

/// A connection; clones share it. The client repeats a command by itself when a connection breaks,
/// so a command may run twice: writes must bear that.
#[derive(Clone)]
pub enum RedisConnection {
    /// To one server.
    Single(ConnectionManager),
    /// To a cluster, some of whose nodes tell the others.
    Cluster(ClusterConnection),
}

impl RedisConnection {
    /// Connects to the servers at these URLs, separated by commas. Several are nodes of one
    /// cluster; a single one is asked whether it is.
    ///
    /// # Errors
    /// When a URL is malformed or no server can be reached.
    pub async fn open(urls: &SecretString) -> RedisResult<Self> {
        let urls = urls.expose_secret().split(',').map(str::trim).filter(|url| !url.is_empty());
        let urls: Vec<&str> = urls.collect();
        let Some(first) = urls.first() else {
            return Err(RedisError::from((ErrorKind::InvalidClientConfig, "there is no URL")));
        };
        if urls.len() > 1 {
            return Self::cluster(&urls).await;
        }
        let single = Self::single(first).await?;
        let mut about = redis::cmd("INFO");
        about.arg("cluster");
        let about: String = single.query(&about).await?;
        if about.contains("cluster_enabled:1") { Self::cluster(&urls).await } else { Ok(single) }
    }

    async fn single(url: &str) -> RedisResult<Self> {
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(OVERALL))
            .set_connection_timeout(Some(CONNECT));
        let client = redis::Client::open(url)?;
        Ok(Self::Single(ConnectionManager::new_with_config(client, config).await?))
    }

    async fn cluster(urls: &[&str]) -> RedisResult<Self> {
        let client = ClusterClientBuilder::new(urls.iter().copied())
            .response_timeout(RESPONSE)
            .connection_timeout(CONNECT)
            .overall_response_timeout(Some(OVERALL))
            .retries(RETRIES)
            .min_retry_wait(RETRY_WAIT_MS.0)
            .max_retry_wait(RETRY_WAIT_MS.1)
            .build()?;
        Ok(Self::Cluster(client.get_async_connection().await?))
    }

    /// Runs a command.
    ///
    /// # Errors
    /// What the server or the connection says, within a few seconds.
    pub async fn query<T: FromRedisValue>(&self, command: &Cmd) -> RedisResult<T> {
        match self.clone() {
            Self::Single(mut connection) => command.query_async(&mut connection).await,
            Self::Cluster(mut connection) => command.query_async(&mut connection).await,
        }
    }

    /// Runs a script.
    ///
    /// # Errors
    /// As for [`RedisConnection::query`].
    pub async fn script(&self, script: &ScriptInvocation<'_>) -> RedisResult<Value> {
        match self.clone() {
            Self::Single(mut connection) => script.invoke_async(&mut connection).await,
            Self::Cluster(mut connection) => script.invoke_async(&mut connection).await,
        }
    }

    /// Sends `count` commands one after the other over one connection: to the node that owns `key`,
    /// whatever their own keys are. The answers come in the same order.
    ///
    /// # Errors
    /// As for [`RedisConnection::query`]; also when one of the commands is refused.
    pub async fn routed(
        &self,
        pipeline: &Pipeline,
        count: usize,
        key: &str,
    ) -> RedisResult<Vec<Value>> {
        match self.clone() {
            Self::Single(mut connection) => pipeline.query_async(&mut connection).await,
            Self::Cluster(mut connection) => {
                let route = Route::with_key(key, SlotAddr::Master);
                let route = SingleNodeRoutingInfo::SpecificNode(route);
                let values = connection.route_pipeline(pipeline.clone(), 0, count, route).await?;
                values.into_iter().map(Value::extract_error).collect()
            }
        }
    }
}
