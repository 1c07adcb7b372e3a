//! Passes this pod's tables on when it drains, one by one, without waiting for its lease to end.

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use parlor_common::client::{PeerChannel, connect};
use parlor_common::{PodId, TableId};
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::placement_service_client::PlacementServiceClient;
use tokio::sync::oneshot;
use tokio::time::{Instant, timeout};

use super::Cluster;
use crate::actor::{Asleep, HandOver, Handle, Message, Verdict};
use crate::tables::Tables;

/// Tables that are handed over at a time.
const AT_A_TIME: usize = 32;
/// Heirs that are tried for one table.
const TRIES: usize = 3;
/// Longest wait for a table to finish what it is at.
const RELEASE: Duration = Duration::from_secs(3);
/// Longest wait for an heir to take one table.
const TAKE: Duration = Duration::from_millis(1_500);
/// First pause before tables that could not be passed on are tried again; doubled each time.
const PAUSE: Duration = Duration::from_millis(100);

/// How many tables each heir has, counting those that it was just given.
struct Heirs {
    loads: Mutex<HashMap<PodId, u64>>,
}

impl Heirs {
    /// The heir with the fewest tables, other than those that have refused.
    fn next(&self, cluster: &Cluster, refused: &[PodId]) -> Option<(PodId, String)> {
        let mut loads = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
        let heirs = cluster.members().heirs();
        let fit = heirs.into_iter().filter(|(id, _)| *id != cluster.me && !refused.contains(id));
        let (id, pod) = fit.min_by_key(|(id, pod)| loads.get(id).copied().unwrap_or(pod.tables))?;
        *loads.entry(id).or_insert(pod.tables) += 1;
        Some((id, pod.url))
    }
}

impl Cluster {
    /// Takes no more tables, and passes on those that there are, as far as others take them in
    /// time.
    pub async fn hand_over(&self, tables: &Tables) {
        self.draining.store(true, Ordering::Release);
        self.beat.notify_one();
        let deadline = Instant::now() + self.settings.handover;
        let heirs = Heirs { loads: Mutex::default() };
        let channels = Mutex::new(HashMap::new());
        let (before, mut pause) = (tables.count(), PAUSE);
        while Instant::now() < deadline {
            let (left, asleep) = (tables.all(), tables.sleepers());
            if (left.is_empty() && asleep.is_empty() && !tables.is_opening())
                || !self.members().heirs().iter().any(|(id, _)| *id != self.me)
            {
                break;
            }
            let awake = left.into_iter().map(|handle| -> BoxFuture<'_, ()> {
                Box::pin(self.pass_on(handle, &heirs, &channels, tables))
            });
            let asleep = asleep.into_iter().map(|asleep| -> BoxFuture<'_, ()> {
                Box::pin(self.pass_on_asleep(asleep, &heirs, &channels, tables))
            });
            let passes: Vec<_> = awake.chain(asleep).collect();
            let passes = futures_util::stream::iter(passes).buffer_unordered(AT_A_TIME);
            let passed = passes.for_each(|()| std::future::ready(()));
            if tokio::time::timeout_at(deadline, passed).await.is_err() {
                break;
            }
            if tables.count() > 0 || tables.is_opening() {
                tokio::time::sleep(pause).await;
                pause *= 2;
            }
        }
        let left = tables.count();
        let passed = before.saturating_sub(left);
        tracing::info!(passed, left, "{passed} tables were handed over, {left} stay in their logs");
    }

    async fn pass_on(
        &self,
        handle: Handle,
        heirs: &Heirs,
        channels: &Mutex<HashMap<String, PeerChannel>>,
        tables: &Tables,
    ) {
        let table = handle.table;
        let (released, release) = oneshot::channel();
        let (decide, verdict) = oneshot::channel();
        let message = Message::HandOver(HandOver { released, verdict });
        let asked = timeout(RELEASE, async {
            handle.mailbox.send(message).await.ok()?;
            release.await.ok()
        });
        // The table has ended, or its log is away: then the verdict is dropped, and it goes on.
        let Ok(Some(epoch)) = asked.await else { return };
        let verdict = match self.bequeath(table, epoch, heirs, channels).await {
            Some(url) => {
                tables.metrics().handed_over();
                Verdict::Moved(Arc::from(url))
            }
            None => Verdict::Stay,
        };
        // A table that has ended meanwhile needs no verdict.
        let _ = decide.send(verdict);
    }

    async fn pass_on_asleep(
        &self,
        asleep: Arc<Asleep>,
        heirs: &Heirs,
        channels: &Mutex<HashMap<String, PeerChannel>>,
        tables: &Tables,
    ) {
        // Should it wake meanwhile, its first append is refused.
        if self.bequeath(asleep.table, asleep.epoch, heirs, channels).await.is_some() {
            tables.metrics().handed_over();
            tables.forget_sleeper(&asleep);
        }
    }

    /// Finds an heir for a table; gives where it is called.
    async fn bequeath(
        &self,
        table: TableId,
        epoch: u64,
        heirs: &Heirs,
        channels: &Mutex<HashMap<String, PeerChannel>>,
    ) -> Option<String> {
        let mut refused = Vec::new();
        let mut new_owner = None;
        while refused.len() < TRIES && new_owner.is_none() {
            let Some((heir, url)) = heirs.next(self, &refused) else { break };
            match self.give(&url, channels, table, epoch).await {
                Ok(()) => new_owner = Some(url),
                Err(error) => {
                    tracing::warn!(%table, %heir, %error, "table {table} was not taken: {error}");
                    // The answer may have been lost on its way.
                    let head = self.store.head(table).await;
                    if head.is_ok_and(|head| head.owner == heir) {
                        new_owner = Some(url);
                    }
                    refused.push(heir);
                }
            }
        }
        new_owner
    }

    async fn give(
        &self,
        url: &str,
        channels: &Mutex<HashMap<String, PeerChannel>>,
        table: TableId,
        epoch: u64,
    ) -> Result<(), tonic::Status> {
        let channel = {
            let mut channels = channels.lock().unwrap_or_else(PoisonError::into_inner);
            match channels.get(url) {
                Some(channel) => channel.clone(),
                None => {
                    let channel = connect(url, &self.settings.client)
                        .map_err(|error| tonic::Status::internal(error.to_string()))?;
                    channels.insert(url.to_owned(), channel.clone());
                    channel
                }
            }
        };
        let request = pb::TakeTableRequest { table_id: table.to_string(), epoch };
        let mut heir = PlacementServiceClient::new(channel);
        let late = |_| Err(tonic::Status::deadline_exceeded("the heir did not answer in time"));
        timeout(TAKE, async { heir.take_table(request).await.map(drop) }).await.unwrap_or_else(late)
    }
}
