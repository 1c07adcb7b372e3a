//! What the gateways of one system share, in Redis or Redis Cluster.
//!
//! | key | |
//! |---|---|
//! | `TAG:{PLAYER}:session` | `EPOCH GATEWAY` of the player's latest session, kept alive by it |
//! | `TAG:{PLAYER}:ban`, `:mute` | a [`Sanction`], until it ends |
//! | `TAG:{PLAYER}:debt` | lives until the player has paid back what it asked for above its rate |
//! | `TAG:networks` | banned networks, each with its [`Sanction`] |
//! | `TAG:mail:GATEWAY` | a bounded list that this gateway empties |
//! | `TAG:audit` | a bounded list of what administrators did |
//!
//! Needs Redis 6.2. The client repeats a command when a connection breaks, so each bears to be run
//! twice. No call waits longer than [`CALL_TIMEOUT`], and after one that failed none is made for
//! [`AWAY_PAUSE`].

use std::sync::{Mutex, PoisonError, RwLock};
use std::time::Duration;

use parlor_common::PlayerId;
use parlor_common::redis::RedisConnection;
use redis::{Cmd, FromRedisValue, Script, ScriptInvocation, cmd};
use secrecy::SecretString;
use tokio::time::{Instant, timeout};
use uuid::Uuid;

pub use super::messages::{Away, Entered, Found, Mail, Renewed};
use super::sanctions::{Sanction, Standing};
use crate::edge::address::Network;
use crate::metrics::Metrics;

/// Longest wait for Redis while a client waits.
const CALL_TIMEOUT: Duration = Duration::from_secs(1);
/// So long Redis is left alone after it did not answer.
pub const AWAY_PAUSE: Duration = Duration::from_secs(2);
/// A session's key lives so long without being renewed.
const SESSION_LIFE: Duration = Duration::from_secs(45);
/// A gateway's mail lives so long after the last message.
const MAIL_LIFE: Duration = Duration::from_secs(60);
/// Messages that wait for one gateway; older ones are dropped, and made good by renewals.
const MAIL_KEPT: usize = 4096;
/// Messages that are taken at a time.
const MAIL_AT_ONCE: usize = 256;
/// Audit entries that are kept.
pub const AUDIT_KEPT: usize = 10_000;
/// The audit is forgotten when nothing was done for so long.
const AUDIT_LIFE: Duration = Duration::from_secs(400 * 24 * 3600);

struct Scripts {
    enter: Script,
    renew: Script,
    leave: Script,
    push: Script,
}

/// One gateway's way to the others.
pub struct Fleet {
    /// Names this run of the gateway.
    me: String,
    urls: SecretString,
    tag: String,
    scripts: Scripts,
    connection: RwLock<Option<RedisConnection>>,
    away_until: Mutex<Option<Instant>>,
}

impl Fleet {
    /// Not connected yet. Gateways with the same `tag` on the same Redis are one system.
    #[must_use]
    pub fn new(urls: SecretString, tag: String) -> Self {
        Self {
            me: Uuid::new_v4().to_string(),
            urls,
            tag,
            scripts: Scripts {
                enter: Script::new(include_str!("lua/enter.lua")),
                renew: Script::new(include_str!("lua/renew.lua")),
                leave: Script::new(include_str!("lua/leave.lua")),
                push: Script::new(include_str!("lua/push.lua")),
            },
            connection: RwLock::default(),
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
        if self.connection().is_some() {
            return Ok(());
        }
        let opened = timeout(AWAY_PAUSE, RedisConnection::open(&self.urls)).await;
        let opened = match opened {
            Ok(Ok(connection)) => connection,
            Ok(Err(error)) => {
                // The error names no URL; the URL may hold a password.
                tracing::warn!(%error, "the shared registry cannot be reached");
                return Err(Away);
            }
            Err(_) => {
                tracing::warn!("the shared registry cannot be reached in time");
                return Err(Away);
            }
        };
        *self.connection.write().unwrap_or_else(PoisonError::into_inner) = Some(opened);
        Ok(())
    }

    fn connection(&self) -> Option<RedisConnection> {
        self.connection.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    async fn call<T>(
        &self,
        metrics: &Metrics,
        work: impl AsyncFnOnce(&RedisConnection) -> redis::RedisResult<T>,
    ) -> Result<T, Away> {
        let is_away = {
            let until = self.away_until.lock().unwrap_or_else(PoisonError::into_inner);
            until.is_some_and(|until| Instant::now() < until)
        };
        let Some(connection) = self.connection().filter(|_| !is_away) else {
            metrics.shared_failure();
            return Err(Away);
        };
        let failed = match timeout(CALL_TIMEOUT, work(&connection)).await {
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

    async fn query<T: FromRedisValue>(&self, metrics: &Metrics, cmd: &Cmd) -> Result<T, Away> {
        self.call(metrics, async |redis| redis.query(cmd).await).await
    }

    async fn script<T: FromRedisValue>(
        &self,
        metrics: &Metrics,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, Away> {
        let run = async |redis: &RedisConnection| {
            let value = redis.script(script).await?;
            Ok(redis::from_redis_value(value)?)
        };
        self.call(metrics, run).await
    }

    fn key(&self, player: &PlayerId, part: &str) -> String {
        format!("{}:{{{player}}}:{part}", self.tag)
    }

    fn of_player<'a>(&self, script: &'a Script, player: &PlayerId) -> ScriptInvocation<'a> {
        let mut invocation = script.prepare_invoke();
        for part in ["session", "ban", "mute", "debt"] {
            invocation.key(self.key(player, part));
        }
        invocation.arg(&self.me);
        invocation
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
        let mut script = self.of_player(&self.scripts.enter, player);
        script.arg(least).arg(millis(SESSION_LIFE));
        let (epoch, before, ban, mute, debt_ms): (String, String, String, String, String) =
            self.script(metrics, &script).await?;
        Ok(Entered {
            epoch: epoch.parse().map_err(|_| Away)?,
            before: Some(before).filter(|gateway| !gateway.is_empty()),
            standing: standing(&ban, &mute),
            debt: Duration::from_millis(debt_ms.parse().map_err(|_| Away)?),
        })
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
        let mut script = self.of_player(&self.scripts.renew, player);
        script.arg(epoch).arg(millis(SESSION_LIFE));
        let (verdict, replaced, ban, mute): (String, String, String, String) =
            self.script(metrics, &script).await?;
        Ok(Renewed {
            is_lost: verdict == "lost",
            replaced: Some(replaced).filter(|gateway| !gateway.is_empty()),
            standing: standing(&ban, &mute),
        })
    }

    /// Says that a session has ended, with the player's debt.
    ///
    /// # Errors
    /// [`Away`]; the key ends by itself then.
    pub async fn leave(
        &self,
        metrics: &Metrics,
        player: &PlayerId,
        epoch: u64,
        debt: Duration,
    ) -> Result<(), Away> {
        let mut script = self.scripts.leave.prepare_invoke();
        script.key(self.key(player, "session")).key(self.key(player, "debt"));
        script.arg(format!("{epoch} {}", self.me)).arg(millis(debt));
        self.script(metrics, &script).await
    }

    /// What a player has asked for above its rate, as far as gateways have told.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn debt(&self, metrics: &Metrics, player: &PlayerId) -> Result<Duration, Away> {
        let left_ms: i64 = self.query(metrics, cmd("PTTL").arg(self.key(player, "debt"))).await?;
        Ok(Duration::from_millis(u64::try_from(left_ms).unwrap_or(0)))
    }

    /// Where a player is, and what stands against it.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn find(&self, metrics: &Metrics, player: &PlayerId) -> Result<Found, Away> {
        let mut get = cmd("MGET");
        for part in ["session", "ban", "mute"] {
            get.arg(self.key(player, part));
        }
        let (session, ban, mute): (Option<String>, Option<String>, Option<String>) =
            self.query(metrics, &get).await?;
        let session = session.as_deref().and_then(|session| {
            let (epoch, gateway) = session.split_once(' ')?;
            Some((epoch.parse().ok()?, gateway.to_owned()))
        });
        let standing = standing(&ban.unwrap_or_default(), &mute.unwrap_or_default());
        Ok(Found { session, standing })
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
        let key = self.key(player, kind);
        let Some(sanction) = sanction else {
            return self.query(metrics, cmd("DEL").arg(key)).await;
        };
        let text = serde_json::to_string(sanction).map_err(|_| Away)?;
        let mut set = cmd("SET");
        set.arg(key).arg(text);
        if sanction.until_ms > 0 {
            set.arg("PX").arg(sanction.until_ms.saturating_sub(now_ms).max(1));
        }
        self.query(metrics, &set).await
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
        let (key, network) = (format!("{}:networks", self.tag), network.to_string());
        let Some(ban) = ban else {
            return self.query(metrics, cmd("HDEL").arg(key).arg(network)).await;
        };
        let text = serde_json::to_string(ban).map_err(|_| Away)?;
        self.query(metrics, cmd("HSET").arg(key).arg(network).arg(text)).await
    }

    /// The banned networks, those included whose bans have ended.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn networks(&self, metrics: &Metrics) -> Result<Vec<(Network, Sanction)>, Away> {
        let key = format!("{}:networks", self.tag);
        let fields: Vec<(String, String)> = self.query(metrics, cmd("HGETALL").arg(key)).await?;
        let read = |(network, ban): &(String, String)| {
            Some((network.parse().ok()?, serde_json::from_str(ban).ok()?))
        };
        Ok(fields.iter().filter_map(read).collect())
    }

    /// Sends a message to a gateway.
    ///
    /// # Errors
    /// [`Away`]; renewals make it good.
    pub async fn tell(&self, metrics: &Metrics, gateway: &str, mail: &Mail) -> Result<(), Away> {
        let text = serde_json::to_string(mail).map_err(|_| Away)?;
        let key = format!("{}:mail:{gateway}", self.tag);
        self.push(metrics, key, text, MAIL_KEPT, MAIL_LIFE).await
    }

    /// Takes messages to this gateway.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn mail(&self, metrics: &Metrics) -> Result<Vec<Mail>, Away> {
        let mut pop = cmd("LPOP");
        pop.arg(format!("{}:mail:{}", self.tag, self.me)).arg(MAIL_AT_ONCE);
        let texts: Option<Vec<String>> = self.query(metrics, &pop).await?;
        let read = |text: String| match serde_json::from_str(&text) {
            Ok(mail) => Some(mail),
            Err(_) => {
                tracing::warn!("a message of another gateway is not understood");
                None
            }
        };
        Ok(texts.unwrap_or_default().into_iter().filter_map(read).collect())
    }

    /// Adds an audit entry.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn record(&self, metrics: &Metrics, entry: String) -> Result<(), Away> {
        self.push(metrics, format!("{}:audit", self.tag), entry, AUDIT_KEPT, AUDIT_LIFE).await
    }

    /// The latest audit entries, the oldest of them first.
    ///
    /// # Errors
    /// [`Away`].
    pub async fn recorded(&self, metrics: &Metrics, most: usize) -> Result<Vec<String>, Away> {
        let most = i64::try_from(most.clamp(1, AUDIT_KEPT)).unwrap_or(1);
        let mut range = cmd("LRANGE");
        range.arg(format!("{}:audit", self.tag)).arg(-most).arg(-1);
        self.query(metrics, &range).await
    }

    async fn push(
        &self,
        metrics: &Metrics,
        key: String,
        text: String,
        kept: usize,
        life: Duration,
    ) -> Result<(), Away> {
        let mut script = self.scripts.push.prepare_invoke();
        script.key(key).arg(text).arg(kept).arg(millis(life));
        self.script(metrics, &script).await
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn standing(ban: &str, mute: &str) -> Standing {
    let read = |text: &str| serde_json::from_str(text).ok();
    Standing { ban: read(ban), mute: read(mute) }
}
