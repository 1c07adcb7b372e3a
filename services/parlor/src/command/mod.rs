//! The commands, one in each file.

mod admin;
mod bench;
mod evaluate;
mod replay;
mod run;
mod simulate;
mod verify;

use std::process::ExitCode;

use clap::{ArgMatches, Subcommand};

pub use run::Target;

/// What the binary can be told to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    Run(run::Run),
    Evaluate(evaluate::Evaluate),
    Simulate(simulate::Simulate),
    Bench(Box<bench::Bench>),
    Verify(verify::Verify),
    Replay(replay::Replay),
    Admin(admin::Admin),
}

impl Command {
    /// Carries the command out; its exit code tells whether all was well. `matches` are those of
    /// the command itself.
    pub fn execute(self, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
        match self {
            Self::Run(run) => run.execute(matches),
            Self::Evaluate(evaluate) => evaluate.execute(),
            Self::Simulate(simulate) => simulate.execute(),
            Self::Bench(bench) => bench.execute(),
            Self::Verify(verify) => verify.execute(),
            Self::Replay(replay) => replay.execute(),
            Self::Admin(admin) => admin.execute(),
        }
    }
}
