//! Numbers: growing values in hundredths, scores as f64 (rules: balatro 5.1).

use alloc::format;
use alloc::string::String;
use core::fmt;

use serde::{Deserialize, Serialize};

/// A value in integer hundredths: x1.75 is 175.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
pub struct Hundredths(pub i64);

impl Hundredths {
    /// A whole number.
    #[must_use]
    pub const fn whole(value: i64) -> Self {
        Self(value.saturating_mul(100))
    }

    /// The nearest f64.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 100.0
    }

    /// The value without its fraction.
    #[must_use]
    pub const fn to_whole(self) -> i64 {
        self.0 / 100
    }

    /// The sum, held at the bounds of the type.
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl fmt::Display for Hundredths {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (sign, value) = (if self.0 < 0 { "-" } else { "" }, self.0.unsigned_abs());
        match (value / 100, value % 100) {
            (whole, 0) => write!(formatter, "{sign}{whole}"),
            (whole, part) if part % 10 == 0 => write!(formatter, "{sign}{whole}.{}", part / 10),
            (whole, part) => write!(formatter, "{sign}{whole}.{part:02}"),
        }
    }
}

/// From here on every f64 is a whole number.
const WHOLE_FROM: f64 = 9_007_199_254_740_992.0;

/// The largest whole number that is not above `value`.
#[must_use]
pub fn floor(value: f64) -> f64 {
    if value.is_nan() || value.abs() >= WHOLE_FROM {
        return value;
    }
    let cut = value as i64 as f64;
    if cut > value { cut - 1.0 } else { cut }
}

/// `value`, or the largest f64 when it has gone beyond all numbers (rules: balatro 5.1).
#[must_use]
pub fn clamp(value: f64) -> f64 {
    if value.is_finite() { value } else { f64::MAX }
}

/// Whether a round score beats a target: the clamped score beats every target.
#[must_use]
pub fn beats(score: f64, target: f64) -> bool {
    score >= target || score == f64::MAX
}

/// The exact decimal of a whole f64; `inf` when a target is out of reach.
#[must_use]
pub fn decimal(value: f64) -> String {
    format!("{:.0}", floor(value))
}

/// A blind's target: a decimal with many zeros, exact (rules: balatro 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `digits` followed by `zeros` zeros.
    Exact {
        /// The leading digits.
        digits: u64,
        /// How many zeros follow them.
        zeros: u16,
    },
    /// Beyond the f64 range.
    Infinite,
}

impl Target {
    /// The target times `halves / 2`.
    #[must_use]
    pub const fn times_halves(self, halves: u64) -> Self {
        match self {
            Self::Exact { digits, zeros } => {
                let doubled = digits.saturating_mul(halves);
                match (doubled % 2, zeros) {
                    (0, _) | (_, 0) => Self::Exact { digits: doubled / 2, zeros },
                    (_, zeros) => {
                        Self::Exact { digits: doubled.saturating_mul(5), zeros: zeros - 1 }
                    }
                }
            }
            Self::Infinite => Self::Infinite,
        }
    }

    /// The nearest f64.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        match self {
            // Up to 10^22 powers of ten are exact, so one multiplication rounds correctly.
            Self::Exact { digits, zeros } if zeros <= 18 && digits < 1 << 53 => {
                digits as f64 * 10_u64.pow(u32::from(zeros)) as f64
            }
            Self::Exact { digits, zeros } => {
                format!("{digits}e{zeros}").parse().unwrap_or(f64::INFINITY)
            }
            Self::Infinite => f64::INFINITY,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exact { digits, zeros } => {
                write!(formatter, "{digits}")?;
                (0..zeros).try_for_each(|_| formatter.write_str("0"))
            }
            Self::Infinite => formatter.write_str("inf"),
        }
    }
}
