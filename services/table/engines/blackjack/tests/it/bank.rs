//! Who keeps the bank (rules: blackjack 5 and 7).

use parlor_blackjack::options::BankerMode;
use parlor_blackjack::{Blackjack, Command, Event, Options, State};
use parlor_game::{Actor, Amount, Entrant, Game, Refusal, Seat};

use crate::support::{apply, entrants, entropy};

fn rotating(rounds: u16) -> Options {
    Options { banker_mode: BankerMode::Rotate, banker_rounds: rounds, ..Options::default() }
}

/// Opens the next round; gives back its banker.
fn open(state: &mut State, entrants: &[Entrant]) -> Result<Seat, Refusal> {
    let events = Blackjack::deal(state, entrants, &entropy(1))?;
    apply(state, &events);
    Ok(state.round().unwrap().banker.seat)
}

/// Opens the next round and lets everybody sit out.
fn next(state: &mut State, entrants: &[Entrant]) -> Result<u8, Refusal> {
    let banker = open(state, entrants)?;
    for pending in Blackjack::awaiting(state).seats {
        let actor = Actor::Seat(pending.seat);
        let events = Blackjack::decide(state, actor, &Command::SitOut, &entropy(1)).unwrap();
        apply(state, &events);
    }
    assert!(!Blackjack::in_hand(state));
    Ok(banker.0)
}

fn bankers(options: &Options, entrants: &[Entrant], rounds: usize) -> Vec<u8> {
    let mut state = Blackjack::open(options).unwrap();
    (0..rounds).map(|_| next(&mut state, entrants).unwrap()).collect()
}

fn only(seats: &[u8], stack: i64) -> Vec<Entrant> {
    let stack = Some(Amount(stack));
    seats.iter().map(|&seat| Entrant { seat: Seat(seat), stack }).collect()
}

#[test]
fn a_fixed_bank_stays_where_it_is() {
    let options = Options { banker: Seat(2), ..Options::default() };
    assert_eq!(bankers(&options, &entrants(4, Some(500)), 3), [2, 2, 2]);
}

#[test]
fn a_rotating_bank_moves_clockwise_after_its_rounds() {
    assert_eq!(bankers(&rotating(1), &entrants(3, Some(500)), 5), [0, 1, 2, 0, 1]);
    assert_eq!(bankers(&rotating(2), &entrants(3, Some(500)), 5), [0, 0, 1, 1, 2]);
    let options = Options { banker: Seat(3), ..rotating(1) };
    assert_eq!(bankers(&options, &entrants(4, Some(500)), 3), [3, 0, 1]);
}

#[test]
fn a_rotating_bank_passes_over_who_is_absent_or_too_poor() {
    assert_eq!(bankers(&rotating(1), &only(&[1, 3], 500), 3), [1, 3, 1]);
    let mut seats = entrants(3, Some(500));
    // 15 for each of two opponents is what the lowest bets may win.
    seats[1].stack = Some(Amount(29));
    assert_eq!(bankers(&rotating(1), &seats, 3), [0, 2, 0]);
    seats[1].stack = Some(Amount(30));
    assert_eq!(bankers(&rotating(1), &seats, 3), [0, 1, 2]);
}

#[test]
fn a_banker_who_is_gone_loses_the_bank_before_its_rounds_are_over() {
    let mut state = Blackjack::open(&rotating(3)).unwrap();
    assert_eq!(next(&mut state, &only(&[0, 1, 2], 500)).unwrap(), 0);
    assert_eq!(next(&mut state, &only(&[1, 2], 500)).unwrap(), 1);
    assert_eq!(next(&mut state, &only(&[0, 1, 2], 500)).unwrap(), 1);
    assert_eq!(next(&mut state, &only(&[0, 1, 2], 500)).unwrap(), 1);
    assert_eq!(next(&mut state, &only(&[0, 1, 2], 500)).unwrap(), 2);
}

#[test]
fn a_lone_eligible_banker_keeps_the_bank_of_a_rotating_table() {
    let mut seats = entrants(3, Some(20));
    seats[2].stack = Some(Amount(500));
    assert_eq!(bankers(&rotating(1), &seats, 3), [2, 2, 2]);
}

#[test]
fn the_table_waits_until_somebody_can_keep_the_bank() {
    for (options, seats) in [
        // The fixed banker is not there, or too poor for the lowest bet and the fee.
        (Options { banker: Seat(3), ..Options::default() }, only(&[0, 1, 2], 500)),
        (Options::default(), only(&[0, 1], 14)),
        (Options { commission_flat: Amount(3), ..Options::default() }, only(&[0, 1], 17)),
        (Options { min_banker_stack: Amount(501), ..Options::default() }, only(&[0, 1], 500)),
        (rotating(1), only(&[0, 1, 2], 29)),
    ] {
        let mut state = Blackjack::open(&options).unwrap();
        let before = state.clone();
        let refusal = open(&mut state, &seats).unwrap_err();
        assert_eq!(refusal.reason, "waiting_for_banker");
        assert_eq!(state, before);
        let rich: Vec<_> =
            seats.iter().map(|it| Entrant { stack: Some(Amount(1_000)), ..*it }).collect();
        let comes = options.banker_mode == BankerMode::Rotate || options.banker == Seat(0);
        assert_eq!(open(&mut state, &rich).is_ok(), comes);
    }
}

#[test]
fn in_points_mode_anybody_can_keep_the_bank() {
    let options = Options { min_banker_stack: Amount(1_000), ..rotating(1) };
    assert_eq!(bankers(&options, &entrants(3, None), 3), [0, 1, 2]);
}

#[test]
fn entrants_that_are_no_seats_of_the_table_are_refused() {
    let mut state = Blackjack::open(&Options::default()).unwrap();
    for seats in [&[0][..], &[], &[0, 4], &[1, 0], &[0, 0], &[0, 1, 1]] {
        assert_eq!(open(&mut state, &only(seats, 500)).unwrap_err().reason, "invalid_entrants");
    }
    assert!(open(&mut state, &only(&[0, 3], 500)).is_ok());
    assert_eq!(open(&mut state, &only(&[0, 3], 500)).unwrap_err().reason, "round_running");
}

#[test]
fn a_table_with_an_end_ends() {
    let mut state = Blackjack::open(&Options { rounds: 2, ..Options::default() }).unwrap();
    assert!(!Blackjack::finished(&state));
    next(&mut state, &entrants(2, Some(500))).unwrap();
    open(&mut state, &entrants(2, Some(500))).unwrap();
    assert!(!Blackjack::finished(&state), "its last round still runs");
    let sit_out = Command::SitOut;
    let actor = Actor::Seat(Seat(1));
    let events = Blackjack::decide(&state, actor, &sit_out, &entropy(1)).unwrap();
    apply(&mut state, &events);
    assert!(Blackjack::finished(&state));
    let refusal = open(&mut state, &entrants(2, Some(500))).unwrap_err();
    assert_eq!(refusal.reason, "match_over");
}

#[test]
fn a_void_round_moves_nothing_and_is_over() {
    let mut state = Blackjack::open(&Options::default()).unwrap();
    open(&mut state, &entrants(2, Some(500))).unwrap();
    let actor = Actor::Seat(Seat(1));
    let events = Blackjack::decide(&state, actor, &Command::SitOut, &entropy(1)).unwrap();
    let end = events.last().unwrap();
    assert!(matches!(end, Event::Voided { .. }));
    assert!(Blackjack::hand_result(end).unwrap().transfers.is_empty());
}
