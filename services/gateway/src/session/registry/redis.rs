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
//! twice.

use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use async_trait::async_trait;
use parlor_common::PlayerId;
use parlor_common::redis::RedisConnection;
use redis::{Cmd, FromRedisValue, RedisError, Script, ScriptInvocation, cmd};
use secrecy::SecretString;

use super::fleet::{AUDIT_KEPT, SESSION_LIFE, Shared, SharedError};
use super::messages::{Entered, Found, Mail, Renewed};
use super::sanctions::{Sanction, Standing};
use crate::edge::address::Network;

/// A gateway's mail lives so long after the last message.
const MAIL_LIFE: Duration = Duration::from_secs(60);
/// Messages that wait for one gateway; older ones are dropped, and made good by renewals.
const MAIL_KEPT: usize = 4096;
/// Messages that are taken at a time.
const MAIL_AT_ONCE: usize = 256;
/// The audit is forgotten when nothing was done for so long.
const AUDIT_LIFE: Duration = Duration::from_secs(400 * 24 * 3600);

struct Scripts {
    enter: Script,
    renew: Script,
    leave: Script,
    push: Script,
}

/// What the gateways with one `tag` on one Redis share.
pub struct RedisShared {
    urls: SecretString,
    tag: String,
    scripts: Scripts,
    connection: RwLock<Option<RedisConnection>>,
}

impl RedisShared {
    /// Not connected yet.
    #[must_use]
    pub fn new(urls: SecretString, tag: String) -> Self {
        Self {
            urls,
            tag,
            scripts: Scripts {
                enter: Script::new(include_str!("lua/enter.lua")),
                renew: Script::new(include_str!("lua/renew.lua")),
                leave: Script::new(include_str!("lua/leave.lua")),
                push: Script::new(include_str!("lua/push.lua")),
            },
            connection: RwLock::default(),
        }
    }

    fn connection(&self) -> Option<RedisConnection> {
        self.connection.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn connected(&self) -> Result<RedisConnection, SharedError> {
        self.connection().ok_or_else(|| SharedError("there is no connection yet".to_owned()))
    }

    async fn query<T: FromRedisValue>(&self, cmd: &Cmd) -> Result<T, SharedError> {
        Ok(self.connected()?.query(cmd).await?)
    }

    async fn script<T: FromRedisValue>(
        &self,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, SharedError> {
        let value = self.connected()?.script(script).await?;
        redis::from_redis_value(value).map_err(|error| SharedError(error.to_string()))
    }

    fn key(&self, player: &PlayerId, part: &str) -> String {
        format!("{}:{{{player}}}:{part}", self.tag)
    }

    fn of_player<'a>(
        &self,
        script: &'a Script,
        player: &PlayerId,
        gateway: &str,
    ) -> ScriptInvocation<'a> {
        let mut invocation = script.prepare_invoke();
        for part in ["session", "ban", "mute", "debt"] {
            invocation.key(self.key(player, part));
        }
        invocation.arg(gateway);
        invocation
    }

    async fn push(
        &self,
        key: String,
        text: String,
        kept: usize,
        life: Duration,
    ) -> Result<(), SharedError> {
        let mut script = self.scripts.push.prepare_invoke();
        script.key(key).arg(text).arg(kept).arg(millis(life));
        self.script(&script).await
    }
}

#[async_trait]
impl Shared for RedisShared {
    async fn open(&self) -> Result<(), SharedError> {
        if self.connection().is_some() {
            return Ok(());
        }
        // The error names no URL; the URL may hold a password.
        let opened = RedisConnection::open(&self.urls).await?;
        *self.connection.write().unwrap_or_else(PoisonError::into_inner) = Some(opened);
        Ok(())
    }

    async fn enter(
        &self,
        gateway: &str,
        player: &PlayerId,
        least: u64,
    ) -> Result<Entered, SharedError> {
        let mut script = self.of_player(&self.scripts.enter, player, gateway);
        script.arg(least).arg(millis(SESSION_LIFE));
        let (epoch, before, ban, mute, debt_ms): (String, String, String, String, String) =
            self.script(&script).await?;
        let number = |text: &str| {
            text.parse().map_err(|_| SharedError("what should be a number is none".to_owned()))
        };
        Ok(Entered {
            epoch: number(&epoch)?,
            before: Some(before).filter(|gateway| !gateway.is_empty()),
            standing: standing(&ban, &mute),
            debt: Duration::from_millis(number(&debt_ms)?),
        })
    }

    async fn renew(
        &self,
        gateway: &str,
        player: &PlayerId,
        epoch: u64,
    ) -> Result<Renewed, SharedError> {
        let mut script = self.of_player(&self.scripts.renew, player, gateway);
        script.arg(epoch).arg(millis(SESSION_LIFE));
        let (verdict, replaced, ban, mute): (String, String, String, String) =
            self.script(&script).await?;
        Ok(Renewed {
            is_lost: verdict == "lost",
            replaced: Some(replaced).filter(|gateway| !gateway.is_empty()),
            standing: standing(&ban, &mute),
        })
    }

    async fn leave(
        &self,
        gateway: &str,
        player: &PlayerId,
        epoch: u64,
        debt: Duration,
    ) -> Result<(), SharedError> {
        let mut script = self.scripts.leave.prepare_invoke();
        script.key(self.key(player, "session")).key(self.key(player, "debt"));
        script.arg(format!("{epoch} {gateway}")).arg(millis(debt));
        self.script(&script).await
    }

    async fn debt(&self, player: &PlayerId) -> Result<Duration, SharedError> {
        let left_ms: i64 = self.query(cmd("PTTL").arg(self.key(player, "debt"))).await?;
        Ok(Duration::from_millis(u64::try_from(left_ms).unwrap_or(0)))
    }

    async fn find(&self, player: &PlayerId) -> Result<Found, SharedError> {
        let mut get = cmd("MGET");
        for part in ["session", "ban", "mute"] {
            get.arg(self.key(player, part));
        }
        let (session, ban, mute): (Option<String>, Option<String>, Option<String>) =
            self.query(&get).await?;
        let session = session.as_deref().and_then(|session| {
            let (epoch, gateway) = session.split_once(' ')?;
            Some((epoch.parse().ok()?, gateway.to_owned()))
        });
        let standing = standing(&ban.unwrap_or_default(), &mute.unwrap_or_default());
        Ok(Found { session, standing })
    }

    async fn sanction(
        &self,
        player: &PlayerId,
        kind: &str,
        sanction: Option<&Sanction>,
        now_ms: i64,
    ) -> Result<(), SharedError> {
        let key = self.key(player, kind);
        let Some(sanction) = sanction else {
            return self.query(cmd("DEL").arg(key)).await;
        };
        let mut set = cmd("SET");
        set.arg(key).arg(json(sanction)?);
        if sanction.until_ms > 0 {
            set.arg("PX").arg(sanction.until_ms.saturating_sub(now_ms).max(1));
        }
        self.query(&set).await
    }

    async fn ban_network(
        &self,
        network: &Network,
        ban: Option<&Sanction>,
    ) -> Result<(), SharedError> {
        let (key, network) = (format!("{}:networks", self.tag), network.to_string());
        match ban {
            Some(ban) => self.query(cmd("HSET").arg(key).arg(network).arg(json(ban)?)).await,
            None => self.query(cmd("HDEL").arg(key).arg(network)).await,
        }
    }

    async fn networks(&self) -> Result<Vec<(Network, Sanction)>, SharedError> {
        let key = format!("{}:networks", self.tag);
        let fields: Vec<(String, String)> = self.query(cmd("HGETALL").arg(key)).await?;
        let read = |(network, ban): &(String, String)| {
            Some((network.parse().ok()?, serde_json::from_str(ban).ok()?))
        };
        Ok(fields.iter().filter_map(read).collect())
    }

    async fn tell(&self, gateway: &str, mail: &Mail) -> Result<(), SharedError> {
        let key = format!("{}:mail:{gateway}", self.tag);
        self.push(key, json(mail)?, MAIL_KEPT, MAIL_LIFE).await
    }

    async fn mail(&self, gateway: &str) -> Result<Vec<Mail>, SharedError> {
        let mut pop = cmd("LPOP");
        pop.arg(format!("{}:mail:{gateway}", self.tag)).arg(MAIL_AT_ONCE);
        let texts: Option<Vec<String>> = self.query(&pop).await?;
        let read = |text: String| match serde_json::from_str(&text) {
            Ok(mail) => Some(mail),
            Err(_) => {
                tracing::warn!("a message of another gateway is not understood");
                None
            }
        };
        Ok(texts.unwrap_or_default().into_iter().filter_map(read).collect())
    }

    async fn record(&self, entry: String) -> Result<(), SharedError> {
        self.push(format!("{}:audit", self.tag), entry, AUDIT_KEPT, AUDIT_LIFE).await
    }

    async fn recorded(&self, most: usize) -> Result<Vec<String>, SharedError> {
        let most = i64::try_from(most).unwrap_or(1);
        let mut range = cmd("LRANGE");
        range.arg(format!("{}:audit", self.tag)).arg(-most).arg(-1);
        self.query(&range).await
    }
}

impl From<RedisError> for SharedError {
    fn from(error: RedisError) -> Self {
        Self(error.to_string())
    }
}

fn json(value: &impl serde::Serialize) -> Result<String, SharedError> {
    serde_json::to_string(value).map_err(|error| SharedError(error.to_string()))
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn standing(ban: &str, mute: &str) -> Standing {
    let read = |text: &str| serde_json::from_str(text).ok();
    Standing { ban: read(ban), mute: read(mute) }
}
