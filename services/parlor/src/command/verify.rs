//! `parlor verify`: checks a finished hand.

use std::process::ExitCode;

use clap::Args;
use parlor_table::verify::verify;

use crate::tool::hand::HandSource;
use crate::tool::json::Messages;

/// Check that a finished hand was dealt from the seeds that were committed to, and played by the
/// rules
///
/// Nothing of the table is trusted: the seeds are hashed, the cards are shuffled and every step is
/// decided again. Ends with code 1 when something does not hold.
#[derive(Debug, Args)]
pub struct Verify {
    #[command(flatten)]
    source: HandSource,
}

impl Verify {
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        let record = self.source.load(&Messages::new()?)?;
        let hand = format!("hand {} of {}", record.hand_id, record.game);
        Ok(match verify(&record) {
            Ok(verified) => {
                println!("{hand} verifies: {} steps, {} events", verified.steps, verified.events);
                if let Some(fairness) = &record.fairness {
                    println!("commitment  {}", hex::encode(&fairness.commitment));
                    println!("server seed {}", hex::encode(&fairness.server_seed));
                }
                ExitCode::SUCCESS
            }
            Err(mismatch) => {
                println!("{hand} does not verify: {mismatch}");
                ExitCode::FAILURE
            }
        })
    }
}
