//! The start of a hand (rules: mahjong 1.1 to 1.6).

use alloc::vec;
use alloc::vec::Vec;

use parlor_game::{Entrant, Entropy, Refusal, Seat};

use crate::event::Event;
use crate::refusals;
use crate::settle::BySeat;
use crate::state::{Phase, State};
use crate::tile::sorted_wall;

/// Label of the stream that picks the first dealer of a match.
const DEALER_LABEL: &str = "mahjong/dealer";

/// Starts the next hand.
///
/// # Errors
/// When a hand runs already, the match is over, or not every seat takes part.
pub fn deal(state: &State, entrants: &[Entrant], entropy: &Entropy) -> Result<Vec<Event>, Refusal> {
    let running = |phase: &Phase| !matches!(phase, Phase::Over { .. });
    if state.round.as_ref().is_some_and(|round| running(&round.phase)) {
        return Err(refusals::hand_in_progress());
    }
    if state.hands >= u32::from(state.options.rounds) {
        return Err(refusals::match_over());
    }
    let players = state.options.players;
    let expected = (0..players).map(Seat);
    if !entrants.iter().map(|entrant| entrant.seat).eq(expected) {
        return Err(refusals::bad_entrants(players));
    }
    let dealer = state.next_dealer.unwrap_or_else(|| {
        let drawn = entropy.labelled(DEALER_LABEL).below(u32::from(players));
        Seat(u8::try_from(drawn).unwrap_or(0))
    });
    let mut wall = sorted_wall(players);
    entropy.deal().shuffle(&mut wall);
    Ok(vec![Event::Dealt {
        number: state.hands + 1,
        dealer,
        stacks: entrants.iter().map(|entrant| entrant.stack).collect::<BySeat<_>>(),
        wall,
        own: Vec::new(),
    }])
}
