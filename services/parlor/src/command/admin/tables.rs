//! Tables, for operators.

use std::process::ExitCode;

use clap::Args;
use parlor_common::Failure;
use parlor_common::locate::TableLocator;
use parlor_proto::table::v1::ListTablesRequest;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use prost::Message;
use serde_json::Value;

use crate::tool::json::Messages;
use crate::tool::reach::Reach;

const SUMMARY: &str = "parlor.table.v1.TableSummary";

/// Tables asked for at a time.
const PAGE: u32 = 500;

#[derive(Debug, Args)]
pub struct ListTables {
    /// Only tables of this game
    #[arg(long, default_value = "")]
    game: String,
}

impl ListTables {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let messages = Messages::new()?;
        for pod in reach.tables()?.all().await? {
            let mut client = TableServiceClient::new(pod.channel);
            let mut page_token = String::new();
            loop {
                let game = self.game.clone();
                let request =
                    ListTablesRequest { page_size: PAGE, page_token, game, ..Default::default() };
                let answer = client.list_tables(request).await.map_err(Failure::from)?.into_inner();
                for table in &answer.tables {
                    let mut line = messages.read(SUMMARY, &table.encode_to_vec())?;
                    line["pod"] = Value::from(&*pod.address);
                    println!("{line}");
                }
                page_token = answer.next_page_token;
                if page_token.is_empty() {
                    break;
                }
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}
