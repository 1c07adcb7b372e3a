//! Players who come with an operator's JWT, checked against the operator's published keys (JWKS).
//!
//! The algorithm is pinned by the key, never taken from the token: an RSA key checks RS256, a P-256
//! key ES256, an Ed25519 key EdDSA, and nothing else is accepted.

use std::time::Duration;

use jsonwebtoken::{Header, Validation, decode, decode_header};
use parlor_common::{Clock, Failure, PlayerId};
use serde::Deserialize;

pub use super::keys::KeySource;
use super::keys::{Key, KeySet};
use super::name;
use super::token::{Identity, bad_token};
use crate::Error;

/// Players of operators get ids in this namespace, derived from issuer and subject.
const NAMESPACE: [u8; 16] = *b"parlor/operators";
/// Longest token in bytes.
const MAX_TOKEN_BYTES: usize = 8192;
/// Longest subject in bytes.
const MAX_SUBJECT_BYTES: usize = 256;
/// Difference between the operator's clock and ours that is forgiven.
const LEEWAY_S: i64 = 30;

#[derive(Clone, Deserialize)]
struct Claims {
    sub: String,
    exp: i64,
    #[serde(default)]
    nbf: Option<i64>,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    preferred_username: Option<String>,
}

/// An operator whose players may come.
pub struct Operator {
    issuer: String,
    audience: String,
    keys: KeySet,
    clock: Clock,
}

impl Operator {
    /// Reads the keys for the first time, and again every `refresh`.
    ///
    /// # Errors
    /// [`Error::Jwks`] when they cannot be read, or none of them is usable; those at a URL may come
    /// later.
    pub async fn new(
        issuer: String,
        audience: String,
        source: KeySource,
        refresh: Duration,
        clock: Clock,
    ) -> Result<Self, Error> {
        let keys = KeySet::open(source, refresh).await?;
        Ok(Self { issuer, audience, keys, clock })
    }

    /// Who the token speaks for.
    ///
    /// # Errors
    /// `UNAUTHENTICATED`/`BAD_TOKEN`, `UNAVAILABLE`/`OPERATOR_KEYS_UNAVAILABLE`.
    pub async fn check(&self, token: &str) -> Result<Identity, Failure> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(bad_token());
        }
        let header = decode_header(token).map_err(|_| bad_token())?;
        // Extensions that must be understood are not.
        if header.crit.is_some() {
            return Err(bad_token());
        }
        let claims = self.verified(token, &header).await?;
        let now_s = self.clock.now_ms() / 1000;
        let expired = claims.exp.saturating_add(LEEWAY_S) <= now_s;
        let early = claims.nbf.is_some_and(|start| start > now_s.saturating_add(LEEWAY_S));
        if expired || early || claims.sub.is_empty() || claims.sub.len() > MAX_SUBJECT_BYTES {
            return Err(bad_token());
        }
        let subject = format!("{}:{}{}", self.issuer.len(), self.issuer, claims.sub);
        let player = PlayerId::derived(&NAMESPACE, &subject);
        let wanted = claims.name.or(claims.preferred_username).unwrap_or_default();
        Ok(Identity { player, name: name::clean(&wanted, &player) })
    }

    async fn verified(&self, token: &str, header: &Header) -> Result<Claims, Failure> {
        let known = self.keys.current().await?;
        if let Some(claims) = self.under(&known.keys, token, header) {
            return Ok(claims);
        }
        // A bad signature under a key that is known is no reason to read the keys again.
        if header.kid.is_some() && known.keys.iter().any(|key| key.id == header.kid) {
            return Err(bad_token());
        }
        let newer = self.keys.newer(&known).await.ok_or_else(bad_token)?;
        self.under(&newer.keys, token, header).ok_or_else(bad_token)
    }

    fn under(&self, keys: &[Key], token: &str, header: &Header) -> Option<Claims> {
        keys.iter()
            .filter(|key| key.algorithm == header.alg)
            .filter(|key| header.kid.is_none() || key.id == header.kid)
            .find_map(|key| {
                let mut validation = Validation::new(key.algorithm);
                validation.set_issuer(&[&self.issuer]);
                validation.set_audience(&[&self.audience]);
                validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
                // By our own clock, in `check`.
                validation.validate_exp = false;
                decode::<Claims>(token, &key.check, &validation).ok()
            })
            .map(|data| data.claims)
    }
}

#[cfg(test)]
mod tests;
