//! A whole run: tables are opened, clients play, what they saw is counted.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use hdrhistogram::Histogram;
use parlor_common::Shutdown;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use super::account::Account;
use super::measure::{Fault, Faults, Measure};
use super::metronome::Metronome;
use super::opening::{Opening, open};
use super::player::{Pace, Player, Run};
use super::process::{Usage, usage};
use super::session::{Profile, Session};
use super::transport::{Gateways, Transport};
use super::{Error, Game};

/// Tables that are opened at the same time.
const OPENING: usize = 16;
/// Clients play so long before anything is counted.
const WARM_UP: Duration = Duration::from_secs(2);
/// Turns of a paced run are meant from so long after its players have started.
const LEAD: Duration = Duration::from_millis(500);
/// How often progress is told.
const TICK: Duration = Duration::from_millis(250);
/// How long memory is left alone before it is read.
const REST: Duration = Duration::from_secs(1);
/// Longest wait for players to end.
const END: Duration = Duration::from_secs(10);

/// What is run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The game.
    pub game: Game,
    /// Tables, each with a client on every seat.
    pub tables: usize,
    /// How long it is counted.
    pub duration: Duration,
    /// From one action of a table to the next; `None`: as soon as a client may.
    pub period: Option<Duration>,
    /// How frames travel.
    pub transport: Transport,
    /// Minor units that each player brings; 0: points.
    pub buy_in: i64,
    /// Where the gateways are.
    pub gateways: Gateways,
    /// Processes that are watched, by name.
    pub processes: Vec<(String, u32)>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub enum Progress {
    /// So many tables have their players.
    Opened(usize),
    /// So many actions were answered in so much of the time.
    Played(u64, Duration),
}

/// What a run found.
#[derive(Debug)]
pub struct Outcome {
    /// Tables that were played at.
    pub tables: usize,
    /// How long it was counted.
    pub seconds: f64,
    /// Actions that were answered.
    pub actions: u64,
    /// Actions that were refused, since the client's view was not true any more.
    pub refused: u64,
    /// Requests that were repeated after "not now", and attempts to connect that failed.
    pub patience: (u64, u64),
    /// From when an action was meant to its answer, in microseconds.
    pub answered: Histogram<u64>,
    /// From when an action was meant to each of its viewers, in microseconds; echo only.
    pub delivered: Histogram<u64>,
    /// Broken promises.
    pub faults: u64,
    /// The first of them.
    pub fault_texts: Vec<String>,
    /// By process: memory before the first table.
    pub empty: BTreeMap<String, Usage>,
    /// Memory with all players at their tables, and none playing yet.
    pub seated: BTreeMap<String, Usage>,
    /// At the beginning of the count.
    pub begun: BTreeMap<String, Usage>,
    /// At its end.
    pub ended: BTreeMap<String, Usage>,
}

/// Runs a plan until its time is over or `stop` is cancelled.
///
/// # Errors
/// When no table could be opened.
pub async fn drive(
    plan: &Plan,
    stop: CancellationToken,
    progress: impl Fn(Progress),
) -> Result<Outcome, Error> {
    let faults = Arc::new(Faults::default());
    let profile = Profile {
        gateways: plan.gateways.clone(),
        transport: plan.transport,
        with_views: plan.game.needs_views(),
        faults: Arc::clone(&faults),
        metronome: Metronome::start().map_err(Error::Thread)?,
    };
    let empty = watch(&plan.processes);
    let tables = open_all(plan, &profile, &stop, &progress).await?;
    let opened = tables.len();
    sleep(REST).await;
    let seated = watch(&plan.processes);

    let measure = Arc::new(Measure::default());
    let players = Shutdown::new();
    let run = Run {
        measure: Arc::clone(&measure),
        journal: None,
        start: Instant::now(),
        stop: players.token(),
    };
    start_all(plan, tables, &run, &players, &faults);
    wait(WARM_UP, &stop, |_| {}).await;
    let begun = watch(&plan.processes);
    let start = Instant::now();
    measure.open();
    wait(plan.duration, &stop, |gone| progress(Progress::Played(measure.actions(), gone))).await;
    measure.close();
    let seconds = start.elapsed().as_secs_f64();
    let ended = watch(&plan.processes);
    if let Err(lingering) = players.finished(END).await {
        faults.add(Fault::Client, || lingering.to_string());
    }
    Ok(Outcome {
        tables: opened,
        seconds,
        actions: measure.actions(),
        refused: measure.refusals(),
        patience: faults.patience(),
        answered: measure.answer_latency(),
        delivered: measure.delivery_latency(),
        faults: faults.count(),
        fault_texts: faults.texts(),
        empty,
        seated,
        begun,
        ended,
    })
}

fn watch(processes: &[(String, u32)]) -> BTreeMap<String, Usage> {
    let usages = processes.iter().map(|(name, id)| Some((name.clone(), usage(*id)?)));
    usages.flatten().collect()
}

/// A table and its players.
type Seated = (String, Vec<Session>);

async fn open_all(
    plan: &Plan,
    profile: &Profile,
    stop: &CancellationToken,
    progress: &impl Fn(Progress),
) -> Result<Vec<Seated>, Error> {
    let opening = Opening { game: plan.game, buy_in: plan.buy_in, bots: 0 };
    let mut next = 0..plan.tables;
    let mut under_way: FuturesUnordered<_> =
        next.by_ref().take(OPENING).map(|_| seat_all(profile, &opening)).collect();
    let mut tables = Vec::with_capacity(plan.tables);
    loop {
        let opened = tokio::select! {
            biased;
            () = stop.cancelled() => break,
            opened = under_way.next() => opened,
        };
        let Some(opened) = opened else { break };
        tables.push(opened?);
        progress(Progress::Opened(tables.len()));
        under_way.extend(next.next().map(|_| seat_all(profile, &opening)));
    }
    Ok(tables)
}

/// Makes the guests of one table and seats them.
async fn seat_all(profile: &Profile, opening: &Opening) -> Result<Seated, Error> {
    let mut sessions = Vec::new();
    for number in 0..opening.game.seats() {
        let account = Account::guest(&profile.gateways, &format!("Guest {number}")).await?;
        sessions.push(Session::new(account, profile.clone()));
    }
    let table = open(&mut sessions, opening).await?;
    Ok((table, sessions))
}

fn start_all(
    plan: &Plan,
    tables: Vec<Seated>,
    run: &Run,
    players: &Shutdown,
    faults: &Arc<Faults>,
) {
    let all = tables.len().max(1);
    for (number, (table_id, sessions)) in tables.into_iter().enumerate() {
        let pace = plan.period.map_or(Pace::Closed, |period| Pace::Paced {
            // Tables are spread evenly over the period, as independent ones would be.
            start: run.start + LEAD + period.mul_f64(number as f64 / all as f64),
            period,
        });
        for (seat, session) in sessions.into_iter().enumerate() {
            let place = (number, seat);
            let player =
                Player::new(session, plan.game, table_id.clone(), place, pace, run.clone());
            let faults = Arc::clone(faults);
            players.spawn("player", async move {
                if let Err(error) = player.run().await {
                    faults.add(Fault::Client, || error.to_string());
                }
            });
        }
    }
}

/// Waits, telling how much time has gone.
async fn wait(duration: Duration, stop: &CancellationToken, tell: impl Fn(Duration)) {
    let start = Instant::now();
    while start.elapsed() < duration {
        let left = duration.saturating_sub(start.elapsed());
        tokio::select! {
            () = sleep(left.min(TICK)) => tell(start.elapsed()),
            () = stop.cancelled() => return,
        }
    }
}
