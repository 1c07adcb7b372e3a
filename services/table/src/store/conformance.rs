//! What every [`TableStore`] must do, as checks that any store can be put through.
//!
//! Each check panics with the rule that was broken. They are called by the tests of each store.

use bytes::Bytes;
use parlor_common::{PodId, TableId};

use super::{Append, Creation, Head, Listed, StoreError, TableStore};

fn append(table: TableId, epoch: u64, after: u64, entries: &[&'static str]) -> Append {
    let entries = entries.iter().map(|entry| Bytes::from_static(entry.as_bytes())).collect();
    Append { table, epoch, after, entries }
}

/// The pod that creates tables here.
const FIRST: PodId = PodId::from_bytes([1; 16]);
/// The pod that takes them over.
const SECOND: PodId = PodId::from_bytes([2; 16]);

fn creation(table: TableId, opening: &'static str, entries: &[&'static str]) -> Creation {
    let bytes = |text: &&'static str| Bytes::from_static(text.as_bytes());
    let entries = entries.iter().map(bytes).collect();
    Creation { table, owner: FIRST, opening: bytes(&opening), entries }
}

async fn created(store: &dyn TableStore) -> TableId {
    let table = TableId::random();
    let made = store.create(creation(table, "opening", &[])).await;
    assert_eq!(made.map(super::Durable::last_seq), Ok(0), "a new table can be created");
    table
}

/// Runs every check.
pub async fn check(store: &dyn TableStore) {
    a_table_is_created_once(store).await;
    a_table_is_created_with_its_first_entries(store).await;
    the_owner_is_known_and_listed(store).await;
    entries_are_kept_in_order(store).await;
    a_stale_append_changes_nothing(store).await;
    a_fenced_owner_can_do_nothing(store).await;
    a_snapshot_replaces_the_entries_before_it(store).await;
    a_snapshot_that_is_late_changes_nothing(store).await;
    a_removed_table_is_gone(store).await;
    of_racing_appends_one_wins(store).await;
    of_racing_claims_one_wins(store).await;
}

async fn a_table_is_created_once(store: &dyn TableStore) {
    let table = created(store).await;
    let again = store.create(creation(table, "other", &["x"])).await;
    assert_eq!(again, Err(StoreError::Exists), "a table is created once");
    let stored = store.load(table).await.expect("a created table can be loaded");
    assert_eq!(stored.opening, "opening", "the first opening is kept");
    assert_eq!((stored.epoch, stored.snapshot, stored.tail.len()), (1, None, 0));
    let listed = store.tables().await.expect("tables are listed");
    assert!(listed.contains(&Listed { table, owner: FIRST }));
    let missing = store.load(TableId::random()).await;
    assert_eq!(missing, Err(StoreError::Missing), "an unknown table is missing");
}

async fn a_table_is_created_with_its_first_entries(store: &dyn TableStore) {
    let table = TableId::random();
    let durable = store.create(creation(table, "opening", &["a", "b"])).await.expect("creates");
    assert_eq!(durable.last_seq(), 2, "the receipt names the last entry");
    let stored = store.load(table).await.expect("loads");
    assert_eq!((&stored.opening[..], stored.owner), (&b"opening"[..], FIRST));
    assert_eq!(stored.tail, ["a", "b"], "the first entries are there");
    assert!(store.append(append(table, 1, 2, &["c"])).await.is_ok(), "numbering goes on");
    assert_eq!(store.load(table).await.expect("loads").tail, ["a", "b", "c"]);
}

async fn the_owner_is_known_and_listed(store: &dyn TableStore) {
    let table = created(store).await;
    assert!(store.append(append(table, 1, 0, &["a"])).await.is_ok());
    let head = store.head(table).await;
    assert_eq!(head, Ok(Head { epoch: 1, owner: FIRST, last_seq: 1 }));
    assert_eq!(store.claim(table, 1, SECOND).await, Ok(2));
    let head = store.head(table).await;
    assert_eq!(head, Ok(Head { epoch: 2, owner: SECOND, last_seq: 1 }), "a claim names the owner");
    assert_eq!(store.relist(table).await, Ok(()));
    let listed = store.tables().await.expect("lists");
    assert!(listed.contains(&Listed { table, owner: SECOND }), "the new owner is listed");
    let nowhere = TableId::random();
    assert_eq!(store.head(nowhere).await, Err(StoreError::Missing));
    assert_eq!(store.claim(nowhere, 1, SECOND).await, Err(StoreError::Missing));
    assert_eq!(store.relist(nowhere).await, Ok(()), "what does not exist is not listed");
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
    assert_eq!(store.claim(table, 1, SECOND).await, Ok(2), "a claim raises the epoch");
    let fenced = Err(StoreError::Fenced { epoch: 2 });
    assert_eq!(store.claim(table, 1, FIRST).await, Err(StoreError::Fenced { epoch: 2 }));
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

async fn a_snapshot_that_is_late_changes_nothing(store: &dyn TableStore) {
    let table = created(store).await;
    let entries: Vec<_> = (0..100).map(|_| "e").collect();
    assert!(store.append(append(table, 1, 0, &entries)).await.is_ok());
    assert_eq!(store.snapshot(table, 1, 99, Bytes::from_static(b"new")).await, Ok(()));
    for late in [1, 99] {
        assert_eq!(store.snapshot(table, 1, late, Bytes::from_static(b"late")).await, Ok(()));
        let stored = store.load(table).await.expect("loads");
        assert_eq!(stored.snapshot, Some((99, Bytes::from_static(b"new"))));
        assert_eq!(stored.tail, ["e"], "what follows the newer one is all there is");
    }
}

async fn a_removed_table_is_gone(store: &dyn TableStore) {
    let table = created(store).await;
    let other = created(store).await;
    assert!(store.append(append(table, 1, 0, &["a"])).await.is_ok());
    assert!(store.append(append(other, 1, 0, &["o"])).await.is_ok());
    assert_eq!(store.remove(table, 1).await, Ok(()));
    assert_eq!(store.load(table).await, Err(StoreError::Missing));
    assert_eq!(store.remove(table, 1).await, Err(StoreError::Missing));
    let late = store.create(creation(table, "opening", &["a"])).await;
    assert_eq!(late, Err(StoreError::Exists), "it does not come back");
    assert_eq!(store.load(table).await, Err(StoreError::Missing));
    let listed = store.tables().await.expect("lists");
    assert!(listed.iter().all(|listed| listed.table != table), "it is listed no longer");
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

async fn of_racing_claims_one_wins(store: &dyn TableStore) {
    let table = created(store).await;
    let racers = (1..=16).map(|racer| store.claim(table, 1, PodId::from_bytes([racer; 16])));
    let outcomes = futures_util::future::join_all(racers).await;
    let winners: Vec<u8> =
        (1..).zip(&outcomes).filter(|(_, won)| **won == Ok(2)).map(|(racer, _)| racer).collect();
    let [winner] = winners[..] else { panic!("one claim wins, not {}", winners.len()) };
    let fenced = Err(StoreError::Fenced { epoch: 2 });
    assert!(outcomes.iter().all(|outcome| *outcome == Ok(2) || *outcome == fenced));
    let head = store.head(table).await.expect("has a head");
    assert_eq!(head.owner, PodId::from_bytes([winner; 16]), "the winner owns it");
}
