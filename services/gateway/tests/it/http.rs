//! Plain HTTP: signing in, pages, who may come.

use std::time::Duration;

use axum::body::Body;
use parlor_proto::gateway::v1::Hello;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio_tungstenite::tungstenite;

use crate::fixture::client::Socket;
use crate::fixture::{Gateway, ProtoClient, config, http};

#[tokio::test]
async fn a_guest_gets_tokens_and_welcome_chips() {
    let gateway = Gateway::start().await;
    let answer = http::post(gateway.address, "/v1/auth/guest", r#"{"name":" Ada\u0000 "}"#).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["cache-control"], "no-store");
    assert_eq!(answer.headers["content-type"], "application/json");
    let json = answer.json();
    assert_eq!(json["name"], "Ada");
    let lifetime = |field: &str| {
        json[field].as_str().unwrap().parse::<i64>().unwrap() - gateway.clock.now_ms()
    };
    assert!((890_000..=900_000).contains(&lifetime("accessExpiresMs")));
    assert!(lifetime("refreshExpiresMs") > 29 * 24 * 3600 * 1000);
    let player = json["playerId"].as_str().unwrap();
    let deposits = gateway.money.deposits();
    assert_eq!(deposits[&format!("welcome/{player}")].amount, 100_000);
}

#[tokio::test]
async fn a_guest_without_a_name_gets_one() {
    let gateway = Gateway::start().await;
    for body in ["", "{}", r#"{"name":""}"#] {
        let answer = http::post(gateway.address, "/v1/auth/guest", body).await;
        let name = answer.json()["name"].as_str().unwrap().to_owned();
        assert!(name.starts_with("Guest "), "{name}");
    }
}

#[tokio::test]
async fn there_is_no_guest_without_a_wallet() {
    let gateway = Gateway::start().await;
    gateway.money.set_away(true);
    let answer = http::post(gateway.address, "/v1/auth/guest", "{}").await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.json()["retryable"], true);
    assert!(!answer.text.contains("10.9.8.7"), "{}", answer.text);
    gateway.money.set_away(false);
    gateway.guest("Ada").await;
}

#[tokio::test]
async fn a_refresh_token_is_used_up() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let mut token = guest.refresh_token.clone();
    for _ in 0..3 {
        let body = json!({"refreshToken": token}).to_string();
        let answer = http::post(gateway.address, "/v1/auth/refresh", &body).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let json = answer.json();
        assert_eq!(
            (&json["playerId"], &json["name"]),
            (&guest.player.to_string().into(), &"Ada".into())
        );
        token = json["refreshToken"].as_str().unwrap().to_owned();
        let mut client = ProtoClient::connect(gateway.address).await;
        let access_token = json["accessToken"].as_str().unwrap().to_owned();
        client.hello_with(Hello { access_token, ..Hello::default() }).await;
    }
    // The first one again: somebody has stolen it, or the newest. Neither works any more.
    for stale in [&guest.refresh_token, &token] {
        let body = json!({"refresh_token": stale}).to_string();
        let answer = http::post(gateway.address, "/v1/auth/refresh", &body).await;
        assert_eq!(
            (answer.status, &answer.json()["reason"]),
            (401, &"REFRESH_TOKEN_REUSED".into())
        );
    }
}

#[tokio::test]
async fn bad_bodies_and_tokens_are_refused_without_being_repeated() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    for (path, body, status, reason) in [
        ("refresh", "{}".to_owned(), 400, "BAD_REQUEST_BODY"),
        ("refresh", "secret nonsense".to_owned(), 400, "BAD_REQUEST_BODY"),
        ("refresh", r#"{"refreshToken":"secret"}"#.to_owned(), 401, "BAD_TOKEN"),
        ("refresh", json!({"refreshToken": guest.access_token}).to_string(), 401, "BAD_TOKEN"),
        ("guest", r#"{"nome":"secret"}"#.to_owned(), 400, "BAD_REQUEST_BODY"),
        ("guest", format!(r#"{{"name":"{}"}}"#, "secret".repeat(5_000)), 400, "BAD_REQUEST_BODY"),
        ("operator", r#"{"token":"secret"}"#.to_owned(), 409, "OPERATOR_SIGN_IN_OFF"),
    ] {
        let answer = http::post(gateway.address, &format!("/v1/auth/{path}"), &body).await;
        assert_eq!((answer.status, &answer.json()["reason"]), (status, &reason.into()), "{path}");
        assert!(!answer.text.contains("secret"), "{}", answer.text);
    }
    assert_eq!(http::get(gateway.address, "/v1/auth/guest").await.status, 405);
}

#[tokio::test]
async fn answers_carry_the_headers_that_keep_browsers_safe() {
    let gateway = Gateway::start().await;
    for path in ["/", "/absent", "/v1/auth/guest"] {
        let answer = http::get(gateway.address, path).await;
        assert_eq!(answer.headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(answer.headers["referrer-policy"], "no-referrer", "{path}");
    }
    assert_eq!(http::get(gateway.address, "/absent").await.status, 404);
    assert_eq!(http::get(gateway.address, "/../Cargo.toml").await.status, 404);
}

#[tokio::test]
async fn pages_of_other_origins_may_not_connect() {
    let mut config = config();
    config.gateway_allowed_origins = vec!["https://play.example".to_owned()];
    let gateway = Gateway::with(config).await;
    let own = format!("http://{}", gateway.address);
    for (origin, allowed) in
        [(own.as_str(), true), ("https://play.example", true), ("https://evil.example", false)]
    {
        let headers = [("origin", origin)];
        let socket = Socket::connect_with(gateway.address, Some("parlor.v1.json"), &headers).await;
        assert_eq!(socket.is_ok(), allowed, "{origin}");
        let request = http::request("POST", gateway.address, "/v1/auth/guest")
            .header("origin", origin)
            .body(Body::from("{}"));
        let answer = http::send(gateway.address, request.unwrap()).await;
        assert_eq!(answer.status, if allowed { 200 } else { 403 }, "{origin}");
        if !allowed {
            assert_eq!(answer.json()["reason"], "ORIGIN_NOT_ALLOWED");
        }
    }
}

#[tokio::test]
async fn a_listed_page_may_ask_in_advance() {
    let mut config = config();
    config.gateway_allowed_origins = vec!["https://play.example".to_owned()];
    let gateway = Gateway::with(config).await;
    let request = http::request("OPTIONS", gateway.address, "/v1/auth/guest")
        .header("origin", "https://play.example")
        .header("access-control-request-method", "POST")
        .header("access-control-request-headers", "content-type")
        .body(Body::empty());
    let answer = http::send(gateway.address, request.unwrap()).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.headers["access-control-allow-origin"], "https://play.example");
}

#[tokio::test]
async fn a_socket_needs_one_of_the_subprotocols() {
    let gateway = Gateway::start().await;
    for subprotocol in [None, Some("parlor.v9"), Some("chat")] {
        let socket = Socket::connect(gateway.address, subprotocol).await;
        let Err(tungstenite::Error::Http(response)) = socket else { unreachable!("refused") };
        assert_eq!(response.status(), 400);
        let body = response.body().as_deref().unwrap_or_default();
        assert!(String::from_utf8_lossy(body).contains("SUBPROTOCOL_REQUIRED"));
    }
    assert_eq!(http::get(gateway.address, "/v1/session").await.status, 400);
}

#[tokio::test]
async fn a_connection_that_asks_for_nothing_is_closed() {
    let gateway = Gateway::start().await;
    for beginning in ["", "PRI * HT", "GET / HTTP/1.1\r\nhost: x\r\n"] {
        let mut stream = tokio::net::TcpStream::connect(gateway.address).await.unwrap();
        stream.write_all(beginning.as_bytes()).await.unwrap();
        // Taken in by the gateway before its time passes.
        tokio::time::sleep(Duration::from_millis(20)).await;
        tokio::time::pause();
        let mut heard = Vec::new();
        let end = tokio::time::timeout(Duration::from_secs(60), stream.read_to_end(&mut heard));
        assert!(end.await.is_ok(), "{beginning:?}");
        tokio::time::resume();
    }
}
