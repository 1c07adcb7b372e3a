//! The contract of [`Game`] and [`Hidden`], kept by the other modules.

use alloc::vec::Vec;

use parlor_game::{
    Actor, Awaiting, Entrant, Entropy, Game, HandResult, Hidden, Pace, Refusal, Seat, Viewer,
};

use crate::bot::{self, Sight};
use crate::command::Command;
use crate::event::Event;
use crate::options::Options;
use crate::sheet::Sheet;
use crate::state::State;
use crate::view::View;
use crate::{decide, evolve, hidden, legal, redact, refusals, view};

/// Sichuan mahjong, 血战到底.
#[derive(Clone, Copy, Debug)]
pub struct Mahjong;

impl Game for Mahjong {
    const ID: &'static str = "mahjong";
    const RULES_VERSION: u32 = 1;
    const PACE: Pace = Pace::Match;
    const REASONS: &'static [&'static str] = refusals::REASONS;

    type Options = Options;
    type Command = Command;
    type Event = Event;
    type State = State;
    type View = View;

    fn seats(options: &Options) -> Result<(u8, u8), Refusal> {
        options.validate()?;
        Ok((options.players, options.players))
    }

    fn open(options: &Options) -> Result<State, Refusal> {
        options.validate()?;
        Ok(State {
            options: options.clone(),
            hands: 0,
            next_dealer: None,
            sheet: Sheet::new(options.players),
            round: None,
        })
    }

    fn deal(state: &State, entrants: &[Entrant], entropy: &Entropy) -> Result<Vec<Event>, Refusal> {
        decide::deal(state, entrants, entropy)
    }

    fn decide(
        state: &State,
        actor: Actor,
        command: &Command,
        entropy: &Entropy,
    ) -> Result<Vec<Event>, Refusal> {
        decide::decide(state, actor, command, entropy)
    }

    fn evolve(state: &mut State, event: &Event) {
        evolve::evolve(state, event);
    }

    fn awaiting(state: &State) -> Awaiting<Command> {
        legal::awaiting(state)
    }

    fn legal(state: &State, seat: Seat) -> Vec<Command> {
        legal::legal(state, seat)
    }

    fn redact(event: &Event, viewer: Viewer) -> Option<Event> {
        redact::redact(event, viewer)
    }

    fn view(state: &State, viewer: Viewer) -> View {
        view::view(state, viewer)
    }

    fn hand_result(event: &Event) -> Option<&HandResult> {
        match event {
            Event::HandEnded { result, .. } => Some(result),
            _ => None,
        }
    }

    fn in_hand(state: &State) -> bool {
        state.in_hand()
    }

    fn finished(state: &State) -> bool {
        state.is_finished()
    }

    fn bot(view: &View) -> Option<Command> {
        Sight::of_view(view, bot::choose).flatten()
    }
}

impl Hidden for Mahjong {
    fn permute_state(state: &State, viewer: Viewer, entropy: &Entropy) -> State {
        hidden::permute_state(state, viewer, entropy)
    }

    fn permute_event(event: &Event, viewer: Viewer, entropy: &Entropy) -> Event {
        hidden::permute_event(event, viewer, entropy)
    }
}
