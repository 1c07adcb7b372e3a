//! Player-banked blackjack: one seated player keeps the bank, the others play against it.
//!
//! The rules are pure functions over plain values, in the shape that [`parlor_game::Game`] asks
//! for; [`Blackjack`] ties them together.
//!
//! * [`options`]: the settings of a table and which of them are refused.
//! * [`card`], [`shoe`]: cards, what they count, the stock and the tray. Where an order of cards
//!   comes from is a [`shoe::StockOrder`].
//! * [`state`], [`event`]: what the table remembers and what can happen to it; [`evolve()`] folds
//!   one into the other.
//! * [`decide`]: what a command does, one file a phase: `betting`, `insurance`, `playing`,
//!   `banker`, `leave`. `croupier` carries it out on a copy of the table.
//! * [`cover`]: what the banker may come to owe, and who can keep the bank.
//! * `settle`, [`settlement`]: who wins what.
//! * [`actions`], [`mod@view`], `redact`, `hidden`: what a seat may do, what a viewer may know,
//!   and the proof that it learns no more.
//! * `bot`: basic strategy.
//!
//! **Invariants**: over seats, banker and house every round sums to zero; no stack goes below
//! zero; a hole card is seen by nobody before it is turned.
#![no_std]

extern crate alloc;

pub mod actions;
mod bot;
pub mod card;
pub mod command;
pub mod cover;
mod croupier;
pub mod decide;
pub mod event;
mod evolve;
mod hidden;
pub mod options;
mod redact;
mod refuse;
mod settle;
pub mod settlement;
pub mod shoe;
pub mod state;
pub mod view;

use alloc::vec::Vec;

use parlor_game::{
    Actor, Awaiting, Entrant, Entropy, Game, HandResult, Hidden, Refusal, Seat, Viewer,
};

pub use actions::Actions;
pub use card::Card;
pub use command::Command;
pub use event::Event;
pub use evolve::evolve;
pub use options::Options;
pub use settlement::Settlement;
pub use state::State;
pub use view::View;

use event::ShoeFate;
use shoe::Fair;
use state::Presence;

/// The money of a round in which nobody bet.
static NOTHING_MOVED: HandResult = HandResult { transfers: Vec::new() };

/// The game of player-banked blackjack.
#[derive(Clone, Copy, Debug)]
pub struct Blackjack;

impl Game for Blackjack {
    const ID: &'static str = "blackjack";
    const RULES_VERSION: u32 = 1;
    const REASONS: &'static [&'static str] = refuse::REASONS;

    type Options = Options;
    type Command = Command;
    type Event = Event;
    type State = State;
    type View = View;

    fn seats(options: &Options) -> Result<(u8, u8), Refusal> {
        options.check()?;
        Ok((options::SEATS_MIN, options.seats))
    }

    fn open(options: &Options) -> Result<State, Refusal> {
        options.check()?;
        Ok(State::new(options.clone()))
    }

    fn deal(state: &State, entrants: &[Entrant], entropy: &Entropy) -> Result<Vec<Event>, Refusal> {
        decide::deal(state, entrants, &mut Fair(entropy))
    }

    fn decide(
        state: &State,
        actor: Actor,
        command: &Command,
        entropy: &Entropy,
    ) -> Result<Vec<Event>, Refusal> {
        decide::decide(state, actor, command, &mut Fair(entropy))
    }

    fn evolve(state: &mut State, event: &Event) {
        evolve(state, event);
    }

    fn awaiting(state: &State) -> Awaiting<Command> {
        actions::awaiting(state)
    }

    fn legal(state: &State, seat: Seat) -> Vec<Command> {
        Actions::of(state, seat).commands()
    }

    fn redact(event: &Event, viewer: Viewer) -> Option<Event> {
        Some(redact::redact(event, viewer))
    }

    fn view(state: &State, viewer: Viewer) -> View {
        view::view(state, viewer)
    }

    fn hand_result(event: &Event) -> Option<&HandResult> {
        match event {
            Event::Settled { result, .. } => Some(result),
            Event::Voided { .. } => Some(&NOTHING_MOVED),
            _ => None,
        }
    }

    fn in_hand(state: &State) -> bool {
        state.round().is_some()
    }

    fn finished(state: &State) -> bool {
        decide::is_over(state)
    }

    /// The seeds of a shoe may be revealed when its last round is over.
    fn reveals_seed(event: &Event) -> bool {
        matches!(
            event,
            Event::Settled { shoe: ShoeFate::Ends, .. } | Event::Voided { shoe: ShoeFate::Ends }
        )
    }

    fn leave(state: &State, seat: Seat) -> Option<Command> {
        let round = state.round()?;
        let presence = match round.player(seat) {
            Some(player) => player.presence,
            None if round.banker.seat == seat => round.banker.presence,
            None => return None,
        };
        (presence == Presence::Present).then_some(Command::Leave)
    }

    fn bot(view: &View) -> Option<Command> {
        bot::bot(view)
    }
}

impl Hidden for Blackjack {
    fn permute_state(state: &State, viewer: Viewer, entropy: &Entropy) -> State {
        hidden::permute_state(state, viewer, entropy)
    }

    fn permute_event(event: &Event, viewer: Viewer, entropy: &Entropy) -> Event {
        hidden::permute_event(event, viewer, entropy)
    }
}
