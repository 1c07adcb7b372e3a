//! Players of an operator, whose keys come from the operator's server.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use parlor_gateway::Config;
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::fixture::{Gateway, PATIENCE, config, http};

const ISSUER: &str = "https://operator.example";
const JWKS: &str = include_str!("operator/jwks.json");

fn jwk(id: &str) -> Value {
    let set: Value = serde_json::from_str(JWKS).unwrap();
    set["keys"].as_array().unwrap().iter().find(|key| key["kid"] == id).unwrap().clone()
}

/// A token under the key of this id.
fn token(id: &str) -> String {
    let (algorithm, key) = match id {
        "rsa" => {
            let key = include_bytes!("operator/rsa.key.der");
            (Algorithm::RS256, EncodingKey::from_rsa_der(key))
        }
        "ec" => {
            let key = include_bytes!("operator/ec.key.der");
            (Algorithm::ES256, EncodingKey::from_ec_der(key))
        }
        _ => {
            let key = include_bytes!("operator/ed.key.der");
            (Algorithm::EdDSA, EncodingKey::from_ed_der(key))
        }
    };
    let mut header = Header::new(algorithm);
    header.kid = Some(id.to_owned());
    let claims = json!({
        "iss": ISSUER, "aud": "parlor", "sub": "user-7", "exp": 32_503_680_000_i64, "name": "Ada",
    });
    encode(&header, &claims, &key).unwrap()
}

/// What an operator's server does when it is asked.
#[derive(Clone)]
enum Manner {
    Says(String),
    Fails,
    Hangs,
    Floods,
}

/// An operator's server.
#[derive(Clone)]
struct Server {
    address: SocketAddr,
    manner: Arc<Mutex<Manner>>,
    asked: Arc<AtomicU32>,
}

impl Server {
    async fn start(manner: Manner) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let server = Self {
            address: listener.local_addr().unwrap(),
            manner: Arc::new(Mutex::new(manner)),
            asked: Arc::default(),
        };
        let answering = server.clone();
        let router = Router::new().route("/jwks", get(move || answering.clone().answer()));
        tokio::spawn(async move { axum::serve(listener, router).await });
        server
    }

    async fn answer(self) -> Response {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let manner = self.manner.lock().unwrap().clone();
        match manner {
            Manner::Says(text) => text.into_response(),
            Manner::Fails => StatusCode::SERVICE_UNAVAILABLE.into_response(),
            Manner::Hangs => std::future::pending().await,
            Manner::Floods => "[".repeat(1 << 20).into_response(),
        }
    }

    fn set(&self, manner: Manner) {
        *self.manner.lock().unwrap() = manner;
    }

    fn set_keys(&self, ids: &[&str]) {
        let keys: Vec<_> = ids.iter().map(|id| jwk(id)).collect();
        self.set(Manner::Says(json!({ "keys": keys }).to_string()));
    }

    fn asked(&self) -> u32 {
        self.asked.load(Ordering::Relaxed)
    }

    fn config(&self, refresh_ms: u64) -> Config {
        let mut config = config();
        config.gateway_operator_issuer = ISSUER.to_owned();
        let url = format!("http://{}/jwks", self.address);
        config.gateway_operator_jwks = Some(url.parse().unwrap());
        config.gateway_operator_jwks_refresh_ms = refresh_ms;
        config
    }
}

async fn sign_in(gateway: &Gateway, token: &str) -> (u16, Value) {
    let body = json!({ "token": token }).to_string();
    let answer = http::post(gateway.address, "/v1/auth/operator", &body).await;
    (answer.status, answer.json())
}

/// Signs in until it goes as it should.
async fn until(gateway: &Gateway, token: &str, wanted: u16) {
    let tries = async {
        while sign_in(gateway, token).await.0 != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    let in_time = tokio::time::timeout(PATIENCE, tries).await;
    assert!(in_time.is_ok(), "never {wanted}");
}

#[tokio::test]
async fn keys_of_every_kind_are_fetched_once_and_check_their_tokens() {
    let server = Server::start(Manner::Says(JWKS.to_owned())).await;
    let gateway = Gateway::with(server.config(600_000)).await;
    let mut players = Vec::new();
    for id in ["rsa", "ec", "ed"] {
        let (status, signed_in) = sign_in(&gateway, &token(id)).await;
        assert_eq!(status, 200, "{id}: {signed_in}");
        assert_eq!(signed_in["name"], "Ada");
        players.push(signed_in["playerId"].clone());
    }
    assert!(players.iter().all(|player| *player == players[0]), "one subject is one player");
    assert_eq!(server.asked(), 1);
}

#[tokio::test]
async fn a_new_key_is_fetched_for_the_first_token_under_it_and_a_withdrawn_one_forgotten() {
    let server = Server::start(Manner::Fails).await;
    server.set_keys(&["rsa"]);
    let gateway = Gateway::with(server.config(1_200)).await;
    assert_eq!(sign_in(&gateway, &token("rsa")).await.0, 200);
    server.set_keys(&["ec"]);
    until(&gateway, &token("ec"), 200).await;
    assert_eq!(sign_in(&gateway, &token("rsa")).await.0, 401);
}

#[tokio::test]
async fn tokens_under_unknown_keys_do_not_flood_the_operator() {
    let server = Server::start(Manner::Fails).await;
    server.set_keys(&["rsa"]);
    let gateway = Gateway::with(server.config(600_000)).await;
    for _ in 0..100 {
        assert_eq!(sign_in(&gateway, &token("ed")).await.0, 401);
    }
    // At the start, and every five seconds at most; this machine may be slow.
    assert!(server.asked() < 20, "{}", server.asked());
}

#[tokio::test]
async fn keys_stay_good_while_the_operator_is_away() {
    let server = Server::start(Manner::Fails).await;
    server.set_keys(&["ec"]);
    let gateway = Gateway::with(server.config(120)).await;
    assert_eq!(sign_in(&gateway, &token("ec")).await.0, 200);
    for manner in [Manner::Fails, Manner::Floods, Manner::Says("<html>".to_owned())] {
        server.set(manner);
        let asked = server.asked();
        let tries = async {
            while server.asked() < asked + 2 {
                assert_eq!(sign_in(&gateway, &token("ec")).await.0, 200);
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        assert!(tokio::time::timeout(PATIENCE, tries).await.is_ok(), "it is not asked again");
    }
    // Nor does it keep a player waiting for longer than one bounded fetch.
    server.set(Manner::Hangs);
    tokio::time::sleep(Duration::from_millis(150)).await;
    assert_eq!(sign_in(&gateway, &token("ec")).await.0, 200);
}

#[tokio::test]
async fn a_gateway_starts_without_the_operator_and_finds_it_later() {
    let server = Server::start(Manner::Fails).await;
    let gateway = Gateway::with(server.config(240)).await;
    let (status, error) = sign_in(&gateway, &token("rsa")).await;
    assert_eq!((status, &error["reason"]), (503, &json!("OPERATOR_KEYS_UNAVAILABLE")));
    gateway.guest("Ada").await;
    server.set_keys(&["rsa"]);
    until(&gateway, &token("rsa"), 200).await;
}

#[tokio::test]
async fn a_key_checks_its_own_algorithm_only() {
    let server = Server::start(Manner::Says(JWKS.to_owned())).await;
    let gateway = Gateway::with(server.config(600_000)).await;
    let signed = token("ec");
    // The header of a token under the RSA key, the rest of one under the EC key.
    let header = token("rsa").split('.').next().unwrap().to_owned();
    let rest = signed.split_once('.').unwrap().1;
    assert_eq!(sign_in(&gateway, &format!("{header}.{rest}")).await.0, 401);
    assert_eq!(sign_in(&gateway, &signed).await.0, 200);
}
