//! What a client asks of a table.

use parlor_common::TableId;
use parlor_game::Viewer;
use parlor_game::shell::Phase;
use parlor_proto::gateway::v1 as gateway;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::table::v1 as table;
use parlor_proto::table::v1::command::Command as At;
use tokio::time::Instant;

use super::super::oracle::Posture;
use super::{Asked, Line, Over, Player};

/// Hands after which a player leaves the table, at most.
const HANDS: u64 = 6;

impl Player {
    pub(super) async fn act_at(
        &mut self,
        line: &mut Line,
        at: TableId,
        is_closing: bool,
    ) -> Result<(), Over> {
        let Some(position) = self.positions.get(&at).copied() else {
            return self.look_at(line, at).await;
        };
        if position.viewer == Viewer::Spectator {
            return self.stand_by(line, at, is_closing).await;
        }
        self.joining = None;
        let command = match self.world.oracle.posture(at, self.id) {
            Some(posture) if self.world.oracle.is_room(at) => {
                self.in_a_room(at, posture, is_closing)
            }
            _ => self.at_a_table(at, is_closing),
        };
        let Some(command) = command else { return Ok(()) };
        self.tell(line, at, command).await
    }

    async fn tell(&mut self, line: &mut Line, at: TableId, command: At) -> Result<(), Over> {
        let command = Some(table::Command { command: Some(command) });
        let command = gateway::TableCommand { table_id: at.to_string(), command };
        self.ask(line, Some(at), Command::Table(command)).await
    }

    /// Stands at a table without a seat there: it was given up or never taken in time, or it is a
    /// room in which the player has yet to sit down.
    async fn stand_by(
        &mut self,
        line: &mut Line,
        at: TableId,
        is_closing: bool,
    ) -> Result<(), Over> {
        let is_asking = self.asked.values().any(|asked| asked.table == Some(at));
        if is_asking {
            // The seat may still come.
            return Ok(());
        }
        if let Some(joining) = self.joining.filter(|joining| joining.table == at && !is_closing) {
            if joining.until > Instant::now() {
                return self.tell(line, at, At::Sit(table::Sit::default())).await;
            }
            self.joining = None;
        }
        let unwatch = gateway::Unwatch { table_id: at.to_string() };
        self.ask(line, None, Command::Unwatch(unwatch)).await?;
        self.forget(at);
        self.unwatched.insert(at);
        Ok(())
    }

    /// What a player says in a private room.
    fn in_a_room(&self, at: TableId, posture: Posture, is_closing: bool) -> Option<At> {
        let fate = &self.world.fate;
        if posture.is_asked && fate.happens(600) {
            return Some(At::VoteDissolve(table::VoteDissolve { agree: fate.happens(800) }));
        }
        if fate.happens(10) {
            return Some(At::ProposeDissolve(table::ProposeDissolve {}));
        }
        if is_closing {
            return self.at_a_table(at, is_closing);
        }
        match posture.phase {
            Phase::MatchOver if posture.is_host && fate.happens(300) => {
                Some(At::Rematch(table::Rematch {}))
            }
            Phase::MatchOver => fate.happens(60).then_some(At::StandUp(table::StandUp {})),
            Phase::Waiting if !posture.is_ready => {
                fate.happens(600).then_some(At::Ready(table::Ready { ready: true }))
            }
            Phase::Waiting if posture.is_host && posture.has_free_seat => {
                fate.happens(150).then_some(At::AddBot(table::AddBot::default()))
            }
            Phase::Waiting => match posture.bot.filter(|_| posture.is_host && fate.happens(10)) {
                Some(bot) => Some(At::Kick(table::Kick { seat: bot.0.into() })),
                None => fate.happens(30).then_some(At::StandUp(table::StandUp {})),
            },
            Phase::InHand => self.at_a_table(at, is_closing),
            Phase::Closed => None,
        }
    }

    /// What a player says at any table.
    fn at_a_table(&self, at: TableId, is_closing: bool) -> Option<At> {
        let fate = &self.world.fate;
        let wants_to_leave = is_closing || self.hands >= fate.between(1, HANDS);
        let number = u32::try_from(fate.between(1, 32)).unwrap_or(1);
        match fate.between(0, 99) {
            0..=29 if wants_to_leave => Some(At::StandUp(table::StandUp {})),
            0..=7 => Some(At::QuickChat(table::QuickChat { sentence: number })),
            8..=12 => Some(At::Emote(table::Emote { emote: number })),
            13..=14 => Some(At::AutoPlay(table::AutoPlay { enabled: fate.happens(500) })),
            15 => Some(At::StandUp(table::StandUp {})),
            16..=17 => Some(At::Ready(table::Ready { ready: true })),
            _ => self.world.oracle.choose(at, self.id).map(At::Play),
        }
    }

    /// Asks to see a table of which the session knows nothing: the seat was promised, and the pod
    /// of the table was away when the session began.
    async fn look_at(&mut self, line: &mut Line, at: TableId) -> Result<(), Over> {
        let is_asked = |asked: &Asked| matches!(asked.command, Command::Watch(_));
        if self.asked.values().any(is_asked) {
            return Ok(());
        }
        let watch = gateway::Watch { table_id: at.to_string() };
        self.ask(line, None, Command::Watch(watch)).await
    }
}
