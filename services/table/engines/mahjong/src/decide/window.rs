//! Claims on a discard and on an added kong (rules: mahjong 3, 4.5).
//!
//! A window resolves when its pause is over and every offered seat has answered. Until then
//! nobody but the seat itself learns of an answer.

use alloc::vec;
use alloc::vec::Vec;

use parlor_game::{Refusal, Seat};

use super::{draw, end};
use crate::command::Answer;
use crate::event::Event;
use crate::meld::MeldKind;
use crate::options::DelayedAddedKong;
use crate::refusals;
use crate::rules::{self, Offered};
use crate::score::{Score, Source};
use crate::settle::{self, BySeat, KongMoney, Settles};
use crate::state::{Claim, Round, State, TurnStart, Window};
use crate::tile::Tile;

/// An added kong as something that others may rob.
pub(super) fn robbery(from: Seat, tile: Tile) -> Offered {
    Offered { claim: Claim::AddedKong, from, tile, run: 0, first_discard: false }
}

/// A seat answers its offer.
pub(super) fn answer(
    state: &State,
    round: &Round,
    window: &Window,
    seat: Seat,
    answer: Answer,
) -> Result<Vec<Event>, Refusal> {
    let offer = window.offers.get(seat.index()).copied().flatten();
    let allowed = window.is_asked(seat)
        && offer.is_some_and(|offer| match answer {
            Answer::Win => offer.win.is_some(),
            Answer::Kong => offer.kong,
            Answer::Pung => offer.pung,
            Answer::Pass => true,
        });
    if !allowed {
        return Err(refusals::not_offered());
    }
    let mut events = vec![Event::Answered { seat, answer }];
    let others_owe = round.by_seat().any(|(other, _)| other != seat && window.is_asked(other));
    if window.paused && !others_owe {
        resolve(state, round, window, Some((seat, answer)), &mut events);
    }
    Ok(events)
}

/// The pause of the window is over.
pub(super) fn close(state: &State, round: &Round, window: &Window) -> Result<Vec<Event>, Refusal> {
    if window.paused {
        return Err(refusals::wrong_phase());
    }
    if round.by_seat().any(|(seat, _)| window.is_asked(seat)) {
        return Ok(vec![Event::PauseElapsed]);
    }
    let mut events = Vec::with_capacity(2);
    resolve(state, round, window, None, &mut events);
    Ok(events)
}

/// Carries out the answers. `last` is one that the window does not hold yet.
fn resolve(
    state: &State,
    round: &Round,
    window: &Window,
    last: Option<(Seat, Answer)>,
    events: &mut Vec<Event>,
) {
    let answer_of = |seat: Seat| match last {
        Some((answered, answer)) if answered == seat => Some(answer),
        _ => window.answer(seat),
    };
    let in_turn_order = || round.books.unwon_after(window.from);
    let first = |wanted| in_turn_order().find(|seat| answer_of(*seat) == Some(wanted));
    let winners: BySeat<Seat> =
        in_turn_order().filter(|seat| answer_of(*seat) == Some(Answer::Win)).collect();
    if !winners.is_empty() {
        win(state, round, window, &winners, events);
    } else if window.claim == Claim::AddedKong {
        let from = round
            .player(window.from)
            .and_then(|player| player.melds.iter().find(|meld| meld.tile == window.tile))
            .and_then(|meld| meld.from);
        kong(state, round, window, window.from, (MeldKind::AddedKong, from), events);
    } else if let Some(seat) = first(Answer::Kong) {
        kong(state, round, window, seat, (MeldKind::DirectKong, Some(window.from)), events);
    } else if let Some(seat) = first(Answer::Pung) {
        events.push(Event::PungMade { seat, tile: window.tile, from: window.from });
    } else {
        end::next_draw_or_end(state, round, window.from, &[], events);
    }
}

fn kong(
    state: &State,
    round: &Round,
    window: &Window,
    seat: Seat,
    (kind, from): (MeldKind, Option<Seat>),
    events: &mut Vec<Event>,
) {
    let tile = window.tile;
    events.push(Event::KongMade { seat, tile, kind, from });
    let delayed = kind == MeldKind::AddedKong
        && round.player(seat).is_some_and(|player| !rules::is_fresh(player, tile));
    let unpaid = delayed && state.options.delayed_added_kong == DelayedAddedKong::NoPay;
    let money = if unpaid { KongMoney::Unpaid } else { KongMoney::Paid };
    let payments = settle::kong(&state.options, &round.books, seat, kind, from, money);
    if !payments.is_empty() {
        events.push(Event::Paid { settles: Settles::Kong, payments });
    }
    let feeder = from.filter(|_| kind == MeldKind::DirectKong);
    events.extend(draw(round, seat, TurnStart::Replacement { feeder }));
}

/// Every seat that declared a win wins (rules: mahjong 3.3).
fn win(state: &State, round: &Round, window: &Window, seats: &[Seat], events: &mut Vec<Event>) {
    let offered = Offered {
        claim: window.claim,
        from: window.from,
        tile: window.tile,
        run: window.run,
        first_discard: round.discards == 1,
    };
    let scored = |seat: &Seat| -> Option<(Seat, Source, Score)> {
        let (source, score) = offered.win(&state.options, round, round.player(*seat)?)?;
        Some((*seat, source, score))
    };
    let wins: BySeat<(Seat, Source, Score)> = seats.iter().filter_map(scored).collect();
    let raws: BySeat<(Seat, u8)> = wins.iter().map(|(seat, _, score)| (*seat, score.raw)).collect();
    let (from, tile) = (window.from, window.tile);
    for (seat, source, score) in wins {
        events.push(Event::Won { seat, tile, from: Some(from), source, score });
    }
    let (options, books) = (&state.options, &round.books);
    let nothing = Settles::Nothing;
    if window.claim == Claim::AddedKong {
        let payments = settle::robbed_kong(options, books, from, &raws);
        events.push(Event::Paid { settles: nothing, payments });
        events.push(Event::KongRobbed { seat: from, tile });
    } else {
        let bill = settle::discard_wins(options, books, from, window.run, &raws);
        events.push(Event::Paid { settles: nothing, payments: bill.wins });
        if !bill.transfers.is_empty() {
            let settles = Settles::Transfer(bill.kongs);
            events.push(Event::Paid { settles, payments: bill.transfers });
        }
    }
    end::next_draw_or_end(state, round, from, seats, events);
}
