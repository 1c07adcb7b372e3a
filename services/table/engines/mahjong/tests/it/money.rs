//! Table stakes: what a payer has, in the order of the rules (rules: mahjong 9).

use parlor_game::{Amount, Game, Party, Seat};
use parlor_mahjong::event::Event;
use parlor_mahjong::options::{CallTransferMulti, HuaZhu};
use parlor_mahjong::{Command, Mahjong, Options};

use crate::support::{Hand, tile};

/// Seats 1, 2 and 3 win two fan each on the dealer's first discard.
const THREE_WIN: [&str; 4] = [
    "5m 123456789s 1234s",
    "46m 123m 789p 11p 555p",
    "46m 123789m 22p 666p",
    "46m 789m 123p 33p 444p",
];

/// The dealer can make a concealed kong of 9p; seats 1 and 3 win on its 5m, seat 2 stands by.
const KONG_AND_TWO_WIN: [&str; 4] =
    ["9p 999p 5m 123456789s", "46m 123m 678p 11p 555p", "3344p 112266778s", "46m 123789m 22p 666p"];

fn deal(options: &Options, hands: &[&str; 4], voids: &str, draws: &str, stacks: &[i64]) -> Hand {
    let mut hand = Hand::deal_stacks(options, 0, hands, draws, Some(stacks));
    hand.choose_voids(voids);
    hand
}

#[test]
fn winners_are_paid_in_turn_order_until_the_stack_is_gone() {
    let mut hand = deal(&Options::default(), &THREE_WIN, "ssss", "", &[6, 9, 9, 9]);
    hand.discard(0, "5m");
    hand.act(3, Command::Win).act(2, Command::Win).act(1, Command::Win).close();
    let paid = ["hu_discard 0>1 4", "hu_discard 0>2 2 short 2", "hu_discard 0>3 0 short 4"];
    assert_eq!(hand.ledger(), paid);
    assert_eq!(hand.nets(), [-6, 4, 2, 0]);
}

#[test]
fn in_points_mode_nothing_is_cut() {
    let mut hand = Hand::with_voids(&Options::default(), 0, &THREE_WIN, "ssss", "");
    hand.discard(0, "5m");
    hand.act(3, Command::Win).act(2, Command::Win).act(1, Command::Win).close();
    assert_eq!(hand.nets(), [-12, 4, 4, 4]);
}

#[test]
fn money_received_in_the_hand_may_be_paid_out_again() {
    // The dealer sits down with nothing and pays with what its kong brings.
    let hand = &mut deal(&Options::default(), &KONG_AND_TWO_WIN, "ssms", "1s", &[0, 9, 1, 9]);
    hand.act(0, Command::ConcealedKong(tile("9p"))).discard(0, "5m");
    assert_eq!(hand.nets(), [5, -2, -1, -2], "seat 2 has only 1");
    hand.act(1, Command::Win).act(3, Command::Win).close();
    let ledger = hand.ledger();
    assert_eq!(ledger[1], "concealed_kong 2>0 1 short 1");
    // Three fan each: 8 owed to either, 5 there; then nothing is left of the income to hand on.
    assert_eq!(ledger[3..5], ["hu_discard 0>1 5 short 3", "hu_discard 0>3 0 short 8"]);
    assert_eq!(ledger[5..], ["call_transfer 0>1 0 short 3", "call_transfer 0>3 0 short 3"]);
    assert_eq!(hand.nets().iter().sum::<i64>(), 0);
}

#[test]
fn only_what_a_kong_brought_in_is_handed_on() {
    // Seat 2 could not pay: the income is 4, not 6.
    for (multi, share) in [(CallTransferMulti::Split, 2), (CallTransferMulti::FullEach, 4)] {
        let options = Options { call_transfer_multi: multi, ..Options::default() };
        let hand = &mut deal(&options, &KONG_AND_TWO_WIN, "ssms", "1s", &[99, 9, 0, 9]);
        hand.act(0, Command::ConcealedKong(tile("9p"))).discard(0, "5m");
        hand.act(1, Command::Win).act(3, Command::Win).close();
        let transfer = |to| format!("call_transfer 0>{to} {share}");
        assert_eq!(hand.ledger()[5..], [transfer(1), transfer(3)], "{multi:?}");
    }
}

#[test]
fn a_refund_returns_what_was_paid_and_no_more() {
    let hands =
        ["1s 123456789s 1234s", "9999p 1479m 12478p", "123m 11m 456p 678p 35p", "12345678p 56789s"];
    let hand = &mut deal(&Options::default(), &hands, "sssm", "", &[50, 50, 50, 1]);
    hand.pass_around(0, "1s").act(1, Command::ConcealedKong(tile("9p"))).play_out();
    let ledger = hand.ledger();
    let refunds: Vec<&String> =
        ledger.iter().filter(|line| line.starts_with("kong_refund")).collect();
    assert_eq!(refunds, ["kong_refund 1>0 2", "kong_refund 1>2 2", "kong_refund 1>3 1"]);
}

#[test]
fn a_seat_with_void_tiles_may_have_to_pay_all_others() {
    let options = Options { hua_zhu: HuaZhu::Penalty, ..Options::default() };
    let hands =
        ["1s 123456789s 1234s", "9999p 1479m 12478p", "123m 11m 456p 678p 35p", "12345678p 56789s"];
    let mut hand = Hand::with_voids(&options, 0, &hands, "sssm", "");
    hand.play_out();
    let ledger = hand.ledger();
    assert_eq!(ledger[..3], ["hua_zhu 0>1 8", "hua_zhu 0>2 8", "hua_zhu 0>3 8"]);
    assert!(ledger[3..].iter().all(|line| line.starts_with("cha_jiao")));
    assert!(!ledger[3..].iter().any(|line| line.starts_with("cha_jiao 0")), "{ledger:?}");
}

#[test]
fn the_result_of_a_hand_is_its_whole_ledger_in_order() {
    let mut hand = deal(&Options::default(), &THREE_WIN, "ssss", "", &[6, 9, 9, 9]);
    hand.discard(0, "5m");
    hand.act(3, Command::Win).act(2, Command::Win).act(1, Command::Win).close();
    let result = hand.events.iter().find_map(Mahjong::hand_result).unwrap();
    let payments = &hand.round().books.payments;
    assert_eq!(result.transfers.len(), payments.len());
    for (transfer, payment) in result.transfers.iter().zip(payments) {
        assert_eq!(transfer.from, Party::Seat(payment.from));
        assert_eq!(transfer.to, Party::Seat(payment.to));
        assert_eq!((transfer.amount, transfer.short), (payment.amount, payment.short));
        assert_eq!(transfer.why, payment.why.name());
    }
}

#[test]
fn payments_are_events_at_once_and_totals_run_in_the_view() {
    let mut hand = Hand::with_voids(&Options::default(), 0, &KONG_AND_TWO_WIN, "ssms", "1s");
    hand.act(0, Command::ConcealedKong(tile("9p")));
    assert!(hand.events.iter().any(|event| matches!(event, Event::Paid { .. })));
    let view = hand.view(2);
    let nets: Vec<Amount> = view.seats.iter().map(|seat| seat.net).collect();
    assert_eq!(nets, [6, -2, -2, -2].map(Amount));
    assert_eq!(view.payments.len(), 3);
    assert_eq!(view.payments[2].from, Seat(3));
}
