//! Actions of a table service in this process: decide, append, publish to the four seats, answer.
//!
//!     cargo bench -p parlor-table --bench actions
//!
//! One thread plays and serves; the embedded store has a thread of its own for its file.

#[allow(dead_code, reason = "the benches share it")]
mod support;

use std::sync::Arc;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use parlor_table::Upkeep;
use parlor_table::actor::{Delivery, Message, Sink, Subscribe, SubscriptionKey};
use parlor_table::store::{EmbeddedStore, MemoryStore, TableStore};
use support::{Party, SEATS, Start, tables};
use tokio::runtime::Builder;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use tokio::time::Instant;

/// Tables at which is played at once.
const TABLES: usize = 512;
/// Updates that may wait for a viewer.
const WAITING: usize = 256;

/// Everybody at a table watches it; what they are told is thrown away.
async fn watch(party: &Party, number: usize) {
    let (sender, mut updates) = mpsc::channel::<(SubscriptionKey, Delivery)>(WAITING);
    for (seat, player) in party.players.iter().enumerate() {
        let key = SubscriptionKey { link: number as u64, subscription: seat as u64 };
        let subscribe = Subscribe {
            key,
            player: Some(*player),
            with_views: false,
            after: None,
            sink: Sink::new(sender.clone()),
        };
        party.table.mailbox.send(Message::Subscribe(subscribe)).await.expect("a running table");
    }
    tokio::spawn(async move { while updates.recv().await.is_some() {} });
}

/// Plays `actions` in all, the same number at every table.
async fn play(parties: &mut Vec<Party>, actions: u64) -> Duration {
    let each = actions.div_ceil(TABLES as u64);
    let mut playing = JoinSet::new();
    let since = Instant::now();
    for mut party in parties.drain(..) {
        playing.spawn(async move {
            for _ in 0..each {
                party.say().await;
            }
            party
        });
    }
    while let Some(party) = playing.join_next().await {
        parties.push(party.expect("a table that plays"));
    }
    let rounded = (each * TABLES as u64) as f64;
    since.elapsed().mul_f64(actions as f64 / rounded)
}

fn bench_store(criterion: &mut Criterion, name: &str, store: Arc<dyn TableStore>) {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let mut parties = runtime.block_on(async {
        let tables = tables(store, TABLES, Upkeep::default()).await;
        let mut parties = Vec::with_capacity(TABLES);
        for number in 0..TABLES {
            let party = Party::open(&tables, number, Start::AtOnce).await;
            watch(&party, number).await;
            parties.push(party);
        }
        parties
    });
    let mut group = criterion.benchmark_group("actions");
    group.throughput(Throughput::Elements(1)).sample_size(20);
    group.measurement_time(Duration::from_secs(15));
    group.bench_function(format!("{name}, {TABLES} tables of {SEATS}"), |bencher| {
        bencher.iter_custom(|actions| runtime.block_on(play(&mut parties, actions)));
    });
    group.finish();
}

fn actions(criterion: &mut Criterion) {
    bench_store(criterion, "memory", Arc::new(MemoryStore::default()));
    let folder = tempfile::tempdir().expect("a folder");
    let embedded = EmbeddedStore::open(&folder.path().join("tables.redb")).expect("a store");
    bench_store(criterion, "embedded", Arc::new(embedded));
}

criterion_group!(benches, actions);
criterion_main!(benches);
