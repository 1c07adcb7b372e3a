//! What a table shows is in its log, and a table without a log is none.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{Clock, PlayerId, PodId, Shutdown, TableId};
use parlor_proto::table::v1 as pb;
use parlor_table::actor::{Act, Delivery, Handle, Message, Sink, Subscribe, SubscriptionKey};
use parlor_table::store::{
    Append, Creation, Durable, Head, Listed, MemoryStore, StoreError, Stored, TableStore,
};
use prost::Message as _;
use tokio::sync::{Semaphore, mpsc, oneshot};

use crate::blackjack;
use crate::idle::tables_on;

/// A store that lets one creation or append through for each permit, and does not answer claims.
struct Gate {
    kept: MemoryStore,
    permits: Semaphore,
}

impl Gate {
    fn with(permits: usize) -> Arc<Self> {
        Arc::new(Self { kept: MemoryStore::default(), permits: Semaphore::new(permits) })
    }
}

#[async_trait]
impl TableStore for Gate {
    async fn create(&self, creation: Creation) -> Result<Durable, StoreError> {
        self.permits.acquire().await.unwrap().forget();
        self.kept.create(creation).await
    }
    async fn append(&self, append: Append) -> Result<Durable, StoreError> {
        self.permits.acquire().await.unwrap().forget();
        self.kept.append(append).await
    }
    async fn snapshot(
        &self,
        table: TableId,
        epoch: u64,
        seq: u64,
        snapshot: Bytes,
    ) -> Result<(), StoreError> {
        self.kept.snapshot(table, epoch, seq, snapshot).await
    }
    async fn load(&self, table: TableId) -> Result<Stored, StoreError> {
        self.kept.load(table).await
    }
    async fn head(&self, table: TableId) -> Result<Head, StoreError> {
        self.kept.head(table).await
    }
    async fn claim(&self, table: TableId, epoch: u64, owner: PodId) -> Result<u64, StoreError> {
        self.kept.claim(table, epoch, owner).await?;
        Err(StoreError::Unavailable("no answer".into()))
    }
    async fn tables(&self) -> Result<Vec<Listed>, StoreError> {
        self.kept.tables().await
    }
    async fn relist(&self, table: TableId) -> Result<(), StoreError> {
        self.kept.relist(table).await
    }
    async fn remove(&self, table: TableId, epoch: u64) -> Result<(), StoreError> {
        self.kept.remove(table, epoch).await
    }
}

type Deliveries = mpsc::Receiver<(SubscriptionKey, Delivery)>;

/// Asks to be told what happens, as one of several viewers.
fn watch(handle: &Handle, player: PlayerId, link: u64) -> Deliveries {
    let (sender, deliveries) = mpsc::channel(16);
    let key = SubscriptionKey { link, subscription: 1 };
    let sink = Sink::new(sender);
    let subscribe = Subscribe { key, player: Some(player), with_views: false, after: None, sink };
    handle.mailbox.try_send(Message::Subscribe(subscribe)).unwrap();
    deliveries
}

async fn whole(deliveries: &mut Deliveries) -> pb::TableResync {
    match deliveries.recv().await {
        Some((_, Delivery::Resync(bytes))) => pb::TableResync::decode(bytes).unwrap(),
        other => panic!("a subscriber begins with the whole view, not with {other:?}"),
    }
}

#[tokio::test(start_paused = true)]
async fn a_subscriber_begins_with_what_is_durable() {
    let (clock, shutdown) = (Clock::held_at(1_000_000), Shutdown::new());
    let store = Gate::with(17);
    let tables = tables_on(store.clone(), &clock, &shutdown);
    tables.recover().await.unwrap();
    let player = PlayerId::random();
    let created = tables.create(blackjack::request("r1", player)).await.unwrap();
    let handle = tables.get(created.table_id.parse().unwrap()).unwrap();
    let mut first = watch(&handle, player, 1);
    whole(&mut first).await;
    tokio::time::sleep(Duration::from_millis(10)).await;
    store.permits.forget_permits(16);

    // The first connection breaks, which the table notices as it tells of an action; behind the
    // action waits the player's next connection.
    drop(first);
    let (answer, answered) = oneshot::channel();
    let emote = pb::command::Command::Emote(pb::Emote { emote: 1 });
    handle
        .mailbox
        .try_send(Message::Act(Act {
            player,
            name: "Tester".to_owned(),
            request_id: "emote".to_owned(),
            trace: String::new(),
            command: pb::Command { command: Some(emote) },
            answer,
        }))
        .unwrap();
    let mut second = watch(&handle, player, 2);
    store.permits.add_permits(1);
    let seq = answered.await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert!(second.try_recv().is_err(), "that the player is away is not in the log yet");
    store.permits.add_permits(16);
    let shown = whole(&mut second).await;
    let seat = shown.view.unwrap().seats.into_iter().find(|one| one.seat == 0).unwrap();
    assert!(!seat.connected, "then it is, and is shown");
    assert!(store.head(handle.table).await.unwrap().last_seq > seq);
}

#[tokio::test(start_paused = true)]
async fn a_table_whose_log_is_lost_is_given_up_asleep_or_not() {
    let (clock, shutdown) = (Clock::held_at(1_000_000), Shutdown::new());
    let store = Arc::new(MemoryStore::default());
    let tables = tables_on(store.clone(), &clock, &shutdown);
    tables.recover().await.unwrap();
    let mut watched = Vec::new();
    for request in ["asleep", "awake"] {
        let player = PlayerId::random();
        let created = tables.create(blackjack::request(request, player)).await.unwrap();
        let table: TableId = created.table_id.parse().unwrap();
        if request == "awake" {
            watched.push(watch(&tables.get(table).unwrap(), player, 1));
        }
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!((tables.all().len(), tables.sleepers().len()), (1, 1));
    let owned = tables.owned();
    for (table, epoch) in &owned {
        tables.doubt(*table, epoch + 1);
        store.remove(*table, *epoch).await.unwrap();
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(tables.count(), 2, "whoever doubts another epoch of them is wrong");
    for (table, epoch) in owned {
        tables.doubt(table, epoch);
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(tables.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_request_that_is_repeated_after_its_table_has_closed_opens_no_other() {
    let (clock, shutdown) = (Clock::held_at(1_000_000), Shutdown::new());
    let tables = tables_on(Arc::new(MemoryStore::default()), &clock, &shutdown);
    tables.recover().await.unwrap();
    let request = blackjack::request("r1", PlayerId::random());
    let created = tables.create(request.clone()).await.unwrap();
    // The reservation expires, and nobody is left.
    clock.advance_ms(20_000);
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(tables.count(), 0);
    let again = tables.create(request).await.unwrap();
    assert_eq!(again.table_id, created.table_id);
    assert_eq!(again.seats, [u32::MAX], "nobody has a seat there");
    assert_eq!(tables.count(), 0);
}

#[tokio::test(start_paused = true)]
async fn a_table_runs_although_whoever_asked_for_it_has_gone_away() {
    let (clock, shutdown) = (Clock::held_at(1_000_000), Shutdown::new());
    let store = Gate::with(0);
    let tables = tables_on(store.clone(), &clock, &shutdown);
    tables.recover().await.unwrap();
    let creation = tables.create(blackjack::request("r1", PlayerId::random()));
    assert!(tokio::time::timeout(Duration::from_millis(10), creation).await.is_err());
    store.permits.add_permits(1);
    tokio::time::sleep(Duration::from_millis(10)).await;
    assert_eq!(tables.all().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_table_runs_although_its_claim_was_not_answered() {
    let (clock, shutdown) = (Clock::held_at(1_000_000), Shutdown::new());
    let store = Gate::with(1);
    let [owner, heir] = [(); 2].map(|()| tables_on(store.clone(), &clock, &shutdown));
    for tables in [&owner, &heir] {
        tables.recover().await.unwrap();
    }
    let request = blackjack::request("r1", PlayerId::random());
    let table: TableId = owner.create(request).await.unwrap().table_id.parse().unwrap();
    heir.claim(table, 1).await.unwrap_err();
    assert!(heir.all().is_empty(), "whether it is the heir's is not known");
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(heir.owned(), [(table, 2)]);
}
