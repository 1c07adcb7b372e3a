//! Queues and rooms.

use parlor_common::Failure;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::{AnswerReadyCheck, CreateRoom, Enqueue, JoinRoom, RoomJoined};
use parlor_proto::matchmaking::v1::{
    AnswerReadyCheckRequest, CancelRequest, CreateRoomRequest, EnqueueRequest, JoinRoomRequest,
    ListQueuesRequest, Member,
};

use super::{Answer, Call, Outcome, Then};
use crate::peers;

impl Call {
    /// The session's player, for matchmaking.
    pub(super) fn member(&self) -> Member {
        Member { player_id: self.player.to_string(), name: self.name.clone() }
    }
}

pub(super) async fn list_queues(call: Call) -> Outcome {
    let mut client = call.core.clients.matchmaking.clone();
    let queues = client.list_queues(ListQueuesRequest {}).await.map_err(peers::failure)?;
    Ok((Answer::Result(Reply::Queues(queues.into_inner())), Then::Nothing))
}

pub(super) async fn enqueue(call: Call, request: Enqueue) -> Outcome {
    let request = EnqueueRequest {
        request_id: call.global_id(),
        queue_id: request.queue_id,
        members: vec![call.member()],
    };
    let mut client = call.core.clients.matchmaking.clone();
    let enqueued = client.enqueue(request).await.map_err(peers::failure)?.into_inner();
    let then = Then::FollowTicket(enqueued.ticket_id.clone());
    Ok((Answer::Result(Reply::Enqueued(enqueued)), then))
}

pub(super) async fn cancel_ticket(call: Call) -> Outcome {
    let request = CancelRequest { player_id: call.player.to_string() };
    call.core.clients.matchmaking.clone().cancel(request).await.map_err(peers::failure)?;
    Ok((Answer::done(), Then::Nothing))
}

pub(super) async fn answer_ready_check(call: Call, request: AnswerReadyCheck) -> Outcome {
    let request =
        AnswerReadyCheckRequest { player_id: call.player.to_string(), ready: request.ready };
    let mut client = call.core.clients.matchmaking.clone();
    client.answer_ready_check(request).await.map_err(peers::failure)?;
    Ok((Answer::done(), Then::Nothing))
}

pub(super) async fn create_room(call: Call, request: CreateRoom) -> Outcome {
    let request = CreateRoomRequest {
        request_id: call.global_id(),
        host: Some(call.member()),
        settings: request.settings,
        club_id: request.club_id,
    };
    let mut client = call.core.clients.rooms.clone();
    let created = client.create_room(request).await.map_err(peers::failure)?.into_inner();
    joined(created.table_id, created.room_code)
}

pub(super) async fn join_room(call: Call, request: JoinRoom) -> Outcome {
    let room_code = request.room_code;
    let request = JoinRoomRequest {
        request_id: call.global_id(),
        player: Some(call.member()),
        room_code: room_code.clone(),
    };
    let mut client = call.core.clients.rooms.clone();
    let joined_room = client.join_room(request).await.map_err(peers::failure)?.into_inner();
    joined(joined_room.table_id, room_code)
}

fn joined(table_id: String, room_code: String) -> Outcome {
    let table = table_id.parse().map_err(|_| {
        tracing::error!(table_id, "matchmaking named a table by what is no id");
        Failure::internal()
    })?;
    let answer = Answer::Result(Reply::Room(RoomJoined { table_id, room_code }));
    Ok((answer, Then::WatchTable(table)))
}
