//! The contract with the table shell.

use alloc::vec;
use alloc::vec::Vec;

use parlor_game::{
    Actor, Audience, Awaiting, Entrant, Entropy, Game, HandResult, Pace, Pending, Refusal, Seat,
    Viewer,
};

use crate::bot;
use crate::command::Command;
use crate::decide::{decide, start};
use crate::event::Event;
use crate::legal::legal;
use crate::options::Options;
use crate::reason;
use crate::redact::redact;
use crate::selection::MAX_SELECTED;
use crate::state::{Phase, Run, State};
use crate::view::View;

/// Milliseconds for a decision: a day. A run has no opponent who waits.
pub const CLOCK_MS: u32 = 24 * 60 * 60 * 1000;

/// The balatro-style roguelike. One hand of the contract is one run.
#[derive(Clone, Copy, Debug)]
pub struct Balatro;

impl State {
    /// The run in progress.
    #[must_use]
    pub fn running(&self) -> Option<&Run> {
        self.run.as_deref().filter(|run| run.phase != Phase::Over)
    }
}

/// What is done for a player who does not: the step that leads on, without spending anything. In
/// a round the first cards in hand order are played, so that the run of an absent player ends.
fn default_command(run: &Run) -> Command {
    if run.pack.is_some() {
        return Command::SkipPack;
    }
    match run.phase {
        Phase::BlindSelect => Command::SelectBlind,
        Phase::Playing => {
            let held = run.hand.iter().map(|card| card.id);
            let forced = run.round.forced;
            let others = held.filter(|card| Some(*card) != forced);
            Command::Play(forced.into_iter().chain(others).take(MAX_SELECTED).collect())
        }
        Phase::RoundWon => Command::CashOut,
        Phase::Shop => Command::LeaveShop,
        Phase::Won => Command::Finish,
        Phase::Over => Command::GiveUp,
    }
}

impl Game for Balatro {
    const ID: &'static str = "balatro";
    const RULES_VERSION: u32 = 1;
    const REASONS: &'static [&'static str] = reason::ALL;
    const PACE: Pace = Pace::Solo;

    type Options = Options;
    type Command = Command;
    type Event = Event;
    type State = State;
    type View = View;

    fn seats(options: &Options) -> Result<(u8, u8), Refusal> {
        options.check()?;
        Ok((1, 1))
    }

    fn open(options: &Options) -> Result<State, Refusal> {
        options.check()?;
        Ok(State { options: options.clone(), runs: 0, run: None })
    }

    fn deal(state: &State, entrants: &[Entrant], entropy: &Entropy) -> Result<Vec<Event>, Refusal> {
        if Self::in_hand(state) || Self::finished(state) {
            return Err(Refusal::illegal(
                reason::RUN_IN_PROGRESS,
                "a run is in progress, or the match is over",
            ));
        }
        let [entrant] = entrants else {
            return Err(Refusal::illegal(
                reason::WRONG_NUMBER_OF_PLAYERS,
                "a run has exactly one player",
            ));
        };
        Ok(start(&state.options, entrant.seat, entropy))
    }

    fn decide(
        state: &State,
        actor: Actor,
        command: &Command,
        entropy: &Entropy,
    ) -> Result<Vec<Event>, Refusal> {
        let running = state
            .running()
            .ok_or_else(|| Refusal::illegal(reason::WRONG_PHASE, "no run is in progress"))?;
        if actor != Actor::Seat(running.seat) {
            return Err(Refusal::illegal(reason::NOT_YOUR_RUN, "the run is another player's"));
        }
        decide(running, command, entropy)
    }

    fn evolve(state: &mut State, event: &Event) {
        state.evolve(event);
    }

    fn awaiting(state: &State) -> Awaiting<Command> {
        let Some(run) = state.running() else { return Awaiting::default() };
        let pending = Pending {
            seat: run.seat,
            decision: run.steps,
            clock_ms: CLOCK_MS,
            default: default_command(run),
            audience: Audience::Everyone,
        };
        Awaiting { seats: vec![pending], system: None }
    }

    fn legal(state: &State, seat: Seat) -> Vec<Command> {
        state.running().filter(|run| run.seat == seat).map(legal).unwrap_or_default()
    }

    fn redact(event: &Event, viewer: Viewer) -> Option<Event> {
        redact(event, viewer)
    }

    fn view(state: &State, viewer: Viewer) -> View {
        state.view(viewer)
    }

    fn hand_result(event: &Event) -> Option<&HandResult> {
        match event {
            Event::RunEnded(end) => Some(&end.result),
            _ => None,
        }
    }

    fn in_hand(state: &State) -> bool {
        state.running().is_some()
    }

    fn shared_deal(options: &Options) -> Option<&str> {
        options.daily.as_deref()
    }

    /// A daily challenge is played once; otherwise a table sees run after run.
    fn finished(state: &State) -> bool {
        let ended = state.run.as_ref().is_some_and(|run| run.phase == Phase::Over);
        ended && state.options.daily.is_some()
    }

    fn leave(state: &State, seat: Seat) -> Option<Command> {
        state.running().filter(|run| run.seat == seat).map(|_| Command::GiveUp)
    }

    fn bot(view: &View) -> Option<Command> {
        bot::choose(view)
    }
}
