//! Amounts of money.

use std::fmt;

use crate::Error;

/// An amount in integer minor units; negative when it leaves an account.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Chips(pub i64);

impl Chips {
    /// Nothing.
    pub const ZERO: Self = Self(0);
    /// The largest amount of one request: what a JSON number can hold exactly.
    pub const MOST: Self = Self((1 << 53) - 1);

    /// Whether a request may name this amount, of either sign.
    #[must_use]
    pub const fn in_range(self) -> bool {
        self.0.unsigned_abs() <= Self::MOST.0.unsigned_abs()
    }

    /// The sum.
    ///
    /// # Errors
    ///
    /// [`Error::BalanceOverflow`] when 64 bits cannot hold it.
    pub fn plus(self, other: Self) -> Result<Self, Error> {
        self.0.checked_add(other.0).map(Self).ok_or(Error::BalanceOverflow)
    }

    /// The opposite amount. Amounts in range and balances always have one; the single number of 64
    /// bits that has none stays as near as it can.
    #[must_use]
    pub const fn opposite(self) -> Self {
        Self(self.0.saturating_neg())
    }
}

impl fmt::Display for Chips {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}
