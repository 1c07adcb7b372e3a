//! Who draws next, and the end of a hand (rules: mahjong 2.7, 3.7, 9.7 to 10).

use alloc::vec::Vec;

use parlor_game::Seat;

use super::draw;
use crate::event::{Event, Revealed};
use crate::evolve::evolve;
use crate::options::Options;
use crate::settle::{BySeat, Settles, Standing, close, next_dealer};
use crate::state::{Ending, Player, Round, State, TurnStart};

/// After a tile of `from` is resolved: the next unwon seat after it, or after the last of those
/// who won it, draws; or the hand ends.
pub(super) fn next_draw_or_end(
    state: &State,
    round: &Round,
    from: Seat,
    winners: &[Seat],
    events: &mut Vec<Event>,
) {
    let unwon = round.books.unwon().filter(|seat| !winners.contains(seat)).count();
    if unwon <= 1 {
        end(state, Ending::LastStanding, events);
        return;
    }
    let after = winners.last().copied().unwrap_or(from);
    let next = round.books.unwon_after(after).find(|seat| !winners.contains(seat));
    match next.and_then(|seat| draw(round, seat, TurnStart::Draw)) {
        Some(drew) => events.push(drew),
        None => end(state, Ending::WallEmpty, events),
    }
}

/// Ends the hand after the events so far. Works on a copy of the state, once in a hand.
fn end(state: &State, ending: Ending, events: &mut Vec<Event>) {
    let mut after = state.clone();
    events.iter().for_each(|event| evolve(&mut after, event));
    let Some(round) = &after.round else { return };
    let options = &state.options;
    let standings: BySeat<Standing> = round.players.iter().map(|p| standing(options, p)).collect();
    let payments = close(options, &round.books, &standings);
    if !payments.is_empty() {
        events.push(Event::Paid { settles: Settles::Nothing, payments: payments.clone() });
    }
    let mut books = round.books.clone();
    books.book(&Settles::Nothing, &payments);
    let revealed = |(player, standing): (&Player, Standing)| Revealed {
        tiles: player.tiles.sorted(),
        standing,
    };
    let ended = Event::HandEnded {
        ending,
        hands: round.players.iter().zip(standings).map(revealed).collect(),
        next_dealer: next_dealer(options, &books),
        result: books.result(),
    };
    let last = is_last(options, round);
    if last {
        if let Some(round) = &mut after.round {
            round.books = books;
        }
        evolve(&mut after, &ended);
    }
    events.push(ended);
    if last {
        events.push(Event::MatchEnded { sheet: after.sheet });
    }
}

fn is_last(options: &Options, round: &Round) -> bool {
    round.number >= u32::from(options.rounds)
}

fn standing(options: &Options, player: &Player) -> Standing {
    if player.win.is_some() {
        return Standing::Won;
    }
    if player.hand().holds_void() {
        return Standing::HoldsVoid;
    }
    match player.hand().best_wait(options) {
        Some(raw) => Standing::Ready(raw),
        None => Standing::NotReady,
    }
}
