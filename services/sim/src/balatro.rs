//! Bots on the bare balatro engine: the greedy player, run after run.
//!
//! Only the play of a run is timed; afterwards its events are audited and counted, so that the
//! checks cost no measured time.

mod audit;
mod statistics;

use std::time::Duration;

use parlor_balatro::content::decks::Profile;
use parlor_balatro::{Balatro, Event, Options, State};
use parlor_game::{Actor, Entrant, Entropy, Game, Seat, Viewer};

use crate::Report;
use audit::audit;
use statistics::Statistics;

/// Runs between two reports of progress.
const BATCH: u64 = 64;
/// Most commands of a run before it counts as endless.
const MAX_COMMANDS: u32 = 50_000;
/// The one seat.
const PLAYER: Seat = Seat(0);

/// Plays `hands` runs of the default options.
#[must_use]
pub fn simulate(hands: u64, seed: u64, progress: &mut dyn FnMut(u64)) -> Report {
    simulate_with(&Options::default(), hands, seed, progress)
}

/// Plays `hands` runs of the profile `seed`.
#[must_use]
pub fn simulate_seed_profile(hands: u64, seed: u64, progress: &mut dyn FnMut(u64)) -> Report {
    let options = Options { profile: Profile::Seed, ..Options::default() };
    simulate_with(&options, hands, seed, progress)
}

/// Plays `hands` runs. `progress` is called with the number of runs done.
#[must_use]
pub fn simulate_with(
    options: &Options,
    hands: u64,
    seed: u64,
    progress: &mut dyn FnMut(u64),
) -> Report {
    let mut report = Report { game: Balatro::ID, hands, ..Report::default() };
    let mut statistics = Statistics::default();
    let mut spent = Duration::ZERO;
    let mut events = Vec::new();
    for number in 0..hands {
        let entropy = key(seed, number);
        let started = crate::now();
        let played = play(options, &entropy, std::mem::take(&mut events));
        spent += started.elapsed();
        let checked = played.and_then(|played| {
            audit(&played)?;
            statistics.count(&played);
            events = played.events;
            events.clear();
            Ok(())
        });
        if let Err(violation) = checked {
            report.violations += 1;
            report.first_violation.get_or_insert(format!("run {number}: {violation}"));
        }
        if (number + 1) % BATCH == 0 || number + 1 == hands {
            progress(number + 1);
        }
    }
    report.seconds = spent.as_secs_f64();
    report.hands_per_s = if report.seconds > 0.0 { hands as f64 / report.seconds } else { 0.0 };
    report.statistics = statistics.report();
    report
}

/// What a run was.
struct Played {
    state: State,
    events: Vec<Event>,
    commands: u32,
}

fn key(seed: u64, number: u64) -> Entropy {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&number.to_le_bytes());
    Entropy::from_key(key)
}

/// Plays a run; its events go into an empty list.
fn play(options: &Options, entropy: &Entropy, events: Vec<Event>) -> Result<Played, String> {
    let refused = |what: &str, refusal: parlor_game::Refusal| {
        format!("{what} was refused: {} ({refusal})", refusal.reason)
    };
    let state = Balatro::open(options).map_err(|refusal| refused("open", refusal))?;
    let mut played = Played { state, events, commands: 0 };
    let entrants = [Entrant { seat: PLAYER, stack: None }];
    let events = Balatro::deal(&played.state, &entrants, entropy);
    played.apply(events.map_err(|refusal| refused("deal", refusal))?);
    while Balatro::in_hand(&played.state) {
        if played.commands == MAX_COMMANDS {
            return Err(format!("no end within {MAX_COMMANDS} commands"));
        }
        let view = Balatro::view(&played.state, Viewer::Seat(PLAYER));
        let command = Balatro::bot(&view).ok_or("the bot has no command")?;
        let events = Balatro::decide(&played.state, Actor::Seat(PLAYER), &command, entropy);
        let events = events.map_err(|refusal| refused(&format!("{command:?}"), refusal))?;
        played.apply(events);
        played.commands += 1;
    }
    Ok(played)
}

impl Played {
    fn apply(&mut self, events: Vec<Event>) {
        for event in &events {
            Balatro::evolve(&mut self.state, event);
        }
        self.events.extend(events);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_counted_and_break_no_invariant() {
        for simulate in [simulate, simulate_seed_profile] {
            let mut done = Vec::new();
            let report = simulate(100, 7, &mut |runs| done.push(runs));
            assert_eq!((report.violations, report.first_violation), (0, None));
            assert_eq!(done, [64, 100]);
            assert!(report.statistics["mean_rounds_won"].as_f64() > Some(3.0));
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_figures() {
        let figures = |seed| simulate(20, seed, &mut |_| {}).statistics;
        assert_eq!(figures(1), figures(1));
        assert_ne!(figures(1), figures(2));
    }
}
