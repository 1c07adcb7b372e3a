//! Runs the whole system from seeds.
//!
//! ```sh
//! cargo run --release -p parlor-sim --example system -- --seeds 10000
//! cargo run --release -p parlor-sim --example system -- --seed 17 --aloud
//! ```

use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use clap::Parser;
use parlor_sim::system::{Mutation, Outcome, Plan, Telling, simulate};

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
}

/// What runs one seed again.
const REPLAY: &str = "cargo run --release -p parlor-sim --example system --";

fn mutation(name: &str) -> Result<Mutation, String> {
    let named = Mutation::ALL.iter().find(|(known, _)| *known == name);
    let names: Vec<&str> = Mutation::ALL.iter().map(|(name, _)| *name).collect();
    named.map(|(_, mutation)| *mutation).ok_or_else(|| format!("one of {}", names.join(", ")))
}

#[derive(Default)]
struct Sum {
    failed: u64,
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
        self.entries += outcome.tally.entries;
        self.acknowledged += outcome.tally.acknowledged;
        self.hands += outcome.tally.hands;
        self.takeovers += outcome.tally.takeovers;
        self.updates += outcome.tally.updates;
        self.simulated_ms += outcome.simulated_ms;
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
            let outcome = match simulate(Plan { seed, mutation: arguments.mutation, telling }) {
                Ok(outcome) => outcome,
                Err(error) => {
                    eprintln!("there is no runtime: {error}");
                    return;
                }
            };
            if let Some(violation) = &outcome.violation {
                println!("seed {seed}: {violation}");
                println!("    {REPLAY} --seed {seed} --aloud");
            }
            if seeds == 1 {
                let Outcome { trace, steps, simulated_ms, tally, .. } = &outcome;
                println!("seed {seed}: trace {trace:016x}, {steps} steps, {simulated_ms} ms");
                println!("{tally:?}");
            }
            if let Ok(mut sum) = sum.lock() {
                sum.add(&outcome);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(work);
        }
    });
    let sum = sum.into_inner().unwrap_or_default();
    println!(
        "{seeds} seeds, {} failed, in {:.1} s: {:.1} hours simulated, {} entries, {} hands, {} \
         requests acknowledged, {} updates, {} take-overs",
        sum.failed,
        started.elapsed().as_secs_f64(),
        sum.simulated_ms as f64 / 3_600_000.0,
        sum.entries,
        sum.hands,
        sum.acknowledged,
        sum.updates,
        sum.takeovers,
    );
    if sum.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
