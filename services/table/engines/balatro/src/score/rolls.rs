//! Chance during a play.

use crate::content::JokerId;

/// What a roll is for; each has a stream of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RollKey {
    /// A Lucky card's mult.
    LuckyMult,
    /// A Lucky card's money.
    LuckyMoney,
    /// A Glass card's break.
    Glass,
    /// A joker's chance or number.
    Joker(JokerId),
}

impl RollKey {
    /// Stable lower-case name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::LuckyMult => "lucky_mult",
            Self::LuckyMoney => "lucky_money",
            Self::Glass => "glass",
            Self::Joker(kind) => kind.id(),
        }
    }
}

/// Where a play's chance comes from. Asked only for what is uncertain.
pub trait Rolls {
    /// Whether something of chance `numerator` in `denominator` happens.
    fn chance(&mut self, key: RollKey, numerator: u32, denominator: u32) -> bool;

    /// A whole number between two bounds, both included.
    fn between(&mut self, key: RollKey, low: i64, high: i64) -> i64;
}

/// No luck at all: chances fail and numbers are the lowest. For estimates.
#[derive(Clone, Copy, Debug)]
pub struct Certain;

impl Rolls for Certain {
    fn chance(&mut self, _key: RollKey, _numerator: u32, _denominator: u32) -> bool {
        false
    }

    fn between(&mut self, _key: RollKey, low: i64, _high: i64) -> i64 {
        low
    }
}
