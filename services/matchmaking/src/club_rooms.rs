//! Rooms of clubs: who gets in, what they cost, and when the cards are spent.
//!
//! Before the table of a club's room is created, its price is set aside. As in nanoserver it is
//! spent when the first hand begins; a room that ends before that costs nothing. The table service
//! knows nothing of clubs: one replica looks at the tables of open rooms every few seconds
//! ([`Matchmaking::look_after_rooms`]). A table that is gone before anybody saw a hand at it is
//! looked up in the history. Every step may be repeated, and two replicas that look at once do no
//! harm.

use futures_util::StreamExt;
use futures_util::stream;

use parlor_common::{PlayerId, TableId};
use parlor_proto::table::v1::TableSettings;

use crate::club::prices::match_length;
use crate::club::rules::Effect;
use crate::club::{ClubId, ClubRoom};
use crate::error::Error;
use crate::queue::game_of;
use crate::service::Matchmaking;
use crate::store::NewRoom;
use crate::ticket::Member;

/// Rooms that are looked at side by side.
const LOOKED_AT_ONCE: usize = 16;

/// A room without a table is left alone for so long: its creation may still be under way.
const CREATION_MS: i64 = 60_000;

/// A table that is not found for so long is gone; one that changes hands is found sooner.
const GONE_AFTER_MS: i64 = 20_000;

/// A club's room that is about to be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    pub club: ClubId,
    pub price: i64,
}

/// What is to be done about an open room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Verdict {
    Nothing,
    Bind(TableId),
    Missing(Option<i64>),
    Charge,
    Close,
    ChargeAndClose,
}

impl Matchmaking {
    /// What a room would cost the club. A match that costs cards ends with its last hand: a rematch
    /// is another match.
    pub(crate) async fn plan_club_room(
        &self,
        club: ClubId,
        host: PlayerId,
        settings: &mut TableSettings,
    ) -> Result<Plan, Error> {
        self.club_for(host, club).await?;
        let hands = match_length(settings);
        let price = self.limits.card_prices.of(hands);
        if price > 0 {
            settings.hands_limit = hands;
        }
        Ok(Plan { club, price })
    }

    /// Opens the room in the club and sets its price aside.
    pub(crate) async fn set_cards_aside(
        &self,
        plan: Plan,
        room: &NewRoom,
        key: &str,
        host: &Member,
        settings: &TableSettings,
    ) -> Result<(), Error> {
        let open = ClubRoom {
            key: key.to_owned(),
            code: room.code,
            table: None,
            host: host.clone(),
            game: game_of(settings).unwrap_or_default().to_owned(),
            price: plan.price,
            charged: false,
            created_ms: self.clock.now_ms(),
            missing_since_ms: None,
        };
        self.change_club(plan.club, |club| club.open_room(open.clone())).await.map(drop)
    }

    /// The room's table was created.
    pub(crate) async fn club_room_made(
        &self,
        plan: Plan,
        key: &str,
        table: TableId,
    ) -> Result<(), Error> {
        self.change_club(plan.club, |club| Ok(club.bind_room(key, table))).await.map(drop)
    }

    /// The room was certainly not created: what was set aside is free again.
    pub(crate) async fn club_room_unmade(&self, plan: Plan, key: &str) -> Result<(), Error> {
        self.change_club(plan.club, |club| Ok(club.close_room(key))).await.map(drop)
    }

    /// Makes sure that a player may sit down at a table, if it is a club's.
    pub(crate) async fn check_club_of(
        &self,
        table: TableId,
        player: PlayerId,
    ) -> Result<(), Error> {
        let Some(club) = self.store.club_of_table(table).await? else { return Ok(()) };
        match self.club_for(player, club).await {
            Err(Error::ClubNotFound) => Err(Error::NotAMember),
            Err(error) => Err(error),
            Ok(_) => Ok(()),
        }
    }

    /// Looks at the tables of all open rooms of clubs, and spends or frees cards accordingly.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`], [`Error::ClubBusy`]; what is left undone is done the next time.
    pub async fn look_after_rooms(&self) -> Result<(), Error> {
        for id in self.store.clubs_with_rooms().await? {
            let Some(stored) = self.store.club(id).await? else { continue };
            let rooms = stream::iter(stored.club.rooms);
            let judged = rooms.map(|room| async move {
                let verdict = self.judge(&room).await;
                (room.key, verdict)
            });
            let judged: Vec<(String, Verdict)> =
                judged.buffer_unordered(LOOKED_AT_ONCE).collect().await;
            for (key, verdict) in judged {
                self.carry_out(id, &key, verdict).await?;
            }
        }
        Ok(())
    }

    async fn judge(&self, room: &ClubRoom) -> Verdict {
        let now_ms = self.clock.now_ms();
        let Some(table) = room.table else {
            if now_ms.saturating_sub(room.created_ms) < CREATION_MS {
                return Verdict::Nothing;
            }
            return match self.tables.with_code(room.code).await {
                Ok(Some(table)) => self.bind_own(room, table).await,
                Ok(None) => Verdict::Close,
                Err(_) => Verdict::Nothing,
            };
        };
        match self.tables.seats(table).await {
            Err(_) => Verdict::Nothing,
            Ok(Some(seats)) if seats.hand_no > 0 && !room.charged => Verdict::Charge,
            Ok(Some(_)) if room.missing_since_ms.is_some() => Verdict::Missing(None),
            Ok(Some(_)) => Verdict::Nothing,
            Ok(None) => match room.missing_since_ms {
                None => Verdict::Missing(Some(now_ms)),
                Some(since_ms) if now_ms.saturating_sub(since_ms) < GONE_AFTER_MS => {
                    Verdict::Nothing
                }
                Some(_) if room.charged => Verdict::Close,
                Some(_) => match self.hands.first_hand_played(table).await {
                    Ok(true) => Verdict::ChargeAndClose,
                    Ok(false) => Verdict::Close,
                    Err(failure) => {
                        tracing::warn!(%failure, %table, "whether a room was played is not known");
                        Verdict::Nothing
                    }
                },
            },
        }
    }

    /// The code of a room that was never bound leads to a table: is it the room's?
    async fn bind_own(&self, room: &ClubRoom, table: TableId) -> Verdict {
        match self.tables.seats(table).await {
            Ok(Some(seats)) if seats.host == Some(room.host.player) => Verdict::Bind(table),
            // Somebody else's room has the code by now.
            Ok(_) => Verdict::Close,
            Err(_) => Verdict::Nothing,
        }
    }

    async fn carry_out(&self, id: ClubId, key: &str, verdict: Verdict) -> Result<(), Error> {
        let effect = match verdict {
            Verdict::Nothing => return Ok(()),
            Verdict::Charge => return self.charge_room(id, key).await,
            Verdict::Bind(table) => {
                self.change_club(id, |club| Ok(club.bind_room(key, table))).await
            }
            Verdict::Missing(since_ms) => {
                self.change_club(id, |club| Ok(club.miss_room(key, since_ms))).await
            }
            Verdict::Close => self.change_club(id, |club| Ok(club.close_room(key))).await,
            Verdict::ChargeAndClose => {
                self.charge_room(id, key).await?;
                self.change_club(id, |club| Ok(club.close_room(key))).await
            }
        };
        if matches!((verdict, effect?.0), (Verdict::Close, Effect::Changed)) {
            self.metrics.clubs("room_closed");
        }
        Ok(())
    }
}
