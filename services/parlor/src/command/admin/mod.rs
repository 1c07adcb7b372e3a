//! `parlor admin`: what operators do to a running system.
//!
//! * [`tables`]: seeing tables.
//! * [`gateway`]: players, sessions, whatever changes something, and the record of what operators
//!   did.
//! * [`ledger`]: wallets, holds, statements, and the proof that the books are right.
//! * [`clubs`]: room cards of clubs.
//! * [`health`]: whether a service takes requests; [`migrate`]: the ledger's schema.

mod clubs;
mod gateway;
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
/// Talks to the services over gRPC; each answer is one JSON object a line. Whatever changes
/// something goes through a gateway's administration, with the caller's own token, and leaves a
/// record there.
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
    #[command(alias = "end")]
    Close(gateway::Close),
    /// Stand a player up from a table, as soon as the rules allow
    Kick(gateway::Kick),
    /// Look for a player at the gateways, kick, ban or mute it
    #[command(subcommand)]
    Player(gateway::Player),
    /// Ban addresses, for players that make themselves a new identity
    #[command(subcommand)]
    Address(gateway::Address),
    /// List the sessions of a gateway
    Sessions(gateway::Sessions),
    /// Send all players of a gateway to others
    Drain(gateway::Drain),
    /// What administrators did, the latest first
    Audit(gateway::Audit),
    /// Make a token for an administrator of the gateways
    Token(gateway::NewToken),
    /// Look into the ledger, and put money in or take it out
    #[command(subcommand)]
    Ledger(ledger::Ledger),
    /// Give a club room cards, or take them with a negative number
    Cards(clubs::Cards),
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
                Action::Player(player) => player.execute(&reach).await,
                Action::Address(address) => address.execute(&reach).await,
                Action::Sessions(sessions) => sessions.execute(&reach).await,
                Action::Drain(drain) => drain.execute(&reach).await,
                Action::Audit(audit) => audit.execute(&reach).await,
                Action::Token(token) => token.execute(),
                Action::Ledger(ledger) => ledger.execute(&reach).await,
                Action::Cards(cards) => cards.execute(&reach).await,
                Action::Health(health) => health.execute(&reach).await,
                Action::Migrate(migrate) => migrate.execute().await,
            }
        })
    }
}
