//! Four bots on the bare mahjong engine.

use std::time::Duration;

use parlor_game::{Actor, Amount, Entrant, Entropy, Game, Seat};
use parlor_mahjong::bot::{self, Sight};
use parlor_mahjong::command::Command;
use parlor_mahjong::event::Event;
use parlor_mahjong::meld::MeldKind;
use parlor_mahjong::state::{Ending, State};
use parlor_mahjong::tile::{COPIES, Suit};
use parlor_mahjong::{Mahjong, Options};
use serde_json::{Map, Value, json};

use crate::Report;

/// Hands between two reports of progress.
const PROGRESS_EVERY: u64 = 1_000;
/// Most commands of one hand before it counts as endless.
const COMMANDS_MAX: u32 = 2_000;

/// Four bots play `hands` hands under the default options, each from its own sight of the hand.
///
/// Only the play is timed; every hand is checked afterwards.
#[must_use]
pub fn simulate(hands: u64, seed: u64, progress: &mut dyn FnMut(u64)) -> Report {
    simulate_with(&Options::default(), hands, seed, progress)
}

/// As [`simulate`], under other options.
#[must_use]
pub fn simulate_with(
    options: &Options,
    hands: u64,
    seed: u64,
    progress: &mut dyn FnMut(u64),
) -> Report {
    let mut tally = Tally::default();
    let mut report = Report { game: Mahjong::ID, hands, ..Report::default() };
    let mut played = Duration::ZERO;
    let mut table = None;
    for hand in 0..hands {
        let outcome = next_table(options, &mut table).and_then(|table| {
            let started = crate::now();
            let outcome = play(table, &key(seed, hand), &mut tally);
            played += started.elapsed();
            outcome.and_then(|()| check(table))
        });
        if let Err(violation) = outcome {
            report.violations += 1;
            report.first_violation.get_or_insert(format!("hand {hand}: {violation}"));
            table = None;
        }
        if hand % PROGRESS_EVERY == PROGRESS_EVERY - 1 {
            progress(hand + 1);
        }
    }
    report.seconds = played.as_secs_f64();
    report.hands_per_s = if report.seconds > 0.0 { hands as f64 / report.seconds } else { 0.0 };
    report.statistics = tally.statistics(hands);
    progress(hands);
    report
}

/// The table of the next hand: a new match when there is none, or it is over.
fn next_table<'a>(
    options: &Options,
    table: &'a mut Option<State>,
) -> Result<&'a mut State, String> {
    if table.as_ref().is_none_or(Mahjong::finished) {
        *table = Some(Mahjong::open(options).map_err(|refusal| refusal.to_string())?);
    }
    table.as_mut().ok_or_else(|| String::from("no table"))
}

/// The entropy of a hand: a function of the seed and its number.
fn key(seed: u64, hand: u64) -> Entropy {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&hand.to_le_bytes());
    Entropy::from_key(key)
}

/// Plays one hand to its end.
fn play(state: &mut State, entropy: &Entropy, tally: &mut Tally) -> Result<(), String> {
    let entrants: Vec<Entrant> =
        (0..state.options.players).map(|seat| Entrant { seat: Seat(seat), stack: None }).collect();
    let refused = |refusal: parlor_game::Refusal| refusal.reason.to_owned();
    let events = Mahjong::deal(state, &entrants, entropy).map_err(refused)?;
    apply(state, &events, tally);
    let mut commands = 0;
    while Mahjong::in_hand(state) {
        commands += 1;
        if commands > COMMANDS_MAX {
            return Err(format!("the hand did not end within {COMMANDS_MAX} commands"));
        }
        let (actor, command) = choose(state).ok_or("nobody can go on")?;
        let events = Mahjong::decide(state, actor, &command, entropy)
            .map_err(|refusal| format!("{actor:?} {command:?}: {}", refusal.reason))?;
        apply(state, &events, tally);
    }
    tally.commands += u64::from(commands);
    Ok(())
}

/// What the first that is awaited does.
fn choose(state: &State) -> Option<(Actor, Command)> {
    let awaiting = Mahjong::awaiting(state);
    match awaiting.seats.first() {
        Some(pending) => {
            let command = Sight::of_state(state, pending.seat, bot::choose).flatten();
            Some((Actor::Seat(pending.seat), command?))
        }
        None => awaiting.system.map(|system| (Actor::System, system.command)),
    }
}

fn apply(state: &mut State, events: &[Event], tally: &mut Tally) {
    for event in events {
        Mahjong::evolve(state, event);
        tally.count(event);
    }
}

/// No money is made or lost, every tile is somewhere, and the sheet has the hand.
fn check(state: &State) -> Result<(), String> {
    let round = state.round.as_ref().ok_or("the hand is gone")?;
    let sum: Amount = round.books.nets.iter().copied().sum();
    if sum != Amount::ZERO {
        return Err(format!("the hand sums to {sum}"));
    }
    if state.sheet.hands.last() != Some(&round.books.nets) {
        return Err(String::from("the score sheet lacks the hand"));
    }
    let tiles = round.tiles_in_all();
    let whole = |suit: &Suit| tiles.suit(*suit).iter().all(|count| *count == COPIES);
    if !Suit::in_play(state.options.players).iter().all(whole) {
        return Err(format!("the tiles are {tiles:?}"));
    }
    Ok(())
}

/// What happened over all hands.
#[derive(Default)]
struct Tally {
    commands: u64,
    draws: u64,
    self_draws: u64,
    discard_wins: u64,
    robbed_kongs: u64,
    kongs: [u64; 3],
    pungs: u64,
    walls_empty: u64,
    wins: u64,
    fan: u64,
}

impl Tally {
    fn count(&mut self, event: &Event) {
        match event {
            Event::Drew { .. } => self.draws += 1,
            Event::PungMade { .. } => self.pungs += 1,
            Event::KongMade { kind, .. } => match kind {
                MeldKind::DirectKong => self.kongs[0] += 1,
                MeldKind::AddedKong => self.kongs[1] += 1,
                MeldKind::ConcealedKong => self.kongs[2] += 1,
                MeldKind::Pung => {}
            },
            Event::KongRobbed { .. } => self.robbed_kongs += 1,
            Event::Won { source, score, .. } => {
                self.wins += 1;
                self.fan += u64::from(score.raw);
                if source.is_draw() {
                    self.self_draws += 1;
                } else {
                    self.discard_wins += 1;
                }
            }
            Event::HandEnded { ending: Ending::WallEmpty, .. } => self.walls_empty += 1,
            _ => {}
        }
    }

    fn statistics(&self, hands: u64) -> Map<String, Value> {
        let per_hand = |count: u64| json!(ratio(count, hands));
        let mut statistics = Map::new();
        for (name, value) in [
            ("commands_per_hand", per_hand(self.commands)),
            ("draws_per_hand", per_hand(self.draws)),
            ("wins_per_hand", per_hand(self.wins)),
            ("raw_fan_per_win", json!(ratio(self.fan, self.wins))),
            ("self_draw_rate", json!(ratio(self.self_draws, self.wins))),
            ("discard_wins", json!(self.discard_wins)),
            ("wall_empty_rate", per_hand(self.walls_empty)),
            ("pungs_per_hand", per_hand(self.pungs)),
            ("direct_kongs", json!(self.kongs[0])),
            ("added_kongs", json!(self.kongs[1])),
            ("concealed_kongs", json!(self.kongs[2])),
            ("robbed_kongs", json!(self.robbed_kongs)),
        ] {
            statistics.insert(String::from(name), value);
        }
        statistics
    }
}

fn ratio(count: u64, of: u64) -> f64 {
    if of == 0 { 0.0 } else { count as f64 / of as f64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_time(report: Report) -> Report {
        Report { seconds: 0.0, hands_per_s: 0.0, ..report }
    }

    #[test]
    fn bots_play_under_any_number_of_players_without_a_violation() {
        for players in [3, 4] {
            let options = Options { players, ..Options::default() };
            let report = simulate_with(&options, 300, 1, &mut |_| {});
            assert_eq!(report.first_violation, None);
            let wins = report.statistics["wins_per_hand"].as_f64().unwrap_or_default();
            assert!(wins > 1.0, "{wins} wins a hand");
        }
    }

    #[test]
    fn the_same_seed_plays_the_same_hands() {
        let run = |seed| format!("{:?}", without_time(simulate(50, seed, &mut |_| {})));
        assert_eq!(run(5), run(5));
        assert_ne!(run(5), run(6));
    }

    #[test]
    fn options_out_of_range_are_violations_not_panics() {
        let options = Options { players: 9, ..Options::default() };
        assert_eq!(simulate_with(&options, 3, 1, &mut |_| {}).violations, 3);
    }
}
