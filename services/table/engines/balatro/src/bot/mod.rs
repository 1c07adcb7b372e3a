//! A greedy player that sees only its view.
//!
//! It never skips a blind, plays the best scoring hand that it finds, discards for flushes and
//! pairs while the target is out of reach, buys the jokers that improve sample plays most, planets
//! for what it plays, and uses what it has.

mod consumables;
mod hand;
mod selections;
mod shop;
mod table;

pub use selections::selections;

use crate::command::Command;
use crate::state::Phase;
use crate::view::{RunView, View};

/// A choice from a view; `None` when there is nothing to decide.
#[must_use]
pub fn choose(view: &View) -> Option<Command> {
    let run = view.run.as_ref().filter(|run| run.may.give_up)?;
    if run.pack.is_some() {
        return Some(shop::take(run));
    }
    Some(match run.phase {
        Phase::BlindSelect => use_first(run).unwrap_or(Command::SelectBlind),
        Phase::Playing => use_first(run).unwrap_or_else(|| hand::play(run)),
        Phase::RoundWon => Command::CashOut,
        Phase::Shop => use_first(run).unwrap_or_else(|| shop::buy(run)),
        Phase::Won => Command::Finish,
        Phase::Over => return None,
    })
}

fn use_first(run: &RunView) -> Option<Command> {
    if run.consumables.is_empty() { None } else { consumables::use_one(run) }
}
