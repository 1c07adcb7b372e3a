//! A simulated client: what a good client does, with a bad connection.
//!
//! * [`hear`]: what it is told.
//! * [`act`]: what it asks for in the lobby; [`play`]: and at a table.
//! * [`ghost`]: a connection that it has given up without saying so.

mod act;
mod ghost;
mod hear;
mod play;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parlor_common::{PlayerId, TableId};
use parlor_game::Viewer;
use parlor_gateway::auth::token::Identity;
use parlor_gateway::session::{self, Connection, INBOUND_QUEUE, Inbound, Outbox};
use parlor_proto::gateway::v1 as gateway;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use parlor_proto::gateway::v1::request::Command;
use prost::Message;
use tokio::sync::mpsc;
use tokio::time::Instant;

use super::life::Life;
use super::mutation::Mutation;
use super::services::ADDRESS;
use super::world::{Role, World};

/// A request without an answer is repeated after so long.
const REPEAT: Duration = Duration::from_secs(12);

/// What a client knows of a table.
#[derive(Clone, Copy, Debug)]
struct Position {
    seq: u64,
    viewer: Viewer,
}

struct Asked {
    command: Command,
    table: Option<TableId>,
    /// When it was asked for first, in milliseconds since the run began.
    asked_ms: u64,
    /// When it was sent last.
    sent: Instant,
}

/// Why a connection is given up.
enum Over {
    /// It was lost, or the client wants another.
    Lost,
    /// The player has gone home.
    Done,
}

/// A room that the player was let into and has not sat down in yet.
#[derive(Clone, Copy, Debug)]
struct Joining {
    table: TableId,
    /// After that it is too late for the seat to appear.
    until: Instant,
}

/// A client and its player.
pub struct Player {
    world: Arc<World>,
    id: PlayerId,
    identity: Identity,
    number: usize,
    requests: u64,
    /// Connections so far.
    connections: u64,
    /// The gateway of the last session.
    gateway: String,
    /// Where the player sits, as far as the client knows.
    table: Option<TableId>,
    joining: Option<Joining>,
    /// A room that the player has left, by its code.
    old_room: Option<String>,
    is_queued: bool,
    positions: BTreeMap<TableId, Position>,
    /// Tables that the client has asked to be told of no more: updates may be under way still.
    unwatched: BTreeSet<TableId>,
    asked: BTreeMap<String, Asked>,
    hands: u64,
    is_home: Arc<AtomicBool>,
}

/// The client's end of a connection.
struct Line {
    life: Life,
    outbox: Arc<Outbox>,
    inbound: mpsc::Sender<Inbound>,
    sent: Instant,
    /// For how long nothing had gone wrong any more when it began.
    calm_for: Duration,
    is_welcome: bool,
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
            connections: 0,
            gateway: String::new(),
            table: None,
            joining: None,
            old_room: None,
            is_queued: false,
            positions: BTreeMap::new(),
            unwatched: BTreeSet::new(),
            asked: BTreeMap::new(),
            hands: 0,
            is_home: Arc::default(),
        }
    }

    /// Plays until the players go home and this one has nothing left to do.
    pub async fn live(mut self) {
        let start = self.world.fate.pause(0, 2_000);
        tokio::time::sleep(start).await;
        loop {
            if let Some(mut line) = self.connect().await {
                match self.converse(&mut line).await {
                    Over::Done => {
                        self.is_home.store(true, Ordering::Relaxed);
                        let number = self.number;
                        self.world.fate.note(format_args!("player {number} is home"));
                        return;
                    }
                    Over::Lost => self.give_up(line),
                }
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
        if core.leaving.is_cancelled() {
            // Its listener is closed.
            return None;
        }
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
        let (sent, calm_for) = (Instant::now(), self.world.fate.calm_for());
        let mut line = Line { life, outbox, inbound, sent, calm_for, is_welcome: false };
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
        self.connections += 1;
        Some(line)
    }

    async fn send(&self, line: &mut Line, frame: Out) -> Result<(), Over> {
        line.send(&self.world, frame).await
    }

    /// Listens and acts until the connection is lost.
    async fn converse(&mut self, line: &mut Line) -> Over {
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
                            Ok(frame) if self.is_lost(&frame) => Ok(()),
                            Ok(frame) => self.hear(line, frame).await,
                            Err(_) => Err(Over::Lost),
                        }
                    }
                    Err(_) => Err(Over::Lost),
                },
                () = tokio::time::sleep_until(think) => {
                    think = Instant::now() + self.world.fate.pause(50, 500);
                    if line.is_welcome { self.act(line).await } else { Ok(()) }
                }
            };
            if let Err(over) = outcome {
                return over;
            }
        }
    }

    /// [`Mutation::UpdateLost`].
    fn is_lost(&self, frame: &gateway::ServerFrame) -> bool {
        use gateway::server_frame::Frame;
        self.world.mutation == Some(Mutation::UpdateLost)
            && matches!(frame.frame, Some(Frame::Update(_)))
            && self.world.fate.strikes(20)
    }
}

impl Line {
    async fn send(&mut self, world: &World, frame: Out) -> Result<(), Over> {
        tokio::time::sleep(world.fate.journey()).await;
        if self.life.is_over() {
            return Err(Over::Lost);
        }
        self.sent = Instant::now();
        let frame = gateway::ClientFrame { frame: Some(frame) };
        self.inbound.send(Inbound::Frame(Box::new(frame))).await.map_err(|_| Over::Lost)
    }
}
