//! Wallets, past hands, leaderboards.

use parlor_common::{Failure, HandId};
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::{GetHand, GetLeaderboard, ListHands, Profile};
use parlor_proto::settlement::v1::{
    GetBalanceRequest, GetHandRequest, GetLeaderboardRequest, ListHandsRequest,
};

use super::{Answer, Call, Outcome, Then};
use crate::peers;

/// Rows of a leaderboard that a client gets.
const LEADERBOARD_ROWS: u32 = 100;

pub(super) async fn get_profile(call: Call) -> Outcome {
    let request = GetBalanceRequest { player_id: call.player.to_string() };
    let mut client = call.core.clients.ledger.clone();
    let wallet = client.get_balance(request).await.map_err(peers::failure)?.into_inner();
    let profile = Profile {
        player_id: call.player.to_string(),
        name: call.name,
        balance: wallet.balance,
        held: wallet.held,
    };
    Ok((Answer::Result(Reply::Profile(profile)), Then::Nothing))
}

pub(super) async fn list_hands(call: Call, request: ListHands) -> Outcome {
    let request = ListHandsRequest {
        player_id: call.player.to_string(),
        game: request.game,
        page_size: request.page_size,
        page_token: request.page_token,
    };
    let mut client = call.core.clients.history.clone();
    let hands = client.list_hands(request).await.map_err(peers::failure)?.into_inner();
    Ok((Answer::Result(Reply::Hands(hands)), Then::Nothing))
}

pub(super) async fn get_hand(call: Call, request: GetHand) -> Outcome {
    let hand_id: HandId = request.hand_id.parse()?;
    let request =
        GetHandRequest { hand_id: hand_id.to_string(), player_id: call.player.to_string() };
    let mut client = call.core.clients.history.clone();
    let hand = client.get_hand(request).await.map_err(peers::failure)?.into_inner().hand;
    let hand = hand.ok_or_else(Failure::internal)?;
    Ok((Answer::Hand(hand.into()), Then::Nothing))
}

pub(super) async fn get_leaderboard(call: Call, request: GetLeaderboard) -> Outcome {
    let request = GetLeaderboardRequest { board: request.board, limit: LEADERBOARD_ROWS };
    let mut client = call.core.clients.history.clone();
    let board = client.get_leaderboard(request).await.map_err(peers::failure)?.into_inner();
    Ok((Answer::Result(Reply::Leaderboard(board)), Then::Nothing))
}
