//! Clubs. The player is always the session's; grants of cards are not for players.

use parlor_common::{Code, Failure};
use parlor_proto::gateway::v1::club_command::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::{ChangeClub, ClubCommand, ListCardEntries};
use parlor_proto::matchmaking::v1::join_club_request::By;
use parlor_proto::matchmaking::v1::{
    ChangeClubRequest, Club, CreateClubRequest, GetClubRequest, JoinClubRequest,
    ListCardEntriesRequest, ListClubsRequest,
};

use super::{Answer, Call, Outcome, Then};
use crate::{peers, reasons};

pub(super) async fn command(call: Call, request: ClubCommand) -> Outcome {
    match request.command {
        Some(Command::Create(request)) => create(call, request.name).await,
        Some(Command::List(_)) => list(call).await,
        Some(Command::GetClubId(club_id)) => get(call, club_id).await,
        Some(Command::JoinByInviteCode(code)) => join(call, By::InviteCode(code)).await,
        Some(Command::AskToJoinClubId(club_id)) => join(call, By::ClubId(club_id)).await,
        Some(Command::Change(request)) => change(call, request).await,
        Some(Command::ListCardEntries(request)) => list_card_entries(call, request).await,
        None => {
            let message = "the club command is empty or not known here";
            Err(Failure::new(Code::Invalid, reasons::EMPTY_REQUEST, message))
        }
    }
}

/// The club; or, when the player is not in it, that it was done.
fn shown(club: Option<Club>) -> Outcome {
    let answer = club.map_or(Answer::done(), |club| Answer::Result(Reply::Club(club)));
    Ok((answer, Then::Nothing))
}

async fn create(call: Call, name: String) -> Outcome {
    let request =
        CreateClubRequest { request_id: call.global_id(), owner: Some(call.member()), name };
    let created = call.core.clients.clubs.clone().create_club(request).await;
    shown(created.map_err(peers::failure)?.into_inner().club)
}

async fn list(call: Call) -> Outcome {
    let request = ListClubsRequest { player_id: call.player.to_string() };
    let clubs = call.core.clients.clubs.clone().list_clubs(request).await;
    let clubs = clubs.map_err(peers::failure)?.into_inner();
    Ok((Answer::Result(Reply::Clubs(clubs)), Then::Nothing))
}

async fn get(call: Call, club_id: String) -> Outcome {
    let request = GetClubRequest { player_id: call.player.to_string(), club_id };
    let club = call.core.clients.clubs.clone().get_club(request).await;
    shown(club.map_err(peers::failure)?.into_inner().club)
}

async fn join(call: Call, by: By) -> Outcome {
    let request = JoinClubRequest { player: Some(call.member()), by: Some(by) };
    let joined = call.core.clients.clubs.clone().join_club(request).await;
    shown(joined.map_err(peers::failure)?.into_inner().club)
}

async fn change(call: Call, request: ChangeClub) -> Outcome {
    let request = ChangeClubRequest {
        player_id: call.player.to_string(),
        club_id: request.club_id,
        change: request.change,
    };
    let changed = call.core.clients.clubs.clone().change_club(request).await;
    shown(changed.map_err(peers::failure)?.into_inner().club)
}

async fn list_card_entries(call: Call, request: ListCardEntries) -> Outcome {
    let request = ListCardEntriesRequest {
        player_id: call.player.to_string(),
        club_id: request.club_id,
        before: request.before,
    };
    let entries = call.core.clients.clubs.clone().list_card_entries(request).await;
    let entries = entries.map_err(peers::failure)?.into_inner();
    Ok((Answer::Result(Reply::CardEntries(entries)), Then::Nothing))
}
