//! The settings of the service.

use std::path::PathBuf;
use std::sync::Arc;

use parlor_common::Shutdown;
use secrecy::SecretString;

use crate::club::prices::CardPrices;
use crate::error::Error;
use crate::queue::{MAX_PLAYERS, Queues};
use crate::service::Limits;
use crate::store::embedded::EmbeddedStore;
use crate::store::redis::{Durability, RedisStore};
use crate::store::{AttemptLimit, Store};
use crate::timing::Timing;

/// Hash tag of the keys of a system that has Redis to itself.
const REDIS_TAG: &str = "parlor-matchmaking";

/// Where tickets, codes and clubs are remembered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum StoreKind {
    /// In this process; there can be only one.
    #[default]
    Embedded,
    /// In Redis or Redis Cluster, shared by all replicas.
    Redis,
}

/// Matchmaking's settings: flags, environment variables, defaults.
#[derive(Clone, Debug, clap::Args)]
#[command(next_help_heading = "Matchmaking")]
#[group(skip)]
pub struct Config {
    /// Where tickets, codes and clubs are remembered
    #[arg(long, env = "PARLOR_MATCHMAKING_STORE", value_enum, default_value_t)]
    pub matchmaking_store: StoreKind,
    /// URLs of Redis servers, separated by commas, literally or as file:PATH
    #[arg(long, env = "PARLOR_REDIS_URL", hide_env_values = true,
        value_parser = parlor_common::secret::parse)]
    pub matchmaking_redis_url: Option<SecretString>,
    /// Hash tag of all keys in Redis; systems with different tags do not see each other
    #[arg(long, env = "PARLOR_MATCHMAKING_REDIS_TAG", default_value = REDIS_TAG)]
    pub matchmaking_redis_tag: String,
    /// What has to have a ticket, a claim, a party or a club in Redis before it is answered
    #[arg(long, env = "PARLOR_MATCHMAKING_DURABILITY", value_enum, default_value_t)]
    pub matchmaking_durability: Durability,
    /// JSON file with the queues; without it, the built-in ones are offered
    #[arg(long, env = "PARLOR_MATCHMAKING_QUEUES_FILE")]
    pub matchmaking_queues_file: Option<PathBuf>,
    /// File of the embedded store's clubs; without it, clubs end with the process
    #[arg(long, env = "PARLOR_MATCHMAKING_CLUBS_FILE")]
    pub matchmaking_clubs_file: Option<PathBuf>,
    /// Room cards that a club's room costs, by hands of its match, such as 4=2,8=3,16=4; 0 stands
    /// for a match without an end; empty: rooms cost nothing
    #[arg(long, env = "PARLOR_MATCHMAKING_CARD_PRICES", default_value = "")]
    pub matchmaking_card_prices: CardPrices,
    /// How often the tables of clubs' open rooms are looked at
    #[arg(long, env = "PARLOR_MATCHMAKING_CLUB_ROOMS_INTERVAL_MS", default_value_t = 2_000)]
    pub matchmaking_club_rooms_interval_ms: u32,
    /// Most tickets that wait in one queue
    #[arg(long, env = "PARLOR_MATCHMAKING_MAX_WAITING", default_value_t = 20_000)]
    pub matchmaking_max_waiting: u32,
    /// Most members of a party
    #[arg(long, env = "PARLOR_MATCHMAKING_PARTY_SIZE", default_value_t = 4,
        value_parser = clap::value_parser!(u32).range(2..=i64::from(MAX_PLAYERS)))]
    pub matchmaking_party_size: u32,
    /// How long the invite code of a party lets in
    #[arg(long, env = "PARLOR_MATCHMAKING_PARTY_INVITE_TTL_MS", default_value_t = 600_000)]
    pub matchmaking_party_invite_ttl_ms: u32,
    /// A member of a party who is not connected for so long leaves it
    #[arg(long, env = "PARLOR_MATCHMAKING_PARTY_ABSENCE_MS", default_value_t = 60_000,
        value_parser = clap::value_parser!(u32).range(1_000..))]
    pub matchmaking_party_absence_ms: u32,
    /// Codes of rooms, parties and clubs that one player may try in a window
    #[arg(long, env = "PARLOR_MATCHMAKING_CODE_ATTEMPTS", default_value_t = 10)]
    pub matchmaking_code_attempts: u32,
    /// Length of that window
    #[arg(long, env = "PARLOR_MATCHMAKING_CODE_WINDOW_MS", default_value_t = 60_000)]
    pub matchmaking_code_window_ms: u32,
    /// How often every queue is looked at, so that rating windows widen and bots fill in
    #[arg(long, env = "PARLOR_MATCHMAKING_MATCH_INTERVAL_MS", default_value_t = 250)]
    pub matchmaking_match_interval_ms: u32,
    /// How long a replica keeps a queue without a sign of life
    #[arg(long, env = "PARLOR_MATCHMAKING_LEASE_TTL_MS", default_value_t = 3_000)]
    pub matchmaking_lease_ttl_ms: u32,
}

impl Default for Config {
    fn default() -> Self {
        let (limits, timing) = (Limits::default(), Timing::default());
        Self {
            matchmaking_store: StoreKind::Embedded,
            matchmaking_redis_url: None,
            matchmaking_redis_tag: REDIS_TAG.to_owned(),
            matchmaking_durability: Durability::Local,
            matchmaking_queues_file: None,
            matchmaking_clubs_file: None,
            matchmaking_card_prices: limits.card_prices,
            matchmaking_club_rooms_interval_ms: timing.club_rooms_ms,
            matchmaking_max_waiting: limits.waiting,
            matchmaking_party_size: limits.party_size,
            matchmaking_party_invite_ttl_ms: timing.party_invite_ms,
            matchmaking_party_absence_ms: timing.party_absence_ms,
            matchmaking_code_attempts: limits.codes.attempts,
            matchmaking_code_window_ms: limits.codes.window_ms,
            matchmaking_match_interval_ms: timing.match_interval_ms,
            matchmaking_lease_ttl_ms: timing.lease_ms,
        }
    }
}

impl Config {
    /// Opens the store.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`] when Redis does not answer or the file of clubs cannot be
    /// opened; [`Error::Serve`] when Redis is wanted and has no URL or no tag.
    pub async fn store(&self, shutdown: &Shutdown) -> Result<Arc<dyn Store>, Error> {
        match (self.matchmaking_store, &self.matchmaking_redis_url) {
            (StoreKind::Embedded, _) => Ok(Arc::new(match &self.matchmaking_clubs_file {
                Some(path) => EmbeddedStore::with_clubs_in(path)?,
                None => EmbeddedStore::in_memory()?,
            })),
            (StoreKind::Redis, Some(urls)) => {
                let tag = &self.matchmaking_redis_tag;
                let durability = self.matchmaking_durability;
                Ok(Arc::new(RedisStore::connect(urls, tag, durability, shutdown).await?))
            }
            (StoreKind::Redis, None) => Err(Error::Serve("PARLOR_REDIS_URL is not set".to_owned())),
        }
    }

    /// Whether what has kept the store from being opened may pass.
    #[must_use]
    pub fn may_pass(&self, error: &Error) -> bool {
        self.matchmaking_store == StoreKind::Redis && matches!(error, Error::StoreUnavailable(_))
    }

    /// Reads the queues.
    ///
    /// # Errors
    /// [`Error::Queues`].
    pub async fn queues(&self) -> Result<Queues, Error> {
        let Some(path) = &self.matchmaking_queues_file else { return Queues::built_in() };
        let text = tokio::fs::read_to_string(path).await;
        let text = text.map_err(|error| Error::Queues(format!("{}: {error}", path.display())))?;
        Queues::from_json(&text)
    }

    /// How much the service takes on.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            waiting: self.matchmaking_max_waiting,
            codes: AttemptLimit {
                attempts: self.matchmaking_code_attempts,
                window_ms: self.matchmaking_code_window_ms,
            },
            card_prices: self.matchmaking_card_prices.clone(),
            party_size: self.matchmaking_party_size,
        }
    }

    /// How long things may take.
    #[must_use]
    pub fn timing(&self) -> Timing {
        Timing {
            match_interval_ms: self.matchmaking_match_interval_ms,
            lease_ms: self.matchmaking_lease_ttl_ms,
            club_rooms_ms: self.matchmaking_club_rooms_interval_ms,
            party_invite_ms: self.matchmaking_party_invite_ttl_ms,
            party_absence_ms: self.matchmaking_party_absence_ms,
            ..Timing::default()
        }
    }
}
