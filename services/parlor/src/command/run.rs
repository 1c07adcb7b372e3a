//! `parlor run`: the services.

use std::process::ExitCode;

use anyhow::Context;
use clap::{ArgMatches, Args, ValueEnum};
use parlor_common::telemetry;
use tokio::runtime::Builder;

use crate::launch::{self, Given, Settings};

/// Run all services in this process, or one of them
///
/// Without arguments everything that is needed runs here, on loopback ports, with its data in one
/// folder; the address of the web client is the only line on stdout. Every setting is a flag, an
/// environment variable and a default. Secrets may be given as file:PATH.
#[derive(Debug, Args)]
pub struct Run {
    /// What to run
    #[arg(value_enum, default_value = "all")]
    target: Target,
    #[command(flatten)]
    settings: Box<Settings>,
}

/// What one process runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Everything, for one machine
    All,
    /// The edge: players' sessions and the web client
    Gateway,
    /// Queues and private rooms
    Matchmaking,
    /// Tables
    Table,
    /// The ledger and the history
    Settlement,
}

impl Target {
    const fn service_name(self) -> &'static str {
        match self {
            Self::All => "parlor",
            Self::Gateway => "parlor-gateway",
            Self::Matchmaking => "parlor-matchmaking",
            Self::Table => "parlor-table",
            Self::Settlement => "parlor-settlement",
        }
    }
}

impl Run {
    pub fn execute(self, matches: &ArgMatches) -> anyhow::Result<ExitCode> {
        let Self { target, settings } = self;
        let given = Given::new(matches);
        let runtime = Builder::new_multi_thread().enable_all().build()?;
        runtime.block_on(async {
            let guard = telemetry::init(&settings.telemetry, target.service_name())
                .context("telemetry cannot be set up")?;
            let result = Box::pin(launch::run(target, *settings, &given, guard.registry())).await;
            guard.shutdown().await;
            result
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
