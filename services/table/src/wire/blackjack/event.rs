//! What happened.

use parlor_blackjack::Card;
use parlor_blackjack::event::{DealtHand, Event, ShoeFate};
use parlor_blackjack::shoe::Occasion;
use parlor_blackjack::state::HandStatus;
use parlor_game::{Amount, Entrant, Seat};
use parlor_proto::rules::v1 as pb;
use pb::blackjack_event::Event as Message;

use super::settlement::settlement_to;
use super::{cards_to, seat_to, status_to};
use crate::wire::result::result_to;

pub(super) fn event_to(event: &Event) -> pb::BlackjackEvent {
    pb::BlackjackEvent { event: Some(message(event)) }
}

fn message(event: &Event) -> Message {
    match event {
        Event::RoundOpened { round, banker, entrants } => {
            Message::RoundOpened(pb::BlackjackRoundOpened {
                round: *round,
                banker: seat_to(*banker),
                entrants: entrants.iter().map(entrant_to).collect(),
            })
        }
        Event::Shuffled { occasion, count, stock } => Message::Shuffled(pb::BlackjackShuffled {
            tray_reshuffle: match occasion {
                Occasion::Shoe => 0,
                Occasion::Tray { number } => u32::from(*number),
            },
            count: u32::from(*count),
            stock: stock.as_deref().map(cards_to).unwrap_or_default(),
        }),
        Event::BetPlaced { seat, amount } => Message::BetPlaced(seat_amount(*seat, *amount)),
        Event::SatOut { seat } => Message::SatOut(seat_to(*seat)),
        Event::SeatLeft { seat } => Message::SeatLeft(seat_to(*seat)),
        Event::Dealt { faces: _, hands, up, hole } => Message::Dealt(pb::BlackjackDealt {
            hands: hands.iter().map(dealt_hand_to).collect(),
            up: up.to_string(),
            hole: hole.map(name),
        }),
        Event::InsuranceOffered => Message::InsuranceOffered(pb::BlackjackInsuranceOffered {}),
        Event::InsuranceTaken { seat, amount } => {
            Message::InsuranceTaken(seat_amount(*seat, *amount))
        }
        Event::EvenMoneyTaken { seat } => Message::EvenMoneyTaken(seat_to(*seat)),
        Event::InsuranceDeclined { seat } => Message::InsuranceDeclined(seat_to(*seat)),
        Event::BankerPeeked { natural } => {
            Message::BankerPeeked(pb::BlackjackPeeked { natural: *natural })
        }
        Event::TurnStarted { seat, hand } => Message::TurnStarted(turn(*seat, *hand)),
        Event::Hit { faces: _, seat, hand, card, status } => {
            Message::Hit(card_taken(turn(*seat, *hand), *card, *status, None))
        }
        Event::Doubled { faces: _, seat, hand, card, stake, status } => {
            Message::Doubled(card_taken(turn(*seat, *hand), *card, *status, Some(*stake)))
        }
        Event::Stood { seat, hand } => Message::Stood(turn(*seat, *hand)),
        Event::Split { faces: _, seat, hand, stake, cards } => Message::Split(pb::BlackjackSplit {
            seat: seat_to(*seat),
            hand: u32::from(*hand),
            stake: stake.0,
            cards: cards_to(cards.iter().flatten()),
        }),
        Event::Surrendered { seat, hand } => Message::Surrendered(turn(*seat, *hand)),
        Event::HoleRevealed { card } => Message::HoleRevealed(card.to_string()),
        Event::BankerDrew { card } => Message::BankerDrew(card.to_string()),
        Event::Settled { settlement, result, shoe } => Message::Settled(pb::BlackjackSettled {
            settlement: Some(settlement_to(settlement)),
            result: Some(result_to(result)),
            shuffle_next: *shoe == ShoeFate::Ends,
        }),
        Event::Voided { shoe } => {
            Message::Voided(pb::BlackjackVoided { shuffle_next: *shoe == ShoeFate::Ends })
        }
    }
}

fn name(card: Card) -> String {
    card.to_string()
}

fn turn(seat: Seat, hand: u8) -> pb::BlackjackTurn {
    pb::BlackjackTurn { seat: seat_to(seat), hand: u32::from(hand) }
}

fn card_taken(
    of: pb::BlackjackTurn,
    card: Option<Card>,
    status: HandStatus,
    stake: Option<Amount>,
) -> pb::BlackjackCardTaken {
    pb::BlackjackCardTaken {
        seat: of.seat,
        hand: of.hand,
        card: card.map(name),
        status: status_to(status),
        stake: stake.map(|stake| stake.0),
    }
}

fn seat_amount(seat: Seat, amount: Amount) -> pb::BlackjackSeatAmount {
    pb::BlackjackSeatAmount { seat: seat_to(seat), amount: amount.0 }
}

fn entrant_to(entrant: &Entrant) -> pb::BlackjackEntrant {
    pb::BlackjackEntrant { seat: seat_to(entrant.seat), stack: entrant.stack.map(|stack| stack.0) }
}

fn dealt_hand_to(hand: &DealtHand) -> pb::BlackjackDealtHand {
    pb::BlackjackDealtHand {
        seat: seat_to(hand.seat),
        cards: cards_to(hand.cards.iter().flatten()),
    }
}
