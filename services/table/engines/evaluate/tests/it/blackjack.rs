use parlor_evaluate::Error;
use parlor_evaluate::blackjack::evaluate;
use serde_json::{Value, json};

use crate::support::{cases, contains};

const ROUNDS: &str = include_str!("../vectors/blackjack.jsonl");

#[test]
fn every_blackjack_case_is_answered_as_expected() {
    let cases = cases(ROUNDS);
    assert_eq!(cases.len(), 271);
    for case in cases {
        let output = evaluate(&case.input).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        assert!(
            contains(&output, &case.expected),
            "{}: {output}\nexpected {}",
            case.id,
            case.expected
        );
        // An output that merely contains the legal actions could offer a seat too much.
        assert_eq!(output.get("legal"), case.expected.get("legal"), "{}", case.id);
    }
}

/// A round of seats 1 and 2 against the banker at seat 0, with 500 chips each.
fn round(settings: Value, deck: &str, actions: Value) -> Value {
    let input = json!({
        "settings": settings,
        "banker": 0,
        "seats": [
            { "seat": 0, "stack": 5000 },
            { "seat": 1, "stack": 500 },
            { "seat": 2, "stack": 500 },
        ],
        "deck": deck.split_whitespace().collect::<Vec<_>>(),
        "actions": actions,
    });
    evaluate(&input).unwrap()
}

fn refused(settings: Value) -> bool {
    round(settings, "", json!([])) == json!({ "input_error": "invalid_settings" })
}

#[test]
fn settings_that_contradict_the_rules_are_refused() {
    for settings in [
        json!({ "min_bet": 0 }),
        json!({ "min_bet": -5 }),
        json!({ "min_bet": 10.5 }),
        json!({ "min_bet": 50, "max_bet": 40 }),
        json!({ "bet_step": 0 }),
        json!({ "max_split_hands": 9 }),
        json!({ "max_split_hands": -1 }),
        json!({ "split_rule": "suit" }),
        json!({ "surrender": "early" }),
        json!({ "surrender": true }),
        json!({ "commission_win_bps": 10_001 }),
        json!({ "commission_win_bps": -1 }),
        json!({ "commission_flat": -1 }),
        json!({ "natural_payout": [3, 0] }),
        json!({ "natural_payout": [3] }),
        json!({ "decks": 9 }),
        json!({ "penetration": 1.5 }),
    ] {
        assert!(refused(settings.clone()), "{settings}");
    }
    assert!(!refused(json!({ "dealer_peek": false, "surrender": "early" })));
    assert!(!refused(json!({ "decks": 8, "penetration": 0.5, "min_bet": null })));
}

#[test]
fn seats_that_cannot_be_a_table_are_refused() {
    let seats = |numbers: &[u32]| -> Vec<Value> {
        numbers.iter().map(|seat| json!({ "seat": seat, "stack": 100 })).collect()
    };
    for (banker, numbers) in
        [(0, &[0][..]), (0, &[0, 1, 2, 3, 4, 5, 6, 7, 8]), (0, &[0, 1, 1]), (3, &[0, 1])]
    {
        let input = json!({ "banker": banker, "seats": seats(numbers), "deck": [], "actions": [] });
        let output = evaluate(&input).unwrap();
        assert_eq!(output, json!({ "input_error": "invalid_settings" }), "{numbers:?}");
    }
}

#[test]
fn a_banker_who_finds_no_card_stands_on_what_there_is() {
    let actions = json!([
        { "seat": 1, "type": "bet", "amount": 20 },
        { "seat": 2, "type": "sit_out" },
        { "seat": 1, "type": "stand" },
    ]);
    let output = round(json!({}), "10S 9S 9H 3S", actions);
    assert_eq!(output["banker"]["short"], json!(true));
    assert_eq!(output["banker"]["total"], json!(12));
    assert_eq!(output["seats"]["1"]["delta"], json!(20));
}

#[test]
fn hands_that_are_done_are_shown_as_such_while_the_round_goes_on() {
    let bets = [
        json!({ "seat": 1, "type": "bet", "amount": 20 }),
        json!({ "seat": 2, "type": "bet", "amount": 20 }),
    ];
    for (deck, extra, state) in [
        ("10S 8S 6H 6S 8H 10H KS", json!({ "seat": 1, "type": "hit" }), "bust"),
        ("10S 8S 6H 6S 8H 10H", json!({ "seat": 1, "type": "surrender" }), "surrendered"),
        ("AS 8S AH KS 8H 9H", json!({ "seat": 1, "type": "even_money" }), "even_money"),
        ("6S 8S 6H 5S 8H 10H 2S", json!({ "seat": 1, "type": "double" }), "stood"),
    ] {
        let actions = json!([bets[0], bets[1], extra]);
        let output = round(json!({}), deck, actions);
        assert_eq!(output["errors"], json!([]), "{state}");
        assert_eq!(output["hands"]["1"][0]["state"], json!(state));
        assert_eq!(output["hands"]["2"][0]["state"], json!("open"));
    }
}

#[test]
fn an_amount_is_a_whole_number_however_it_is_written() {
    for (amount, error) in [
        (json!(10.0), None),
        (json!(10.5), Some("bad_amount")),
        (json!("10"), Some("bad_amount")),
        (json!(null), Some("bad_amount")),
        (json!([10]), Some("bad_amount")),
        (json!(1e300), Some("bet_above_max")),
        (json!(u64::MAX), Some("bet_above_max")),
        (json!(-1e300), Some("bet_below_min")),
    ] {
        let actions = json!([{ "seat": 1, "type": "bet", "amount": amount }]);
        let errors = round(json!({}), "", actions)["errors"].clone();
        let expected = error.map_or(json!([]), |error| json!([{ "i": 0, "error": error }]));
        assert_eq!(errors, expected, "{amount}");
    }
}

#[test]
fn the_order_of_checks_is_that_of_the_rules() {
    let act = |seat: Value, action: &str| json!({ "seat": seat, "type": action, "amount": 1.5 });
    for (action, error) in [
        (act(json!(0), "fold"), "banker_cannot_act"),
        (act(json!(0), "bet"), "banker_cannot_act"),
        (act(json!(9), "fold"), "unknown_seat"),
        (act(json!(9), "leave"), "unknown_seat"),
        (act(json!(1), "fold"), "unknown_action"),
        (act(json!(1), "insurance"), "wrong_phase"),
        (act(json!("1"), "bet"), "unknown_seat"),
        (act(json!(-1), "bet"), "unknown_seat"),
        (json!({ "type": "bet", "amount": 10 }), "unknown_seat"),
        (json!({ "seat": 1 }), "unknown_action"),
    ] {
        let output = round(json!({}), "", json!([action]));
        assert_eq!(output["errors"], json!([{ "i": 0, "error": error }]), "{action}");
    }
    let over = round(
        json!({}),
        "",
        json!([{ "type": "timeout" }, { "type": "timeout" },
        { "seat": 0, "type": "leave" }, { "seat": 9, "type": "fold" }]),
    );
    assert_eq!(over["phase"], json!("void"));
    for (place, error) in over["errors"].as_array().unwrap().iter().enumerate() {
        assert_eq!(*error, json!({ "i": place + 1, "error": "round_over" }));
    }
}

#[test]
fn input_of_another_form_is_malformed_and_never_a_panic() {
    let valid = json!({
        "banker": 0,
        "seats": [{ "seat": 0, "stack": 5000 }, { "seat": 1, "stack": 500 }],
        "deck": ["10S", "9S", "9H", "8S"],
        "actions": [{ "seat": 1, "type": "bet", "amount": 20 }],
    });
    assert!(evaluate(&valid).is_ok());
    for name in ["banker", "seats", "deck", "actions"] {
        for other in [json!(null), json!(-1), json!("AS"), json!([1]), json!({ "seat": [] })] {
            let mut input = valid.clone();
            input[name] = other;
            assert!(matches!(evaluate(&input), Err(Error::Malformed(_))), "{input}");
        }
    }
    for input in [json!(null), json!([]), json!(1), json!("round"), json!({})] {
        assert!(matches!(evaluate(&input), Err(Error::Malformed(_))), "{input}");
    }
}
