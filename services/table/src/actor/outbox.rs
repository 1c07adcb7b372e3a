//! Meets a table's obligations to the ledger, one after the other, until each is confirmed.

use std::time::Duration;

use parlor_common::{Clock, HoldId, PlayerId, Shutdown, TableId, trace};
use parlor_game::shell::{Duty, Obligation, Outcome};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tracing::Instrument;

use super::Message;
use crate::treasury::{SharedTreasury, Treasure, TreasuryError};

/// First pause after the ledger could not be reached; doubled each time.
const PAUSE_FIRST: Duration = Duration::from_millis(100);
/// Longest pause between two tries.
const PAUSE_MAX: Duration = Duration::from_secs(5);

/// One obligation, with what its fulfilment needs.
pub(super) struct Errand {
    pub table: TableId,
    pub obligation: Obligation,
    /// The record of the hand, when one is to be posted.
    pub record: Vec<u8>,
    /// The trace of the command from which it follows; empty: it follows from none.
    pub origin: String,
}

/// Works on one obligation in a task of its own; the answer comes back through the mailbox.
pub(super) fn meet(
    shutdown: &Shutdown,
    halt: CancellationToken,
    treasury: SharedTreasury,
    mailbox: mpsc::WeakSender<Message>,
    errand: Errand,
) {
    let Errand { table, obligation, record, origin } = errand;
    let span = tracing::info_span!(parent: None, "duty", %table, obligation = obligation.id);
    if !origin.is_empty() {
        trace::adopt(&span, trace::context_of(&origin));
    }
    let task = async move {
        let request = treasure(table, &obligation, record);
        let mut pause = PAUSE_FIRST;
        loop {
            let outcome = match treasury.settle(&request).await {
                Ok(()) => Outcome::Met,
                Err(TreasuryError::Refused(reason)) if may_be_refused(&obligation.duty) => {
                    tracing::info!(%table, obligation = obligation.id, reason,
                        "the ledger refused a duty of table {table} for good");
                    Outcome::Refused(reason)
                }
                Err(error) => {
                    tracing::warn!(%table, obligation = obligation.id, %error,
                        "the ledger did not confirm a duty of table {table}; trying again");
                    tokio::select! {
                        biased;
                        () = tokio::time::sleep(pause) => {}
                        () = halt.cancelled() => return,
                    }
                    pause = (pause * 2).min(PAUSE_MAX);
                    continue;
                }
            };
            if let Some(mailbox) = mailbox.upgrade() {
                // The actor may have ended; the next owner finds the obligation in the log.
                let _ = mailbox.send(Message::Obligation(obligation.id, outcome)).await;
            }
            return;
        }
    };
    shutdown.spawn("table-outbox", task.instrument(span));
}

/// Only a buy-in can be refused for good: a posting or a release that the ledger refuses is a fault
/// that an operator has to see, and chips must not vanish meanwhile. Seeds that are refused must
/// not hold up the chips behind them.
const fn may_be_refused(duty: &Duty) -> bool {
    matches!(duty, Duty::Hold { .. } | Duty::Reveal { .. })
}

fn treasure(table: TableId, obligation: &Obligation, record: Vec<u8>) -> Treasure {
    let hold_key = |id: u64| format!("{table}/hold/{id}");
    let hold_id = |id: u64| HoldId::of(&hold_key(id));
    match &obligation.duty {
        Duty::Hold { player, amount, bot, .. } => Treasure::Hold {
            key: hold_key(obligation.id),
            table,
            player: PlayerId::from_bytes(player.0),
            amount: amount.0,
            bot: *bot,
        },
        Duty::PostHand { hand, changes, commission } => Treasure::PostHand {
            key: format!("{table}/{hand}"),
            table,
            changes: changes.iter().map(|(hold, change)| (hold_id(*hold), change.0)).collect(),
            commission: commission.0,
            record,
        },
        Duty::Release { hold, amount } => Treasure::Release {
            key: format!("{table}/release/{}", obligation.id),
            hold_id: hold_id(*hold),
            amount: amount.0,
        },
        Duty::Reveal { seeds } => Treasure::Reveal {
            table,
            seeds: seeds.iter().map(|(hand, seed)| (*hand, seed.clone())).collect(),
        },
    }
}

/// The record of a hand that is to be posted.
pub(super) const fn hand_of(duty: &Duty) -> Option<u64> {
    match duty {
        Duty::PostHand { hand, .. } => Some(*hand),
        _ => None,
    }
}

/// How long until a deadline, on the clock that deadlines are written in.
pub(super) fn until(clock: &Clock, deadline_ms: i64) -> Duration {
    Duration::from_millis(u64::try_from(deadline_ms - clock.now_ms()).unwrap_or(0))
}
