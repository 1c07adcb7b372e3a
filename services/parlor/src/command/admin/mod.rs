//! `parlor admin`: what operators do to a running system.
//!
//! * [`tables`]: seeing and ending tables, and sending players away from them.
//! * [`ledger`]: wallets, holds, statements, and the proof that the books are right.
//! * [`health`]: whether a service takes requests; [`migrate`]: the ledger's schema.

mod health;
mod ledger;
mod migrate;
mod tables;

use std::process::ExitCode;

use clap::{Args, Subcommand};
use tokio::runtime::Builder;

use crate::tool::reach::Reach;

/// Look after a running system
///
/// Talks to the services over gRPC; each answer is one JSON object a line.
#[derive(Debug, Args)]
pub struct Admin {
    #[command(subcommand)]
    action: Action,
    #[command(flatten)]
    reach: Reach,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List tables, pod by pod
    Tables(tables::ListTables),
    /// End a table: a running hand is voided and every stack goes back to its wallet. One that
    /// stands still because its log cannot be read loses that log
    Close(tables::Close),
    /// Stand a player up from a table, as soon as the rules allow
    Kick(tables::Kick),
    /// Look into the ledger, and put money in or take it out
    #[command(subcommand)]
    Ledger(ledger::Ledger),
    /// Ask a service whether it takes requests; ends with code 1 when it does not
    Health(health::Health),
    /// Bring the ledger's schema up to date
    Migrate(migrate::Migrate),
}

impl Admin {
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        let Self { action, reach } = self;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            match action {
                Action::Tables(list) => list.execute(&reach).await,
                Action::Close(close) => close.execute(&reach).await,
                Action::Kick(kick) => kick.execute(&reach).await,
                Action::Ledger(ledger) => ledger.execute(&reach).await,
                Action::Health(health) => health.execute(&reach).await,
                Action::Migrate(migrate) => migrate.execute().await,
            }
        })
    }
}
