//! Following a player's ticket through its queue.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::{Code, PlayerId, TableId};
use parlor_proto::gateway::v1::server_frame::Frame;
use parlor_proto::matchmaking::v1::ticket_update::Update;
use parlor_proto::matchmaking::v1::{FindPlayerRequest, TicketUpdate, WatchTicketRequest};
use tokio::time::Instant;

use super::{Core, Outbox, frame};
use crate::link::Backoff;

/// A ticket that could not be watched for so long is given up; the player asks again.
const GIVE_UP_AFTER: Duration = Duration::from_secs(60);

/// Passes the ticket's updates on until it is matched, closed or lost. Returns the table to watch.
pub async fn follow(
    core: Arc<Core>,
    outbox: Arc<Outbox>,
    player: PlayerId,
    ticket_id: String,
) -> Option<TableId> {
    let times = *core.links.times();
    let mut backoff = Backoff::new(times.retry_min, times.retry_max);
    let mut heard = Instant::now();
    loop {
        let request =
            WatchTicketRequest { ticket_id: ticket_id.clone(), player_id: player.to_string() };
        match core.clients.matchmaking.clone().watch_ticket(request).await {
            Ok(updates) => {
                let mut updates = updates.into_inner();
                while let Ok(Some(update)) = updates.message().await {
                    heard = Instant::now();
                    backoff.reset();
                    if let Some(outcome) = pass_on(&outbox, update) {
                        return outcome;
                    }
                }
            }
            Err(status) if Code::from_grpc(status.code()) == Code::NotFound => {
                // Matched or closed while nobody watched.
                return seat_of(&core, &player).await;
            }
            Err(status) => tracing::warn!(%status, "the player's ticket cannot be watched"),
        }
        if heard.elapsed() > GIVE_UP_AFTER {
            return None;
        }
        backoff.pause().await;
    }
}

/// `Some` when the ticket has come to its end, with the table if there is one.
fn pass_on(outbox: &Outbox, update: TicketUpdate) -> Option<Option<TableId>> {
    let outcome = match &update.update {
        Some(Update::Matched(matched)) => Some(matched.table_id.parse().ok()),
        Some(Update::Closed(_)) => Some(None),
        Some(Update::Waiting(_) | Update::ReadyCheck(_)) | None => None,
    };
    // How long the queue is does not interest a client that is behind; a question does.
    let asks = matches!(update.update, Some(Update::ReadyCheck(_)));
    if outcome.is_some() || asks || outbox.has_room() {
        outbox.push(&frame(Frame::Ticket(update)));
    }
    outcome
}

async fn seat_of(core: &Core, player: &PlayerId) -> Option<TableId> {
    let request = FindPlayerRequest { player_id: player.to_string() };
    let found = core.clients.matchmaking.clone().find_player(request).await.ok()?.into_inner();
    found.table_ids.first()?.parse().ok()
}
