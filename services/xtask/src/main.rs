//! Chores of this repository: `cargo xtask tidy`.
//!
//! [`tidy`] checks what rustfmt and clippy cannot: sizes, layout, which way dependencies point.

mod tidy;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Chores of this repository
#[derive(Debug, Parser)]
struct Xtask {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Debug, Subcommand)]
enum Chore {
    /// Check sizes, layout and dependencies; print what is out of order
    Tidy {
        /// The tree to check; by default the one that this was built from
        #[arg(long)]
        root: Option<PathBuf>,
    },
}

fn workspace() -> PathBuf {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().nth(2).unwrap_or(own).to_owned()
}

fn main() -> anyhow::Result<ExitCode> {
    let Chore::Tidy { root } = Xtask::parse().chore;
    let faults = tidy::check(&root.unwrap_or_else(workspace))?;
    for fault in &faults {
        eprintln!("{fault}");
    }
    if faults.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    eprintln!("{} faults", faults.len());
    Ok(ExitCode::FAILURE)
}
