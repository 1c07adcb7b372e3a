//! Parties. The player is always the session's: nobody is queued by a name in a message.

use parlor_common::{Code, Failure};
use parlor_proto::gateway::v1::PartyCommand;
use parlor_proto::gateway::v1::party_command::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::matchmaking::v1::{
    CreatePartyRequest, EnqueuePartyRequest, EnqueueResponse, JoinPartyRequest, LeavePartyRequest,
    Party, RemovePartyMemberRequest, RenewPartyInviteRequest,
};

use super::{Answer, Call, Outcome, Then};
use crate::{peers, reasons};

pub(super) async fn command(call: Call, request: PartyCommand) -> Outcome {
    match request.command {
        Some(Command::Create(_)) => create(call).await,
        Some(Command::JoinByInviteCode(invite_code)) => join(call, invite_code).await,
        Some(Command::Leave(_)) => leave(call).await,
        Some(Command::RemovePlayerId(member_id)) => remove(call, member_id).await,
        Some(Command::RenewInvite(_)) => renew_invite(call).await,
        Some(Command::EnqueueQueueId(queue_id)) => enqueue(call, queue_id).await,
        None => {
            let message = "the party command is empty or not known here";
            Err(Failure::new(Code::Invalid, reasons::EMPTY_REQUEST, message))
        }
    }
}

/// The party, which is followed from now on; or, when the player is not in it, that it was done.
fn shown(party: Option<Party>) -> Outcome {
    let Some(party) = party else { return Ok((Answer::done(), Then::Nothing)) };
    let then = Then::FollowParty(party.party_id.clone());
    Ok((Answer::Result(Reply::Party(party)), then))
}

async fn create(call: Call) -> Outcome {
    let request = CreatePartyRequest { request_id: call.global_id(), leader: Some(call.member()) };
    let created = call.core.clients.parties.clone().create_party(request).await;
    shown(created.map_err(peers::failure)?.into_inner().party)
}

async fn join(call: Call, invite_code: String) -> Outcome {
    let request = JoinPartyRequest { player: Some(call.member()), invite_code };
    let joined = call.core.clients.parties.clone().join_party(request).await;
    shown(joined.map_err(peers::failure)?.into_inner().party)
}

async fn leave(call: Call) -> Outcome {
    let request = LeavePartyRequest { player_id: call.player.to_string() };
    call.core.clients.parties.clone().leave_party(request).await.map_err(peers::failure)?;
    shown(None)
}

async fn remove(call: Call, member_id: String) -> Outcome {
    let request = RemovePartyMemberRequest { player_id: call.player.to_string(), member_id };
    let removed = call.core.clients.parties.clone().remove_party_member(request).await;
    shown(removed.map_err(peers::failure)?.into_inner().party)
}

async fn renew_invite(call: Call) -> Outcome {
    let request = RenewPartyInviteRequest { player_id: call.player.to_string() };
    let renewed = call.core.clients.parties.clone().renew_party_invite(request).await;
    shown(renewed.map_err(peers::failure)?.into_inner().party)
}

async fn enqueue(call: Call, queue_id: String) -> Outcome {
    let request = EnqueuePartyRequest {
        request_id: call.global_id(),
        player_id: call.player.to_string(),
        queue_id,
    };
    let enqueued = call.core.clients.parties.clone().enqueue_party(request).await;
    let ticket_id = enqueued.map_err(peers::failure)?.into_inner().ticket_id;
    let then = Then::FollowTicket(ticket_id.clone());
    Ok((Answer::Result(Reply::Enqueued(EnqueueResponse { ticket_id })), then))
}
