//! Following a player's party.

use std::sync::Arc;

use parlor_common::{Code, PlayerId};
use parlor_proto::gateway::v1::server_frame::Frame;
use parlor_proto::matchmaking::v1::party_update::Update;
use parlor_proto::matchmaking::v1::{
    PartyLeft, PartyUpdate, WatchPartyRequest, WatchPartyResponse,
};
use tonic::Streaming;

use super::{Core, Outbox, frame};
use crate::link::Backoff;

/// Passes the updates of a party on. Being followed is also what tells matchmaking that the player
/// is here, so that it is tried again for as long as the session lasts.
pub struct PartyFollower {
    core: Arc<Core>,
    outbox: Arc<Outbox>,
    player: PlayerId,
    party_id: String,
    /// The ticket that the session knows of.
    ticket_id: String,
    updates: Option<Streaming<WatchPartyResponse>>,
    backoff: Backoff,
}

impl PartyFollower {
    /// Follows this party, of whose ticket the session knows already.
    #[must_use]
    pub fn new(
        core: Arc<Core>,
        outbox: Arc<Outbox>,
        player: PlayerId,
        party_id: String,
        ticket_id: String,
    ) -> Self {
        let times = *core.links.times();
        let backoff = Backoff::new(times.retry_min, times.retry_max);
        Self { core, outbox, player, party_id, ticket_id, updates: None, backoff }
    }

    /// The party's id.
    #[must_use]
    pub fn party_id(&self) -> &str {
        &self.party_id
    }

    /// Goes on until the party has entered a queue, and gives the ticket; `None` when the player is
    /// in the party no more.
    pub async fn next_ticket(mut self) -> Option<(Self, String)> {
        loop {
            let Some(updates) = &mut self.updates else {
                self.connect().await?;
                continue;
            };
            // Whoever is behind gets the latest state only.
            self.outbox.room().await;
            let Ok(Some(response)) = updates.message().await else {
                self.updates = None;
                self.backoff.pause().await;
                continue;
            };
            self.backoff.reset();
            let Some(update) = response.update else { continue };
            let ticket_id = match &update.update {
                Some(Update::Party(party)) => party.ticket_id.clone(),
                Some(Update::Left(_)) => {
                    self.outbox.push(&frame(Frame::Party(update)));
                    return None;
                }
                None => continue,
            };
            self.outbox.push(&frame(Frame::Party(update)));
            if !ticket_id.is_empty() && ticket_id != self.ticket_id {
                self.ticket_id.clone_from(&ticket_id);
                return Some((self, ticket_id));
            }
        }
    }

    /// `None` when there is no party any more.
    async fn connect(&mut self) -> Option<()> {
        let request = WatchPartyRequest { player_id: self.player.to_string() };
        match self.core.clients.parties.clone().watch_party(request).await {
            Ok(updates) => self.updates = Some(updates.into_inner()),
            Err(status) if Code::from_grpc(status.code()) == Code::NotFound => {
                let left = Some(Update::Left(PartyLeft { reason: "gone".to_owned() }));
                let update = PartyUpdate { party_id: self.party_id.clone(), update: left };
                self.outbox.push(&frame(Frame::Party(update)));
                return None;
            }
            Err(status) => {
                tracing::warn!(%status, "the player's party cannot be watched");
                self.backoff.pause().await;
            }
        }
        Some(())
    }
}
