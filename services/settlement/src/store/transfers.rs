// Compiled once for each database (see `mod.rs`): what a wallet outside is asked to do.

use async_trait::async_trait;
use sqlx::{query, query_as, query_scalar};

use super::{Backend, Database};
use crate::money::{Changes, Chips, Debit, Transfer, TransferKind, TransferState};
use crate::store::{Begun, Conclusion, StoreError, Transfers, damaged};

type Handle = <Backend as sqlx::Database>::Connection;
/// Hold, kind, generation, key of the hold, table, player, amount, state, attempts.
type TransferRow = (String, String, i64, String, String, String, i64, String, i64);

fn transfer(row: TransferRow) -> Result<Transfer, StoreError> {
    let (hold, kind, generation, key, table, player, amount, state, attempts) = row;
    let small = |number| u32::try_from(number).map_err(|_| damaged("a number of a transfer"));
    Ok(Transfer {
        hold: hold.parse().map_err(|_| damaged("a hold"))?,
        kind: TransferKind::from_name(&kind).ok_or_else(|| damaged("a kind of transfer"))?,
        generation: small(generation)?,
        key: key.parse().map_err(|_| damaged("a key"))?,
        table: table.parse().map_err(|_| damaged("a table"))?,
        player: player.parse().map_err(|_| damaged("a player"))?,
        amount: Chips(amount),
        state: TransferState::from_name(&state).ok_or_else(|| damaged("a state"))?,
        attempts: small(attempts)?,
    })
}

/// Writes down what has to be paid out, in the transaction that releases the stacks.
pub(super) async fn save_payouts(
    connection: &mut Handle,
    changes: &Changes,
) -> Result<(), StoreError> {
    for (hold, left, time_ms) in &changes.payouts {
        let settle = Transfer {
            hold: hold.id,
            kind: TransferKind::Settle,
            generation: 1,
            // The hold's own key is not known here, nor needed.
            key: hold.id.to_string().parse().map_err(|_| damaged("a hold"))?,
            table: hold.table,
            player: hold.player,
            amount: *left,
            state: TransferState::Pending,
            attempts: 0,
        };
        insert(&mut *connection, &settle, *time_ms, *time_ms).await?;
    }
    Ok(())
}

/// Inserts a transfer; false when there is one with this hold, kind and generation already.
async fn insert(
    connection: &mut Handle,
    transfer: &Transfer,
    due_ms: i64,
    now_ms: i64,
) -> Result<bool, StoreError> {
    let inserted = query(
        "INSERT INTO transfers (hold_id, kind, generation, hold_key, table_id, player_id, amount,
                                state, outcome, attempts, due_ms, created_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7, 'pending', '', 0, $8, $9) ON CONFLICT DO NOTHING",
    )
    .bind(transfer.hold.to_string())
    .bind(transfer.kind.name())
    .bind(i64::from(transfer.generation))
    .bind(transfer.key.as_str())
    .bind(transfer.table.to_string())
    .bind(transfer.player.to_string())
    .bind(transfer.amount.0)
    .bind(due_ms)
    .bind(now_ms)
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

/// Makes a change to a transfer that has not ended; false when it has.
async fn change(
    connection: &mut Handle,
    transfer: &Transfer,
    from: TransferState,
    to: TransferState,
    outcome: &str,
    due_ms: i64,
) -> Result<bool, StoreError> {
    let changed = query(
        "UPDATE transfers SET state = $5, outcome = $6, due_ms = $7, attempts = attempts + 1
         WHERE hold_id = $1 AND kind = $2 AND generation = $3 AND state = $4",
    )
    .bind(transfer.hold.to_string())
    .bind(transfer.kind.name())
    .bind(i64::from(transfer.generation))
    .bind(from.name())
    .bind(to.name())
    .bind(outcome)
    .bind(due_ms)
    .execute(connection)
    .await?;
    Ok(changed.rows_affected() == 1)
}

#[async_trait]
impl Transfers for Database {
    async fn begin(&self, debit: &Debit, now_ms: i64, until_ms: i64) -> Result<Begun, StoreError> {
        let mut transaction = self.side().begin_with(super::WRITE).await?;
        let latest: Option<TransferRow> = query_as(
            "SELECT hold_id, kind, generation, hold_key, table_id, player_id, amount, state,
                    attempts
             FROM transfers WHERE hold_id = $1 AND kind = 'debit'
             ORDER BY generation DESC LIMIT 1",
        )
        .bind(debit.hold.to_string())
        .fetch_optional(&mut *transaction)
        .await?;
        let latest = latest.map(transfer).transpose()?;
        if latest.as_ref().is_some_and(|latest| !debit.is_asked_by(latest)) {
            return Ok(Begun::Conflict);
        }
        let generation = match latest {
            Some(paid) if paid.state == TransferState::Paid => return Ok(Begun::Paid(paid)),
            Some(done) if done.state == TransferState::Done => return Ok(Begun::Paid(done)),
            Some(pending) if pending.state == TransferState::Pending => {
                let claimed = query(
                    "UPDATE transfers SET due_ms = $3
                     WHERE hold_id = $1 AND kind = 'debit' AND generation = $2
                         AND state = 'pending' AND due_ms <= $4",
                )
                .bind(pending.hold.to_string())
                .bind(i64::from(pending.generation))
                .bind(until_ms)
                .bind(now_ms)
                .execute(&mut *transaction)
                .await?;
                transaction.commit().await?;
                let claimed = claimed.rows_affected() == 1;
                return Ok(if claimed { Begun::Pending(pending) } else { Begun::Busy });
            }
            Some(refused) => refused.generation.saturating_add(1),
            None => 1,
        };
        let fresh = debit.transfer(generation);
        let inserted = insert(&mut transaction, &fresh, until_ms, now_ms).await?;
        transaction.commit().await?;
        Ok(if inserted { Begun::Pending(fresh) } else { Begun::Busy })
    }

    async fn claim(
        &self,
        limit: u32,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Vec<Transfer>, StoreError> {
        let rows: Vec<TransferRow> = query_as(
            "UPDATE transfers SET due_ms = $2
             WHERE state IN ('pending', 'paid') AND due_ms <= $1
                 AND (hold_id, kind, generation) IN (
                     SELECT hold_id, kind, generation FROM transfers
                     WHERE state IN ('pending', 'paid') AND due_ms <= $1
                     ORDER BY due_ms LIMIT $3)
             RETURNING hold_id, kind, generation, hold_key, table_id, player_id, amount, state,
                       attempts",
        )
        .bind(now_ms)
        .bind(until_ms)
        .bind(i64::from(limit))
        .fetch_all(self.side())
        .await?;
        rows.into_iter().map(transfer).collect()
    }

    async fn conclude(
        &self,
        transfer: &Transfer,
        conclusion: &Conclusion,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        use TransferState::{Done, Paid, Pending, Refused};
        let mut transaction = self.side().begin_with(super::WRITE).await?;
        let connection = &mut *transaction;
        let (from, due) = (transfer.state, now_ms);
        let concluded = match conclusion {
            Conclusion::Paid(number) => {
                change(connection, transfer, Pending, Paid, number, due).await?
            }
            Conclusion::Done(number) => {
                change(connection, transfer, from, Done, number, due).await?
            }
            Conclusion::Refused(why) => {
                change(connection, transfer, Pending, Refused, why, due).await?
            }
            Conclusion::Later { why, due_ms } => {
                change(connection, transfer, from, from, why, *due_ms).await?
            }
            Conclusion::GiveBack(why) => {
                change(connection, transfer, from, Refused, why, due).await?;
                let credit = Transfer {
                    kind: TransferKind::Credit,
                    state: Pending,
                    attempts: 0,
                    ..transfer.clone()
                };
                insert(connection, &credit, due, due).await?
            }
        };
        transaction.commit().await?;
        Ok(concluded)
    }

    async fn state(&self, transfer: &Transfer) -> Result<Option<TransferState>, StoreError> {
        let name: Option<String> = query_scalar(
            "SELECT state FROM transfers
             WHERE hold_id = $1 AND kind = $2 AND generation = $3",
        )
        .bind(transfer.hold.to_string())
        .bind(transfer.kind.name())
        .bind(i64::from(transfer.generation))
        .fetch_optional(self.side())
        .await?;
        let state = |name: String| {
            TransferState::from_name(&name).ok_or_else(|| damaged("the state of a transfer"))
        };
        name.map(state).transpose()
    }

    async fn unfinished(&self) -> Result<u64, StoreError> {
        let count: i64 =
            query_scalar("SELECT COUNT(*) FROM transfers WHERE state IN ('pending', 'paid')")
                .fetch_one(&self.readers)
                .await?;
        super::shared::unsigned(count)
    }
}
