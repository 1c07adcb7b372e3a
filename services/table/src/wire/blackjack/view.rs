//! What a viewer may know.

use parlor_blackjack::actions::{Actions, BetBounds};
use parlor_blackjack::card::Total;
use parlor_blackjack::state::{Bet, Insurance, Phase, Presence, Turn};
use parlor_blackjack::view::{BankerView, HandView, SeatView, ShoeView, View};
use parlor_game::Amount;
use parlor_proto::rules::v1 as pb;

use super::options::options_to;
use super::settlement::settlement_to;
use super::{cards_to, seat_to, status_to};

pub(super) fn view_to(view: &View) -> pb::BlackjackView {
    pb::BlackjackView {
        options: Some(options_to(&view.options)),
        round: view.round,
        phase: phase_to(view.phase).into(),
        banker: view.banker.as_ref().map(banker_to),
        seats: view.seats.iter().map(seat_view_to).collect(),
        turn: view.turn.map(turn_to),
        you: view.you.map(seat_to),
        actions: (view.actions != Actions::default()).then(|| actions_to(&view.actions)),
        shoe: Some(shoe_to(view.shoe)),
        last: view.last.as_deref().map(settlement_to),
    }
}

fn phase_to(phase: Option<Phase>) -> pb::BlackjackPhase {
    match phase {
        None => pb::BlackjackPhase::Idle,
        Some(Phase::Betting) => pb::BlackjackPhase::Betting,
        Some(Phase::Insurance) => pb::BlackjackPhase::Insurance,
        Some(Phase::Playing) => pb::BlackjackPhase::Playing,
        Some(Phase::BankerTurn) => pb::BlackjackPhase::BankerTurn,
    }
}

fn total_to(total: Total) -> pb::BlackjackTotal {
    pb::BlackjackTotal { points: u32::from(total.points), soft: total.soft }
}

fn turn_to(turn: Turn) -> pb::BlackjackTurn {
    pb::BlackjackTurn { seat: seat_to(turn.seat), hand: u32::from(turn.hand) }
}

fn banker_to(banker: &BankerView) -> pb::BlackjackBanker {
    pb::BlackjackBanker {
        seat: seat_to(banker.seat),
        stack: banker.stack.map(|stack| stack.0),
        left: banker.presence == Presence::Left,
        cards: cards_to(&banker.cards),
        face_down: u32::from(banker.face_down),
        total: banker.total.map(total_to),
    }
}

fn seat_view_to(seat: &SeatView) -> pb::BlackjackSeat {
    let (choice, insurance) = insurance_to(seat.insurance);
    pb::BlackjackSeat {
        seat: seat_to(seat.seat),
        stack: seat.stack.map(|stack| stack.0),
        at_risk: seat.at_risk.0,
        left: seat.presence == Presence::Left,
        bet: match seat.bet {
            Bet::Placed(amount) => Some(amount.0),
            Bet::Undecided | Bet::SatOut => None,
        },
        sits_out: seat.bet == Bet::SatOut,
        insurance_choice: choice.into(),
        insurance: insurance.map(|amount| amount.0),
        hands: seat.hands.iter().map(hand_to).collect(),
    }
}

fn insurance_to(insurance: Insurance) -> (pb::BlackjackInsuranceChoice, Option<Amount>) {
    match insurance {
        Insurance::Undecided => (pb::BlackjackInsuranceChoice::None, None),
        Insurance::Declined => (pb::BlackjackInsuranceChoice::Declined, None),
        Insurance::Taken(amount) => (pb::BlackjackInsuranceChoice::Insured, Some(amount)),
        Insurance::EvenMoney => (pb::BlackjackInsuranceChoice::EvenMoney, None),
    }
}

fn hand_to(hand: &HandView) -> pb::BlackjackHand {
    pb::BlackjackHand {
        cards: cards_to(&hand.cards),
        face_down: u32::from(hand.face_down),
        total: hand.total.map(total_to),
        natural: hand.natural,
        stake: hand.stake.0,
        doubled: hand.doubled,
        status: status_to(hand.status),
    }
}

fn actions_to(actions: &Actions) -> pb::BlackjackActions {
    let amount = |field: Option<Amount>| field.map(|amount| amount.0);
    pb::BlackjackActions {
        bet: actions.bet.map(bounds_to),
        sit_out: actions.sit_out,
        highest_insurance: amount(actions.insurance),
        decline_insurance: actions.decline_insurance,
        even_money_wins: amount(actions.even_money),
        hit: actions.hit,
        stand: actions.stand,
        double_adds: amount(actions.double),
        split_adds: amount(actions.split),
        surrender_loses: amount(actions.surrender),
    }
}

fn bounds_to(bounds: BetBounds) -> pb::BlackjackBetBounds {
    pb::BlackjackBetBounds {
        lowest: bounds.lowest.0,
        highest: bounds.highest.0,
        step: bounds.step.0,
    }
}

fn shoe_to(shoe: ShoeView) -> pb::BlackjackShoe {
    pb::BlackjackShoe {
        size: u32::from(shoe.size),
        stock: u32::from(shoe.stock),
        tray: u32::from(shoe.tray),
        shuffle_next: shoe.shuffle_next,
    }
}
