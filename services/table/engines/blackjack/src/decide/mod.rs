//! What a command does. Each file holds one phase: what is allowed, and what then happens.

mod banker;
mod betting;
mod insurance;
mod leave;
mod playing;

pub(crate) use insurance::largest_insurance;
pub(crate) use playing::{Acting, may_double, may_hit, may_split, may_surrender};

use alloc::vec::Vec;

use parlor_game::{Actor, Entrant, Refusal, Seat};

use crate::command::Command;
use crate::cover;
use crate::croupier::Croupier;
use crate::event::Event;
use crate::options::Options;
use crate::refuse;
use crate::shoe::StockOrder;
use crate::state::{Round, State};

/// Starts a round: chooses the banker, opens the betting, shuffles when a shuffle is due.
///
/// # Errors
/// `round_running`, `match_over`, `invalid_entrants`, or `waiting_for_banker`: the table then
/// waits until somebody can keep the bank.
pub fn deal(
    state: &State,
    entrants: &[Entrant],
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    if state.round.is_some() {
        return Err(refuse::round_running());
    }
    if is_over(state) {
        return Err(refuse::match_over());
    }
    check_entrants(entrants, &state.options)?;
    let banker = cover::next_banker(&state.bank, entrants, &state.options)
        .ok_or_else(refuse::waiting_for_banker)?;
    let mut croupier = Croupier::new(state, order);
    croupier.record(Event::RoundOpened {
        round: state.rounds_opened.saturating_add(1),
        banker,
        entrants: entrants.to_vec(),
    });
    if state.shuffle_due {
        croupier.shuffle_shoe();
    }
    Ok(croupier.finish())
}

/// Whether the table has played all its rounds.
#[must_use]
pub fn is_over(state: &State) -> bool {
    state.round.is_none()
        && state.options.rounds != 0
        && state.rounds_opened >= state.options.rounds
}

fn check_entrants(entrants: &[Entrant], options: &Options) -> Result<(), Refusal> {
    let sorted = entrants.is_sorted_by(|a, b| a.seat < b.seat);
    let seated = entrants.iter().all(|entrant| entrant.seat.0 < options.seats);
    if sorted && seated && entrants.len() >= 2 { Ok(()) } else { Err(refuse::invalid_entrants()) }
}

/// What a command does (order of checks: rules, blackjack 10).
///
/// # Errors
/// The rule's reason.
pub fn decide(
    state: &State,
    actor: Actor,
    command: &Command,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let round = state.round.as_ref().ok_or_else(refuse::round_over)?;
    let Actor::Seat(seat) = actor else { return Err(refuse::unknown_action()) };
    if *command != Command::Leave {
        check_actor(round, seat)?;
    }
    match command {
        Command::Bet { amount } => betting::bet(state, round, seat, *amount, order),
        Command::SitOut => betting::sit_out(state, round, seat, order),
        Command::Insurance { amount } => insurance::insure(state, round, seat, *amount, order),
        Command::DeclineInsurance => insurance::decline(state, round, seat, order),
        Command::EvenMoney => insurance::even_money(state, round, seat, order),
        Command::Hit => playing::hit(state, round, seat, order),
        Command::Stand => playing::stand(state, round, seat, order),
        Command::Double => playing::double(state, round, seat, order),
        Command::Split => playing::split(state, round, seat, order),
        Command::Surrender => playing::surrender(state, round, seat, order),
        Command::Leave => leave::leave(state, round, seat, order),
        Command::Unknown => Err(refuse::unknown_action()),
    }
}

fn check_actor(round: &Round, seat: Seat) -> Result<(), Refusal> {
    if seat == round.banker.seat {
        return Err(refuse::banker_cannot_act());
    }
    round.player(seat).map(|_| ()).ok_or_else(refuse::unknown_seat)
}
