//! One link while it lasts.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use parlor_common::{Code, Failure};
use parlor_proto::table::v1::link_request::Request;
use parlor_proto::table::v1::{
    LinkClosed, LinkCommand, LinkReply, LinkRequest, LinkResponse, LinkUpdate, Refused, Subscribe,
    Unsubscribe, link_response, link_update,
};
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;
use tokio_util::sync::CancellationToken;
use tonic::{Status, Streaming};

use super::Missed;

/// What a table says to one subscriber, serialized.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Brought {
    /// A `TableUpdate`.
    Update(Bytes),
    /// A `TableResync`.
    Resync(Bytes),
}

/// Why a subscriber does not take what was brought; the subscription ends with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untaken {
    /// Its client is too slow.
    Lagging,
    /// Updates are missing before this one.
    Gap,
    /// The bytes are no such message.
    Unreadable,
    /// It has another subscription by now.
    Outdated,
}

/// Why a subscription has ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The table says so: `LinkClosed.reason`.
    Closed(String),
    /// The pod that is called there has the table now.
    Moved(String),
    /// The subscriber did not take what was brought.
    Untaken(Untaken),
    /// The link broke.
    Lost,
}

/// Takes what a subscription brings. Runs in the link's task: it may not wait.
pub trait Deliver: Send + Sync + 'static {
    /// Takes one message, in order.
    ///
    /// # Errors
    /// When it is not taken.
    fn deliver(&self, subscription: u64, brought: Brought) -> Result<(), Untaken>;
}

struct Route {
    deliver: Arc<dyn Deliver>,
    ended: oneshot::Sender<Ended>,
}

/// A stream to a table pod.
pub struct Link {
    requests: mpsc::Sender<LinkRequest>,
    next_correlation: AtomicU64,
    waiting: Mutex<BTreeMap<u64, oneshot::Sender<LinkReply>>>,
    routes: Mutex<BTreeMap<u64, Route>>,
    broken: CancellationToken,
}

/// Numbers subscriptions over all links, so that what an old link still brings is told apart.
static NEXT_SUBSCRIPTION: AtomicU64 = AtomicU64::new(1);

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Link {
    /// A link and what is to be sent over it.
    pub(super) fn new(queue: usize) -> (Arc<Self>, ReceiverStream<LinkRequest>) {
        let (requests, sent) = mpsc::channel(queue);
        let link = Self {
            requests,
            next_correlation: AtomicU64::new(1),
            waiting: Mutex::default(),
            routes: Mutex::default(),
            broken: CancellationToken::new(),
        };
        (Arc::new(link), ReceiverStream::new(sent))
    }

    /// Whether it is not known to be broken.
    #[must_use]
    pub fn is_live(&self) -> bool {
        !self.broken.is_cancelled()
    }

    /// Hands on what the pod sends, until the stream ends; with the error that ended it.
    pub(super) async fn read(&self, mut responses: Streaming<LinkResponse>) -> Option<Status> {
        loop {
            match responses.message().await {
                Ok(Some(LinkResponse { response: Some(response) })) => self.receive(response),
                // A kind of message that only a newer pod knows.
                Ok(Some(LinkResponse { response: None })) => {}
                Ok(None) => return None,
                Err(status) => return Some(status),
            }
        }
    }

    /// Ends all that waits for the pod.
    pub(super) fn break_off(&self) {
        self.broken.cancel();
        locked(&self.waiting).clear();
        for (_, route) in std::mem::take(&mut *locked(&self.routes)) {
            let _ = route.ended.send(Ended::Lost);
        }
    }

    fn receive(&self, response: link_response::Response) {
        match response {
            link_response::Response::Reply(reply) => {
                if let Some(waiting) = locked(&self.waiting).remove(&reply.correlation) {
                    // Nobody waits any more when the session has ended.
                    let _ = waiting.send(reply);
                }
            }
            link_response::Response::Update(update) => self.deliver(update),
            link_response::Response::Closed(closed) => {
                let LinkClosed { subscription, reason, owner_url } = closed;
                let moved = !owner_url.is_empty();
                let ended = if moved { Ended::Moved(owner_url) } else { Ended::Closed(reason) };
                self.finish(subscription, ended);
            }
        }
    }

    fn deliver(&self, LinkUpdate { subscription, message }: LinkUpdate) {
        let brought = match message {
            Some(link_update::Message::Update(bytes)) => Brought::Update(bytes),
            Some(link_update::Message::Resync(bytes)) => Brought::Resync(bytes),
            None => return,
        };
        let deliver = locked(&self.routes).get(&subscription).map(|route| route.deliver.clone());
        // Without a route: the unsubscription was lost in a full queue, or is on its way.
        let taken = deliver.map(|deliver| deliver.deliver(subscription, brought));
        match taken {
            Some(Ok(())) => {}
            Some(Err(untaken)) => {
                self.finish(subscription, Ended::Untaken(untaken));
                self.unsubscribe(subscription);
            }
            None => self.unsubscribe(subscription),
        }
    }

    fn finish(&self, subscription: u64, ended: Ended) {
        if let Some(route) = locked(&self.routes).remove(&subscription) {
            let _ = route.ended.send(ended);
        }
    }

    /// Best effort: when the queue is full, the next update of the subscription tries again.
    fn unsubscribe(&self, subscription: u64) {
        let request = Request::Unsubscribe(Unsubscribe { subscription });
        let _ = self.requests.try_send(LinkRequest { correlation: 0, request: Some(request) });
    }

    async fn ask(&self, request: Request) -> Result<LinkReply, Missed> {
        let correlation = self.next_correlation.fetch_add(1, Ordering::Relaxed);
        let (answered, answer) = oneshot::channel();
        locked(&self.waiting).insert(correlation, answered);
        let _withdraw = Withdraw { link: self, correlation };
        let exchange = async {
            let request = LinkRequest { correlation, request: Some(request) };
            self.requests.send(request).await.map_err(|_| Missed::Lost)?;
            answer.await.map_err(|_| Missed::Lost)
        };
        tokio::select! {
            // A reply that came before the break counts.
            biased;
            reply = exchange => reply,
            () = self.broken.cancelled() => Err(Missed::Lost),
        }
    }

    /// Sends a command and waits for its reply.
    ///
    /// # Errors
    /// [`Missed`].
    pub async fn command(&self, command: LinkCommand) -> Result<u64, Missed> {
        accepted(self.ask(Request::Command(command)).await?)
    }

    /// Subscribes `deliver` to a table. `request.subscription` is chosen here. What the table says
    /// may be delivered before this returns.
    ///
    /// # Errors
    /// [`Missed`].
    pub async fn subscribe(
        self: &Arc<Self>,
        mut request: Subscribe,
        deliver: Arc<dyn Deliver>,
        numbered: impl FnOnce(u64),
    ) -> Result<Subscription, Missed> {
        let number = NEXT_SUBSCRIPTION.fetch_add(1, Ordering::Relaxed);
        request.subscription = number;
        numbered(number);
        let (ended, end) = oneshot::channel();
        locked(&self.routes).insert(number, Route { deliver, ended });
        let subscription = Subscription { link: Arc::clone(self), number, end };
        accepted(self.ask(Request::Subscribe(request)).await?)?;
        Ok(subscription)
    }
}

fn accepted(reply: LinkReply) -> Result<u64, Missed> {
    reply.refused.map_or(Ok(reply.log_seq), |refused| Err(Missed::Refused(failure(refused))))
}

fn failure(refused: Refused) -> Failure {
    let code = Code::from_grpc(tonic::Code::from(refused.code));
    let Refused { reason, message, metadata, .. } = refused;
    Failure { code, reason, message, metadata }
}

/// Forgets a question when whoever asked is gone.
struct Withdraw<'link> {
    link: &'link Link,
    correlation: u64,
}

impl Drop for Withdraw<'_> {
    fn drop(&mut self) {
        locked(&self.link.waiting).remove(&self.correlation);
    }
}

/// A running subscription; it ends when it is dropped.
pub struct Subscription {
    link: Arc<Link>,
    number: u64,
    end: oneshot::Receiver<Ended>,
}

impl Subscription {
    /// The link that carries it.
    #[must_use]
    pub const fn link(&self) -> &Arc<Link> {
        &self.link
    }

    /// Waits until it has ended, and says why. May be dropped and called again before that.
    pub async fn ended(&mut self) -> Ended {
        (&mut self.end).await.unwrap_or(Ended::Lost)
    }
}

impl Drop for Subscription {
    fn drop(&mut self) {
        if locked(&self.link.routes).remove(&self.number).is_some() {
            self.link.unsubscribe(self.number);
        }
    }
}
