//! Claim windows: who is offered what, when they resolve, who comes first (rules: mahjong 3).

use parlor_game::{Audience, Game, Seat, Viewer};
use parlor_mahjong::event::Event;
use parlor_mahjong::options::{GuoShouHu, Pacing};
use parlor_mahjong::{Command, Mahjong, Options};

use crate::support::{Hand, tile};

/// Seat 0 discards 5m; seat 1 can pung it, seat 2 can win on it, seat 3 can do nothing.
const ONE_WINNER: [&str; 4] =
    ["5m 123456789s 1234s", "55m 222m 345p 667p 88p", "46m 123789m 11p 222p", "3344p 112266778s"];

/// Seat 0 discards 5m; seat 1 can kong it, seat 3 can win on it.
const KONG_AND_WIN: [&str; 4] =
    ["5m 123456789s 1234s", "555m 222m 345p 667p 8p", "3344p 112266778s", "46m 123789m 11p 222p"];

fn deal(hands: &[&str; 4], voids: &str, draws: &str) -> Hand {
    Hand::with_voids(&Options::default(), 0, hands, voids, draws)
}

#[test]
fn a_window_opens_after_every_discard_whoever_is_offered_something() {
    let pacing = Pacing { claim_pause_min_ms: 11, claim_pause_max_ms: 22, ..Pacing::default() };
    let options = Options { pacing, ..Options::default() };
    let mut hand = Hand::with_voids(&options, 0, &ONE_WINNER, "sssm", "");
    hand.discard(0, "9s");
    let awaiting = Mahjong::awaiting(&hand.state);
    assert!(awaiting.seats.is_empty());
    let system = awaiting.system.unwrap();
    assert_eq!((system.min_ms, system.max_ms), (11, 22));
    assert_eq!(system.command, Command::CloseWindow);
    assert_eq!(hand.turn(), None);
    hand.close();
    assert_eq!(hand.turn(), Some(1));
}

#[test]
fn offers_go_out_at_once_and_each_seat_knows_its_own_alone() {
    let mut hand = deal(&ONE_WINNER, "sssm", "");
    hand.discard(0, "5m");
    let awaiting = Mahjong::awaiting(&hand.state);
    let asked: Vec<Seat> = awaiting.seats.iter().map(|pending| pending.seat).collect();
    assert_eq!(asked, [Seat(1), Seat(2)]);
    assert!(awaiting.seats.iter().all(|pending| pending.audience == Audience::Own));
    assert!(awaiting.seats.iter().all(|pending| pending.default == Command::Pass));
    assert_eq!(hand.legal(1), [Command::Pung, Command::Pass]);
    assert_eq!(hand.legal(2), [Command::Win, Command::Pass]);
    for seat in [0, 3] {
        assert_eq!(hand.legal(seat), []);
        assert!(hand.view(seat).own.unwrap().offer.is_none());
        assert_eq!(hand.refused(seat, Command::Pass), "not_offered");
    }
}

#[test]
fn a_window_resolves_when_the_pause_is_over_and_all_have_answered() {
    let mut hand = deal(&ONE_WINNER, "sssm", "");
    hand.discard(0, "5m").act(2, Command::Pass).act(1, Command::Pung);
    assert!(hand.round().players[1].melds.is_empty(), "the pause is not over");
    hand.close();
    assert_eq!(hand.round().players[1].melds.len(), 1);

    let mut hand = deal(&ONE_WINNER, "sssm", "");
    hand.discard(0, "5m").close().act(1, Command::Pung);
    assert!(hand.round().players[1].melds.is_empty(), "seat 2 has not answered");
    let system = Mahjong::awaiting(&hand.state).system;
    assert!(system.is_none(), "the pause is taken once");
    hand.act(2, Command::Pass);
    assert_eq!(hand.round().players[1].melds.len(), 1);
}

#[test]
fn an_answer_is_seen_by_its_seat_alone_and_the_end_of_a_pause_by_nobody() {
    let mut hand = deal(&ONE_WINNER, "sssm", "");
    hand.discard(0, "5m").act(1, Command::Pass).close();
    let answered = &hand.events[hand.events.len() - 2];
    let paused = hand.events.last().unwrap();
    assert_eq!(*paused, Event::PauseElapsed);
    for viewer in (0..4).map(|seat| Viewer::Seat(Seat(seat))).chain([Viewer::Spectator]) {
        let own = viewer == Viewer::Seat(Seat(1));
        assert_eq!(Mahjong::redact(answered, viewer).is_some(), own);
        assert_eq!(Mahjong::redact(paused, viewer), None);
    }
}

#[test]
fn an_answer_is_final() {
    let mut hand = deal(&ONE_WINNER, "sssm", "");
    hand.discard(0, "5m").act(1, Command::Pung);
    assert_eq!(hand.refused(1, Command::Pass), "not_offered");
    assert_eq!(hand.refused(2, Command::Pung), "not_offered");
    assert_eq!(hand.refused(2, Command::Discard(tile("1m"))), "wrong_phase");
}

#[test]
fn a_win_voids_the_other_claims() {
    let mut hand = deal(&KONG_AND_WIN, "ssms", "");
    hand.discard(0, "5m");
    assert_eq!(hand.legal(1), [Command::Win, Command::Kong, Command::Pung, Command::Pass][1..]);
    hand.act(1, Command::Kong).act(3, Command::Win).close();
    assert!(hand.round().players[1].melds.is_empty());
    assert_eq!(hand.ledger(), ["hu_discard 0>3 4"]);
    assert_eq!(hand.turn(), Some(0), "the next unwon seat after the winner");
}

#[test]
fn a_direct_kong_is_paid_by_its_feeder_and_draws() {
    let mut hand = deal(&KONG_AND_WIN, "ssms", "9p");
    hand.discard(0, "5m").act(1, Command::Kong).act(3, Command::Pass).close();
    assert_eq!(hand.ledger(), ["direct_kong 0>1 2"]);
    assert_eq!(hand.turn(), Some(1));
    assert_eq!(hand.view(1).own.unwrap().drawn, Some(tile("9p")));
    assert!(hand.view(2).seats[0].discards.is_empty(), "the claimed tile has left the pond");
}

#[test]
fn after_a_pung_there_is_only_a_discard() {
    let hands = [
        "5m 123456789s 1234s",
        "55m 2222m 345p 667p 8p",
        "46m 777999m 11p 777p",
        "3344p 112266778s",
    ];
    let mut hand = deal(&hands, "sssm", "");
    // The hand holds four 2m, but it has not drawn.
    hand.discard(0, "5m").act(1, Command::Pung).act(2, Command::Pass).close();
    assert!(hand.legal(1).iter().all(|command| matches!(command, Command::Discard(_))));
    assert_eq!(hand.refused(1, Command::ConcealedKong(tile("2m"))), "kong_not_possible");
    assert_eq!(hand.refused(1, Command::Win), "win_not_possible");
    assert_eq!(hand.view(1).own.unwrap().drawn, None);
}

#[test]
fn void_tiles_are_never_offered() {
    let hands = [
        "5m 123456789s 1234s",
        "555m 222m 345p 667p 8p",
        "46m 123789m 11p 222p",
        "3344p 112266778s",
    ];
    // Seats 1 and 2 declare characters void.
    let mut hand = deal(&hands, "smmm", "");
    hand.discard(0, "5m");
    assert!(Mahjong::awaiting(&hand.state).seats.is_empty());
}

#[test]
fn the_turn_goes_on_after_the_last_winner() {
    let hands = [
        "5m 123456789s 1234s",
        "46m 123m 678p 11p 555p",
        "46m 123789m 22p 666p",
        "3344p 112266778s",
    ];
    let mut hand = deal(&hands, "sssm", "");
    hand.discard(0, "5m").act(2, Command::Win).act(1, Command::Win).close();
    assert_eq!(hand.turn(), Some(3));
    assert_eq!(hand.round().books.winners.as_slice(), [Seat(1), Seat(2)]);
    // The winners are out: seat 3 is followed by the dealer.
    let drawn = hand.view(3).own.unwrap().drawn.unwrap();
    hand.pass_around(3, &drawn.to_string());
    assert_eq!(hand.turn(), Some(0));
}

/// Seat 2 waits for 5m and 8m (34 fan on neither), and passes the first 5m.
fn after_a_passed_win(lock: GuoShouHu) -> Hand {
    let options = Options { guo_shou_hu: lock, ..Options::default() };
    let hands = [
        "5m 8m 123456789s 123s",
        "8m 5m 1133557799p 4p",
        "67m 123m 789m 99p 888p",
        "5m 24466p 1122334s",
    ];
    let mut hand = Hand::with_voids(&options, 0, &hands, "sssm", "9s 9s 9s");
    hand.discard(0, "5m").act(2, Command::Pass).close();
    hand
}

#[test]
fn a_passed_win_locks_that_tile_until_the_next_draw() {
    let mut hand = after_a_passed_win(GuoShouHu::SameTile);
    let view = hand.view(2);
    assert_eq!(view.own.unwrap().passed.len(), 1);
    hand.discard(1, "5m");
    assert_eq!(hand.legal(2), []);
    hand.close();
    assert!(hand.view(2).own.unwrap().passed.is_empty(), "the draw frees the seat");
    hand.pass_around(2, "9s");
    hand.discard(3, "5m");
    assert_eq!(hand.legal(2), [Command::Win, Command::Pass]);
}

#[test]
fn a_lock_on_one_tile_leaves_the_others_free() {
    let mut hand = after_a_passed_win(GuoShouHu::SameTile);
    hand.discard(1, "8m");
    assert_eq!(hand.legal(2), [Command::Win, Command::Pass]);
}

#[test]
fn a_lock_on_any_tile_holds_for_all_of_no_more_fan() {
    let mut hand = after_a_passed_win(GuoShouHu::AnyTile);
    hand.discard(1, "8m");
    assert_eq!(hand.legal(2), []);
}

#[test]
fn without_the_rule_nothing_is_locked() {
    let mut hand = after_a_passed_win(GuoShouHu::Off);
    hand.discard(1, "5m");
    assert_eq!(hand.legal(2), [Command::Win, Command::Pass]);
}

#[test]
fn a_locked_tile_may_be_taken_for_more_fan() {
    // Seat 1 makes a kong before it discards the same tile: 杠上炮 is worth one more.
    let hands =
        ["5m 123456789s 1234s", "5m 7777p 113355p 69p", "46m 123789m 22p 888p", "3344p 112266778s"];
    for lock in [GuoShouHu::SameTile, GuoShouHu::AnyTile] {
        let options = Options { guo_shou_hu: lock, ..Options::default() };
        let mut hand = Hand::with_voids(&options, 0, &hands, "sssm", "9s 9s");
        hand.discard(0, "5m").act(2, Command::Pass).close();
        hand.act(1, Command::ConcealedKong(tile("7p"))).discard(1, "5m");
        assert_eq!(hand.legal(2), [Command::Win, Command::Pass], "{lock:?}");
    }
}

#[test]
fn answering_with_a_pung_passes_the_win_and_does_not_free_the_seat() {
    // Seat 2 holds 55m and waits for 5m and 2p: it takes a pung and is locked on 5m.
    let hands =
        ["5m 123456789s 1234s", "3344p 112266778s", "55m 123789m 22p 888p", "5m 13579p 1234567p"];
    let options = Options { guo_shou_hu: GuoShouHu::AnyTile, ..Options::default() };
    let mut hand = Hand::with_voids(&options, 0, &hands, "smss", "");
    hand.discard(0, "5m");
    assert_eq!(hand.legal(2), [Command::Win, Command::Pung, Command::Pass]);
    hand.act(2, Command::Pung).close();
    assert_eq!(hand.view(2).own.unwrap().passed.len(), 1);
}

#[test]
fn a_lock_on_one_tile_ends_with_the_wall() {
    for (lock, free) in [(GuoShouHu::SameTile, true), (GuoShouHu::AnyTile, false)] {
        let options = Options { guo_shou_hu: lock, ..Options::default() };
        let hands = [
            "5m 123456789s 1234s",
            "5m 113355779p 44p 8p",
            "46m 123789m 22p 888p",
            "3344p 112266778s",
        ];
        let mut hand = Hand::with_voids(&options, 0, &hands, "sssm", "9s");
        let round = hand.state.round.as_mut().unwrap();
        round.wall.truncate(round.taken + 1);
        hand.discard(0, "5m").act(2, Command::Pass).close();
        hand.discard(1, "5m");
        assert_eq!(hand.legal(2).contains(&Command::Win), free, "{lock:?}");
    }
}

#[test]
fn three_players_need_a_fan_to_win_on_a_discard() {
    let hands = ["3p 5556667778889s", "12p 123p 456p 123s 99s", "1133779p 223344s"];
    let plain = Options { players: 3, menqing: false, ..Options::default() };
    let mut hand = Hand::deal(&plain, 0, &hands, "");
    hand.discard(0, "3p");
    assert_eq!(hand.legal(1), [], "raw fan 0");
    hand.close();
    assert!(hand.view(1).own.unwrap().passed.is_empty(), "what is not offered is not passed");

    let allowed = Options { dianpao_pinghu: true, ..plain.clone() };
    let mut hand = Hand::deal(&allowed, 0, &hands, "");
    hand.discard(0, "3p");
    assert_eq!(hand.legal(1), [Command::Win, Command::Pass]);

    let hands = ["3p 5555667778889s", "12p 123p 456p 123s 99s", "1133779p 223344s"];
    let mut hand = Hand::deal(&plain, 0, &hands, "1s");
    hand.act(0, Command::ConcealedKong(tile("5s"))).discard(0, "3p");
    assert_eq!(hand.legal(1), [Command::Win, Command::Pass], "杠上炮 makes it one fan");
}

#[test]
fn the_last_discard_can_be_won_or_punged_but_not_konged() {
    let mut hand = deal(&KONG_AND_WIN, "ssms", "");
    let round = hand.state.round.as_mut().unwrap();
    round.wall.truncate(round.taken);
    hand.discard(0, "5m");
    assert_eq!(hand.legal(1), [Command::Pung, Command::Pass]);
    assert_eq!(hand.legal(3), [Command::Win, Command::Pass]);
    hand.act(3, Command::Pass).act(1, Command::Pung).close();
    assert_eq!(hand.turn(), Some(1), "a pung of it goes on");
    hand.pass_around(1, "8p");
    assert!(!Mahjong::in_hand(&hand.state), "nobody can draw");
}

#[test]
fn a_robbed_kong_does_not_exist() {
    let hand = crate::goldens::robbed_kong();
    let declarer = &hand.view(0).seats[1];
    assert_eq!(declarer.melds[0].kind, parlor_mahjong::meld::MeldKind::Pung);
    assert_eq!(declarer.concealed, 10);
    assert_eq!(declarer.discards.last(), Some(&tile("5m")));
    assert_eq!(hand.ledger(), ["hu_rob_kong 1>3 8"]);
    assert_eq!(hand.turn(), Some(0));
}
