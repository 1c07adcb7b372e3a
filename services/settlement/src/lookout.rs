//! Asks the table pods which tables are there, and has the stacks of lost ones released.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use parlor_common::locate::{TableLocator, TablePod};
use parlor_common::{Clock, Code, Failure, Shutdown, TableId};
use parlor_proto::table::v1::GetTableRequest;
use parlor_proto::table::v1::table_service_client::TableServiceClient;

use crate::ledger::Ledger;
use crate::orphans::{Orphans, TableLife, Tables};

/// How long a pod may take to say whether it has a table.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(5);

/// The tables of all pods.
#[derive(Clone)]
pub struct PodTables {
    locator: Arc<dyn TableLocator>,
}

impl PodTables {
    /// Those that this locator finds.
    #[must_use]
    pub fn new(locator: Arc<dyn TableLocator>) -> Self {
        Self { locator }
    }

    async fn look(&self, table: TableId) -> Result<(), Failure> {
        let pod = self.locator.owner(&table).await?;
        ask(pod, table).await
    }
}

async fn ask(pod: TablePod, table: TableId) -> Result<(), Failure> {
    let request = GetTableRequest { table_id: table.to_string() };
    let mut client = TableServiceClient::new(pod.channel);
    let late = |_| Failure::new(Code::Unavailable, "TABLE_POD_SLOW", "the pod does not answer");
    let answer = tokio::time::timeout(ANSWER_TIMEOUT, client.get_table(request)).await;
    answer.map_err(late)?.map(drop).map_err(Failure::from)
}

#[async_trait]
impl Tables for PodTables {
    async fn life(&self, table: TableId) -> TableLife {
        let mut looked = self.look(table).await;
        if looked.is_err() {
            // It may have moved since the pod was remembered, and that pod may be gone for good.
            self.locator.forget(&table);
            looked = self.look(table).await;
        }
        match looked {
            Ok(()) => TableLife::Alive,
            Err(failure) if failure.code == Code::NotFound => TableLife::Gone,
            // A log that cannot be read is still there, and a busy pod may own the table.
            Err(failure) => {
                tracing::debug!(%table, reason = failure.reason, "a table is not seen, nor gone");
                TableLife::Unknown
            }
        }
    }
}

/// Looks for stacks of lost tables until the shutdown begins, once in every `interval`.
pub async fn look_until_the_end(
    ledger: Arc<dyn Ledger>,
    tables: impl Tables,
    mut orphans: Orphans,
    clock: Clock,
    interval: Duration,
    shutdown: Shutdown,
) {
    let mut end = std::pin::pin!(shutdown.begun());
    loop {
        tokio::select! {
            biased;
            () = &mut end => return,
            () = tokio::time::sleep(interval) => {}
        }
        // Nobody waits for a look at the end; the next process begins anew.
        let swept = tokio::select! {
            biased;
            () = &mut end => return,
            swept = orphans.sweep(ledger.as_ref(), &tables, clock.now_ms()) => swept,
        };
        match swept {
            Ok(sweep) if sweep.suspects > 0 => {
                tracing::warn!(
                    holds = sweep.holds,
                    suspects = sweep.suspects,
                    released = sweep.released,
                    "stacks belong to tables that no pod knows",
                );
            }
            Ok(_) => {}
            Err(error) => tracing::warn!(%error, "orphans could not be looked for; trying again"),
        }
    }
}
