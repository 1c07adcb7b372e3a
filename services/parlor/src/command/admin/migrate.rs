//! The ledger's schema, brought up to date before the services of a new version start.

use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use parlor_common::secret;
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;

/// A migration reads nothing beside what it writes.
const READERS: u32 = 1;

#[derive(Debug, Args)]
pub struct Migrate {
    /// Ledger database, as settlement is given it; literally or as file:PATH
    #[arg(long, env = "PARLOR_SETTLEMENT_DATABASE_URL", hide_env_values = true,
        value_parser = secret::parse)]
    settlement_database_url: SecretString,
}

impl Migrate {
    /// Applies what has not been applied. Several may run at a time: the database lets one through.
    pub async fn execute(self) -> anyhow::Result<ExitCode> {
        let url = self.settlement_database_url.expose_secret();
        let opened = parlor_settlement::store::open(url, READERS).await;
        opened.context("the ledger's schema could not be brought up to date")?;
        println!("{}", json!({ "schema": "up to date" }));
        Ok(ExitCode::SUCCESS)
    }
}
