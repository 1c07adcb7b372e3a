//! Parlor: a backend for table games, in one binary.
//!
//! Each command is a file in [`command`]; [`launch`] starts and ends the services, which are
//! libraries; [`tool`] is what the commands share that talk to running services.

mod command;
mod launch;
mod tool;

use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser};

use crate::command::Command;

/// Tables are many small allocations that live for milliseconds; this allocator is made for them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A backend for table games; without a command, everything runs: `parlor run`
#[derive(Debug, Parser)]
#[command(name = "parlor", version, about, propagate_version = true)]
struct Parlor {
    #[command(subcommand)]
    command: Command,
}

fn main() -> ExitCode {
    let mut words: Vec<_> = std::env::args_os().collect();
    if words.len() == 1 {
        words.push("run".into());
    }
    let matches = Parlor::command().get_matches_from(words);
    let parlor = Parlor::from_arg_matches(&matches).unwrap_or_else(|error| error.exit());
    let result = match matches.subcommand() {
        Some((_, matches)) => parlor.command.execute(matches),
        None => parlor.command.execute(&matches),
    };
    result.unwrap_or_else(|error| {
        eprintln!("parlor: {error:#}");
        ExitCode::FAILURE
    })
}
