// Compiled once for each database (see `mod.rs`): `super::Database` and `super::Backend` are its
// types. Every query here is one dialect, understood by both.

use std::collections::HashMap;
use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{HandId, PlayerId, TableId};
use sqlx::{query, query_as, query_scalar};

use super::{Backend, Database};
use crate::boards::{Board, Rating, Standing};
use crate::money::{
    Account, Chips, Digest, Head, HoldState, Kind, Posted, Staked, Submission, Target,
};
use crate::store::{
    Audit, Balance, OpenHold, Results, Seed, StatementLine, Store, StoreError, StoredHand,
    StoredSummary, damaged,
};

type Handle = <Backend as sqlx::Database>::Connection;

/// A number of the journal as the database has it.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// A number of the journal as it comes out of the database.
pub(super) fn unsigned(number: i64) -> Result<u64, StoreError> {
    u64::try_from(number).map_err(|_| damaged("a negative number of a transaction"))
}

pub(super) fn digest(bytes: &[u8]) -> Result<Digest, StoreError> {
    Digest::from_slice(bytes).ok_or_else(|| damaged("a digest"))
}

pub(super) fn kind(name: &str) -> Result<Kind, StoreError> {
    Kind::from_name(name).ok_or_else(|| damaged("a kind"))
}

pub(super) fn parsed<T: std::str::FromStr>(text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| damaged("an identifier"))
}

/// A key that was used before, as selected: key, number, body, balance.
pub(super) type PostedRow = (String, i64, Vec<u8>, i64);

pub(super) fn posted(row: PostedRow) -> Result<(crate::money::Key, Posted), StoreError> {
    let (key, seq, body, balance) = row;
    let posted = Posted { seq: unsigned(seq)?, body: digest(&body)?, balance: Chips(balance) };
    Ok((parsed(&key)?, posted))
}

/// A hold as selected: hold, table, player, whose money, open.
pub(super) type HoldRow = (String, String, String, String, bool);

pub(super) fn hold(row: &HoldRow) -> Result<HoldState, StoreError> {
    let (id, table, player, staked, open) = row;
    Ok(HoldState {
        id: parsed(id)?,
        table: parsed(table)?,
        player: parsed(player)?,
        staked: Staked::from_name(staked).ok_or_else(|| damaged("whose money a stack is"))?,
        open: *open,
    })
}

/// Balances as selected: account, balance.
pub(super) fn balances(rows: Vec<(String, i64)>) -> Result<HashMap<Account, Chips>, StoreError> {
    let balance = |(account, balance): (String, i64)| Ok((parsed(&account)?, Chips(balance)));
    rows.into_iter().map(balance).collect()
}

pub(super) fn head(seq: i64, time_ms: i64, link: &[u8]) -> Result<Head, StoreError> {
    Ok(Head { seq: unsigned(seq)?, time_ms, link: digest(link)? })
}

/// Loads a transaction that somebody wants to reverse.
pub(super) async fn target(
    connection: &mut Handle,
    number: u64,
) -> Result<Option<Target>, StoreError> {
    let found: Option<(String, bool)> = query_as(
        "SELECT t.kind, EXISTS (SELECT 1 FROM transactions r WHERE r.reverses = t.seq)
         FROM transactions t WHERE t.seq = $1",
    )
    .bind(signed(number))
    .fetch_optional(&mut *connection)
    .await?;
    let Some((name, reversed)) = found else { return Ok(None) };
    let lines: Vec<(String, i64)> =
        query_as("SELECT account, amount FROM postings WHERE seq = $1 ORDER BY account")
            .bind(signed(number))
            .fetch_all(connection)
            .await?;
    let line = |(account, amount): (String, i64)| Ok((parsed(&account)?, Chips(amount)));
    let postings = lines.into_iter().map(line).collect::<Result<_, StoreError>>()?;
    Ok(Some(Target { kind: kind(&name)?, reversed, postings }))
}

fn summaries(rows: Vec<(i64, Vec<u8>, i64)>) -> Result<Vec<StoredSummary>, StoreError> {
    let summary = |(seq, summary, commission): (i64, Vec<u8>, i64)| {
        Ok(StoredSummary {
            seq: unsigned(seq)?,
            summary: Bytes::from(summary),
            commission: Chips(commission),
        })
    };
    rows.into_iter().map(summary).collect()
}

#[async_trait]
impl Store for Database {
    async fn write(&self, batch: &[Arc<Submission>], now_ms: i64) -> Result<Results, StoreError> {
        super::writing::write(self, batch, now_ms).await
    }

    async fn last(&self) -> Result<u64, StoreError> {
        let seq = query_scalar("SELECT seq FROM journal_head").fetch_one(&self.readers).await?;
        unsigned(seq)
    }

    async fn balance(&self, player: PlayerId) -> Result<Balance, StoreError> {
        let (wallet, held): (i64, i64) = query_as(
            "SELECT COALESCE((SELECT balance FROM accounts WHERE account = $1), 0),
                    (SELECT CAST(COALESCE(SUM(a.balance), 0) AS BIGINT)
                     FROM holds h JOIN accounts a ON a.account = 'stack/' || h.hold_id
                     WHERE h.player_id = $2 AND h.closed_seq IS NULL AND h.staked <> 'bot')",
        )
        .bind(Account::Wallet(player).to_string())
        .bind(player.to_string())
        .fetch_one(&self.readers)
        .await?;
        Ok(Balance { wallet: Chips(wallet), held: Chips(held) })
    }

    async fn entries(
        &self,
        player: PlayerId,
        before: u64,
        limit: u32,
    ) -> Result<Vec<StatementLine>, StoreError> {
        let rows: Vec<(i64, String, i64, i64, i64, String)> = query_as(
            "SELECT p.seq, t.kind, p.amount, p.balance, t.time_ms, t.reference
             FROM postings p JOIN transactions t ON t.seq = p.seq
             WHERE p.account = $1 AND p.seq < $2 ORDER BY p.seq DESC LIMIT $3",
        )
        .bind(Account::Wallet(player).to_string())
        .bind(signed(before))
        .bind(i64::from(limit))
        .fetch_all(&self.readers)
        .await?;
        let line = |(seq, name, amount, balance, time_ms, reference): (_, String, _, _, _, _)| {
            Ok(StatementLine {
                transaction: unsigned(seq)?,
                kind: kind(&name)?,
                amount: Chips(amount),
                balance: Chips(balance),
                time_ms,
                reference,
            })
        };
        rows.into_iter().map(line).collect()
    }

    async fn open_holds(
        &self,
        table: Option<TableId>,
        after: u64,
        limit: u32,
    ) -> Result<Vec<OpenHold>, StoreError> {
        let rows: Vec<(String, String, String, i64, i64, i64)> = query_as(
            "SELECT h.hold_id, h.table_id, h.player_id, COALESCE(a.balance, 0),
                    h.opened_seq, h.opened_ms
             FROM holds h LEFT JOIN accounts a ON a.account = 'stack/' || h.hold_id
             WHERE h.closed_seq IS NULL AND h.opened_seq > $1 AND ($2 = '' OR h.table_id = $2)
             ORDER BY h.opened_seq LIMIT $3",
        )
        .bind(signed(after))
        .bind(table.map_or_else(String::new, |table| table.to_string()))
        .bind(i64::from(limit))
        .fetch_all(&self.readers)
        .await?;
        let hold =
            |(id, table, player, amount, opened, opened_ms): (String, String, String, _, _, _)| {
                Ok(OpenHold {
                    id: parsed(&id)?,
                    table: parsed(&table)?,
                    player: parsed(&player)?,
                    amount: Chips(amount),
                    opened: unsigned(opened)?,
                    opened_ms,
                })
            };
        rows.into_iter().map(hold).collect()
    }

    async fn hand(
        &self,
        hand: HandId,
        player: Option<PlayerId>,
    ) -> Result<Option<StoredHand>, StoreError> {
        let row: Option<(Vec<u8>, Option<Vec<u8>>, Option<Vec<u8>>)> = query_as(
            "SELECT h.record, t.record, s.server_seed
             FROM transactions t JOIN hands h ON h.seq = t.seq
                 LEFT JOIN revealed_seeds s ON s.hand_id = t.idempotency_key
             WHERE t.idempotency_key = $1 AND ($2 = '' OR EXISTS (
                 SELECT 1 FROM hand_players p WHERE p.player_id = $2 AND p.seq = t.seq))",
        )
        .bind(hand.to_string())
        .bind(player.map_or_else(String::new, |player| player.to_string()))
        .fetch_optional(&self.readers)
        .await?;
        Ok(row.map(|(record, digest, seed)| StoredHand {
            record: Bytes::from(record),
            digest: digest.and_then(|digest| Digest::from_slice(&digest)),
            seed: seed.and_then(|seed| seed.try_into().ok()),
        }))
    }

    async fn save_seeds(&self, seeds: &[(HandId, Seed)]) -> Result<(), StoreError> {
        let mut transaction = self.side().begin_with(super::WRITE).await?;
        for (hand, seed) in seeds {
            query(
                "INSERT INTO revealed_seeds (hand_id, server_seed) VALUES ($1, $2)
                 ON CONFLICT DO NOTHING",
            )
            .bind(hand.to_string())
            .bind(seed.as_slice())
            .execute(&mut *transaction)
            .await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    async fn hands(
        &self,
        player: PlayerId,
        game: Option<&str>,
        before: u64,
        limit: u32,
    ) -> Result<Vec<StoredSummary>, StoreError> {
        let rows = query_as(
            "SELECT h.seq, h.summary, h.commission
             FROM hand_players p JOIN hands h ON h.seq = p.seq
             WHERE p.player_id = $1 AND p.seq < $2 AND ($3 = '' OR p.game = $3)
             ORDER BY p.seq DESC LIMIT $4",
        )
        .bind(player.to_string())
        .bind(signed(before))
        .bind(game.unwrap_or(""))
        .bind(i64::from(limit))
        .fetch_all(&self.readers)
        .await?;
        summaries(rows)
    }

    async fn results(
        &self,
        after: u64,
        game: Option<&str>,
        limit: u32,
    ) -> Result<Vec<StoredSummary>, StoreError> {
        let rows = query_as(
            "SELECT seq, summary, commission FROM hands
             WHERE seq > $1 AND ($2 = '' OR game = $2) ORDER BY seq LIMIT $3",
        )
        .bind(signed(after))
        .bind(game.unwrap_or(""))
        .bind(i64::from(limit))
        .fetch_all(&self.readers)
        .await?;
        summaries(rows)
    }

    async fn derive(&self, limit: u32) -> Result<u32, StoreError> {
        super::derived::derive(self, limit).await
    }

    async fn rating(&self, player: PlayerId, game: &str) -> Result<Option<Rating>, StoreError> {
        super::derived::rating(self, player, game).await
    }

    async fn board(&self, board: &Board, limit: u32) -> Result<Vec<Standing>, StoreError> {
        super::derived::board(self, board, limit).await
    }

    async fn audit(&self) -> Result<Audit, StoreError> {
        super::audited::audit(self).await
    }

    async fn note_audit(&self, audit: &Audit, finished_ms: i64) -> Result<(), StoreError> {
        super::audited::note(self, audit, finished_ms).await
    }

    async fn last_audit(&self) -> Result<Option<(i64, Audit)>, StoreError> {
        super::audited::last(self).await
    }
}
