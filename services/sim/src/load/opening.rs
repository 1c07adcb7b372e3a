//! A table with its players, through a private room.

use futures_util::future::try_join_all;
use parlor_proto::gateway::v1::request::Command as Ask;
use parlor_proto::gateway::v1::{CreateRoom, JoinRoom, TableCommand, response};
use parlor_proto::table::v1 as pb;

use super::Error;
use super::policy::Game;
use super::session::Session;

/// What a table is opened with.
#[derive(Clone, Copy, Debug)]
pub struct Opening {
    /// The game.
    pub game: Game,
    /// Minor units that each player brings; 0: points.
    pub buy_in: i64,
    /// Seats that the host gives to bots.
    pub bots: u32,
}

impl Opening {
    fn settings(&self) -> pb::TableSettings {
        let chips = self.buy_in > 0;
        let mode = if chips { pb::StakeMode::Chips } else { pb::StakeMode::Points };
        pb::TableSettings {
            options: Some(self.game.options()),
            stake_mode: mode.into(),
            buy_in: self.buy_in,
            seats: self.game.seats(),
            bots_allowed: self.bots > 0,
            always_ready: true,
            ..pb::TableSettings::default()
        }
    }
}

/// The first session opens a room, the others join it and sit down, and the first one seats the
/// bots.
/// Gives the id of the table.
///
/// # Errors
/// The first refusal.
pub async fn open(sessions: &mut [Session], opening: &Opening) -> Result<String, Error> {
    let [host, guests @ ..] = sessions else {
        return Err(Error::Protocol("a table needs a player".to_owned()));
    };
    let create = CreateRoom { settings: Some(opening.settings()), ..CreateRoom::default() };
    let response::Result::Room(room) = host.ask(Ask::CreateRoom(create)).await? else {
        return Err(Error::Protocol("the room was answered with something else".to_owned()));
    };
    try_join_all(guests.iter_mut().map(|guest| sit_down(guest, &room.room_code))).await?;
    for _ in 0..opening.bots {
        let add = pb::command::Command::AddBot(pb::AddBot::default());
        host.ask(to_table(&room.table_id, add)).await?;
    }
    Ok(room.table_id)
}

fn to_table(table_id: &str, command: pb::command::Command) -> Ask {
    let command = Some(pb::Command { command: Some(command) });
    Ask::Table(TableCommand { table_id: table_id.to_owned(), command })
}

async fn sit_down(guest: &mut Session, room_code: &str) -> Result<(), Error> {
    let join = JoinRoom { room_code: room_code.to_owned() };
    let response::Result::Room(room) = guest.ask(Ask::JoinRoom(join)).await? else {
        return Err(Error::Protocol("joining was answered with something else".to_owned()));
    };
    let sit = pb::command::Command::Sit(pb::Sit::default());
    guest.ask(to_table(&room.table_id, sit)).await?;
    Ok(())
}
