//! Tables that this process takes on: from an owner that is gone, from one that hands them over, or
//! as its own, which it does not know of.

use parlor_common::TableId;
use tokio::time::Instant;

use super::{RECOVERY_FIRST, RECOVERY_MAX, Tables};
use crate::error::Error;
use crate::metrics::TakeOver;
use crate::store::StoreError;

impl Tables {
    /// Claims a table from an owner that is gone, as of `epoch`. `since`: when that was noticed.
    ///
    /// A claim that is not answered may have been made: then the table is this pod's, and nobody
    /// would run it.
    pub async fn take_over(&self, table: TableId, epoch: u64, since: Instant) {
        let (mut epoch, mut pause) = (epoch, RECOVERY_FIRST);
        let outcome = loop {
            let error = match self.claim(table, epoch).await {
                Ok(_) => break TakeOver::Claimed,
                Err(Error::Store(StoreError::Fenced { .. } | StoreError::Missing)) => {
                    break TakeOver::Lost;
                }
                Err(error) => error,
            };
            tracing::warn!(%table, %error, "table {table} cannot be claimed yet: {error}");
            if !matches!(error, Error::Store(StoreError::Unavailable(_))) || pause > RECOVERY_MAX {
                break TakeOver::Failed;
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
            match self.inner.setting.store.head(table).await {
                Ok(head) if head.owner == self.inner.setting.pod => epoch = head.epoch,
                Ok(head) if head.epoch != epoch => break TakeOver::Lost,
                Err(StoreError::Missing) => break TakeOver::Lost,
                Ok(_) | Err(_) => {}
            }
        };
        self.inner.setting.metrics.taken_over(outcome, since.elapsed());
    }

    /// Claims a table from its owner as of `epoch`, and runs it; gives the new epoch.
    ///
    /// # Errors
    /// [`Error::Draining`]; the store's failure when the table could not be claimed.
    pub async fn claim(&self, table: TableId, epoch: u64) -> Result<u64, Error> {
        self.check_open()?;
        let tables = self.clone();
        self.outlive("table-claim", async move { tables.claim_and_run(table, epoch).await }).await
    }

    async fn claim_and_run(&self, table: TableId, epoch: u64) -> Result<u64, Error> {
        let pod = self.inner.setting.pod;
        let claimed = self.inner.setting.store.claim(table, epoch, pod).await;
        if matches!(claimed, Err(StoreError::Unavailable(_))) {
            self.look_for(table);
        }
        let epoch = claimed?;
        match self.read(table).await {
            Ok(actor) if actor.epoch() == epoch => self.start(table, epoch, Some(actor)),
            Ok(_) => return Err(StoreError::Fenced { epoch }.into()),
            Err(error @ (Error::Unreadable | Error::RulesVersion { .. })) => {
                self.give_up(table, &error);
            }
            Err(error) => {
                tracing::warn!(%table, %error, "table {table} cannot be read yet: {error}");
                self.start(table, epoch, None);
            }
        }
        Ok(epoch)
    }

    /// Does something to its end, whatever becomes of the caller: a peer that goes away takes its
    /// request's future with it, and what is this pod's in the store has to run here too.
    pub(super) async fn outlive<T: Send + 'static>(
        &self,
        name: &'static str,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let lost = |_| Err(StoreError::Unavailable("the task has ended early".into()).into());
        self.inner.setting.shutdown.spawn(name, work).await.unwrap_or_else(lost)
    }

    /// Looks for a table whose creation or claim was not answered. It may have been made: then the
    /// table is this pod's, and nobody would run it until the next search for such tables.
    pub(super) fn look_for(&self, table: TableId) {
        let tables = self.clone();
        self.inner.setting.shutdown.spawn("table-look-for", async move {
            let halt = tables.halt().clone();
            tokio::select! {
                biased;
                () = halt.cancelled() => {}
                () = tables.find_own(table) => {}
            }
        });
    }

    async fn find_own(&self, table: TableId) {
        let mut pause = RECOVERY_FIRST;
        while pause <= RECOVERY_MAX && !self.has(table) {
            tokio::time::sleep(pause).await;
            pause *= 2;
            // One that is not there may still be on its way.
            match self.inner.setting.store.head(table).await {
                Ok(head) if head.owner == self.inner.setting.pod => {
                    return self.start(table, head.epoch, None);
                }
                Ok(_) => return,
                Err(_) => {}
            }
        }
    }
}
