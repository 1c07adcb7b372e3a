//! `parlor simulate`: bots on a bare engine.

use std::process::ExitCode;

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use parlor_sim::{Report, balatro, blackjack, mahjong};
use serde_json::Value;

/// Let bots play on a bare engine and check what must always hold
///
/// Ends with code 1 when a hand broke an invariant.
#[derive(Debug, Args)]
pub struct Simulate {
    /// The game
    #[arg(value_enum)]
    game: Game,
    /// How many hands (balatro: runs) to play
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    hands: u64,
    /// Where the chance comes from: the same seed plays the same hands
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Game {
    /// Sichuan mahjong
    Mahjong,
    /// Player-banked blackjack
    Blackjack,
    /// The poker roguelike
    Balatro,
}

impl Simulate {
    pub fn execute(self) -> anyhow::Result<ExitCode> {
        // Draws on stderr, and only on a terminal.
        let bar = ProgressBar::new(self.hands).with_style(ProgressStyle::with_template(
            "{bar:40} {human_pos}/{human_len} {per_sec} {eta}",
        )?);
        let mut progress = |played| bar.set_position(played);
        let report = match self.game {
            Game::Mahjong => mahjong::simulate(self.hands, self.seed, &mut progress),
            Game::Blackjack => blackjack::simulate(self.hands, self.seed, &mut progress),
            Game::Balatro => balatro::simulate(self.hands, self.seed, &mut progress),
        };
        bar.finish_and_clear();
        if self.json {
            println!("{}", serde_json::to_string(&report)?);
        } else {
            print!("{}", table(&report));
        }
        Ok(if report.violations == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn table(report: &Report) -> String {
    let mut rows = vec![
        ("game".to_owned(), report.game.to_owned()),
        ("hands".to_owned(), report.hands.to_string()),
        ("seconds".to_owned(), format!("{:.3}", report.seconds)),
        ("hands per second".to_owned(), format!("{:.0}", report.hands_per_s)),
        ("violations".to_owned(), report.violations.to_string()),
    ];
    rows.extend(report.first_violation.iter().map(|text| ("first".to_owned(), text.clone())));
    for (name, value) in &report.statistics {
        push_statistic(&mut rows, name.replace('_', " "), value);
    }
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    rows.iter().map(|(name, value)| format!("{name:width$}  {value}\n")).collect()
}

/// One row for a plain value; a row each for the members of an object.
fn push_statistic(rows: &mut Vec<(String, String)>, name: String, value: &Value) {
    match value {
        Value::Object(members) => {
            for (member, value) in members {
                push_statistic(rows, format!("{name}: {}", member.replace('_', " ")), value);
            }
        }
        Value::String(text) => rows.push((name, text.clone())),
        Value::Number(number) if number.is_f64() => {
            rows.push((name, format!("{:.4}", number.as_f64().unwrap_or_default())));
        }
        other => rows.push((name, other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_table_lines_up_and_spreads_groups() {
        let mut report = Report { game: "blackjack", hands: 10, ..Report::default() };
        report.statistics.insert("wins".to_owned(), json!({ "by_bank": 3, "share": 0.25 }));
        let expected = "\
game              blackjack
hands             10
seconds           0.000
hands per second  0
violations        0
wins: by bank     3
wins: share       0.2500
";
        assert_eq!(table(&report), expected);
    }
}
