//! Our own canonical encoding, which is what gets hashed.
//!
//! Protobuf has no canonical form, so bodies and journal entries are hashed in this one: every
//! field carries its length, and two different sequences of fields never give the same bytes.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// What the first link of the journal follows.
    pub const GENESIS: Self = Self([0; 32]);

    /// The digest of `bytes` as they are.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// A digest as it comes out of the database; none when the length is wrong.
    #[must_use]
    pub fn from_slice(bytes: &[u8]) -> Option<Self> {
        bytes.try_into().ok().map(Self)
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&hex::encode(self.0))
    }
}

/// Hashes fields one after the other.
pub(crate) struct Canonical(Sha256);

impl Canonical {
    /// A new encoding for the purpose that `domain` names.
    pub(crate) fn new(domain: &str) -> Self {
        let mut encoding = Self(Sha256::new());
        encoding.text(domain);
        encoding
    }

    /// Adds bytes.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update((bytes.len() as u64).to_be_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds text.
    pub(crate) fn text(&mut self, text: &str) -> &mut Self {
        self.bytes(text.as_bytes())
    }

    /// Adds a number.
    pub(crate) fn number(&mut self, number: i64) -> &mut Self {
        self.bytes(&number.to_be_bytes())
    }

    /// The digest of all that was added.
    pub(crate) fn digest(&mut self) -> Digest {
        Digest(std::mem::take(&mut self.0).finalize().into())
    }
}
