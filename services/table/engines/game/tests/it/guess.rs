//! A small but whole game for the tests of the shell: seats guess a hidden number in turn, then the
//! table shows it after a pause and the nearest guess takes one chip from each other seat.

use parlor_game::{
    Actor, Amount, Audience, Awaiting, Entrant, Entropy, Game, HandResult, Hidden, Party, Pending,
    Refusal, Seat, SystemPending, Transfer, Viewer,
};
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guess;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    pub seats: u8,
    pub hands: u32,
    /// What the nearest guess leaves to the house.
    pub commission: Amount,
}

impl Default for Options {
    fn default() -> Self {
        Self { seats: 4, hands: 0, commission: Amount::ZERO }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Command {
    Say(u8),
    Show,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Event {
    Hid(Vec<Entrant>, Option<u8>),
    Said(Seat, u8),
    Shown(u8, HandResult),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct State {
    pub options: Options,
    pub hands: u32,
    pub number: Option<u8>,
    pub entrants: Vec<Entrant>,
    pub said: Vec<(Seat, u8)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct View {
    pub said: Vec<(Seat, u8)>,
    pub turn: Option<Seat>,
}

impl State {
    fn turn(&self) -> Option<Seat> {
        self.number?;
        self.entrants.get(self.said.len()).map(|entrant| entrant.seat)
    }
}

impl Game for Guess {
    const ID: &'static str = "guess";
    const RULES_VERSION: u32 = 1;
    const REASONS: &'static [&'static str] = &["not_your_turn", "out_of_range"];
    type Options = Options;
    type Command = Command;
    type Event = Event;
    type State = State;
    type View = View;

    fn seats(options: &Options) -> Result<(u8, u8), Refusal> {
        Ok((2, options.seats))
    }

    fn open(options: &Options) -> Result<State, Refusal> {
        let options = options.clone();
        Ok(State { options, hands: 0, number: None, entrants: vec![], said: vec![] })
    }

    fn deal(_: &State, entrants: &[Entrant], entropy: &Entropy) -> Result<Vec<Event>, Refusal> {
        let number = u8::try_from(entropy.deal().below(10)).unwrap();
        Ok(vec![Event::Hid(entrants.to_vec(), Some(number))])
    }

    fn decide(
        state: &State,
        actor: Actor,
        command: &Command,
        _: &Entropy,
    ) -> Result<Vec<Event>, Refusal> {
        match (actor, command) {
            (Actor::Seat(seat), Command::Say(_)) if state.turn() != Some(seat) => {
                Err(Refusal::illegal("not_your_turn", "wait for your turn"))
            }
            (Actor::Seat(_), Command::Say(number)) if *number > 9 => {
                Err(Refusal::invalid("out_of_range", "0 to 9"))
            }
            (Actor::Seat(seat), Command::Say(number)) => Ok(vec![Event::Said(seat, *number)]),
            (Actor::System, Command::Show) if state.turn().is_none() => {
                let number = state.number.unwrap();
                let winner =
                    *state.said.iter().min_by_key(|(_, said)| said.abs_diff(number)).unwrap();
                let transfer = |from, to, amount| Transfer {
                    from,
                    to,
                    amount,
                    short: Amount::ZERO,
                    why: "nearest".into(),
                };
                let winner = Party::Seat(winner.0);
                let losers = state.said.iter().map(|(seat, _)| Party::Seat(*seat));
                let won = losers.filter(|loser| *loser != winner);
                let won = won.map(|loser| transfer(loser, winner, Amount(1)));
                let commission = state.options.commission;
                let left =
                    (commission > Amount::ZERO).then(|| transfer(winner, Party::House, commission));
                let transfers = won.chain(left).collect();
                Ok(vec![Event::Shown(number, HandResult { transfers })])
            }
            _ => Err(Refusal::illegal("not_your_turn", "wait for your turn")),
        }
    }

    fn evolve(state: &mut State, event: &Event) {
        match event {
            Event::Hid(entrants, number) => {
                state.entrants.clone_from(entrants);
                state.number = *number;
                state.said.clear();
            }
            Event::Said(seat, number) => state.said.push((*seat, *number)),
            Event::Shown(..) => {
                state.number = None;
                state.hands += 1;
            }
        }
    }

    fn awaiting(state: &State) -> Awaiting<Command> {
        if state.number.is_none() {
            return Awaiting::default();
        }
        let decision = u32::try_from(state.said.len()).unwrap();
        match state.turn() {
            Some(seat) => {
                let (default, audience) = (Command::Say(0), Audience::Everyone);
                let pending = Pending { seat, decision, clock_ms: 10_000, default, audience };
                Awaiting { seats: vec![pending], system: None }
            }
            None => {
                let command = Command::Show;
                let system = SystemPending { decision, min_ms: 100, max_ms: 200, command };
                Awaiting { seats: vec![], system: Some(system) }
            }
        }
    }

    fn legal(state: &State, seat: Seat) -> Vec<Command> {
        if state.turn() == Some(seat) { (0..10).map(Command::Say).collect() } else { vec![] }
    }

    fn redact(event: &Event, viewer: Viewer) -> Option<Event> {
        Some(match event {
            Event::Hid(entrants, number) => {
                let number = number.filter(|_| viewer == Viewer::Auditor);
                Event::Hid(entrants.clone(), number)
            }
            other => other.clone(),
        })
    }

    fn view(state: &State, _: Viewer) -> View {
        View { said: state.said.clone(), turn: state.turn() }
    }

    fn hand_result(event: &Event) -> Option<&HandResult> {
        match event {
            Event::Shown(_, result) => Some(result),
            _ => None,
        }
    }

    fn in_hand(state: &State) -> bool {
        state.number.is_some()
    }

    fn finished(state: &State) -> bool {
        state.options.hands > 0 && state.hands >= state.options.hands
    }

    fn bot(view: &View) -> Option<Command> {
        view.turn.map(|_| Command::Say(5))
    }
}

impl Hidden for Guess {
    fn permute_state(state: &State, _: Viewer, entropy: &Entropy) -> State {
        let number = u8::try_from(entropy.labelled("permute").below(10)).unwrap();
        State { number: state.number.map(|_| number), ..state.clone() }
    }

    fn permute_event(event: &Event, _: Viewer, entropy: &Entropy) -> Event {
        let number = u8::try_from(entropy.labelled("permute").below(10)).unwrap();
        match event {
            Event::Hid(entrants, Some(_)) => Event::Hid(entrants.clone(), Some(number)),
            other => other.clone(),
        }
    }
}
