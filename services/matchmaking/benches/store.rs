//! How many tickets a second a store takes from entering to their seats: four enter, are claimed
//! and are settled. With `PARLOR_TEST_REDIS_URL`, also in Redis.
#![allow(missing_docs, clippy::unwrap_used)]

use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use futures_util::future::join_all;
use tokio::runtime::Runtime;

use parlor_common::{Clock, PlayerId, Shutdown, TableId};
use parlor_matchmaking::ids::{MatchId, ReplicaId, TicketId};
use parlor_matchmaking::store::embedded::EmbeddedStore;
use parlor_matchmaking::store::redis::{Durability, RedisStore};
use parlor_matchmaking::store::{Claimed, Lease, NewClaim, Outcome, Store};
use parlor_matchmaking::ticket::{Member, Rating, Ticket};

/// Matches that are on their way at a time.
const MATCHES: u64 = 64;

fn ticket(lease: &Lease, now_ms: i64) -> Ticket {
    let id = TicketId::random();
    Ticket {
        id,
        queue: lease.queue.clone(),
        request: id.to_string().parse().unwrap(),
        members: vec![Member::new(PlayerId::random(), "somebody").unwrap()],
        rating: Rating::NEWCOMER,
        enqueued_ms: now_ms,
        expires_ms: now_ms + 60_000,
        party: None,
    }
}

async fn one_match(store: &dyn Store, lease: &Lease) {
    let now_ms = Clock::system().now_ms();
    let tickets: Vec<Ticket> = (0..4).map(|_| ticket(lease, now_ms)).collect();
    let ids: Vec<TicketId> = tickets.iter().map(|ticket| ticket.id).collect();
    join_all(tickets.into_iter().map(|ticket| store.enqueue(ticket, u32::MAX))).await;
    let (id, until_ms) = (MatchId::random(), now_ms + 9_000);
    let claim = NewClaim { id, tickets: ids.clone(), until_ms, ready_until_ms: None };
    let Claimed::Done(claim) = store.claim(lease, claim, now_ms).await.unwrap() else {
        panic!("the tickets could not be claimed")
    };
    let table = TableId::random();
    let seat = |(seat, id)| (id, Outcome::Seated { table, seats: vec![seat] });
    let outcomes: Vec<_> = (0..).zip(ids).map(seat).collect();
    store.settle(&claim, &outcomes, now_ms, now_ms).await.unwrap();
    // Ended tickets are forgotten at once, so that the store stays as it was.
    store.sweep(now_ms, now_ms, 100).await.unwrap();
}

fn matches(criterion: &mut Criterion) {
    let runtime = Runtime::new().unwrap();
    let shutdown = Shutdown::new();
    let mut stores: Vec<(&str, Arc<dyn Store>)> =
        vec![("embedded", Arc::new(EmbeddedStore::in_memory().unwrap()))];
    if let Ok(urls) = std::env::var("PARLOR_TEST_REDIS_URL") {
        let tag = format!("bench-{}", ReplicaId::random());
        let urls = urls.into();
        let connecting = RedisStore::connect(&urls, &tag, Durability::Local, &shutdown);
        let store = runtime.block_on(connecting).unwrap();
        stores.push(("redis", Arc::new(store)));
    }
    let mut group = criterion.benchmark_group("tickets from entering to a seat");
    group.throughput(Throughput::Elements(4 * MATCHES));
    group.sample_size(10);
    for (name, store) in stores {
        let queue = "bench".parse().unwrap();
        let lease = store.lease(&queue, ReplicaId::random(), 0, i64::MAX);
        let lease = runtime.block_on(lease).unwrap().unwrap();
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let matches = (0..MATCHES).map(|_| one_match(&*store, &lease));
                runtime.block_on(join_all(matches));
            });
        });
    }
    group.finish();
    shutdown.begin();
}

criterion_group!(benches, matches);
criterion_main!(benches);
