//! The echo game: seats say a few bytes in turn, and everybody hears them.
//!
//! It has no hidden information, no chance and no money. What a table costs beyond its game (turn
//! check, log, fan-out, sockets) is all that it costs, so load tests measure that and nothing else.
//! The table service offers it only where it is told to.
#![no_std]

extern crate alloc;

use alloc::vec::Vec;

use parlor_game::{
    Actor, Audience, Awaiting, Entrant, Entropy, Game, HandResult, Hidden, Pending, Refusal, Seat,
    Viewer,
};
use serde::{Deserialize, Serialize};

/// Seats of every table.
pub const SEATS: u8 = 4;
/// Most bytes that a seat may say at once.
pub const WORDS_MAX: usize = 256;
/// Most turns of a hand.
pub const TURNS_MAX: u32 = 1_000;
/// Longest clock of a turn, in milliseconds.
pub const TURN_MS_MAX: u32 = 3_600_000;

/// The echo game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Echo;

/// Room options.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Turns of a hand, 1 to [`TURNS_MAX`].
    pub turns: u32,
    /// Clock of a turn in milliseconds, 1 to [`TURN_MS_MAX`].
    pub turn_ms: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self { turns: 100, turn_ms: 30_000 }
    }
}

/// What a seat may do.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Command {
    /// Says something on its turn.
    Say {
        /// Number of the turn, as the seat knows it: a stale or repeated one is refused.
        number: u64,
        /// At most [`WORDS_MAX`] bytes.
        words: Vec<u8>,
    },
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    /// A hand begins with these seats.
    Opened(Vec<Seat>),
    /// A seat has said something.
    Said {
        /// Who.
        seat: Seat,
        /// Number of the turn.
        number: u64,
        /// What.
        words: Vec<u8>,
    },
    /// The hand is over; nothing was moved.
    Ended(HandResult),
}

/// The running hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Round {
    seats: Vec<Seat>,
    /// Number of the hand's first turn.
    first: u64,
}

/// Everything the game remembers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    options: Options,
    /// Turns taken in all hands: the number of the next one.
    said: u64,
    round: Option<Round>,
}

impl State {
    /// Number of the next turn.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.said
    }

    /// Whose turn it is; `None` between hands.
    #[must_use]
    pub fn turn(&self) -> Option<Seat> {
        let round = self.round.as_ref()?;
        let taken = usize::try_from(self.said - round.first).ok()?;
        round.seats.get(taken % round.seats.len().max(1)).copied()
    }

    fn is_last_turn(&self) -> bool {
        let first = self.round.as_ref().map_or(0, |round| round.first);
        self.said - first + 1 >= u64::from(self.options.turns)
    }
}

/// What everybody knows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    /// Number of the next turn.
    pub number: u64,
    /// Whose turn it is; `None` between hands.
    pub turn: Option<Seat>,
    /// The viewer's seat, if it has one.
    pub own: Option<Seat>,
}

impl Game for Echo {
    const ID: &'static str = "echo";
    const RULES_VERSION: u32 = 1;
    const REASONS: &'static [&'static str] =
        &["bad_options", "not_your_turn", "too_many_words", "wrong_number"];
    type Options = Options;
    type Command = Command;
    type Event = Event;
    type State = State;
    type View = View;

    fn seats(options: &Options) -> Result<(u8, u8), Refusal> {
        let sound = (1..=TURNS_MAX).contains(&options.turns)
            && (1..=TURN_MS_MAX).contains(&options.turn_ms);
        if !sound {
            return Err(Refusal::invalid("bad_options", "an option is out of range"));
        }
        Ok((SEATS, SEATS))
    }

    fn open(options: &Options) -> Result<State, Refusal> {
        Self::seats(options)?;
        Ok(State { options: options.clone(), said: 0, round: None })
    }

    fn deal(state: &State, entrants: &[Entrant], _: &Entropy) -> Result<Vec<Event>, Refusal> {
        if state.round.is_some() || entrants.len() != usize::from(SEATS) {
            return Err(Refusal::illegal("not_your_turn", "a hand runs, or a seat is free"));
        }
        Ok([Event::Opened(entrants.iter().map(|entrant| entrant.seat).collect())].into())
    }

    fn decide(
        state: &State,
        actor: Actor,
        Command::Say { number, words }: &Command,
        _: &Entropy,
    ) -> Result<Vec<Event>, Refusal> {
        let Some(seat) = state.turn().filter(|seat| actor == Actor::Seat(*seat)) else {
            return Err(Refusal::illegal("not_your_turn", "wait for your turn"));
        };
        if *number != state.said {
            return Err(Refusal::illegal("wrong_number", "the turn has another number"));
        }
        if words.len() > WORDS_MAX {
            return Err(Refusal::invalid("too_many_words", "say less at once"));
        }
        let said = Event::Said { seat, number: *number, words: words.clone() };
        let ended = state.is_last_turn().then(|| Event::Ended(HandResult::default()));
        Ok([said].into_iter().chain(ended).collect())
    }

    fn evolve(state: &mut State, event: &Event) {
        match event {
            Event::Opened(seats) => {
                state.round = Some(Round { seats: seats.clone(), first: state.said });
            }
            Event::Said { .. } => state.said += 1,
            Event::Ended(_) => state.round = None,
        }
    }

    fn awaiting(state: &State) -> Awaiting<Command> {
        let Some(seat) = state.turn() else { return Awaiting::default() };
        let pending = Pending {
            seat,
            // Turns of one hand are far closer together than where this wraps.
            decision: u32::try_from(state.said & u64::from(u32::MAX)).unwrap_or(0),
            clock_ms: state.options.turn_ms,
            default: Command::Say { number: state.said, words: Vec::new() },
            audience: Audience::Everyone,
        };
        Awaiting { seats: [pending].into(), system: None }
    }

    /// A sample: saying nothing.
    fn legal(state: &State, seat: Seat) -> Vec<Command> {
        let own = state.turn().filter(|turn| *turn == seat);
        own.map(|_| Command::Say { number: state.said, words: Vec::new() }).into_iter().collect()
    }

    fn redact(event: &Event, _: Viewer) -> Option<Event> {
        Some(event.clone())
    }

    fn view(state: &State, viewer: Viewer) -> View {
        let own = match viewer {
            Viewer::Seat(seat) => Some(seat),
            Viewer::Spectator | Viewer::Auditor => None,
        };
        View { number: state.said, turn: state.turn(), own }
    }

    fn hand_result(event: &Event) -> Option<&HandResult> {
        match event {
            Event::Ended(result) => Some(result),
            Event::Opened(_) | Event::Said { .. } => None,
        }
    }

    fn in_hand(state: &State) -> bool {
        state.round.is_some()
    }

    fn finished(_: &State) -> bool {
        false
    }

    fn bot(view: &View) -> Option<Command> {
        let own = view.turn.filter(|turn| view.own == Some(*turn));
        own.map(|_| Command::Say { number: view.number, words: Vec::new() })
    }
}

/// Nothing is hidden, so there is nothing to permute.
impl Hidden for Echo {
    fn permute_state(state: &State, _: Viewer, _: &Entropy) -> State {
        state.clone()
    }

    fn permute_event(event: &Event, _: Viewer, _: &Entropy) -> Event {
        event.clone()
    }
}
