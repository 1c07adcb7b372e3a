//! The task that finishes what was begun with an operator's wallet: payouts, and buy-ins whose
//! player has stopped waiting or whose process has died.

use std::time::Duration;

use futures_util::future::join_all;
use parlor_common::Shutdown;

use crate::money::Transfer;
use crate::store::Conclusion;
use crate::wallet::Custody;
use crate::wallet::custody::Ended;

/// Transfers at a time, so that a slow operator does not hold all of them up, nor we flood it.
const AT_A_TIME: u32 = 16;
/// How often to look for work of other processes, and for tries that are due.
const POLL: Duration = Duration::from_millis(500);

/// Works until the shutdown begins.
pub(crate) async fn carry_until_the_end(custody: Custody, shutdown: Shutdown) {
    let mut end = std::pin::pin!(shutdown.begun());
    let unfinished = parlor_common::telemetry::meter()
        .u64_gauge("parlor_settlement_wallet_unfinished")
        .with_description("Transfers from or to the operator's wallet that have not ended")
        .build();
    loop {
        let carried = custody.carry().await;
        if let Ok(count) = custody.transfers.unfinished().await {
            unfinished.record(count, &[]);
        }
        if carried >= AT_A_TIME as usize && !shutdown.is_begun() {
            continue;
        }
        tokio::select! {
            biased;
            () = &mut end => return,
            () = custody.work.notified() => {}
            () = tokio::time::sleep(POLL) => {}
        }
    }
}

impl Custody {
    /// Takes one step of each transfer that is due; tells how many there were.
    pub async fn carry(&self) -> usize {
        let until_ms = self.after(self.timing.lease);
        let claimed = self.transfers.claim(AT_A_TIME, self.clock.now_ms(), until_ms).await;
        let transfers = match claimed {
            Ok(transfers) => transfers,
            Err(error) => {
                tracing::warn!(%error, "transfers could not be claimed; trying again");
                return 0;
            }
        };
        join_all(transfers.iter().map(|transfer| self.carry_one(transfer))).await;
        transfers.len()
    }

    async fn carry_one(&self, transfer: &Transfer) {
        let why = match self.step(transfer).await {
            Ok(Ended::Open(why)) => why,
            Ok(_) => return,
            Err(error) => error.to_string(),
        };
        let doublings = transfer.attempts.min(16);
        let pause = self.timing.first_pause.saturating_mul(1 << doublings);
        let due_ms = self.after(pause.min(self.timing.longest_pause));
        let order = transfer.order_key();
        tracing::warn!(order, attempts = transfer.attempts, why, "a transfer is not finished");
        let later = Conclusion::Later { why, due_ms };
        if let Err(error) = self.transfers.conclude(transfer, &later, self.clock.now_ms()).await {
            // The lease ends by itself.
            tracing::warn!(order, %error, "a transfer could not be put off");
        }
    }
}
