//! `parlor evaluate` over every case file, through the real binary.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;

use serde_json::Value;

/// Runs `parlor evaluate SUBJECT` over these questions and gives its answers, by line.
fn evaluate(subject: &str, questions: String) -> Vec<Value> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["evaluate", subject])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(questions.as_bytes()).unwrap());
    let answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let answers = answers.map(|line| serde_json::from_str(&line.unwrap()).unwrap()).collect();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    answers
}

/// The cases of a file of the evaluate crate.
fn cases(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../table/engines/evaluate");
    std::fs::read_to_string(folder.join("tests/vectors").join(file)).unwrap()
}

/// Whether `value` has everything that is `expected` of it; objects may have more.
fn contains(value: &Value, expected: &Value) -> bool {
    match (value, expected) {
        (Value::Object(value), Value::Object(expected)) => expected
            .iter()
            .all(|(name, expected)| value.get(name).is_some_and(|it| contains(it, expected))),
        (Value::Array(value), Value::Array(expected)) => {
            value.len() == expected.len()
                && value.iter().zip(expected).all(|(it, expected)| contains(it, expected))
        }
        (Value::Number(value), Value::Number(expected)) => value.as_f64() == expected.as_f64(),
        _ => value == expected,
    }
}

fn every_case_is_answered(subject: &str, file: &str) {
    let text = cases(file);
    let answers = evaluate(subject, text.clone());
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!cases.is_empty());
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.iter().zip(&answers) {
        assert_eq!(answer["id"], case["id"]);
        let mut expected = case["expected"].clone();
        // Where exact and double arithmetic part, the engine's is double (rules: balatro 5.1).
        if let Some(score) = case["alt"].get("score_f64") {
            expected["score"] = score.clone();
        }
        assert!(contains(&answer["output"], &expected), "{case}\nanswered\n{answer}");
    }
}

#[test]
fn blackjack_rounds_come_out_as_the_cases_say() {
    every_case_is_answered("blackjack", "blackjack.jsonl");
}

#[test]
fn mahjong_hands_come_out_as_the_cases_say() {
    every_case_is_answered("mahjong", "mahjong_hands.jsonl");
}

#[test]
fn mahjong_rounds_come_out_as_the_cases_say() {
    every_case_is_answered("mahjong-round", "mahjong_rounds.jsonl");
}

#[test]
fn balatro_questions_come_out_as_the_cases_say() {
    every_case_is_answered("balatro", "balatro.jsonl");
}

#[test]
fn questions_that_make_no_sense_are_answered_and_do_not_end_the_stream() {
    let subjects = BTreeMap::from([
        ("blackjack", "blackjack.jsonl"),
        ("mahjong", "mahjong_hands.jsonl"),
        ("mahjong-round", "mahjong_rounds.jsonl"),
        ("balatro", "balatro.jsonl"),
    ]);
    let bad = [
        r#"{"id":"#,
        r#"["id"]"#,
        r#"{"id":1}"#,
        r#"{"id":2,"kind":"classify"}"#,
        r#"{"id":3,"kind":"classify","input":null}"#,
        r#"{"id":4,"kind":"no_such_kind","input":{"op":"no_such_op"}}"#,
        r#"{"id":5,"kind":7,"input":[-1]}"#,
    ];
    let ids = [Value::Null, Value::Null, 1.into(), 2.into(), 3.into(), 4.into(), 5.into()];
    for (subject, file) in subjects {
        let good = cases(file).lines().next().unwrap().to_owned();
        let answers = evaluate(subject, format!("{}\n{good}\n", bad.join("\n")));
        let (last, errors) = answers.split_last().unwrap();
        assert!(last.get("output").is_some(), "{subject}: {last}");
        let found: Vec<_> = errors.iter().map(|answer| answer["id"].clone()).collect();
        assert_eq!(found, ids, "{subject}");
        for error in errors {
            assert!(error["error"].is_string(), "{subject}: {error}");
        }
    }
}

#[test]
fn a_question_is_answered_before_the_next_one_is_asked() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_parlor"))
        .args(["evaluate", "mahjong"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    for case in cases("mahjong_hands.jsonl").lines().take(3) {
        stdin.write_all(format!("{case}\n").as_bytes()).unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        let case: Value = serde_json::from_str(case).unwrap();
        assert_eq!(serde_json::from_str::<Value>(&answer).unwrap()["id"], case["id"]);
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}
