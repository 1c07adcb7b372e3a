//! Runs the whole system from seeds.
//!
//! ```sh
//! cargo run --release -p parlor-sim --example system -- --seeds 10000
//! cargo run --release -p parlor-sim --example system -- --seed 17 --aloud
//! cargo run --release -p parlor-sim --example system -- --seeds 200 --crash settle:before
//! ```

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use parlor_sim::system::{Crash, Game, Moment, Mutation, Outcome, Plan, Telling, simulate};

/// Run the whole system under simulated time, network and stores, and check what must always hold
///
/// Ends with code 1 when a seed failed. A failing seed prints the command that runs it again.
#[derive(Debug, Parser)]
struct Arguments {
    /// Only this seed
    #[arg(long, conflicts_with_all = ["seeds", "from"])]
    seed: Option<u64>,
    /// How many seeds
    #[arg(long, default_value_t = 200)]
    seeds: u64,
    /// The first seed
    #[arg(long, default_value_t = 0)]
    from: u64,
    /// Threads; 0: as many as there are cores
    #[arg(long, default_value_t = 0)]
    threads: usize,
    /// Tell each step on standard error
    #[arg(long)]
    aloud: bool,
    /// Put a fault of ours in, to see it caught
    #[arg(long, value_parser = mutation)]
    mutation: Option<Mutation>,
    /// Let matchmakers die at this step of theirs, such as claim:before or create_table:after
    #[arg(long, value_parser = crash)]
    crash: Option<Crash>,
}

/// Seeds after which it says how far it is.
const TOLD_EVERY: u64 = 500;

/// What runs one seed again.
const REPLAY: &str = "cargo run --release -p parlor-sim --example system --";

fn mutation(name: &str) -> Result<Mutation, String> {
    let named = Mutation::ALL.iter().find(|(known, _)| *known == name);
    let names: Vec<&str> = Mutation::ALL.iter().map(|(name, _)| *name).collect();
    named.map(|(_, mutation)| *mutation).ok_or_else(|| format!("one of {}", names.join(", ")))
}

fn crash(text: &str) -> Result<Crash, String> {
    match text.split_once(':') {
        // It lives as long as the process.
        Some((step, "before")) => {
            Ok(Crash { step: step.to_owned().leak(), moment: Moment::Before })
        }
        Some((step, "after")) => Ok(Crash { step: step.to_owned().leak(), moment: Moment::After }),
        _ => Err("a step with :before or :after".to_owned()),
    }
}

#[derive(Default)]
struct Sum {
    failed: u64,
    games: [u64; 3],
    tables: u64,
    rooms: u64,
    matches: u64,
    resumed: u64,
    elsewhere: u64,
    replaced: u64,
    entries: u64,
    acknowledged: u64,
    hands: u64,
    takeovers: u64,
    updates: u64,
    simulated_ms: u64,
}

impl Sum {
    fn add(&mut self, outcome: &Outcome) {
        self.failed += u64::from(outcome.violation.is_some());
        let game = match outcome.game {
            Game::Blackjack => 0,
            Game::Mahjong => 1,
            Game::Balatro => 2,
        };
        self.games[game] += 1;
        self.tables += outcome.tally.tables;
        self.rooms += outcome.tally.rooms;
        self.matches += outcome.tally.matches;
        self.resumed += outcome.tally.resumed;
        self.elsewhere += outcome.tally.elsewhere;
        self.replaced += outcome.tally.replaced;
        self.entries += outcome.tally.entries;
        self.acknowledged += outcome.tally.acknowledged;
        self.hands += outcome.tally.hands;
        self.takeovers += outcome.tally.takeovers;
        self.updates += outcome.tally.updates;
        self.simulated_ms += outcome.simulated_ms;
    }
}

impl Sum {
    fn tell(&self) {
        let hours = self.simulated_ms as f64 / 3_600_000.0;
        let [blackjack, mahjong, balatro] = self.games;
        println!(
            "{hours:.1} hours simulated; {blackjack} runs of blackjack, {mahjong} of mahjong, \
             {balatro} of balatro"
        );
        println!(
            "{} matches claimed, {} tables, {} of them rooms, {} hands, {} take-overs",
            self.matches, self.tables, self.rooms, self.hands, self.takeovers
        );
        println!(
            "{} entries, {} requests acknowledged, {} updates, {} sessions resumed, {} of them at \
             another gateway, {} replaced",
            self.entries,
            self.acknowledged,
            self.updates,
            self.resumed,
            self.elsewhere,
            self.replaced
        );
    }
}

#[expect(clippy::disallowed_methods, reason = "a simulation measures real time")]
fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let (from, seeds) = arguments.seed.map_or((arguments.from, arguments.seeds), |one| (one, 1));
    let telling = if arguments.aloud { Telling::Aloud } else { Telling::Silent };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = if arguments.threads == 0 { cores } else { arguments.threads };
    let (next, sum) = (AtomicU64::new(from), Mutex::new(Sum::default()));
    let started = Instant::now();
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= from.saturating_add(seeds) {
                return;
            }
            let Arguments { mutation, crash, .. } = arguments;
            let outcome = match simulate(Plan { seed, mutation, crash, telling }) {
                Ok(outcome) => outcome,
                Err(error) => {
                    eprintln!("there is no runtime: {error}");
                    return;
                }
            };
            if let Some(violation) = &outcome.violation {
                println!("seed {seed}: {violation}");
                for step in outcome.latest.iter().filter(|_| telling == Telling::Silent) {
                    println!("    {step}");
                }
                println!("    {REPLAY} --seed {seed} --aloud{}", also(&arguments));
            }
            if seeds == 1 {
                let Outcome { trace, steps, simulated_ms, tally, .. } = &outcome;
                println!("seed {seed}: trace {trace:016x}, {steps} steps, {simulated_ms} ms");
                println!("{tally:?}");
            }
            if let Ok(mut sum) = sum.lock() {
                sum.add(&outcome);
                let done = sum.games.iter().sum::<u64>();
                if done % TOLD_EVERY == 0 {
                    eprintln!("{done} of {seeds} seeds, {} failed", sum.failed);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    let sum = sum.into_inner().unwrap_or_default();
    println!("{seeds} seeds, {} failed, in {:.1} s", sum.failed, started.elapsed().as_secs_f64());
    sum.tell();
    if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What of a run besides its seed makes it what it is.
fn also(arguments: &Arguments) -> String {
    let mut also = String::new();
    let named = |known: &&(&str, Mutation)| arguments.mutation == Some(known.1);
    if let Some((name, _)) = Mutation::ALL.iter().find(named) {
        also += &format!(" --mutation {name}");
    }
    if let Some(Crash { step, moment }) = arguments.crash {
        let moment = match moment {
            Moment::Before => "before",
            Moment::After => "after",
        };
        also += &format!(" --crash {step}:{moment}");
    }
    also
}
