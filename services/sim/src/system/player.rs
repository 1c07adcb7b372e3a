//! A simulated client: what a good client does, with a bad connection.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parlor_common::{PlayerId, TableId};
use parlor_game::{Seat, Viewer};
use parlor_gateway::auth::token::Identity;
use parlor_gateway::session::{self, Connection, INBOUND_QUEUE, Inbound, Outbox};
use parlor_proto::gateway::v1 as gateway;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::matchmaking::v1::ticket_update::Update as Progress;
use parlor_proto::table::v1 as table;
use prost::Message;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::life::Life;
use super::oracle::Invariant;
use super::world::{ADDRESS, Role, World};

/// Unanswered requests of a player.
const ASKED: usize = 3;
/// A request without an answer is repeated after so long.
const REPEAT: Duration = Duration::from_secs(12);
/// A silent client pings.
const PING: Duration = Duration::from_secs(8);
/// Hands after which a player leaves the table, at most.
const HANDS: u64 = 6;

/// What a client knows of a table.
#[derive(Clone, Copy, Debug)]
struct Position {
    seq: u64,
    viewer: Viewer,
}

struct Asked {
    command: Command,
    table: Option<TableId>,
    sent: Instant,
}

/// Why a connection is given up.
enum Over {
    /// It was lost, or the client wants another.
    Lost,
    /// The player has gone home.
    Done,
}

/// A client and its player.
pub struct Player {
    world: Arc<World>,
    id: PlayerId,
    identity: Identity,
    number: usize,
    requests: u64,
    /// Where the player sits, as far as the client knows.
    table: Option<TableId>,
    is_queued: bool,
    positions: BTreeMap<TableId, Position>,
    asked: BTreeMap<String, Asked>,
    hands: u64,
}

/// The client's end of a connection.
struct Line {
    life: Life,
    outbox: Arc<Outbox>,
    inbound: mpsc::Sender<Inbound>,
    sent: Instant,
}

impl Drop for Line {
    fn drop(&mut self) {
        self.outbox.abandon();
    }
}

impl Player {
    /// A client that has never been connected.
    pub fn new(world: Arc<World>, id: PlayerId, number: usize) -> Self {
        let identity = Identity { player: id, name: format!("Player {number}") };
        Self {
            world,
            id,
            identity,
            number,
            requests: 0,
            table: None,
            is_queued: false,
            positions: BTreeMap::new(),
            asked: BTreeMap::new(),
            hands: 0,
        }
    }

    /// Plays until the players go home and this one has nothing left to do.
    pub async fn live(mut self) {
        let start = self.world.fate.pause(0, 2_000);
        tokio::time::sleep(start).await;
        loop {
            if let Some(line) = self.connect().await
                && let Over::Done = self.converse(line).await
            {
                let number = self.number;
                self.world.fate.note(format_args!("player {number} is home"));
                return;
            }
            let pause = self.world.fate.pause(20, 1_500);
            tokio::time::sleep(pause).await;
        }
    }

    /// Connects to some gateway and says Hello.
    async fn connect(&mut self) -> Option<Line> {
        let alive = self.world.alive();
        let gateways: Vec<_> =
            alive.iter().filter(|process| process.role == Role::Gateway).collect();
        let process = gateways.get(self.world.fate.place(gateways.len()))?;
        let core = process.gateway.clone()?;
        let outbox = core.outbox();
        let (inbound, received) = mpsc::channel(INBOUND_QUEUE);
        let connection = Connection {
            inbound: received,
            inbox: inbound.downgrade(),
            outbox: Arc::clone(&outbox),
            address: ADDRESS,
            place: core.limits.session(ADDRESS).ok()?,
            transport: "simulated",
        };
        self.world.shutdown.spawn("session", session::run(core, connection));
        let life = process.life.clone();
        let mut line = Line { life, outbox, inbound, sent: Instant::now() };
        let (number, name) = (self.number, line.life.name().to_owned());
        self.world.fate.note(format_args!("player {number} connects to {name}"));
        let resume = self.positions.iter().map(|(table, position)| gateway::ResumePoint {
            table_id: table.to_string(),
            seq: position.seq,
        });
        let hello = gateway::Hello {
            access_token: self.world.tokens()?.access(&self.identity).ok()?.token,
            client: "simulated".into(),
            with_views: self.number.is_multiple_of(2),
            resume: resume.collect(),
            client_seed: vec![7; self.number].into(),
        };
        self.send(&mut line, Out::Hello(hello)).await.ok()?;
        Some(line)
    }

    async fn send(&self, line: &mut Line, frame: Out) -> Result<(), Over> {
        tokio::time::sleep(self.world.fate.journey()).await;
        if line.life.is_over() {
            return Err(Over::Lost);
        }
        line.sent = Instant::now();
        let frame = gateway::ClientFrame { frame: Some(frame) };
        line.inbound.send(Inbound::Frame(Box::new(frame))).await.map_err(|_| Over::Lost)
    }

    /// Listens and acts until the connection is lost.
    async fn converse(&mut self, mut line: Line) -> Over {
        let mut is_welcome = false;
        let mut think = Instant::now() + self.world.fate.pause(20, 400);
        loop {
            let (life, outbox) = (line.life.clone(), Arc::clone(&line.outbox));
            let outcome = tokio::select! {
                biased;
                () = life.ended() => Err(Over::Lost),
                frame = outbox.next() => match frame {
                    Ok(frame) => {
                        tokio::time::sleep(self.world.fate.journey()).await;
                        match gateway::ServerFrame::decode(frame.to_bytes()) {
                            Ok(frame) => self.hear(&mut line, &mut is_welcome, frame).await,
                            Err(_) => Err(Over::Lost),
                        }
                    }
                    Err(_) => Err(Over::Lost),
                },
                () = tokio::time::sleep_until(think) => {
                    think = Instant::now() + self.world.fate.pause(50, 500);
                    if is_welcome { self.act(&mut line).await } else { Ok(()) }
                }
            };
            if let Err(over) = outcome {
                return over;
            }
        }
    }

    async fn hear(
        &mut self,
        line: &mut Line,
        is_welcome: &mut bool,
        frame: gateway::ServerFrame,
    ) -> Result<(), Over> {
        match frame.frame {
            Some(In::Welcome(welcome)) => {
                *is_welcome = true;
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
            Some(In::Ticket(ticket)) => match ticket.update {
                Some(Progress::Matched(matched)) => {
                    self.is_queued = false;
                    self.hands = 0;
                    self.table = matched.table_id.parse().ok();
                }
                Some(Progress::Closed(_)) => self.is_queued = false,
                // The queue asks nobody whether they are ready.
                Some(Progress::Waiting(_) | Progress::ReadyCheck(_)) | None => {}
            },
            Some(In::TableLeft(left)) => {
                if let Ok(table) = left.table_id.parse::<TableId>() {
                    self.forget(table);
                }
            }
            Some(In::GoAway(_) | In::Error(_)) => return Err(Over::Lost),
            // Nobody is in a party here.
            Some(In::Pong(_) | In::Party(_)) | None => {}
        }
        Ok(())
    }

    fn forget(&mut self, table: TableId) {
        self.positions.remove(&table);
        if self.table == Some(table) {
            self.table = None;
        }
    }

    fn answered(&mut self, response: gateway::Response) -> Result<(), Over> {
        use gateway::response::Result as Answer;
        let Some(asked) = self.asked.remove(&response.id) else { return Ok(()) };
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
            Some(Answer::Error(_)) => {
                if let Command::Watch(watch) = asked.command
                    && let Ok(table) = watch.table_id.parse()
                {
                    self.forget(table);
                }
            }
            Some(Answer::Enqueued(_)) => self.is_queued = true,
            Some(Answer::Done(_)) => {
                if let Some(table) = asked.table {
                    self.world.oracle.acknowledged(self.id, table, &response.id);
                }
            }
            _ => {}
        }
        Ok(())
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

    /// Does one of the things that a player does.
    async fn act(&mut self, line: &mut Line) -> Result<(), Over> {
        let fate = Arc::clone(&self.world.fate);
        if fate.strikes(6) {
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
            None if self.is_queued => Ok(()),
            None if self.asked.values().any(|asked| asked.table.is_none()) => Ok(()),
            None => {
                let enqueue = gateway::Enqueue { queue_id: "q".into() };
                self.ask(line, None, Command::Enqueue(enqueue)).await
            }
        }
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
        Err(Over::Done)
    }

    async fn act_at(&mut self, line: &mut Line, at: TableId, is_closing: bool) -> Result<(), Over> {
        use table::command::Command as At;
        let Some(position) = self.positions.get(&at).copied() else {
            return self.look_at(line, at).await;
        };
        if position.viewer == Viewer::Spectator {
            // The seat was given up, or never taken in time.
            let unwatch = gateway::Unwatch { table_id: at.to_string() };
            self.ask(line, None, Command::Unwatch(unwatch)).await?;
            self.forget(at);
            return Ok(());
        }
        let fate = &self.world.fate;
        let wants_to_leave = is_closing || self.hands >= fate.between(1, HANDS);
        let number = u32::try_from(fate.between(1, 32)).unwrap_or(1);
        let command = match fate.between(0, 99) {
            0..=29 if wants_to_leave => Some(At::StandUp(table::StandUp {})),
            0..=7 => Some(At::QuickChat(table::QuickChat { sentence: number })),
            8..=12 => Some(At::Emote(table::Emote { emote: number })),
            13..=14 => Some(At::AutoPlay(table::AutoPlay { enabled: fate.happens(500) })),
            15 => Some(At::StandUp(table::StandUp {})),
            16..=17 => Some(At::Ready(table::Ready { ready: true })),
            _ => self.world.oracle.choose(at, self.id).map(At::Play),
        };
        let Some(command) = command else { return Ok(()) };
        let command = Some(table::Command { command: Some(command) });
        let command = gateway::TableCommand { table_id: at.to_string(), command };
        self.ask(line, Some(at), Command::Table(command)).await
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

    async fn ask(
        &mut self,
        line: &mut Line,
        table: Option<TableId>,
        command: Command,
    ) -> Result<(), Over> {
        self.requests += 1;
        let id = format!("{}-{}", self.number, self.requests);
        self.world.fate.note(format_args!("request {id}"));
        self.asked.insert(id.clone(), Asked { command, table, sent: Instant::now() });
        self.repeat(line, &id).await
    }

    /// Sends a request, for the first time or again with the same id.
    async fn repeat(&mut self, line: &mut Line, id: &str) -> Result<(), Over> {
        let Some(asked) = self.asked.get_mut(id) else { return Ok(()) };
        asked.sent = Instant::now();
        let command = Some(asked.command.clone());
        self.send(line, Out::Request(gateway::Request { id: id.to_owned(), command })).await
    }
}
