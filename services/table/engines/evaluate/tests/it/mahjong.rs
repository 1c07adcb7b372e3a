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
