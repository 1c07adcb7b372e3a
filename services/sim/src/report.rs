//! What a simulation of a bare engine reports.

use serde::Serialize;
use serde_json::{Map, Value};

/// The figures of one simulation, as `parlor simulate --json` prints them.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Report {
    /// The game's id.
    pub game: &'static str,
    /// Hands (mahjong), rounds (blackjack) or runs (balatro) that were played.
    pub hands: u64,
    /// Wall-clock seconds that the play itself took.
    pub seconds: f64,
    /// `hands / seconds`.
    pub hands_per_s: f64,
    /// How many hands broke an invariant; 0 in a sound engine.
    pub violations: u64,
    /// The first violation, as text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_violation: Option<String>,
    /// What the game counts, such as win rates; names in `snake_case`.
    #[serde(flatten)]
    pub statistics: Map<String, Value>,
}
