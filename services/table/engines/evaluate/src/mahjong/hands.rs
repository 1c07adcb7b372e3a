//! Scores and waits of single hands (rules: mahjong 6, 7, 16).

use parlor_mahjong::meld::{Meld, MeldKind, Melds};
use parlor_mahjong::options::Options;
use parlor_mahjong::score::{
    Circumstances, Hand, NoWin, Opening, Score, Source, below_minimum, score,
};
use parlor_mahjong::settle::{self_draw_share, unit};
use parlor_mahjong::tile::{COPIES, Suit, Tile, TileCounts};
use serde_json::{Map, Value, json};

use super::options::options;
use crate::Error;

/// Answers a `score` or a `waits` question.
///
/// A malformed hand is an answer with `ok: false`.
///
/// # Errors
/// When the input is no such question at all.
pub fn hands(input: &Value) -> Result<Value, Error> {
    let fields = input.as_object().ok_or_else(|| malformed("the input must be an object"))?;
    let answer = match fields.get("op").and_then(Value::as_str) {
        Some("score") => answer_score(fields),
        Some("waits") => answer_waits(fields),
        _ => return Err(malformed("op must be score or waits")),
    };
    Ok(answer.unwrap_or_else(|error| json!({ "ok": false, "error": error })))
}

fn malformed(text: &str) -> Error {
    Error::Malformed(String::from(text))
}

/// A hand as the question gives it, checked for form.
struct Question {
    options: Options,
    concealed: TileCounts,
    melds: Melds,
    void: Option<Suit>,
}

impl Question {
    fn read(fields: &Map<String, Value>) -> Result<Self, String> {
        let options = options(fields.get("options"))?;
        let void = read_void(&options, fields.get("void_suit"))?;
        let melds = read_melds(&options, fields.get("melds"))?;
        let tiles = fields.get("concealed").and_then(Value::as_array).ok_or("bad_concealed")?;
        let wanted = 13 - 3 * melds.len();
        if tiles.len() != wanted {
            return Err(String::from("bad_count"));
        }
        let concealed = tiles.iter().map(|tile| read_tile(&options, tile));
        let concealed = concealed.collect::<Result<TileCounts, String>>()?;
        let question = Self { options, concealed, melds, void };
        question.check_copies(&question.hand().owned())?;
        Ok(question)
    }

    fn hand(&self) -> Hand<'_> {
        Hand { concealed: &self.concealed, melds: &self.melds, void: self.void }
    }

    fn check_copies(&self, owned: &TileCounts) -> Result<(), String> {
        match owned.kinds().find(|(_, count)| *count > COPIES) {
            Some(_) => Err(String::from("more_than_four")),
            None => Ok(()),
        }
    }
}

fn read_tile(options: &Options, value: &Value) -> Result<Tile, String> {
    let text = value.as_str().ok_or_else(|| format!("bad_tile:{value}"))?;
    Tile::parse(text)
        .filter(|tile| Suit::in_play(options.players).contains(&tile.suit()))
        .ok_or_else(|| format!("bad_tile:{text}"))
}

fn read_void(options: &Options, value: Option<&Value>) -> Result<Option<Suit>, String> {
    match (value, options.has_void()) {
        (None | Some(Value::Null), true) => Err(String::from("void_required")),
        (None | Some(Value::Null), false) => Ok(None),
        (Some(_), false) => Err(String::from("void_not_played")),
        (Some(value), true) => {
            let mut letters = value.as_str().unwrap_or_default().chars();
            match (letters.next().and_then(Suit::from_letter), letters.next()) {
                (Some(suit), None) => Ok(Some(suit)),
                _ => Err(format!("bad_void_suit:{value}")),
            }
        }
    }
}

fn read_melds(options: &Options, value: Option<&Value>) -> Result<Melds, String> {
    let empty = Vec::new();
    let list = match value {
        None | Some(Value::Null) => &empty,
        Some(Value::Array(list)) => list,
        Some(_) => return Err(String::from("bad_melds")),
    };
    let mut melds = Melds::new();
    for entry in list {
        let kind = match entry.get("kind").and_then(Value::as_str) {
            Some("pung") => MeldKind::Pung,
            Some("kong_exposed") => MeldKind::DirectKong,
            Some("kong_added") => MeldKind::AddedKong,
            Some("kong_concealed") => MeldKind::ConcealedKong,
            Some(other) => return Err(format!("bad_meld:{other}")),
            None => return Err(String::from("bad_meld")),
        };
        let tile = read_tile(options, entry.get("tile").unwrap_or(&Value::Null))?;
        melds
            .try_push(Meld { kind, tile, from: None })
            .map_err(|_| String::from("too_many_melds"))?;
    }
    Ok(melds)
}

/// The flags of a `score` question.
#[derive(Default)]
struct Flags {
    self_draw: bool,
    after_kong: bool,
    direct_kong_draw: bool,
    rob_kong: bool,
    last_tile: bool,
    heavenly: bool,
    earthly: bool,
}

impl Flags {
    fn read(value: Option<&Value>) -> Result<Self, String> {
        let mut flags = Self::default();
        let fields = match value {
            None | Some(Value::Null) => return Ok(flags),
            Some(Value::Object(fields)) => fields,
            Some(_) => return Err(String::from("bad_flags")),
        };
        for (name, value) in fields {
            let flag = match name.as_str() {
                "self_draw" => &mut flags.self_draw,
                "after_kong" => &mut flags.after_kong,
                "direct_kong_draw" => &mut flags.direct_kong_draw,
                "rob_kong" => &mut flags.rob_kong,
                "last_tile" => &mut flags.last_tile,
                "heavenly" => &mut flags.heavenly,
                "earthly" => &mut flags.earthly,
                _ => return Err(format!("unknown_flag:{name}")),
            };
            *flag = value.as_bool().ok_or_else(|| format!("bad_flag:{name}"))?;
        }
        Ok(flags)
    }

    /// The circumstances that the flags describe together, if they can hold together.
    fn circumstances(&self, melds: &[Meld]) -> Option<Circumstances> {
        let has = |kind| melds.iter().any(|meld| meld.kind == kind);
        let has_kong = melds.iter().any(|meld| meld.kind != MeldKind::Pung);
        let source = match (self.self_draw, self.after_kong, self.direct_kong_draw, self.rob_kong) {
            (true, false, false, false) => Source::SelfDraw,
            (true, true, false, false) if has_kong => Source::KongDraw,
            (true, true, true, false) if has(MeldKind::DirectKong) => Source::DirectKongDraw,
            (false, false, false, false) => Source::Discard,
            (false, true, false, false) => Source::DiscardAfterKong,
            // A kong needs a replacement tile, so none is robbed when the wall is empty.
            (false, false, false, true) if !self.last_tile => Source::RobbedKong,
            _ => return None,
        };
        let undisturbed = melds.is_empty() && !self.after_kong && !self.rob_kong;
        let opening = match (self.heavenly, self.earthly) {
            (false, false) => None,
            (true, false) if undisturbed && self.self_draw => Some(Opening::Heavenly),
            (false, true) if undisturbed => Some(Opening::Earthly),
            _ => return None,
        };
        Some(Circumstances { source, last_tile: self.last_tile, opening })
    }
}

fn answer_score(fields: &Map<String, Value>) -> Result<Value, String> {
    let question = Question::read(fields)?;
    let options = &question.options;
    let winning = fields.get("winning_tile").unwrap_or(&Value::Null);
    let winning = read_tile(options, winning)?;
    let flags = Flags::read(fields.get("flags"))?;
    let circumstances =
        flags.circumstances(&question.melds).ok_or_else(|| String::from("flag_conflict"))?;
    let owned = question.hand().owned();
    question.check_copies(&owned.with(winning))?;
    if circumstances.source == Source::RobbedKong && owned.count(winning) > 0 {
        return Err(String::from("rob_kong_needs_single_copy"));
    }
    Ok(match score(options, &question.hand(), winning, circumstances) {
        Err(NoWin::VoidSuit) => json!({ "ok": true, "win": false, "reason": "void_suit" }),
        Err(NoWin::NotComplete) => json!({ "ok": true, "win": false, "reason": "not_complete" }),
        Ok(score) if below_minimum(options, circumstances.source, score.raw) => json!({
            "ok": true,
            "win": false,
            "reason": "min_fan",
            "pattern": score.pattern.name(),
            "raw_fan": score.raw,
        }),
        Ok(score) => won(options, circumstances.source, &score),
    })
}

fn won(options: &Options, source: Source, score: &Score) -> Value {
    let self_draw = source.settles_as_self_draw(options);
    let payer = match source {
        _ if self_draw => "all_unwon",
        Source::RobbedKong => "kong_declarer",
        Source::DirectKongDraw => "kong_feeder",
        _ => "discarder",
    };
    let pay_each =
        if self_draw { self_draw_share(options, score.raw) } else { unit(options, score.raw) };
    let breakdown = score.breakdown.iter().map(|(fan, value)| (fan.name(), *value));
    json!({
        "ok": true,
        "win": true,
        "pattern": score.pattern.name(),
        "form": score.form.name(),
        "breakdown": breakdown.map(|(name, value)| (String::from(name), json!(value)))
            .collect::<Map<_, _>>(),
        "raw_fan": score.raw,
        "fan": score.fan(options),
        "capped": score.raw > options.max_fan,
        "pay_each": pay_each.0,
        "payer": payer,
    })
}

fn answer_waits(fields: &Map<String, Value>) -> Result<Value, String> {
    let question = Question::read(fields)?;
    let options = &question.options;
    let hand = question.hand();
    let mut waits = Vec::new();
    let mut best: Option<(Tile, u8)> = None;
    for tile in hand.waits(options).iter() {
        let Ok(score) = score(options, &hand, tile, Circumstances::PLAIN_DISCARD) else {
            continue;
        };
        if best.is_none_or(|(_, raw)| score.raw > raw) {
            best = Some((tile, score.raw));
        }
        waits.push(json!({
            "tile": tile.to_string(),
            "pattern": score.pattern.name(),
            "raw_fan": score.raw,
            "fan": score.fan(options),
        }));
    }
    Ok(match best {
        None => json!({ "ok": true, "ting": false, "waits": [] }),
        Some((tile, raw)) => json!({
            "ok": true,
            "ting": true,
            "waits": waits,
            "max_raw_fan": raw,
            "max_fan": raw.min(options.max_fan),
            "best_tile": tile.to_string(),
            "cha_jiao_pay": unit(options, raw).0,
        }),
    })
}
