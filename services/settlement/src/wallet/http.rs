//! An operator's wallet over HTTP, with a bearer token.
//!
//! ```text
//! GET  /balance/{player}                      200 {"balance": 500}
//! POST /debit | /settle | /credit
//!      Idempotency-Key: debit/<hold>/1
//!      {"idempotency_key": "debit/<hold>/1", "player_id": …, "amount": 100,
//!       "hold_id": …, "table_id": …}           200 {"idempotency_key": "debit/<hold>/1",
//!                                                   "amount": 100, "transaction_id": …}
//!                                              4xx {"reason": "insufficient_funds", "balance": 5}
//! ```
//!
//! `debit` takes a buy-in, `settle` pays out what is left of it and closes it (the amount may be
//! 0), `credit` gives a buy-in back that led to no game. The operator must answer a repeated key as
//! it did the first time. Only a yes that names the key and the amount of the question is a yes,
//! and only a no with a reason is a no; everything else (time-outs, 5xx, 401, 408, 429, redirects,
//! other JSON) means that the end is not known, and the same question is asked again.

use std::fmt;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use http::{Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Full, Limited};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use parlor_common::PlayerId;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use tokio_rustls::rustls::crypto::ring;

use crate::money::{Chips, Transfer, TransferKind, is_name};
use crate::wallet::provider::{Answer, Provider, Refusal};

/// The largest answer that is read, in bytes.
const ANSWER_BYTES: usize = 64 * 1024;
/// The longest number that an operator may give to a transfer, in bytes.
const NUMBER_LENGTH: usize = 128;
/// The longest stable reason of an operator, in bytes.
const REASON_LENGTH: usize = 64;
/// Connections that are kept open.
const IDLE_CONNECTIONS: usize = 16;

/// Why the settings of a wallet cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// The URL is not one.
    #[error(
        "the wallet's URL must be http(s)://HOST[:PORT][/PATH], without user, query or fragment"
    )]
    Url,
    /// The token does not fit in a header.
    #[error("the wallet's token must be 1 or more visible ASCII characters")]
    Token,
    /// TLS cannot be set up.
    #[error("TLS to the wallet cannot be set up")]
    Tls,
    /// There is no token.
    #[error("the wallet provider http needs a URL and a token")]
    Missing,
}

/// An operator's wallet over HTTP.
pub struct HttpWallet {
    client: Client<HttpsConnector<HttpConnector>, Full<Bytes>>,
    /// Without a slash at the end.
    base: String,
    authorization: HeaderValue,
    token: SecretString,
    timeout: Duration,
}

impl fmt::Debug for HttpWallet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("HttpWallet").field("base", &self.base).finish_non_exhaustive()
    }
}

#[derive(Serialize)]
struct Order<'a> {
    idempotency_key: &'a str,
    player_id: String,
    amount: i64,
    hold_id: String,
    table_id: String,
}

#[derive(Deserialize)]
struct Yes {
    idempotency_key: String,
    amount: i64,
    transaction_id: String,
}

#[derive(Deserialize)]
struct No {
    reason: String,
    balance: Option<i64>,
}

#[derive(Deserialize)]
struct InWallet {
    balance: i64,
}

impl HttpWallet {
    /// The wallet at `url`; each question waits at most `timeout` for its answer.
    ///
    /// # Errors
    ///
    /// [`SettingsError`].
    pub fn new(url: &str, token: &SecretString, timeout: Duration) -> Result<Self, SettingsError> {
        let base = url.trim_end_matches('/').to_owned();
        let parsed: Uri = base.parse().map_err(|_| SettingsError::Url)?;
        let authority = parsed.authority().ok_or(SettingsError::Url)?.as_str();
        let scheme = matches!(parsed.scheme_str(), Some("http" | "https"));
        if !scheme || authority.contains('@') || parsed.query().is_some() || base.contains('#') {
            return Err(SettingsError::Url);
        }
        let (kept, token) = (token.clone(), token.expose_secret());
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(SettingsError::Token);
        }
        let header = HeaderValue::try_from(format!("Bearer {token}"));
        let mut authorization = header.map_err(|_| SettingsError::Token)?;
        // Keeps it out of every debug output.
        authorization.set_sensitive(true);
        // Named, because a process that has two providers has no default one.
        let connector = HttpsConnectorBuilder::new()
            .with_provider_and_webpki_roots(ring::default_provider())
            .map_err(|_| SettingsError::Tls)?
            .https_or_http()
            .enable_http1()
            .build();
        let client = Client::builder(TokioExecutor::new())
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .build(connector);
        Ok(Self { client, base, authorization, token: kept, timeout })
    }

    /// Whether a text of the operator's, which players get to see, holds our token.
    fn shows_the_token(&self, text: &str) -> bool {
        text.contains(self.token.expose_secret())
    }

    /// Asks once. The client does not follow redirects, so the token goes nowhere else.
    async fn ask(
        &self,
        method: Method,
        path: &str,
        key: Option<&str>,
        body: Vec<u8>,
    ) -> Result<(StatusCode, Bytes), String> {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header(AUTHORIZATION, self.authorization.clone())
            .header(CONTENT_TYPE, "application/json");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        let request = request.body(Full::from(body)).map_err(|_| "not a request".to_owned())?;
        let asked = async {
            let answer = self.client.request(request).await.map_err(describe)?;
            let status = answer.status();
            let body = Limited::new(answer.into_body(), ANSWER_BYTES).collect().await;
            let body = body.map_err(|error| format!("the answer broke off: {error}"))?;
            Ok((status, body.to_bytes()))
        };
        let late = || format!("no answer within {} ms", self.timeout.as_millis());
        tokio::time::timeout(self.timeout, asked).await.unwrap_or_else(|_| Err(late()))
    }
}

fn describe(error: hyper_util::client::legacy::Error) -> String {
    use std::error::Error as _;
    let cause = error.source().map(ToString::to_string).unwrap_or_default();
    format!("{error}: {cause}")
}

#[async_trait]
impl Provider for HttpWallet {
    async fn balance(&self, player: PlayerId) -> Result<Chips, String> {
        let path = format!("/balance/{player}");
        let (status, body) = self.ask(Method::GET, &path, None, Vec::new()).await?;
        if status != StatusCode::OK {
            return Err(format!("status {}", status.as_u16()));
        }
        let wallet: InWallet =
            serde_json::from_slice(&body).map_err(|_| "the answer is not a balance".to_owned())?;
        Ok(Chips(wallet.balance))
    }

    async fn order(&self, transfer: &Transfer) -> Answer {
        let key = transfer.order_key();
        let order = Order {
            idempotency_key: &key,
            player_id: transfer.player.to_string(),
            amount: transfer.amount.0,
            hold_id: transfer.hold.to_string(),
            table_id: transfer.table.to_string(),
        };
        let Ok(body) = serde_json::to_vec(&order) else {
            return Answer::Unknown("the order cannot be written".to_owned());
        };
        let path = match transfer.kind {
            TransferKind::Debit => "/debit",
            TransferKind::Settle => "/settle",
            TransferKind::Credit => "/credit",
        };
        match self.ask(Method::POST, path, Some(&key), body).await {
            Ok((status, body)) => match read(status, &body, &key, transfer.amount) {
                Answer::No(Refusal::Other(reason)) if self.shows_the_token(&reason) => {
                    Answer::Unknown("the refusal holds what must not be passed on".to_owned())
                }
                answer => answer,
            },
            Err(why) => Answer::Unknown(why),
        }
    }
}

/// Reads an answer to an order, and believes little.
fn read(status: StatusCode, body: &[u8], key: &str, amount: Chips) -> Answer {
    let unknown = |why: &str| Answer::Unknown(format!("status {}: {why}", status.as_u16()));
    match status.as_u16() {
        200 | 201 => {
            let Ok(yes) = serde_json::from_slice::<Yes>(body) else {
                return unknown("the answer is not a confirmation");
            };
            let number = yes.transaction_id;
            let fits = !number.is_empty() && number.len() <= NUMBER_LENGTH;
            if yes.idempotency_key != key || yes.amount != amount.0 {
                unknown("the answer is to another question")
            } else if fits {
                Answer::Yes(number)
            } else {
                unknown("the answer has no number, or a long one")
            }
        }
        // Not about this order, or not for ever.
        401 | 407 | 408 | 425 | 429 => unknown("the operator does not take orders now"),
        400..=499 => match serde_json::from_slice::<No>(body) {
            Ok(no) if no.reason == "insufficient_funds" => {
                Answer::No(Refusal::InsufficientFunds(no.balance.map(Chips)))
            }
            Ok(no) if is_name(&no.reason, REASON_LENGTH) => Answer::No(Refusal::Other(no.reason)),
            _ => unknown("the refusal has no reason"),
        },
        _ => unknown("neither done nor refused"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    const KEY: &str = "debit/h/1";

    fn answer(status: u16, body: &str) -> Answer {
        read(StatusCode::from_u16(status).unwrap(), body.as_bytes(), KEY, Chips(100))
    }

    #[test]
    fn a_yes_names_the_question() {
        let yes = r#"{"idempotency_key":"debit/h/1","amount":100,"transaction_id":"t7","more":1}"#;
        assert_eq!(answer(200, yes), Answer::Yes("t7".to_owned()));
        for wrong in [
            "",
            "ok",
            "{}",
            r#"{"success":true}"#,
            r#"{"idempotency_key":"debit/h/2","amount":100,"transaction_id":"t7"}"#,
            r#"{"idempotency_key":"debit/h/1","amount":99,"transaction_id":"t7"}"#,
            r#"{"idempotency_key":"debit/h/1","amount":100.5,"transaction_id":"t7"}"#,
            r#"{"idempotency_key":"debit/h/1","amount":100,"transaction_id":""}"#,
            r#"{"reason":"insufficient_funds"}"#,
        ] {
            let read = answer(200, wrong);
            assert!(matches!(read, Answer::Unknown(_)), "{wrong}: {read:?}");
        }
        assert!(matches!(answer(202, yes), Answer::Unknown(_)), "accepted is not done");
        assert!(matches!(answer(302, yes), Answer::Unknown(_)));
        assert!(matches!(answer(500, yes), Answer::Unknown(_)));
    }

    #[test]
    fn a_no_has_a_reason() {
        let poor = r#"{"reason":"insufficient_funds","balance":5}"#;
        let refused = Answer::No(Refusal::InsufficientFunds(Some(Chips(5))));
        for status in [400, 402, 409, 422] {
            assert_eq!(answer(status, poor), refused);
        }
        let blocked = r#"{"reason":"account_blocked"}"#;
        assert_eq!(answer(403, blocked), Answer::No(Refusal::Other("account_blocked".into())));
        for (status, body) in [
            (404, "<html>not found</html>"),
            (400, "{}"),
            (400, r#"{"reason":"Some <b>text</b>"}"#),
            (401, poor),
            (408, poor),
            (429, poor),
            (500, poor),
        ] {
            let read = answer(status, body);
            assert!(matches!(read, Answer::Unknown(_)), "{status} {body}: {read:?}");
        }
    }

    #[test]
    fn the_token_is_never_shown_and_the_url_has_none() {
        let token: SecretString = "s3cret".into();
        let second = Duration::from_secs(1);
        let wallet = HttpWallet::new("https://wallet.example/api/", &token, second).unwrap();
        let shown = format!("{wallet:?} {:?}", wallet.authorization);
        assert!(shown.contains("wallet.example/api") && !shown.contains("s3cret"), "{shown}");
        for wrong in ["wallet", "ftp://wallet", "https://me:pw@wallet", "http://w/?a=b", "http://"]
        {
            let refused = HttpWallet::new(wrong, &token, second).err();
            assert_eq!(refused, Some(SettingsError::Url), "{wrong}");
        }
        for wrong in ["", "two words", "line\nbreak"] {
            let refused = HttpWallet::new("http://w", &wrong.into(), second).err();
            assert_eq!(refused, Some(SettingsError::Token));
        }
    }
}
