//! Private rooms, joined by a code of six digits.
//!
//! The tables know their codes; what is kept here is a register that answers faster and holds a
//! code while its table is created. A code that the register does not know is looked for at the
//! tables, so codes survive a restart of matchmaking. Joining reserves nothing: it tells which
//! table the code stands for, and the client then sits down there.

use uuid::Uuid;

use parlor_common::{PlayerId, TableId};
use parlor_proto::table::v1::TableSettings;

use crate::club::ClubId;
use crate::club_rooms::Plan;
use crate::error::Error;
use crate::ids::RequestId;
use crate::room::RoomCode;
use crate::service::Matchmaking;
use crate::settings;
use crate::store::{NewRoom, Opened, Room};
use crate::tables::{CreateError, CreatedTable, NewTable, Seats};
use crate::ticket::Member;

/// Codes that are drawn for one room. Even with half of all codes in use, sixteen draws fail once
/// in 65,536 times.
const MAX_CODES_DRAWN: usize = 16;

impl Matchmaking {
    /// Creates a room with the host in it, of a club if one is named. The same request of the same
    /// host gives the same room.
    ///
    /// # Errors
    /// [`Error::BadRoomSettings`], [`Error::ClubNotFound`], [`Error::NotEnoughCards`],
    /// [`Error::TooManyClubRooms`], [`Error::AlreadyQueued`], [`Error::AlreadySeated`],
    /// [`Error::RoomBeingCreated`], [`Error::NoFreeCode`]; what the table service refuses passes
    /// through.
    pub async fn create_room(
        &self,
        request: RequestId,
        host: Member,
        settings: TableSettings,
        club: Option<ClubId>,
    ) -> Result<Room, Error> {
        // The code is chosen here, whatever was sent.
        let mut settings = TableSettings { room_code: String::new(), ..settings };
        settings::check(&settings)?;
        let plan = match club {
            Some(club) => Some(self.plan_club_room(club, host.player, &mut settings).await?),
            None => None,
        };
        let room = match self.hold_code(&request, host.player).await? {
            Held::Code(room) => room,
            Held::Made(room) => return Ok(room),
        };
        let made = self.make_room(&room, host, settings, plan).await;
        if let Err(Unmade::ForSure(_)) = &made {
            if let Some(plan) = plan {
                self.club_room_unmade(plan, &table_request_id(&room)).await?;
            }
            self.store.abandon_room(&room).await?;
        }
        let made = made.map_err(|(Unmade::ForSure(error) | Unmade::Perhaps(error))| error)?;
        self.metrics.rooms("created");
        Ok(made)
    }

    /// Holds a code that no table has.
    async fn hold_code(&self, request: &RequestId, host: PlayerId) -> Result<Held, Error> {
        for _ in 0..MAX_CODES_DRAWN {
            let now_ms = self.clock.now_ms();
            let room = NewRoom {
                code: RoomCode::random()?,
                host,
                request: request.clone(),
                until_ms: now_ms.saturating_add(i64::from(self.timing.room_pending_ms)),
            };
            match self.store.open_room(&room, now_ms).await? {
                Opened::Repeated(room) => return Ok(Held::Made(room)),
                Opened::Pending => return Err(Error::RoomBeingCreated),
                Opened::CodeTaken => {}
                // The register may have forgotten a table's code. That a pod which does not answer
                // has this very one is less likely than one in a million for each of its rooms.
                Opened::Done => match self.tables.with_code(room.code).await {
                    Ok(None) | Err(_) => return Ok(Held::Code(room)),
                    Ok(Some(_)) => self.store.abandon_room(&room).await?,
                },
            }
        }
        Err(Error::NoFreeCode)
    }

    async fn make_room(
        &self,
        room: &NewRoom,
        host: Member,
        settings: TableSettings,
        plan: Option<Plan>,
    ) -> Result<Room, Unmade> {
        let player = host.player;
        if self.live_ticket(player).await.map_err(Unmade::ForSure)?.is_some() {
            return Err(Unmade::ForSure(Error::AlreadyQueued(player)));
        }
        let members = [host];
        self.all_free(&members).await.map_err(Unmade::ForSure)?;
        let request_id = table_request_id(room);
        if let (Some(plan), [host]) = (plan, &members) {
            let aside = self.set_cards_aside(plan, room, &request_id, host, &settings).await;
            aside.map_err(Unmade::ForSure)?;
        }
        let table = NewTable {
            request_id: request_id.clone(),
            settings: TableSettings { room_code: room.code.to_string(), ..settings },
            players: members.to_vec(),
            host: Some(player),
        };
        let created = match self.tables.create(table).await {
            Ok(created) => created,
            Err(CreateError::Refused(failure)) => {
                return Err(Unmade::ForSure(Error::Peer(failure)));
            }
            Err(CreateError::Unknown(failure)) => {
                self.look_for(room, player).await.ok_or(Unmade::Perhaps(Error::Peer(failure)))?
            }
        };
        self.presence.forget([&player]);
        if let Some(plan) = plan {
            let made = self.club_room_made(plan, &request_id, created.table).await;
            made.map_err(Unmade::Perhaps)?;
        }
        self.bind(room, &created).await.map_err(Unmade::Perhaps)
    }

    /// Looks for a table whose creation was not answered.
    async fn look_for(&self, room: &NewRoom, host: PlayerId) -> Option<CreatedTable> {
        let table = self.tables.with_code(room.code).await.ok().flatten()?;
        let seat = self.tables.seats(table).await.ok().flatten()?.of(host)?;
        Some(CreatedTable { table, seats: vec![seat] })
    }

    async fn bind(&self, room: &NewRoom, created: &CreatedTable) -> Result<Room, Error> {
        let seat = created.seats.first().copied().unwrap_or(0);
        let until_ms = self.code_until_ms();
        if !self.store.bind_room(room, created.table, seat, until_ms).await? {
            // It took longer than the code was held. The table has it, and is found by it.
            tracing::warn!(table = %created.table, "a room's code was let go too early");
        }
        Ok(Room { code: room.code, table: created.table, seat })
    }

    /// The table of a room that the player may sit down at.
    ///
    /// # Errors
    /// [`Error::TooManyCodes`], [`Error::RoomNotFound`], [`Error::RoomFull`],
    /// [`Error::NotAMember`], [`Error::AlreadyQueued`], [`Error::AlreadySeated`]; the tables may be
    /// away.
    pub async fn join_room(&self, player: &Member, code: RoomCode) -> Result<TableId, Error> {
        self.count_attempt(player.player).await?;
        let Some((table, seats)) = self.open_table(code).await? else {
            self.metrics.rooms("wrong_code");
            return Err(Error::RoomNotFound);
        };
        if self.live_ticket(player.player).await?.is_some() {
            return Err(Error::AlreadyQueued(player.player));
        }
        if seats.of(player.player).is_none() {
            self.check_club_of(table, player.player).await?;
            self.all_free(std::slice::from_ref(player)).await?;
            if seats.free == 0 {
                return Err(Error::RoomFull);
            }
        }
        self.metrics.rooms("joined");
        Ok(table)
    }

    /// The unfinished table of a code.
    async fn open_table(&self, code: RoomCode) -> Result<Option<(TableId, Seats)>, Error> {
        if let Some(table) = self.store.room(code, self.clock.now_ms()).await? {
            if let Some(seats) = self.tables.seats(table).await? {
                return Ok(Some((table, seats)));
            }
            self.store.close_room(code, table).await?;
        }
        let Some(table) = self.tables.with_code(code).await? else { return Ok(None) };
        let Some(seats) = self.tables.seats(table).await? else { return Ok(None) };
        let now_ms = self.clock.now_ms();
        self.store.learn_room(code, table, now_ms, self.code_until_ms()).await?;
        Ok(Some((table, seats)))
    }

    fn code_until_ms(&self) -> i64 {
        self.clock.now_ms().saturating_add(i64::from(self.timing.room_code_ms))
    }
}

enum Held {
    Code(NewRoom),
    Made(Room),
}

/// Why a room was not made, and whether its table may exist all the same.
enum Unmade {
    ForSure(Error),
    Perhaps(Error),
}

/// The same for every try of one request with one code.
fn table_request_id(room: &NewRoom) -> String {
    let name = format!("{}/{}", room.code, room.request.as_str());
    Uuid::new_v5(&Uuid::from_bytes(*room.host.as_bytes()), name.as_bytes()).to_string()
}
