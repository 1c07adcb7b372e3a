//! Matches of several hands: dealers, the end, the score sheet (rules: mahjong 8, 10).

use parlor_game::{Actor, Amount, Game, Seat, Viewer};
use parlor_mahjong::event::Event;
use parlor_mahjong::options::{DrawDealer, MultiWinDealer};
use parlor_mahjong::{Command, Mahjong, Options, State};

use crate::goldens;
use crate::support::{Hand, entrants, entropy, open};

/// Bots play one hand.
fn play_hand(state: &mut State, seed: u64) -> Vec<Event> {
    let mut played = Mahjong::deal(state, &entrants(4, None), &entropy(seed)).unwrap();
    played.iter().for_each(|event| Mahjong::evolve(state, event));
    while Mahjong::in_hand(state) {
        let awaiting = Mahjong::awaiting(state);
        let (actor, command) = match awaiting.seats.first() {
            Some(pending) => {
                let view = Mahjong::view(state, Viewer::Seat(pending.seat));
                (Actor::Seat(pending.seat), Mahjong::bot(&view).unwrap())
            }
            None => (Actor::System, awaiting.system.unwrap().command),
        };
        let events = Mahjong::decide(state, actor, &command, &entropy(seed)).unwrap();
        events.iter().for_each(|event| Mahjong::evolve(state, event));
        played.extend(events);
    }
    played
}

#[test]
fn a_match_has_its_number_of_hands_and_then_no_more() {
    for rounds in [1, 4, 8, 16] {
        let mut state = open(&Options { rounds, ..Options::default() });
        for hand in 1..=u32::from(rounds) {
            assert!(!Mahjong::finished(&state));
            let events = play_hand(&mut state, u64::from(hand));
            let over = events.iter().any(|event| matches!(event, Event::MatchEnded { .. }));
            assert_eq!(over, hand == u32::from(rounds));
        }
        assert!(Mahjong::finished(&state));
        assert!(Mahjong::view(&state, Viewer::Spectator).match_over);
        let refusal = Mahjong::deal(&state, &entrants(4, None), &entropy(0)).unwrap_err();
        assert_eq!(refusal.reason, "match_over");
    }
}

#[test]
fn the_sheet_sums_up_what_happened() {
    let mut state = open(&Options { rounds: 16, ..Options::default() });
    let mut events = Vec::new();
    for hand in 0..16 {
        events.extend(play_hand(&mut state, hand));
    }
    let sheet = &state.sheet;
    assert_eq!(sheet.hands.len(), 16);
    for (seat, line) in (0..).map(Seat).zip(&sheet.seats) {
        let total: Amount = sheet.hands.iter().map(|nets| nets[seat.index()]).sum();
        assert_eq!(line.total, total);
        let wins = events.iter().filter_map(|event| match event {
            Event::Won { seat: winner, from, .. } if *winner == seat => Some(from.is_none()),
            _ => None,
        });
        let (drawn, claimed): (Vec<bool>, Vec<bool>) = wins.partition(|drawn| *drawn);
        assert_eq!(usize::from(line.self_draws), drawn.len());
        assert_eq!(usize::from(line.claimed_wins), claimed.len());
        let fed = events.iter().flat_map(|event| match event {
            Event::Paid { payments, .. } => payments.clone(),
            _ => Vec::new(),
        });
        let fed = fed.filter(|payment| payment.from == seat && payment.why.is_fed_win());
        assert_eq!(usize::from(line.fed_wins), fed.count());
        let kongs = events
            .iter()
            .filter(|event| matches!(event, Event::KongMade { seat: maker, .. } if *maker == seat));
        let counted = line.concealed_kongs + line.exposed_kongs;
        assert_eq!(usize::from(counted), kongs.count());
    }
    let best = sheet.seats.iter().map(|line| line.total).max().unwrap();
    for seat in sheet.big_winners() {
        assert_eq!(sheet.seats[seat.index()].total, best);
    }
    let most = sheet.seats.iter().map(|line| line.fed_amount).max().unwrap();
    assert!(!sheet.most_paid().is_empty());
    for seat in sheet.most_paid() {
        assert_eq!(sheet.seats[seat.index()].fed_amount, most);
    }
    let Some(Event::MatchEnded { sheet: shown }) = events.last() else {
        panic!("the match has no end");
    };
    assert_eq!(shown, sheet);
}

#[test]
fn the_next_hand_is_dealt_by_the_seat_that_the_last_one_named() {
    let mut state = open(&Options { rounds: 8, ..Options::default() });
    let mut next = None;
    for hand in 0..8 {
        let events = play_hand(&mut state, hand);
        for event in &events {
            match event {
                Event::Dealt { dealer, number, .. } => {
                    assert_eq!(u64::from(*number), hand + 1);
                    assert!(next.is_none_or(|next| next == *dealer));
                }
                Event::HandEnded { next_dealer, .. } => next = Some(*next_dealer),
                _ => {}
            }
        }
    }
}

#[test]
fn after_a_hand_without_a_win_the_dealer_stays_or_the_next_seat_deals() {
    for (rule, dealer) in [(DrawDealer::Stay, 0), (DrawDealer::Next, 1)] {
        let options = Options { draw_dealer: rule, ..Options::default() };
        let hands = [
            "1s 123456789s 1234s",
            "9999p 1479m 12478p",
            "123m 11m 456p 678p 35p",
            "12345678p 56789s",
        ];
        let mut hand = Hand::with_voids(&options, 0, &hands, "sssm", "");
        hand.play_out();
        assert!(hand.round().books.winners.is_empty());
        assert_eq!(hand.state.next_dealer, Some(Seat(dealer)));
    }
}

#[test]
fn the_first_winner_deals_unless_a_tile_had_several() {
    let hand = goldens::kong_then_discard();
    let books = &hand.round().books;
    let options = &hand.state.options;
    assert_eq!(parlor_mahjong::settle::next_dealer(options, books), Seat(2));

    let hand = goldens::three_winners();
    assert_eq!(hand.state.next_dealer, Some(Seat(0)));
}

#[test]
fn later_tiles_with_several_winners_count_where_the_room_says_so() {
    // Seat 1 wins by its own draw first; then seat 2's discard has two winners.
    let hands = [
        "7p 46m 123m 678p 11p 555p",
        "12345678m 123p 88p",
        "5m 12345679s 1255s",
        "46m 123789m 22p 666p",
    ];
    for (rule, dealer) in [(MultiWinDealer::Any, 2), (MultiWinDealer::First, 1)] {
        let options = Options { multi_win_dealer: rule, ..Options::default() };
        let mut hand = Hand::with_voids(&options, 0, &hands, "ssss", "9m 9s");
        hand.pass_around(0, "7p").act(1, Command::Win);
        hand.discard(2, "5m").act(0, Command::Win).act(3, Command::Win).close();
        assert_eq!(hand.state.next_dealer, Some(Seat(dealer)), "{rule:?}");
    }
}

#[test]
fn every_seat_takes_part() {
    let state = open(&Options::default());
    for count in [0, 3, 5] {
        let refusal = Mahjong::deal(&state, &entrants(count, None), &entropy(0)).unwrap_err();
        assert_eq!(refusal.reason, "bad_entrants");
    }
}

#[test]
fn a_running_hand_is_not_dealt_over() {
    let mut state = open(&Options::default());
    for event in Mahjong::deal(&state, &entrants(4, None), &entropy(0)).unwrap() {
        Mahjong::evolve(&mut state, &event);
    }
    let refusal = Mahjong::deal(&state, &entrants(4, None), &entropy(0)).unwrap_err();
    assert_eq!(refusal.reason, "hand_in_progress");
}

#[test]
fn options_out_of_range_are_refused() {
    let default = Options::default();
    for options in [
        Options { players: 2, ..default.clone() },
        Options { base: Amount(0), ..default.clone() },
        Options { max_fan: 6, ..default.clone() },
        Options { rounds: 2, ..default.clone() },
    ] {
        assert_eq!(Mahjong::open(&options).unwrap_err().reason, "bad_option");
        assert_eq!(Mahjong::seats(&options).unwrap_err().reason, "bad_option");
    }
}

#[test]
fn every_refusal_is_listed() {
    assert!(Mahjong::REASONS.is_sorted());
}
