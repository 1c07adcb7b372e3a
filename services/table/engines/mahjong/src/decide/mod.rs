//! From commands to events: the rules of play (rules: mahjong 1 to 5).
//!
//! One module for each part of a hand: `deal`, `opening` (exchange and void suits), `turn`,
//! `window` (claims) and `end`.

mod deal;
mod end;
mod opening;
mod turn;
mod window;

use alloc::vec::Vec;

use parlor_game::{Actor, Entropy, Refusal, Seat};

pub use deal::deal;

use crate::command::{Answer, Command};
use crate::event::Event;
use crate::refusals;
use crate::state::{Phase, Round, State, TurnStart};

/// What a command does.
///
/// # Errors
/// The rule's reason when the command is not allowed.
pub fn decide(
    state: &State,
    actor: Actor,
    command: &Command,
    entropy: &Entropy,
) -> Result<Vec<Event>, Refusal> {
    let round = state.round.as_ref().ok_or_else(refusals::no_hand)?;
    let seat = match (actor, &round.phase) {
        (_, Phase::Over { .. }) => return Err(refusals::no_hand()),
        (Actor::Seat(seat), _) if round.player(seat).is_some() => seat,
        (Actor::Seat(_), _) => return Err(refusals::not_your_turn()),
        (Actor::System, Phase::Window(window)) if *command == Command::CloseWindow => {
            return window::close(state, round, window);
        }
        (Actor::System, _) => return Err(refusals::wrong_phase()),
    };
    match (&round.phase, *command) {
        (Phase::Exchange, Command::Exchange(tiles)) => {
            opening::exchange(state, round, seat, tiles, entropy)
        }
        (Phase::Void, Command::ChooseVoid(suit)) => opening::choose_void(round, seat, suit),
        (Phase::Turn(turn), command) => turn::act(state, round, turn, seat, command),
        (Phase::Window(window), command) => {
            let answer = match command {
                Command::Win => Answer::Win,
                Command::Kong => Answer::Kong,
                Command::Pung => Answer::Pung,
                Command::Pass => Answer::Pass,
                _ => return Err(refusals::wrong_phase()),
            };
            window::answer(state, round, window, seat, answer)
        }
        _ => Err(refusals::wrong_phase()),
    }
}

/// The event of a seat's draw; `None` when the wall is empty.
fn draw(round: &Round, seat: Seat, start: TurnStart) -> Option<Event> {
    round.next_tile().map(|tile| Event::Drew { seat, tile: Some(tile), start })
}
