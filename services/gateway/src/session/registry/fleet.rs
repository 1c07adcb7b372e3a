//! What the gateways of one system share, and one gateway's way to it.
//!
//! [`Shared`] is the memory itself; that of production is in [`super::redis`]. No call waits longer
//! than [`CALL_TIMEOUT`], and after one that failed none is made for [`AWAY_PAUSE`].

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use parlor_common::{PlayerId, random};
use tokio::time::{Instant, timeout};

pub use super::messages::{Away, Entered, Found, Mail, Renewed};
use super::sanctions::Sanction;
use crate::edge::address::Network;
use crate::metrics::Metrics;

/// Longest wait for Redis while a client waits.
const CALL_TIMEOUT: Duration = Duration::from_secs(1);
/// So long Redis is left alone after it did not answer.
pub const AWAY_PAUSE: Duration = Duration::from_secs(2);
/// A session is remembered for so long without being renewed.
pub const SESSION_LIFE: Duration = Duration::from_secs(45);
/// Audit entries that are kept.
pub const AUDIT_KEPT: usize = 10_000;

/// Why a call to what the gateways share has failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SharedError(pub String);

/// What the gateways of one system share. Each method is one step, and repeating one whose answer
/// was lost does no harm. `gateway` names the caller.
#[async_trait]
pub trait Shared: Send + Sync {
    /// Connects, unless it is.
    async fn open(&self) -> Result<(), SharedError>;

    /// Writes down a session that begins, with an epoch of `least` or later than that of the one
    /// before; or finds a ban.
    async fn enter(
        &self,
        gateway: &str,
        player: &PlayerId,
        least: u64,
    ) -> Result<Entered, SharedError>;

    /// Says that a session still runs. A later one, by epoch and then by gateway, is left alone.
    async fn renew(
        &self,
        gateway: &str,
        player: &PlayerId,
        epoch: u64,
    ) -> Result<Renewed, SharedError>;

    /// Says that a session has ended, with the player's debt; of no effect on any other session.
    async fn leave(
        &self,
        gateway: &str,
        player: &PlayerId,
        epoch: u64,
        debt: Duration,
    ) -> Result<(), SharedError>;

    /// How long the player still pays back what it asked for above its rate.
    async fn debt(&self, player: &PlayerId) -> Result<Duration, SharedError>;

    /// Where a player is, and what stands against it.
    async fn find(&self, player: &PlayerId) -> Result<Found, SharedError>;

    /// Keeps a sanction (`ban` or `mute`) until it ends, or forgets it.
    async fn sanction(
        &self,
        player: &PlayerId,
        kind: &str,
        sanction: Option<&Sanction>,
        now_ms: i64,
    ) -> Result<(), SharedError>;

    /// Keeps the ban of a network, or forgets it.
    async fn ban_network(
        &self,
        network: &Network,
        ban: Option<&Sanction>,
    ) -> Result<(), SharedError>;

    /// The banned networks, those included whose bans have ended.
    async fn networks(&self) -> Result<Vec<(Network, Sanction)>, SharedError>;

    /// Leaves a message for a gateway. Old ones may be dropped.
    async fn tell(&self, gateway: &str, mail: &Mail) -> Result<(), SharedError>;

    /// Takes messages to a gateway, oldest first.
    async fn mail(&self, gateway: &str) -> Result<Vec<Mail>, SharedError>;

    /// Adds an audit entry; the latest [`AUDIT_KEPT`] are kept.
    async fn record(&self, entry: String) -> Result<(), SharedError>;

    /// The latest audit entries, the oldest of them first; 1 to [`AUDIT_KEPT`].
    async fn recorded(&self, most: usize) -> Result<Vec<String>, SharedError>;
}

/// One gateway's way to the others.
pub struct Fleet {
    /// Names this run of the gateway.
    me: String,
    shared: Arc<dyn Shared>,
    is_open: AtomicBool,
    away_until: Mutex<Option<Instant>>,
}

impl Fleet {
    /// Not connected yet. Gateways with the same memory are one system.
    #[must_use]
    pub fn new(shared: Arc<dyn Shared>) -> Self {
        Self {
            me: random::uuid().to_string(),
            shared,
            is_open: AtomicBool::new(false),
            away_until: Mutex::default(),
        }
    }

    /// Names this run of the gateway.
    #[must_use]
    pub fn me(&self) -> &str {
        &self.me
    }

    /// Connects, unless it is; for the task that keeps the registry.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn connect(&self) -> Result<(), Away> {
        if self.is_open.load(Ordering::Acquire) {
            return Ok(());
        }
        match timeout(AWAY_PAUSE, self.shared.open()).await {
            Ok(Ok(())) => {
                self.is_open.store(true, Ordering::Release);
                return Ok(());
            }
            Ok(Err(error)) => tracing::warn!(%error, "the shared registry cannot be reached"),
            Err(_) => tracing::warn!("the shared registry cannot be reached in time"),
        }
        Err(Away)
    }

    async fn call<T>(
        &self,
        metrics: &Metrics,
        work: impl Future<Output = Result<T, SharedError>>,
    ) -> Result<T, Away> {
        let is_away = {
            let until = self.away_until.lock().unwrap_or_else(PoisonError::into_inner);
            until.is_some_and(|until| Instant::now() < until)
        };
        if is_away || !self.is_open.load(Ordering::Acquire) {
            metrics.shared_failure();
            return Err(Away);
        }
        let failed = match timeout(CALL_TIMEOUT, work).await {
            Ok(Ok(value)) => {
                *self.away_until.lock().unwrap_or_else(PoisonError::into_inner) = None;
                return Ok(value);
            }
            Ok(Err(error)) => error.to_string(),
            Err(_) => "no answer in time".to_owned(),
        };
        metrics.shared_failure();
        tracing::warn!(error = failed, "the shared registry does not answer");
        let until = Some(Instant::now() + AWAY_PAUSE);
        *self.away_until.lock().unwrap_or_else(PoisonError::into_inner) = until;
        Err(Away)
    }

    /// Writes down a session that begins, with an epoch of `least` or later; or finds a ban.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn enter(
        &self,
        metrics: &Metrics,
        player: &PlayerId,
        least: u64,
    ) -> Result<Entered, Away> {
        self.call(metrics, self.shared.enter(&self.me, player, least)).await
    }

    /// Says that a session still runs.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn renew(
        &self,
        metrics: &Metrics,
        player: &PlayerId,
        epoch: u64,
    ) -> Result<Renewed, Away> {
        self.call(metrics, self.shared.renew(&self.me, player, epoch)).await
    }

    /// Says that a session has ended, with the player's debt.
    ///
    /// # Errors
    /// [`Away`]; it is forgotten by itself then.
    pub async fn leave(
        &self,
        metrics: &Metrics,
        player: &PlayerId,
        epoch: u64,
        debt: Duration,
    ) -> Result<(), Away> {
        self.call(metrics, self.shared.leave(&self.me, player, epoch, debt)).await
    }

    /// What a player has asked for above its rate, as far as gateways have told.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn debt(&self, metrics: &Metrics, player: &PlayerId) -> Result<Duration, Away> {
        self.call(metrics, self.shared.debt(player)).await
    }

    /// Where a player is, and what stands against it.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn find(&self, metrics: &Metrics, player: &PlayerId) -> Result<Found, Away> {
        self.call(metrics, self.shared.find(player)).await
    }

    /// Keeps a sanction (`ban` or `mute`) until it ends, or forgets it.
    ///
    /// # Errors
    /// [`Away`]; whether it was kept is not known then.
    pub async fn sanction(
        &self,
        metrics: &Metrics,
        player: &PlayerId,
        kind: &str,
        sanction: Option<&Sanction>,
        now_ms: i64,
    ) -> Result<(), Away> {
        self.call(metrics, self.shared.sanction(player, kind, sanction, now_ms)).await
    }

    /// Keeps the ban of a network, or forgets it.
    ///
    /// # Errors
    /// [`Away`]; whether it was kept is not known then.
    pub async fn ban_network(
        &self,
        metrics: &Metrics,
        network: &Network,
        ban: Option<&Sanction>,
    ) -> Result<(), Away> {
        self.call(metrics, self.shared.ban_network(network, ban)).await
    }

    /// The banned networks, those included whose bans have ended.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn networks(&self, metrics: &Metrics) -> Result<Vec<(Network, Sanction)>, Away> {
        self.call(metrics, self.shared.networks()).await
    }

    /// Sends a message to a gateway.
    ///
    /// # Errors
    /// [`Away`]; renewals make it good.
    pub async fn tell(&self, metrics: &Metrics, gateway: &str, mail: &Mail) -> Result<(), Away> {
        self.call(metrics, self.shared.tell(gateway, mail)).await
    }

    /// Takes messages to this gateway.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn mail(&self, metrics: &Metrics) -> Result<Vec<Mail>, Away> {
        self.call(metrics, self.shared.mail(&self.me)).await
    }

    /// Adds an audit entry.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn record(&self, metrics: &Metrics, entry: String) -> Result<(), Away> {
        self.call(metrics, self.shared.record(entry)).await
    }

    /// The latest audit entries, the oldest of them first.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn recorded(&self, metrics: &Metrics, most: usize) -> Result<Vec<String>, Away> {
        self.call(metrics, self.shared.recorded(most.clamp(1, AUDIT_KEPT))).await
    }
}
