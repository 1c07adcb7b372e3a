//! The rules of the echo game.
#![allow(clippy::unwrap_used)]

use parlor_echo::{Command, Echo, Event, Options, SEATS, State, WORDS_MAX};
use parlor_game::fair::{Entropy, ServerSeed};
use parlor_game::{Actor, Entrant, Game, Seat, playout};

fn entropy() -> Entropy {
    Entropy::for_hand(&ServerSeed([7; 32]), &[1; 16], 1, core::iter::empty())
}

fn entrants() -> Vec<Entrant> {
    (0..SEATS).map(|seat| Entrant { seat: Seat(seat), stack: None }).collect()
}

fn opened(options: &Options) -> State {
    let mut state = Echo::open(options).unwrap();
    for event in Echo::deal(&state, &entrants(), &entropy()).unwrap() {
        Echo::evolve(&mut state, &event);
    }
    state
}

fn say(state: &State, seat: u8, number: u64, words: &[u8]) -> Result<Vec<Event>, &'static str> {
    let command = Command::Say { number, words: words.to_vec() };
    Echo::decide(state, Actor::Seat(Seat(seat)), &command, &entropy())
        .map_err(|refusal| refusal.reason)
}

#[test]
fn turns_and_numbers_are_checked() {
    let mut state = opened(&Options::default());
    assert_eq!(say(&state, 1, 0, b"x"), Err("not_your_turn"));
    assert_eq!(say(&state, 0, 1, b"x"), Err("wrong_number"));
    assert_eq!(say(&state, 0, 0, &[0; WORDS_MAX + 1]), Err("too_many_words"));
    let said = say(&state, 0, 0, b"forty bytes, or as many as one likes it").unwrap();
    let [event @ Event::Said { seat: Seat(0), number: 0, .. }] = said.as_slice() else {
        unreachable!("{said:?}")
    };
    Echo::evolve(&mut state, event);
    assert_eq!(say(&state, 0, 0, b"x"), Err("not_your_turn"));
    assert_eq!(state.turn(), Some(Seat(1)));
}

#[test]
fn a_hand_ends_with_its_last_turn_and_numbers_go_on() {
    let mut state = opened(&Options { turns: 3, ..Options::default() });
    for number in 0..3 {
        let seat = state.turn().unwrap().0;
        for event in say(&state, seat, number, b"").unwrap() {
            Echo::evolve(&mut state, &event);
        }
    }
    assert!(!Echo::in_hand(&state));
    for event in Echo::deal(&state, &entrants(), &entropy()).unwrap() {
        Echo::evolve(&mut state, &event);
    }
    assert_eq!((state.turn(), state.number()), (Some(Seat(0)), 3));
}

#[test]
fn options_out_of_range_are_refused() {
    for options in [
        Options { turns: 0, ..Options::default() },
        Options { turns: 1_001, ..Options::default() },
        Options { turn_ms: 0, ..Options::default() },
    ] {
        assert_eq!(Echo::open(&options).unwrap_err().reason, "bad_options");
    }
}

#[test]
fn the_contract_holds_on_random_hands() {
    let mut state = Echo::open(&Options { turns: 40, ..Options::default() }).unwrap();
    let mut choices = entropy().labelled("choices");
    for _ in 0..20 {
        playout::random_hand::<Echo>(&mut state, &entrants(), &entropy(), &mut choices).unwrap();
        playout::check_secrecy::<Echo>(&state, &[], SEATS, &entropy()).unwrap();
    }
}
