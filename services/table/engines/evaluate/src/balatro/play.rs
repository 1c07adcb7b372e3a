//! The score of one play (rules: balatro 5, 16).

use std::collections::BTreeMap;

use parlor_balatro::card::Enhancement;
use parlor_balatro::content::jokers::{Field, JokerSpec};
use parlor_balatro::content::{BossId, DeckId, JokerId};
use parlor_balatro::joker::{JokerState, MAX_JOKERS};
use parlor_balatro::number::{Hundredths, beats, clamp, decimal};
use parlor_balatro::poker::HandRecord;
use parlor_balatro::score::{
    BossScene, CreatedKind, Facts, Outcome, RollKey, Rolls, Scene, SceneJoker, score,
};
use serde_json::{Map, Value, json};

use super::read;
use crate::Error;

/// Scores the play of a case.
pub fn answer(input: &Value) -> Result<Value, Error> {
    let scene = scene(input)?;
    let mut rolls = Scripted::read(&input["rolls"])?;
    let outcome = score(&scene, &mut rolls);
    let mut answer = json!({
        "hand": outcome.hand.id(),
        "scoring": read::places(outcome.scoring),
        "blocked": outcome.blocked,
        "level": outcome.record.level,
        "base": { "chips": whole(outcome.base.0), "mult": whole(outcome.base.1) },
        "chips": whole(outcome.chips),
        "mult": exact(outcome.mult),
        "score": decimal(outcome.score),
        "money_delta": outcome.money,
        "created": created(&outcome),
        "destroyed": read::places(outcome.destroyed),
        "joker_states": joker_states(input, &scene, &outcome)?,
        "jokers_gone": outcome.gone,
        "card_changes": card_changes(&scene, &outcome),
    });
    let blind = &input["blind"];
    if !blind["target"].is_null() {
        let total = clamp(read::number(&blind["score_before"])? + outcome.score);
        answer["blind_total"] = json!(decimal(total));
        answer["blind_cleared"] = json!(beats(total, read::number(&blind["target"])?));
    }
    Ok(answer)
}

fn scene(input: &Value) -> Result<Scene, Error> {
    let mut scene = Scene::default();
    let played = read::cards(input, "played")?;
    if played.is_empty() {
        return Err(Error::Malformed("no card is played".into()));
    }
    for card in played {
        let full = scene.played.try_push(card);
        full.map_err(|_| Error::Malformed("more than five cards are played".into()))?;
    }
    scene.held = read::cards(input, "held")?;
    scene.jokers = read::list(input, "jokers")?.iter().map(joker).collect::<Result<_, _>>()?;
    if scene.jokers.len() > MAX_JOKERS {
        return Err(Error::Malformed("too many jokers".into()));
    }
    for (hand, _) in entries(&input["levels"]) {
        let level = read::integer(&input["levels"], hand, 1)?.max(1);
        let record = record_of(&mut scene, hand)?;
        record.level = u32::try_from(level).unwrap_or(u32::MAX);
    }
    for (hand, plays) in entries(&input["plays"]) {
        let record = record_of(&mut scene, hand)?;
        record.run = read::count(plays, "run", 0)?;
        record.round = read::count(plays, "round", 0)?;
    }
    scene.boss = boss(&input["blind"])?;
    scene.facts = facts(input)?;
    Ok(scene)
}

fn entries(object: &Value) -> impl Iterator<Item = (&String, &Value)> {
    object.as_object().into_iter().flatten()
}

fn record_of<'a>(scene: &'a mut Scene, hand: &str) -> Result<&'a mut HandRecord, Error> {
    let hand = read::hand(&json!(hand))?;
    Ok(&mut scene.hands[hand.index()])
}

fn joker(value: &Value) -> Result<SceneJoker, Error> {
    let id = value.as_str().or_else(|| value["id"].as_str()).unwrap_or_default();
    let kind =
        JokerId::from_id(id).ok_or_else(|| Error::Malformed(format!("unknown joker {value}")))?;
    let mut joker = SceneJoker {
        kind,
        edition: None,
        debuffed: false,
        sell: 0,
        state: JokerState::of(kind.spec()),
    };
    if value.is_string() {
        return Ok(joker);
    }
    joker.edition = read::optional_edition(&value["ed"])?;
    joker.debuffed = read::flag(value, "deb")?;
    joker.sell = read::integer(value, "sell", 0)?;
    for (name, number) in entries(&value["state"]) {
        match name.as_str() {
            "hand" => joker.state.counter = read::hand(number)?.index() as i32,
            "left" => {
                let left = read::hundredths(number)?.to_whole();
                joker.state.counter = i32::try_from(left).unwrap_or(i32::MAX);
            }
            _ if kind.spec().value.is_some_and(|(field, _)| field.id() == name.as_str()) => {
                joker.state.value = read::hundredths(number)?;
            }
            // A field that the joker does not have says nothing.
            _ => {}
        }
    }
    Ok(joker)
}

fn boss(blind: &Value) -> Result<BossScene, Error> {
    let mut scene = BossScene {
        locked: read::optional_hand(&blind["locked_hand"])?,
        most_played: read::optional_hand(&blind["most_played"])?,
        ..BossScene::default()
    };
    if let Some(id) = blind["boss"].as_str()
        && !read::flag(blind, "disabled")?
    {
        let boss = BossId::from_id(id);
        scene.boss = Some(boss.ok_or_else(|| Error::Malformed(format!("unknown boss {id:?}")))?);
    }
    if !blind.is_null() {
        for hand in read::list(blind, "seen_hands")? {
            scene.seen.insert(read::hand(hand)?);
        }
    }
    Ok(scene)
}

fn facts(input: &Value) -> Result<Facts, Error> {
    let run = &input["run"];
    let deck = input["deck"].as_str().and_then(DeckId::from_id);
    let idol = read::optional_rank(&run["idol_rank"])?.zip(read::optional_suit(&run["idol_suit"])?);
    let mut facts = Facts {
        money: read::integer(run, "money", 0)?,
        hands_left: read::count(run, "hands_left", 0)?,
        discards_left: read::count(run, "discards_left", 0)?,
        hands_played: read::count(run, "hands_played_this_round", 0)?,
        draw_pile: read::count(run, "deck_left", 0)?,
        deck_size: read::count(run, "deck_size", 52)?,
        starting_deck_size: read::count(run, "starting_deck_size", 52)?,
        steel_cards: read::count(run, "steel_cards", 0)?,
        stone_cards: read::count(run, "stone_cards", 0)?,
        enhanced_cards: read::count(run, "enhanced_cards", 0)?,
        joker_slots: read::integer(run, "joker_slots", 5)?,
        skips: read::count(run, "skips", 0)?,
        tarots_used: read::count(run, "tarots_used", 0)?,
        consumable_room: read::count(run, "consumable_room", 0)?,
        ancient_suit: read::optional_suit(&run["ancient_suit"])?,
        idol,
        planets_held: [0; 12],
        balances: deck.is_some_and(|deck| deck.spec().balances),
    };
    if read::flag(run, "observatory")? {
        for hand in read::list(input, "planets_held")? {
            let held = &mut facts.planets_held[read::hand(hand)?.index()];
            *held = held.saturating_add(1);
        }
    }
    Ok(facts)
}

fn created(outcome: &Outcome) -> Vec<Value> {
    let one = |created: &parlor_balatro::score::Created| {
        let by = created.by.id();
        match created.kind {
            CreatedKind::Consumable(kind) => json!({ "kind": kind.id(), "by": by }),
            CreatedKind::Card(card) => {
                json!({ "kind": "card", "card": card.to_string(), "by": by })
            }
        }
    };
    outcome.created.iter().map(one).collect()
}

/// The states of jokers that came with one or whose state has changed, by place.
fn joker_states(input: &Value, scene: &Scene, outcome: &Outcome) -> Result<Value, Error> {
    let given = read::list(input, "jokers")?;
    let mut states = Map::new();
    for (place, joker) in scene.jokers.iter().enumerate() {
        let spec = joker.kind.spec();
        let now = outcome.jokers.iter().find(|(changed, _)| *changed == place);
        let given = given.get(place).and_then(|joker| joker["state"].as_object());
        if given.is_some() || now.is_some() {
            let mut fields = state_of(spec, now.map_or(joker.state, |(_, state)| *state));
            fields.retain(|name, _| now.is_some() || given.is_some_and(|g| g.contains_key(name)));
            states.insert(place.to_string(), Value::Object(fields));
        }
    }
    Ok(Value::Object(states))
}

fn state_of(spec: &JokerSpec, state: JokerState) -> Map<String, Value> {
    let mut fields = Map::new();
    if let Some((field, _)) = spec.value {
        fields.insert(Field::id(field).into(), decimal_of(state.value));
    }
    if spec.lists_hand {
        fields.insert("hand".into(), json!(state.listed_hand().id()));
    } else if spec.counter.is_some() {
        fields.insert("left".into(), json!(state.counter));
    }
    fields
}

fn decimal_of(value: Hundredths) -> Value {
    if value.0 % 100 == 0 { json!(value.to_whole()) } else { json!(value.to_string()) }
}

fn card_changes(scene: &Scene, outcome: &Outcome) -> Value {
    let mut changes = Map::new();
    for (place, (before, now)) in scene.played.iter().zip(&outcome.cards).enumerate() {
        let mut change = Map::new();
        if before.enhancement != now.enhancement {
            change.insert("enh".into(), json!(now.enhancement.map(Enhancement::id)));
        }
        if before.permanent_chips != now.permanent_chips {
            change.insert("perma".into(), json!(now.permanent_chips));
        }
        if !change.is_empty() {
            changes.insert(place.to_string(), Value::Object(change));
        }
    }
    Value::Object(changes)
}

/// A whole number as JSON has it.
fn whole(value: f64) -> Value {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if value.abs() < EXACT { json!(value as i64) } else { json!(decimal(value)) }
}

/// The decimal of an f64: all its digits, unless it is within rounding of a short decimal.
fn exact(value: f64) -> String {
    let short: f64 = format!("{value:.9e}").parse().unwrap_or(value);
    let is_short = (short - value).abs() <= value.abs() * 1e-13;
    if value.fract() == 0.0 {
        decimal(value)
    } else if is_short {
        short.to_string()
    } else {
        // An f64 from 1 up has at most 52 binary, and so decimal, places.
        format!("{value:.52}").trim_end_matches('0').to_owned()
    }
}

/// Rolls in the order in which a case gives them; what it does not give fails.
struct Scripted(BTreeMap<String, Vec<Value>>);

impl Scripted {
    fn read(rolls: &Value) -> Result<Self, Error> {
        let mut keyed = BTreeMap::new();
        for (key, _) in entries(rolls) {
            let mut left = read::list(rolls, key)?.to_vec();
            left.reverse();
            keyed.insert(key.clone(), left);
        }
        Ok(Self(keyed))
    }

    fn next(&mut self, key: RollKey) -> Option<Value> {
        self.0.get_mut(key.name())?.pop()
    }
}

impl Rolls for Scripted {
    fn chance(&mut self, key: RollKey, _numerator: u32, _denominator: u32) -> bool {
        let roll = self.next(key);
        roll.is_some_and(|roll| roll.as_bool().unwrap_or_else(|| roll.as_i64() == Some(1)))
    }

    fn between(&mut self, key: RollKey, low: i64, high: i64) -> i64 {
        let roll = self.next(key).and_then(|roll| roll.as_i64());
        roll.unwrap_or(low).clamp(low, high)
    }
}
