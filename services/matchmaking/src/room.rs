//! Codes of private rooms.

use std::fmt;
use std::str::FromStr;

use parlor_common::random;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// How many codes there are: six digits.
const CODES: u32 = 1_000_000;

/// The largest multiple of [`CODES`] that fits in 32 bits: numbers from there on are drawn again,
/// so that every code is equally likely.
const FAIR_BELOW: u32 = u32::MAX - u32::MAX % CODES;

/// Draws that one code may take; a draw fails once in four thousand times.
const MAX_DRAWS: usize = 8;

/// Six digits, by which a room is joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RoomCode(u32);

impl RoomCode {
    /// A code that nobody can foresee, from the system's randomness.
    ///
    /// # Errors
    /// [`Error::NoFreeCode`] when the system gives no randomness.
    pub fn random() -> Result<Self, Error> {
        for _ in 0..MAX_DRAWS {
            let drawn = random::number().ok_or(Error::NoFreeCode)?;
            if drawn < FAIR_BELOW {
                return Ok(Self(drawn % CODES));
            }
        }
        Err(Error::NoFreeCode)
    }
}

impl fmt::Display for RoomCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:06}", self.0)
    }
}

impl FromStr for RoomCode {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text.len() != 6 || !text.bytes().all(|digit| digit.is_ascii_digit()) {
            return Err(Error::BadRoomCode);
        }
        text.parse().map(Self).map_err(|_| Error::BadRoomCode)
    }
}

impl TryFrom<String> for RoomCode {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<RoomCode> for String {
    fn from(code: RoomCode) -> Self {
        code.to_string()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn a_code_is_exactly_six_digits() {
        assert_eq!("000042".parse::<RoomCode>().unwrap().to_string(), "000042");
        for bad in ["", "12345", "1234567", "+12345", "12 456", "１２３４５６"] {
            assert_eq!(bad.parse::<RoomCode>(), Err(Error::BadRoomCode), "{bad}");
        }
    }

    #[test]
    fn drawn_codes_differ_and_keep_their_zeros() {
        let drawn: std::collections::BTreeSet<String> =
            (0..100).map(|_| RoomCode::random().unwrap().to_string()).collect();
        assert!(drawn.len() > 90);
        assert!(drawn.iter().all(|code| code.len() == 6));
    }
}
