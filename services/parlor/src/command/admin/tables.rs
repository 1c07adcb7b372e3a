//! Tables, for operators.

use std::process::ExitCode;

use clap::Args;
use parlor_common::locate::TableLocator;
use parlor_common::{Code, Failure, PlayerId, TableId};
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use parlor_proto::table::v1::{
    ActRequest, CloseTableRequest, Command, ListTablesRequest, StandUp, command,
};
use prost::Message;
use serde_json::{Value, json};

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

#[derive(Debug, Args)]
pub struct Close {
    /// The table's id
    table: TableId,
    /// Stable reason that its players are told
    #[arg(long, default_value = "closed_by_operator")]
    reason: String,
}

impl Close {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let table_id = self.table.to_string();
        let mut last = Failure::new(Code::NotFound, "TABLE_NOT_FOUND", "no pod has such a table");
        // Pod by pod: one that stands still has an owner that will not answer for it.
        for pod in reach.tables()?.all().await? {
            let request =
                CloseTableRequest { table_id: table_id.clone(), reason: self.reason.clone() };
            let mut client = TableServiceClient::new(pod.channel);
            match client.close_table(request).await.map_err(Failure::from) {
                Ok(_) => {
                    println!("{}", json!({ "tableId": table_id, "closed": true }));
                    return Ok(ExitCode::SUCCESS);
                }
                // What tells more than that it is not there.
                Err(failure) if failure.code != Code::NotFound => last = failure,
                Err(_) => {}
            }
        }
        Err(last.into())
    }
}

#[derive(Debug, Args)]
pub struct Kick {
    /// The table's id
    table: TableId,
    /// The player's id
    player: PlayerId,
}

impl Kick {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        let pod = reach.tables()?.owner(&self.table).await?;
        let request = ActRequest {
            table_id: self.table.to_string(),
            player_id: self.player.to_string(),
            request_id: TableId::random().to_string(),
            command: Some(Command { command: Some(command::Command::StandUp(StandUp {})) }),
            ..Default::default()
        };
        let answer = TableServiceClient::new(pod.channel).act(request).await;
        let log_seq = answer.map_err(Failure::from)?.into_inner().log_seq;
        println!("{}", json!({ "tableId": self.table.to_string(), "logSeq": log_seq }));
        Ok(ExitCode::SUCCESS)
    }
}
