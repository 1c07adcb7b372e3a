//! What a simulation counts.

use parlor_blackjack::Settlement;
use parlor_blackjack::settlement::HandOutcome;
use serde_json::{Map, Value};

/// Sums over settled rounds, from the players' side.
#[derive(Default)]
pub(super) struct Statistics {
    rounds: u64,
    commands: u64,
    cards: u64,
    seats: u64,
    amount_bet: i64,
    amount_staked: i64,
    net: i64,
    /// Sum over seats of (net / bet)², for the standard error of the edge.
    squared_returns: f64,
    outcomes: [u64; HandOutcome::ALL.len()],
    hands: u64,
    doubles: u64,
    splits: u64,
    insured: u64,
    commission: i64,
    banker_naturals: u64,
    banker_played: u64,
    banker_busts: u64,
    banker_short: u64,
}

impl Statistics {
    pub(super) fn count(&mut self, settlement: &Settlement, commands: u32) {
        self.rounds += 1;
        self.commands += u64::from(commands);
        self.cards += u64::from(settlement.cards_used);
        self.commission += settlement.house.0;
        for seat in &settlement.seats {
            self.seats += 1;
            self.amount_bet += seat.bet.0;
            self.net += seat.net.0;
            self.squared_returns += (seat.net.0 as f64 / seat.bet.0.max(1) as f64).powi(2);
            self.splits += seat.hands.len().saturating_sub(1) as u64;
            self.insured += u64::from(seat.insurance.is_some());
            for hand in &seat.hands {
                self.hands += 1;
                self.amount_staked += hand.stake.0;
                self.doubles += u64::from(hand.doubled);
                if let Some(place) = HandOutcome::ALL.iter().position(|&o| o == hand.outcome) {
                    self.outcomes[place] += 1;
                }
            }
        }
        let banker = &settlement.banker;
        self.banker_naturals += u64::from(banker.natural);
        self.banker_short += u64::from(banker.short);
        let live =
            |outcome| matches!(outcome, HandOutcome::Win | HandOutcome::Lose | HandOutcome::Push);
        let played = settlement.seats.iter().flat_map(|seat| &seat.hands);
        if !banker.natural && played.map(|hand| hand.outcome).any(live) {
            self.banker_played += 1;
            self.banker_busts += u64::from(banker.total > 21);
        }
    }

    /// The figures by name. Rates are per hand, those of the banker per round, returns in
    /// hundredths of a percent of the bets.
    pub(super) fn report(&self) -> Map<String, Value> {
        let mut figures = Map::new();
        let mut put = |name: &str, value: Value| figures.insert(name.to_owned(), value);
        let edge = ratio(self.net as f64, self.amount_bet as f64);
        let mean_square = ratio(self.squared_returns, self.seats as f64);
        let error = ratio((mean_square - edge * edge).max(0.0).sqrt(), (self.seats as f64).sqrt());
        put("player_edge_bps", rounded(edge * 10_000.0));
        put("player_edge_standard_error_bps", rounded(error * 10_000.0));
        put("amount_bet", self.amount_bet.into());
        put("amount_staked", self.amount_staked.into());
        put("player_net", self.net.into());
        put("commission", self.commission.into());
        put("player_hands", self.hands.into());
        for (outcome, &count) in HandOutcome::ALL.iter().zip(&self.outcomes) {
            put(&format!("{}_rate", outcome.name()), rate(count, self.hands));
        }
        put("double_rate", rate(self.doubles, self.hands));
        put("split_rate", rate(self.splits, self.seats));
        put("insurance_rate", rate(self.insured, self.seats));
        put("banker_natural_rate", rate(self.banker_naturals, self.rounds));
        put("banker_bust_rate", rate(self.banker_busts, self.banker_played));
        put("banker_short", self.banker_short.into());
        put("cards_per_round", rate(self.cards, self.rounds));
        put("commands_per_round", rate(self.commands, self.rounds));
        figures
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole == 0.0 { 0.0 } else { part / whole }
}

fn rate(part: u64, whole: u64) -> Value {
    rounded(ratio(part as f64, whole as f64))
}

/// Four digits are more than a simulation can tell.
fn rounded(value: f64) -> Value {
    Value::from((value * 10_000.0).round() / 10_000.0)
}
