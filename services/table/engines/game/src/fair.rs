//! The verifiable shuffle, `parlor-fair-v1`.
//!
//! 1. Before a hand the table draws a [`ServerSeed`] and publishes its [`Commitment`].
//! 2. Each seat may add a client seed of up to [`CLIENT_SEED_MAX`] bytes until the hand starts.
//! 3. [`Entropy::for_hand`] derives the hand's key from all of them.
//! 4. A [`Stream`] of ChaCha20 words (RFC 8439, zero nonce, counter 0) gives bounded integers by
//!    rejection and a Fisher–Yates shuffle.
//! 5. After the hand the seed is revealed, and anyone can do steps 1 to 4 again.
//!
//! The shuffle is our own because a library's may change between releases.

use core::fmt;

use hmac::{Hmac, KeyInit, Mac};
use rand::rngs::ChaCha20Rng;
use rand::{Rng, SeedableRng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// Most bytes of entropy that one seat may add.
pub const CLIENT_SEED_MAX: usize = 32;

const COMMIT_LABEL: &[u8] = b"parlor/commit/v1";
const HAND_LABEL: &[u8] = b"parlor/hand/v1";
const SHARED_LABEL: &[u8] = b"parlor/shared/v1";

/// What stands for the table in the key of a deal that many tables have in common.
pub const SHARED_TABLE: [u8; 16] = [0; 16];
/// What stands for the number of the hand in such a key.
pub const SHARED_HAND: u64 = 1;

/// The table's secret half of a hand's entropy. Its `Debug` does not show it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ServerSeed(pub [u8; 32]);

impl fmt::Debug for ServerSeed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("ServerSeed(hidden)")
    }
}

impl ServerSeed {
    /// The seed of a deal that many tables have in common:
    /// HMAC-SHA256(secret, "parlor/shared/v1" || name).
    ///
    /// Whoever knows the secret knows every such deal; whoever knows one seed knows no other.
    #[must_use]
    pub fn shared(secret: &[u8; 32], name: &str) -> Self {
        let mut mac = keyed(secret);
        mac.update(SHARED_LABEL);
        mac.update(name.as_bytes());
        Self(mac.finalize().into_bytes().into())
    }

    /// SHA-256("parlor/commit/v1" || seed).
    #[must_use]
    pub fn commitment(&self) -> Commitment {
        let mut hash = Sha256::new();
        hash.update(COMMIT_LABEL);
        hash.update(self.0);
        Commitment(hash.finalize().into())
    }
}

/// The published hash of a [`ServerSeed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commitment(pub [u8; 32]);

/// The key of one hand. Every random choice of the hand is a function of it and of a label.
///
/// Its `Debug` does not show the key.
#[derive(Clone, Serialize, Deserialize)]
#[serde(from = "[u8; 32]", into = "[u8; 32]")]
pub struct Entropy {
    key: [u8; 32],
    /// The state of the HMAC after the key: half of the work for each label.
    keyed: Hmac<Sha256>,
}

impl PartialEq for Entropy {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Entropy {}

impl From<[u8; 32]> for Entropy {
    fn from(key: [u8; 32]) -> Self {
        Self::from_key(key)
    }
}

impl From<Entropy> for [u8; 32] {
    fn from(entropy: Entropy) -> Self {
        entropy.key
    }
}

impl fmt::Debug for Entropy {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Entropy(hidden)")
    }
}

impl Entropy {
    /// The key of hand `hand_no` at a table, from the server's and the clients' seeds in seat
    /// order. A client seed longer than [`CLIENT_SEED_MAX`] bytes is cut to it.
    #[must_use]
    pub fn for_hand<'a>(
        server_seed: &ServerSeed,
        table_id: &[u8; 16],
        hand_no: u64,
        client_seeds: impl IntoIterator<Item = &'a [u8]>,
    ) -> Self {
        let mut mac = keyed(&server_seed.0);
        mac.update(HAND_LABEL);
        mac.update(table_id);
        mac.update(&hand_no.to_be_bytes());
        for seed in client_seeds {
            let seed = &seed[..seed.len().min(CLIENT_SEED_MAX)];
            mac.update(&[u8::try_from(seed.len()).unwrap_or(u8::MAX)]);
            mac.update(seed);
        }
        Self::from_key(mac.finalize().into_bytes().into())
    }

    /// The key of a deal that many tables have in common: [`SHARED_TABLE`] and [`SHARED_HAND`]
    /// stand for table and hand, and no client adds to it.
    #[must_use]
    pub fn for_shared_deal(server_seed: &ServerSeed) -> Self {
        Self::for_hand(server_seed, &SHARED_TABLE, SHARED_HAND, [])
    }

    /// Entropy from a key that is already derived: tests, simulations, verification.
    #[must_use]
    pub fn from_key(key: [u8; 32]) -> Self {
        Self { key, keyed: keyed(&key) }
    }

    /// The stream of the deal, keyed with the hand's own key.
    #[must_use]
    pub fn deal(&self) -> Stream {
        Stream(ChaCha20Rng::from_seed(self.key))
    }

    /// The stream for one purpose, keyed with HMAC-SHA256(key, label). Use each label once in a
    /// hand: a second use gives the same numbers.
    #[must_use]
    pub fn labelled(&self, label: &str) -> Stream {
        let mut mac = self.keyed.clone();
        mac.update(label.as_bytes());
        Stream(ChaCha20Rng::from_seed(mac.finalize().into_bytes().into()))
    }
}

fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    // HMAC pads a key shorter than a block with zeros (RFC 2104), so this is the same key.
    let mut block = [0; 64];
    block[..32].copy_from_slice(key);
    Hmac::<Sha256>::new(&block.into())
}

/// A stream of little-endian 32-bit words.
pub struct Stream(ChaCha20Rng);

impl fmt::Debug for Stream {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Stream(hidden)")
    }
}

impl Stream {
    /// The next word.
    #[inline]
    pub fn word(&mut self) -> u32 {
        self.0.next_u32()
    }

    /// A uniform integer in `0..n`, by rejection; 0 when `n` is 0 or 1 (without drawing for 0).
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        if n == 0 {
            return 0;
        }
        // The largest multiple of n is more than 2^32 - n: most words need no division to be taken.
        let surely = u32::MAX - n;
        loop {
            let word = self.word();
            if word <= surely || u64::from(word) < ((1_u64 << 32) / u64::from(n)) * u64::from(n) {
                return word % n;
            }
        }
    }

    /// Fisher–Yates from the last position down; uniform over all permutations.
    ///
    /// Slices longer than `u32::MAX` are not meant.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let bound = u32::try_from(last + 1).unwrap_or(u32::MAX);
            items.swap(last, self.below(bound) as usize);
        }
    }

    /// Whether an event of chance `numerator` in `denominator` happens; certain (and drawing
    /// nothing) when the numerator reaches the denominator.
    #[inline]
    pub fn chance(&mut self, numerator: u32, denominator: u32) -> bool {
        numerator >= denominator || self.below(denominator) < numerator
    }
}
