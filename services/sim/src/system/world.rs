//! The simulated machines: what outlives processes, the processes themselves, and their restarts.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use parlor_common::{Clock, PlayerId, Shutdown, TableId};
use parlor_gateway::session::Core;
use parlor_matchmaking::ids::TicketId;
use parlor_matchmaking::queue::Queues;
use parlor_table::service::Stay;
use tokio::task::JoinHandle;

use super::archive::Archive;
use super::exchange::Exchange;
use super::fate::Fate;
use super::ledger::Vault;
use super::life::{Crash, Life, Way};
use super::matches::Register;
use super::mutation::Mutation;
use super::network::Network;
use super::oracle::{Invariant, Oracle};
use super::roll::Roll;
use super::scene::Scene;

/// When runs begin, in milliseconds since the Unix epoch.
const DAWN_MS: i64 = 1_800_000_000_000;
/// A process that was told to end is killed after so long, as Kubernetes does.
const GRACE: Duration = Duration::from_secs(12);
/// A table pod's drain is judged when nothing has gone wrong for so long before it.
const PEACE: Duration = Duration::from_secs(10);
/// How often it is looked whether a process is there.
const LOOK: Duration = Duration::from_millis(100);
/// How long it takes a new process to be of use.
const WARMING: Duration = Duration::from_secs(2);

/// What a process does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Owns tables.
    Table,
    /// Keeps the ledger.
    Settlement,
    /// Matches players.
    Matchmaking,
    /// Lets players in.
    Gateway,
}

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Table, Self::Settlement, Self::Matchmaking, Self::Gateway];
}

/// A process that runs, or has run.
#[derive(Clone)]
pub struct Process {
    /// What it does.
    pub role: Role,
    /// Its life.
    pub life: Life,
    /// Its clock.
    pub clock: Clock,
    /// What its sessions share, if it is a gateway.
    pub gateway: Option<Arc<Core>>,
    /// Its time among the other table pods, if it is one that has started.
    pub stay: Arc<Mutex<Option<Stay>>>,
    /// Tells it to end.
    pub shutdown: Shutdown,
}

/// What a run is made of.
pub struct Parts {
    /// What decides.
    pub fate: Arc<Fate>,
    /// What it plays.
    pub scene: Scene,
    /// What the players queue for.
    pub queues: Queues,
    /// The fault of ours that is put in.
    pub mutation: Option<Mutation>,
    /// Where matchmakers die.
    pub crash: Option<Crash>,
}

/// A run's machines.
pub struct World {
    /// What decides.
    pub fate: Arc<Fate>,
    /// What must hold.
    pub oracle: Arc<Oracle>,
    /// Connections.
    pub network: Arc<Network>,
    /// The ledger's database.
    pub vault: Arc<Vault>,
    /// Runs everything.
    pub shutdown: Shutdown,
    /// Players leave and do not come back.
    pub is_closing: AtomicBool,
    /// What is played.
    pub scene: Scene,
    /// What the players queue for.
    pub queues: Queues,
    /// The fault of ours that is put in.
    pub mutation: Option<Mutation>,
    /// Where every process's clock comes from.
    pub clock: Clock,
    pub(super) archive: Arc<Archive>,
    pub(super) tickets: Arc<Register>,
    pub(super) exchange: Arc<Exchange>,
    pub(super) roll: Arc<Roll>,
    /// Codes of rooms that hosts have told the others, with their tables.
    board: Mutex<Vec<(String, TableId)>>,
    /// Connections that were replaced and have yet to hear of it.
    ghosts: Mutex<Vec<JoinHandle<()>>>,
    processes: Mutex<Vec<Process>>,
    started: AtomicU64,
    crash: Option<Crash>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl World {
    /// Machines on which nothing runs.
    pub fn new(parts: Parts) -> Arc<Self> {
        let Parts { fate, scene, queues, mutation, crash } = parts;
        let oracle = Arc::new(Oracle::new(Arc::clone(&fate)));
        let shutdown = Shutdown::new();
        Arc::new(Self {
            network: Arc::new(Network::new(Arc::clone(&fate), shutdown.clone())),
            archive: Arc::new(Archive::new(Arc::clone(&oracle), mutation)),
            vault: Arc::new(Vault::new(Arc::clone(&oracle), mutation)),
            tickets: Arc::new(Register::new(Arc::clone(&oracle), mutation)),
            exchange: Arc::new(Exchange::new(mutation)),
            roll: Arc::default(),
            is_closing: AtomicBool::new(false),
            board: Mutex::default(),
            ghosts: Mutex::default(),
            processes: Mutex::default(),
            started: AtomicU64::new(0),
            clock: Clock::with_timers(DAWN_MS),
            oracle,
            shutdown,
            fate,
            scene,
            queues,
            mutation,
            crash,
        })
    }

    /// Processes that live, in the order in which they were started.
    pub fn alive(&self) -> Vec<Process> {
        let mut processes = locked(&self.processes);
        processes.retain(|process| !process.life.is_over());
        processes.clone()
    }

    /// The way of a process to a store.
    pub(super) fn way(&self, life: &Life, role: Role) -> Way {
        let crash = self.crash.filter(|_| role == Role::Matchmaking);
        Way {
            life: life.clone(),
            fate: Arc::clone(&self.fate),
            world: self.shutdown.clone(),
            crash,
        }
    }

    /// Tells everybody of a room.
    pub fn announce(&self, code: String, table: TableId) {
        locked(&self.board).push((code, table));
    }

    /// Some room that was announced, mostly one that is still open.
    pub fn some_room(&self) -> Option<String> {
        let mut rooms = locked(&self.board).clone();
        if !self.fate.happens(100) {
            rooms.retain(|(_, table)| self.oracle.is_open(*table));
        }
        rooms.get(self.fate.place(rooms.len())).map(|(code, _)| code.clone())
    }

    /// Remembers what a replaced connection still does.
    pub fn remember_ghost(&self, ghost: JoinHandle<()>) {
        locked(&self.ghosts).push(ghost);
    }

    /// Waits until no replaced connection is left.
    pub async fn ghosts_gone(&self) {
        let ghosts = std::mem::take(&mut *locked(&self.ghosts));
        for ghost in ghosts {
            let _ = ghost.await;
        }
    }

    /// Tickets of these players that have not ended.
    pub async fn live_tickets(&self, players: impl Iterator<Item = &PlayerId>) -> Vec<TicketId> {
        let mut live = Vec::new();
        for player in players {
            live.extend(self.tickets.live_ticket(*player).await);
        }
        live
    }

    /// Loses the log of some table for ever, unless all are so young that they may still be asked
    /// for again.
    pub async fn lose_a_log(&self) {
        let tables = self.oracle.tables_to_lose();
        let Some(table) = tables.get(self.fate.place(tables.len())) else { return };
        self.archive.lose(*table).await;
    }

    /// Keeps one process of a role running for ever, at this host.
    pub fn keep(self: &Arc<Self>, role: Role, host: &'static str) {
        let world = Arc::clone(self);
        self.shutdown.spawn("keeper", async move {
            loop {
                let process = world.start(role, host).await;
                process.life.ended().await;
                world.network.withdraw(&process.life);
                world.fate.note(format_args!("{} is gone", process.life.name()));
                tokio::time::sleep(world.fate.pause(100, 2_500)).await;
            }
        });
    }

    async fn start(self: &Arc<Self>, role: Role, host: &'static str) -> Process {
        let number = self.started.fetch_add(1, Ordering::Relaxed);
        let life = Life::new(&format!("{host}-{number}"));
        self.fate.note(format_args!("{} starts", life.name()));
        // No two clocks show the same time.
        let clock = Clock::with_timers(self.clock.now_ms());
        let skew = i64::try_from(self.fate.between(0, 400)).unwrap_or(0) - 200;
        clock.advance_ms(skew);
        let (shutdown, stay) = (Shutdown::new(), Arc::default());
        let mut process = Process { role, life, clock, gateway: None, stay, shutdown };
        match role {
            Role::Gateway => process.gateway = Some(self.start_gateway(&process).await),
            Role::Table => self.start_table(host, &process),
            Role::Settlement => self.start_settlement(&process),
            Role::Matchmaking => self.start_matchmaking(&process, number),
        }
        locked(&self.processes).push(process.clone());
        process
    }

    /// Tells a process to end, as by SIGTERM. It is over when this returns.
    pub async fn terminate(self: &Arc<Self>, process: &Process) {
        let (life, calm_for) = (&process.life, self.fate.calm_for());
        self.fate.note(format_args!("{} is told to end", life.name()));
        let is_asked_too_much = tokio::select! {
            biased;
            () = life.ended() => return,
            done = tokio::time::timeout(GRACE, self.retire(process)) => done.is_err(),
        };
        life.end();
        self.fate.note(format_args!("{} has ended", life.name()));
        if process.role != Role::Table || calm_for < PEACE {
            return;
        }
        let left = self.oracle.tables_of(life.name());
        if is_asked_too_much || !left.is_empty() {
            let how = format!("{} ends in peace and leaves {left:?}", life.name());
            self.oracle.accuse(Invariant::HandedOver, how);
        }
    }

    async fn retire(&self, process: &Process) {
        process.shutdown.begin();
        match (process.role, &process.gateway) {
            (Role::Table, _) => {
                let stay = locked(&process.stay).take();
                if self.mutation == Some(Mutation::DrainSkipped) {
                    return;
                }
                if let Some(stay) = stay {
                    // It fails when a task has panicked, which ends the process too.
                    let _ = stay.end().await;
                }
            }
            (_, Some(core)) => core.sessions_ended().await,
            (Role::Settlement | Role::Matchmaking | Role::Gateway, None) => {
                self.network.withdraw(&process.life);
                let _ = process.shutdown.finished(GRACE).await;
            }
        }
    }

    /// Restarts all processes of a role, one after the other, as a new version is rolled out.
    pub async fn roll_out(self: &Arc<Self>, role: Role) {
        let old: Vec<_> = self.alive().into_iter().filter(|process| process.role == role).collect();
        for process in old {
            let count = || self.alive().iter().filter(|process| process.role == role).count();
            let before = count();
            self.terminate(&process).await;
            // Whatever was there is there again, unless a fault comes between.
            while count() < before && self.fate.is_calm() {
                tokio::time::sleep(LOOK).await;
            }
            tokio::time::sleep(WARMING).await;
        }
    }
}
