//! What every [`TableStore`] must do, as checks that any store can be put through.
//!
//! Each check panics with the rule that was broken. They are called by the tests of each store.

use bytes::Bytes;
use parlor_common::TableId;

use super::{Append, StoreError, TableStore};

fn append(table: TableId, epoch: u64, after: u64, entries: &[&'static str]) -> Append {
    let entries = entries.iter().map(|entry| Bytes::from_static(entry.as_bytes())).collect();
    Append { table, epoch, after, entries }
}

async fn created(store: &dyn TableStore) -> TableId {
    let table = TableId::random();
    let made = store.create(table, Bytes::from_static(b"opening")).await;
    assert_eq!(made, Ok(()), "a new table can be created");
    table
}

/// Runs every check.
pub async fn check(store: &dyn TableStore) {
    a_table_is_created_once(store).await;
    entries_are_kept_in_order(store).await;
    a_stale_append_changes_nothing(store).await;
    a_fenced_owner_can_do_nothing(store).await;
    a_snapshot_replaces_the_entries_before_it(store).await;
    a_removed_table_is_gone(store).await;
    of_racing_appends_one_wins(store).await;
}

async fn a_table_is_created_once(store: &dyn TableStore) {
    let table = created(store).await;
    let again = store.create(table, Bytes::from_static(b"other")).await;
    assert_eq!(again, Err(StoreError::Exists), "a table is created once");
    let stored = store.load(table).await.expect("a created table can be loaded");
    assert_eq!(stored.opening, "opening", "the first opening is kept");
    assert_eq!((stored.epoch, stored.snapshot, stored.tail.len()), (1, None, 0));
    assert!(store.tables().await.expect("tables are listed").contains(&table));
    let missing = store.load(TableId::random()).await;
    assert_eq!(missing, Err(StoreError::Missing), "an unknown table is missing");
}

async fn entries_are_kept_in_order(store: &dyn TableStore) {
    let table = created(store).await;
    let durable = store.append(append(table, 1, 0, &["a", "b"])).await.expect("appends");
    assert_eq!(durable.last_seq(), 2, "the receipt names the last entry");
    let durable = store.append(append(table, 1, 2, &["c"])).await.expect("appends");
    assert_eq!(durable.last_seq(), 3);
    let tail = store.load(table).await.expect("loads").tail;
    assert_eq!(tail, ["a", "b", "c"], "entries come back in order");
}

async fn a_stale_append_changes_nothing(store: &dyn TableStore) {
    let table = created(store).await;
    let first = store.append(append(table, 1, 0, &["a"])).await;
    assert!(first.is_ok());
    for after in [0, 2] {
        let stale = store.append(append(table, 1, after, &["x"])).await;
        assert_eq!(stale, Err(StoreError::Stale { last_seq: 1 }), "an append must follow the last");
    }
    assert_eq!(store.load(table).await.expect("loads").tail, ["a"]);
    let missing = store.append(append(TableId::random(), 1, 0, &["x"])).await;
    assert_eq!(missing, Err(StoreError::Missing));
}

async fn a_fenced_owner_can_do_nothing(store: &dyn TableStore) {
    let table = created(store).await;
    assert_eq!(store.claim(table, 1).await, Ok(2), "a claim raises the epoch");
    let fenced = Err(StoreError::Fenced { epoch: 2 });
    assert_eq!(store.claim(table, 1).await, Err(StoreError::Fenced { epoch: 2 }));
    let old = store.append(append(table, 1, 0, &["x"])).await;
    assert_eq!(old, Err(StoreError::Fenced { epoch: 2 }), "the old owner cannot append");
    assert_eq!(store.snapshot(table, 1, 0, Bytes::new()).await, fenced);
    assert_eq!(store.remove(table, 1).await, fenced);
    assert!(store.append(append(table, 2, 0, &["a"])).await.is_ok(), "the new owner can");
    assert_eq!(store.load(table).await.expect("loads").tail, ["a"]);
}

async fn a_snapshot_replaces_the_entries_before_it(store: &dyn TableStore) {
    let table = created(store).await;
    let kept = store.append(append(table, 1, 0, &["a", "b", "c"])).await;
    assert!(kept.is_ok());
    let early = store.snapshot(table, 1, 4, Bytes::from_static(b"s")).await;
    assert_eq!(early, Err(StoreError::Stale { last_seq: 3 }), "not of what has not happened");
    assert_eq!(store.snapshot(table, 1, 2, Bytes::from_static(b"s2")).await, Ok(()));
    let stored = store.load(table).await.expect("loads");
    assert_eq!(stored.snapshot, Some((2, Bytes::from_static(b"s2"))));
    assert_eq!(stored.tail, ["c"], "only later entries remain");
    assert!(store.append(append(table, 1, 3, &["d"])).await.is_ok(), "numbering goes on");
    assert_eq!(store.load(table).await.expect("loads").tail, ["c", "d"]);
}

async fn a_removed_table_is_gone(store: &dyn TableStore) {
    let table = created(store).await;
    let other = created(store).await;
    assert!(store.append(append(table, 1, 0, &["a"])).await.is_ok());
    assert!(store.append(append(other, 1, 0, &["o"])).await.is_ok());
    assert_eq!(store.remove(table, 1).await, Ok(()));
    assert_eq!(store.load(table).await, Err(StoreError::Missing));
    assert_eq!(store.remove(table, 1).await, Err(StoreError::Missing));
    assert!(!store.tables().await.expect("lists").contains(&table));
    assert_eq!(store.load(other).await.expect("loads").tail, ["o"], "others stay");
}

async fn of_racing_appends_one_wins(store: &dyn TableStore) {
    let table = created(store).await;
    let racers = (0..16).map(|racer| {
        let entries = vec![Bytes::from(format!("racer {racer}"))];
        store.append(Append { table, epoch: 1, after: 0, entries })
    });
    let outcomes = futures_util::future::join_all(racers).await;
    let winners: Vec<_> = (0..).zip(&outcomes).filter(|(_, outcome)| outcome.is_ok()).collect();
    let [(winner, _)] = &winners[..] else { panic!("one append wins, not {}", winners.len()) };
    let stale = Err(StoreError::Stale { last_seq: 1 });
    assert!(outcomes.iter().all(|outcome| outcome.is_ok() || *outcome == stale));
    let tail = store.load(table).await.expect("loads").tail;
    assert_eq!(tail, [format!("racer {winner}")], "the log holds the winner's entry");
}
