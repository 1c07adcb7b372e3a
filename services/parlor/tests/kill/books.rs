//! The ledger, by its own proof.

use std::path::Path;

use parlor_proto::settlement::v1::ListHoldsRequest;
use parlor_proto::settlement::v1::ledger_service_client::LedgerServiceClient;
use parlor_proto::table::v1::CloseTableRequest;
use parlor_proto::table::v1::table_service_client::TableServiceClient;
use serde_json::{Value, json};

use crate::pod::{output, until};
use crate::system::{System, channel, reach};

/// Minor units that each guest finds in the wallet: the gateways' default.
const GRANT: i64 = 100_000;

/// No money was made or lost: the books prove themselves, and what came from outside is what the
/// guests were granted.
pub async fn check(system: &System, guests: usize) {
    let reconcile = ["admin", "ledger", "reconcile", "--settlement-url", &system.settlement_url];
    let proof = output(Path::new(env!("CARGO_BIN_EXE_parlor")), &reconcile).await;
    let proof: Value = serde_json::from_str(&proof).unwrap();
    assert_eq!(proof["sum"], json!("0"), "{proof}");
    let external = system.balance("external").await;
    assert_eq!(external, -GRANT * i64::try_from(guests).unwrap(), "{guests} guests");
}

/// The same once every table is closed: no stack is left behind on a table.
pub async fn check_end(system: &System, table_ids: &[String], guests: usize) {
    for table_id in table_ids {
        until("a table to be closed", async || close(system, table_id).await).await;
    }
    let url = &system.settlement_url;
    let mut ledger = LedgerServiceClient::new(reach(url));
    until("every stack to be released", async || {
        let request = ListHoldsRequest { page_size: 1, ..ListHoldsRequest::default() };
        let holds = ledger.list_holds(request).await;
        holds.is_ok_and(|answer| answer.get_ref().holds.is_empty())
    })
    .await;
    check(system, guests).await;
}

/// Whether the table is closed; whoever does not own it says so.
async fn close(system: &System, table_id: &str) -> bool {
    for port in &system.table_ports {
        let (table_id, reason) = (table_id.to_owned(), "closed_by_operator".to_owned());
        let mut tables = TableServiceClient::new(channel(*port));
        if tables.close_table(CloseTableRequest { table_id, reason }).await.is_ok() {
            return true;
        }
    }
    false
}
