//! The gRPC adapter: from messages to plain terms and back.

use std::pin::Pin;
use std::sync::Arc;

use futures_util::{Stream, StreamExt};
use parlor_common::{Failure, PlayerId, Shutdown};
use parlor_proto::matchmaking::v1 as wire;
use parlor_proto::matchmaking::v1::matchmaking_service_server::MatchmakingService;
use parlor_proto::matchmaking::v1::room_service_server::RoomService;
use parlor_proto::matchmaking::v1::ticket_update::Update;
use tonic::{Request, Response, Status};
use tracing::instrument;

use crate::error::Error;
use crate::ids::{RequestId, TicketId};
use crate::queue::{MAX_PLAYERS, Queue};
use crate::service::Matchmaking;
use crate::store::QueueStats;
use crate::ticket::{Member, ReadyAnswer};
use crate::watch::Progress;

/// All four services; those of parties and clubs are in [`crate::party_grpc`] and
/// [`crate::club_grpc`].
#[derive(Clone)]
pub struct Adapter {
    pub(crate) service: Arc<Matchmaking>,
    pub(crate) shutdown: Shutdown,
}

impl Adapter {
    /// An adapter to this service.
    #[must_use]
    pub const fn new(service: Arc<Matchmaking>, shutdown: Shutdown) -> Self {
        Self { service, shutdown }
    }
}

pub(crate) type Answer<T> = Result<Response<T>, Status>;
type TicketUpdates = Pin<Box<dyn Stream<Item = Result<wire::TicketUpdate, Status>> + Send>>;

#[tonic::async_trait]
impl MatchmakingService for Adapter {
    #[instrument(skip_all)]
    async fn list_queues(
        &self,
        _request: Request<wire::ListQueuesRequest>,
    ) -> Answer<wire::ListQueuesResponse> {
        let listed = self.service.list_queues().await.map_err(status)?;
        let queues = listed.iter().map(|(queue, stats)| queue_to_wire(queue, *stats)).collect();
        Ok(Response::new(wire::ListQueuesResponse { queues }))
    }

    #[instrument(skip_all, fields(queue = request.get_ref().queue_id.get(..48)))]
    async fn enqueue(
        &self,
        request: Request<wire::EnqueueRequest>,
    ) -> Answer<wire::EnqueueResponse> {
        let message = request.into_inner();
        let request: RequestId = message.request_id.parse().map_err(status)?;
        let queue = message.queue_id.parse().map_err(status)?;
        if message.members.len() > MAX_PLAYERS as usize {
            return Err(status(Error::BadParty { largest: MAX_PLAYERS }));
        }
        let members: Result<_, Failure> = message.members.iter().map(member).collect();
        let ticket = self.service.enqueue(request, &queue, members?).await.map_err(status)?;
        Ok(Response::new(wire::EnqueueResponse { ticket_id: ticket.to_string() }))
    }

    #[instrument(skip_all, fields(player))]
    async fn answer_ready_check(
        &self,
        request: Request<wire::AnswerReadyCheckRequest>,
    ) -> Answer<wire::AnswerReadyCheckResponse> {
        let message = request.into_inner();
        let player = player(&message.player_id)?;
        tracing::Span::current().record("player", player.to_string());
        let answer = if message.ready { ReadyAnswer::Ready } else { ReadyAnswer::Declined };
        self.service.answer_ready(player, answer).await.map_err(status)?;
        Ok(Response::new(wire::AnswerReadyCheckResponse {}))
    }

    #[instrument(skip_all, fields(player))]
    async fn cancel(&self, request: Request<wire::CancelRequest>) -> Answer<wire::CancelResponse> {
        let player = player(&request.get_ref().player_id)?;
        tracing::Span::current().record("player", player.to_string());
        self.service.cancel(player).await.map_err(status)?;
        Ok(Response::new(wire::CancelResponse {}))
    }

    type WatchTicketStream = TicketUpdates;

    #[instrument(skip_all)]
    async fn watch_ticket(
        &self,
        request: Request<wire::WatchTicketRequest>,
    ) -> Answer<TicketUpdates> {
        let message = request.into_inner();
        let ticket: TicketId = message.ticket_id.parse().map_err(status)?;
        let player = player(&message.player_id)?;
        let progress = self.service.watch(ticket, player).await.map_err(status)?;
        let updates = progress.map(move |progress| Ok(update(ticket, player, &progress)));
        let end = self.shutdown.begun();
        let updates = updates.take_until(end);
        Ok(Response::new(Box::pin(ended_by(updates, self.shutdown.clone()))))
    }

    #[instrument(skip_all)]
    async fn find_player(
        &self,
        request: Request<wire::FindPlayerRequest>,
    ) -> Answer<wire::FindPlayerResponse> {
        let player = player(&request.get_ref().player_id)?;
        let found = self.service.find_player(player).await.map_err(status)?;
        Ok(Response::new(wire::FindPlayerResponse {
            ticket_id: found.ticket.map(|ticket| ticket.to_string()).unwrap_or_default(),
            table_ids: found.tables.iter().map(ToString::to_string).collect(),
            party_id: found.party.map(|party| party.to_string()).unwrap_or_default(),
        }))
    }
}

#[tonic::async_trait]
impl RoomService for Adapter {
    #[instrument(skip_all)]
    async fn create_room(
        &self,
        request: Request<wire::CreateRoomRequest>,
    ) -> Answer<wire::CreateRoomResponse> {
        let message = request.into_inner();
        let request = message.request_id.parse().map_err(status)?;
        let host = member(&message.host.unwrap_or_default())?;
        let settings = message.settings.unwrap_or_default();
        let club = match message.club_id.as_str() {
            "" => None,
            id => Some(id.parse().map_err(status)?),
        };
        let room = self.service.create_room(request, host, settings, club).await.map_err(status)?;
        Ok(Response::new(wire::CreateRoomResponse {
            table_id: room.table.to_string(),
            room_code: room.code.to_string(),
            seat: room.seat,
        }))
    }

    #[instrument(skip_all)]
    async fn join_room(
        &self,
        request: Request<wire::JoinRoomRequest>,
    ) -> Answer<wire::JoinRoomResponse> {
        let message = request.into_inner();
        // Joining changes nothing, so a repetition needs no memory; the id is checked all the same.
        let _: RequestId = message.request_id.parse().map_err(status)?;
        let player = member(&message.player.unwrap_or_default())?;
        let code = message.room_code.parse().map_err(status)?;
        let table = self.service.join_room(&player, code).await.map_err(status)?;
        Ok(Response::new(wire::JoinRoomResponse { table_id: table.to_string() }))
    }
}

pub(crate) fn status(error: Error) -> Status {
    Failure::from(error).into()
}

pub(crate) fn player(id: &str) -> Result<PlayerId, Failure> {
    id.parse()
}

pub(crate) fn member(member: &wire::Member) -> Result<Member, Failure> {
    Ok(Member::new(player(&member.player_id)?, &member.name)?)
}

fn queue_to_wire(queue: &Queue, stats: QueueStats) -> wire::Queue {
    wire::Queue {
        queue_id: queue.id.to_string(),
        game: queue.game.to_owned(),
        settings: Some(queue.settings.clone()),
        players: queue.rules.players,
        bot_fill_after_ms: queue.rules.bot_fill_after_ms.unwrap_or(0),
        waiting: stats.waiting,
        ready_check_ms: queue.ready_check_ms.unwrap_or(0),
    }
}

fn update(ticket: TicketId, player: PlayerId, progress: &Progress) -> wire::TicketUpdate {
    let update = match progress {
        Progress::Waiting(stats) => Update::Waiting(wire::TicketWaiting {
            waiting: stats.waiting,
            estimate_ms: stats.recent_wait_ms,
        }),
        Progress::Checking(check) => Update::ReadyCheck(wire::TicketReadyCheck {
            deadline_ms: check.until_ms,
            players: check.players,
            ready: u32::try_from(check.ready.len()).unwrap_or(u32::MAX),
            self_ready: check.ready.contains(&player),
        }),
        Progress::Matched { table, seats } => {
            let own = seats.iter().find(|(seated, _)| *seated == player);
            Update::Matched(wire::TicketMatched {
                table_id: table.to_string(),
                seat: own.map_or(0, |(_, seat)| *seat),
            })
        }
        Progress::Closed(reason) => {
            Update::Closed(wire::TicketClosed { reason: reason.name().to_owned() })
        }
    };
    wire::TicketUpdate { ticket_id: ticket.to_string(), update: Some(update) }
}

/// Ends the stream with a retryable error when it is the service that ends, so that the caller
/// watches elsewhere.
fn ended_by(
    updates: impl Stream<Item = Result<wire::TicketUpdate, Status>> + Send + 'static,
    shutdown: Shutdown,
) -> impl Stream<Item = Result<wire::TicketUpdate, Status>> + Send + 'static {
    let last = futures_util::stream::once(async move {
        shutdown.is_begun().then(|| Err(status(Error::Draining)))
    });
    let ends = |update: &wire::TicketUpdate| {
        matches!(update.update, Some(Update::Matched(_) | Update::Closed(_)))
    };
    let mut over = false;
    updates.chain(last.filter_map(std::future::ready)).take_while(move |item| {
        // What follows a final update is not told.
        let tell = !over;
        over |= item.as_ref().is_ok_and(ends);
        std::future::ready(tell)
    })
}
