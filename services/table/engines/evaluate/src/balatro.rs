//! Balatro questions: classification, scores, levels, targets, blinds, payouts, prices, selections
//! (rules: balatro 16).

mod economy;
mod play;
mod read;

use parlor_balatro::blind::{Blind, Disabled, TargetRule, Verdict, is_quarter};
use parlor_balatro::content::decks::PLAIN;
use parlor_balatro::content::decks::Profile;
use parlor_balatro::content::{BossId, DeckId, antes::Scaling};
use parlor_balatro::number::{clamp, decimal};
use parlor_balatro::poker::{Mods, classify};
use parlor_balatro::{reason, selection};
use serde_json::{Value, json};

use crate::Error;

/// Answers one question of a kind: `classify`, `score`, `level`, `blind_target`, `run_blind`,
/// `payout`, `price` or `select`.
///
/// # Errors
/// [`Error::Malformed`] when the kind is unknown or the input is not of its form.
pub fn evaluate(kind: &str, input: &Value) -> Result<Value, Error> {
    match kind {
        "classify" => formed(input),
        "score" => play::answer(input),
        "level" => level(input),
        "blind_target" => blind_target(input),
        "run_blind" => run_blind(input),
        "payout" => economy::payout(input),
        "price" => economy::price(input),
        "select" => select(input),
        other => Err(Error::Malformed(format!("unknown kind {other:?}"))),
    }
}

fn formed(input: &Value) -> Result<Value, Error> {
    let cards = read::cards(input, "cards")?;
    if cards.is_empty() || cards.len() > selection::MAX_SELECTED {
        return Err(Error::Malformed("one to five cards are classified".into()));
    }
    let mut mods = Mods::default();
    for name in read::list(input, "mods")? {
        match name.as_str() {
            Some("four_fingers") => mods.four_fingers = true,
            Some("shortcut") => mods.shortcut = true,
            Some("smeared" | "smeared_joker") => mods.smeared = true,
            Some("splash") => mods.splash = true,
            Some("pareidolia") => mods.pareidolia = true,
            _ => return Err(Error::Malformed(format!("unknown mod {name}"))),
        }
    }
    let formed = classify(&cards, mods);
    Ok(json!({
        "hand": formed.hand.id(),
        "scoring": read::places(formed.scoring),
        "contains": formed.contains.iter().map(|hand| hand.id()).collect::<Vec<_>>(),
    }))
}

fn level(input: &Value) -> Result<Value, Error> {
    let hand = read::hand(&input["hand"])?;
    let level = u32::try_from(read::integer(input, "level", 1)?.max(1)).unwrap_or(u32::MAX);
    let (chips, mult) = hand.base(level);
    Ok(json!({ "chips": chips, "mult": mult }))
}

fn blind_target(input: &Value) -> Result<Value, Error> {
    let ante = i32::try_from(read::integer(input, "ante", 1)?)
        .map_err(|_| Error::Malformed("the ante is out of range".into()))?;
    let scaling = match read::integer(input, "scaling", 1)? {
        1 => Scaling::First,
        2 => Scaling::Second,
        3 => Scaling::Third,
        other => return Err(Error::Malformed(format!("unknown scaling {other}"))),
    };
    let (blind, boss) = match input["blind"].as_str().unwrap_or("small") {
        "small" => (Blind::Small, None),
        "big" => (Blind::Big, None),
        "boss" => (Blind::Boss, None),
        id => match BossId::from_id(id) {
            Some(boss) => (Blind::Boss, Some(boss)),
            None => return Err(Error::Malformed(format!("unknown blind {id:?}"))),
        },
    };
    let plain = BossId::all().next().ok_or_else(|| Error::Malformed("no bosses".into()))?;
    let plasma = read::flag(input, "plasma")?;
    let times = match input["deck"].as_str() {
        None if plasma => 2,
        None => PLAIN.target_times,
        Some(id) => DeckId::from_id(id).map_or(PLAIN.target_times, |deck| deck.spec().target_times),
    };
    let profile = match input["profile"].as_str() {
        Some("seed") => Profile::Seed,
        _ => Profile::Classic,
    };
    let disabled = if read::flag(input, "disabled")? { Disabled::Yes } else { Disabled::No };
    let rule = TargetRule { profile, scaling, times };
    let target = rule.target(ante, blind, boss.unwrap_or(plain), disabled);
    Ok(json!({ "target": target.to_string() }))
}

fn run_blind(input: &Value) -> Result<Value, Error> {
    let mut hands_left = read::count(input, "hands", 4)?;
    let target = read::number(&input["target"])?;
    let bones = read::flag(input, "mr_bones")?;
    let (mut total, mut at_hand, mut outcome) = (0.0, 0, "in_progress");
    for score in read::list(input, "scores")? {
        if outcome != "in_progress" || hands_left == 0 {
            break;
        }
        at_hand += 1;
        hands_left -= 1;
        total = clamp(total + read::number(score)?);
        outcome = match Verdict::of(total, target, hands_left) {
            Verdict::InProgress => "in_progress",
            Verdict::Cleared => "cleared",
            Verdict::OutOfHands if bones && is_quarter(total, target) => "saved",
            Verdict::OutOfHands => "lost",
        };
    }
    Ok(json!({
        "outcome": outcome,
        "at_hand": at_hand,
        "total": decimal(total),
        "hands_left": hands_left,
    }))
}

fn select(input: &Value) -> Result<Value, Error> {
    let refused = |reason: &str| Ok(json!({ "error": reason }));
    if !matches!(input["phase"].as_str(), None | Some("playing")) {
        return refused(reason::WRONG_PHASE);
    }
    let (left, none_left) = match input["action"].as_str() {
        Some("play") => ("hands_left", reason::NO_HANDS_LEFT),
        Some("discard") => ("discards_left", reason::NO_DISCARDS_LEFT),
        _ => return refused("unknown_action"),
    };
    let forced = ["forced", "forced_card", "forced_id"]
        .into_iter()
        .map(|name| &input[name])
        .find(|card| !card.is_null());
    let hand = read::list(input, "hand")?;
    let selected = read::list(input, "selected")?;
    if let Err(reason) = selection::check(selected, |card| hand.contains(card), forced) {
        return refused(reason);
    }
    if read::integer(input, left, 0)? <= 0 {
        return refused(none_left);
    }
    Ok(json!({ "ok": true }))
}
