//! Pods as they come and go: any of them says who is up and who owns a table.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use futures_util::StreamExt;
use futures_util::stream::FuturesUnordered;
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::placement_service_client::PlacementServiceClient;
use tokio::time::{Instant, timeout};
use tonic::Status;

use super::owners::Owners;
use super::{TableLocator, TablePod};
use crate::client::{ClientOptions, PeerChannel, connect};
use crate::{Code, Error, Failure, TableId};

/// How long the answer to who is up is good for.
const FRESH: Duration = Duration::from_millis(500);
/// Who could be asked is found out anew when the last answer is so old: the addresses that were
/// given may all be of pods of the past.
const STALE: Duration = Duration::from_secs(5);
/// A question that is not answered after so long is put to the next pod as well.
const HEDGE: Duration = Duration::from_millis(150);
/// Longest wait for an answer of any pod.
const PATIENCE: Duration = Duration::from_secs(2);
/// Pods that are asked one question, beside the addresses that were given.
const ASKED_MAX: usize = 6;
/// A pod that did not answer is given no new tables for so long, while there are others.
const AVOIDED: Duration = Duration::from_secs(3);
/// Most channels that are kept; those of pods of the past are closed.
const CHANNELS_MAX: usize = 256;

/// The pods, as one of them saw them.
#[derive(Clone, Debug, Default)]
struct Seen {
    at: Option<Instant>,
    pods: BTreeMap<Arc<str>, pb::TablePod>,
}

/// Table pods that find each other. It needs the addresses of some; they know the others.
#[derive(Debug)]
pub struct LiveTables {
    seeds: Vec<Arc<str>>,
    options: ClientOptions,
    channels: Mutex<HashMap<Arc<str>, PeerChannel>>,
    seen: Mutex<Seen>,
    /// One question at a time about who is up; the others wait for its answer.
    looking: tokio::sync::Mutex<()>,
    owners: Owners<Arc<str>>,
    /// New tables since the last look, by pod.
    placed: Mutex<HashMap<Arc<str>, u64>>,
    avoided: Mutex<HashMap<Arc<str>, Instant>>,
    next: AtomicUsize,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A question that is under way, with the address of whom it was put to.
type Asked<Answer> =
    Pin<Box<dyn Future<Output = (Arc<str>, Result<Answer, Failure>)> + Send + 'static>>;

impl LiveTables {
    /// The pods that those at these URLs know.
    ///
    /// # Errors
    /// [`Error::PeerAddress`] when one is not a URL, or there is none.
    pub fn new<Url: AsRef<str>>(urls: &[Url], options: &ClientOptions) -> Result<Self, Error> {
        if urls.is_empty() {
            return Err(Error::PeerAddress { url: String::new() });
        }
        let mut channels = HashMap::new();
        for url in urls {
            channels.insert(Arc::from(url.as_ref()), connect(url.as_ref(), options)?);
        }
        Ok(Self {
            seeds: urls.iter().map(|url| Arc::from(url.as_ref())).collect(),
            options: options.clone(),
            channels: Mutex::new(channels),
            seen: Mutex::default(),
            looking: tokio::sync::Mutex::new(()),
            owners: Owners::default(),
            placed: Mutex::default(),
            avoided: Mutex::default(),
            next: AtomicUsize::new(0),
        })
    }

    /// The pod of this address; `None` when it is no URL.
    fn pod(&self, address: &Arc<str>) -> Option<TablePod> {
        let mut channels = locked(&self.channels);
        if let Some(channel) = channels.get(address) {
            return Some(TablePod { address: Arc::clone(address), channel: channel.clone() });
        }
        let channel = connect(address, &self.options)
            .inspect_err(|error| tracing::error!(%error, "a table pod has no usable address"))
            .ok()?;
        if channels.len() >= CHANNELS_MAX {
            let pods = &locked(&self.seen).pods;
            channels.retain(|url, _| self.seeds.contains(url) || pods.contains_key(url));
        }
        channels.insert(Arc::clone(address), channel.clone());
        Some(TablePod { address: Arc::clone(address), channel })
    }

    /// Whom to ask, in order: pods that are up, a different one first each time, then the rest.
    fn advisers(&self) -> Vec<TablePod> {
        let seen = locked(&self.seen).pods.clone();
        let (mut first, last): (Vec<_>, Vec<_>) =
            seen.into_iter().partition(|(_, pod)| !pod.departed && !pod.draining);
        if !first.is_empty() {
            let turn = self.next.fetch_add(1, Ordering::Relaxed) % first.len();
            first.rotate_left(turn);
        }
        let avoided = self.avoided();
        first.sort_by_key(|(url, _)| avoided.contains(url));
        let known = first.into_iter().chain(last).map(|(url, _)| url).take(ASKED_MAX);
        let mut once = BTreeSet::new();
        // However many pods are known: they may all be of the past.
        known
            .chain(self.seeds.iter().cloned())
            .filter(|url| once.insert(Arc::clone(url)))
            .filter_map(|url| self.pod(&url))
            .collect()
    }

    fn avoided(&self) -> BTreeSet<Arc<str>> {
        let mut avoided = locked(&self.avoided);
        avoided.retain(|_, until| Instant::now() < *until);
        avoided.keys().cloned().collect()
    }

    /// Puts a question to one pod after the other until one answers. Who has no answer, or does not
    /// answer soon, does not hold it up.
    async fn ask<Answer, Call, Answering>(&self, call: Call) -> Result<(Arc<str>, Answer), Failure>
    where
        Call: Fn(PlacementServiceClient<PeerChannel>) -> Answering,
        Answering: Future<Output = Result<Answer, Status>> + Send + 'static,
        Answer: Send + 'static,
    {
        let mut advisers = self.advisers().into_iter();
        let mut asked: FuturesUnordered<Asked<Answer>> = FuturesUnordered::new();
        let mut failure = Failure::new(Code::Unavailable, "NO_TABLE_POD", "no table pod answers");
        let deadline = Instant::now() + PATIENCE;
        loop {
            let more = advisers.next().map(|TablePod { address, channel }| {
                let answering = call(PlacementServiceClient::new(channel));
                let answered = async move {
                    let answer = timeout(PATIENCE, answering).await;
                    let late = |_| Err(Status::deadline_exceeded("no answer in time"));
                    (address, answer.unwrap_or_else(late).map_err(Failure::from))
                };
                asked.push(Box::pin(answered));
            });
            if more.is_none() && asked.is_empty() {
                return Err(failure);
            }
            let until = if more.is_some() { Instant::now() + HEDGE } else { deadline };
            match tokio::time::timeout_at(until, asked.next()).await {
                Ok(Some((address, Ok(answer)))) => return Ok((address, answer)),
                // Another pod may not be as slow as this one, or know more.
                Ok(Some((address, Err(failed)))) if failed.code == Code::Unavailable => {
                    if failed.reason == "SERVICE_UNAVAILABLE" {
                        self.avoid(&address);
                    }
                    failure = failed;
                }
                Ok(Some((_, Err(failed)))) => return Err(failed),
                Ok(None) => {}
                Err(_) if more.is_some() => {}
                Err(_) => return Err(failure),
            }
        }
    }

    /// The pods as of a moment ago.
    async fn look(&self) -> Result<Seen, Failure> {
        let fresh = || {
            let seen = locked(&self.seen);
            seen.at.filter(|at| at.elapsed() < FRESH).map(|_| seen.clone())
        };
        if let Some(seen) = fresh() {
            return Ok(seen);
        }
        let _looking = self.looking.lock().await;
        if let Some(seen) = fresh() {
            return Ok(seen);
        }
        let (address, answer) = self
            .ask(|mut pod| async move {
                pod.list_pods(pb::ListPodsRequest {}).await.map(tonic::Response::into_inner)
            })
            .await?;
        let named = |pod: pb::TablePod| (called(&pod, &address), pod);
        let pods = answer.pods.into_iter().map(named).collect();
        let seen = Seen { at: Some(Instant::now()), pods };
        locked(&self.placed).clear();
        *locked(&self.seen) = seen.clone();
        Ok(seen)
    }
}

/// Where a pod is called; one that does not say is called as it was asked.
fn called(pod: &pb::TablePod, asked: &Arc<str>) -> Arc<str> {
    if pod.url.is_empty() { Arc::clone(asked) } else { pod.url.as_str().into() }
}

#[async_trait]
impl TableLocator for LiveTables {
    async fn owner(&self, table: &TableId) -> Result<TablePod, Failure> {
        if let Some(pod) = self.owners.of(table).and_then(|url| self.pod(&url)) {
            return Ok(pod);
        }
        if locked(&self.seen).at.is_none_or(|at| at.elapsed() > STALE) {
            // When nobody answers, the question itself fares no better, and says so.
            let _ = self.look().await;
        }
        let table_id = table.to_string();
        let (address, answer) = self
            .ask(move |mut pod| {
                let request = pb::LocateTableRequest { table_id: table_id.clone() };
                async move { pod.locate_table(request).await.map(tonic::Response::into_inner) }
            })
            .await?;
        let owner = called(&answer.pod.unwrap_or_default(), &address);
        let pod = self.pod(&owner).ok_or_else(Failure::internal)?;
        self.owners.remember(*table, owner);
        Ok(pod)
    }

    async fn place(&self) -> Result<TablePod, Failure> {
        let seen = self.look().await?;
        let avoided = self.avoided();
        let mut placed = locked(&self.placed);
        let load =
            |url: &Arc<str>, pod: &pb::TablePod| pod.tables + placed.get(url).copied().unwrap_or(0);
        // A full pod is named only when all are: it will say so.
        let open = seen.pods.iter().filter(|(_, pod)| !pod.draining && !pod.departed);
        let best = open.min_by_key(|(url, pod)| {
            let load = load(url, pod);
            (avoided.contains(*url), load >= pod.table_limit, load)
        });
        let none = || Failure::new(Code::Unavailable, "NO_TABLE_POD", "no table pod is up");
        let url = best.map(|(url, _)| Arc::clone(url)).ok_or_else(none)?;
        *placed.entry(Arc::clone(&url)).or_default() += 1;
        drop(placed);
        self.pod(&url).ok_or_else(none)
    }

    async fn all(&self) -> Result<Vec<TablePod>, Failure> {
        let seen = self.look().await?;
        Ok(seen.pods.keys().filter_map(|url| self.pod(url)).collect())
    }

    async fn has_departed(&self, address: &str) -> bool {
        let Ok(seen) = self.look().await else { return false };
        seen.pods.get(address).is_none_or(|pod| pod.departed)
    }

    fn forget(&self, table: &TableId) {
        self.owners.forget(table);
    }

    fn learn(&self, table: &TableId, url: &str) {
        self.owners.remember(*table, url.into());
    }

    fn avoid(&self, address: &str) {
        let mut avoided = locked(&self.avoided);
        avoided.insert(address.into(), Instant::now() + AVOIDED);
    }
}
