//! The part of an event that a viewer may know (rules: blackjack 11).

use parlor_game::{Seat, Viewer};

use crate::event::{DealtHand, Event, Faces};

/// What `viewer` learns of an event. Everybody learns of every event; some lose their cards.
#[must_use]
pub fn redact(event: &Event, viewer: Viewer) -> Event {
    if viewer == Viewer::Auditor {
        return event.clone();
    }
    match event {
        Event::Shuffled { occasion, count, stock: _ } => {
            Event::Shuffled { occasion: *occasion, count: *count, stock: None }
        }
        Event::Dealt { faces, hands, up, hole: _ } => {
            let hands = hands.iter().map(|hand| DealtHand {
                seat: hand.seat,
                cards: hand.cards.filter(|_| sees(viewer, hand.seat, *faces)),
            });
            Event::Dealt { faces: *faces, hands: hands.collect(), up: *up, hole: None }
        }
        &Event::Hit { faces, seat, hand, card, status } => {
            let card = card.filter(|_| sees(viewer, seat, faces));
            Event::Hit { faces, seat, hand, card, status }
        }
        &Event::Doubled { faces, seat, hand, card, stake, status } => {
            let card = card.filter(|_| sees(viewer, seat, faces));
            Event::Doubled { faces, seat, hand, card, stake, status }
        }
        &Event::Split { faces, seat, hand, stake, cards } => {
            let cards = cards.filter(|_| sees(viewer, seat, faces));
            Event::Split { faces, seat, hand, stake, cards }
        }
        Event::RoundOpened { .. }
        | Event::BetPlaced { .. }
        | Event::SatOut { .. }
        | Event::SeatLeft { .. }
        | Event::InsuranceOffered
        | Event::InsuranceTaken { .. }
        | Event::EvenMoneyTaken { .. }
        | Event::InsuranceDeclined { .. }
        | Event::BankerPeeked { .. }
        | Event::TurnStarted { .. }
        | Event::Stood { .. }
        | Event::Surrendered { .. }
        | Event::HoleRevealed { .. }
        | Event::BankerDrew { .. }
        | Event::Settled { .. }
        | Event::Voided { .. } => event.clone(),
    }
}

fn sees(viewer: Viewer, owner: Seat, faces: Faces) -> bool {
    faces == Faces::Up || viewer == Viewer::Seat(owner)
}
