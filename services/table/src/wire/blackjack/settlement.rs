//! What a round was worth.

use parlor_blackjack::Settlement;
use parlor_blackjack::settlement::{BankerSettlement, HandOutcome, HandSettlement, SeatSettlement};
use parlor_proto::rules::v1 as pb;

use super::{cards_to, seat_to};

pub(super) fn settlement_to(settlement: &Settlement) -> pb::BlackjackSettlement {
    pb::BlackjackSettlement {
        round: settlement.round,
        seats: settlement.seats.iter().map(seat_settlement_to).collect(),
        banker: Some(banker_settlement_to(&settlement.banker)),
        house: settlement.house.0,
        cards_used: u32::from(settlement.cards_used),
    }
}

fn seat_settlement_to(seat: &SeatSettlement) -> pb::BlackjackSeatSettlement {
    pb::BlackjackSeatSettlement {
        seat: seat_to(seat.seat),
        bet: seat.bet.0,
        hands: seat.hands.iter().map(hand_settlement_to).collect(),
        insurance: seat.insurance.map(|insurance| pb::BlackjackInsuranceSettlement {
            stake: insurance.stake.0,
            delta: insurance.delta.0,
        }),
        net: seat.net.0,
        commission: seat.commission.0,
        delta: seat.delta.0,
        stack: seat.stack.map(|stack| stack.0),
    }
}

fn hand_settlement_to(hand: &HandSettlement) -> pb::BlackjackHandSettlement {
    pb::BlackjackHandSettlement {
        cards: cards_to(&hand.cards),
        total: u32::from(hand.total),
        stake: hand.stake.0,
        doubled: hand.doubled,
        outcome: outcome_to(hand.outcome).into(),
        delta: hand.delta.0,
    }
}

fn banker_settlement_to(banker: &BankerSettlement) -> pb::BlackjackBankerSettlement {
    pb::BlackjackBankerSettlement {
        seat: seat_to(banker.seat),
        cards: cards_to(&banker.cards),
        total: u32::from(banker.total),
        natural: banker.natural,
        drew: u32::from(banker.drew),
        short: banker.short,
        net: banker.net.0,
        commission: banker.commission.0,
        delta: banker.delta.0,
        stack: banker.stack.map(|stack| stack.0),
    }
}

fn outcome_to(outcome: HandOutcome) -> pb::BlackjackOutcome {
    match outcome {
        HandOutcome::Win => pb::BlackjackOutcome::Win,
        HandOutcome::Lose => pb::BlackjackOutcome::Lose,
        HandOutcome::Bust => pb::BlackjackOutcome::Bust,
        HandOutcome::LoseBankerNatural => pb::BlackjackOutcome::LoseBankerNatural,
        HandOutcome::Push => pb::BlackjackOutcome::Push,
        HandOutcome::Surrender => pb::BlackjackOutcome::Surrender,
        HandOutcome::Natural => pb::BlackjackOutcome::Natural,
        HandOutcome::EvenMoney => pb::BlackjackOutcome::EvenMoney,
    }
}
