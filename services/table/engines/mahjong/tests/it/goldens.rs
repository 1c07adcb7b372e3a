//! Hands as every seat saw them, kept as text in `snapshots/`.
//!
//! A line is an event; below it, indented, what those saw who did not see all of it. After `|`
//! comes a seat's view.

use parlor_mahjong::{Command, Options};

use crate::support::{Hand, tile};

fn options() -> Options {
    Options { max_fan: 5, rounds: 1, ..Options::default() }
}

/// Seat 1 adds 5m to its pung, and seat 3, which passed the same tile before, robs it.
pub fn robbed_kong() -> Hand {
    let hands = [
        "5m 123456789s 1234s",
        "55m 222m 345p 667p 99p",
        "2244p 1379p 556s 77s",
        "46m 123789m 11p 888p",
    ];
    let mut hand = Hand::with_voids(&options(), 0, &hands, "ssms", "9s 9s 9s 5m");
    hand.discard(0, "5m").show_views();
    hand.act(3, Command::Pass).act(1, Command::Pung).close();
    hand.pass_around(1, "7p").pass_around(2, "9s").pass_around(3, "9s").pass_around(0, "9s");
    hand.act(1, Command::AddedKong(tile("5m"))).show_views();
    hand.close().act(3, Command::Win);
    hand
}

/// Seats 1, 2 and 3 win on the dealer's first discard.
pub fn three_winners() -> Hand {
    let hands = [
        "5m 123456789s 1234s",
        "46m 123m 789p 11p 555p",
        "46m 123789m 22p 666p",
        "46m 789m 123p 33p 444p",
    ];
    let mut hand = Hand::with_voids(&options(), 0, &hands, "ssss", "");
    hand.discard(0, "5m");
    hand.act(2, Command::Win).act(3, Command::Win).close();
    hand.show_views();
    hand.act(1, Command::Win);
    hand
}

/// The dealer makes a concealed kong and discards the tile that seat 2 wins on and seat 1 wants.
pub fn kong_then_discard() -> Hand {
    let hands = [
        "9p 999p 5m 123456789s",
        "55m 222m 345p 667p 88p",
        "46m 123789m 11p 222p",
        "3344p 112266778s",
    ];
    let mut hand = Hand::with_voids(&options(), 0, &hands, "sssm", "1s");
    hand.act(0, Command::ConcealedKong(tile("9p")));
    hand.discard(0, "5m").show_views();
    hand.close().act(1, Command::Pung).act(2, Command::Win);
    hand
}

/// Seat 1 makes a concealed kong; nobody wins, and seat 2 alone is ready in the end.
pub fn exhausted_wall() -> Hand {
    let hands =
        ["1s 123456789s 1234s", "9999p 1479m 12478p", "123m 11m 456p 678p 35p", "12345678p 56789s"];
    let mut hand = Hand::with_voids(&options(), 0, &hands, "sssm", "");
    hand.pass_around(0, "1s");
    hand.act(1, Command::ConcealedKong(tile("9p")));
    let drawn = hand.view(1).own.unwrap().drawn.unwrap();
    hand.pass_around(1, &drawn.to_string());
    let beginning = hand.transcript.clone();
    while hand.round().wall_left() > 1 {
        hand.transcript.clear();
        hand.step();
    }
    hand.transcript = format!("{beginning}...\n{}", hand.transcript);
    hand.play_out().show_views();
    hand
}

#[test]
fn a_robbed_kong_pays_the_robber_alone() {
    insta::assert_snapshot!(robbed_kong().transcript);
}

#[test]
fn three_winners_on_one_discard_end_the_hand() {
    insta::assert_snapshot!(three_winners().transcript);
}

#[test]
fn a_discard_after_a_kong_hands_its_money_on() {
    insta::assert_snapshot!(kong_then_discard().transcript);
}

#[test]
fn an_exhausted_wall_returns_kong_money_and_pays_the_ready() {
    insta::assert_snapshot!(exhausted_wall().transcript);
}
