#![allow(clippy::unwrap_used)]

use parlor_blackjack::options::{Payout, Shuffle, Surrender};
use parlor_blackjack::{Blackjack, Event, Options, Settlement};
use parlor_game::{Amount, Entrant, Game, Seat};

use super::{BATCH, Played, STACK, Setup, Table, audit, simulate, simulate_with};

/// Rounds that tell an edge to a quarter of a percent or better.
const ROUNDS: u64 = 200_000;

fn figure(report: &crate::Report, name: &str) -> f64 {
    report.statistics[name].as_f64().unwrap()
}

/// The edge must lie within four standard errors of the published one (rules: blackjack 14).
fn check_edge(options: Options, published_bps: f64) {
    let report = simulate_with(&Setup { options, players: 1 }, ROUNDS, 11, &mut |_| {});
    assert_eq!(report.violations, 0, "{:?}", report.first_violation);
    let (edge, error) =
        (figure(&report, "player_edge_bps"), figure(&report, "player_edge_standard_error_bps"));
    assert!(error > 10.0 && error < 30.0, "{error}");
    assert!((edge - published_bps).abs() < 4.0 * error, "{edge} instead of {published_bps}");
}

fn eight_decks() -> Options {
    Options { decks: 8, surrender: Surrender::Off, ..Options::default() }
}

#[test]
fn eight_decks_cost_the_player_what_the_published_tables_say() {
    check_edge(eight_decks(), -42.0);
}

#[test]
fn naturals_at_six_to_five_cost_the_player_dearly() {
    let natural_payout = Payout { numerator: 6, denominator: 5 };
    check_edge(Options { natural_payout, ..eight_decks() }, -181.0);
}

#[test]
fn one_deck_favours_the_player() {
    check_edge(Options { decks: 1, ..eight_decks() }, 13.0);
}

#[test]
fn odd_tables_keep_every_invariant() {
    for (players, options) in [
        (7, Options::default()),
        (7, Options { decks: 2, commission_flat: Amount(1), ..Options::default() }),
        (3, Options { shuffle: Shuffle::CutCard, penetration_percent: 100, ..Options::default() }),
        (2, Options { dealer_peek: false, commission_win_bps: 500, ..Options::default() }),
    ] {
        let report = simulate_with(&Setup { options, players }, 10_000, 5, &mut |_| {});
        assert_eq!(report.violations, 0, "{:?}", report.first_violation);
        assert_eq!(report.hands, 10_000);
        assert!(figure(&report, "cards_per_round") > 2.5 * f64::from(players));
    }
}

#[test]
fn progress_is_reported_and_the_same_seed_plays_the_same_rounds() {
    let mut seen = Vec::new();
    let first = simulate(BATCH + 10, 3, &mut |done| seen.push(done));
    assert_eq!(seen, [BATCH, BATCH + 10]);
    let again = simulate(BATCH + 10, 3, &mut |_| {});
    assert_eq!(first.statistics, again.statistics);
    assert_ne!(first.statistics, simulate(BATCH + 10, 4, &mut |_| {}).statistics);
}

#[test]
fn settings_that_are_refused_are_a_violation() {
    let options = Options { decks: 0, ..Options::default() };
    let report = simulate_with(&Setup { options, players: 1 }, 10, 1, &mut |_| {});
    assert_eq!((report.hands, report.violations), (0, 1));
}

#[test]
fn a_round_that_makes_or_loses_a_chip_or_a_card_is_found_out() {
    let options = Options { seats: 2, ..Options::default() };
    let state = Blackjack::open(&options).unwrap();
    let entrants = [0, 1].map(|seat| Entrant { seat: Seat(seat), stack: Some(STACK) });
    let mut table = Table { state, seed: 1, hand: 0 };
    let round = table.round(&entrants).unwrap();
    assert!(audit(&round, &options).is_ok());
    let faults: [fn(&mut Settlement); 5] = [
        |settlement| settlement.house = Amount(1),
        |settlement| settlement.banker.delta = Amount(7),
        |settlement| settlement.banker.stack = Some(Amount(-1)),
        |settlement| settlement.cards_used += 1,
        |settlement| settlement.banker.cards[0] = settlement.banker.cards[1],
    ];
    for spoil in faults {
        let Some(Event::Settled { settlement, result, shoe }) = &round.end else { panic!() };
        let mut spoilt = (**settlement).clone();
        spoil(&mut spoilt);
        let end = Event::Settled { settlement: spoilt.into(), result: result.clone(), shoe: *shoe };
        let played = Played { end: Some(end), ..round };
        assert!(audit(&played, &options).is_err());
    }
}
