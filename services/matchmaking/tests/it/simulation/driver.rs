//! The seeded scheduler: one task goes one step at a time.

use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll, Waker};

use parlor_common::{Clock, PlayerId, TableId};
use parlor_matchmaking::Error;
use parlor_matchmaking::hands::NoHistory;
use parlor_matchmaking::ids::{QueueId, ReplicaId, RequestId, TicketId};
use parlor_matchmaking::queue::Queues;
use parlor_matchmaking::ratings::Unrated;
use parlor_matchmaking::service::{Limits, Matchmaking, Parts};
use parlor_matchmaking::store::embedded::EmbeddedStore;
use parlor_matchmaking::store::{Store, TicketStore};
use parlor_matchmaking::ticket::{Closed, Member, ReadyAnswer, TicketState};
use parlor_matchmaking::timing::Timing;
use parlor_matchmaking::worker::queue_worker::QueueWorker;
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use super::stepping::{Stepping, step};
use super::world::World;

const QUEUES: &str = r#"{"queues": [{"id": "q", "players": 4, "bot_fill_after_ms": 20000,
    "ticket_ttl_ms": 3600000, "settings": {"options": {"mahjong": {}},
    "stakeMode": "STAKE_MODE_POINTS", "seats": 4}}]}"#;

/// How long players have to answer in a run with ready checks.
const READY_CHECK: &str = "\"players\": 4, \"ready_check_ms\": 6000,";

const REPLICAS: usize = 2;
const PLAYERS: usize = 14;

/// How the tasks keep up with time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pace {
    /// No task sleeps for long, so that all its promises about time hold.
    Lively,
    /// A task may sleep through the end of its claim.
    Drowsy,
}

/// Whether the players of a match are asked if they are ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ready {
    Assumed,
    Asked,
}

pub type Task = Pin<Box<dyn Future<Output = ()> + Send>>;
type Inbox = Arc<Mutex<Vec<Task>>>;

struct Replica {
    service: Arc<Matchmaking>,
    tasks: Vec<Sleeper>,
    inbox: Inbox,
}

/// A task that does nothing before a time.
struct Sleeper {
    task: Task,
    wakes_ms: i64,
}

impl From<Task> for Sleeper {
    fn from(task: Task) -> Self {
        Self { task, wakes_ms: 0 }
    }
}

#[derive(Clone, Debug)]
enum Doing {
    Nothing,
    /// Asks a replica, and will ask again with the same request when it dies.
    Asks {
        request: RequestId,
        replica: usize,
    },
    Waits {
        ticket: TicketId,
    },
    Plays {
        table: TableId,
        until_ms: i64,
    },
}

struct Player {
    id: PlayerId,
    doing: Doing,
    answer: Arc<Mutex<Option<Result<TicketId, Error>>>>,
    cancels: bool,
}

/// One run.
pub struct Simulation {
    seed: u64,
    pace: Pace,
    ready: Ready,
    random: ChaCha20Rng,
    clock: Clock,
    queues: Queues,
    store: Arc<EmbeddedStore>,
    world: World,
    replicas: Vec<Replica>,
    players: Vec<Player>,
    next_id: u128,
    /// How many matchmakers died.
    pub crashes: usize,
    /// How many players sat down.
    pub arrived: usize,
    /// How many left the queue because they were not ready.
    pub not_ready: usize,
}

impl Simulation {
    pub fn new(seed: u64, pace: Pace, ready: Ready) -> Self {
        let queues = match ready {
            Ready::Assumed => QUEUES.to_owned(),
            Ready::Asked => QUEUES.replace("\"players\": 4,", READY_CHECK),
        };
        let clock = Clock::held_at(1_000_000);
        let mut simulation = Self {
            seed,
            pace,
            ready,
            random: ChaCha20Rng::seed_from_u64(seed),
            world: World::new(seed, clock.clone()),
            clock,
            queues: Queues::from_json(&queues).unwrap(),
            store: Arc::new(EmbeddedStore::in_memory().unwrap()),
            replicas: Vec::new(),
            players: Vec::new(),
            next_id: 1,
            crashes: 0,
            arrived: 0,
            not_ready: 0,
        };
        for _ in 0..PLAYERS {
            let id = PlayerId::from_bytes(simulation.number().to_be_bytes());
            let answer = Arc::default();
            simulation.players.push(Player { id, doing: Doing::Nothing, answer, cancels: false });
        }
        for _ in 0..REPLICAS {
            let replica = simulation.start_replica();
            simulation.replicas.push(replica);
        }
        simulation
    }

    pub fn withdrawn(&self) -> usize {
        self.world.state().withdrawn
    }

    fn number(&mut self) -> u128 {
        self.next_id += 1;
        self.next_id
    }

    fn start_replica(&mut self) -> Replica {
        let store: Arc<dyn Store> = Arc::new(Stepping(Arc::clone(&self.store)));
        let service = Arc::new(Matchmaking::new(Parts {
            queues: self.queues.clone(),
            store: Arc::clone(&store),
            tables: Arc::new(self.world.clone()),
            ratings: Arc::new(Unrated),
            hands: Arc::new(NoHistory),
            clock: self.clock.clone(),
            timing: Timing::default(),
            limits: Limits::default(),
        }));
        let id = ReplicaId::numbered(self.number());
        let queue = self.queues.get(&"q".parse().unwrap()).unwrap();
        let worker = QueueWorker::new(Arc::clone(&service), Arc::clone(queue), id);
        let inbox = Inbox::default();
        let task: Task = Box::pin(matchmaker(id, worker, store, self.clock.clone(), inbox.clone()));
        Replica { service, tasks: vec![task.into()], inbox }
    }

    /// Lets everything happen, in an order that the seed gives.
    pub fn run(&mut self, steps: usize) {
        for _ in 0..steps {
            match self.random.random_range(0..100) {
                // A sleeper that dies wakes up no more.
                0 if self.pace == Pace::Lively || self.random.random_bool(0.05) => self.crash(),
                1..=9 => self.pass_time(),
                10..=24 => self.player_acts(),
                _ => self.task_steps(),
            }
            self.check();
        }
    }

    /// Nobody dies any more and nobody enters: in the end everybody has a seat.
    pub fn settle(&mut self) {
        self.world.state().unreliable = false;
        for _ in 0..3_000 {
            self.pass_time();
            for player in 0..self.players.len() {
                if !matches!(self.players[player].doing, Doing::Nothing) {
                    self.act(player);
                }
            }
            for _ in 0..4 {
                self.all_tasks_step();
            }
            self.check();
            if self.players.iter().all(|player| matches!(player.doing, Doing::Nothing)) {
                return;
            }
        }
        for player in &self.players {
            let ticket = now_or_panic(self.store.ticket_of(player.id)).unwrap();
            eprintln!("{}: {:?} {ticket:?}", player.id, player.doing);
        }
        panic!("seed {}: somebody is stuck", self.seed);
    }

    /// A matchmaker dies with all it was doing; another takes its place.
    fn crash(&mut self) {
        let dead = self.random.random_range(0..self.replicas.len());
        self.replicas[dead] = self.start_replica();
        self.crashes += 1;
        for player in &mut self.players {
            if matches!(player.doing, Doing::Asks { replica, .. } if replica == dead) {
                *player.answer.lock().unwrap() = Some(Err(Error::Draining));
            }
        }
    }

    fn pass_time(&mut self) {
        let by_ms = self.random.random_range(50..500);
        self.clock.advance_ms(by_ms);
        self.world.tick();
        if self.pace == Pace::Lively {
            self.all_tasks_step();
        }
    }

    fn task_steps(&mut self) {
        let replica = self.random.random_range(0..self.replicas.len());
        let tasks = self.replicas[replica].tasks.len();
        let task = self.random.random_range(0..tasks);
        self.step_task(replica, task);
    }

    fn all_tasks_step(&mut self) {
        for replica in 0..self.replicas.len() {
            for task in (0..self.replicas[replica].tasks.len()).rev() {
                self.step_task(replica, task);
            }
        }
    }

    fn step_task(&mut self, replica: usize, task: usize) {
        let now_ms = self.clock.now_ms();
        // The first task is the matchmaker itself; the others seat players or let them in.
        let drowsy = self.pace == Pace::Drowsy && task > 0;
        let falls_asleep = drowsy && self.random.random_bool(0.04);
        let sleeps_ms = self.random.random_range(1_000..20_000);
        let replica = &mut self.replicas[replica];
        let sleeper = &mut replica.tasks[task];
        if falls_asleep {
            sleeper.wakes_ms = now_ms + sleeps_ms;
        }
        if sleeper.wakes_ms > now_ms {
            return;
        }
        let mut context = Context::from_waker(Waker::noop());
        if let Poll::Ready(()) = sleeper.task.as_mut().poll(&mut context) {
            drop(replica.tasks.swap_remove(task));
        }
        let new = std::mem::take(&mut *replica.inbox.lock().unwrap());
        replica.tasks.extend(new.into_iter().map(Sleeper::from));
    }

    fn player_acts(&mut self) {
        let player = self.random.random_range(0..self.players.len());
        self.act(player);
    }

    fn act(&mut self, index: usize) {
        let now_ms = self.clock.now_ms();
        let id = self.players[index].id;
        match self.players[index].doing.clone() {
            Doing::Nothing => {
                self.players[index].cancels = self.random.random_bool(0.1);
                let request = format!("request {}", self.number()).parse().unwrap();
                self.ask(index, request);
            }
            Doing::Asks { request, .. } => {
                let answer = self.players[index].answer.lock().unwrap().take();
                match answer {
                    None => {}
                    Some(Ok(ticket)) => self.players[index].doing = Doing::Waits { ticket },
                    Some(Err(Error::Draining | Error::TablesUnavailable)) => {
                        self.ask(index, request);
                    }
                    // A reservation that was never taken up, until it lapses.
                    Some(Err(Error::AlreadySeated(..))) => self.ask(index, request),
                    Some(Err(error)) => panic!("seed {}: {error}", self.seed),
                }
            }
            Doing::Waits { ticket } => self.watch(index, ticket),
            Doing::Plays { until_ms, .. } => {
                if until_ms <= now_ms {
                    self.world.stand_up(id);
                    self.players[index].doing = Doing::Nothing;
                }
            }
        }
    }

    fn ask(&mut self, index: usize, request: RequestId) {
        let replica = self.random.random_range(0..self.replicas.len());
        let player = &mut self.players[index];
        player.doing = Doing::Asks { request: request.clone(), replica };
        player.answer = Arc::default();
        let (answer, service) = (Arc::clone(&player.answer), &self.replicas[replica].service);
        let (service, member) = (Arc::clone(service), Member::new(player.id, "p").unwrap());
        let queue: QueueId = "q".parse().unwrap();
        let asks: Task = Box::pin(async move {
            let entered = service.enqueue(request, &queue, vec![member]).await;
            *answer.lock().unwrap() = Some(entered);
        });
        self.replicas[replica].tasks.push(asks.into());
    }

    fn watch(&mut self, index: usize, ticket: TicketId) {
        let id = self.players[index].id;
        let record = now_or_panic(self.store.ticket(ticket)).unwrap();
        let record = record.unwrap_or_else(|| panic!("seed {}: a ticket was lost", self.seed));
        match record.state {
            TicketState::Waiting if self.players[index].cancels => {
                now_or_panic(self.store.cancel(id, i64::MAX)).unwrap();
            }
            TicketState::Waiting => {}
            TicketState::Claimed { .. } => {
                if record.ready.is_some() {
                    self.answer(id);
                }
            }
            TicketState::Matched { table, seats, .. } => {
                let until_ms = self.clock.now_ms() + self.random.random_range(0..20_000);
                let sat = self.world.sit(id, table, seats[0]);
                self.arrived += usize::from(sat);
                self.players[index].doing =
                    if sat { Doing::Plays { table, until_ms } } else { Doing::Nothing };
            }
            TicketState::Closed { reason: Closed::Cancelled } => {
                assert!(self.players[index].cancels, "seed {}: nobody asked for it", self.seed);
                self.players[index].doing = Doing::Nothing;
            }
            TicketState::Closed { reason: Closed::NotReady } => {
                assert_eq!(self.ready, Ready::Asked, "seed {}: nobody was asked", self.seed);
                self.not_ready += 1;
                self.players[index].doing = Doing::Nothing;
            }
            TicketState::Closed { reason } => {
                // Only a sleeper's late table can stand in somebody's way.
                assert_eq!(
                    (self.pace, reason),
                    (Pace::Drowsy, Closed::Failed),
                    "seed {}",
                    self.seed
                );
                self.players[index].doing = Doing::Nothing;
            }
        }
    }

    /// Most players are ready, some decline, some do not look.
    fn answer(&mut self, player: PlayerId) {
        let answer = match self.random.random_range(0..10) {
            0 => ReadyAnswer::Declined,
            1..=2 => return,
            _ => ReadyAnswer::Ready,
        };
        let now_ms = self.clock.now_ms();
        now_or_panic(self.store.answer_ready(player, answer, now_ms)).unwrap();
    }

    fn check(&self) {
        let seated = self.world.seated();
        for player in &self.players {
            let tables: Vec<TableId> = seated
                .iter()
                .filter(|(seated, _)| *seated == player.id)
                .map(|(_, table)| *table)
                .collect();
            if self.pace == Pace::Lively {
                assert!(tables.len() <= 1, "seed {}: {} at {tables:?}", self.seed, player.id);
            }
            if let Doing::Plays { table, .. } = player.doing {
                assert!(tables.contains(&table), "seed {}: thrown out", self.seed);
            }
        }
    }
}

/// What a replica does all the time.
async fn matchmaker(
    id: ReplicaId,
    mut worker: QueueWorker,
    store: Arc<dyn Store>,
    clock: Clock,
    inbox: Inbox,
) {
    loop {
        let now_ms = clock.now_ms();
        let alive = store.heartbeat(id, now_ms, now_ms + 3_000).await.unwrap();
        worker.tend(&alive).await.unwrap();
        let mut claims = worker.adopt().await.unwrap();
        claims.extend(worker.match_waiting().await.unwrap());
        let seatings = claims.into_iter().map(|claim| Box::pin(worker.seat(claim)) as Task);
        inbox.lock().unwrap().extend(seatings);
        store.sweep(now_ms, now_ms + 600_000, 100).await.unwrap();
        step().await;
    }
}

/// The answer of a future that never waits.
pub fn now_or_panic<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => answer,
        Poll::Pending => panic!("the embedded store never waits"),
    }
}
