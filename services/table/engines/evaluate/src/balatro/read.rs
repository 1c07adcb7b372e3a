//! Reads the fields of balatro cases. Missing fields have the document's defaults.

use parlor_balatro::card::{Card, Edition, Enhancement, Rank, Seal, Suit};
use parlor_balatro::number::{Hundredths, clamp};
use parlor_balatro::poker::HandType;
use serde_json::Value;

use crate::Error;

fn malformed(name: &str, value: &Value) -> Error {
    Error::Malformed(format!("{name}: {value}"))
}

/// A list; an absent one is empty.
pub fn list<'a>(object: &'a Value, name: &str) -> Result<&'a [Value], Error> {
    match &object[name] {
        Value::Null => Ok(&[]),
        Value::Array(items) => Ok(items),
        other => Err(malformed(name, other)),
    }
}

/// A whole number.
pub fn integer(object: &Value, name: &str, default: i64) -> Result<i64, Error> {
    match &object[name] {
        Value::Null => Ok(default),
        value => value.as_i64().ok_or_else(|| malformed(name, value)),
    }
}

/// A whole number that counts something.
pub fn count(object: &Value, name: &str, default: u32) -> Result<u32, Error> {
    let value = integer(object, name, i64::from(default))?;
    u32::try_from(value).map_err(|_| malformed(name, &object[name]))
}

/// Yes or no; numbers other than 0 mean yes.
pub fn flag(object: &Value, name: &str) -> Result<bool, Error> {
    match &object[name] {
        Value::Null => Ok(false),
        Value::Bool(value) => Ok(*value),
        value => value.as_i64().map(|number| number != 0).ok_or_else(|| malformed(name, value)),
    }
}

/// A number that may be written as a decimal string; never NaN.
pub fn number(value: &Value) -> Result<f64, Error> {
    let number = match value {
        Value::Null => Some(0.0),
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.parse().ok(),
        _ => None,
    };
    match number {
        Some(number) if !f64::is_nan(number) => Ok(clamp(number)),
        _ => Err(malformed("not a number", value)),
    }
}

/// A number in hundredths, rounded to the nearest: a sum of f64 may be just below its decimal.
pub fn hundredths(value: &Value) -> Result<Hundredths, Error> {
    let bad = || malformed("not a decimal", value);
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        _ => return Err(bad()),
    };
    let (whole, part) = text.split_once('.').unwrap_or((&text, ""));
    let negative = whole.starts_with('-');
    let whole: i64 = whole.parse().map_err(|_| bad())?;
    if !part.chars().all(|digit| digit.is_ascii_digit()) {
        return Err(bad());
    }
    let mut digits = part.chars().filter_map(|digit| digit.to_digit(10)).map(i64::from);
    let part = digits.next().unwrap_or(0) * 10 + digits.next().unwrap_or(0);
    let part = part + i64::from(digits.next().unwrap_or(0) >= 5);
    let part = if negative { -part } else { part };
    Ok(Hundredths::whole(whole).plus(Hundredths(part)))
}

/// A hand type.
pub fn hand(value: &Value) -> Result<HandType, Error> {
    value.as_str().and_then(HandType::from_id).ok_or_else(|| malformed("unknown hand", value))
}

/// A hand type that may be absent.
pub fn optional_hand(value: &Value) -> Result<Option<HandType>, Error> {
    if value.is_null() { Ok(None) } else { hand(value).map(Some) }
}

/// A suit letter that may be absent.
pub fn optional_suit(value: &Value) -> Result<Option<Suit>, Error> {
    optional(value, |text| {
        let mut letters = text.chars();
        letters.next().filter(|_| letters.next().is_none()).and_then(Suit::from_letter)
    })
}

/// A rank name that may be absent.
pub fn optional_rank(value: &Value) -> Result<Option<Rank>, Error> {
    optional(value, Rank::from_name)
}

/// An edition that may be absent.
pub fn optional_edition(value: &Value) -> Result<Option<Edition>, Error> {
    optional(value, Edition::from_id)
}

fn optional<T>(value: &Value, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Error> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => {
            parse(text).map(Some).ok_or_else(|| malformed("unknown value", value))
        }
        other => Err(malformed("unknown value", other)),
    }
}

/// A list of cards: strings such as `10H`, or objects.
pub fn cards(object: &Value, name: &str) -> Result<Vec<Card>, Error> {
    list(object, name)?.iter().map(card).collect()
}

fn card(value: &Value) -> Result<Card, Error> {
    let text = value.as_str().or_else(|| value["c"].as_str());
    let plain = text.and_then(Card::parse).ok_or_else(|| malformed("unknown card", value))?;
    if value.is_string() {
        return Ok(plain);
    }
    Ok(Card {
        enhancement: optional(&value["enh"], Enhancement::from_id)?,
        edition: optional_edition(&value["ed"])?,
        seal: optional(&value["seal"], Seal::from_id)?,
        debuffed: flag(value, "deb")?,
        permanent_chips: count(value, "perma", 0)?,
        played_this_ante: flag(value, "played_this_ante")?,
        ..plain
    })
}

/// The places whose bit is set.
pub fn places(bits: u8) -> Vec<u32> {
    (0..8).filter(|place| bits & 1 << place != 0).collect()
}
