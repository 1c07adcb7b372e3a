//! Betting, and the deal that follows it (rules: blackjack 2.1, 2.2, 2.4).

use alloc::vec::Vec;

use parlor_game::{Amount, Refusal, Seat};

use super::{banker, insurance, playing};
use crate::cover;
use crate::croupier::Croupier;
use crate::event::{DealtHand, Event};
use crate::options::Options;
use crate::refuse;
use crate::shoe::StockOrder;
use crate::state::{Bet, Phase, Player, Round, State};

pub(super) fn bet(
    state: &State,
    round: &Round,
    seat: Seat,
    amount: Option<Amount>,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let player = undecided(round, seat)?;
    let amount = amount.ok_or_else(refuse::bad_amount)?;
    check_bet(round, player, amount, &state.options)?;
    let mut croupier = Croupier::new(state, order);
    croupier.record(Event::BetPlaced { seat, amount });
    close_when_all_decided(&mut croupier)?;
    Ok(croupier.finish())
}

pub(super) fn sit_out(
    state: &State,
    round: &Round,
    seat: Seat,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    undecided(round, seat)?;
    let mut croupier = Croupier::new(state, order);
    croupier.record(Event::SatOut { seat });
    close_when_all_decided(&mut croupier)?;
    Ok(croupier.finish())
}

fn undecided(round: &Round, seat: Seat) -> Result<&Player, Refusal> {
    let player = round.player(seat).ok_or_else(refuse::unknown_seat)?;
    match (round.phase, player.bet) {
        (Phase::Betting, Bet::Undecided) => Ok(player),
        (Phase::Betting, Bet::Placed(_)) => Err(refuse::already_bet()),
        (Phase::Betting, Bet::SatOut) => Err(refuse::not_in_round()),
        _ => Err(refuse::wrong_phase()),
    }
}

fn check_bet(
    round: &Round,
    player: &Player,
    amount: Amount,
    options: &Options,
) -> Result<(), Refusal> {
    if amount < options.min_bet {
        return Err(refuse::bet_below_min(options.lowest_bet()));
    }
    if amount > options.max_bet {
        return Err(refuse::bet_above_max(options.max_bet));
    }
    if amount.0 % options.bet_step.0.max(1) != 0 {
        return Err(refuse::bet_step(options.bet_step));
    }
    if !player.can_stake(amount, options) {
        let available = player.available(options).unwrap_or_default();
        return Err(refuse::insufficient_chips(available.max(Amount::ZERO)));
    }
    if !cover::covers(round, options, cover::reserve_for_bet(amount, options)) {
        let largest = cover::largest_bet(round, player, options).unwrap_or_default();
        return Err(refuse::banker_cannot_cover_bet(largest));
    }
    Ok(())
}

/// Ends the betting once nobody is undecided: with the deal, or void when nobody bet.
pub(super) fn close_when_all_decided(croupier: &mut Croupier) -> Result<(), Refusal> {
    let Some(round) = croupier.round() else { return Ok(()) };
    if round.players.iter().any(|player| player.bet == Bet::Undecided) {
        return Ok(());
    }
    if round.participants().next().is_none() {
        let shoe = banker::shoe_fate(croupier.state());
        croupier.record(Event::Voided { shoe });
        return Ok(());
    }
    deal(croupier)?;
    let Some(up) = croupier.round().and_then(Round::up_card) else { return Ok(()) };
    let options = croupier.options();
    match (options.dealer_peek, up.is_ace(), options.insurance) {
        (true, true, true) => {
            croupier.record(Event::InsuranceOffered);
            insurance::close_when_all_decided(croupier);
        }
        (true, true, false) => peek(croupier),
        (true, false, _) if up.points() == 10 => peek(croupier),
        _ => playing::advance(croupier),
    }
    Ok(())
}

/// Gives everybody two cards: one each, the banker's up card, a second each, the hole card.
///
/// # Errors
/// `deck_exhausted` when the cards do not suffice, which no shoe of whole decks can bring about.
fn deal(croupier: &mut Croupier) -> Result<(), Refusal> {
    let faces = croupier.faces();
    let players = croupier.round().map_or(0, |round| round.participants().count());
    let cards = croupier.provide((players + 1) * 2).ok_or_else(refuse::deck_exhausted)?;
    let (first, second) = cards.split_at(players + 1);
    let (up, hole) = (first[players], second[players]);
    let pairs: Vec<_> = first.iter().zip(second).map(|(&a, &b)| [a, b]).collect();
    let Some(round) = croupier.round() else { return Ok(()) };
    let hands = round
        .participants()
        .zip(pairs)
        .map(|(player, cards)| DealtHand { seat: player.seat, cards: Some(cards) })
        .collect();
    croupier.record(Event::Dealt { faces, hands, up, hole: Some(hole) });
    Ok(())
}

/// Looks at the hole card before anyone plays: a natural ends the round at once.
pub(super) fn peek(croupier: &mut Croupier) {
    let natural = croupier.round().is_some_and(|round| round.banker.has_natural());
    croupier.record(Event::BankerPeeked { natural });
    if natural {
        banker::settle(croupier);
    } else {
        playing::advance(croupier);
    }
}
