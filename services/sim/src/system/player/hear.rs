//! What a client is told.

use std::time::Duration;

use parlor_common::TableId;
use parlor_game::{Seat, Viewer};
use parlor_proto::gateway::v1 as gateway;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Answer;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::matchmaking::v1::TicketUpdate;
use parlor_proto::matchmaking::v1::ticket_update::Update as Progress;
use parlor_proto::table::v1 as table;
use parlor_proto::table::v1::command::Command as At;
use tokio::time::Instant;

use super::super::oracle::Invariant;
use super::{Asked, Joining, Line, Over, Player, Position, REPEAT};

/// So long a client waits for its seat to appear once it was let into a room, or was given it.
const SEATING: Duration = Duration::from_secs(4);

impl Player {
    pub(super) async fn hear(
        &mut self,
        line: &mut Line,
        frame: gateway::ServerFrame,
    ) -> Result<(), Over> {
        match frame.frame {
            Some(In::Welcome(welcome)) => {
                line.is_welcome = true;
                self.welcomed(line);
                self.is_queued = !welcome.ticket_id.is_empty();
                if let Ok(table) = welcome.table_id.parse() {
                    self.table = Some(table);
                }
                for id in self.asked.keys().cloned().collect::<Vec<_>>() {
                    self.repeat(line, &id).await?;
                }
            }
            Some(In::Response(response)) => return self.answered(response),
            Some(In::Update(update)) => self.update(&update),
            Some(In::Resync(resync)) => self.resync(&resync),
            Some(In::Ticket(ticket)) => return self.ticket(line, ticket).await,
            Some(In::TableLeft(left)) => {
                if let Ok(table) = left.table_id.parse::<TableId>() {
                    self.forget(table);
                }
            }
            Some(In::GoAway(away)) => {
                if away.reason == "replaced" {
                    self.replaced(line);
                }
                return Err(Over::Lost);
            }
            Some(In::Error(_)) => return Err(Over::Lost),
            // Nobody is in a party here.
            Some(In::Pong(_) | In::Party(_)) | None => {}
        }
        Ok(())
    }

    fn welcomed(&mut self, line: &Line) {
        let name = line.life.name();
        if !self.gateway.is_empty() {
            self.world.oracle.resumed(self.gateway != name);
        }
        name.clone_into(&mut self.gateway);
    }

    async fn ticket(&mut self, line: &mut Line, ticket: TicketUpdate) -> Result<(), Over> {
        match ticket.update {
            Some(Progress::Matched(matched)) => {
                self.is_queued = false;
                self.hands = 0;
                self.table = matched.table_id.parse().ok();
            }
            Some(Progress::Closed(_)) => self.is_queued = false,
            Some(Progress::ReadyCheck(check)) if !check.self_ready => {
                // Most are ready, some are not, and some do not hear the question.
                let ready = match self.world.fate.between(0, 9) {
                    0 => return Ok(()),
                    1 => false,
                    _ => true,
                };
                let answer = gateway::AnswerReadyCheck { ready };
                return self.ask(line, None, Command::AnswerReadyCheck(answer)).await;
            }
            Some(Progress::Waiting(_) | Progress::ReadyCheck(_)) | None => {}
        }
        Ok(())
    }

    pub(super) fn forget(&mut self, table: TableId) {
        self.positions.remove(&table);
        if self.table == Some(table) {
            self.table = None;
        }
        if self.joining.is_some_and(|joining| joining.table == table) {
            self.joining = None;
        }
    }

    fn answered(&mut self, response: gateway::Response) -> Result<(), Over> {
        let Some(asked) = self.asked.remove(&response.id) else { return Ok(()) };
        if let Command::Unwatch(unwatch) = &asked.command
            && let Ok(table) = unwatch.table_id.parse()
        {
            self.unwatched.remove(&table);
        }
        match response.result {
            Some(Answer::Error(error)) if error.retryable => {
                // The same again, when it has had time to pass.
                let sent = Instant::now() - REPEAT + Duration::from_secs(1);
                self.asked.insert(response.id, Asked { sent, ..asked });
            }
            // Only a new session tells where the seat or the ticket is.
            Some(Answer::Error(error)) if error.reason.starts_with("ALREADY_") => {
                return Err(Over::Lost);
            }
            Some(Answer::Error(error))
                if error.reason == "TABLE_NOT_FOUND" && asked.table.is_some() =>
            {
                asked.table.into_iter().for_each(|table| self.forget(table));
            }
            Some(Answer::Error(_)) => self.refused(&asked),
            Some(Answer::Enqueued(_)) => self.is_queued = true,
            Some(Answer::Room(room)) => self.entered(&asked, room),
            Some(Answer::Done(_)) => {
                if let Some(table) = asked.table {
                    self.world.oracle.acknowledged(self.id, table, &response.id);
                }
                if sits(&asked.command)
                    && let Some(joining) = &mut self.joining
                {
                    joining.until = Instant::now() + SEATING;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn refused(&mut self, asked: &Asked) {
        if let Command::Watch(watch) = &asked.command
            && let Ok(table) = watch.table_id.parse()
        {
            self.forget(table);
        }
        if sits(&asked.command) {
            self.joining = None;
        }
    }

    /// The player has made a room, or was let into one.
    fn entered(&mut self, asked: &Asked, room: gateway::RoomJoined) {
        let Ok(table) = room.table_id.parse::<TableId>() else {
            return self.world.oracle.accuse(Invariant::RoomFound, "a room has no table");
        };
        self.world.oracle.led(&room.room_code, table, asked.asked_ms);
        self.hands = 0;
        self.table = Some(table);
        self.old_room = Some(room.room_code.clone());
        if matches!(asked.command, Command::CreateRoom(_)) {
            self.world.announce(room.room_code, table);
        }
        // The host's seat is waiting; a guest has to sit down.
        self.joining = Some(Joining { table, until: Instant::now() + SEATING });
    }

    fn resync(&mut self, resync: &table::TableResync) {
        let (Ok(at), Some(view)) = (resync.table_id.parse::<TableId>(), &resync.view) else {
            return self.world.oracle.accuse(Invariant::NoGap, "a resync has no view");
        };
        let viewer = match view.own_seat {
            Some(seat) => {
                let mine = view.seats.iter().find(|one| one.seat == seat);
                if mine.is_none_or(|mine| mine.player_id != self.id.to_string()) {
                    let how = format!("{} is shown seat {seat} of another", self.id);
                    self.world.oracle.accuse(Invariant::NoLeak, how);
                }
                Viewer::Seat(Seat(u8::try_from(seat).unwrap_or(u8::MAX)))
            }
            None => Viewer::Spectator,
        };
        let number = self.number;
        self.world.fate.note(format_args!("player {number} resyncs {at} at {}", resync.seq));
        self.unwatched.remove(&at);
        self.positions.insert(at, Position { seq: resync.seq, viewer });
        self.world.oracle.told(at, viewer, resync.seq, None, Some(view));
    }

    fn update(&mut self, update: &table::TableUpdate) {
        use table::table_event::Event;
        let Ok(at) = update.table_id.parse::<TableId>() else {
            return self.world.oracle.accuse(Invariant::NoGap, "an update has no table");
        };
        let number = self.number;
        self.world.fate.note(format_args!("player {number} hears {} of {at}", update.seq));
        let position = match self.positions.get_mut(&at) {
            Some(position) if position.seq + 1 == update.seq => position,
            None if self.unwatched.contains(&at) => return,
            position => {
                let had = position.map(|position| position.seq);
                let how = format!("player {number} had {had:?} of {at} and got {}", update.seq);
                return self.world.oracle.accuse(Invariant::NoGap, how);
            }
        };
        position.seq = update.seq;
        let viewer = position.viewer;
        let events = update.events.iter().filter_map(|event| event.event.as_ref());
        let mut moves = Vec::new();
        for event in events {
            match event {
                Event::Play(event) => moves.push(event.clone()),
                Event::HandEnded(_) => self.hands += 1,
                _ => {}
            }
        }
        self.world.oracle.told(at, viewer, update.seq, Some(&moves), update.view.as_ref());
    }
}

/// Whether a request takes a seat.
const fn sits(command: &Command) -> bool {
    let Command::Table(gateway::TableCommand { command: Some(command), .. }) = command else {
        return false;
    };
    matches!(command.command, Some(At::Sit(_)))
}
