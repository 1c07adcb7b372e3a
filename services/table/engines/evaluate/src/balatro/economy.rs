//! Payouts and prices (rules: balatro 9, 10).

use parlor_balatro::blind::{Blind, reward};
use parlor_balatro::content::decks::PLAIN;
use parlor_balatro::content::{BossId, DeckId, Stake};
use parlor_balatro::joker;
use parlor_balatro::payout::{Earnings, INTEREST_STEPS, Payout};
use serde_json::{Value, json};

use super::read;
use crate::Error;

/// What a beaten blind pays.
pub fn payout(input: &Value) -> Result<Value, Error> {
    let deck = match input["deck"].as_str() {
        None => &PLAIN,
        Some(id) => DeckId::from_id(id)
            .map(DeckId::spec)
            .ok_or_else(|| Error::Malformed(format!("unknown deck {id:?}")))?,
    };
    let money = read::integer(input, "money", 0)?;
    let interest = deck.interest && !read::flag(input, "no_interest")?;
    let steps = read::integer(input, "interest_max", INTEREST_STEPS)?;
    let earnings = Earnings {
        reward: blind_reward(input)?,
        hands_left: read::count(input, "hands_left", 0)?,
        per_hand: deck.per_hand_left,
        discards_left: read::count(input, "discards_left", 0)?,
        per_discard: deck.per_discard_left,
        jokers: joker_payouts(input)?,
        tags: if read::flag(input, "investment")? { 25 } else { 0 },
        money,
        interest_steps: if interest { steps } else { 0 },
        interest_rate: read::integer(input, "to_the_moon", 0)?.saturating_add(1),
    };
    let payout = Payout::of(&earnings);
    Ok(json!({
        "reward": payout.reward,
        "hands": payout.hands,
        "discards": payout.discards,
        "jokers": payout.jokers,
        "tags": payout.tags,
        "interest": payout.interest,
        "total": payout.total(),
        "money_after": money.saturating_add(payout.total()),
    }))
}

fn blind_reward(input: &Value) -> Result<i64, Error> {
    let id = input["blind"].as_str().unwrap_or("small");
    let finisher = if id == "finisher" { "violet_vessel" } else { id };
    let (blind, boss) = match finisher {
        "small" => (Blind::Small, "hook"),
        "big" => (Blind::Big, "hook"),
        "boss" => (Blind::Boss, "hook"),
        boss => (Blind::Boss, boss),
    };
    let boss =
        BossId::from_id(boss).ok_or_else(|| Error::Malformed(format!("unknown blind {id:?}")))?;
    let pays_small = input["stake_small_reward"].as_bool().unwrap_or(true);
    let stake = match input["stake"].as_str() {
        Some(id) => {
            Stake::from_id(id).ok_or_else(|| Error::Malformed(format!("unknown stake {id:?}")))?
        }
        None if pays_small => Stake::White,
        None => Stake::Red,
    };
    Ok(reward(blind, boss, stake))
}

/// Dollars of jokers: a number, or a list of jokers with what they count.
fn joker_payouts(input: &Value) -> Result<i64, Error> {
    if !input["jokers"].is_array() {
        return read::integer(input, "jokers", 0);
    }
    let mut dollars = 0_i64;
    for joker in read::list(input, "jokers")? {
        let id = joker.as_str().or_else(|| joker["id"].as_str()).unwrap_or_default();
        dollars = dollars.saturating_add(match id {
            "golden_joker" => 4,
            "cloud_9" => read::integer(input, "nines", 4)?,
            "rocket" if joker["state"]["money"].is_null() => 1,
            "rocket" => read::hundredths(&joker["state"]["money"])?.to_whole(),
            "satellite" => read::integer(input, "unique_planets", 0)?,
            "delayed_gratification" if read::integer(input, "discards_used", 0)? == 0 => {
                2 * i64::from(read::count(input, "discards_left", 0)?)
            }
            _ => 0,
        });
    }
    Ok(dollars)
}

/// What something costs and sells for.
pub fn price(input: &Value) -> Result<Value, Error> {
    let base = read::integer(input, "base", 0)?.clamp(0, 1_000_000);
    let edition = read::optional_edition(&input["ed"])?;
    let discount = read::integer(input, "discount", 0)?.clamp(0, 100);
    let rental = read::flag(input, "rental")?;
    let price = if rental { 1 } else { joker::price(base, edition, discount) };
    let bonus = read::integer(input, "sell_bonus", 0)?;
    Ok(json!({ "price": price, "sell": joker::sell_value(price).saturating_add(bonus) }))
}
