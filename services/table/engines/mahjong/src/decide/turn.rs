//! What a seat does on its turn (rules: mahjong 2.2 to 2.4, 4, 5).

use alloc::vec;
use alloc::vec::Vec;

use parlor_game::{Refusal, Seat};

use super::{draw, end, window};
use crate::command::Command;
use crate::event::Event;
use crate::meld::MeldKind;
use crate::refusals;
use crate::rules::{self, Offered};
use crate::score::Source;
use crate::settle::{self, KongMoney, Settles};
use crate::state::{Claim, Round, State, Turn, TurnStart};
use crate::tile::Tile;

/// Carries out a command of the seat on turn.
pub(super) fn act(
    state: &State,
    round: &Round,
    turn: &Turn,
    seat: Seat,
    command: Command,
) -> Result<Vec<Event>, Refusal> {
    if turn.seat != seat {
        return Err(refusals::not_your_turn());
    }
    match command {
        Command::Discard(tile) => discard(state, round, turn, tile),
        Command::ConcealedKong(tile) => concealed_kong(state, round, turn, tile),
        Command::AddedKong(tile) => added_kong(state, round, turn, tile),
        Command::Win => win(state, round, turn),
        _ => Err(refusals::wrong_phase()),
    }
}

fn discard(state: &State, round: &Round, turn: &Turn, tile: Tile) -> Result<Vec<Event>, Refusal> {
    let seat = turn.seat;
    let player = round.player(seat).ok_or_else(refusals::not_your_turn)?;
    if player.tiles.count(tile) == 0 {
        return Err(refusals::tile_not_in_hand(tile));
    }
    if rules::must_discard_void(&state.options, player).is_some_and(|void| tile.suit() != void) {
        return Err(refusals::must_discard_void());
    }
    let offered = Offered {
        claim: Claim::Discard,
        from: seat,
        tile,
        run: round.books.run(seat),
        first_discard: round.discards == 0,
    };
    Ok(vec![Event::Discarded { seat, tile, offers: offered.offers(&state.options, round) }])
}

fn concealed_kong(
    state: &State,
    round: &Round,
    turn: &Turn,
    tile: Tile,
) -> Result<Vec<Event>, Refusal> {
    let seat = turn.seat;
    let player = round.player(seat).ok_or_else(refusals::not_your_turn)?;
    if !rules::may_concealed_kong(round, player, turn, tile) {
        return Err(refusals::kong_not_possible());
    }
    let kind = MeldKind::ConcealedKong;
    let mut events = vec![Event::KongMade { seat, tile, kind, from: None }];
    let payments = settle::kong(&state.options, &round.books, seat, kind, None, KongMoney::Paid);
    events.push(Event::Paid { settles: Settles::Kong, payments });
    events.extend(draw(round, seat, TurnStart::Replacement { feeder: None }));
    Ok(events)
}

fn added_kong(
    state: &State,
    round: &Round,
    turn: &Turn,
    tile: Tile,
) -> Result<Vec<Event>, Refusal> {
    let seat = turn.seat;
    let player = round.player(seat).ok_or_else(refusals::not_your_turn)?;
    if !rules::may_added_kong(&state.options, round, player, turn, tile) {
        return Err(refusals::kong_not_possible());
    }
    Ok(vec![Event::KongDeclared {
        seat,
        tile,
        offers: window::robbery(seat, tile).offers(&state.options, round),
    }])
}

fn win(state: &State, round: &Round, turn: &Turn) -> Result<Vec<Event>, Refusal> {
    let (tile, source, score) =
        rules::self_draw_win(&state.options, round, turn).ok_or_else(refusals::win_not_possible)?;
    let feeder = match turn.start {
        TurnStart::Replacement { feeder } if source == Source::DirectKongDraw => feeder,
        _ => None,
    };
    let alone = feeder.filter(|_| !source.settles_as_self_draw(&state.options));
    let seat = turn.seat;
    let payments = settle::self_draw(&state.options, &round.books, seat, score.raw, alone);
    let mut events = vec![
        Event::Won { seat, tile, from: None, source, score },
        Event::Paid { settles: Settles::Nothing, payments },
    ];
    end::next_draw_or_end(state, round, seat, &[seat], &mut events);
    Ok(events)
}
