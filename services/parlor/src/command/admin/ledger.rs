//! The ledger, for operators.

use std::process::ExitCode;

use clap::Subcommand;
use parlor_common::client::PeerChannel;
use parlor_common::{Failure, PlayerId, TableId};
use parlor_proto::settlement::v1::ledger_service_client::LedgerServiceClient;
use parlor_proto::settlement::v1::{
    GetBalanceRequest, ListEntriesRequest, ListHoldsRequest, ReconcileRequest,
};
use prost::Message;
use tonic::Response;

use super::gateway::Deposit;
use crate::tool::json::Messages;
use crate::tool::reach::Reach;

/// Open holds asked for at a time.
const HOLDS_PAGE: u32 = 500;

#[derive(Debug, Subcommand)]
pub enum Ledger {
    /// What a player has in the wallet and on tables
    Balance {
        /// The player's id
        player: PlayerId,
    },
    /// Put money into a wallet, or take it out with a negative amount; through the gateway, with a
    /// record of it
    Deposit(Deposit),
    /// The last entries of a player's wallet, newest first
    Entries {
        /// The player's id
        player: PlayerId,
        /// How many
        #[arg(long, default_value_t = 50)]
        most: u32,
    },
    /// Stacks that are on tables now
    Holds {
        /// Only of this table
        #[arg(long)]
        table: Option<TableId>,
    },
    /// Prove that the books are right; ends with code 1 when they are not
    Reconcile,
}

type Client = LedgerServiceClient<PeerChannel>;

impl Ledger {
    pub async fn execute(self, reach: &Reach) -> anyhow::Result<ExitCode> {
        if let Self::Deposit(deposit) = self {
            return deposit.execute(reach).await;
        }
        let client = &mut LedgerServiceClient::new(reach.settlement()?);
        match self {
            Self::Balance { player } => {
                let request = GetBalanceRequest { player_id: player.to_string() };
                print("GetBalanceResponse", client.get_balance(request).await)?;
            }
            Self::Deposit(_) => {}
            Self::Entries { player, most } => {
                let player_id = player.to_string();
                let request =
                    ListEntriesRequest { player_id, page_size: most, ..Default::default() };
                for entry in answer(client.list_entries(request).await)?.entries {
                    print_message("Entry", &entry)?;
                }
            }
            Self::Holds { table } => list_holds(client, table).await?,
            Self::Reconcile => return reconcile(client).await,
        }
        Ok(ExitCode::SUCCESS)
    }
}

async fn list_holds(client: &mut Client, table: Option<TableId>) -> anyhow::Result<()> {
    let table_id = table.map(|table| table.to_string()).unwrap_or_default();
    let mut page_token = String::new();
    loop {
        let table_id = table_id.clone();
        let request = ListHoldsRequest { table_id, page_size: HOLDS_PAGE, page_token };
        let page = answer(client.list_holds(request).await)?;
        for hold in &page.holds {
            print_message("OpenHold", hold)?;
        }
        if page.next_page_token.is_empty() {
            return Ok(());
        }
        page_token = page.next_page_token;
    }
}

async fn reconcile(client: &mut Client) -> anyhow::Result<ExitCode> {
    let proof = answer(client.reconcile(ReconcileRequest {}).await)?;
    print_message("ReconcileResponse", &proof)?;
    let faults = [
        proof.mismatches,
        proof.overdrawn,
        proof.broken_links,
        proof.unbalanced,
        proof.damaged_records,
    ];
    let sound = proof.sum == 0 && faults.iter().all(|count| *count == 0);
    Ok(if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn answer<M>(result: Result<Response<M>, tonic::Status>) -> anyhow::Result<M> {
    Ok(result.map_err(Failure::from)?.into_inner())
}

fn print<M: Message>(name: &str, result: Result<Response<M>, tonic::Status>) -> anyhow::Result<()> {
    print_message(name, &answer(result)?)
}

/// Prints a message of the settlement protocol as a line of JSON.
fn print_message<M: Message>(name: &str, message: &M) -> anyhow::Result<()> {
    let name = format!("parlor.settlement.v1.{name}");
    println!("{}", Messages::new()?.read(&name, &message.encode_to_vec())?);
    Ok(())
}
