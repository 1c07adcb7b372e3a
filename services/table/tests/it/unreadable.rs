//! A table whose log cannot be read.

use bytes::Bytes;
use parlor_common::{Failure, PlayerId, TableId};
use parlor_proto::table::v1 as pb;
use parlor_table::store::{Append, EmbeddedStore, TableStore};

use crate::blackjack;
use crate::house::House;

/// Appends what is no entry to a table's log, as no program of ours would.
async fn damage(folder: &std::path::Path, table: TableId) {
    let store = EmbeddedStore::open(&folder.join("tables.redb")).unwrap();
    let stored = store.load(table).await.unwrap();
    let after = stored.snapshot.map_or(0, |(seq, _)| seq) + stored.tail.len() as u64;
    let entries = vec![Bytes::from_static(b"no entry")];
    let append = Append { table, epoch: stored.epoch, after, entries };
    let _durable = store.append(append).await.unwrap();
}

#[tokio::test]
async fn a_table_that_cannot_be_read_stands_still_until_an_operator_closes_it() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let player = PlayerId::random();
    house.grant(player, 10_000).await;
    let created = house.tables.clone().create_table(blackjack::request("r1", player)).await;
    let table_id = created.unwrap().into_inner().table_id;
    house.stop().await;
    damage(folder.path(), table_id.parse().unwrap()).await;

    let house = House::start(folder.path()).await;
    let mut tables = house.tables.clone();
    let get = pb::GetTableRequest { table_id: table_id.clone() };
    let refused = tables.get_table(get.clone()).await.unwrap_err();
    assert_eq!(Failure::from(refused).reason, "TABLE_UNREADABLE");

    let close = pb::CloseTableRequest { table_id: table_id.clone(), reason: String::new() };
    tables.close_table(close.clone()).await.unwrap();
    for refused in [
        tables.get_table(get).await.map(drop).unwrap_err(),
        tables.close_table(close).await.map(drop).unwrap_err(),
    ] {
        assert_eq!(Failure::from(refused).reason, "TABLE_NOT_FOUND");
    }
    house.stop().await;

    // For good.
    let store = EmbeddedStore::open(&folder.path().join("tables.redb")).unwrap();
    assert!(store.tables().await.unwrap().is_empty());
}
