//! The hash-chained entry of a table's log.
//!
//! An entry holds one input, the events that followed from it, and the hash of its predecessor. The
//! hash is SHA-256 over our own canonical encoding (postcard), so that an entry that was changed,
//! dropped or moved is found by anyone who has the log. The first entry's predecessor is the
//! opening of the table.

use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// SHA-256 of an entry, or of the opening.
pub type Link = [u8; 32];

/// What a table was opened as: the head of its log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// 16 bytes.
    pub table_id: [u8; 16],
    /// The game's id.
    pub game: String,
    /// The version of the game's rules under which it was opened.
    pub rules_version: u32,
    /// Milliseconds since the Unix epoch.
    pub opened_ms: i64,
    /// The request that opened it.
    pub request_id: String,
    /// Encoded [`Settings`](crate::shell::Settings) of the game.
    #[serde(with = "serde_bytes")]
    pub settings: Vec<u8>,
}

/// One step of a table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    /// Counted from 1 without gaps.
    pub seq: u64,
    /// Milliseconds since the Unix epoch; never less than the predecessor's.
    pub time_ms: i64,
    /// The epoch of the owner that wrote it.
    pub epoch: u64,
    /// Identifies the request across repetitions; `None` for inputs that no client sent.
    pub request: Option<[u8; 16]>,
    /// W3C trace context of the request; empty: none.
    pub trace: String,
    /// Encoded [`Input`](crate::shell::Input).
    #[serde(with = "serde_bytes")]
    pub input: Vec<u8>,
    /// Encoded list of [`Event`](crate::shell::Event)s.
    #[serde(with = "serde_bytes")]
    pub events: Vec<u8>,
    /// Hash of the predecessor.
    pub previous: Link,
}

/// Bytes that are not an entry, an opening, or a part of one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the log holds bytes that cannot be read")]
pub struct Unreadable;

/// The canonical encoding of a value.
#[must_use]
pub fn encode<T: Serialize>(value: &T) -> Vec<u8> {
    // Our types hold no maps with unordered keys and no values that can fail to encode.
    postcard::to_allocvec(value).unwrap_or_default()
}

/// Reads what [`encode`] wrote.
///
/// # Errors
/// When the bytes are not of this type, or are followed by others.
pub fn decode<T: for<'a> Deserialize<'a>>(bytes: &[u8]) -> Result<T, Unreadable> {
    match postcard::take_from_bytes(bytes) {
        Ok((value, [])) => Ok(value),
        _ => Err(Unreadable),
    }
}

/// The hash that a successor of these encoded bytes carries.
#[must_use]
pub fn link(encoded: &[u8]) -> Link {
    Sha256::digest(encoded).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(seq: u64, previous: Link) -> Entry {
        Entry {
            seq,
            time_ms: 1_000,
            epoch: 1,
            request: Some([7; 16]),
            trace: String::new(),
            input: alloc::vec![1, 2, 3],
            events: alloc::vec![4],
            previous,
        }
    }

    #[test]
    fn an_entry_survives_encoding_and_trailing_bytes_are_refused() {
        let mut bytes = encode(&entry(1, [0; 32]));
        assert_eq!(decode::<Entry>(&bytes), Ok(entry(1, [0; 32])));
        bytes.push(0);
        assert_eq!(decode::<Entry>(&bytes), Err(Unreadable));
    }

    #[test]
    fn changing_an_entry_breaks_the_link_of_its_successor() {
        let first = encode(&entry(1, [0; 32]));
        let second = entry(2, link(&first));
        let mut forged = entry(1, [0; 32]);
        forged.events[0] ^= 1;
        assert_eq!(link(&first), second.previous);
        assert_ne!(link(&encode(&forged)), second.previous);
    }
}
