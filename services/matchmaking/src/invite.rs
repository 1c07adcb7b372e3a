//! Invite codes, which let their reader into a club or a party.

use std::fmt;
use std::str::FromStr;

use parlor_common::random;
use serde::{Deserialize, Serialize};

use crate::error::Error;

/// Letters and digits of an invite code: those that are not taken for one another.
const ALPHABET: &[u8; 32] = b"23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

/// Length of an invite code: 40 bits, of which a guesser gets a few tries a minute.
const INVITE_LENGTH: usize = 8;

/// Eight letters and digits that let their reader into a club or a party.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct InviteCode([u8; INVITE_LENGTH]);

impl InviteCode {
    /// A code that nobody can foresee, from the system's randomness.
    ///
    /// # Errors
    /// [`Error::NoFreeCode`] when the system gives no randomness.
    pub fn random() -> Result<Self, Error> {
        let mut letters = [0; INVITE_LENGTH];
        for half in letters.chunks_mut(INVITE_LENGTH / 2) {
            let mut drawn = random::number().ok_or(Error::NoFreeCode)?;
            for letter in half {
                let index = usize::try_from(drawn % 32).unwrap_or(0);
                *letter = ALPHABET.get(index).copied().unwrap_or(b'2');
                drawn /= 32;
            }
        }
        Ok(Self(letters))
    }
}

impl fmt::Display for InviteCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|letter| write!(formatter, "{}", char::from(*letter)))
    }
}

impl fmt::Debug for InviteCode {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("InviteCode(hidden)")
    }
}

impl FromStr for InviteCode {
    type Err = Error;

    /// Small letters are taken for large ones.
    fn from_str(text: &str) -> Result<Self, Error> {
        let letters: [u8; INVITE_LENGTH] =
            text.to_ascii_uppercase().into_bytes().try_into().map_err(|_| Error::BadInviteCode)?;
        if letters.iter().all(|letter| ALPHABET.contains(letter)) {
            Ok(Self(letters))
        } else {
            Err(Error::BadInviteCode)
        }
    }
}

impl TryFrom<String> for InviteCode {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<InviteCode> for String {
    fn from(code: InviteCode) -> Self {
        code.to_string()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn an_invite_code_is_eight_letters_that_cannot_be_confused() {
        let drawn = InviteCode::random().unwrap();
        assert_eq!(drawn.to_string().parse::<InviteCode>(), Ok(drawn));
        assert_eq!(drawn.to_string().to_lowercase().parse::<InviteCode>(), Ok(drawn));
        assert_ne!(InviteCode::random().unwrap(), drawn);
        for bad in ["", "ABCDEFG", "ABCDEFGHJ", "ABCDEFG0", "ABCDEFGI", "ABCDEFGé"] {
            assert_eq!(bad.parse::<InviteCode>(), Err(Error::BadInviteCode), "{bad}");
        }
        assert!(!format!("{drawn:?}").contains(&drawn.to_string()));
    }
}
