//! Own turns, the exchange and the void suits (rules: mahjong 1, 2, 4, 7.3).

use parlor_game::{Actor, Game, Seat};
use parlor_mahjong::event::Event;
use parlor_mahjong::options::{DelayedAddedKong, DianGangHua, TianDiHu, Zimo};
use parlor_mahjong::score::Fan;
use parlor_mahjong::tile::Suit;
use parlor_mahjong::{Command, Mahjong, Options};

use crate::support::{Hand, entrants, entropy, open, tile, tiles, written};

#[test]
fn thirteen_tiles_each_and_fourteen_for_the_dealer() {
    for (players, left) in [(4, 55), (3, 32)] {
        let options = Options { players, ..Options::default() };
        let mut state = open(&options);
        for event in Mahjong::deal(&state, &entrants(players, None), &entropy(3)).unwrap() {
            Mahjong::evolve(&mut state, &event);
        }
        let round = state.round.as_ref().unwrap();
        assert_eq!(round.wall_left(), left);
        for (seat, player) in round.by_seat() {
            let dealt = if seat == round.books.dealer { 14 } else { 13 };
            assert_eq!(player.tiles.total(), dealt);
        }
    }
}

#[test]
fn the_first_dealer_is_drawn_by_lot() {
    let mut dealers = [0; 4];
    for seed in 0..400 {
        let state = open(&Options::default());
        let events = Mahjong::deal(&state, &entrants(4, None), &entropy(seed)).unwrap();
        if let Event::Dealt { dealer, .. } = &events[0] {
            dealers[dealer.index()] += 1;
        }
    }
    assert!(dealers.iter().all(|count| (60..140).contains(count)), "{dealers:?}");
}

#[test]
fn a_concealed_kong_takes_effect_at_once_and_cannot_be_robbed() {
    // Seat 2 waits for 9p.
    let hands = [
        "9p 999p 1m 123456789s",
        "3344p 112266778s",
        "78p 123456m 123p 44m",
        "1357m 13m 1166p 555p",
    ];
    let mut hand = Hand::with_voids(&Options::default(), 0, &hands, "smss", "2s");
    hand.act(0, Command::ConcealedKong(tile("9p")));
    assert_eq!(hand.turn(), Some(0));
    assert_eq!(hand.view(0).own.unwrap().drawn, Some(tile("2s")));
    let paid = ["concealed_kong 1>0 2", "concealed_kong 2>0 2", "concealed_kong 3>0 2"];
    assert_eq!(hand.ledger(), paid);
}

/// Seat 1 pungs 5m, holds the fourth, and is on turn again after drawing 9s.
fn a_delayed_kong(rule: DelayedAddedKong) -> Hand {
    let options = Options { delayed_added_kong: rule, ..Options::default() };
    let hands = [
        "5m 123456789s 1234s",
        "555m 2246m 367p 88p 9p",
        "1144p 112266778s",
        "13m 1379m 2468p 579p",
    ];
    let mut hand = Hand::with_voids(&options, 0, &hands, "ssms", "9s 9s 9s 8s");
    hand.discard(0, "5m").act(1, Command::Pung).close();
    hand.pass_around(1, "9p").pass_around(2, "9s").pass_around(3, "9s").pass_around(0, "9s");
    hand
}

#[test]
fn a_delayed_added_kong_is_paid_unpaid_or_forbidden() {
    let kong = Command::AddedKong(tile("5m"));
    let mut hand = a_delayed_kong(DelayedAddedKong::Pay);
    hand.act(1, kong).everybody_passes().close();
    assert_eq!(hand.nets(), [-1, 3, -1, -1]);

    let mut hand = a_delayed_kong(DelayedAddedKong::NoPay);
    hand.act(1, kong).everybody_passes().close();
    assert_eq!(hand.nets(), [0, 0, 0, 0]);
    assert_eq!(hand.turn(), Some(1));

    let mut hand = a_delayed_kong(DelayedAddedKong::Forbid);
    assert_eq!(hand.refused(1, kong), "kong_not_possible");
}

#[test]
fn an_added_kong_of_the_drawn_tile_is_always_allowed_and_paid() {
    for rule in DelayedAddedKong::ALL {
        let options = Options { delayed_added_kong: *rule, ..Options::default() };
        let hands = [
            "5m 123456789s 1234s",
            "55m 22246m 367p 88p 9p",
            "1144p 112266778s",
            "13m 1379m 2468p 57p 9p",
        ];
        let mut hand = Hand::with_voids(&options, 0, &hands, "ssms", "9s 9s 9s 5m");
        hand.discard(0, "5m").act(1, Command::Pung).close();
        hand.pass_around(1, "9p").pass_around(2, "9s").pass_around(3, "9s").pass_around(0, "9s");
        hand.act(1, Command::AddedKong(tile("5m"))).everybody_passes().close();
        assert_eq!(hand.nets(), [-1, 3, -1, -1], "{rule:?}");
    }
}

#[test]
fn with_the_last_tile_there_is_a_win_or_a_discard_but_no_kong() {
    let hands =
        ["9s 123456789s 1234s", "1111m 22246m 3679p", "1144p 112266778s", "3333m 79m 2468p 57p 9p"];
    let mut hand = Hand::with_voids(&Options::default(), 0, &hands, "ssms", "9p");
    let round = hand.state.round.as_mut().unwrap();
    round.wall.truncate(round.taken + 1);
    hand.pass_around(0, "9s");
    assert_eq!(hand.refused(1, Command::ConcealedKong(tile("1m"))), "kong_not_possible");
}

#[test]
fn void_tiles_come_first_where_the_room_says_so() {
    let hands =
        ["9s 5s 123456789m 11p 2p", "1144p 112266778s", "3344p 112266778s", "55667788p 33445s"];
    let free = Options::default();
    let mut hand = Hand::with_voids(&free, 0, &hands, "smmm", "");
    assert_eq!(hand.legal(0).len(), 13);
    hand.discard(0, "1m");

    let forced = Options { force_discard_void: true, ..free };
    let mut hand = Hand::with_voids(&forced, 0, &hands, "smmm", "");
    assert_eq!(hand.legal(0), ["5s", "9s"].map(|text| Command::Discard(tile(text))));
    assert_eq!(hand.refused(0, Command::Discard(tile("1m"))), "must_discard_void");
}

#[test]
fn when_time_runs_out_the_drawn_tile_goes() {
    let hands =
        ["5p 5s 123456789m 11p 2p", "1144p 112266778s", "3344p 112266778s", "55667788p 33445s"];
    let default = |options: &Options| {
        let hand = Hand::with_voids(options, 0, &hands, "smmm", "");
        Mahjong::awaiting(&hand.state).seats[0].default
    };
    assert_eq!(default(&Options::default()), Command::Discard(tile("5p")));
    let forced = Options { force_discard_void: true, ..Options::default() };
    assert_eq!(default(&forced), Command::Discard(tile("5s")));
}

#[test]
fn the_default_void_suit_is_the_smallest_one() {
    let hands = [
        "1m 1m 23456p 1234567s",
        "1144p 112266778s",
        "1234m 5678p 12345s",
        "1234m 56789m 5s 5s 8p 9p",
    ];
    let hand = Hand::deal(&Options::default(), 0, &hands, "");
    let defaults: Vec<Command> =
        Mahjong::awaiting(&hand.state).seats.iter().map(|pending| pending.default).collect();
    let suits = [Suit::Characters, Suit::Characters, Suit::Characters, Suit::Dots];
    assert_eq!(defaults, suits.map(Command::ChooseVoid));
}

#[test]
fn void_choices_are_secret_final_and_revealed_together() {
    let hands = [
        "1m 1m 23456p 1234567s",
        "1144p 112266778s",
        "1234m 5678p 12345s",
        "1234m 56789m 5s 5s 8p 9p",
    ];
    let mut hand = Hand::deal(&Options::default(), 0, &hands, "");
    assert_eq!(hand.view(3).own.unwrap().hints.void, Some(Suit::Dots));
    hand.act(1, Command::ChooseVoid(Suit::Characters));
    assert_eq!(hand.refused(1, Command::ChooseVoid(Suit::Dots)), "already_chosen");
    let view = hand.view(0);
    assert!(view.seats[1].has_chosen && view.seats[1].void.is_none());
    assert_eq!(hand.view(1).own.unwrap().void, Some(Suit::Characters));
    for seat in [0, 2, 3] {
        hand.act(seat, Command::ChooseVoid(Suit::Characters));
    }
    assert!(hand.view(0).seats.iter().all(|seat| seat.void == Some(Suit::Characters)));
    assert_eq!(hand.turn(), Some(0));
}

const EXCHANGE: [&str; 4] =
    ["1m 111222333m 444m 1p", "111222333p 444p 1s", "111222333s 444s 5s", "555666777m 888m 9m"];

#[test]
fn exchanged_tiles_move_by_the_die() {
    let options = Options { huan_san_zhang: true, ..Options::default() };
    let mut shifts = [0; 4];
    for seed in 0..60 {
        let mut hand = Hand::deal(&options, 0, &EXCHANGE, "");
        let gifts = ["111m", "111p", "111s", "555m"].map(tiles);
        let mut events = Vec::new();
        for (seat, gift) in (0..).map(Seat).zip(&gifts) {
            let command = Command::Exchange([gift[0], gift[1], gift[2]]);
            let actor = Actor::Seat(seat);
            events = Mahjong::decide(&hand.state, actor, &command, &entropy(seed)).unwrap();
            events.iter().for_each(|event| Mahjong::evolve(&mut hand.state, event));
        }
        let Some(Event::Exchanged { die, shift, gifts: moved }) = events.last() else {
            panic!("nothing moved: {events:?}");
        };
        let expected = match die {
            1 | 2 => 1,
            3 | 4 => 2,
            _ => 3,
        };
        assert_eq!(*shift, expected);
        shifts[usize::from(expected)] += 1;
        for gift in moved {
            assert_eq!(gift.to, gift.from.after(expected, 4));
        }
        let first = hand.round().player(Seat(expected)).unwrap();
        assert!(first.tiles.count(tile("1m")) >= 3, "seat {expected} has what seat 0 gave");
    }
    assert!(shifts[1..].iter().all(|count| *count > 5), "{shifts:?}");
}

#[test]
fn an_exchange_is_three_tiles_of_one_suit_from_the_hand() {
    let options = Options { huan_san_zhang: true, ..Options::default() };
    let mut hand = Hand::deal(&options, 0, &EXCHANGE, "");
    let give = |text: &str| {
        let gift = tiles(text);
        Command::Exchange([gift[0], gift[1], gift[2]])
    };
    assert_eq!(hand.refused(0, give("11m1p")), "bad_exchange");
    assert_eq!(hand.refused(0, give("999m")), "bad_exchange");
    assert_eq!(hand.refused(2, give("555s")), "bad_exchange");
    assert_eq!(hand.refused(0, Command::ChooseVoid(Suit::Dots)), "wrong_phase");
    hand.act(0, give("123m"));
    assert_eq!(hand.refused(0, give("123m")), "already_chosen");
    assert_eq!(hand.view(0).own.unwrap().gift, Some([tile("1m"), tile("2m"), tile("3m")]));
    assert!(hand.view(1).seats[0].has_chosen);
}

#[test]
fn the_default_exchange_is_the_lowest_of_the_smallest_suit() {
    let options = Options { huan_san_zhang: true, ..Options::default() };
    let hands = [
        "1m 1m 1234p 1234567s 9s",
        "1144p 112266778s",
        "3456m 5678p 12345s",
        "1234m 56789m 5s 5s 8p 9p",
    ];
    let hand = Hand::deal(&options, 0, &hands, "");
    let defaults = Mahjong::awaiting(&hand.state).seats;
    let given: Vec<String> = defaults
        .iter()
        .map(|pending| match pending.default {
            Command::Exchange(gift) => written(&gift),
            _ => String::new(),
        })
        .collect();
    assert_eq!(given, ["123p", "114p", "345m", "123m"]);
}

/// What the dealer wins with the dealt tiles.
fn heavenly(rule: TianDiHu) -> Vec<(Fan, u8)> {
    let options = Options { tian_di_hu: rule, max_fan: 5, ..Options::default() };
    let hands =
        ["9m 12345678m 123p 55p", "1144p 112266778s", "3344p 112266778s", "66778899p 33445s"];
    let mut hand = Hand::with_voids(&options, 0, &hands, "smmm", "");
    hand.act(0, Command::Win);
    breakdown(&hand)
}

fn breakdown(hand: &Hand) -> Vec<(Fan, u8)> {
    let won = hand.events.iter().find_map(|event| match event {
        Event::Won { score, .. } => Some(score.breakdown.to_vec()),
        _ => None,
    });
    won.unwrap()
}

#[test]
fn the_dealer_may_win_with_the_dealt_tiles() {
    assert!(!heavenly(TianDiHu::Off).iter().any(|(fan, _)| *fan == Fan::Tianhu));
    assert!(heavenly(TianDiHu::Add).contains(&(Fan::Tianhu, 3)));
    assert!(heavenly(TianDiHu::Cap).contains(&(Fan::Tianhu, 4)));
}

#[test]
fn a_win_on_the_dealers_first_discard_or_the_first_draw_is_earthly() {
    let options = Options { tian_di_hu: TianDiHu::Add, max_fan: 5, ..Options::default() };
    let hands =
        ["9m 123456789s 1234s", "12345678m 123p 55p", "3344p 66778899s 7p", "66778899p 5567s 2p"];
    let mut hand = Hand::with_voids(&options, 0, &hands, "ssmm", "9m");
    hand.discard(0, "9m").act(1, Command::Win).close();
    assert!(breakdown(&hand).contains(&(Fan::Dihu, 2)));

    let mut hand = Hand::with_voids(&options, 0, &hands, "ssmm", "9m");
    hand.pass_around(0, "9s").act(1, Command::Win);
    assert!(breakdown(&hand).contains(&(Fan::Dihu, 2)));

    // Not after anybody's meld.
    let hands =
        ["9m 1111p 3456789s 12s", "12345678m 345p 55p", "3344p 66778899s 7p", "66778899p 5567s 2p"];
    let mut hand = Hand::with_voids(&options, 0, &hands, "ssmm", "9s");
    hand.act(0, Command::ConcealedKong(tile("1p"))).discard(0, "9m").act(1, Command::Win).close();
    assert!(!breakdown(&hand).iter().any(|(fan, _)| *fan == Fan::Dihu));
}

/// Seat 1 makes a direct kong of seat 0's tile and wins with the replacement.
fn a_win_after_a_direct_kong(rule: DianGangHua, zimo: Zimo) -> Hand {
    let options = Options { dian_gang_hua: rule, zimo, max_fan: 5, ..Options::default() };
    let hands = [
        "5m 123456789s 1234s",
        "555m 123m 123p 12p 88p",
        "3344p 66778899s 7p",
        "66778899p 5567s 2p",
    ];
    let mut hand = Hand::with_voids(&options, 0, &hands, "ssmm", "3p");
    hand.discard(0, "5m").act(1, Command::Kong).close().act(1, Command::Win);
    hand
}

#[test]
fn a_win_after_a_direct_kong_is_paid_by_the_feeder_or_by_all() {
    let hand = a_win_after_a_direct_kong(DianGangHua::Dianpao, Zimo::Di);
    assert_eq!(hand.ledger(), ["direct_kong 0>1 2", "hu_dian_gang_hua 0>1 4"]);
    let hand = a_win_after_a_direct_kong(DianGangHua::Zimo, Zimo::Di);
    assert_eq!(hand.ledger()[1..], ["hu_zimo 0>1 5", "hu_zimo 2>1 5", "hu_zimo 3>1 5"]);
    // 自摸加番 counts where the win is settled as a self-draw.
    let fan = |rule| breakdown(&a_win_after_a_direct_kong(rule, Zimo::Fan));
    assert!(!fan(DianGangHua::Dianpao).contains(&(Fan::Zimo, 1)));
    assert!(fan(DianGangHua::Zimo).contains(&(Fan::Zimo, 1)));
}

#[test]
fn hints_name_the_discards_that_leave_the_hand_ready() {
    let hands =
        ["9p 12345678m 123p 55p", "1144p 112266778s", "3344p 112266778s", "66778899p 33445s"];
    let hand = Hand::with_voids(&Options::default(), 0, &hands, "smmm", "");
    let own = hand.view(0).own.unwrap();
    assert_eq!(own.drawn, Some(tile("9p")));
    let ready = own.hints.discards.iter().find(|ready| ready.discard == tile("9p")).unwrap();
    let waits: Vec<_> = ready.waits.iter().map(|wait| (wait.tile, wait.remaining)).collect();
    assert_eq!(waits, [(tile("3m"), 3), (tile("6m"), 3), (tile("9m"), 4)]);
    assert!(ready.waits.iter().all(|wait| wait.fan == 1), "门清");
}
