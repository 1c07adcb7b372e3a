//! Accounts: where money can be.

use std::fmt;
use std::str::FromStr;

use parlor_common::{HoldId, PlayerId};

use crate::Error;

/// An account of the ledger, written as in the database: `wallet/<player>`, `stack/<hold>`,
/// `house`, `external`, `bots`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Account {
    /// A player's money that is not at a table.
    Wallet(PlayerId),
    /// What a seat has in front of it.
    Stack(HoldId),
    /// Commission.
    House,
    /// The world outside, from which money comes and to which it goes: minus all there is inside.
    External,
    /// The operator's bank that stakes bots; minus what bots have lost.
    Bots,
}

impl Account {
    /// Whether the balance may be negative.
    #[must_use]
    pub const fn may_be_negative(self) -> bool {
        matches!(self, Self::External | Self::Bots)
    }
}

impl fmt::Display for Account {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Wallet(player) => write!(formatter, "wallet/{player}"),
            Self::Stack(hold) => write!(formatter, "stack/{hold}"),
            Self::House => formatter.write_str("house"),
            Self::External => formatter.write_str("external"),
            Self::Bots => formatter.write_str("bots"),
        }
    }
}

impl FromStr for Account {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        match text.split_once('/') {
            Some(("wallet", player)) => {
                player.parse().map(Self::Wallet).map_err(|_| Error::Internal)
            }
            Some(("stack", hold)) => hold.parse().map(Self::Stack).map_err(|_| Error::Internal),
            None if text == "house" => Ok(Self::House),
            None if text == "external" => Ok(Self::External),
            None if text == "bots" => Ok(Self::Bots),
            _ => Err(Error::Internal),
        }
    }
}
