//! What a viewer may know of an event.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use parlor_game::Viewer;

use crate::event::{Event, HandCard, Scored};

/// The part of an event that a viewer may know. The auditor knows everything; for everybody else
/// the order of shuffles and what is face down are taken out.
#[must_use]
pub fn redact(event: &Event, viewer: Viewer) -> Option<Event> {
    if viewer == Viewer::Auditor {
        return Some(event.clone());
    }
    Some(match event {
        Event::Shuffled { .. } => Event::Shuffled { order: Vec::new() },
        // How many jokers there are is known.
        Event::JokersHidden { order, first } => {
            Event::JokersHidden { order: vec![0; order.len()], first: *first }
        }
        Event::Drawn { cards } => Event::Drawn { cards: cards.iter().map(seen).collect() },
        Event::CardsChanged { cards } => {
            Event::CardsChanged { cards: cards.iter().map(seen).collect() }
        }
        Event::CardsAdded { cards, to } => {
            Event::CardsAdded { cards: cards.iter().map(seen).collect(), to: *to }
        }
        Event::JokerChanged { joker } if joker.face_down => return None,
        Event::Scored(scored) => {
            let jokers = scored.jokers.iter().filter(|joker| !joker.face_down).copied().collect();
            Event::Scored(Box::new(Scored { jokers, ..(**scored).clone() }))
        }
        other => other.clone(),
    })
}

fn seen(card: &HandCard) -> HandCard {
    HandCard { card: card.card.filter(|card| !card.face_down), ..*card }
}
