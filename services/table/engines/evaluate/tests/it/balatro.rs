use parlor_evaluate::balatro::evaluate;
use serde_json::{Value, json};

use crate::support::contains;

const CASES: &str = include_str!("../vectors/balatro.jsonl");

/// Mult is compared with a relative tolerance (rules: balatro 5.1).
fn take_mult(value: &mut Value) -> Option<f64> {
    value.as_object_mut()?.remove("mult")?.as_str()?.parse().ok()
}

#[test]
fn every_case_is_answered_as_expected() {
    let (mut answered, mut by_f64) = (0, 0);
    for line in CASES.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let (id, kind) = (case["id"].as_str().unwrap(), case["kind"].as_str().unwrap());
        let mut expected = case["expected"].clone();
        let mut output = evaluate(kind, &case["input"]).unwrap();
        if kind == "score" {
            let (wanted, got) = (take_mult(&mut expected), take_mult(&mut output));
            let (wanted, got) = (wanted.unwrap(), got.unwrap());
            assert!((wanted - got).abs() <= wanted.abs() * 1e-12, "{id}: mult {got}, not {wanted}");
        }
        // Where exact fractions and f64 differ, ours is the f64's (rules: balatro 5.1).
        if !case["alt"].is_null() {
            by_f64 += 1;
            expected["score"] = case["alt"]["score_f64"].clone();
        }
        assert!(contains(&output, &expected), "{id}: {output}\nexpected {expected}");
        // Nothing more has changed than what is expected to.
        for whole in ["joker_states", "card_changes"] {
            assert_eq!(output.get(whole), expected.get(whole), "{id}");
        }
        answered += 1;
    }
    assert_eq!((answered, by_f64), (521, 3));
}

/// Replaces every value of the tree, one at a time, and asks again.
fn for_each_change(value: &Value, junk: &Value, ask: &mut dyn FnMut(Value)) {
    ask(junk.clone());
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                for_each_change(field, junk, &mut |changed| {
                    let mut copy = value.clone();
                    copy[name] = changed;
                    ask(copy);
                });
            }
        }
        Value::Array(items) => {
            for (place, item) in items.iter().enumerate() {
                for_each_change(item, junk, &mut |changed| {
                    let mut copy = value.clone();
                    copy[place] = changed;
                    ask(copy);
                });
            }
        }
        _ => {}
    }
}

#[test]
fn no_json_makes_it_panic() {
    let junk = [
        json!(null),
        json!(-1),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!("-9223372036854775808.99"),
        json!("é"),
        json!([]),
        json!({ "x": [1] }),
        json!([["KH", "KH"], "KH", "KH", "KH", "KH", "KH", "KH"]),
    ];
    let mut asked = 0;
    for line in CASES.lines().step_by(7) {
        let case: Value = serde_json::from_str(line).unwrap();
        let kind = case["kind"].as_str().unwrap();
        for junk in &junk {
            for_each_change(&case["input"], junk, &mut |changed| {
                let _ = evaluate(kind, &changed);
                asked += 1;
            });
        }
    }
    assert!(asked > 10_000, "{asked}");
    assert!(evaluate("no_such_kind", &json!({})).is_err());
}
