//! What is counted over runs.

use std::collections::BTreeMap;

use parlor_balatro::Event;
use serde_json::{Map, Value, json};

use super::Played;

/// Sums over runs.
#[derive(Default)]
pub struct Statistics {
    runs: u64,
    won: u64,
    antes: i64,
    rounds_won: u64,
    hands_played: u64,
    commands: u64,
    jokers_bought: u64,
    ended_in_ante: BTreeMap<i32, u64>,
    plays_by_hand: BTreeMap<&'static str, u64>,
    best_hand: f64,
}

impl Statistics {
    /// Counts a finished run.
    pub fn count(&mut self, played: &Played) {
        for event in &played.events {
            match event {
                Event::Scored(scored) => {
                    *self.plays_by_hand.entry(scored.hand.id()).or_default() += 1;
                }
                Event::JokerGained { .. } => self.jokers_bought += 1,
                Event::RunEnded(end) => {
                    let summary = &end.summary;
                    self.runs += 1;
                    self.won += u64::from(summary.won);
                    self.antes += i64::from(summary.ante);
                    self.rounds_won += u64::from(summary.rounds_won);
                    self.hands_played += u64::from(summary.hands_played);
                    *self.ended_in_ante.entry(summary.ante).or_default() += 1;
                    self.best_hand = self.best_hand.max(summary.best_hand);
                }
                _ => {}
            }
        }
        self.commands += u64::from(played.commands);
    }

    /// The figures by name.
    pub fn report(&self) -> Map<String, Value> {
        let mean = |sum: f64| if self.runs == 0 { 0.0 } else { sum / self.runs as f64 };
        let ended: Map<String, Value> =
            self.ended_in_ante.iter().map(|(ante, runs)| (ante.to_string(), json!(runs))).collect();
        let figures = json!({
            "win_rate": mean(self.won as f64),
            "mean_ante": mean(self.antes as f64),
            "mean_rounds_won": mean(self.rounds_won as f64),
            "mean_hands_played": mean(self.hands_played as f64),
            "mean_commands": mean(self.commands as f64),
            "mean_jokers_gained": mean(self.jokers_bought as f64),
            "best_hand": format!("{:.0}", self.best_hand),
            "runs_ended_in_ante": ended,
            "plays_by_hand": self.plays_by_hand,
        });
        match figures {
            Value::Object(figures) => figures,
            _ => Map::new(),
        }
    }
}
