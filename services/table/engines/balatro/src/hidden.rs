//! Permutes what is hidden, for the proof that it does not leak.

use alloc::boxed::Box;
use alloc::vec::Vec;

use parlor_game::{Entropy, Hidden, Stream, Viewer};

use crate::card::Card;
use crate::event::{Event, HandCard};
use crate::game::Balatro;
use crate::joker::Joker;
use crate::state::{Run, State};

impl Hidden for Balatro {
    fn permute_state(state: &State, viewer: Viewer, entropy: &Entropy) -> State {
        let mut state = state.clone();
        if viewer != Viewer::Auditor
            && let Some(run) = &mut state.run
        {
            let mut stream = entropy.labelled("permute/state");
            permute_cards(run, &mut stream);
            permute_jokers(run, &mut stream);
        }
        state
    }

    fn permute_event(event: &Event, viewer: Viewer, entropy: &Entropy) -> Event {
        if viewer == Viewer::Auditor {
            return event.clone();
        }
        let mut stream = entropy.labelled("permute/event");
        match event.clone() {
            Event::Shuffled { mut order } => {
                stream.shuffle(&mut order);
                Event::Shuffled { order }
            }
            Event::JokersHidden { mut order, first } => {
                stream.shuffle(&mut order);
                Event::JokersHidden { order, first }
            }
            Event::Drawn { cards } => Event::Drawn { cards: other_faces(cards, &mut stream) },
            Event::CardsChanged { cards } => {
                Event::CardsChanged { cards: other_faces(cards, &mut stream) }
            }
            Event::CardsAdded { cards, to } => {
                Event::CardsAdded { cards: other_faces(cards, &mut stream), to }
            }
            Event::Scored(mut scored) => {
                let hidden = scored.jokers.iter_mut().filter(|joker| joker.face_down);
                hidden.for_each(|joker| joker.state.value.0 += 1);
                Event::Scored(Box::new(*scored))
            }
            other => other,
        }
    }
}

/// The faces of the draw pile and of face-down cards in hand, dealt anew to the same ids.
fn permute_cards(run: &mut Run, stream: &mut Stream) {
    let hidden = run.hand.iter().filter(|card| card.face_down);
    let mut faces: Vec<Card> = run.draw_pile.iter().chain(hidden).copied().collect();
    stream.shuffle(&mut faces);
    let hidden = run.hand.iter_mut().filter(|card| card.face_down);
    for (place, face) in run.draw_pile.iter_mut().chain(hidden).zip(faces) {
        *place = Card { id: place.id, face_down: place.face_down, ..face };
    }
}

/// The face-down jokers, dealt anew to the same item numbers.
fn permute_jokers(run: &mut Run, stream: &mut Stream) {
    let mut faces: Vec<Joker> =
        run.jokers.iter().filter(|joker| joker.face_down).copied().collect();
    stream.shuffle(&mut faces);
    let hidden = run.jokers.iter_mut().filter(|joker| joker.face_down);
    for (place, face) in hidden.zip(faces) {
        *place = Joker { item: place.item, ..face };
    }
}

fn other_faces(cards: Vec<HandCard>, stream: &mut Stream) -> Vec<HandCard> {
    let other = |held: HandCard| HandCard {
        card: held.card.map(|card| {
            if card.face_down {
                let rank = crate::card::Rank::ALL[stream.below(13) as usize];
                Card { rank, ..card }
            } else {
                card
            }
        }),
        ..held
    };
    cards.into_iter().map(other).collect()
}
