//! An operator's tokens.

#![allow(clippy::unwrap_used)]

use jsonwebtoken::{Algorithm, EncodingKey, encode};
use serde_json::{Value, json};

use super::*;
use crate::auth::keys::{READ_AGAIN_AT_MOST, usable_keys};

/// How often the keys are read.
const REFRESH: Duration = Duration::from_secs(60);

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
    Operator::new(issuer, audience, source, REFRESH, Clock::held_at(NOW_MS)).await.unwrap()
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

#[test]
fn keys_that_are_not_for_signatures_are_not_used() {
    let mut encryption = ed_jwk("a");
    encryption["use"] = "enc".into();
    let mut other_algorithm = ed_jwk("a");
    other_algorithm["alg"] = "RS256".into();
    let symmetric = json!({"kty": "oct", "k": "c2VjcmV0", "kid": "a"});
    for key in [encryption, other_algorithm, symmetric] {
        assert!(usable_keys(json!({ "keys": [key] }).to_string().as_bytes()).is_err());
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
    tokio::time::advance(REFRESH * 2).await;
    assert!(operator.check(&signed("new", &claims())).await.is_ok(), "the last good keys stay");
}
