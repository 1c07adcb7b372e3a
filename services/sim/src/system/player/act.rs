//! What a client asks for: sending and repeating, and what to do without a table.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parlor_common::TableId;
use parlor_proto::gateway::v1 as gateway;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use tokio::time::Instant;

use super::super::scene::Scene;
use super::{Asked, Line, Over, Player, REPEAT};

/// Unanswered requests of a player.
const ASKED: usize = 3;
/// A silent client pings.
const PING: Duration = Duration::from_secs(8);

impl Player {
    /// Does one of the things that a player does.
    pub(super) async fn act(&mut self, line: &mut Line) -> Result<(), Over> {
        let fate = Arc::clone(&self.world.fate);
        // Also when nothing else goes wrong, clients lose their connections now and then.
        if fate.strikes(6) || (fate.is_calm() && fate.happens(2)) {
            fate.note(format_args!("player {} loses the connection", self.number));
            return Err(Over::Lost);
        }
        let late: Vec<String> = self
            .asked
            .iter()
            .filter(|(_, asked)| asked.sent.elapsed() >= REPEAT || fate.strikes(20))
            .map(|(id, _)| id.clone())
            .collect();
        for id in late {
            self.repeat(line, &id).await?;
        }
        if line.sent.elapsed() > PING {
            self.send(line, Out::Ping(gateway::Ping { nonce: 1 })).await?;
        }
        if self.asked.len() >= ASKED {
            return Ok(());
        }
        let is_closing = self.world.is_closing.load(Ordering::Relaxed);
        match self.table {
            Some(at) => self.act_at(line, at, is_closing).await,
            None if is_closing => self.go_home(line).await,
            None if self.is_queued => self.wait(line).await,
            // Also a seat that was asked for may still come.
            None if !self.asked.is_empty() => Ok(()),
            None => self.look_for_a_game(line).await,
        }
    }

    /// Waits in the queue; now and then somebody does not want to any more.
    async fn wait(&mut self, line: &mut Line) -> Result<(), Over> {
        if self.asked.is_empty() && self.world.fate.happens(10) {
            self.is_queued = false;
            self.ask(line, None, Command::CancelTicket(gateway::CancelTicket {})).await?;
        }
        Ok(())
    }

    async fn look_for_a_game(&mut self, line: &mut Line) -> Result<(), Over> {
        let (fate, scene) = (&self.world.fate, self.world.scene);
        let command = if fate.happens(scene.rooms) {
            let room = self.world.some_room().filter(|_| fate.happens(700));
            match room {
                Some(room_code) => Command::JoinRoom(gateway::JoinRoom { room_code }),
                None => Command::CreateRoom(gateway::CreateRoom {
                    settings: Some(Scene::room(&self.world.queues)),
                    club_id: String::new(),
                }),
            }
        } else {
            let queue_id = format!("q{}", fate.between(0, scene.queues - 1));
            Command::Enqueue(gateway::Enqueue { queue_id })
        };
        self.ask(line, None, command).await
    }

    async fn go_home(&mut self, line: &mut Line) -> Result<(), Over> {
        if self.is_queued {
            if self.asked.is_empty() {
                self.ask(line, None, Command::CancelTicket(gateway::CancelTicket {})).await?;
                self.is_queued = false;
            }
            return Ok(());
        }
        if !self.asked.is_empty() {
            return Ok(());
        }
        if self.world.oracle.has_seat(self.id) {
            // A new session tells of it.
            return Err(Over::Lost);
        }
        if let Some(room_code) = self.old_room.take() {
            // The door of a room that is over must be closed.
            let join = gateway::JoinRoom { room_code };
            return self.ask(line, None, Command::JoinRoom(join)).await;
        }
        if self.is_awaited().await {
            // A match that was found for the player leads to a seat, or the ticket waits again.
            return Err(Over::Lost);
        }
        Err(Over::Done)
    }

    /// Whether matchmaking still has a ticket of the player.
    async fn is_awaited(&self) -> bool {
        !self.world.live_tickets(std::iter::once(&self.id)).await.is_empty()
    }

    pub(super) async fn ask(
        &mut self,
        line: &mut Line,
        table: Option<TableId>,
        command: Command,
    ) -> Result<(), Over> {
        self.requests += 1;
        let id = format!("{}-{}", self.number, self.requests);
        self.world.fate.note(format_args!("request {id}: {}", named(&command)));
        let asked_ms = self.world.fate.now_ms();
        self.asked.insert(id.clone(), Asked { command, table, asked_ms, sent: Instant::now() });
        self.repeat(line, &id).await
    }

    /// Sends a request, for the first time or again with the same id.
    pub(super) async fn repeat(&mut self, line: &mut Line, id: &str) -> Result<(), Over> {
        let Some(asked) = self.asked.get_mut(id) else { return Ok(()) };
        asked.sent = Instant::now();
        let command = Some(asked.command.clone());
        self.send(line, Out::Request(gateway::Request { id: id.to_owned(), command })).await
    }
}

/// What a request is about, in a word.
const fn named(command: &Command) -> &'static str {
    match command {
        Command::Enqueue(_) => "queue",
        Command::CancelTicket(_) => "cancel",
        Command::AnswerReadyCheck(_) => "ready check",
        Command::CreateRoom(_) => "make a room",
        Command::JoinRoom(_) => "join a room",
        Command::Watch(_) => "watch",
        Command::Unwatch(_) => "leave",
        _ => "act",
    }
}
