//! `parlor.table.v1.LinkService`: the one stream between a gateway and this process.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use futures_util::{Stream, StreamExt};
use parlor_common::{Failure, PlayerId, Shutdown, TableId};
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::link_service_server::LinkService;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status, Streaming};

use super::{check_request_id, post};
use crate::actor::{Act, Delivery, Message, Sink, Subscribe, SubscriptionKey};
use crate::error::Error;
use crate::tables::Tables;

/// Deliveries that may wait for a gateway; then its subscribers fall behind and get resyncs.
const DELIVERIES: usize = 16_384;
/// Replies that may wait for a gateway; then its requests are no longer read.
const REPLIES: usize = 1_024;
/// Commands of one gateway that may wait for their tables; then its requests are no longer read.
const OUTSTANDING: usize = 4_096;

/// `LinkClosed.reason`: another pod has the table now.
const MOVED: &str = "table_moved";

/// The service on the tables of this process.
#[derive(Clone, Debug)]
pub struct LinkApi {
    tables: Tables,
    links: Arc<AtomicU64>,
    shutdown: Shutdown,
}

impl LinkApi {
    /// The service; `links` numbers subscribers and is shared with the table service.
    #[must_use]
    pub const fn new(tables: Tables, links: Arc<AtomicU64>, shutdown: Shutdown) -> Self {
        Self { tables, links, shutdown }
    }
}

#[tonic::async_trait]
impl LinkService for LinkApi {
    type LinkStream = Pin<Box<dyn Stream<Item = Result<pb::LinkResponse, Status>> + Send>>;

    async fn link(
        &self,
        request: Request<Streaming<pb::LinkRequest>>,
    ) -> Result<Response<Self::LinkStream>, Status> {
        let (deliver, deliveries) = mpsc::channel(DELIVERIES);
        let (reply, replies) = mpsc::channel(REPLIES);
        let link = Link {
            number: self.links.fetch_add(1, Ordering::Relaxed),
            tables: self.tables.clone(),
            sink: Sink::new(deliver),
            reply,
            subscriptions: BTreeMap::new(),
        };
        self.shutdown.spawn("link", link.serve(request.into_inner()));
        let deliveries = ReceiverStream::new(deliveries).map(|(key, one)| delivered(key, one));
        let responses = tokio_stream::StreamExt::merge(ReceiverStream::new(replies), deliveries);
        Ok(Response::new(Box::pin(responses.map(Ok))))
    }
}

/// The number of the log entry, or why there is none, once that is known.
type Reply = BoxFuture<'static, Result<u64, Failure>>;

/// The receiving half of one link.
struct Link {
    number: u64,
    tables: Tables,
    sink: Sink,
    reply: mpsc::Sender<pb::LinkResponse>,
    /// The table of each subscription.
    subscriptions: BTreeMap<u64, TableId>,
}

impl Link {
    async fn serve(mut self, mut requests: Streaming<pb::LinkRequest>) {
        let halt = self.tables.halt().clone();
        let mut outstanding = FuturesUnordered::new();
        loop {
            tokio::select! {
                biased;
                () = halt.cancelled() => break,
                Some((correlation, result)) = outstanding.next(), if !outstanding.is_empty() => {
                    if self.answer(correlation, result).await.is_err() {
                        break;
                    }
                }
                request = requests.next(), if outstanding.len() < OUTSTANDING => {
                    // An error and the end mean the same: the gateway has gone.
                    let Some(Ok(request)) = request else { break };
                    let correlation = request.correlation;
                    match self.receive(request) {
                        Ok(Some(reply)) => outstanding.push(async move {
                            (correlation, reply.await)
                        }),
                        Ok(None) => {
                            if self.answer(correlation, Ok(0)).await.is_err() {
                                break;
                            }
                        }
                        Err(failure) => {
                            if self.answer(correlation, Err(failure)).await.is_err() {
                                break;
                            }
                        }
                    }
                }
            }
        }
        for (subscription, table) in std::mem::take(&mut self.subscriptions) {
            self.unsubscribe(subscription, table).await;
        }
    }

    /// Passes a request on; what remains to be waited for, if anything.
    fn receive(&mut self, request: pb::LinkRequest) -> Result<Option<Reply>, Failure> {
        use pb::link_request::Request as In;
        let unknown = Error::Invalid("BAD_COMMAND", "the request is empty or unknown");
        match request.request.ok_or(unknown)? {
            In::Subscribe(subscribe) => self.subscribe(subscribe),
            In::Unsubscribe(unsubscribe) => {
                let subscription = unsubscribe.subscription;
                if let Some(table) = self.subscriptions.remove(&subscription)
                    && let Ok(handle) = self.tables.get(table)
                {
                    post(&handle, Message::Unsubscribe(self.key(subscription)))?;
                }
                Ok(None)
            }
            In::Command(command) => self.command(command).map(Some),
        }
    }

    fn subscribe(&mut self, subscribe: pb::Subscribe) -> Result<Option<Reply>, Failure> {
        let table = subscribe.table_id.parse::<TableId>()?;
        let player = match subscribe.player_id.as_str() {
            "" => None,
            id => Some(id.parse::<PlayerId>()?),
        };
        let message = Message::Subscribe(Subscribe {
            key: self.key(subscribe.subscription),
            player,
            with_views: subscribe.with_views,
            after: subscribe.after_seq,
            sink: self.sink.clone(),
        });
        self.subscriptions.insert(subscribe.subscription, table);
        self.bring(table, message, Box::pin(std::future::ready(Ok(0))))
    }

    fn command(&self, command: pb::LinkCommand) -> Result<Reply, Failure> {
        check_request_id(&command.request_id)?;
        let table = command.table_id.parse::<TableId>()?;
        let missing = Error::Invalid("BAD_COMMAND", "the command is missing");
        let (answer, acted) = oneshot::channel();
        let act = Act {
            player: command.player_id.parse::<PlayerId>()?,
            name: command.player_name,
            request_id: command.request_id,
            trace: command.traceparent,
            command: command.command.ok_or(missing)?,
            answer,
        };
        let acted: Reply = Box::pin(async move {
            let moved = |_| Err(Error::TableMoved { owner: None }.into());
            acted.await.unwrap_or_else(moved)
        });
        let brought = self.bring(table, Message::Act(act), acted)?;
        Ok(brought.unwrap_or_else(|| Box::pin(std::future::ready(Ok(0)))))
    }

    /// Posts a message at once where the table runs here, so that messages keep their order; else
    /// finds out where it is. What remains to be waited for is `reply`.
    fn bring(
        &self,
        table: TableId,
        message: Message,
        reply: Reply,
    ) -> Result<Option<Reply>, Failure> {
        if let Ok(handle) = self.tables.get(table) {
            post(&handle, message)?;
            return Ok(Some(reply));
        }
        let tables = self.tables.clone();
        Ok(Some(Box::pin(async move {
            let handle = tables.find(table).await?;
            post(&handle, message)?;
            reply.await
        })))
    }

    async fn answer(
        &self,
        correlation: u64,
        result: Result<u64, Failure>,
    ) -> Result<(), mpsc::error::SendError<pb::LinkResponse>> {
        let reply = match result {
            Ok(log_seq) => pb::LinkReply { correlation, log_seq, refused: None },
            Err(failure) => {
                pb::LinkReply { correlation, log_seq: 0, refused: Some(refused_to(failure)) }
            }
        };
        let response = pb::link_response::Response::Reply(reply);
        self.reply.send(pb::LinkResponse { response: Some(response) }).await
    }

    const fn key(&self, subscription: u64) -> SubscriptionKey {
        SubscriptionKey { link: self.number, subscription }
    }

    async fn unsubscribe(&self, subscription: u64, table: TableId) {
        if let Ok(handle) = self.tables.get(table) {
            let message = Message::Unsubscribe(self.key(subscription));
            // A table that has ended has no subscriptions any more.
            let _ = handle.mailbox.send(message).await;
        }
    }
}

fn refused_to(failure: Failure) -> pb::Refused {
    pb::Refused {
        code: failure.code.grpc().into(),
        reason: failure.reason,
        message: failure.message,
        retryable: failure.code.retryable(),
        metadata: failure.metadata,
    }
}

fn delivered(key: SubscriptionKey, delivery: Delivery) -> pb::LinkResponse {
    use pb::link_response::Response;
    use pb::link_update::Message as Out;
    let subscription = key.subscription;
    let update =
        |message| Response::Update(pb::LinkUpdate { subscription, message: Some(message) });
    let response = match delivery {
        Delivery::Update(bytes) => update(Out::Update(bytes)),
        Delivery::Resync(bytes) => update(Out::Resync(bytes)),
        Delivery::Closed(reason) => Response::Closed(pb::LinkClosed {
            subscription,
            reason: reason.to_owned(),
            owner_url: String::new(),
        }),
        Delivery::Moved(owner) => Response::Closed(pb::LinkClosed {
            subscription,
            reason: MOVED.to_owned(),
            owner_url: owner.as_ref().to_owned(),
        }),
    };
    pb::LinkResponse { response: Some(response) }
}
