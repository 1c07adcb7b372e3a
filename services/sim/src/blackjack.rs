//! Bots on the bare blackjack engine: basic strategy against the banker.
//!
//! Rounds are played in batches. Only the play of a batch is timed; afterwards every round of it
//! is audited and counted, so that the checks cost no measured time.

mod audit;
mod statistics;
#[cfg(test)]
mod tests;

use std::time::Duration;

use parlor_blackjack::{Blackjack, Event, Options, State};
use parlor_game::{Actor, Amount, Entrant, Entropy, Game, HandResult, Refusal, Seat, Viewer};

use crate::Report;
use audit::audit;
use statistics::Statistics;

/// Rounds between two reports of progress.
const BATCH: u64 = 4_096;

/// What every seat sits down with. It is given anew before each round: this measures the game,
/// not how long a stack lasts.
const STACK: Amount = Amount(1_000_000);

/// What to simulate.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The settings of the table. The number of seats is taken from `players`.
    pub options: Options,
    /// Bots that play against the banker, 1 to 7.
    pub players: u8,
}

impl Default for Setup {
    /// The default rules and one player.
    fn default() -> Self {
        Self { options: Options::default(), players: 1 }
    }
}

/// Plays `hands` rounds of the default rules with one player.
#[must_use]
pub fn simulate(hands: u64, seed: u64, progress: &mut dyn FnMut(u64)) -> Report {
    simulate_with(&Setup::default(), hands, seed, progress)
}

/// Plays `hands` rounds. `progress` is called with the number of rounds done.
#[must_use]
pub fn simulate_with(
    setup: &Setup,
    hands: u64,
    seed: u64,
    progress: &mut dyn FnMut(u64),
) -> Report {
    let mut report = Report { game: Blackjack::ID, ..Report::default() };
    let players = setup.players.clamp(1, 7);
    let options = Options { seats: players + 1, ..setup.options.clone() };
    let mut table = match Blackjack::open(&options) {
        Ok(state) => Table { state, seed, hand: 0 },
        Err(refusal) => {
            report.violations = 1;
            report.first_violation = Some(refusal.to_string());
            return report;
        }
    };
    let entrants: Vec<_> =
        (0..=players).map(|seat| Entrant { seat: Seat(seat), stack: Some(STACK) }).collect();
    let mut statistics = Statistics::default();
    let mut elapsed = Duration::ZERO;
    let mut batch = Vec::new();
    while report.hands < hands && report.first_violation.is_none() {
        let size = BATCH.min(hands - report.hands);
        let start = crate::now();
        let played = table.play(size, &entrants, &mut batch);
        elapsed += start.elapsed();
        if let Err(refusal) = played {
            violated(&mut report, format!("a bot was refused: {}", refusal.reason));
        }
        for round in batch.drain(..) {
            report.hands += 1;
            match audit(&round, &options) {
                Ok(settlement) => statistics.count(settlement, round.commands),
                Err(violation) => violated(&mut report, violation),
            }
        }
        progress(report.hands);
    }
    report.seconds = elapsed.as_secs_f64();
    report.hands_per_s = report.hands as f64 / report.seconds.max(f64::EPSILON);
    report.statistics = statistics.report();
    report
}

fn violated(report: &mut Report, violation: String) {
    report.violations += 1;
    report.first_violation.get_or_insert(violation);
}

/// A round that was played: its last event, and the cards of the shoe after it.
struct Played {
    end: Option<Event>,
    commands: u32,
    cards_left: usize,
}

impl Played {
    fn result(&self) -> Option<&HandResult> {
        self.end.as_ref().and_then(Blackjack::hand_result)
    }
}

struct Table {
    state: State,
    seed: u64,
    hand: u64,
}

impl Table {
    fn play(
        &mut self,
        rounds: u64,
        entrants: &[Entrant],
        batch: &mut Vec<Played>,
    ) -> Result<(), Refusal> {
        for _ in 0..rounds {
            let round = self.round(entrants)?;
            batch.push(round);
        }
        Ok(())
    }

    fn round(&mut self, entrants: &[Entrant]) -> Result<Played, Refusal> {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&self.hand.to_le_bytes());
        let entropy = Entropy::from_key(key);
        self.hand += 1;
        let mut played = Played { end: None, commands: 0, cards_left: 0 };
        self.apply(Blackjack::deal(&self.state, entrants, &entropy)?, &mut played);
        while let Some(seat) = self.next_to_act() {
            let view = Blackjack::view(&self.state, Viewer::Seat(seat));
            let Some(command) = Blackjack::bot(&view) else { break };
            let events = Blackjack::decide(&self.state, Actor::Seat(seat), &command, &entropy)?;
            self.apply(events, &mut played);
            played.commands += 1;
        }
        played.cards_left = self.state.shoe().available();
        Ok(played)
    }

    fn next_to_act(&self) -> Option<Seat> {
        Blackjack::awaiting(&self.state).seats.first().map(|pending| pending.seat)
    }

    fn apply(&mut self, events: Vec<Event>, played: &mut Played) {
        for event in events {
            Blackjack::evolve(&mut self.state, &event);
            if Blackjack::hand_result(&event).is_some() {
                played.end = Some(event);
            }
        }
    }
}
