//! A seat whose occupant is gone (rules: blackjack 9).

use alloc::vec::Vec;

use parlor_game::{Refusal, Seat};

use super::{betting, insurance, playing};
use crate::croupier::Croupier;
use crate::event::Event;
use crate::refuse;
use crate::shoe::StockOrder;
use crate::state::{Bet, Phase, Round, State};

/// Marks the seat as left and answers for it whatever it is asked just now. A banker who leaves
/// changes nothing: the hand plays itself.
pub(super) fn leave(
    state: &State,
    round: &Round,
    seat: Seat,
    order: &mut dyn StockOrder,
) -> Result<Vec<Event>, Refusal> {
    let player = round.player(seat);
    if player.is_none() && seat != round.banker.seat {
        return Err(refuse::unknown_seat());
    }
    let mut croupier = Croupier::new(state, order);
    croupier.record(Event::SeatLeft { seat });
    match round.phase {
        Phase::Betting if player.is_some_and(|player| player.bet == Bet::Undecided) => {
            croupier.record(Event::SatOut { seat });
            betting::close_when_all_decided(&mut croupier)?;
        }
        Phase::Insurance if player.is_some_and(|player| player.owes_insurance()) => {
            insurance::close_when_all_decided(&mut croupier);
        }
        Phase::Playing if round.turn.is_some_and(|turn| turn.seat == seat) => {
            playing::advance(&mut croupier);
        }
        _ => {}
    }
    Ok(croupier.finish())
}
