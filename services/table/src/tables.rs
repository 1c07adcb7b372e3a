//! All tables that this process owns.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, RwLock};
use std::time::Duration;

use parlor_common::TableId;
use parlor_game::Game;
use parlor_game::entry::{Opening, decode};
use parlor_game::shell::{Input, Pacing, Player, Reservation};
use parlor_proto::table::v1 as pb;
use tokio::sync::mpsc;
use tracing::Instrument;

use crate::actor::{Actor, Ended, Handle, MAILBOX, Message, Setting};
use crate::core::Core;
use crate::daily::{self, DailySeeds};
use crate::error::Error;
use crate::games::with_game;
use crate::store::StoreError;
use crate::wire::envelope::{Enveloped, game_of};
use crate::wire::settings::{reservations_from, settings_from};

/// Longest id of a request.
pub const REQUEST_ID_MAX: usize = 64;
/// The namespace in which a table's id is derived from the request that opens it, so that a
/// repeated request finds the same table.
const NAMESPACE: [u8; 16] = *b"parlor/table/v1\0";
/// First pause before a table that could not be written is read again; doubled each time.
const RECOVERY_FIRST: Duration = Duration::from_millis(100);
/// Longest such pause.
const RECOVERY_MAX: Duration = Duration::from_secs(10);

/// A table as this process has it.
#[derive(Clone, Debug)]
enum Entry {
    /// Its actor runs.
    Running(Handle),
    /// Its log cannot be read; an operator has to look.
    Unreadable,
}

/// The tables of this process; cheap to clone.
#[derive(Clone, Debug)]
pub struct Tables {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    setting: Setting,
    pacing: Pacing,
    limit: usize,
    /// Every table of the store is taken up: one that is not known now does not exist.
    recovered: AtomicBool,
    tables: RwLock<HashMap<TableId, Entry>>,
}

impl Tables {
    /// No tables yet.
    #[must_use]
    pub fn new(setting: Setting, pacing: Pacing, limit: usize) -> Self {
        let tables = RwLock::new(HashMap::new());
        let recovered = AtomicBool::new(false);
        Self { inner: Arc::new(Inner { setting, pacing, limit, recovered, tables }) }
    }

    /// Takes up every table of the store. A table that cannot be read is left alone, and answers
    /// so.
    ///
    /// # Errors
    /// When the store cannot be read at all.
    pub async fn recover(&self) -> Result<usize, Error> {
        let tables = self.inner.setting.store.tables().await?;
        for table in &tables {
            if let Err(error) = self.take_up(*table).await {
                tracing::error!(%table, %error, "table {table} cannot be taken up: {error}");
                self.insert(*table, Entry::Unreadable);
            }
        }
        self.inner.recovered.store(true, Ordering::Release);
        Ok(tables.len())
    }

    /// Whether every table of the store is taken up.
    ///
    /// # Errors
    /// [`Error::Starting`] until then.
    pub fn check_recovered(&self) -> Result<(), Error> {
        let recovered = self.inner.recovered.load(Ordering::Acquire);
        if recovered { Ok(()) } else { Err(Error::Starting) }
    }

    async fn take_up(&self, table: TableId) -> Result<(), Error> {
        let stored = self.inner.setting.store.load(table).await?;
        let game = decode::<Opening>(&stored.opening)?.game;
        with_game!(&game, G => self.take_up_as::<G>(table).await, else Err(Error::Unreadable))
    }

    async fn take_up_as<G: Enveloped>(&self, table: TableId) -> Result<(), Error> {
        let actor = Actor::<G>::recover(table, self.inner.setting.clone()).await?;
        self.start(actor);
        Ok(())
    }

    /// Opens a table with its reservations, all or none. A repeated request finds the table that it
    /// opened before.
    ///
    /// # Errors
    /// When the request is malformed, the settings are refused, or the table cannot be kept.
    pub async fn create(
        &self,
        request: pb::CreateTableRequest,
    ) -> Result<pb::CreateTableResponse, Error> {
        if request.request_id.is_empty() || request.request_id.len() > REQUEST_ID_MAX {
            return Err(Error::Invalid("BAD_REQUEST_ID", "a request id has 1 to 64 characters"));
        }
        if self.inner.setting.shutdown.is_begun() {
            return Err(Error::Draining);
        }
        self.check_recovered()?;
        let missing = Error::Invalid("BAD_SETTINGS", "the settings are missing");
        let mut settings = request.settings.ok_or(missing)?;
        let missing = Error::Invalid("BAD_OPTIONS", "the game's options are missing");
        let options = settings.options.take().ok_or(missing)?;
        let reservations = reservations_from(&request.reservations)?;
        let id = request.request_id;
        let game = game_of(&options);
        let unknown = Error::Invalid("BAD_OPTIONS", "the game is missing or unknown");
        with_game!(game, G => {
            let settings = settings_from::<G>(settings, options, self.inner.pacing)?;
            if let Some(day) = G::shared_deal(&settings.options) {
                let setting = &self.inner.setting;
                daily::check(setting.daily.as_ref(), day, setting.clock.now_ms())?;
            }
            self.create_as::<G>(&id, settings, reservations).await
        }, else Err(unknown))
    }

    async fn create_as<G: Enveloped>(
        &self,
        request_id: &str,
        settings: parlor_game::shell::Settings<G::Options>,
        reservations: Vec<Reservation>,
    ) -> Result<pb::CreateTableResponse, Error> {
        let table = TableId::derived(&NAMESPACE, request_id);
        let players: Vec<Player> = reservations.iter().map(|one| one.player).collect();
        let setting = self.inner.setting.clone();
        let now_ms = setting.clock.now_ms();
        let (core, opening) = Core::<G>::open(table, settings, request_id, now_ms)
            .map_err(|refusal| refused::<G>(refusal))?;
        let input = Input::Reserve(reservations);
        core.check(&input, now_ms).map_err(|refusal| refused::<G>(refusal))?;
        if self.inner.read().len() >= self.inner.limit {
            return Err(Error::Full);
        }
        match setting.store.create(table, opening).await {
            Ok(()) => {
                let mut actor = Actor::new(core, 1, setting);
                actor.first(input).await?;
                let seats = actor.seats_of(&players);
                self.start(actor);
                Ok(created(table, &seats))
            }
            Err(StoreError::Exists) => {
                // The same request once more: what it asked for then is what it gets.
                let actor = Actor::<G>::recover(table, setting).await?;
                Ok(created(table, &actor.seats_of(&players)))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// The seeds of daily challenges.
    ///
    /// # Errors
    /// [`Error::DailyUnavailable`] when there are none.
    pub fn daily(&self) -> Result<&DailySeeds, Error> {
        self.inner.setting.daily.as_ref().ok_or(Error::DailyUnavailable)
    }

    /// The time of this process, in milliseconds since the Unix epoch.
    #[must_use]
    pub fn now_ms(&self) -> i64 {
        self.inner.setting.clock.now_ms()
    }

    /// The way to a table.
    ///
    /// # Errors
    /// When this process does not own it, or cannot read it.
    pub fn get(&self, table: TableId) -> Result<Handle, Error> {
        match self.inner.read().get(&table) {
            Some(Entry::Running(handle)) => Ok(handle.clone()),
            Some(Entry::Unreadable) => Err(Error::Unreadable),
            None => self.check_recovered().and(Err(Error::TableNotFound)),
        }
    }

    /// The tables whose actors run, by id.
    #[must_use]
    pub fn all(&self) -> Vec<Handle> {
        let running = |entry: &Entry| match entry {
            Entry::Running(handle) => Some(handle.clone()),
            Entry::Unreadable => None,
        };
        let mut handles: Vec<_> = self.inner.read().values().filter_map(running).collect();
        handles.sort_by_key(|handle| handle.table);
        handles
    }

    fn start<G: Enveloped>(&self, actor: Actor<G>) {
        let table = actor.table_id();
        let (mailbox, messages) = mpsc::channel(MAILBOX);
        let own = mailbox.downgrade();
        self.insert(table, Entry::Running(Handle { table, mailbox }));
        let tables = self.clone();
        // A table outlives the request that opened it, so its trace is its own.
        let span = tracing::info_span!(parent: None, "table", %table, game = G::ID);
        let keep = tables.keep(actor, messages, own).instrument(span);
        self.inner.setting.shutdown.spawn("table", keep);
    }

    /// Runs a table's actor, and reads the table again when its log could not be written.
    async fn keep<G: Enveloped>(
        self,
        actor: Actor<G>,
        mut messages: mpsc::Receiver<Message>,
        own: mpsc::WeakSender<Message>,
    ) {
        let table = actor.table_id();
        let mut running = Some(actor);
        let mut pause = RECOVERY_FIRST;
        while let Some(actor) = running.take() {
            match actor.run(&mut messages, &own).await {
                Ended::Closed | Ended::Stopped => break,
                Ended::Failed(Error::Store(StoreError::Fenced { epoch })) => {
                    tracing::info!(%table, epoch, "table {table} belongs to another owner now");
                    break;
                }
                Ended::Failed(error) => {
                    tracing::warn!(%table, %error, "table {table} is read again: {error}");
                }
            }
            while running.is_none() && !self.inner.setting.shutdown.is_begun() {
                tokio::time::sleep(pause).await;
                pause = (pause * 2).min(RECOVERY_MAX);
                match Actor::<G>::recover(table, self.inner.setting.clone()).await {
                    Ok(actor) => running = Some(actor),
                    Err(error @ (Error::Unreadable | Error::RulesVersion { .. })) => {
                        tracing::error!(%table, %error, "table {table} stands still: {error}");
                        self.insert(table, Entry::Unreadable);
                        return;
                    }
                    Err(error) => {
                        tracing::warn!(%table, %error, "table {table} cannot be read yet: {error}");
                    }
                }
            }
        }
        self.inner.write().remove(&table);
    }

    fn insert(&self, table: TableId, entry: Entry) {
        self.inner.write().insert(table, entry);
    }
}

impl Inner {
    fn read(&self) -> std::sync::RwLockReadGuard<'_, HashMap<TableId, Entry>> {
        // No code panics while it holds the lock; a poisoned map is whole all the same.
        self.tables.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, HashMap<TableId, Entry>> {
        self.tables.write().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

fn refused<G: Game>(refusal: parlor_game::Refusal) -> Error {
    let scope = if G::REASONS.contains(&refusal.reason) { G::ID } else { "TABLE" };
    Error::Refused(scope, refusal)
}

fn created(table: TableId, seats: &[Option<u8>]) -> pb::CreateTableResponse {
    pb::CreateTableResponse {
        table_id: table.to_string(),
        seats: seats.iter().map(|seat| seat.map_or(u32::MAX, u32::from)).collect(),
    }
}
