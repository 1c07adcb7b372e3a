//! Finds stacks whose table is gone, and sends them back to their wallets.
//!
//! A table releases its stacks itself; a hold is an orphan only when the table's log was lost. So
//! there is no hurry and every reason for care: a table counts as gone when it was gone in every
//! look for a while, and one look that cannot tell, or finds it, begins the wait anew.

use std::collections::BTreeMap;
use std::fmt;

use async_trait::async_trait;
use opentelemetry::metrics::Counter;
use parlor_common::TableId;
use parlor_common::telemetry::meter;

use crate::Error;
use crate::ledger::{HOLDS, Ledger};
use crate::money::{Release, Request, Submission};
use crate::page::PageRequest;
use crate::store::OpenHold;

/// Whether a table is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableLife {
    /// It is known, open or on its way to another pod.
    Alive,
    /// No table service knows of it.
    Gone,
    /// That cannot be said now, for example because a pod does not answer.
    Unknown,
}

/// Who knows which tables there are.
#[async_trait]
pub trait Tables: Send + Sync {
    /// Whether this table is there.
    async fn life(&self, table: TableId) -> TableLife;
}

/// What one look has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sweep {
    /// Open holds that were looked at.
    pub holds: u64,
    /// Stacks that went back.
    pub released: u64,
    /// Stacks whose table is gone, but not for long enough, or whose release was refused.
    pub suspects: u64,
}

/// Looks for orphans now and then.
pub struct Orphans {
    patience_ms: i64,
    /// Since when each table has been gone; only tables with open holds.
    gone_since: BTreeMap<TableId, i64>,
    released: Counter<u64>,
}

impl fmt::Debug for Orphans {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Orphans")
            .field("patience_ms", &self.patience_ms)
            .field("gone", &self.gone_since.len())
            .finish()
    }
}

impl Orphans {
    /// Releases stacks of tables that have been gone for `patience_ms`.
    #[must_use]
    pub fn new(patience_ms: i64) -> Self {
        let released = meter()
            .u64_counter("parlor_settlement_orphans_released")
            .with_description("Stacks of lost tables that went back to their wallets")
            .build();
        Self { patience_ms, gone_since: BTreeMap::new(), released }
    }

    /// Looks at every open hold once.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when the ledger's database is away; the next look goes on.
    pub async fn sweep(
        &mut self,
        ledger: &dyn Ledger,
        tables: &dyn Tables,
        now_ms: i64,
    ) -> Result<Sweep, Error> {
        let mut sweep = Sweep::default();
        let mut lives: BTreeMap<TableId, TableLife> = BTreeMap::new();
        let mut page = PageRequest { size: HOLDS.0, token: String::new() };
        loop {
            let holds = ledger.open_holds(None, &page).await?;
            for hold in holds.rows {
                sweep.holds += 1;
                let life = match lives.get(&hold.table) {
                    Some(life) => *life,
                    None => {
                        let life = tables.life(hold.table).await;
                        lives.insert(hold.table, life);
                        life
                    }
                };
                if life == TableLife::Gone {
                    self.consider(ledger, &hold, now_ms, &mut sweep).await?;
                }
            }
            if holds.next.is_empty() {
                break;
            }
            page.token = holds.next;
        }
        self.gone_since.retain(|table, _| lives.get(table) == Some(&TableLife::Gone));
        Ok(sweep)
    }

    async fn consider(
        &mut self,
        ledger: &dyn Ledger,
        hold: &OpenHold,
        now_ms: i64,
        sweep: &mut Sweep,
    ) -> Result<(), Error> {
        let since = *self.gone_since.entry(hold.table).or_insert(now_ms);
        if now_ms.saturating_sub(since) < self.patience_ms {
            sweep.suspects += 1;
            return Ok(());
        }
        // One key a hold, so that two processes release it once.
        let key = format!("orphan/{}", hold.id).parse()?;
        let release = Request::Release(Release::new(hold.id, hold.amount)?);
        match ledger.submit(Submission::new(key, release)?).await {
            Ok(receipt) => {
                sweep.released += 1;
                self.released.add(1, &[]);
                tracing::warn!(
                    hold = %hold.id, table = %hold.table, player = %hold.player,
                    amount = hold.amount.0, transaction = receipt.transaction,
                    "an orphaned stack went back to its wallet",
                );
            }
            Err(Error::Unavailable) => return Err(Error::Unavailable),
            // The table was not gone after all: it has posted or released in the meantime.
            Err(error) => {
                sweep.suspects += 1;
                tracing::warn!(hold = %hold.id, %error, "an orphaned stack was not released");
            }
        }
        Ok(())
    }
}
