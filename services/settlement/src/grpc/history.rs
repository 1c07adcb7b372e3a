//! `HistoryService`.

use std::sync::Arc;

use parlor_common::{Failure, Shutdown};
use parlor_proto::settlement::v1 as proto;
use parlor_proto::settlement::v1::history_service_server::HistoryService;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};
use tracing::instrument;

use crate::Error;
use crate::ledger::History;
use crate::page::PageRequest;
use crate::results::Results;
use crate::store::StoredSummary;
use crate::wire;

/// Streams of results at a time: a few for each service that follows the hands.
const STREAMS: usize = 64;
/// Results that wait for a slow follower; the journal keeps the others.
const STREAM_BUFFER: usize = 64;

/// `HistoryService` over a [`History`].
#[derive(Clone)]
pub struct HistoryApi {
    history: Arc<dyn History>,
    streams: Arc<Semaphore>,
    shutdown: Shutdown,
}

impl HistoryApi {
    /// The service over `history`; its streams end when `shutdown` begins.
    #[must_use]
    pub fn new(history: Arc<dyn History>, shutdown: Shutdown) -> Self {
        Self { history, streams: Arc::new(Semaphore::new(STREAMS)), shutdown }
    }
}

type Answer<T> = Result<Response<T>, Status>;
type Item = Result<proto::HandResultEvent, Status>;

#[tonic::async_trait]
impl HistoryService for HistoryApi {
    #[instrument(skip_all, fields(hand = request.get_ref().hand_id))]
    async fn get_hand(
        &self,
        request: Request<proto::GetHandRequest>,
    ) -> Answer<proto::GetHandResponse> {
        let proto::GetHandRequest { hand_id, player_id } = request.into_inner();
        let (hand, player) = (hand_id.parse()?, wire::optional_player(&player_id)?);
        let record = self.history.hand(hand, player).await.map_err(Failure::from)?;
        let hand = Some(wire::record(record).map_err(Failure::from)?);
        Ok(Response::new(proto::GetHandResponse { hand }))
    }

    #[instrument(skip_all, fields(player = request.get_ref().player_id))]
    async fn list_hands(
        &self,
        request: Request<proto::ListHandsRequest>,
    ) -> Answer<proto::ListHandsResponse> {
        let proto::ListHandsRequest { player_id, game, page_size, page_token } =
            request.into_inner();
        let page = PageRequest { size: page_size, token: page_token };
        let (player, game) = (player_id.parse()?, given(&game));
        let page = self.history.hands(player, game, &page).await.map_err(Failure::from)?;
        let hands = page.rows.iter().map(wire::summary).collect::<Result<_, Error>>();
        let hands = hands.map_err(Failure::from)?;
        Ok(Response::new(proto::ListHandsResponse { hands, next_page_token: page.next }))
    }

    type StreamHandResultsStream = ReceiverStream<Item>;

    #[instrument(skip_all, fields(cursor = request.get_ref().cursor))]
    async fn stream_hand_results(
        &self,
        request: Request<proto::StreamHandResultsRequest>,
    ) -> Answer<Self::StreamHandResultsStream> {
        let place = Arc::clone(&self.streams).try_acquire_owned();
        let place = place.map_err(|_| Failure::from(Error::Busy))?;
        let proto::StreamHandResultsRequest { cursor, game } = request.into_inner();
        let game = given(&game).map(str::to_owned);
        let results = self.history.results(cursor, game).await.map_err(Failure::from)?;
        let (sender, receiver) = mpsc::channel(STREAM_BUFFER);
        let end = self.shutdown.begun();
        self.shutdown.spawn("hand-results", async move {
            let gone = sender.clone();
            tokio::select! {
                () = follow(results, sender, place) => {}
                () = gone.closed() => {}
                () = end => {}
            }
        });
        Ok(Response::new(ReceiverStream::new(receiver)))
    }

    #[instrument(skip_all, fields(player = request.get_ref().player_id))]
    async fn get_rating(
        &self,
        request: Request<proto::GetRatingRequest>,
    ) -> Answer<proto::GetRatingResponse> {
        let proto::GetRatingRequest { player_id, game } = request.into_inner();
        let player = player_id.parse()?;
        let rating = self.history.rating(player, &game).await.map_err(Failure::from)?;
        Ok(Response::new(wire::rating(&rating)))
    }

    #[instrument(skip_all, fields(board = request.get_ref().board))]
    async fn get_leaderboard(
        &self,
        request: Request<proto::GetLeaderboardRequest>,
    ) -> Answer<proto::GetLeaderboardResponse> {
        let proto::GetLeaderboardRequest { board, limit } = request.into_inner();
        let rows = self.history.board(&board, limit).await.map_err(Failure::from)?;
        let rows = rows.into_iter().map(wire::board_row).collect();
        Ok(Response::new(proto::GetLeaderboardResponse { rows }))
    }

    #[instrument(skip_all, fields(table = request.get_ref().table_id))]
    async fn reveal_seeds(
        &self,
        request: Request<proto::RevealSeedsRequest>,
    ) -> Answer<proto::RevealSeedsResponse> {
        let seeds = wire::seeds(request.get_ref())?;
        self.history.reveal(&seeds).await.map_err(Failure::from)?;
        Ok(Response::new(proto::RevealSeedsResponse {}))
    }
}

fn given(text: &str) -> Option<&str> {
    if text.is_empty() { None } else { Some(text) }
}

/// Sends results until the follower goes or the database does; the follower comes back with its
/// cursor.
async fn follow(mut results: Results, sender: mpsc::Sender<Item>, _place: OwnedSemaphorePermit) {
    loop {
        let items: Vec<Item> = match results.next().await {
            Ok(hands) => hands.iter().map(event).collect(),
            Err(error) => vec![Err(Failure::from(error).into())],
        };
        for item in items {
            let ends = item.is_err();
            if sender.send(item).await.is_err() || ends {
                return;
            }
        }
    }
}

fn event(hand: &StoredSummary) -> Item {
    let summary = wire::summary(hand).map_err(Failure::from)?;
    let commission = hand.commission.0;
    Ok(proto::HandResultEvent { cursor: hand.seq, hand: Some(summary), commission })
}
