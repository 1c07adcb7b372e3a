//! Permutes what a viewer may not know, for the proof that views and events do not tell it.

use alloc::vec::Vec;

use parlor_game::{Entropy, Seat, Viewer};

use crate::card::Card;
use crate::event::{DealtHand, Event, Faces};
use crate::state::{Hole, State};

/// A state that differs only in what `viewer` may not know: the hole card while it lies face down,
/// the stock, the order of the tray, and face-down hands of others.
pub(crate) fn permute_state(state: &State, viewer: Viewer, entropy: &Entropy) -> State {
    let mut state = state.clone();
    if viewer == Viewer::Auditor {
        return state;
    }
    let mut pool: Vec<Card> = state.shoe.stock().to_vec();
    visit_hidden(&mut state, viewer, &mut |card| pool.push(*card));
    entropy.deal().shuffle(&mut pool);
    let mut cards = pool.into_iter();
    visit_hidden(&mut state, viewer, &mut |card| *card = cards.next().unwrap_or(*card));
    state.shoe.permute(&mut cards);
    state
}

/// Visits the cards on the table that lie face down for `viewer`.
fn visit_hidden(state: &mut State, viewer: Viewer, visit: &mut dyn FnMut(&mut Card)) {
    let public = state.options.player_cards_public;
    let Some(round) = &mut state.round else { return };
    if let (Hole::Down, Some(hole)) = (round.banker.hole, round.banker.cards.get_mut(1)) {
        visit(hole);
    }
    let others = |seat: Seat| !public && viewer != Viewer::Seat(seat);
    for player in round.players.iter_mut().filter(|player| others(player.seat)) {
        player.hands.iter_mut().flat_map(|hand| &mut hand.cards).for_each(&mut *visit);
    }
}

/// An event that differs only in what `viewer` may not know.
pub(crate) fn permute_event(event: &Event, viewer: Viewer, entropy: &Entropy) -> Event {
    let mut event = event.clone();
    if viewer == Viewer::Auditor {
        return event;
    }
    let mut stream = entropy.deal();
    let mut other = |card: &mut Card| {
        let number = u8::try_from(stream.below(52)).unwrap_or_default();
        *card = Card::try_from(number).unwrap_or(*card);
    };
    let hides = |seat: Seat, faces: Faces| faces == Faces::Down && viewer != Viewer::Seat(seat);
    match &mut event {
        Event::Shuffled { stock: Some(stock), .. } => {
            let mut cards: Vec<Card> = stock.to_vec();
            entropy.labelled("stock").shuffle(&mut cards);
            *stock = cards.into();
        }
        Event::Dealt { faces, hands, hole, .. } => {
            hole.iter_mut().for_each(&mut other);
            for DealtHand { seat, cards } in hands {
                if hides(*seat, *faces) {
                    cards.iter_mut().flatten().for_each(&mut other);
                }
            }
        }
        Event::Hit { faces, seat, card, .. } | Event::Doubled { faces, seat, card, .. }
            if hides(*seat, *faces) =>
        {
            card.iter_mut().for_each(&mut other);
        }
        Event::Split { faces, seat, cards, .. } if hides(*seat, *faces) => {
            cards.iter_mut().flatten().for_each(&mut other);
        }
        _ => {}
    }
    event
}
