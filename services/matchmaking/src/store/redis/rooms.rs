//! Codes of rooms in Redis.

use async_trait::async_trait;
use parlor_common::{PlayerId, TableId};
use redis::{Script, ScriptInvocation};

use crate::error::Error;
use crate::room::RoomCode;
use crate::store::{Attempt, AttemptLimit, NewRoom, Opened, Room, RoomStore};

use super::{RedisStore, unexpected};

impl RedisStore {
    /// A script on the rooms' keys.
    fn on_rooms<'a>(&self, script: &'a Script) -> ScriptInvocation<'a> {
        let mut invocation = script.prepare_invoke();
        for key in &self.keys.rooms {
            invocation.key(key);
        }
        invocation
    }
}

/// Names a request; a player's id always has the same length.
fn request_of(room: &NewRoom) -> String {
    format!("{}/{}", room.host, room.request.as_str())
}

#[async_trait]
impl RoomStore for RedisStore {
    async fn open_room(&self, room: &NewRoom, now_ms: i64) -> Result<Opened, Error> {
        let mut script = self.on_rooms(&self.scripts.open_room);
        script.arg(room.code.to_string()).arg(request_of(room)).arg(room.until_ms).arg(now_ms);
        let (what, code, table, seat): (String, String, String, String) = self.run(&script).await?;
        Ok(match what.as_str() {
            "done" => Opened::Done,
            "pending" => Opened::Pending,
            "taken" => Opened::CodeTaken,
            "repeated" => Opened::Repeated(Room {
                code: code.parse()?,
                table: table.parse()?,
                seat: seat.parse().map_err(|_| unexpected(&seat))?,
            }),
            other => return Err(unexpected(other)),
        })
    }

    async fn bind_room(
        &self,
        room: &NewRoom,
        table: TableId,
        seat: u32,
        until_ms: i64,
    ) -> Result<bool, Error> {
        let mut script = self.on_rooms(&self.scripts.bind_room);
        script.arg(room.code.to_string()).arg(request_of(room));
        script.arg(table.to_string()).arg(seat).arg(until_ms);
        self.run(&script).await
    }

    async fn abandon_room(&self, room: &NewRoom) -> Result<(), Error> {
        let mut script = self.on_rooms(&self.scripts.abandon_room);
        script.arg(room.code.to_string()).arg(request_of(room));
        self.run::<i64>(&script).await.map(drop)
    }

    async fn learn_room(
        &self,
        code: RoomCode,
        table: TableId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<(), Error> {
        let mut script = self.on_rooms(&self.scripts.learn_room);
        script.arg(code.to_string()).arg(table.to_string()).arg(now_ms).arg(until_ms);
        self.run::<i64>(&script).await.map(drop)
    }

    async fn room(&self, code: RoomCode, now_ms: i64) -> Result<Option<TableId>, Error> {
        let mut script = self.on_rooms(&self.scripts.room);
        script.arg(code.to_string()).arg(now_ms);
        let table: String = self.run(&script).await?;
        if table.is_empty() { Ok(None) } else { Ok(Some(table.parse()?)) }
    }

    async fn close_room(&self, code: RoomCode, table: TableId) -> Result<(), Error> {
        let mut script = self.on_rooms(&self.scripts.close_room);
        script.arg(code.to_string()).arg(table.to_string());
        self.run::<i64>(&script).await.map(drop)
    }

    async fn attempt(
        &self,
        player: PlayerId,
        limit: AttemptLimit,
        now_ms: i64,
    ) -> Result<Attempt, Error> {
        let mut script = self.scripts.attempt.prepare_invoke();
        script.key(self.keys.attempts(player));
        script.arg(limit.attempts).arg(limit.window_ms).arg(now_ms);
        match self.run::<u64>(&script).await? {
            0 => Ok(Attempt::Allowed),
            retry_after_ms => Ok(Attempt::Wait { retry_after_ms }),
        }
    }
}
