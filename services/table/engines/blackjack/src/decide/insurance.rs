//! Insurance and even money (rules: blackjack 2.3).

use alloc::vec::Vec;

use parlor_game::{Amount, Refusal, Seat};

use super::betting;
use crate::croupier::Croupier;
use crate::event::Event;
use crate::options::Options;
use crate::refuse;
use crate::shoe::StockOrder;
use crate::state::{Phase, Player, Presence, Round, State};

/// The highest insurance that the seat may take; below 1 when it may take none.
pub(crate) fn largest_insurance(player: &Player, options: &Options) -> Amount {
    let half = Amount(player.stake().unwrap_or_default().0.div_euclid(2));
    player.available(options).map_or(half, |available| half.min(available))
}

pub(super) fn insure(
    state: &State,
    round: &Round,
    seat: Seat,
    amount: Option<Amount>,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let player = undecided(round, seat)?;
    let amount = amount.ok_or_else(refuse::bad_amount)?;
    let half = Amount(player.stake().unwrap_or_default().0.div_euclid(2));
    if amount < Amount(1) || amount > half {
        return Err(refuse::insurance_amount(half));
    }
    if !player.can_stake(amount, &state.options) {
        let available = player.available(&state.options).unwrap_or_default();
        return Err(refuse::insufficient_chips(available.max(Amount::ZERO)));
    }
    Ok(record(state, Event::InsuranceTaken { seat, amount }, order))
}

pub(super) fn even_money(
    state: &State,
    round: &Round,
    seat: Seat,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let player = undecided(round, seat)?;
    if !player.hands.first().is_some_and(|hand| hand.is_natural()) {
        return Err(refuse::even_money_requires_natural());
    }
    Ok(record(state, Event::EvenMoneyTaken { seat }, order))
}

pub(super) fn decline(
    state: &State,
    round: &Round,
    seat: Seat,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    undecided(round, seat)?;
    Ok(record(state, Event::InsuranceDeclined { seat }, order))
}

fn undecided(round: &Round, seat: Seat) -> Result<&Player, Refusal> {
    if round.phase != Phase::Insurance {
        return Err(refuse::wrong_phase());
    }
    let player = round.player(seat).ok_or_else(refuse::unknown_seat)?;
    match player.stake() {
        None => Err(refuse::not_in_round()),
        Some(_) if player.owes_insurance() => Ok(player),
        Some(_) => Err(refuse::already_decided()),
    }
}

fn record(state: &State, event: Event, order: &mut dyn StockOrder) -> Vec<Event> {
    let mut croupier = Croupier::new(state, order);
    croupier.record(event);
    close_when_all_decided(&mut croupier);
    croupier.finish()
}

/// Declines for everybody who has left, and looks at the hole card once nobody is undecided.
pub(super) fn close_when_all_decided(croupier: &mut Croupier) {
    while let Some(seat) = first_owing(croupier, Presence::Left) {
        croupier.record(Event::InsuranceDeclined { seat });
    }
    if first_owing(croupier, Presence::Present).is_none() {
        betting::peek(croupier);
    }
}

fn first_owing(croupier: &Croupier, presence: Presence) -> Option<Seat> {
    let mut owing = croupier.round()?.players.iter().filter(|player| player.owes_insurance());
    owing.find(|player| player.presence == presence).map(|player| player.seat)
}
