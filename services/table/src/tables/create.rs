//! Opens tables.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::TableId;
use parlor_echo::Echo;
use parlor_game::Game;
use parlor_game::shell::{Input, Player, Reservation};
use parlor_proto::table::v1 as pb;
use tokio::time::timeout;

use super::{REQUEST_ID_MAX, Tables};
use crate::actor::Actor;
use crate::core::Core;
use crate::daily;
use crate::error::Error;
use crate::games::with_game;
use crate::store::{Creation, StoreError};
use crate::wire::envelope::{Enveloped, game_of};
use crate::wire::settings::{reservations_from, settings_from};

/// The namespace in which a table's id is derived from the request that opens it, so that a
/// repeated request finds the same table.
const NAMESPACE: [u8; 16] = *b"parlor/table/v1\0";
/// The epoch of a new table.
const FIRST_EPOCH: u64 = 1;
/// Longest wait for the store to keep a new table: whoever has asked for it waits no longer, and
/// must not meet a table that comes after it has looked whether there is one.
const KEEP: Duration = Duration::from_millis(1_500);

impl Tables {
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
        self.check_open()?;
        self.check_recovered()?;
        let missing = Error::Invalid("BAD_SETTINGS", "the settings are missing");
        let mut settings = request.settings.ok_or(missing)?;
        let missing = Error::Invalid("BAD_OPTIONS", "the game's options are missing");
        let mut options = settings.options.take().ok_or(missing)?;
        daily::fill_in(&mut options, self.now_ms());
        let reservations = reservations_from(&request.reservations)?;
        let id = request.request_id;
        let game = match game_of(&options) {
            Echo::ID if !self.inner.bounds.echo => "",
            game => game,
        };
        let unknown = Error::Invalid("BAD_OPTIONS", "the game is missing or unknown");
        with_game!(game, G => {
            let settings = settings_from::<G>(settings, options, self.inner.pacing)?;
            if let Some(day) = G::shared_deal(&settings.options) {
                daily::check(self.inner.setting.daily.as_ref(), day, self.now_ms())?;
            }
            self.create_as::<G>(&id, settings, reservations).await
        }, else Err(unknown))
    }

    /// Whether tables are being created, which are to be handed over as the others.
    #[must_use]
    pub fn is_opening(&self) -> bool {
        Arc::strong_count(&self.inner.openings) > 1
    }

    /// Whether this process takes tables.
    pub(super) fn check_open(&self) -> Result<(), Error> {
        let draining = self.inner.cluster.as_ref().is_some_and(|cluster| cluster.is_draining());
        if draining || self.inner.setting.halt.is_cancelled() {
            return Err(Error::Draining);
        }
        Ok(())
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
        let mut actor = Actor::new(core, FIRST_EPOCH, 0, setting.clone());
        let entries = actor.first(&input).map_err(|refusal| refused::<G>(refusal))?;
        if self.count() >= self.inner.bounds.tables {
            return Err(Error::Full);
        }
        let creation = Creation { table, owner: setting.pod, opening, entries };
        let (tables, opening) = (self.clone(), Arc::clone(&self.inner.openings));
        self.outlive("table-create", async move {
            let _opening = opening;
            let late = |_| Err(StoreError::Unavailable("no answer in time".into()));
            let kept = timeout(KEEP, setting.store.create(creation)).await.unwrap_or_else(late);
            match kept {
                Ok(_durable) => {
                    let seats = actor.seats_of(&players);
                    tables.start(table, FIRST_EPOCH, Some(Box::new(actor)));
                    Ok(created(table, &seats))
                }
                // The same request once more: what it asked for then is what it gets.
                Err(StoreError::Exists) => tables.created_before::<G>(table, &players).await,
                Err(error) => {
                    if matches!(error, StoreError::Unavailable(_)) {
                        tables.look_for(table);
                    }
                    Err(error.into())
                }
            }
        })
        .await
    }

    async fn created_before<G: Enveloped>(
        &self,
        table: TableId,
        players: &[Player],
    ) -> Result<pb::CreateTableResponse, Error> {
        let setting = self.inner.setting.clone();
        let stored = match setting.store.load(table).await {
            // It has closed meanwhile, and nobody sits there any more.
            Err(StoreError::Missing) => return Ok(created(table, &vec![None; players.len()])),
            stored => stored?,
        };
        let pod = setting.pod;
        let actor = Actor::<G>::restore(&stored, setting)?;
        let seats = actor.seats_of(players);
        if stored.owner == pod && !self.has(table) {
            // Its creation was not answered to us, or we have failed to start it.
            self.start(table, stored.epoch, Some(Box::new(actor)));
        }
        Ok(created(table, &seats))
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
