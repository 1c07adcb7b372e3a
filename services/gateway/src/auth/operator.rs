//! Players who come with an operator's JWT, checked against the operator's published keys (JWKS).
//!
//! The algorithm is pinned by the key, never taken from the token: an RSA key checks RS256, a P-256
//! key ES256, an Ed25519 key EdDSA, and nothing else is accepted.

use std::path::PathBuf;
use std::time::Duration;

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, JwkSet, KeyAlgorithm};
use jsonwebtoken::jwk::{KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use parlor_common::{Clock, Failure, PlayerId};
use serde::Deserialize;
use tokio::sync::Mutex;
use tokio::time::Instant;

use super::name;
use super::token::{Identity, bad_token};
use crate::Error;

/// Players of operators get ids in this namespace, derived from issuer and subject.
const NAMESPACE: [u8; 16] = *b"parlor/operators";
/// Longest token in bytes.
const MAX_TOKEN_BYTES: usize = 8192;
/// Longest subject in bytes.
const MAX_SUBJECT_BYTES: usize = 256;
/// Keys that are looked at; more in a set are ignored.
const MAX_KEYS: usize = 32;
/// Largest key set in bytes.
const MAX_JWKS_BYTES: u64 = 256 * 1024;
/// Difference between the operator's clock and ours that is forgiven.
const LEEWAY_S: i64 = 30;
/// A key set in a file is read again after so long, so that withdrawn keys are forgotten.
const READ_AGAIN_AFTER: Duration = Duration::from_secs(60);
/// A token under an unknown key has the file read again, but not more often than this.
const READ_AGAIN_AT_MOST: Duration = Duration::from_secs(5);

/// Where an operator's keys come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeySource {
    /// The set itself.
    Inline(String),
    /// A file that is read again as keys rotate.
    File(PathBuf),
}

impl std::str::FromStr for KeySource {
    type Err = std::convert::Infallible;

    /// `file:PATH`, or the set as JSON.
    fn from_str(setting: &str) -> Result<Self, Self::Err> {
        Ok(match setting.strip_prefix("file:") {
            Some(path) => Self::File(path.into()),
            None => Self::Inline(setting.to_owned()),
        })
    }
}

struct Key {
    id: Option<String>,
    algorithm: Algorithm,
    check: DecodingKey,
}

struct Keys {
    known: Vec<Key>,
    read: Instant,
}

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
    source: KeySource,
    keys: Mutex<Keys>,
    clock: Clock,
}

impl Operator {
    /// Reads the keys for the first time.
    ///
    /// # Errors
    /// [`Error::Jwks`] when they cannot be read, or none of them is usable.
    pub async fn new(
        issuer: String,
        audience: String,
        source: KeySource,
        clock: Clock,
    ) -> Result<Self, Error> {
        let known = read(&source).await?;
        let keys = Mutex::new(Keys { known, read: Instant::now() });
        Ok(Self { issuer, audience, source, keys, clock })
    }

    /// Who the token speaks for.
    ///
    /// # Errors
    /// `UNAUTHENTICATED`/`BAD_TOKEN`.
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
        // Held while a file is read, so that a burst of tokens reads it once.
        let mut keys = self.keys.lock().await;
        if keys.read.elapsed() > READ_AGAIN_AFTER {
            self.read_again(&mut keys).await;
        }
        if let Some(claims) = self.under(&keys.known, token, header) {
            return Ok(claims);
        }
        if keys.read.elapsed() < READ_AGAIN_AT_MOST {
            return Err(bad_token());
        }
        self.read_again(&mut keys).await;
        self.under(&keys.known, token, header).ok_or_else(bad_token)
    }

    async fn read_again(&self, keys: &mut Keys) {
        keys.read = Instant::now();
        if matches!(self.source, KeySource::Inline(_)) {
            return;
        }
        match read(&self.source).await {
            Ok(known) => keys.known = known,
            Err(error) => tracing::error!(%error, "the operator's keys could not be read again"),
        }
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

async fn read(source: &KeySource) -> Result<Vec<Key>, Error> {
    let text = match source {
        KeySource::Inline(text) => text.clone(),
        KeySource::File(path) => {
            let unreadable = |error: std::io::Error| Error::Jwks(error.to_string());
            let length = tokio::fs::metadata(path).await.map_err(unreadable)?.len();
            if length > MAX_JWKS_BYTES {
                return Err(Error::Jwks(format!("the file has {length} bytes")));
            }
            tokio::fs::read_to_string(path).await.map_err(unreadable)?
        }
    };
    let set: JwkSet =
        serde_json::from_str(&text).map_err(|error| Error::Jwks(error.to_string()))?;
    let keys: Vec<_> = set.keys.iter().take(MAX_KEYS).filter_map(usable).collect();
    if keys.is_empty() { Err(Error::Jwks("no usable key".to_owned())) } else { Ok(keys) }
}

fn usable(jwk: &Jwk) -> Option<Key> {
    let (algorithm, named) = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => (Algorithm::RS256, KeyAlgorithm::RS256),
        AlgorithmParameters::EllipticCurve(key) if key.curve == EllipticCurve::P256 => {
            (Algorithm::ES256, KeyAlgorithm::ES256)
        }
        AlgorithmParameters::OctetKeyPair(key) if key.curve == EllipticCurve::Ed25519 => {
            (Algorithm::EdDSA, KeyAlgorithm::EdDSA)
        }
        _ => return None,
    };
    let common = &jwk.common;
    let signs = common.public_key_use.as_ref().is_none_or(|use_| *use_ == PublicKeyUse::Signature);
    let verifies = common
        .key_operations
        .as_ref()
        .is_none_or(|operations| operations.contains(&KeyOperations::Verify));
    let fits = common.key_algorithm.is_none_or(|declared| declared == named);
    if !(signs && verifies && fits) {
        return None;
    }
    let check = DecodingKey::from_jwk(jwk).ok()?;
    Some(Key { id: common.key_id.clone(), algorithm, check })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use jsonwebtoken::{EncodingKey, encode};
    use serde_json::{Value, json};

    use super::*;

    // The key pair of RFC 8037, appendix A.
    const ED_PUBLIC: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";
    const NOW_MS: i64 = 1_700_000_000_000;

    fn ed_private() -> EncodingKey {
        // PKCS#8 around the seed.
        let seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
        let mut der = vec![48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32];
        for pair in seed.as_bytes().chunks(2) {
            let digits = std::str::from_utf8(pair).unwrap();
            der.push(u8::from_str_radix(digits, 16).unwrap());
        }
        EncodingKey::from_ed_der(&der)
    }

    fn ed_jwk(id: &str) -> Value {
        json!({"kty": "OKP", "crv": "Ed25519", "x": ED_PUBLIC, "kid": id, "use": "sig"})
    }

    fn claims() -> Value {
        json!({
            "iss": "https://operator.example", "aud": "parlor", "sub": "user-7",
            "exp": NOW_MS / 1000 + 60, "name": "Ada",
        })
    }

    fn signed(id: &str, claims: &Value) -> String {
        let mut header = Header::new(Algorithm::EdDSA);
        header.kid = Some(id.to_owned());
        encode(&header, claims, &ed_private()).unwrap()
    }

    async fn operator(source: KeySource) -> Operator {
        let (issuer, audience) = ("https://operator.example".to_owned(), "parlor".to_owned());
        Operator::new(issuer, audience, source, Clock::held_at(NOW_MS)).await.unwrap()
    }

    fn inline(keys: &[Value]) -> KeySource {
        KeySource::Inline(json!({ "keys": keys }).to_string())
    }

    #[tokio::test]
    async fn the_same_subject_is_always_the_same_player() {
        let operator = operator(inline(&[ed_jwk("a")])).await;
        let first = operator.check(&signed("a", &claims())).await.unwrap();
        let second = operator.check(&signed("a", &claims())).await.unwrap();
        assert_eq!(first, second);
        assert_eq!(first.name, "Ada");
        let mut other = claims();
        other["sub"] = "user-8".into();
        assert_ne!(operator.check(&signed("a", &other)).await.unwrap().player, first.player);
    }

    #[tokio::test]
    async fn wrong_claims_are_refused() {
        let operator = operator(inline(&[ed_jwk("a")])).await;
        for (claim, value) in [
            ("iss", json!("https://elsewhere.example")),
            ("aud", json!("another-service")),
            ("exp", json!(NOW_MS / 1000 - LEEWAY_S)),
            ("nbf", json!(NOW_MS / 1000 + LEEWAY_S + 1)),
            ("sub", json!("")),
            ("sub", json!("x".repeat(300))),
            ("exp", Value::Null),
            ("sub", Value::Null),
        ] {
            let mut wrong = claims();
            wrong[claim] = value.clone();
            assert!(operator.check(&signed("a", &wrong)).await.is_err(), "{claim} {value}");
        }
    }

    #[tokio::test]
    async fn a_token_under_an_unknown_key_is_refused() {
        let operator = operator(inline(&[ed_jwk("a")])).await;
        assert!(operator.check(&signed("b", &claims())).await.is_err());
    }

    #[tokio::test]
    async fn the_public_key_is_no_shared_secret() {
        let operator = operator(inline(&[ed_jwk("a")])).await;
        let mut header = Header::new(Algorithm::HS256);
        header.kid = Some("a".to_owned());
        let key = EncodingKey::from_secret(ED_PUBLIC.as_bytes()).unwrap();
        let confused = encode(&header, &claims(), &key).unwrap();
        assert!(operator.check(&confused).await.is_err());
        // {"alg":"none"}
        let body = confused.split('.').nth(1).unwrap();
        assert!(operator.check(&format!("eyJhbGciOiJub25lIn0.{body}.")).await.is_err());
    }

    #[tokio::test]
    async fn keys_that_are_not_for_signatures_are_not_used() {
        let mut encryption = ed_jwk("a");
        encryption["use"] = "enc".into();
        let mut other_algorithm = ed_jwk("a");
        other_algorithm["alg"] = "RS256".into();
        let symmetric = json!({"kty": "oct", "k": "c2VjcmV0", "kid": "a"});
        for key in [encryption, other_algorithm, symmetric] {
            assert!(read(&inline(std::slice::from_ref(&key))).await.is_err(), "{key}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn a_rotated_key_is_found_in_the_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("jwks.json");
        std::fs::write(&path, json!({"keys": [ed_jwk("old")]}).to_string()).unwrap();
        let operator = operator(KeySource::File(path.clone())).await;
        std::fs::write(&path, json!({"keys": [ed_jwk("new")]}).to_string()).unwrap();
        assert!(operator.check(&signed("new", &claims())).await.is_err(), "read a moment ago");
        tokio::time::advance(READ_AGAIN_AT_MOST).await;
        assert!(operator.check(&signed("new", &claims())).await.is_ok());
        assert!(operator.check(&signed("old", &claims())).await.is_err());
        std::fs::write(&path, "no longer JSON").unwrap();
        tokio::time::advance(READ_AGAIN_AFTER * 2).await;
        assert!(operator.check(&signed("new", &claims())).await.is_ok(), "the last good keys stay");
    }
}
