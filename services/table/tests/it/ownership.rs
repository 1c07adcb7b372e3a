//! Tables among several pods: placing, taking over, fencing, handing over.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parlor_common::locate::{LiveTables, OWNER_URL, TableLocator};
use parlor_common::{Failure, PlayerId, TableId};
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::command::Command;

use crate::pods::{Pods, act, owner, until, view};
use crate::stores::service_url;

/// Makes a test of a check, for one Redis and for a cluster that waits for its replicas.
macro_rules! on_both {
    ($($name:ident),*) => {
        mod redis { $(
            #[tokio::test]
            async fn $name() {
                let Some(urls) = super::service_url("PARLOR_TEST_REDIS_URL") else { return };
                super::$name(&urls, "local").await;
            }
        )* }
        mod cluster { $(
            #[tokio::test]
            async fn $name() {
                let urls = super::service_url("PARLOR_TEST_REDIS_CLUSTER_URLS");
                let Some(urls) = urls else { return };
                super::$name(&urls, "replica").await;
            }
        )* }
    };
}

on_both!(
    new_tables_are_spread_and_found,
    the_tables_of_a_dead_pod_are_taken_over,
    a_pod_that_stood_still_acts_on_no_table_that_was_taken,
    a_draining_pod_hands_its_tables_over,
    tables_outlive_all_pods
);

fn emote(number: u32) -> Command {
    Command::Emote(pb::Emote { emote: number })
}

/// Some tables, and the answer to one action at each.
async fn opened(pods: &Pods, locator: &LiveTables, count: usize) -> BTreeMap<TableId, Answered> {
    let mut tables = BTreeMap::new();
    for _ in 0..count {
        let (player, table) = pods.table(locator).await;
        let log_seq = ready(locator, table, player, "first").await;
        tables.insert(table, Answered { player, log_seq });
    }
    tables
}

struct Answered {
    player: PlayerId,
    log_seq: u64,
}

/// Takes the reserved seat: every table's first action.
async fn ready(locator: &LiveTables, table: TableId, player: PlayerId, id: &str) -> u64 {
    let sit = Command::Sit(pb::Sit { seat: None, buy_in: 0 });
    act(locator, table, player, id, &sit).await.unwrap()
}

/// Every table has kept what it answered: the same request has the same answer. And it goes on.
async fn assert_nothing_is_lost(locator: &LiveTables, tables: &BTreeMap<TableId, Answered>) {
    for (table, Answered { player, log_seq }) in tables {
        let again = ready(locator, *table, *player, "first").await;
        assert_eq!(again, *log_seq, "a repeated request has its first answer");
        until(async || {
            let view = view(locator, *table).await;
            let seated = view.seats.iter().any(|seat| {
                seat.player_id == player.to_string() && seat.occupant == pb::Occupant::Player as i32
            });
            seated.then_some(())
        })
        .await;
        let id = format!("on-{}", TableId::random());
        let next = until(async || act(locator, *table, *player, &id, &emote(1)).await.ok()).await;
        assert!(next > *log_seq, "the log goes on");
    }
}

async fn new_tables_are_spread_and_found(urls: &str, durability: &str) {
    let pods = Pods::start(urls, durability, 3).await;
    let locator = Arc::new(pods.locator());
    let tables = opened(&pods, &locator, 9).await;
    let mut found = BTreeSet::new();
    for pod in &pods.pods {
        let owned = pod.tables_owned().await;
        assert!((1..=5).contains(&owned.len()), "{} of 9 tables on one pod", owned.len());
        found.extend(owned);
    }
    assert_eq!(found, tables.keys().map(ToString::to_string).collect());
    for table in tables.keys() {
        let url = owner(&locator, *table).await;
        for pod in &pods.pods {
            let request = pb::GetTableRequest { table_id: table.to_string() };
            match pod.tables.clone().get_table(request).await {
                Ok(_) => assert_eq!(pod.url, url, "the owner answers"),
                Err(status) => {
                    let failure = Failure::from(status);
                    assert_eq!(failure.reason, "TABLE_MOVED");
                    assert_eq!(failure.metadata.get(OWNER_URL), Some(&url), "others name it");
                }
            }
        }
    }
    locator.forget(&TableId::random());
    let nowhere = locator.owner(&TableId::random()).await.unwrap_err();
    assert_eq!(nowhere.reason, "TABLE_NOT_FOUND");
}

async fn the_tables_of_a_dead_pod_are_taken_over(urls: &str, durability: &str) {
    let mut pods = Pods::start(urls, durability, 3).await;
    let locator = Arc::new(pods.locator());
    let tables = opened(&pods, &locator, 9).await;
    let victim = pods.pods.pop().unwrap();
    let orphans = victim.tables_owned().await;
    assert!(!orphans.is_empty());
    victim.kill();
    assert_nothing_is_lost(&locator, &tables).await;
    // The dead pod is forgotten once its tables have owners, each exactly one.
    pods.until_up(2).await;
    let mut found = Vec::new();
    for pod in &pods.pods {
        found.extend(pod.tables_owned().await);
    }
    found.sort();
    assert_eq!(found, tables.keys().map(ToString::to_string).collect::<Vec<_>>());
}

async fn a_pod_that_stood_still_acts_on_no_table_that_was_taken(urls: &str, durability: &str) {
    let pods = Pods::start(urls, durability, 2).await;
    let locator = Arc::new(pods.locator());
    let tables = opened(&pods, &locator, 4).await;
    let sleeper = &pods.pods[1];
    let owned = sleeper.tables_owned().await;
    assert!(!owned.is_empty());
    let stopped = sleeper.stop().await;
    let mut taken = Vec::new();
    for table in &owned {
        let table: TableId = table.parse().unwrap();
        until(async || (owner(&locator, table).await == pods.pods[0].url).then_some(())).await;
        let player = tables[&table].player;
        let id = format!("after-{table}");
        let answer = until(async || act(&locator, table, player, &id, &emote(2)).await.ok()).await;
        taken.push((table, player, answer));
    }
    drop(stopped);
    for (table, player, answer) in taken {
        // Whoever still asks the old owner gets no answer of its own.
        let request = pb::ActRequest {
            table_id: table.to_string(),
            player_id: player.to_string(),
            request_id: format!("stale-{table}"),
            command: Some(pb::Command { command: Some(emote(3)) }),
            player_name: "Tester".into(),
        };
        let stale = sleeper.tables.clone().act(request).await.unwrap_err();
        assert_eq!(Failure::from(stale).reason, "TABLE_MOVED");
        let id = format!("after-{table}");
        let again = act(&locator, table, player, &id, &emote(2)).await.unwrap();
        assert_eq!(again, answer, "the new owner's log stands");
    }
    until(async || sleeper.tables_owned().await.is_empty().then_some(())).await;
    pods.until_up(2).await;
    assert_nothing_is_lost(&locator, &tables).await;
}

async fn a_draining_pod_hands_its_tables_over(urls: &str, durability: &str) {
    let mut pods = Pods::start(urls, durability, 3).await;
    let locator = Arc::new(pods.locator());
    let tables = opened(&pods, &locator, 9).await;
    let leaver = pods.pods.pop().unwrap();
    let owned = leaver.tables_owned().await;
    assert!(!owned.is_empty());
    leaver.end().await;
    // It has not gone before its tables have: nobody waits for a lease to end.
    let mut found = Vec::new();
    for pod in &pods.pods {
        found.extend(pod.tables_owned().await);
    }
    found.sort();
    assert_eq!(found, tables.keys().map(ToString::to_string).collect::<Vec<_>>());
    pods.until_up(2).await;
    assert_nothing_is_lost(&locator, &tables).await;
}

async fn tables_outlive_all_pods(urls: &str, durability: &str) {
    let mut pods = Pods::start(urls, durability, 2).await;
    let locator = Arc::new(pods.locator());
    let tables = opened(&pods, &locator, 4).await;
    pods.pods.remove(0).kill();
    pods.pods.remove(0).end().await;
    pods.add();
    pods.until_up(1).await;
    let locator = Arc::new(pods.locator());
    assert_nothing_is_lost(&locator, &tables).await;
    let owned = pods.pods[0].tables_owned().await;
    assert_eq!(owned, tables.keys().map(ToString::to_string).collect::<Vec<_>>());
}
