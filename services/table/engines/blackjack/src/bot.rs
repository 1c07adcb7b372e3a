//! A player that bets the least, takes no insurance and plays basic strategy.
//!
//! The charts are the usual multi-deck ones for a banker that stands on soft 17 and peeks; the
//! differences for doubling after splits, for hitting soft 17 and for no peek are made where they
//! matter. The bot sees a [`View`] and nothing else.

use crate::card::{Card, Total};
use crate::command::Command;
use crate::options::Options;
use crate::view::{HandView, View};

/// What a chart says, in the order of the banker's up card: 2 to 10, then the ace.
type Row = [u8; 10];

/// Hard totals from 5 to 17. `H` hit, `S` stand, `D` double or else hit.
const HARD: [&Row; 13] = [
    b"HHHHHHHHHH", // 5
    b"HHHHHHHHHH", // 6
    b"HHHHHHHHHH", // 7
    b"HHHHHHHHHH", // 8
    b"HDDDDHHHHH", // 9
    b"DDDDDDDDHH", // 10
    b"DDDDDDDDDH", // 11
    b"HHSSSHHHHH", // 12
    b"SSSSSHHHHH", // 13
    b"SSSSSHHHHH", // 14
    b"SSSSSHHHHH", // 15
    b"SSSSSHHHHH", // 16
    b"SSSSSSSSSS", // 17
];

/// Soft totals from 13 to 20. `d` double or else stand.
const SOFT: [&Row; 8] = [
    b"HHHDDHHHHH", // A2
    b"HHHDDHHHHH", // A3
    b"HHDDDHHHHH", // A4
    b"HHDDDHHHHH", // A5
    b"HDDDDHHHHH", // A6
    b"SddddSSHHH", // A7
    b"SSSSSSSSSS", // A8
    b"SSSSSSSSSS", // A9
];

/// Pairs from the ace to the ten. `P` split, `p` split where a split hand may double, `-` play the
/// total.
const PAIRS: [&Row; 10] = [
    b"PPPPPPPPPP", // A
    b"ppPPPP----", // 2
    b"ppPPPP----", // 3
    b"---pp-----", // 4
    b"----------", // 5
    b"pPPPP-----", // 6
    b"PPPPPP----", // 7
    b"PPPPPPPPPP", // 8
    b"PPPPP-PP--", // 9
    b"----------", // 10
];

/// Chooses for the viewer's seat; `None` when it has nothing to decide.
#[must_use]
pub fn bot(view: &View) -> Option<Command> {
    let actions = &view.actions;
    if let Some(bounds) = actions.bet {
        return Some(Command::Bet { amount: Some(bounds.lowest) });
    }
    if actions.sit_out {
        return Some(Command::SitOut);
    }
    if actions.decline_insurance {
        return Some(Command::DeclineInsurance);
    }
    if !actions.stand {
        return None;
    }
    Some(play(view).unwrap_or(Command::Stand))
}

fn play(view: &View) -> Option<Command> {
    let turn = view.turn?;
    let seat = view.seats.iter().find(|seat| seat.seat == turn.seat)?;
    let hand = seat.hands.get(usize::from(turn.hand))?;
    let up = *view.banker.as_ref()?.cards.first()?;
    let total = hand.total?;
    let (actions, options) = (&view.actions, &view.options);
    if actions.split.is_some() && splits(hand, up, options) {
        return Some(Command::Split);
    }
    if actions.surrender.is_some() && surrenders(hand, total, up, options) {
        return Some(Command::Surrender);
    }
    let advice = advice(total, up, options);
    Some(match advice {
        b'D' | b'd' if actions.double.is_some() => Command::Double,
        b'D' | b'H' if actions.hit => Command::Hit,
        _ => Command::Stand,
    })
}

/// The place of the up card in a row.
fn column(up: Card) -> usize {
    if up.is_ace() { 9 } else { usize::from(up.points()) - 2 }
}

fn advice(total: Total, up: Card, options: &Options) -> u8 {
    let column = column(up);
    let no_peek = !options.dealer_peek && !options.original_bets_only;
    match (total.soft, total.points) {
        // Without a peek a double against a ten or an ace risks twice the bet on a natural.
        (false, 11) if no_peek && column >= 8 => b'H',
        (false, 11) if options.soft_hit_17 && up.is_ace() => b'D',
        (true, 18) if options.soft_hit_17 && column == 0 => b'd',
        (true, 19) if options.soft_hit_17 && column == 4 => b'd',
        (true, points) => cell(&SOFT, points, 13, column),
        (false, points) => cell(&HARD, points, 5, column),
    }
}

/// The entry of a chart; below the chart it is always right to hit, above it to stand.
fn cell(chart: &[&Row], points: u8, first: u8, column: usize) -> u8 {
    match points.checked_sub(first) {
        None => b'H',
        Some(row) => chart.get(usize::from(row)).map_or(b'S', |row| row[column.min(9)]),
    }
}

fn splits(hand: &HandView, up: Card, options: &Options) -> bool {
    let Some(card) = hand.cards.first() else { return false };
    let column = column(up);
    let no_peek = !options.dealer_peek && !options.original_bets_only;
    if no_peek && ((card.points() == 8 && column >= 8) || (card.is_ace() && column == 9)) {
        return false;
    }
    match PAIRS[usize::from(card.points().clamp(1, 10)) - 1][column.min(9)] {
        b'P' => true,
        b'p' => options.double_after_split,
        _ => false,
    }
}

/// 16 against 9, 10 and ace, 15 against 10; a banker who hits soft 17 adds 15 and 17 against the
/// ace. A pair of eights is split instead.
fn surrenders(hand: &HandView, total: Total, up: Card, options: &Options) -> bool {
    let pair_of_eights = hand.cards.iter().all(|card| card.points() == 8);
    match (total.soft, total.points, column(up)) {
        (true, _, _) => false,
        (_, 16, 7..=9) => !pair_of_eights,
        (_, 15, 8) => true,
        (_, 15 | 17, 9) => options.soft_hit_17,
        _ => false,
    }
}
