//! `parlor replay`: a finished hand, step by step.

use std::fmt::Write;
use std::process::ExitCode;

use clap::Args;
use parlor_proto::settlement::v1::{HandRecord, HandStep};
use prost::Message;
use serde_json::Value;

use crate::tool::hand::{HandSource, RECORD};
use crate::tool::json::Messages;

/// Full name of the message that an event of a game is.
const EVENT: &str = "parlor.rules.v1.Event";

/// Show a finished hand step by step, as an auditor sees it
#[derive(Debug, Args)]
pub struct Replay {
    #[command(flatten)]
    source: HandSource,
    /// Print the whole record as one JSON object, which `parlor verify` reads
    #[arg(long)]
    json: bool,
}

impl Replay {
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        let messages = Messages::new()?;
        let record = self.source.load(&messages)?;
        if self.json {
            println!("{}", messages.read(RECORD, &record.encode_to_vec())?);
        } else {
            print!("{}", tell(&record, &messages)?);
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn tell(record: &HandRecord, messages: &Messages) -> anyhow::Result<String> {
    let mut text = format!(
        "hand {} of {}, rules version {}, for {}\n",
        record.hand_id, record.game, record.rules_version, record.stake_mode
    );
    for seat in &record.seats {
        let bot = if seat.bot { ", a bot" } else { "" };
        writeln!(
            text,
            "seat {}  {:+}  from {}  {}{bot}",
            seat.seat, seat.change, seat.stack_before, seat.name
        )?;
    }
    for step in &record.steps {
        tell_step(&mut text, record.started_ms, step, messages)?;
    }
    Ok(text)
}

fn tell_step(
    text: &mut String,
    started_ms: i64,
    step: &HandStep,
    messages: &Messages,
) -> anyhow::Result<()> {
    let seconds = step.time_ms.saturating_sub(started_ms) as f64 / 1000.0;
    let who = step.seat.map_or_else(|| "table ".to_owned(), |seat| format!("seat {seat}"));
    for message in &step.messages {
        let (name, fields) = unwrap_choices(messages.read(EVENT, message)?);
        writeln!(text, "{seconds:9.3} s  {who}  {name} {fields}")?;
    }
    Ok(())
}

/// The name of an event inside its envelopes, `game.event`, and its fields.
fn unwrap_choices(mut value: Value) -> (String, Value) {
    /// An event is chosen within a game, which is chosen among games.
    const ENVELOPES: usize = 2;
    let mut name = String::new();
    for _ in 0..ENVELOPES {
        let Value::Object(fields) = &mut value else { break };
        let Some((choice, inner)) = fields.iter_mut().next() else { break };
        if !name.is_empty() {
            name.push('.');
        }
        name.push_str(choice);
        let inner = inner.take();
        value = inner;
    }
    (name, value)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_event_is_named_by_its_envelopes() {
        let event = json!({ "blackjack": { "cardDealt": { "seat": 1, "card": "10H" } } });
        let (name, fields) = unwrap_choices(event);
        assert_eq!(name, "blackjack.cardDealt");
        assert_eq!(fields, json!({ "seat": 1, "card": "10H" }));
        assert_eq!(unwrap_choices(json!({})), (String::new(), json!({})));
    }
}
