//! Four bots on the bare mahjong engine.

use std::time::Instant;

use parlor_game::{Actor, Amount, Entrant, Entropy, Game, Seat};
use parlor_mahjong::bot::{self, Sight};
use parlor_mahjong::command::Command;
use parlor_mahjong::event::Event;
use parlor_mahjong::meld::MeldKind;
use parlor_mahjong::state::{Ending, Round, State};
use parlor_mahjong::tile::{COPIES, Suit};
use parlor_mahjong::{Mahjong, Options};
use serde_json::{Map, Value, json};

use crate::Report;

/// Hands between two reports of progress.
const PROGRESS_EVERY: u64 = 1_000;
/// Most commands of one hand before it counts as endless.
const COMMANDS_MAX: u32 = 2_000;

/// Four bots play `hands` hands under the default options, each from its own sight of the hand.
pub fn simulate(hands: u64, seed: u64, progress: &mut dyn FnMut(u64)) -> Report {
    let options = Options::default();
    let mut tally = Tally::default();
    let mut report = Report { game: Mahjong::ID, ..Report::default() };
    let started = Instant::now();
    let mut table = open(&options);
    for hand in 0..hands {
        if Mahjong::finished(&table) {
            table = open(&options);
        }
        if let Err(violation) = play(&mut table, &key(seed, hand), &mut tally) {
            report.violations += 1;
            report.first_violation.get_or_insert(format!("hand {hand}: {violation}"));
            table = open(&options);
        }
        if hand % PROGRESS_EVERY == PROGRESS_EVERY - 1 {
            progress(hand + 1);
        }
    }
    report.hands = hands;
    report.seconds = started.elapsed().as_secs_f64();
    report.hands_per_s = if report.seconds > 0.0 { hands as f64 / report.seconds } else { 0.0 };
    report.statistics = tally.statistics(hands);
    progress(hands);
    report
}

fn open(options: &Options) -> State {
    Mahjong::open(options).unwrap_or_else(|refusal| panic!("the default options: {refusal}"))
}

/// The entropy of a hand: a function of the seed and its number.
fn key(seed: u64, hand: u64) -> Entropy {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    key[8..16].copy_from_slice(&hand.to_le_bytes());
    Entropy::from_key(key)
}

/// Plays one hand to its end and checks it.
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
    match &state.round {
        Some(round) => check(round),
        None => Err(String::from("no hand")),
    }
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

/// No money is made or lost, and every tile is somewhere.
fn check(round: &Round) -> Result<(), String> {
    let sum: Amount = round.books.nets.iter().copied().sum();
    if sum != Amount::ZERO {
        return Err(format!("the hand sums to {sum}"));
    }
    let tiles = round.tiles_in_all();
    let whole = |suit: &Suit| tiles.suit(*suit).iter().all(|count| *count == COPIES);
    if !Suit::ALL.iter().all(whole) {
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
