//! The settings of a case. An absent one takes the rule's default.

use parlor_blackjack::Options;
use parlor_blackjack::options::{Payout, SplitRule, Surrender};
use parlor_game::Amount;
use serde::Deserialize;
use serde_json::{Map, Value};

/// The settings could not be read or the rules refuse them.
pub(super) struct Invalid;

impl<T: std::error::Error> From<T> for Invalid {
    fn from(_: T) -> Self {
        Self
    }
}

#[derive(Deserialize)]
struct Settings {
    min_bet: Option<i64>,
    max_bet: Option<i64>,
    bet_step: Option<i64>,
    natural_payout: Option<[u32; 2]>,
    soft_hit_17: Option<bool>,
    double_after_split: Option<bool>,
    dealer_peek: Option<bool>,
    insurance: Option<bool>,
    max_split_hands: Option<u8>,
    split_rule: Option<String>,
    resplit_aces: Option<bool>,
    surrender: Option<String>,
    original_bets_only: Option<bool>,
    auto_stand_21: Option<bool>,
    player_cards_public: Option<bool>,
    commission_flat: Option<i64>,
    commission_win_bps: Option<u16>,
    decks: Option<u8>,
    penetration: Option<f64>,
}

/// The options of a table with these settings.
pub(super) fn read(settings: &Map<String, Value>) -> Result<Options, Invalid> {
    let given = Settings::deserialize(settings)?;
    let default = Options::default();
    let payout = |[numerator, denominator]: [u32; 2]| Payout { numerator, denominator };
    let options = Options {
        // A case brings its own seats and its own banker.
        seats: parlor_blackjack::options::SEATS_MAX,
        min_bet: given.min_bet.map_or(default.min_bet, Amount),
        max_bet: given.max_bet.map_or(default.max_bet, Amount),
        bet_step: given.bet_step.map_or(default.bet_step, Amount),
        natural_payout: given.natural_payout.map_or(default.natural_payout, payout),
        soft_hit_17: given.soft_hit_17.unwrap_or(default.soft_hit_17),
        double_after_split: given.double_after_split.unwrap_or(default.double_after_split),
        dealer_peek: given.dealer_peek.unwrap_or(default.dealer_peek),
        insurance: given.insurance.unwrap_or(default.insurance),
        max_split_hands: given.max_split_hands.unwrap_or(default.max_split_hands),
        split_rule: given.split_rule.as_deref().map_or(Ok(default.split_rule), split_rule)?,
        resplit_aces: given.resplit_aces.unwrap_or(default.resplit_aces),
        surrender: given.surrender.as_deref().map_or(Ok(default.surrender), surrender)?,
        original_bets_only: given.original_bets_only.unwrap_or(default.original_bets_only),
        auto_stand_21: given.auto_stand_21.unwrap_or(default.auto_stand_21),
        player_cards_public: given.player_cards_public.unwrap_or(default.player_cards_public),
        commission_flat: given.commission_flat.map_or(default.commission_flat, Amount),
        commission_win_bps: given.commission_win_bps.unwrap_or(default.commission_win_bps),
        decks: given.decks.unwrap_or(default.decks),
        penetration_percent: given.penetration.map_or(Ok(default.penetration_percent), percent)?,
        ..default
    };
    match options.check() {
        Ok(()) => Ok(options),
        Err(_) => Err(Invalid),
    }
}

fn split_rule(name: &str) -> Result<SplitRule, Invalid> {
    match name {
        "value" => Ok(SplitRule::Value),
        "rank" => Ok(SplitRule::Rank),
        _ => Err(Invalid),
    }
}

fn surrender(name: &str) -> Result<Surrender, Invalid> {
    match name {
        "late" => Ok(Surrender::Late),
        "early" => Ok(Surrender::Early),
        "off" => Ok(Surrender::Off),
        _ => Err(Invalid),
    }
}

fn percent(part: f64) -> Result<u8, Invalid> {
    if (0.0..=1.0).contains(&part) { Ok((part * 100.0).round() as u8) } else { Err(Invalid) }
}
