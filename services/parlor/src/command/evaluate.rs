//! `parlor evaluate`: answers rule questions, one JSON object a line.

use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use parlor_evaluate::{Error, balatro, blackjack, mahjong};
use serde_json::{Value, json};

/// Longest line that is read; a question is a few kilobytes.
const MAX_LINE: usize = 4 << 20;

/// Enough for a few dozen lines at a time.
const BUFFER: usize = 256 << 10;

/// Answer rule questions: JSON lines on stdin, JSON lines on stdout
///
/// A question is {"id": …, "input": …}, for balatro with "kind"; its answer {"id": …, "output": …}
/// or {"id": …, "error": …}. A line that is no question is answered with an error whose id is null
/// if the line has none. Answers keep the order of their questions; blank lines are passed over.
#[derive(Debug, Args)]
pub struct Evaluate {
    /// What the questions are about
    #[arg(value_enum)]
    subject: Subject,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Subject {
    /// Rounds of blackjack
    Blackjack,
    /// Hands of mahjong: whether and what they win
    Mahjong,
    /// Rounds of mahjong: who pays whom
    MahjongRound,
    /// Hands, scores, shops and blinds of the roguelike
    Balatro,
}

impl Evaluate {
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        let mut questions = BufReader::with_capacity(BUFFER, io::stdin().lock());
        let mut answers = BufWriter::with_capacity(BUFFER, io::stdout().lock());
        match answer_all(&mut questions, &mut answers, |line| self.subject.answer(line)) {
            // Whoever read the answers has had enough.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(ExitCode::SUCCESS),
            result => Ok(result.map(|()| ExitCode::SUCCESS)?),
        }
    }
}

impl Subject {
    fn answer(self, question: &Value) -> Result<Value, Error> {
        let malformed = |text: &str| Error::Malformed(text.to_owned());
        let input = question.get("input").ok_or_else(|| malformed("there is no input"))?;
        match self {
            Self::Blackjack => blackjack::evaluate(input),
            Self::Mahjong => mahjong::hands(input),
            Self::MahjongRound => mahjong::round(input),
            Self::Balatro => {
                let kind = question.get("kind").and_then(Value::as_str);
                balatro::evaluate(kind.ok_or_else(|| malformed("there is no kind"))?, input)
            }
        }
    }
}

/// Answers line by line until the questions end. Answers are passed on whenever no further
/// question has arrived, so that a person or a program can converse.
fn answer_all(
    questions: &mut BufReader<impl Read>,
    answers: &mut impl Write,
    mut answer: impl FnMut(&Value) -> Result<Value, Error>,
) -> io::Result<()> {
    let mut line = Vec::new();
    loop {
        if questions.buffer().is_empty() {
            answers.flush()?;
        }
        line.clear();
        let read = questions.take(MAX_LINE as u64 + 1).read_until(b'\n', &mut line)?;
        if read == 0 {
            return answers.flush();
        }
        if read > MAX_LINE {
            questions.skip_until(b'\n')?;
            let error = format!("the line is longer than {MAX_LINE} bytes");
            write_line(answers, &json!({ "id": null, "error": error }))?;
        } else if !line.trim_ascii().is_empty() {
            write_line(answers, &answer_line(&line, &mut answer))?;
        }
    }
}

fn answer_line(line: &[u8], answer: impl FnOnce(&Value) -> Result<Value, Error>) -> Value {
    let question: Value = match serde_json::from_slice(line) {
        Ok(question) => question,
        Err(error) => return json!({ "id": null, "error": format!("not JSON: {error}") }),
    };
    let id = question.get("id").cloned().unwrap_or_default();
    // One question that meets a fault of ours must not take the others with it.
    match catch_unwind(AssertUnwindSafe(|| answer(&question))) {
        Ok(Ok(output)) => json!({ "id": id, "output": output }),
        Ok(Err(error)) => json!({ "id": id, "error": error.to_string() }),
        Err(_) => json!({ "id": id, "error": "internal error" }),
    }
}

fn write_line(answers: &mut impl Write, answer: &Value) -> io::Result<()> {
    serde_json::to_writer(&mut *answers, answer)?;
    answers.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Answers of an echo that refuses `refuse` and panics on `panic`.
    fn answers(questions: &[u8]) -> Vec<String> {
        let mut written = Vec::new();
        let echo = |question: &Value| match question.get("input") {
            Some(Value::String(text)) if text == "refuse" => Err(Error::Refused("no".to_owned())),
            Some(Value::String(text)) if text == "panic" => panic!("on purpose"),
            Some(input) => Ok(input.clone()),
            None => Err(Error::Malformed("there is no input".to_owned())),
        };
        answer_all(&mut BufReader::new(questions), &mut written, echo).unwrap();
        String::from_utf8(written).unwrap().lines().map(str::to_owned).collect()
    }

    #[test]
    fn every_line_but_a_blank_one_has_its_answer_in_order() {
        let questions = b"{\"id\":1,\"input\":[2]}\n\n{\"id\":\"b\",\"input\":\"refuse\"}\r\n{}";
        let expected = [
            r#"{"id":1,"output":[2]}"#,
            r#"{"error":"no","id":"b"}"#,
            r#"{"error":"malformed input: there is no input","id":null}"#,
        ];
        assert_eq!(answers(questions), expected);
    }

    #[test]
    fn a_line_that_is_no_question_does_not_end_the_stream() {
        let deep = "[".repeat(100_000);
        let long = format!("\"{}\"", "x".repeat(MAX_LINE));
        for bad in ["{", "[1]", "7", "\u{0}", &deep, &long] {
            let answers = answers(format!("{bad}\n{{\"id\":1,\"input\":2}}\n").as_bytes());
            assert_eq!(answers.len(), 2, "{answers:?}");
            assert!(answers[0].contains("\"error\":") && answers[0].contains("\"id\":null"));
            assert_eq!(answers[1], r#"{"id":1,"output":2}"#);
        }
        assert_eq!(answers(b"\xff\xfe\n{\"id\":1,\"input\":2}\n").len(), 2);
    }

    #[test]
    fn a_fault_of_ours_does_not_end_the_stream() {
        let answers = answers(b"{\"id\":1,\"input\":\"panic\"}\n{\"id\":2,\"input\":3}\n");
        assert_eq!(answers, [r#"{"error":"internal error","id":1}"#, r#"{"id":2,"output":3}"#]);
    }
}
