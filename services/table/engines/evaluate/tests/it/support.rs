//! Reads case files and compares an answer with what a case expects.

use serde_json::Value;

/// One line of a case file.
pub struct Case {
    pub id: String,
    pub input: Value,
    pub expected: Value,
}

/// The cases of a JSON lines file.
pub fn cases(lines: &str) -> Vec<Case> {
    lines
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let mut case: Value = serde_json::from_str(line).unwrap();
            Case {
                id: case["id"].as_str().unwrap().to_owned(),
                input: case["input"].take(),
                expected: case["expected"].take(),
            }
        })
        .collect()
}

/// Whether `actual` has everything that `expected` has: objects may have more fields, lists must
/// be equally long, anything else must be equal.
pub fn contains(actual: &Value, expected: &Value) -> bool {
    match (actual, expected) {
        (Value::Object(actual), Value::Object(expected)) => expected
            .iter()
            .all(|(name, value)| actual.get(name).is_some_and(|actual| contains(actual, value))),
        (Value::Array(actual), Value::Array(expected)) => {
            actual.len() == expected.len()
                && actual.iter().zip(expected).all(|(actual, expected)| contains(actual, expected))
        }
        _ => actual == expected,
    }
}
