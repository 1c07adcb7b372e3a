//! Whole rounds as every seat sees them, beside which a change of the rules shows.

use core::fmt::Write;

use parlor_blackjack::state::Bet;
use parlor_blackjack::view::{HandView, View};
use parlor_blackjack::{Blackjack, Card, Event};
use parlor_game::{Game, Seat, Viewer};

use crate::support::{Setting, Table};

/// A round as text: after every action its events as a spectator gets them, and what each seat
/// sees.
fn playthrough(setting: &str, deck: &str, actions: &str) -> String {
    let mut table = Setting::read(setting).open(deck);
    let mut text = format!("settings: {setting}\ndeck: {deck}\n");
    show(&table, &mut text);
    for action in actions.split(',').map(str::trim) {
        let before = table.events.len();
        table.act(action).unwrap();
        writeln!(text, "\n> {action}").unwrap();
        for event in &table.events[before..] {
            let seen = Blackjack::redact(event, Viewer::Spectator).unwrap();
            writeln!(text, "  {}", event_text(&seen)).unwrap();
        }
        show(&table, &mut text);
    }
    text
}

fn event_text(event: &Event) -> String {
    match event {
        Event::Settled { settlement, result, shoe } => {
            let mut text = format!("Settled, shoe {shoe:?}");
            for seat in &settlement.seats {
                let hands: Vec<_> = seat
                    .hands
                    .iter()
                    .map(|hand| format!("{} {:?} {}", names(&hand.cards), hand.outcome, hand.delta))
                    .collect();
                write!(text, "\n    seat {}: {}", seat.seat, hands.join("; ")).unwrap();
                if let Some(insurance) = seat.insurance {
                    write!(text, "; insurance {}", insurance.delta).unwrap();
                }
                write!(text, "; delta {}, commission {}", seat.delta, seat.commission).unwrap();
            }
            let banker = &settlement.banker;
            write!(
                text,
                "\n    banker {}: {} makes {}; delta {}, commission {}",
                banker.seat,
                names(&banker.cards),
                banker.total,
                banker.delta,
                banker.commission
            )
            .unwrap();
            for transfer in &result.transfers {
                let (from, to) = (transfer.from, transfer.to);
                write!(text, "\n    {from:?} -> {to:?} {} {}", transfer.amount, transfer.why)
                    .unwrap();
            }
            text
        }
        event => format!("{event:?}"),
    }
}

fn show(table: &Table, text: &mut String) {
    let seats = Blackjack::view(&table.state, Viewer::Auditor).seats.len();
    for seat in 0..=u8::try_from(seats).unwrap() {
        let view = Blackjack::view(&table.state, Viewer::Seat(Seat(seat)));
        if view.phase.is_some() {
            writeln!(text, "  seat {seat} sees {}", view_text(&view)).unwrap();
        }
    }
}

fn view_text(view: &View) -> String {
    let banker = view.banker.as_ref().unwrap();
    let mut text = format!("{:?}: banker {}", view.phase.unwrap(), names(&banker.cards));
    text.push_str(&" ??".repeat(usize::from(banker.face_down)));
    for seat in &view.seats {
        let hands: Vec<_> = seat.hands.iter().map(hand_text).collect();
        let bet = match seat.bet {
            Bet::Undecided => String::from("undecided"),
            Bet::SatOut => String::from("sits out"),
            Bet::Placed(_) => format!("risks {}", seat.at_risk),
        };
        write!(text, " | {} {bet} {}", seat.seat, hands.join(" / ")).unwrap();
    }
    let may = view.actions.commands();
    if !may.is_empty() {
        write!(text, " | may {may:?}").unwrap();
    }
    text
}

fn hand_text(hand: &HandView) -> String {
    let cards = names(&hand.cards) + &" ??".repeat(usize::from(hand.face_down));
    let total = hand.total.map_or(String::new(), |total| {
        format!(" = {}{}", if total.soft { "soft " } else { "" }, total.points)
    });
    format!("[{}{total} {:?}]", cards.trim(), hand.status)
}

fn names(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_split_a_double_and_a_natural_against_a_bust_banker() {
    insta::assert_snapshot!(playthrough(
        "seats=4 flat=1 bps=500",
        "8S AS 10S 6H 8H KS 2H 10C 3D 10D 9C 5H KD",
        "3:bet 40, 1:bet 25, 2:bet 15, split, double, stand, 3:hit, 3:stand"
    ));
}

#[test]
fn insurance_even_money_and_a_banker_natural() {
    insta::assert_snapshot!(playthrough(
        "seats=4",
        "10S AS 9S AH 9H KS 7S KH",
        "1:bet 20, 2:bet 30, 3:bet 40, 2:even_money, 1:insure 10, 3:decline"
    ));
}

#[test]
fn closed_cards_without_a_peek_and_a_late_surrender() {
    insta::assert_snapshot!(playthrough(
        "seats=3 closed no_peek late",
        "10S 9S KH 6S 2S AH 10C",
        "1:bet 20, 2:bet 20, surrender, 2:hit"
    ));
}
