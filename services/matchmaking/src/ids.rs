//! Identifiers of matchmaking.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::error::Error;

/// Longest request id, in characters.
pub const MAX_REQUEST_ID: usize = 64;

/// Longest name of a queue, in characters.
pub const MAX_QUEUE_ID: usize = 48;

macro_rules! uuid_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
        )]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// A new identifier: a UUID version 7, so that younger ones sort later.
            #[must_use]
            pub fn random() -> Self {
                Self(parlor_common::random::uuid())
            }

            /// The identifier with this number, for tests and simulations that must repeat.
            #[must_use]
            pub const fn numbered(number: u128) -> Self {
                Self(Uuid::from_u128(number))
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
            type Err = Error;

            fn from_str(text: &str) -> Result<Self, Error> {
                Uuid::try_parse(text).map(Self).map_err(|_| Error::BadTicketId)
            }
        }
    };
}

uuid_id!(
    /// One stay of a party in a queue.
    TicketId
);
uuid_id!(
    /// A group of tickets that was claimed to be seated together; also the request id with which
    /// its table is created, so that a repetition finds the same table.
    MatchId
);
uuid_id!(
    /// A running matchmaking process.
    ReplicaId
);

/// Name of a queue: 1 to 48 of `a-z`, `0-9` and `-`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct QueueId(Arc<str>);

impl QueueId {
    /// Its name.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for QueueId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let plain = |letter: u8| matches!(letter, b'a'..=b'z' | b'0'..=b'9' | b'-');
        if (1..=MAX_QUEUE_ID).contains(&text.len()) && text.bytes().all(plain) {
            Ok(Self(text.into()))
        } else {
            Err(Error::QueueNotFound)
        }
    }
}

impl TryFrom<String> for QueueId {
    type Error = Error;

    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<QueueId> for String {
    fn from(queue: QueueId) -> Self {
        queue.0.as_ref().to_owned()
    }
}

impl fmt::Display for QueueId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(formatter)
    }
}

/// What a caller calls its request: 1 to 64 printable characters. A repetition by the same player
/// is the same request.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(String);

impl RequestId {
    /// Its text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for RequestId {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let length = text.chars().take(MAX_REQUEST_ID + 1).count();
        if (1..=MAX_REQUEST_ID).contains(&length) && !text.chars().any(char::is_control) {
            Ok(Self(text.to_owned()))
        } else {
            Err(Error::BadRequestId)
        }
    }
}

/// Counts the owners of a queue's lease; an order from an earlier owner is refused.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Epoch(pub u64);
