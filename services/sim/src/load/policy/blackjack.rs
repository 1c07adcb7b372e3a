//! Blackjack: the lowest bet, no insurance, and the dealer's own rule.

use parlor_proto::rules::v1 as pb;
use pb::blackjack_command::Action;

/// Below this many points the seat hits.
const STAND_AT: u32 = 17;

pub fn choose(view: &pb::BlackjackView, refused: u32) -> Option<pb::BlackjackCommand> {
    if refused > 0 {
        return None;
    }
    let actions = view.actions.as_ref()?;
    let chosen = |chosen: pb::BlackjackMove| Some(Action::Move(chosen.into()));
    let action = if let Some(bet) = &actions.bet {
        Some(Action::Bet(pb::BlackjackStake { amount: Some(bet.lowest) }))
    } else if actions.sit_out {
        chosen(pb::BlackjackMove::SitOut)
    } else if actions.decline_insurance {
        chosen(pb::BlackjackMove::DeclineInsurance)
    } else if actions.hit && points(view).is_some_and(|points| points < STAND_AT) {
        chosen(pb::BlackjackMove::Hit)
    } else if actions.stand {
        chosen(pb::BlackjackMove::Stand)
    } else if actions.hit {
        chosen(pb::BlackjackMove::Hit)
    } else {
        None
    };
    action.map(|action| pb::BlackjackCommand { action: Some(action) })
}

/// Points of the hand whose turn it is.
fn points(view: &pb::BlackjackView) -> Option<u32> {
    let turn = view.turn.as_ref()?;
    let seat = view.seats.iter().find(|seat| seat.seat == turn.seat)?;
    let hand = seat.hands.get(usize::try_from(turn.hand).ok()?)?;
    hand.total.as_ref().map(|total| total.points)
}
