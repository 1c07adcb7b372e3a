//! Links: one stream to each table pod, shared by all sessions.
//!
//! * [`Link`] is one such stream while it lasts: commands with their replies, and subscriptions.
//! * [`Links`] finds the pod of a table, opens its link when it is first needed and again after it
//!   broke, and carries commands across a break: a command is repeated with the same request id,
//!   which the table carries out only once.

mod backoff;
mod retry;
mod stream;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use parlor_common::locate::{OWNER_URL, TableLocator, TablePod};
use parlor_common::{Code, Failure, Shutdown, TableId};
use parlor_proto::table::v1::LinkCommand;
use parlor_proto::table::v1::link_service_client::LinkServiceClient;
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

pub use backoff::{Backoff, spread};
pub use retry::{Existence, Owner, Retries};
pub use stream::{Brought, Deliver, Ended, Link, Subscription, Untaken};

use crate::reasons;

/// Largest message from a table pod: a resync with the largest view, with room to spare.
const MAX_LINK_MESSAGE_BYTES: usize = 4 << 20;
/// Requests that may wait to be written to one pod; then the sessions wait.
const LINK_QUEUE: usize = 1024;
/// Pause between two looks at whether a pod still owns tables.
const DEPARTED_CHECK: Duration = Duration::from_millis(250);
/// Looks in a row that have to agree: a pod that has just come is not known to every other yet.
const DEPARTED_TIMES: u32 = 3;
/// Pods of the past whose failures are remembered.
const MAX_PODS: usize = 256;

/// Times of the links.
#[derive(Clone, Copy, Debug)]
pub struct LinkTimes {
    /// Longest wait for a link to open.
    pub connect: Duration,
    /// A command that was not answered for so long fails, and may be repeated by the client.
    pub command: Duration,
    /// Pause before the first repetition; it doubles.
    pub retry_min: Duration,
    /// Longest pause.
    pub retry_max: Duration,
}

/// Why one try did not succeed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missed {
    /// The link broke, or could not be opened: worth another try.
    Lost,
    /// The table said no.
    Refused(Failure),
}

impl Missed {
    /// Where the table has gone, if whoever refused knows.
    fn owner(&self) -> Option<&str> {
        match self {
            Self::Lost => None,
            Self::Refused(failure) => failure.metadata.get(OWNER_URL).map(String::as_str),
        }
    }
}

#[derive(Default)]
struct Pod {
    current: Mutex<Option<Arc<Link>>>,
    opening: tokio::sync::Mutex<Failures>,
}

#[derive(Default)]
struct Failures {
    count: u32,
    not_before: Option<Instant>,
}

/// The links to all table pods.
pub struct Links {
    locator: Arc<dyn TableLocator>,
    times: LinkTimes,
    pods: Mutex<HashMap<Arc<str>, Arc<Pod>>>,
    shutdown: Shutdown,
    closing: CancellationToken,
}

impl Links {
    /// No link is opened before it is needed.
    #[must_use]
    pub fn new(locator: Arc<dyn TableLocator>, times: LinkTimes, shutdown: Shutdown) -> Self {
        let closing = CancellationToken::new();
        Self { locator, times, pods: Mutex::default(), shutdown, closing }
    }

    /// The times.
    #[must_use]
    pub const fn times(&self) -> &LinkTimes {
        &self.times
    }

    /// Finds table pods.
    #[must_use]
    pub fn locator(&self) -> &dyn TableLocator {
        self.locator.as_ref()
    }

    /// Closes all links, when the last session has ended.
    pub fn close(&self) {
        self.closing.cancel();
    }

    /// The link to the pod that owns a table.
    ///
    /// # Errors
    /// [`Missed::Refused`] when no pod has the table; [`Missed::Lost`] when its pod is away.
    pub async fn to_owner(&self, table: &TableId) -> Result<Arc<Link>, Missed> {
        let pod = self.locator.owner(table).await.map_err(|failure| match failure.code {
            Code::Unavailable => Missed::Lost,
            _ => Missed::Refused(failure),
        })?;
        self.to_pod(&pod).await
    }

    /// Takes notice that a table was not where it was thought to be.
    pub fn look_elsewhere(&self, table: &TableId, missed: &Missed) -> Owner {
        match missed.owner() {
            Some(url) => {
                self.locator.learn(table, url);
                Owner::Named
            }
            None => {
                self.locator.forget(table);
                Owner::Unknown
            }
        }
    }

    async fn to_pod(&self, pod: &TablePod) -> Result<Arc<Link>, Missed> {
        let slot = self.slot(&pod.address);
        if let Some(link) = slot.live() {
            return Ok(link);
        }
        // One session opens the link; the others wait here for the outcome.
        let mut failures = slot.opening.lock().await;
        if let Some(link) = slot.live() {
            return Ok(link);
        }
        if failures.not_before.is_some_and(|moment| Instant::now() < moment) {
            return Err(Missed::Lost);
        }
        match self.open(pod).await {
            Some(link) => {
                *failures = Failures::default();
                *slot.current.lock().unwrap_or_else(PoisonError::into_inner) =
                    Some(Arc::clone(&link));
                Ok(link)
            }
            None => {
                let pause = Backoff::new(self.times.retry_min, self.times.retry_max)
                    .pause_after(failures.count);
                failures.count = failures.count.saturating_add(1);
                failures.not_before = Some(Instant::now() + pause);
                Err(Missed::Lost)
            }
        }
    }

    fn slot(&self, address: &Arc<str>) -> Arc<Pod> {
        let mut pods = self.pods.lock().unwrap_or_else(PoisonError::into_inner);
        if pods.len() >= MAX_PODS && !pods.contains_key(address) {
            pods.retain(|_, pod| pod.live().is_some());
        }
        Arc::clone(pods.entry(Arc::clone(address)).or_default())
    }

    async fn open(&self, pod: &TablePod) -> Option<Arc<Link>> {
        if self.closing.is_cancelled() {
            return None;
        }
        let (link, requests) = Link::new(LINK_QUEUE);
        let mut client = LinkServiceClient::new(pod.channel.clone())
            .max_decoding_message_size(MAX_LINK_MESSAGE_BYTES);
        let responses = match timeout(self.times.connect, client.link(requests)).await {
            Ok(Ok(response)) => response.into_inner(),
            Ok(Err(status)) => {
                tracing::warn!(pod = %pod.address, %status, "a table pod refused the link");
                return None;
            }
            Err(_) => {
                tracing::warn!(pod = %pod.address, "a table pod did not open the link in time");
                return None;
            }
        };
        tracing::info!(pod = %pod.address, "the link to a table pod is open");
        let (reader, closing) = (Arc::clone(&link), self.closing.clone());
        let locator = Arc::clone(&self.locator);
        let address = Arc::clone(&pod.address);
        self.shutdown.spawn("gateway-link", async move {
            tokio::select! {
                biased;
                status = reader.read(responses) => match status {
                    Some(status) => tracing::warn!(pod = %address, %status, "a link broke"),
                    None => tracing::info!(pod = %address, "a table pod closed its link"),
                },
                () = closing.cancelled() => {}
                () = departed(locator.as_ref(), &address) => {
                    tracing::warn!(pod = %address, "a table pod has fallen silent, or has left");
                }
            }
            reader.break_off();
        });
        Some(link)
    }

    /// Carries a command to its table and back. Returns the number of the entry in the table's
    /// log.
    ///
    /// # Errors
    /// What the table says; `UNAVAILABLE`/`LINK_UNAVAILABLE` when there was no answer in time, and
    /// the command may or may not have been carried out.
    pub async fn command(&self, way: Way, command: LinkCommand) -> Result<u64, Failure> {
        let Way { table, link: mut hint, existence } = way;
        let mut retries = Retries::of_command(&self.times, existence);
        let tries = async {
            loop {
                let link = match hint.take().filter(|link| link.is_live()) {
                    Some(link) => Ok(link),
                    None => self.to_owner(&table).await,
                };
                let tried = match link {
                    Ok(link) => link.command(command.clone()).await,
                    Err(missed) => Err(missed),
                };
                match tried {
                    Ok(log_seq) => return Ok(log_seq),
                    Err(missed) => {
                        let owner = self.look_elsewhere(&table, &missed);
                        retries.forgive(missed)?;
                        retries.pause(owner).await;
                    }
                }
            }
        };
        timeout(self.times.command, tries).await.unwrap_or_else(|_| Err(unavailable()))
    }
}

/// Waits until others own the tables of this pod. One that stands still keeps its connections, so
/// the link itself shows nothing for long.
async fn departed(locator: &dyn TableLocator, address: &str) {
    let mut times = 0;
    while times < DEPARTED_TIMES {
        tokio::time::sleep(DEPARTED_CHECK).await;
        times = if locator.has_departed(address).await { times + 1 } else { 0 };
    }
}

/// What is known of the way to a table.
#[derive(Clone)]
pub struct Way {
    /// The table.
    pub table: TableId,
    /// The link that was right lately.
    pub link: Option<Arc<Link>>,
    /// Whether the table is known to exist.
    pub existence: Existence,
}

impl Pod {
    fn live(&self) -> Option<Arc<Link>> {
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        current.as_ref().filter(|link| link.is_live()).cloned()
    }
}

fn unavailable() -> Failure {
    Failure::new(
        Code::Unavailable,
        reasons::LINK_UNAVAILABLE,
        "the table did not answer in time; repeat the request with the same id",
    )
}
