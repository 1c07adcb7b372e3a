//! The gRPC adapter of clubs.

use parlor_common::{Failure, PlayerId};
use parlor_proto::matchmaking::v1 as wire;
use parlor_proto::matchmaking::v1::club_service_server::ClubService;
use tonic::{Request, Response, Status};
use tracing::instrument;

use crate::club::prices::{CardPrice, CardPrices};
use crate::club::{CardEntry, Club, ClubId, ClubMember, ClubRoom, Role};
use crate::clubs::{ClubChange, Grant, JoinBy};
use crate::error::Error;
use crate::grpc::{Adapter, Answer, member, player, status};
use crate::ticket::Member;

#[tonic::async_trait]
impl ClubService for Adapter {
    #[instrument(skip_all)]
    async fn create_club(
        &self,
        request: Request<wire::CreateClubRequest>,
    ) -> Answer<wire::CreateClubResponse> {
        let message = request.into_inner();
        let request = message.request_id.parse().map_err(status)?;
        let owner = member(&message.owner.unwrap_or_default())?;
        let viewer = owner.player;
        let club = self.service.create_club(&request, owner, message.name).await.map_err(status)?;
        Ok(Response::new(wire::CreateClubResponse { club: Some(self.club(&club, viewer)) }))
    }

    #[instrument(skip_all)]
    async fn list_clubs(
        &self,
        request: Request<wire::ListClubsRequest>,
    ) -> Answer<wire::ListClubsResponse> {
        let player = player(&request.get_ref().player_id)?;
        let clubs = self.service.list_clubs(player).await.map_err(status)?;
        let clubs = clubs.iter().map(|club| summary(club, player)).collect();
        Ok(Response::new(wire::ListClubsResponse { clubs }))
    }

    #[instrument(skip_all)]
    async fn get_club(
        &self,
        request: Request<wire::GetClubRequest>,
    ) -> Answer<wire::GetClubResponse> {
        let message = request.into_inner();
        let (player, id) = (player(&message.player_id)?, club_id(&message.club_id)?);
        let club = self.service.club_for(player, id).await.map_err(status)?;
        Ok(Response::new(wire::GetClubResponse { club: Some(self.club(&club, player)) }))
    }

    #[instrument(skip_all)]
    async fn join_club(
        &self,
        request: Request<wire::JoinClubRequest>,
    ) -> Answer<wire::JoinClubResponse> {
        let message = request.into_inner();
        let joining = member(&message.player.unwrap_or_default())?;
        let viewer = joining.player;
        let by = match message.by {
            Some(wire::join_club_request::By::InviteCode(code)) => {
                JoinBy::Invite(code.parse().map_err(status)?)
            }
            Some(wire::join_club_request::By::ClubId(id)) => JoinBy::Asking(club_id(&id)?),
            None => return Err(status(Error::BadClubId)),
        };
        let club = self.service.join_club(joining, by).await.map_err(status)?;
        let club = club.map(|club| self.club(&club, viewer));
        Ok(Response::new(wire::JoinClubResponse { club }))
    }

    #[instrument(skip_all)]
    async fn change_club(
        &self,
        request: Request<wire::ChangeClubRequest>,
    ) -> Answer<wire::ChangeClubResponse> {
        let message = request.into_inner();
        let (actor, id) = (player(&message.player_id)?, club_id(&message.club_id)?);
        let change = change(message.change.unwrap_or_default())?;
        let club = self.service.change_club_as(actor, id, &change).await.map_err(status)?;
        let club = club.map(|club| self.club(&club, actor));
        Ok(Response::new(wire::ChangeClubResponse { club }))
    }

    #[instrument(skip_all)]
    async fn list_card_entries(
        &self,
        request: Request<wire::ListCardEntriesRequest>,
    ) -> Answer<wire::ListCardEntriesResponse> {
        let message = request.into_inner();
        let (player, id) = (player(&message.player_id)?, club_id(&message.club_id)?);
        let entries = self.service.card_entries(player, id, message.before).await;
        let entries = entries.map_err(status)?.into_iter().map(entry).collect();
        Ok(Response::new(wire::ListCardEntriesResponse { entries }))
    }

    #[instrument(skip_all)]
    async fn grant_cards(
        &self,
        request: Request<wire::GrantCardsRequest>,
    ) -> Answer<wire::GrantCardsResponse> {
        let message = request.into_inner();
        let grant = Grant {
            key: message.idempotency_key.parse().map_err(status)?,
            club: club_id(&message.club_id)?,
            cards: message.cards,
            note: message.note,
        };
        let balance = self.service.grant_cards(&grant).await.map_err(status)?;
        tracing::info!(club = %grant.club, cards = grant.cards, balance, "cards were granted");
        Ok(Response::new(wire::GrantCardsResponse { balance }))
    }
}

impl Adapter {
    fn club(&self, club: &Club, viewer: PlayerId) -> wire::Club {
        club_to_wire(club, viewer, &self.service.limits.card_prices)
    }
}

fn club_id(id: &str) -> Result<ClubId, Status> {
    id.parse().map_err(status)
}

fn change(change: wire::ClubChange) -> Result<ClubChange, Failure> {
    use wire::club_change::Change;
    Ok(match change.change.ok_or(Error::BadClubChange)? {
        Change::AdmitPlayerId(id) => ClubChange::Admit(player(&id)?),
        Change::RefusePlayerId(id) => ClubChange::Refuse(player(&id)?),
        Change::SetRole(set) => {
            let role = match set.role() {
                wire::ClubRole::Owner => Role::Owner,
                wire::ClubRole::Manager => Role::Manager,
                wire::ClubRole::Member => Role::Member,
                wire::ClubRole::Unspecified => return Err(Error::BadClubChange.into()),
            };
            ClubChange::SetRole(player(&set.player_id)?, role)
        }
        Change::RemovePlayerId(id) => ClubChange::Remove(player(&id)?),
        Change::RenewInvite(_) => ClubChange::RenewInvite,
        Change::Rename(name) => ClubChange::Rename(name),
    })
}

const fn role_to_wire(role: Role) -> wire::ClubRole {
    match role {
        Role::Owner => wire::ClubRole::Owner,
        Role::Manager => wire::ClubRole::Manager,
        Role::Member => wire::ClubRole::Member,
    }
}

fn member_to_wire(member: &Member) -> wire::Member {
    wire::Member { player_id: member.player.to_string(), name: member.name.clone() }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The club as the viewer sees it: join requests and the invite code are for those who may let
/// players in.
fn club_to_wire(club: &Club, viewer: PlayerId, prices: &CardPrices) -> wire::Club {
    let own_role = club.role_of(viewer).unwrap_or(Role::Member);
    let manages = own_role >= Role::Manager;
    let mut members: Vec<_> = club.members.iter().collect();
    members.sort_by_key(|member| (std::cmp::Reverse(member.role), member.joined_ms));
    let member = |member: &&ClubMember| wire::ClubMember {
        player_id: member.member.player.to_string(),
        name: member.member.name.clone(),
        role: role_to_wire(member.role).into(),
        joined_ms: member.joined_ms,
    };
    let price = |price: &CardPrice| wire::CardPrice { hands: price.hands, cards: price.cards };
    let (mut join_requests, mut invite_code) = (Vec::new(), String::new());
    if manages {
        join_requests = club.join_requests.iter().map(member_to_wire).collect();
        invite_code = club.invite.map(|invite| invite.to_string()).unwrap_or_default();
    }
    wire::Club {
        club_id: club.id.to_string(),
        name: club.name.clone(),
        own_role: role_to_wire(own_role).into(),
        members: members.iter().map(member).collect(),
        join_requests,
        invite_code,
        rooms: club.rooms.iter().map(room_to_wire).collect(),
        cards: club.cards_free(),
        cards_held: club.cards_held(),
        prices: prices.as_slice().iter().map(price).collect(),
    }
}

fn room_to_wire(room: &ClubRoom) -> wire::ClubRoom {
    wire::ClubRoom {
        room_code: room.code.to_string(),
        table_id: room.table.map(|table| table.to_string()).unwrap_or_default(),
        host: Some(member_to_wire(&room.host)),
        game: room.game.clone(),
        price: room.price,
        charged: room.charged,
        created_ms: room.created_ms,
    }
}

fn summary(club: &Club, viewer: PlayerId) -> wire::ClubSummary {
    let own_role = club.role_of(viewer).unwrap_or(Role::Member);
    let manages = own_role >= Role::Manager;
    wire::ClubSummary {
        club_id: club.id.to_string(),
        name: club.name.clone(),
        own_role: role_to_wire(own_role).into(),
        members: count(club.members.len()),
        rooms: count(club.rooms.len()),
        cards: club.cards_free(),
        join_requests: if manages { count(club.join_requests.len()) } else { 0 },
    }
}

fn entry(entry: CardEntry) -> wire::CardEntry {
    wire::CardEntry {
        number: entry.number,
        cards: entry.cards,
        balance: entry.balance,
        time_ms: entry.time_ms,
        table_id: entry.table.map(|table| table.to_string()).unwrap_or_default(),
        note: entry.note,
        host: entry.host.as_ref().map(member_to_wire),
        game: entry.game,
    }
}
