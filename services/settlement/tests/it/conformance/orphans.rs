use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use parlor_common::TableId;
use parlor_settlement::books::Books;
use parlor_settlement::ledger::Ledger;
use parlor_settlement::money::Chips;
use parlor_settlement::orphans::{Orphans, Sweep, TableLife, Tables};

use crate::sandbox::{NOW_MS, Sandbox};
use crate::scene::Table;

const PATIENCE_MS: i64 = 60_000;

#[derive(Default)]
struct Registry(Mutex<BTreeMap<TableId, TableLife>>);

impl Registry {
    fn set(&self, table: &Table, life: TableLife) {
        self.0.lock().unwrap().insert(table.id, life);
    }
}

#[async_trait]
impl Tables for Registry {
    async fn life(&self, table: TableId) -> TableLife {
        *self.0.lock().unwrap().get(&table).unwrap_or(&TableLife::Gone)
    }
}

pub async fn stacks_of_a_table_that_stays_gone_go_back(books: Books, _: Arc<Sandbox>) {
    let (gone, alive) = (Table::seat(&books, 2, 100).await, Table::seat(&books, 1, 100).await);
    gone.script(1, &[100, -100]).post(&books).await.unwrap();
    let registry = Registry::default();
    registry.set(&alive, TableLife::Alive);
    let mut orphans = Orphans::new(PATIENCE_MS);
    let first = orphans.sweep(&books, &registry, NOW_MS).await.unwrap();
    assert_eq!(first, Sweep { holds: 3, released: 0, suspects: 2 });
    let later = orphans.sweep(&books, &registry, NOW_MS + PATIENCE_MS).await.unwrap();
    assert_eq!(later, Sweep { holds: 3, released: 2, suspects: 0 });
    let balance = books.balance(gone.players[0]).await.unwrap();
    assert_eq!((balance.wallet, balance.held), (Chips(200), Chips::ZERO));
    let held = books.balance(alive.players[0]).await.unwrap().held;
    assert_eq!(held, Chips(100));
    let last = orphans.sweep(&books, &registry, NOW_MS + 2 * PATIENCE_MS).await.unwrap();
    assert_eq!(last, Sweep { holds: 1, released: 0, suspects: 0 });
    assert!(books.reconcile().await.unwrap().sound());
}

pub async fn a_table_that_comes_back_or_may_be_there_is_left_alone(books: Books, _: Arc<Sandbox>) {
    let table = Table::seat(&books, 1, 100).await;
    let registry = Registry::default();
    let mut orphans = Orphans::new(PATIENCE_MS);
    for (minute, life) in
        [TableLife::Gone, TableLife::Unknown, TableLife::Gone, TableLife::Alive, TableLife::Gone]
            .into_iter()
            .enumerate()
    {
        registry.set(&table, life);
        let now_ms = NOW_MS + PATIENCE_MS * i64::try_from(minute).unwrap();
        let sweep = orphans.sweep(&books, &registry, now_ms).await.unwrap();
        assert_eq!(sweep.released, 0, "minute {minute}");
    }
    assert_eq!(books.balance(table.players[0]).await.unwrap().held, Chips(100));
}
