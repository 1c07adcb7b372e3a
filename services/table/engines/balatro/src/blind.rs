//! Blinds: their targets, their pay, and when a round is over (rules: balatro 2.2, 6, 9).

use serde::{Deserialize, Serialize};

use crate::content::antes::{self, Scaling};
use crate::content::decks::Profile;
use crate::content::{BossId, Stake};
use crate::number::{Target, beats};

/// Which of the three blinds of an ante.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Blind {
    /// 1x the base, may be skipped.
    Small,
    /// 1.5x the base, may be skipped.
    Big,
    /// The boss.
    Boss,
}

impl Blind {
    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Small => "small",
            Self::Big => "big",
            Self::Boss => "boss",
        }
    }
}

/// What a target depends on beside the blind.
#[derive(Clone, Copy, Debug)]
pub struct TargetRule {
    /// The base numbers.
    pub profile: Profile,
    /// How targets grow.
    pub scaling: Scaling,
    /// The starting deck's factor.
    pub times: u64,
}

impl TargetRule {
    /// The target of a blind; `boss` is asked only for [`Blind::Boss`].
    #[must_use]
    pub fn target(self, ante: i32, blind: Blind, boss: BossId, disabled: Disabled) -> Target {
        if self.profile == Profile::Seed {
            return antes::seed_target(ante, blind as u64).times_halves(2 * self.times);
        }
        let halves = match blind {
            Blind::Small => 2,
            Blind::Big => 3,
            Blind::Boss if disabled == Disabled::Yes => boss.spec().disabled_halves(),
            Blind::Boss => boss.spec().halves,
        };
        antes::base(ante, self.scaling).times_halves(halves * self.times)
    }
}

/// Whether a boss has lost its ability.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Disabled {
    /// It has.
    Yes,
    /// It has not.
    No,
}

/// Dollars for beating a blind (rules: balatro 6).
#[must_use]
pub fn reward(blind: Blind, boss: BossId, stake: Stake) -> i64 {
    match blind {
        Blind::Small if stake >= Stake::Red => 0,
        Blind::Small => 3,
        Blind::Big => 4,
        Blind::Boss => boss.spec().reward,
    }
}

/// How a round stands after a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It goes on.
    InProgress,
    /// The target is reached.
    Cleared,
    /// No hands are left and the target is not reached.
    OutOfHands,
}

impl Verdict {
    /// The verdict on a round score (rules: balatro 2.2 steps 6 and 7).
    #[must_use]
    pub fn of(score: f64, target: f64, hands_left: u32) -> Self {
        if beats(score, target) {
            Self::Cleared
        } else if hands_left == 0 {
            Self::OutOfHands
        } else {
            Self::InProgress
        }
    }
}

/// Whether a round score is enough to be saved: a quarter of the target.
#[must_use]
pub fn is_quarter(score: f64, target: f64) -> bool {
    beats(score * 4.0, target)
}
