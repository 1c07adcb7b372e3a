use parlor_evaluate::{Error, mahjong};
use serde_json::{Value, json};

use crate::support::{cases, contains};

const HANDS: &str = include_str!("../vectors/mahjong_hands.jsonl");
const ROUNDS: &str = include_str!("../vectors/mahjong_rounds.jsonl");

fn check(lines: &str, answer: fn(&Value) -> Result<Value, Error>) -> usize {
    let cases = cases(lines);
    for case in &cases {
        let mut expected = case.expected.clone();
        if expected["ok"] == json!(false) {
            // The text of an error is informative only (rules: mahjong 16).
            expected.as_object_mut().unwrap().remove("error");
        }
        let output = answer(&case.input).unwrap_or_else(|error| panic!("{}: {error}", case.id));
        assert!(contains(&output, &expected), "{}: {output}\nexpected {expected}", case.id);
        assert_eq!(output.get("breakdown"), expected.get("breakdown"), "{}", case.id);
    }
    cases.len()
}

#[test]
fn every_hand_case_is_answered_as_expected() {
    assert_eq!(check(HANDS, mahjong::hands), 398);
}

#[test]
fn every_round_case_is_answered_as_expected() {
    assert_eq!(check(ROUNDS, mahjong::round), 89);
}

/// A hand that wins on 9m, with bamboos void.
fn question() -> Value {
    json!({
        "op": "score",
        "concealed": ["1m", "2m", "3m", "4m", "5m", "6m", "7m", "8m", "5p", "5p"],
        "melds": [{ "kind": "pung", "tile": "9p" }],
        "winning_tile": "9m",
        "void_suit": "s",
        "flags": {},
        "options": { "max_fan": 5 },
    })
}

fn changed(change: impl FnOnce(&mut Value)) -> Value {
    let mut input = question();
    change(&mut input);
    mahjong::hands(&input).unwrap()
}

#[test]
fn malformed_hands_are_answered_and_named() {
    let cases: Vec<(&str, Value)> = vec![
        ("bad_count", changed(|q| q["melds"] = json!([]))),
        ("bad_concealed", changed(|q| q["concealed"] = Value::Null)),
        ("bad_tile:10m", changed(|q| q["winning_tile"] = json!("10m"))),
        ("bad_tile:null", changed(|q| q["winning_tile"] = Value::Null)),
        (
            "bad_tile:1m",
            changed(|q| {
                q["options"]["players"] = json!(3);
                q["void_suit"] = Value::Null;
                q["melds"] = json!([{ "kind": "pung", "tile": "9s" }]);
            }),
        ),
        ("bad_meld", changed(|q| q["melds"] = json!([{ "tile": "9p" }]))),
        ("bad_melds", changed(|q| q["melds"] = json!("9p"))),
        ("bad_void_suit:\"z\"", changed(|q| q["void_suit"] = json!("z"))),
        ("void_not_played", changed(|q| q["options"]["players"] = json!(3))),
        ("bad_flag:self_draw", changed(|q| q["flags"] = json!({ "self_draw": 1 }))),
        ("bad_flags", changed(|q| q["flags"] = json!([]))),
        ("unknown_option:fan", changed(|q| q["options"] = json!({ "fan": 1 }))),
        ("bad_option:zimo", changed(|q| q["options"] = json!({ "zimo": "both" }))),
        ("bad_options", changed(|q| q["options"] = json!(7))),
    ];
    for (error, output) in cases {
        assert_eq!(output, json!({ "ok": false, "error": error }));
    }
}

#[test]
fn flags_that_cannot_hold_together_are_a_conflict() {
    for flags in [
        json!({ "self_draw": true, "rob_kong": true }),
        json!({ "after_kong": true, "rob_kong": true }),
        json!({ "last_tile": true, "rob_kong": true }),
        json!({ "direct_kong_draw": true }),
        json!({ "direct_kong_draw": true, "after_kong": true }),
        // The hand has no kong.
        json!({ "self_draw": true, "after_kong": true }),
        json!({ "heavenly": true }),
        json!({ "heavenly": true, "self_draw": true }),
        json!({ "earthly": true, "heavenly": true, "self_draw": true }),
    ] {
        let output = changed(|q| q["flags"] = flags.clone());
        assert_eq!(output, json!({ "ok": false, "error": "flag_conflict" }), "{flags}");
    }
    let absent = changed(|q| q["flags"] = json!({ "rob_kong": false, "heavenly": false }));
    assert_eq!(absent["win"], true);
}

#[test]
fn the_nanoserver_preset_sets_the_defaults_that_differ() {
    let preset = |more: Value| {
        changed(|q| {
            q["options"] = more;
            q["options"]["preset"] = json!("nanoserver_compat");
        })
    };
    // No 门清, 中张 or 夹心五 unless chosen; one switch for the first two.
    let closed = |options: Value| {
        let mut input = question();
        input["concealed"] =
            json!(["2m", "3m", "4m", "6m", "7m", "8m", "2p", "3p", "4p", "5p", "5p", "6p", "7p"]);
        input["melds"] = json!([]);
        input["winning_tile"] = json!("8p");
        input["options"] = options;
        mahjong::hands(&input).unwrap()["breakdown"].clone()
    };
    let compat = "nanoserver_compat";
    assert_eq!(closed(json!({ "preset": compat })), json!({ "pinghu": 0 }));
    assert_eq!(
        closed(json!({ "preset": compat, "menqing": true })),
        json!({ "pinghu": 0, "menqing": 1, "zhongzhang": 1 })
    );
    assert_eq!(preset(json!({ "jiaxin5": true }))["raw_fan"], 0);
}

#[test]
fn a_transfer_moves_what_each_option_says() {
    let deltas = |call_transfer: &str| {
        let input = json!({
            "players": 4,
            "dealer": 0,
            "options": { "max_fan": 5, "call_transfer": call_transfer },
            "events": [
                { "t": "kong", "by": 0, "kind": "concealed" },
                { "t": "discard", "by": 0 },
                { "t": "kong", "by": 0, "kind": "added" },
                { "t": "kong", "by": 0, "kind": "direct", "from": 1 },
                { "t": "pao", "from": 0, "winners": [[2, 0]] },
                // Without another kong this is no 杠上炮.
                { "t": "pao", "from": 0, "winners": [[3, 0]] },
            ],
        });
        mahjong::round(&input).unwrap()["delta"].clone()
    };
    // Kongs bring 6, 3 and 2; the discards cost 1 each.
    assert_eq!(deltas("off"), json!([9, -5, -2, -2]));
    assert_eq!(deltas("last_kong"), json!([7, -5, 0, -2]));
    assert_eq!(deltas("chain"), json!([4, -5, 3, -2]));
    assert_eq!(deltas("all"), json!([-2, -5, 9, -2]));
}

#[test]
fn an_event_that_cannot_happen_is_malformed() {
    let settle = |events: Value| {
        mahjong::round(&json!({ "players": 4, "dealer": 0, "options": {}, "events": events }))
    };
    for events in [
        json!([{ "t": "zimo", "by": 4, "raw_fan": 0 }]),
        json!([{ "t": "zimo", "by": 0 }]),
        json!([{ "t": "pao", "from": 0, "winners": [[0, 1]] }]),
        json!([{ "t": "pao", "from": 0, "winners": [[1, 1], [1, 1]] }]),
        json!([{ "t": "pao", "from": 0, "winners": [] }]),
        json!([{ "t": "zimo", "by": 0, "raw_fan": 0 }, { "t": "discard", "by": 0 }]),
        json!([{ "t": "kong", "by": 0, "kind": "direct", "from": 0 }]),
        json!([{ "t": "kong", "by": 0, "kind": "half" }]),
        json!([{ "t": "chow", "by": 0 }]),
        json!([7]),
        json!({}),
    ] {
        let answer = settle(events.clone());
        assert!(matches!(answer, Err(Error::Malformed(_))), "{events}: {answer:?}");
    }
    assert!(settle(json!([])).is_ok());
}

/// Every value of a case replaced, one after the other, by things that do not belong there.
fn mangled(value: &Value, each: &mut dyn FnMut(&Value)) {
    fn walk(root: &mut Value, path: &mut Vec<String>, each: &mut dyn FnMut(&Value)) {
        let pointer = path.iter().map(|step| format!("/{step}")).collect::<String>();
        let original = root.pointer(&pointer).unwrap().clone();
        for wrong in [
            Value::Null,
            json!(-1),
            json!(u64::MAX),
            json!(1e300),
            json!(""),
            json!("万"),
            json!([]),
            json!([[[]]]),
            json!({ "": 0 }),
        ] {
            *root.pointer_mut(&pointer).unwrap() = wrong;
            each(root);
        }
        *root.pointer_mut(&pointer).unwrap() = original.clone();
        let steps: Vec<String> = match &original {
            Value::Object(fields) => fields.keys().cloned().collect(),
            Value::Array(items) => (0..items.len()).map(|place| place.to_string()).collect(),
            _ => Vec::new(),
        };
        for step in steps {
            path.push(step);
            walk(root, path, each);
            path.pop();
        }
    }
    walk(&mut value.clone(), &mut Vec::new(), each);
}

#[test]
fn no_input_makes_it_panic() {
    let mut asked = 0;
    for case in cases(HANDS).iter().step_by(23) {
        mangled(&case.input, &mut |input| {
            let _ = mahjong::hands(input);
            asked += 1;
        });
    }
    for case in cases(ROUNDS).iter().step_by(11) {
        mangled(&case.input, &mut |input| {
            let _ = mahjong::round(input);
            asked += 1;
        });
    }
    assert!(asked > 5_000, "{asked} inputs");
}
