//! A finished hand, from a file or from the settlement service.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use clap::Args;
use parlor_common::HandId;
use parlor_common::locate::TableLocator;
use parlor_proto::settlement::v1::history_service_client::HistoryServiceClient;
use parlor_proto::settlement::v1::{GetHandRequest, HandRecord};
use parlor_proto::table::v1::RevealDailySeedRequest;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use prost::Message;
use tokio::runtime::Builder;

use super::json::Messages;
use super::reach::Reach;

/// Full name of the message that a file holds.
pub const RECORD: &str = "parlor.settlement.v1.HandRecord";

/// Largest hand that is fetched; a long roguelike run has thousands of steps.
const MAX_HAND_BYTES: usize = 64 << 20;

/// Which hand.
#[derive(Debug, Args)]
pub struct HandSource {
    /// A file that `parlor replay --json` has written (or a serialized HandRecord), or the id of a
    /// hand: TABLE/NUMBER
    #[arg(value_name = "HAND")]
    hand: String,
    #[command(flatten)]
    reach: Reach,
}

impl HandSource {
    /// Reads the file, or fetches the hand.
    pub fn load(&self, messages: &Messages) -> anyhow::Result<HandRecord> {
        let path = Path::new(&self.hand);
        if path.is_file() {
            return read(path, messages).with_context(|| format!("reading {}", path.display()));
        }
        let Ok(id) = self.hand.parse() else {
            bail!("{} is neither a file nor the id of a hand (TABLE/NUMBER)", self.hand);
        };
        let runtime = Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(self.fetch(id))
    }

    async fn fetch(&self, id: HandId) -> anyhow::Result<HandRecord> {
        let mut client = HistoryServiceClient::new(self.reach.settlement()?)
            .max_decoding_message_size(MAX_HAND_BYTES);
        let request = GetHandRequest { hand_id: id.to_string(), player_id: String::new() };
        let answer = client.get_hand(request).await.map_err(parlor_common::Failure::from)?;
        let mut record =
            answer.into_inner().hand.context("settlement answered without the hand")?;
        self.reveal(&mut record).await?;
        Ok(record)
    }

    /// Adds the seed of a daily challenge that is over: records are kept without it.
    async fn reveal(&self, record: &mut HandRecord) -> anyhow::Result<()> {
        let Some(fairness) = &mut record.fairness else { return Ok(()) };
        let day = record.run.as_ref().map_or("", |run| &run.daily);
        if day.is_empty() || !fairness.server_seed.is_empty() {
            return Ok(());
        }
        let Some(pod) = self.reach.tables()?.all().await?.into_iter().next() else { return Ok(()) };
        let request = RevealDailySeedRequest { game: record.game.clone(), day: day.to_owned() };
        match TableServiceClient::new(pod.channel).reveal_daily_seed(request).await {
            Ok(answer) => fairness.server_seed = answer.into_inner().server_seed,
            // The hand is told all the same; it just does not verify yet.
            Err(status) => eprintln!("{}", parlor_common::Failure::from(status)),
        }
        Ok(())
    }
}

fn read(path: &Path, messages: &Messages) -> anyhow::Result<HandRecord> {
    let bytes = fs::read(path)?;
    if bytes.trim_ascii_start().first() == Some(&b'{') {
        let text = str::from_utf8(&bytes).context("the file is no text")?;
        return messages.parse(RECORD, text).context("the file holds no hand");
    }
    HandRecord::decode(&*bytes).context("the file holds no hand")
}
