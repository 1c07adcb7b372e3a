//! A client at a table: it plays whenever its own view lets it.

use std::sync::Arc;
use std::time::Duration;

use parlor_proto::gateway::v1::TableCommand;
use parlor_proto::gateway::v1::request::Command as Ask;
use parlor_proto::rules::v1 as rules;
use parlor_proto::table::v1 as pb;
use pb::command::Command;
use pb::table_event::Event;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Error;
use super::measure::{Accepted, Journal, Measure};
use super::policy::{Echo, Game, meant, play, say};
use super::session::{Answered, Happening, Session};

/// How long a client sleeps that waits for others.
const LONG: Duration = Duration::from_secs(3_600);

/// When a client acts.
#[derive(Clone, Copy, Debug)]
pub enum Pace {
    /// As soon as it may.
    Closed,
    /// An open loop: at the echo game, turn `n` of the table is meant for `start + n * period`,
    /// however late the turns before it were. At other games a client means to act one period
    /// after it was asked, and not before `start`, so that tables do not all play at once.
    Paced {
        /// When the table begins: the first turn of the echo game is meant for it.
        start: Instant,
        /// From one turn to the next.
        period: Duration,
    },
}

/// What all clients of a run share.
#[derive(Clone, Debug)]
pub struct Run {
    /// Counts what they do.
    pub measure: Arc<Measure>,
    /// Remembers every answered command, if somebody wants to check them.
    pub journal: Option<Arc<Journal>>,
    /// Times in words are counted from here.
    pub start: Instant,
    /// Ends them.
    pub stop: CancellationToken,
}

/// A client with a seat at a table.
#[derive(Debug)]
pub struct Player {
    session: Session,
    table_id: String,
    /// Number of the client's table in the run.
    table: usize,
    /// Its number at the table.
    seat: usize,
    /// Spreads the clients over histograms.
    place: usize,
    pace: Pace,
    run: Run,
    mind: Mind,
    /// The command that is meant to be given, and when.
    meant: Option<(Instant, Command)>,
    /// The command whose answer is waited for, and whether it is a move.
    acting: Option<(String, bool)>,
}

/// What the client knows.
#[derive(Debug)]
enum Mind {
    Echo {
        echo: Echo,
        /// The last turn that was taken.
        taken: Option<u64>,
    },
    Views {
        table: Box<Option<pb::TableView>>,
        /// The game as it was when the client last acted.
        acted: Box<Option<rules::View>>,
        /// Choices that were refused in this view.
        refused: u32,
        /// The table has changed since the client last thought.
        fresh: bool,
    },
}

impl Player {
    /// A client that has its seat. `table` and `seat` number it within the run.
    #[must_use]
    pub fn new(
        session: Session,
        game: Game,
        table_id: String,
        (table, seat): (usize, usize),
        pace: Pace,
        run: Run,
    ) -> Self {
        let mind = if game.needs_views() {
            Mind::Views { table: Box::default(), acted: Box::default(), refused: 0, fresh: false }
        } else {
            Mind::Echo { echo: Echo::default(), taken: None }
        };
        let place = table * 4 + seat;
        let (meant, acting) = (None, None);
        Self { session, table_id, table, seat, place, pace, run, mind, meant, acting }
    }

    /// Plays until the run ends; gives the session back.
    ///
    /// # Errors
    /// When the client cannot go on.
    pub async fn run(mut self) -> Result<Session, Error> {
        let stop = self.run.stop.clone();
        loop {
            let due = self.meant.as_ref().map(|(at, _)| *at);
            let deadline = due.unwrap_or_else(|| Instant::now() + LONG);
            if due.is_some_and(|at| at <= Instant::now()) {
                self.act().await;
            } else {
                let happening = tokio::select! {
                    biased;
                    () = stop.cancelled() => return Ok(self.session),
                    happening = self.session.next(deadline) => happening?,
                };
                if let Some(happening) = happening {
                    self.learn(happening);
                }
            }
            if self.acting.is_none() && self.meant.is_none() {
                self.think();
            }
        }
    }

    async fn act(&mut self) {
        let Some((at, command)) = self.meant.take() else { return };
        if let Mind::Views { table, acted, .. } = &mut self.mind {
            **acted = table.as_ref().as_ref().and_then(|table| table.view.clone());
        }
        let is_move = matches!(command, Command::Play(_));
        let command = pb::Command { command: Some(command) };
        let ask = TableCommand { table_id: self.table_id.clone(), command: Some(command) };
        let id = self.session.request(Ask::Table(ask), at).await;
        self.acting = Some((id, is_move));
    }

    fn learn(&mut self, happening: Happening) {
        match happening {
            Happening::Answered(answered) => self.answered(answered),
            Happening::Resync(resync) if resync.table_id == self.table_id => {
                self.meant = None;
                match (&mut self.mind, resync.view) {
                    (Mind::Echo { echo, .. }, Some(view)) => echo.start(&view),
                    (Mind::Views { .. }, Some(view)) => self.see(view),
                    (_, None) => {}
                }
            }
            Happening::Update(update) if update.table_id == self.table_id => self.follow(update),
            _ => {}
        }
    }

    fn answered(&mut self, Answered { id, result, since }: Answered) {
        let Some((_, is_move)) = self.acting.take_if(|(acting, _)| *acting == id) else { return };
        let now = Instant::now();
        match result {
            Ok(_) => {
                if is_move {
                    self.run.measure.answered(self.place, now - since);
                }
                if let Some(journal) = &self.run.journal {
                    journal.accept(Accepted {
                        table: self.table,
                        player_id: self.session.player_id().to_owned(),
                        request_id: id,
                        meant: since,
                        at: now,
                    });
                }
            }
            Err(error) => {
                tracing::debug!(table = self.table_id, "refused: {error}");
                self.run.measure.refused();
                if let Mind::Views { refused, fresh, .. } = &mut self.mind {
                    *refused += 1;
                    *fresh = true;
                }
            }
        }
    }

    fn follow(&mut self, update: pb::TableUpdate) {
        if let Some(journal) = self.run.journal.as_ref().filter(|_| self.seat == 0) {
            journal.hear(self.table);
        }
        match &mut self.mind {
            Mind::Echo { echo, .. } => {
                for event in &update.events {
                    let Some(Event::Play(event)) = &event.event else { continue };
                    let Some(said) = echo.follow(event) else { continue };
                    if let Some(at) = meant(said, self.run.start) {
                        let late = Instant::now().saturating_duration_since(at);
                        self.run.measure.delivered(self.place, late);
                    }
                }
            }
            Mind::Views { .. } => {
                if let Some(view) = update.view {
                    self.see(view);
                }
            }
        }
    }

    fn see(&mut self, view: pb::TableView) {
        let Mind::Views { table, acted, refused, fresh } = &mut self.mind else { return };
        if **acted != view.view {
            *refused = 0;
        }
        // What was meant for the game as it was may be no choice any more.
        if table.as_ref().as_ref().is_none_or(|table| table.view != view.view) {
            self.meant = None;
        }
        **table = Some(view);
        *fresh = true;
    }

    fn think(&mut self) {
        let now = Instant::now();
        match &mut self.mind {
            Mind::Echo { echo, taken } => {
                let Some(number) = echo.own_turn().filter(|number| Some(*number) != *taken) else {
                    return;
                };
                *taken = Some(number);
                let at = match self.pace {
                    Pace::Closed => now,
                    Pace::Paced { start, period } => start + period.mul_f64(number as f64),
                };
                let command = say(number, at, self.run.start);
                self.meant = Some((at, Command::Play(command)));
            }
            Mind::Views { table, acted, refused, fresh } => {
                if !std::mem::take(fresh) {
                    return;
                }
                let Some(table) = &**table else { return };
                let same = **acted == table.view;
                if same && *refused == 0 {
                    return;
                }
                if let Some(command) = choose(table, *refused) {
                    let at = match self.pace {
                        Pace::Closed => now,
                        Pace::Paced { start, period } => now.max(start) + period,
                    };
                    self.meant = Some((at, command));
                }
            }
        }
    }
}

/// What the client does at a table as it sees it.
fn choose(table: &pb::TableView, refused: u32) -> Option<Command> {
    let own = table.own_seat.and_then(|own| table.seats.iter().find(|seat| seat.seat == own));
    match (table.phase(), own) {
        (pb::Phase::InHand, Some(_)) => {
            let command = Game::choose(table.view.as_ref()?, refused)?;
            play(command).command
        }
        (pb::Phase::Waiting, Some(own)) if !own.ready && refused == 0 => {
            Some(Command::Ready(pb::Ready { ready: true }))
        }
        (pb::Phase::MatchOver, Some(own)) if own.host && refused == 0 => {
            Some(Command::Rematch(pb::Rematch {}))
        }
        // It has lost all that it brought, and brings as much again.
        (pb::Phase::Waiting, None) if refused == 0 => Some(Command::Sit(pb::Sit::default())),
        _ => None,
    }
}
