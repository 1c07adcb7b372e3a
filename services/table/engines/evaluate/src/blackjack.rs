//! One round of blackjack from prepared cards: settings, stacks, a deck and actions in; errors and
//! settlement out, in the fields of rules section 13.

mod answer;
mod case;
mod settings;

use parlor_blackjack::shoe::Shoe;
use parlor_blackjack::state::Phase;
use parlor_blackjack::{Command, Event, State, actions, decide, evolve};
use parlor_game::{Actor, Refusal};
use serde_json::{Value, json};

use crate::Error;
use case::{Action, Case, Prescribed};

/// What the round of `input` comes to.
///
/// A table or a deck that the rules refuse is an answer too: an object whose `input_error` is
/// `invalid_settings`, or says what is wrong with the deck.
///
/// # Errors
/// [`Error::Malformed`] when the input is not of the form that the question takes.
pub fn evaluate(input: &Value) -> Result<Value, Error> {
    let case = Case::read(input)?;
    let Ok(options) = settings::read(&case.settings) else {
        return Ok(json!({ "input_error": "invalid_settings" }));
    };
    let Some(entrants) = case.entrants() else {
        return Ok(json!({ "input_error": "invalid_settings" }));
    };
    let shoe = Shoe::new(case.deck.clone().into(), case.tray.clone());
    let mut run = Run {
        state: State::prepared(options, case.banker, &entrants, shoe),
        order: Prescribed::new(&case.reshuffles),
        errors: Vec::new(),
        end: None,
    };
    for (place, action) in case.actions.iter().enumerate() {
        if let Err(refusal) = run.act(action) {
            if let Some(fault) = run.fault(&refusal) {
                return Ok(json!({ "input_error": fault }));
            }
            run.errors.push(json!({ "i": place, "error": refusal.reason }));
        }
        if run.order.is_wrong() {
            let fault = "reshuffle is not a permutation of the tray";
            return Ok(json!({ "input_error": fault }));
        }
    }
    Ok(answer::write(&run.state, run.end.as_ref(), run.errors))
}

/// A round on its way.
struct Run<'a> {
    state: State,
    order: Prescribed<'a>,
    errors: Vec<Value>,
    /// The event that ended the round.
    end: Option<Event>,
}

impl Run<'_> {
    fn act(&mut self, action: &Action) -> Result<(), Refusal> {
        match action {
            Action::Command(actor, command) => self.give(*actor, command),
            Action::Timeout => self.time_out(),
        }
    }

    /// Lets the time of everybody who owes a decision run out.
    fn time_out(&mut self) -> Result<(), Refusal> {
        let awaiting = actions::awaiting(&self.state);
        if awaiting.is_empty() {
            // Nobody is awaited once the round is over: whatever is asked is refused for that.
            return self.give(Actor::System, &Command::Unknown);
        }
        for pending in awaiting.seats {
            self.give(Actor::Seat(pending.seat), &pending.default)?;
        }
        Ok(())
    }

    fn give(&mut self, actor: Actor, command: &Command) -> Result<(), Refusal> {
        for event in decide::decide(&self.state, actor, command, &mut self.order)? {
            evolve(&mut self.state, &event);
            if matches!(event, Event::Settled { .. } | Event::Voided { .. }) {
                self.end = Some(event);
            }
        }
        Ok(())
    }

    /// What is wrong with the deck, when it does not even suffice for the deal.
    fn fault(&self, refusal: &Refusal) -> Option<&'static str> {
        let betting = self.state.round().is_some_and(|round| round.phase == Phase::Betting);
        (betting && refusal.reason == "deck_exhausted").then_some("deck underflow")
    }
}
