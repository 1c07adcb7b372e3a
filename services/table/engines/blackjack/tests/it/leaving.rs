//! What the table does in the name of whoever is gone or late (rules: blackjack 9).

use parlor_blackjack::{Blackjack, Command, Options};
use parlor_game::{Actor, Game, Seat};

use crate::support::{Setting, Table, apply, entrants, entropy};

#[test]
fn the_table_gives_one_leave_for_a_seat_in_the_round() {
    let mut table = Setting::read("seats=3").open("10S 10H 9S 5H 6H 8S");
    for seat in [0, 1] {
        assert_eq!(Blackjack::leave(&table.state, Seat(seat)), Some(Command::Leave));
        table.give(Seat(seat), &Command::Leave).unwrap();
        assert_eq!(Blackjack::leave(&table.state, Seat(seat)), None);
    }
    assert_eq!(Blackjack::leave(&table.state, Seat(5)), None);
    let idle = Blackjack::open(&Options::default()).unwrap();
    assert_eq!(Blackjack::leave(&idle, Seat(0)), None);
}

#[test]
fn each_phase_has_its_clock_and_its_default() {
    let mut table = Setting::read("seats=3").open("10S 10H AS 5H 6H 8S");
    let asked = |table: &Table| {
        let awaiting = Blackjack::awaiting(&table.state);
        assert!(awaiting.system.is_none());
        awaiting
            .seats
            .into_iter()
            .map(|pending| (pending.seat.0, pending.clock_ms, pending.default))
            .collect::<Vec<_>>()
    };
    let betting = [(1, 20_000, Command::SitOut), (2, 20_000, Command::SitOut)];
    assert_eq!(asked(&table), betting);
    table.act("2:bet 20").unwrap();
    assert_eq!(asked(&table), betting[..1]);
    table.act("bet 20").unwrap();
    let declined = |seat| (seat, 15_000, Command::DeclineInsurance);
    assert_eq!(asked(&table), [declined(1), declined(2)]);
    table.act("timeout").unwrap();
    assert_eq!(asked(&table), [(1, 20_000, Command::Stand)]);
    table.act("timeout").unwrap();
    assert_eq!(asked(&table), [(2, 20_000, Command::Stand)]);
    table.act("timeout").unwrap();
    assert_eq!(asked(&table), []);
}

#[test]
fn the_clock_starts_anew_with_every_question_and_not_for_others_answers() {
    let mut table = Setting::read("seats=3").open("8S 10H AS 8H 6H 9S 2S 3S 2D");
    let question = |table: &Table| {
        Blackjack::awaiting(&table.state).seats.first().map(|pending| pending.decision)
    };
    let bets = question(&table);
    table.act("bet 20").unwrap();
    assert_eq!(question(&table), bets, "seat 2 is still asked for its bet");
    let mut last = bets;
    // Insurance, the play, a split, a hit, the second hand, the next seat: each is a new question.
    for action in ["2:bet 20", "timeout", "split", "hit", "stand", "stand"] {
        table.act(action).unwrap();
        assert!(question(&table) > last, "after {action}");
        last = question(&table);
    }
}

#[test]
fn whoever_leaves_while_bots_play_is_still_paid() {
    let options = Options::default();
    for number in 0..300 {
        let (entropy, mut choices) = (entropy(number), entropy(number).labelled("leave"));
        let mut state = Blackjack::open(&options).unwrap();
        let events = Blackjack::deal(&state, &entrants(4, Some(500)), &entropy).unwrap();
        apply(&mut state, &events);
        let mut last = Vec::new();
        while let Some(pending) = Blackjack::awaiting(&state).seats.first().cloned() {
            let leaver = Seat(u8::try_from(choices.below(4)).unwrap());
            let leave = Blackjack::leave(&state, leaver).filter(|_| choices.chance(1, 6));
            let (seat, command) = match leave {
                Some(leave) => (leaver, leave),
                None => {
                    let legal = Blackjack::legal(&state, pending.seat);
                    (pending.seat, legal[0].clone())
                }
            };
            last = Blackjack::decide(&state, Actor::Seat(seat), &command, &entropy).unwrap();
            apply(&mut state, &last);
            let here = Blackjack::awaiting(&state).seats;
            assert!(here.iter().all(|it| Blackjack::leave(&state, it.seat).is_some()));
        }
        let result = last.iter().find_map(Blackjack::hand_result);
        assert!(result.is_some(), "round {number} did not end");
    }
}
