//! Settings that are refused (rules: blackjack 1).

use parlor_blackjack::options::{BET_MAX, Payout, Surrender};
use parlor_blackjack::{Blackjack, Options};
use parlor_game::{Amount, Game, Seat};

fn fault(change: impl FnOnce(&mut Options)) -> Option<String> {
    let mut options = Options::default();
    change(&mut options);
    let refusal = Blackjack::open(&options).err()?;
    assert_eq!(refusal.reason, "invalid_settings");
    assert!(Blackjack::seats(&options).is_err());
    Some(refusal.message.into_owned())
}

#[test]
fn each_setting_that_is_out_of_range_is_named() {
    type Change = fn(&mut Options);
    let cases: [(&str, Change); 23] = [
        ("min_bet", |it| it.min_bet = Amount(0)),
        ("min_bet", |it| it.min_bet = Amount(-10)),
        ("min_bet", |it| it.min_bet = Amount(101)),
        ("max_bet", |it| it.max_bet = BET_MAX + Amount(1)),
        ("bet_step", |it| it.bet_step = Amount(0)),
        ("bet_step", |it| it.bet_step = Amount(101)),
        ("natural_payout", |it| it.natural_payout = Payout { numerator: 3, denominator: 0 }),
        ("natural_payout", |it| it.natural_payout = Payout { numerator: 0, denominator: 2 }),
        ("natural_payout", |it| it.natural_payout = Payout { numerator: 101, denominator: 1 }),
        ("commission_flat", |it| it.commission_flat = Amount(-1)),
        ("commission_flat", |it| it.commission_flat = BET_MAX + Amount(1)),
        ("commission_win_bps", |it| it.commission_win_bps = 10_001),
        ("max_split_hands", |it| it.max_split_hands = 0),
        ("max_split_hands", |it| it.max_split_hands = 9),
        ("early surrender", |it| it.surrender = Surrender::Early),
        ("decks", |it| it.decks = 0),
        ("decks", |it| it.decks = 9),
        ("penetration_percent", |it| it.penetration_percent = 101),
        ("seats", |it| it.seats = 1),
        ("seats", |it| it.seats = 9),
        ("banker", |it| it.banker = Seat(4)),
        ("banker_rounds", |it| it.banker_rounds = 0),
        ("min_banker_stack", |it| it.min_banker_stack = Amount(-1)),
    ];
    for (name, change) in cases {
        let message = fault(change).unwrap_or_else(|| panic!("{name} was accepted"));
        assert!(message.contains(name), "{name}: {message}");
    }
    for clock in [999, 600_001] {
        assert!(fault(|it| it.bet_ms = clock).is_some());
        assert!(fault(|it| it.decision_ms = clock).is_some());
        assert!(fault(|it| it.insurance_ms = clock).is_some());
    }
}

#[test]
fn the_ends_of_every_range_are_accepted() {
    type Change = fn(&mut Options);
    let cases: [Change; 12] = [
        |_| {},
        |it| (it.min_bet, it.max_bet) = (Amount(1), BET_MAX),
        |it| it.min_bet = Amount(100),
        |it| it.bet_step = Amount(100),
        |it| it.commission_win_bps = 10_000,
        |it| it.max_split_hands = 8,
        |it| it.max_split_hands = 1,
        |it| (it.surrender, it.dealer_peek) = (Surrender::Early, false),
        |it| it.decks = 8,
        |it| it.penetration_percent = 0,
        |it| it.penetration_percent = 100,
        |it| (it.seats, it.banker) = (8, Seat(7)),
    ];
    for (place, change) in cases.into_iter().enumerate() {
        assert_eq!(fault(change), None, "case {place}");
    }
}

#[test]
fn a_table_has_at_least_two_seats() {
    assert_eq!(Blackjack::seats(&Options::default()).unwrap(), (2, 4));
    let six = Options { seats: 6, ..Options::default() };
    assert_eq!(Blackjack::seats(&six).unwrap(), (2, 6));
}

#[test]
fn surrender_is_late_with_a_peek_and_early_without() {
    let peek = Options::default();
    assert_eq!(peek.surrender_rule(), Surrender::Late);
    let no_peek = Options { dealer_peek: false, ..Options::default() };
    assert_eq!(no_peek.surrender_rule(), Surrender::Early);
    let late = Options { surrender: Surrender::Late, ..no_peek };
    assert_eq!(late.surrender_rule(), Surrender::Late);
}
