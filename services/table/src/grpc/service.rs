//! `parlor.table.v1.TableService`.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::ready;
use futures_util::{Stream, StreamExt};
use parlor_common::{Failure, PlayerId, TableId};
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::table_service_server::TableService;
use prost::Message as _;
use tokio::sync::{mpsc, oneshot};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::{check_request_id, post, table};
use crate::actor::{Act, Delivery, Handle, Message, Sink, Subscribe, SubscriptionKey};
use crate::error::Error;
use crate::register::Found;
use crate::tables::Tables;
use crate::wire::settings::player_from;

/// Deliveries that may wait for a watcher; a slower one gets a resync.
const WATCH_BUFFER: usize = 256;
/// Tables of a page when the caller does not say.
const PAGE_DEFAULT: usize = 100;
/// Most tables of a page.
const PAGE_MAX: usize = 500;

/// The service on the tables of this process.
#[derive(Clone, Debug)]
pub struct TableApi {
    tables: Tables,
    links: Arc<AtomicU64>,
}

impl TableApi {
    /// The service; `links` numbers subscribers and is shared with the link service.
    #[must_use]
    pub const fn new(tables: Tables, links: Arc<AtomicU64>) -> Self {
        Self { tables, links }
    }

    /// What tables say of themselves: all, or those that may have a room's code.
    async fn summaries(&self, room_code: &str) -> Vec<pb::TableSummary> {
        let handles = match room_code {
            "" => self.tables.all(),
            code => {
                let Found { tables, unread } = self.tables.register().of_code(code);
                tables.into_iter().chain(unread).filter_map(|it| self.tables.get(it).ok()).collect()
            }
        };
        let asked = handles.into_iter().filter_map(|handle| {
            let (answer, answered) = oneshot::channel();
            // A table whose mailbox is full is left out of the list rather than waited for.
            post(&handle, Message::Summary(answer)).ok().map(|()| answered)
        });
        let awake = futures_util::future::join_all(asked).await.into_iter().flatten();
        // One with the room's code has been woken by the question.
        let asleep = if room_code.is_empty() { self.tables.sleepers() } else { Vec::new() };
        awake.chain(asleep.iter().map(|asleep| asleep.summary.clone())).collect()
    }
}

/// Waits for an actor's answer; it may end before it answers.
async fn answered<T>(answer: oneshot::Receiver<T>) -> Result<T, Failure> {
    answer.await.map_err(|_| Error::TableMoved { owner: None }.into())
}

#[tonic::async_trait]
impl TableService for TableApi {
    async fn create_table(
        &self,
        request: Request<pb::CreateTableRequest>,
    ) -> Result<Response<pb::CreateTableResponse>, Status> {
        let created = self.tables.create(request.into_inner()).await;
        Ok(Response::new(created.map_err(Failure::from)?))
    }

    async fn get_table(
        &self,
        request: Request<pb::GetTableRequest>,
    ) -> Result<Response<pb::GetTableResponse>, Status> {
        let handle = table(&self.tables, &request.into_inner().table_id).await?;
        let (answer, view) = oneshot::channel();
        post(&handle, Message::View(answer))?;
        Ok(Response::new(pb::GetTableResponse { table: Some(answered(view).await?) }))
    }

    async fn list_tables(
        &self,
        request: Request<pb::ListTablesRequest>,
    ) -> Result<Response<pb::ListTablesResponse>, Status> {
        self.tables.check_recovered().map_err(Failure::from)?;
        let request = request.into_inner();
        let size = match request.page_size {
            0 => PAGE_DEFAULT,
            size => usize::try_from(size).unwrap_or(PAGE_MAX).min(PAGE_MAX),
        };
        let wanted = |summary: &pb::TableSummary| {
            (request.game.is_empty() || summary.game == request.game)
                && (!request.watchable || summary.watchable)
                && (request.room_code.is_empty() || summary.room_code == request.room_code)
                && summary.table_id > request.page_token
        };
        let mut tables: Vec<_> =
            self.summaries(&request.room_code).await.into_iter().filter(wanted).collect();
        tables.sort_by(|a, b| a.table_id.cmp(&b.table_id));
        let more = tables.len() > size;
        tables.truncate(size);
        let next_page_token = match tables.last() {
            Some(last) if more => last.table_id.clone(),
            _ => String::new(),
        };
        Ok(Response::new(pb::ListTablesResponse { tables, next_page_token }))
    }

    async fn find_player(
        &self,
        request: Request<pb::FindPlayerRequest>,
    ) -> Result<Response<pb::FindPlayerResponse>, Status> {
        let player = player_from(&request.into_inner().player_id).map_err(Failure::from)?;
        self.tables.check_recovered().map_err(Failure::from)?;
        let Found { tables, unread } = self.tables.register().of_player(player);
        let asked = unread.into_iter().filter_map(|table| {
            let (answer, seated) = oneshot::channel();
            let handle = self.tables.get(table).ok()?;
            post(&handle, Message::Seated(player, answer)).ok()?;
            Some(async move { seated.await.unwrap_or(false).then_some(table) })
        });
        let asked = futures_util::future::join_all(asked).await.into_iter().flatten();
        let table_ids = tables.into_iter().chain(asked).map(|table| table.to_string()).collect();
        Ok(Response::new(pb::FindPlayerResponse { table_ids }))
    }

    async fn act(
        &self,
        request: Request<pb::ActRequest>,
    ) -> Result<Response<pb::ActResponse>, Status> {
        let trace = parlor_common::trace::traceparent().unwrap_or_default();
        let request = request.into_inner();
        check_request_id(&request.request_id)?;
        let handle = table(&self.tables, &request.table_id).await?;
        let missing = Error::Invalid("BAD_COMMAND", "the command is missing");
        let (answer, acted) = oneshot::channel();
        let act = Act {
            player: request.player_id.parse::<PlayerId>()?,
            name: request.player_name,
            request_id: request.request_id,
            trace,
            command: request.command.ok_or(missing).map_err(Failure::from)?,
            answer,
        };
        post(&handle, Message::Act(act))?;
        let log_seq = answered(acted).await??;
        Ok(Response::new(pb::ActResponse { log_seq }))
    }

    type WatchStream = Pin<Box<dyn Stream<Item = Result<pb::WatchResponse, Status>> + Send>>;

    async fn watch(
        &self,
        request: Request<pb::WatchRequest>,
    ) -> Result<Response<Self::WatchStream>, Status> {
        let request = request.into_inner();
        let handle = table(&self.tables, &request.table_id).await?;
        let player = match request.player_id.as_str() {
            "" => None,
            id => Some(id.parse::<PlayerId>()?),
        };
        let (sender, deliveries) = mpsc::channel(WATCH_BUFFER);
        let link = self.links.fetch_add(1, Ordering::Relaxed);
        let key = SubscriptionKey { link, subscription: 0 };
        let subscribe = Subscribe {
            key,
            player,
            with_views: request.with_views,
            after: None,
            sink: Sink::new(sender),
        };
        post(&handle, Message::Subscribe(subscribe))?;
        let unwatch = Unwatch { handle, key };
        let goes_on =
            |delivery: &Delivery| !matches!(delivery, Delivery::Closed("table_closed" | "left"));
        let deliveries = ReceiverStream::new(deliveries);
        let stream =
            deliveries.take_while(move |(_, it)| ready(goes_on(it))).map(move |(_, it)| {
                let _until_the_stream_ends = &unwatch;
                watched(it)
            });
        Ok(Response::new(Box::pin(stream)))
    }

    async fn close_table(
        &self,
        request: Request<pb::CloseTableRequest>,
    ) -> Result<Response<pb::CloseTableResponse>, Status> {
        let request = request.into_inner();
        let unreadable = request.table_id.parse::<TableId>()?;
        if self.tables.forget_unreadable(unreadable).await.map_err(Failure::from)? {
            return Ok(Response::new(pb::CloseTableResponse {}));
        }
        let handle = table(&self.tables, &request.table_id).await?;
        let (answer, closed) = oneshot::channel();
        let reason = match request.reason.as_str() {
            "" => "closed_by_operator".to_owned(),
            reason => reason.chars().take(64).collect(),
        };
        post(&handle, Message::Close(reason, answer))?;
        answered(closed).await??;
        Ok(Response::new(pb::CloseTableResponse {}))
    }

    async fn reveal_daily_seed(
        &self,
        request: Request<pb::RevealDailySeedRequest>,
    ) -> Result<Response<pb::RevealDailySeedResponse>, Status> {
        let pb::RevealDailySeedRequest { game, day } = request.into_inner();
        let now_ms = self.tables.now_ms();
        let seed = self.tables.daily().and_then(|daily| daily.revealed(&game, &day, now_ms));
        let server_seed = seed.map_err(Failure::from)?.0.to_vec().into();
        Ok(Response::new(pb::RevealDailySeedResponse { server_seed }))
    }
}

/// Ends a watch when nobody takes its stream any more.
struct Unwatch {
    handle: Handle,
    key: SubscriptionKey,
}

impl Drop for Unwatch {
    fn drop(&mut self) {
        // A table whose mailbox is full finds out when it has something to tell.
        let _ = self.handle.mailbox.try_send(Message::Unsubscribe(self.key));
    }
}

fn watched(delivery: Delivery) -> Result<pb::WatchResponse, Status> {
    use pb::watch_response::Message as Out;
    let unreadable = |_| Status::from(Failure::internal());
    let message = match delivery {
        Delivery::Update(bytes) => Out::Update(pb::TableUpdate::decode(bytes).map_err(unreadable)?),
        Delivery::Resync(bytes) => Out::Resync(pb::TableResync::decode(bytes).map_err(unreadable)?),
        Delivery::Closed("not_allowed") => {
            return Err(Failure::from(Error::SpectatorsNotAllowed).into());
        }
        Delivery::Closed(_) => {
            return Err(Failure::from(Error::TableMoved { owner: None }).into());
        }
        Delivery::Moved(owner) => {
            return Err(Failure::from(Error::TableMoved { owner: Some(owner) }).into());
        }
    };
    Ok(pb::WatchResponse { message: Some(message) })
}
