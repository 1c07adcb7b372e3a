//! One run, from the first start to the last payout.

use std::collections::BTreeMap;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use parlor_common::{PlayerId, random};
use parlor_matchmaking::queue::Queues;
use parlor_settlement::money::{Chips, Deposit, Request, Submission};

use super::fate::{Fate, Telling};
use super::life::Crash;
use super::mutation::Mutation;
use super::oracle::{Invariant, Tally, Violation};
use super::player::Player;
use super::scene::{Game, Scene};
use super::services::TABLE_PODS;
use super::trouble::make_trouble;
use super::world::{Parts, Role, World};

/// How many players there are.
const PLAYERS: u64 = 5;
/// Minor units that each player begins with.
const PURSE: i64 = 100_000;
/// How long things go wrong, in milliseconds.
const TROUBLE_MS: (u64, u64) = (6_000, 16_000);
/// How long players go on playing once nothing goes wrong any more.
const AFTERPLAY: Duration = Duration::from_secs(3);
/// How long they do in a long run before everything is restarted in turn, and after that: the
/// gateways have renewed their sessions by then.
const LONG_AFTERPLAY: [Duration; 2] = [Duration::from_secs(16), Duration::from_secs(10)];
/// How long everything may take to come to its end after that: all time limits of the services
/// one after the other.
const PATIENCE: Duration = Duration::from_secs(240);
/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_millis(250);

/// What a run is to be.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    /// Everything is drawn from it.
    pub seed: u64,
    /// The fault of ours that is put in.
    pub mutation: Option<Mutation>,
    /// The step at which matchmakers die more often than elsewhere.
    pub crash: Option<Crash>,
    /// Whether it tells what happens.
    pub telling: Telling,
}

/// What has become of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What was played.
    pub game: Game,
    /// The first thing that was wrong.
    pub violation: Option<Violation>,
    /// What has happened.
    pub tally: Tally,
    /// A hash of every step: the same for every run of this seed.
    pub trace: u64,
    /// Steps in the trace.
    pub steps: u64,
    /// Simulated milliseconds.
    pub simulated_ms: u64,
    /// Deaths at the plan's step.
    pub crashes: u64,
    /// The last steps before the end or before something was wrong.
    pub latest: Vec<String>,
}

/// Runs the whole system once.
///
/// # Errors
/// When the operating system gives no runtime.
pub fn simulate(plan: Plan) -> io::Result<Outcome> {
    let _held = random::hold(plan.seed);
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build()?;
    let outcome = runtime.block_on(run(plan));
    // What has died in the run may wait for ever.
    runtime.shutdown_background();
    Ok(outcome)
}

async fn run(plan: Plan) -> Outcome {
    let fate = Arc::new(Fate::new(plan.seed, plan.telling));
    let scene = Scene::drawn(&fate);
    fate.note(format_args!("{scene}"));
    let queues = match Queues::from_json(&scene.queues()) {
        Ok(queues) => queues,
        Err(error) => unreachable!("the queues are constants: {error}"),
    };
    let (mutation, crash) = (plan.mutation, plan.crash);
    let world = World::new(Parts { fate: Arc::clone(&fate), scene, queues, mutation, crash });
    let lives = live(&world);
    let alarm = world.oracle.alarm.notified();
    tokio::select! {
        biased;
        () = alarm => {}
        () = lives => {}
    }
    Outcome {
        game: scene.game,
        violation: world.oracle.wrong(),
        tally: world.oracle.tally(),
        trace: fate.trace(),
        steps: fate.steps(),
        simulated_ms: fate.now_ms(),
        crashes: fate.crashes(),
        latest: fate.latest(),
    }
}

async fn live(world: &Arc<World>) {
    for (role, host) in [
        (Role::Settlement, "settlement"),
        (Role::Table, TABLE_PODS[0]),
        (Role::Table, TABLE_PODS[1]),
        (Role::Matchmaking, "matchmaking"),
        (Role::Matchmaking, "matchmaking"),
        (Role::Gateway, "gateway"),
        (Role::Gateway, "gateway"),
    ] {
        world.keep(role, host);
    }
    let purses = fill_purses(world);
    let mut players = Vec::new();
    for (number, player) in purses.keys().enumerate() {
        let player = Player::new(Arc::clone(world), *player, number);
        players.push(world.shutdown.spawn("player", player.live()));
    }
    world.shutdown.spawn("trouble", make_trouble(Arc::clone(world)));
    tokio::time::sleep(world.fate.pause(TROUBLE_MS.0, TROUBLE_MS.1)).await;
    world.fate.note(format_args!("nothing goes wrong any more"));
    world.fate.calm_down();
    if world.scene.loses_a_log {
        world.lose_a_log().await;
    }
    play_on(world).await;
    world.fate.note(format_args!("the players go home"));
    world.is_closing.store(true, Ordering::Relaxed);
    if tokio::time::timeout(PATIENCE, end(world, players)).await.is_err() {
        return accuse(world, &purses).await;
    }
    let audit = world.vault.audit();
    if !audit.sound() {
        world.oracle.accuse(Invariant::ExactMoney, format!("the ledger's audit: {audit:?}"));
    }
    world.oracle.settled(&purses);
}

/// Nothing goes wrong any more, but for orders to end.
async fn play_on(world: &Arc<World>) {
    if !world.scene.long {
        return tokio::time::sleep(AFTERPLAY).await;
    }
    let [before, after] = LONG_AFTERPLAY;
    tokio::time::sleep(before).await;
    for role in Role::ALL {
        world.fate.note(format_args!("a rolling restart of {role:?}"));
        world.roll_out(role).await;
    }
    tokio::time::sleep(after).await;
}

/// Says what has not come to its end.
async fn accuse(world: &World, purses: &BTreeMap<PlayerId, i64>) {
    let (tables, holds) = (world.oracle.unfinished(), world.vault.open_holds());
    let tickets = world.live_tickets(purses.keys()).await;
    let invariant = match (tables.is_empty(), tickets.is_empty(), holds.is_empty()) {
        (_, false, _) => Invariant::NobodyStuck,
        (true, true, false) => Invariant::NothingHeld,
        _ => Invariant::Progress,
    };
    let how = format!("open tables {tables:?}, tickets {tickets:?}, holds {holds:?}");
    world.oracle.accuse(invariant, how);
}

/// Gives every player some money. What each has by that.
fn fill_purses(world: &World) -> BTreeMap<PlayerId, i64> {
    let mut purses = BTreeMap::new();
    let mut deposits = Vec::new();
    for number in 1..=PLAYERS {
        let mut bytes = [0; 16];
        bytes[8..].copy_from_slice(&number.to_be_bytes());
        let player = PlayerId::from_bytes(bytes);
        let deposit = || {
            let deposit = Deposit::new(player, Chips(PURSE), "welcome".parse().ok()?).ok()?;
            let key = format!("welcome/{player}").parse().ok()?;
            Submission::new(key, Request::Deposit(deposit)).ok()
        };
        deposits.extend(deposit().map(Arc::new));
        purses.insert(player, PURSE);
    }
    let entered = world.vault.write(&deposits, 0);
    if entered.iter().any(Result::is_err) || deposits.len() != purses.len() {
        world.oracle.accuse(Invariant::ExactMoney, "a deposit was refused");
    }
    purses
}

/// Waits until everybody has gone home and everything is paid out.
async fn end(world: &World, players: Vec<tokio::task::JoinHandle<()>>) {
    for player in players {
        // A player who panics is a fault of the simulation.
        if let Err(error) = player.await {
            world.oracle.accuse(Invariant::Progress, format!("a player was lost: {error}"));
            return;
        }
    }
    while !world.oracle.unfinished().is_empty() || !world.vault.open_holds().is_empty() {
        tokio::time::sleep(LOOK).await;
    }
    world.ghosts_gone().await;
}
