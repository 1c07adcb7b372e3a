//! Tables of all games with clients on their seats, and what the clients were told.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::join_all;
use parlor_common::Shutdown;
use parlor_sim::load::measure::{Accepted, Fault};
use parlor_sim::load::opening::{Opening, open};
use parlor_sim::load::player::{Pace, Player, Run};
use parlor_sim::load::session::Profile;
use parlor_sim::load::{
    Account, Faults, Game, Gateways, Journal, Measure, Metronome, Session, Transport,
};
use tokio::time::{Instant, sleep};

use crate::pod::PATIENCE;
use crate::system::System;

/// A client means to act so long after it was asked.
const PERIOD: Duration = Duration::from_millis(250);
/// Clients that a blow hit alone are given so long.
const SETTLE: Duration = Duration::from_secs(3);
/// Tables that are opened at the same time.
const OPENING: usize = 8;
/// What players bring where chips are played for.
const BUY_IN: i64 = 2_000;

/// The tables.
pub struct Play {
    pub table_ids: Vec<String>,
    /// Clients at all tables.
    pub guests: usize,
    journal: Arc<Journal>,
    faults: Arc<Faults>,
    players: Shutdown,
    opened: Instant,
}

/// How long clients had to wait in a stretch of time.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    /// Commands that were acknowledged.
    pub accepted: usize,
    /// Longest time from when a command was meant to its acknowledgement.
    pub longest: Duration,
    /// The same for all but one in a hundred.
    pub p99: Duration,
    /// Longest time in which a client heard nothing of its table.
    pub gap: Duration,
}

impl Play {
    /// Opens tables of every game in turn and lets clients play.
    pub async fn begin(system: &System, tables: usize) -> Self {
        let (faults, journal) = (Arc::new(Faults::default()), Arc::new(Journal::default()));
        let players = Shutdown::new();
        let run = Run {
            measure: Arc::new(Measure::default()),
            journal: Some(Arc::clone(&journal)),
            start: Instant::now(),
            stop: players.token(),
        };
        let gateways = Gateways::new(&system.gateway_urls()).unwrap();
        let metronome = Metronome::start().unwrap();
        let (mut table_ids, mut guests) = (Vec::new(), 0);
        for first in (0..tables).step_by(OPENING) {
            let numbers = first..(first + OPENING).min(tables);
            let seated = numbers.map(|number| seat(number, &gateways, &faults, &metronome));
            for (game, table_id, sessions) in join_all(seated).await {
                let number = table_ids.len();
                guests += sessions.len();
                for (place, session) in sessions.into_iter().enumerate() {
                    let pace = Pace::Paced { start: Instant::now(), period: PERIOD };
                    let place = (number, place);
                    let id = table_id.clone();
                    let player = Player::new(session, game, id, place, pace, run.clone());
                    let faults = Arc::clone(&faults);
                    players.spawn("player", async move {
                        if let Err(error) = player.run().await {
                            faults.add(Fault::Client, || error.to_string());
                        }
                    });
                }
                table_ids.push(table_id);
            }
        }
        let play = Self { table_ids, guests, journal, faults, players, opened: Instant::now() };
        play.goes_on(play.opened).await;
        play
    }

    /// Everything that was acknowledged so far.
    pub fn accepted(&self) -> Vec<Accepted> {
        self.journal.accepted()
    }

    /// Waits until every table has acknowledged commands that were meant after `since`.
    pub async fn goes_on(&self, since: Instant) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let mut after = vec![0; self.table_ids.len()];
            for one in self.accepted().iter().filter(|one| one.meant >= since) {
                after[one.table] += 1;
            }
            let still = (0..after.len()).filter(|table| after[*table] < 2);
            let still: Vec<_> = still.map(|table| (game(table), &self.table_ids[table])).collect();
            if still.is_empty() {
                return;
            }
            let faults = self.faults.texts();
            assert!(Instant::now() < deadline, "these stand still: {still:#?}\n{faults:#?}");
            sleep(Duration::from_millis(50)).await;
        }
    }

    /// Waits until every table has gone on since a blow, and until those clients have that a blow
    /// hit alone; gives how long they waited.
    pub async fn settle(&self, since: Instant) -> Waits {
        self.goes_on(since).await;
        sleep(SETTLE).await;
        self.goes_on(Instant::now() - SETTLE / 2).await;
        self.waits(since)
    }

    /// How long clients waited for what they meant to do from `since` on.
    pub fn waits(&self, since: Instant) -> Waits {
        let until = Instant::now();
        let accepted: Vec<Accepted> =
            self.accepted().into_iter().filter(|one| one.at >= since).collect();
        let mut waits: Vec<Duration> = accepted.iter().map(|one| one.at - one.meant).collect();
        waits.sort_unstable();
        let mut heard = self.journal.heard();
        heard.retain(|(_, at)| *at >= since);
        let gap = |table: usize| {
            let own = heard.iter().filter(|(of, _)| *of == table).map(|(_, at)| *at);
            let mut times: Vec<Instant> = own.chain([since, until]).collect();
            times.sort_unstable();
            times.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or_default()
        };
        Waits {
            accepted: accepted.len(),
            longest: waits.last().copied().unwrap_or_default(),
            p99: waits.get(waits.len() * 99 / 100).copied().unwrap_or_default(),
            gap: (0..self.table_ids.len()).map(gap).max().unwrap_or_default(),
        }
    }

    /// The waits of the last stretch.
    pub fn calm(&self, stretch: Duration) -> Waits {
        self.waits(Instant::now().checked_sub(stretch).unwrap())
    }

    /// Every client was told everything, once and in order.
    pub fn check(&self) {
        assert_eq!(self.faults.count(), 0, "{:#?}", self.faults.texts());
    }

    /// Ends the clients; gives everything that was acknowledged, with the tables.
    pub async fn end(self) -> (Vec<String>, Vec<Accepted>) {
        self.players.finished(Duration::from_secs(20)).await.unwrap();
        self.check();
        (self.table_ids.clone(), self.accepted())
    }
}

/// The game of a table, by its number.
const fn game(number: usize) -> Game {
    Game::ALL[number % Game::ALL.len()]
}

/// Makes the clients of a table and seats them.
async fn seat(
    number: usize,
    gateways: &Gateways,
    faults: &Arc<Faults>,
    metronome: &Metronome,
) -> (Game, String, Vec<Session>) {
    let game = game(number);
    // Every other table of a game with bots has bots on half of its seats.
    let can_have_bots = matches!(game, Game::Mahjong | Game::Blackjack);
    let bots = if can_have_bots && number / Game::ALL.len() % 2 == 1 { 2 } else { 0 };
    let buy_in = if can_have_bots { BUY_IN } else { 0 };
    let clients = game.seats() - bots;
    let profile = Profile {
        gateways: gateways.clone(),
        transport: Transport::WebSocket,
        with_views: game.needs_views(),
        faults: Arc::clone(faults),
        metronome: metronome.clone(),
    };
    let mut sessions = Vec::new();
    for client in 0..clients {
        let name = format!("Guest {number}-{client}");
        let account = Account::guest(gateways, &name).await.unwrap();
        sessions.push(Session::new(account, profile.clone()));
    }
    let table = open(&mut sessions, &Opening { game, buy_in, bots }).await.unwrap();
    (game, table, sessions)
}
