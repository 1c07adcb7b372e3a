//! The gRPC adapter of parties.

use std::pin::Pin;

use futures_util::{Stream, StreamExt};
use parlor_proto::matchmaking::v1 as wire;
use parlor_proto::matchmaking::v1::party_service_server::PartyService;
use parlor_proto::matchmaking::v1::party_update::Update;
use tonic::{Request, Response, Status};
use tracing::instrument;

use crate::error::Error;
use crate::grpc::{Adapter, Answer, member, player, status};
use crate::parties::PartyState;
use crate::party::{Departure, PartyId};
use crate::party_watch::PartyNews;

type PartyUpdates = Pin<Box<dyn Stream<Item = Result<wire::WatchPartyResponse, Status>> + Send>>;

#[tonic::async_trait]
impl PartyService for Adapter {
    #[instrument(skip_all)]
    async fn create_party(
        &self,
        request: Request<wire::CreatePartyRequest>,
    ) -> Answer<wire::CreatePartyResponse> {
        let message = request.into_inner();
        let request = message.request_id.parse().map_err(status)?;
        let leader = member(&message.leader.unwrap_or_default())?;
        let state = self.service.create_party(&request, leader).await.map_err(status)?;
        Ok(Response::new(wire::CreatePartyResponse { party: Some(self.party(&state)) }))
    }

    #[instrument(skip_all)]
    async fn join_party(
        &self,
        request: Request<wire::JoinPartyRequest>,
    ) -> Answer<wire::JoinPartyResponse> {
        let message = request.into_inner();
        let joining = member(&message.player.unwrap_or_default())?;
        let code = message.invite_code.parse().map_err(status)?;
        let state = self.service.join_party(joining, code).await.map_err(status)?;
        Ok(Response::new(wire::JoinPartyResponse { party: Some(self.party(&state)) }))
    }

    #[instrument(skip_all)]
    async fn leave_party(
        &self,
        request: Request<wire::LeavePartyRequest>,
    ) -> Answer<wire::LeavePartyResponse> {
        let player = player(&request.get_ref().player_id)?;
        self.service.leave_party(player, Departure::Left).await.map_err(status)?;
        Ok(Response::new(wire::LeavePartyResponse {}))
    }

    #[instrument(skip_all)]
    async fn remove_party_member(
        &self,
        request: Request<wire::RemovePartyMemberRequest>,
    ) -> Answer<wire::RemovePartyMemberResponse> {
        let message = request.into_inner();
        let (leader, removed) = (player(&message.player_id)?, player(&message.member_id)?);
        let state = self.service.remove_from_party(leader, removed).await.map_err(status)?;
        let party = state.map(|state| self.party(&state));
        Ok(Response::new(wire::RemovePartyMemberResponse { party }))
    }

    #[instrument(skip_all)]
    async fn renew_party_invite(
        &self,
        request: Request<wire::RenewPartyInviteRequest>,
    ) -> Answer<wire::RenewPartyInviteResponse> {
        let leader = player(&request.get_ref().player_id)?;
        let state = self.service.renew_party_invite(leader).await.map_err(status)?;
        Ok(Response::new(wire::RenewPartyInviteResponse { party: Some(self.party(&state)) }))
    }

    #[instrument(skip_all, fields(queue = request.get_ref().queue_id.get(..48)))]
    async fn enqueue_party(
        &self,
        request: Request<wire::EnqueuePartyRequest>,
    ) -> Answer<wire::EnqueuePartyResponse> {
        let message = request.into_inner();
        let request = message.request_id.parse().map_err(status)?;
        let queue = message.queue_id.parse().map_err(status)?;
        let leader = player(&message.player_id)?;
        let ticket = self.service.enqueue_party(&request, &queue, leader).await.map_err(status)?;
        Ok(Response::new(wire::EnqueuePartyResponse { ticket_id: ticket.to_string() }))
    }

    type WatchPartyStream = PartyUpdates;

    #[instrument(skip_all)]
    async fn watch_party(
        &self,
        request: Request<wire::WatchPartyRequest>,
    ) -> Answer<Self::WatchPartyStream> {
        let player = player(&request.get_ref().player_id)?;
        let news = self.service.watch_party(player).await.map_err(status)?;
        let largest = self.service.limits.party_size;
        let mut over = false;
        let updates = news.map(move |(party, news)| {
            let update = Some(update(party, &news, largest));
            Ok(wire::WatchPartyResponse { update })
        });
        let shutdown = self.shutdown.clone();
        // Whoever watches is told to watch elsewhere, unless there is nothing more to see.
        let last = futures_util::stream::once(async move {
            shutdown.is_begun().then(|| Err(status(Error::Draining)))
        });
        let updates = updates.take_until(self.shutdown.begun());
        let updates = updates.chain(last.filter_map(std::future::ready)).take_while(move |item| {
            let tell = !over;
            over |= item.as_ref().is_ok_and(is_last);
            std::future::ready(tell)
        });
        Ok(Response::new(Box::pin(updates)))
    }
}

fn is_last(response: &wire::WatchPartyResponse) -> bool {
    let update = response.update.as_ref().and_then(|update| update.update.as_ref());
    matches!(update, Some(Update::Left(_)))
}

impl Adapter {
    fn party(&self, state: &PartyState) -> wire::Party {
        party(state, self.service.limits.party_size)
    }
}

fn party(state: &PartyState, largest: u32) -> wire::Party {
    let party = &state.stored.party;
    let members = party.members.iter().map(|member| wire::Member {
        player_id: member.player.to_string(),
        name: member.name.clone(),
    });
    let queued = state.queued.as_ref();
    wire::Party {
        party_id: party.id.to_string(),
        members: members.collect(),
        invite_code: party.invite.to_string(),
        invite_until_ms: party.invite_until_ms,
        largest,
        ticket_id: queued.map(|queued| queued.ticket.to_string()).unwrap_or_default(),
        queue_id: queued.map(|queued| queued.queue.to_string()).unwrap_or_default(),
    }
}

fn update(id: PartyId, news: &PartyNews, largest: u32) -> wire::PartyUpdate {
    let update = match news {
        PartyNews::Party(state) => Update::Party(party(state, largest)),
        PartyNews::Left(how) => {
            let reason = how.map_or("gone", Departure::name).to_owned();
            Update::Left(wire::PartyLeft { reason })
        }
    };
    wire::PartyUpdate { party_id: id.to_string(), update: Some(update) }
}
