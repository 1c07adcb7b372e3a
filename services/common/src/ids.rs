//! Identifiers. Each is a newtype, so that a player can never stand where a table belongs.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::status::{Code, Failure};

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident, $reason:literal) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        pub struct $name(Uuid);

        impl $name {
            /// A new identifier: a UUID version 7, so that younger ones sort later.
            #[must_use]
            pub fn random() -> Self {
                Self(crate::random::uuid())
            }

            /// The identifier with these bytes.
            #[must_use]
            pub const fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Uuid::from_bytes(bytes))
            }

            /// The identifier that `name` always gives within the namespace of `within`.
            #[must_use]
            pub fn derived(within: &[u8; 16], name: &str) -> Self {
                Self(Uuid::new_v5(&Uuid::from_bytes(*within), name.as_bytes()))
            }

            /// Its 16 bytes.
            #[must_use]
            pub const fn as_bytes(&self) -> &[u8; 16] {
                self.0.as_bytes()
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(formatter)
            }
        }

        impl FromStr for $name {
            type Err = Failure;

            fn from_str(text: &str) -> Result<Self, Failure> {
                Uuid::try_parse(text).map(Self).map_err(|_| {
                    Failure::new(Code::Invalid, $reason, "the identifier is not a UUID")
                })
            }
        }
    };
}

uuid_id!(
    /// A person or a bot who plays.
    PlayerId,
    "BAD_PLAYER_ID"
);
uuid_id!(
    /// A table, for its whole life.
    TableId,
    "BAD_TABLE_ID"
);
uuid_id!(
    /// One run of a table service: a process that comes back is another pod.
    PodId,
    "BAD_POD_ID"
);
uuid_id!(
    /// One stack at one table, from sitting down to leaving.
    HoldId,
    "BAD_HOLD_ID"
);

impl HoldId {
    /// The hold that the request with this idempotency key opens: UUID version 5 of the key.
    #[must_use]
    pub fn of(idempotency_key: &str) -> Self {
        Self::derived(b"parlor/hold/v1/\0", idempotency_key)
    }
}

/// One hand at one table, written `table/number`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct HandId {
    /// The table.
    pub table: TableId,
    /// Counted from 1.
    pub number: u64,
}

impl fmt::Display for HandId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}/{}", self.table, self.number)
    }
}

impl FromStr for HandId {
    type Err = Failure;

    fn from_str(text: &str) -> Result<Self, Failure> {
        let bad = || Failure::new(Code::Invalid, "BAD_HAND_ID", "a hand id is table/number");
        let (table, number) = text.split_once('/').ok_or_else(bad)?;
        let table = table.parse().map_err(|_| bad())?;
        let number = number.parse().map_err(|_| bad())?;
        Ok(Self { table, number })
    }
}
