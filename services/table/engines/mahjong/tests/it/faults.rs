//! What nanoserver does and this engine must not do (rules: mahjong 14), one test each.

use parlor_game::Seat;
use parlor_mahjong::event::Event;
use parlor_mahjong::meld::{Meld, MeldKind, Melds};
use parlor_mahjong::options::Preset;
use parlor_mahjong::score::{Circumstances, Fan, Hand as Held, Score, score};
use parlor_mahjong::settle::Standing;
use parlor_mahjong::tile::{Suit, TileCounts};
use parlor_mahjong::{Command, Options};

use crate::goldens;
use crate::support::{Hand, tile, tiles};

fn pungs(text: &str) -> Melds {
    let pung = |tile| Meld { kind: MeldKind::Pung, tile, from: Some(Seat(0)) };
    tiles(text).into_iter().map(pung).collect()
}

/// A plain discard win with bamboos void and no cap in the way.
fn win(concealed: &str, melds: &str, winning: &str) -> Score {
    let options = Options { max_fan: 5, ..Options::default() };
    let concealed: TileCounts = tiles(concealed).into_iter().collect();
    let melds = pungs(melds);
    let hand = Held { concealed: &concealed, melds: &melds, void: Some(Suit::Bamboos) };
    score(&options, &hand, tile(winning), Circumstances::PLAIN_DISCARD).unwrap()
}

#[test]
fn nanoserver_fault_01_kinds_of_three_or_more_are_not_yet_triplets() {
    let score = win("2244445556666m", "", "2m");
    assert_eq!((score.form, score.raw), (Fan::Pinghu, 6));
}

#[test]
fn nanoserver_fault_02_melds_do_not_make_seven_pairs() {
    let score = win("4555699p", "46p", "5p");
    assert_eq!((score.form, score.pattern), (Fan::Pinghu, Fan::Qingyise));
}

#[test]
fn nanoserver_fault_03_the_larger_reading_of_all_is_taken() {
    assert_eq!(win("111222333m1p", "9p", "1p").pattern, Fan::Quanyaojiu);
    assert_eq!(win("1111223m778899p", "", "3m").pattern, Fan::Quanyaojiu);
}

#[test]
fn nanoserver_fault_04_a_fifth_copy_is_no_wait() {
    let concealed: TileCounts = tiles("5p").into_iter().collect();
    let melds = pungs("1m3m7m5p");
    let hand = Held { concealed: &concealed, melds: &melds, void: Some(Suit::Bamboos) };
    assert!(hand.waits(&Options::default()).is_empty());
    // Only the room that asks for it counts it (and the preset does).
    let compat = Options::preset(Preset::NanoserverCompat);
    assert_eq!(hand.waits(&compat).iter().collect::<Vec<_>>(), [tile("5p")]);
}

#[test]
fn nanoserver_fault_05_the_ready_hand_is_judged_on_the_tile_it_waits_for() {
    let options = Options::default();
    let melds = pungs("9p");
    let best = |concealed: &str| {
        let concealed: TileCounts = tiles(concealed).into_iter().collect();
        let hand = Held { concealed: &concealed, melds: &melds, void: Some(Suit::Bamboos) };
        hand.best_wait(&options)
    };
    // Waits for 5m between 4m and 6m: 夹心五. Waits for 2m next to a 456: none.
    assert_eq!(best("12346m678p22p"), Some(1));
    assert_eq!(best("45613m678p22p"), Some(0));
}

#[test]
fn nanoserver_fault_06_three_winners_make_the_discarder_the_dealer() {
    let hand = goldens::three_winners();
    assert_eq!(hand.state.next_dealer, Some(Seat(0)));
    assert_eq!(hand.round().books.winners.as_slice(), [Seat(1), Seat(2), Seat(3)]);
}

/// Seats 1 and 3 win on the dealer's concealed kong and discard; seat 2 stands by.
fn two_winners_after_a_kong() -> Hand {
    let hands = [
        "9p 999p 5m 123456789s",
        "46m 123m 678p 11p 555p",
        "3344p 112266778s",
        "46m 123789m 22p 666p",
    ];
    let mut hand = Hand::with_voids(&Options::default(), 0, &hands, "ssms", "1s");
    hand.act(0, Command::ConcealedKong(tile("9p"))).discard(0, "5m");
    hand.act(3, Command::Win).act(1, Command::Win).close();
    hand
}

#[test]
fn nanoserver_fault_07_the_turn_passes_on_from_the_last_winner() {
    // Whichever answers first, seat 3 is the last winner in turn order from the discarder, so
    // seat 0 draws and not seat 2.
    assert_eq!(two_winners_after_a_kong().turn(), Some(0));
}

#[test]
fn nanoserver_fault_08_paying_the_ready_does_not_make_a_dealer() {
    let hand = goldens::exhausted_wall();
    assert!(hand.ledger().iter().any(|line| line.starts_with("cha_jiao")));
    assert_eq!(hand.state.next_dealer, Some(Seat(0)));
}

#[test]
fn nanoserver_fault_09_void_tiles_are_neither_ready_nor_konged() {
    let hands = [
        "8s 99s 123456789m 11p",
        "3333s 12345m 6789p",
        "8s 123p 456p 789p 456s",
        "2266688m 224488s",
    ];
    let mut hand = Hand::with_voids(&Options::default(), 0, &hands, "ssmp", "1m");
    hand.pass_around(0, "8s");
    assert_eq!(hand.turn(), Some(1));
    assert_eq!(hand.refused(1, Command::ConcealedKong(tile("3s"))), "kong_not_possible");
    hand.play_out();
    let standings: Vec<Standing> =
        hand.view(0).seats.iter().filter_map(|seat| seat.standing).collect();
    // Seat 0 would be ready but for its last void tile.
    assert_eq!(standings[0], Standing::HoldsVoid);
    assert_eq!(standings[1], Standing::HoldsVoid);
}

#[test]
fn nanoserver_fault_10_a_bystander_does_not_pay_twice() {
    let hand = two_winners_after_a_kong();
    // Seat 2 paid for the kong, once.
    assert_eq!(hand.nets()[2], -2);
    let transfers: Vec<String> =
        hand.ledger().into_iter().filter(|line| line.starts_with("call_transfer")).collect();
    assert_eq!(transfers, ["call_transfer 0>1 3", "call_transfer 0>3 3"]);
}

#[test]
fn nanoserver_fault_11_a_seat_is_locked_by_what_it_passed_itself() {
    let hands =
        ["5m 123456789s 1234s", "5m 111222333p 677p", "46m 123789m 99p 888p", "5m 4455669p 12345s"];
    let mut hand = Hand::with_voids(&Options::default(), 0, &hands, "sssm", "9s 9s 9s");
    // Seat 2 passes the dealer's tile and may not take the same tile from seat 1.
    hand.discard(0, "5m");
    assert!(hand.legal(2).contains(&Command::Win));
    hand.act(2, Command::Pass).close();
    hand.discard(1, "5m");
    assert_eq!(hand.legal(2), []);
    hand.close();
    // Its own draw frees it; what others passed or discarded meanwhile does not matter.
    assert_eq!(hand.turn(), Some(2));
    hand.pass_around(2, "9s");
    hand.discard(3, "5m");
    assert!(hand.legal(2).contains(&Command::Win));
}

#[test]
fn nanoserver_fault_12_the_last_tile_leaves_no_flag_behind() {
    let hands = [
        "9s 123456789s 1122s",
        "46m 123789m 11p 888p",
        "33p 5m 122334678m 9p",
        "1134679p 55566s 7s",
    ];
    let mut hand = Hand::with_voids(&Options::default(), 0, &hands, "sssm", "3p");
    // The wall ends with seat 1's draw.
    let round = hand.state.round.as_mut().unwrap();
    round.wall.truncate(round.taken + 1);
    hand.pass_around(0, "9s");
    assert_eq!(hand.round().wall_left(), 0);
    hand.discard(1, "3p").act(2, Command::Pung).close();
    hand.discard(2, "5m").act(1, Command::Win).close();
    let won = hand.events.iter().find_map(|event| match event {
        Event::Won { seat: Seat(1), score, .. } => Some(score.clone()),
        _ => None,
    });
    let names: Vec<Fan> = won.unwrap().breakdown.iter().map(|(fan, _)| *fan).collect();
    assert_eq!(names, [Fan::Pinghu, Fan::Menqing, Fan::Jiaxinwu]);
}

#[test]
fn nanoserver_fault_13_four_players_may_win_a_plain_hand_on_a_discard() {
    let options = Options { dianpao_pinghu: false, menqing: false, ..Options::default() };
    let hands =
        ["3m 123456789s 1234s", "12m 123m 456p 678p 99p", "33447788p 13579s", "12345p 12345678s"];
    let mut hand = Hand::with_voids(&options, 0, &hands, "ssmm", "");
    hand.discard(0, "3m");
    let offer = hand.view(1).own.unwrap().offer.unwrap();
    assert_eq!(offer.win, Some(0));
}
