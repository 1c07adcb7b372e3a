// Compiled once for each database (see `mod.rs`): the check of the whole ledger.

use std::collections::HashMap;

use sqlx::{Connection, query, query_as};

use super::shared::{digest, head, kind, parsed, signed, unsigned};
use super::{Backend, Database};
use crate::money::{Chips, Digest, Head, Posting, Transaction};
use crate::store::{Audit, StoreError, damaged};

type Handle = <Backend as sqlx::Database>::Connection;

/// Transactions that an audit holds in memory at a time.
const AUDIT_PAGE: i64 = 2_000;
/// Records that an audit holds in memory at a time.
const RECORD_PAGE: i64 = 50;

/// Checks everything, as of one moment.
pub(super) async fn audit(database: &Database) -> Result<Audit, StoreError> {
    let mut connection = database.readers.acquire().await?;
    let mut snapshot = connection.begin_with(super::SNAPSHOT).await?;
    let mut audit = Audit::default();
    follow_journal(&mut snapshot, &mut audit).await?;
    check_balances(&mut snapshot, &mut audit).await?;
    check_records(&mut snapshot, &mut audit).await?;
    snapshot.commit().await?;
    Ok(audit)
}

/// Writes down what an audit has found.
pub(super) async fn note(
    database: &Database,
    audit: &Audit,
    finished_ms: i64,
) -> Result<(), StoreError> {
    query(
        "INSERT INTO audits (finished_ms, accounts, entries, sum, mismatches, overdrawn,
                             broken_links, unbalanced, damaged_records)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT DO NOTHING",
    )
    .bind(finished_ms)
    .bind(signed(audit.accounts))
    .bind(signed(audit.entries))
    .bind(audit.sum.to_string())
    .bind(signed(audit.mismatches))
    .bind(signed(audit.overdrawn))
    .bind(signed(audit.broken_links))
    .bind(signed(audit.unbalanced))
    .bind(signed(audit.damaged_records))
    .execute(database.side())
    .await?;
    Ok(())
}

type AuditRow = (i64, i64, i64, String, i64, i64, i64, i64, i64);

/// The last audit that was written down, and when it had finished.
pub(super) async fn last(database: &Database) -> Result<Option<(i64, Audit)>, StoreError> {
    let row: Option<AuditRow> = query_as(
        "SELECT finished_ms, accounts, entries, sum, mismatches, overdrawn, broken_links,
                unbalanced, damaged_records
         FROM audits ORDER BY finished_ms DESC LIMIT 1",
    )
    .fetch_optional(&database.readers)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let audit = Audit {
        accounts: unsigned(row.1)?,
        entries: unsigned(row.2)?,
        sum: row.3.parse().map_err(|_| damaged("the sum of an audit"))?,
        mismatches: unsigned(row.4)?,
        overdrawn: unsigned(row.5)?,
        broken_links: unsigned(row.6)?,
        unbalanced: unsigned(row.7)?,
        damaged_records: unsigned(row.8)?,
    };
    Ok(Some((row.0, audit)))
}

type JournalRow =
    (i64, String, String, Vec<u8>, i64, String, Option<Vec<u8>>, i64, Option<i64>, Vec<u8>);

/// Walks the journal from its beginning and compares its end with what is noted as the end.
async fn follow_journal(connection: &mut Handle, audit: &mut Audit) -> Result<(), StoreError> {
    let mut previous = Head::GENESIS;
    loop {
        let rows: Vec<JournalRow> = query_as(
            "SELECT seq, kind, idempotency_key, body, time_ms, reference, record, balance,
                    reverses, link
             FROM transactions WHERE seq > $1 ORDER BY seq LIMIT $2",
        )
        .bind(signed(previous.seq))
        .bind(AUDIT_PAGE)
        .fetch_all(&mut *connection)
        .await?;
        let Some(last) = rows.last() else { break };
        let lines: Vec<(i64, String, i64, i64)> = query_as(
            "SELECT seq, account, amount, balance FROM postings WHERE seq > $1 AND seq <= $2",
        )
        .bind(signed(previous.seq))
        .bind(last.0)
        .fetch_all(&mut *connection)
        .await?;
        let mut postings: HashMap<i64, Vec<Posting>> = HashMap::new();
        for (seq, account, amount, balance) in lines {
            let account = parsed(&account)?;
            let posting = Posting { account, amount: Chips(amount), balance: Chips(balance) };
            postings.entry(seq).or_default().push(posting);
        }
        for row in rows {
            let mut postings = postings.remove(&row.0).unwrap_or_default();
            postings.sort_unstable_by_key(|posting| posting.account);
            audit.follow(&mut previous, &transaction(row, postings)?);
        }
    }
    let (seq, time_ms, link): (i64, i64, Vec<u8>) =
        query_as("SELECT seq, time_ms, link FROM journal_head").fetch_one(connection).await?;
    audit.broken_links += u64::from(head(seq, time_ms, &link)? != previous);
    Ok(())
}

fn transaction(row: JournalRow, postings: Vec<Posting>) -> Result<Transaction, StoreError> {
    let (seq, name, key, body, time_ms, reference, record, balance, reverses, link) = row;
    Ok(Transaction {
        seq: unsigned(seq)?,
        kind: kind(&name)?,
        key: parsed(&key)?,
        body: digest(&body)?,
        time_ms,
        reference,
        record: record.map(|record| digest(&record)).transpose()?,
        balance: Chips(balance),
        reverses: reverses.map(unsigned).transpose()?,
        postings,
        link: digest(&link)?,
    })
}

/// Compares every balance with the sum of its postings.
async fn check_balances(connection: &mut Handle, audit: &mut Audit) -> Result<(), StoreError> {
    let (accounts, overdrawn, mismatches, strays): (i64, i64, i64, i64) = query_as(
        "WITH sums AS (
             SELECT account, CAST(SUM(amount) AS BIGINT) AS total FROM postings GROUP BY account)
         SELECT
             (SELECT COUNT(*) FROM accounts),
             (SELECT COUNT(*) FROM accounts
              WHERE balance < 0 AND account NOT IN ('external', 'bots')),
             (SELECT COUNT(*) FROM accounts a LEFT JOIN sums s ON s.account = a.account
              WHERE a.balance <> COALESCE(s.total, 0)),
             (SELECT COUNT(*) FROM sums s
              WHERE NOT EXISTS (SELECT 1 FROM accounts a WHERE a.account = s.account))",
    )
    .fetch_one(connection)
    .await?;
    audit.accounts = unsigned(accounts)?;
    audit.overdrawn = unsigned(overdrawn)?;
    audit.mismatches = unsigned(mismatches)? + unsigned(strays)?;
    Ok(())
}

/// A number, the digest that was noted, and the record.
type RecordRow = (i64, Option<Vec<u8>>, Option<Vec<u8>>);

/// Hashes every record again.
async fn check_records(connection: &mut Handle, audit: &mut Audit) -> Result<(), StoreError> {
    let mut after = 0;
    loop {
        let rows: Vec<RecordRow> = query_as(
            "SELECT t.seq, t.record, h.record FROM transactions t LEFT JOIN hands h ON h.seq = t.seq
             WHERE t.kind = 'hand' AND t.seq > $1 ORDER BY t.seq LIMIT $2",
        )
        .bind(after)
        .bind(RECORD_PAGE)
        .fetch_all(&mut *connection)
        .await?;
        let Some(last) = rows.last() else { return Ok(()) };
        after = last.0;
        for (_, noted, record) in rows {
            let now = record.map(|record| Digest::of(&record).0.to_vec());
            audit.damaged_records += u64::from(now != noted);
        }
    }
}
