//! No view and no event tells what its viewer may not know (rules: blackjack 11).

use parlor_blackjack::{Blackjack, Command};
use parlor_game::playout::check_secrecy;
use parlor_game::{Actor, Game, Seat, Viewer};

use crate::playout::{random_entrants, random_options};
use crate::support::{Setting, apply, entropy};

#[test]
fn nobody_can_tell_apart_what_differs_only_in_hidden_cards() {
    let mut face_down = 0;
    for number in 0..250 {
        let mut choices = entropy(number).labelled("choices");
        let options = random_options(&mut choices);
        face_down += usize::from(!options.player_cards_public);
        let key = entropy(number);
        let mut state = Blackjack::open(&options).unwrap();
        let entrants = random_entrants(&options, &mut choices);
        for _ in 0..2 {
            let Ok(events) = Blackjack::deal(&state, &entrants, &key) else { break };
            apply(&mut state, &events);
            check_secrecy::<Blackjack>(&state, &events, options.seats, &key).unwrap();
            while let Some(pending) = Blackjack::awaiting(&state).seats.first().cloned() {
                let legal = Blackjack::legal(&state, pending.seat);
                let pick = choices.below(u32::try_from(legal.len()).unwrap());
                let command = &legal[usize::try_from(pick).unwrap()];
                let actor = Actor::Seat(pending.seat);
                let events = Blackjack::decide(&state, actor, command, &key).unwrap();
                apply(&mut state, &events);
                check_secrecy::<Blackjack>(&state, &events, options.seats, &key)
                    .unwrap_or_else(|leak| panic!("table {number}: {leak}\n{options:?}"));
            }
        }
    }
    assert!(face_down > 50);
}

#[test]
fn the_hole_card_is_in_nobodys_view_but_the_auditors() {
    let mut table = Setting::read("").open("10S 9S 5H 7D");
    table.act("bet 20").unwrap();
    let seen = |viewer| Blackjack::view(&table.state, viewer).banker.unwrap();
    let players = [0, 1].map(|seat| Viewer::Seat(Seat(seat)));
    for viewer in players.into_iter().chain([Viewer::Spectator]) {
        let banker = seen(viewer);
        assert_eq!((banker.cards.len(), banker.face_down), (1, 1), "{viewer:?}");
        assert_eq!(banker.total.unwrap().points, 9);
    }
    assert_eq!(seen(Viewer::Auditor).cards.len(), 2);
}

#[test]
fn closed_hands_are_seen_by_their_seat_only() {
    let mut table = Setting::read("closed seats=3").open("10S 10H 9S 5H 6H 8S");
    table.act("bet 20").unwrap();
    table.act("2:bet 20").unwrap();
    for viewer in 0..3 {
        let view = Blackjack::view(&table.state, Viewer::Seat(Seat(viewer)));
        for seat in &view.seats {
            let hand = &seat.hands[0];
            let own = seat.seat.0 == viewer;
            assert_eq!((hand.cards.len(), hand.face_down), if own { (2, 0) } else { (0, 2) });
            assert_eq!(hand.total.is_some(), own);
        }
    }
}

#[test]
fn a_closed_natural_is_not_betrayed_by_what_the_banker_can_cover() {
    let can_double = |setting: &str, cards: &str| {
        let mut table = Setting::read(setting).open(cards);
        table.act("bet 20").unwrap();
        table.act("2:bet 20").unwrap();
        if table.state.round().unwrap().turn.unwrap().seat == Seat(1) {
            table.act("stand").unwrap();
        }
        Blackjack::legal(&table.state, Seat(2)).contains(&Command::Double)
    };
    let (natural, other) = ("AS 6S 9H KS 5H 10H", "9S 6S 9H KS 5H 10H");
    // The banker can cover the double unless 10 more are reserved for a natural.
    assert!(!can_double("seats=3 bank=69", natural));
    assert!(can_double("seats=3 bank=69", other));
    assert!(!can_double("closed seats=3 bank=69", natural));
    assert!(!can_double("closed seats=3 bank=69", other));
}
