//! An operator's wallet that can be slow, away, or a liar.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::routing::{get, post};
use axum::{Json, Router};
use parlor_common::{PlayerId, Shutdown};
use serde_json::{Value, json};
use tokio::net::TcpListener;

use crate::chance::Chance;

/// Has the form of a reason, too.
pub const TOKEN: &str = "s3cret_operator_token";
/// How long the tests wait for an answer.
pub const TIMEOUT: Duration = Duration::from_millis(150);

/// What the operator does with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mood {
    Honest,
    /// Does it, and answers when nobody waits any more.
    Slow,
    /// Does nothing and says so.
    Away,
    /// Does it, and says that it failed.
    DoneAndDenied,
    /// Does nothing, and says that it succeeded.
    Boasting,
    /// Does nothing, and answers a question that nobody asked.
    Confused,
    /// Has no time.
    Limited,
    /// Does nothing, and shows the token in its refusal.
    Leaking,
}

const MOODS: [Mood; 8] = [
    Mood::Honest,
    Mood::Slow,
    Mood::Away,
    Mood::DoneAndDenied,
    Mood::Boasting,
    Mood::Confused,
    Mood::Limited,
    Mood::Leaking,
];

struct Till {
    balances: BTreeMap<String, i64>,
    /// What was done, by key.
    done: BTreeMap<String, Value>,
    mood: Option<Mood>,
    chance: Chance,
    moods: BTreeMap<Mood, usize>,
    refuse_payouts: bool,
}

#[derive(Clone)]
pub struct Operator {
    pub url: String,
    till: Arc<Mutex<Till>>,
}

impl Operator {
    pub async fn start(shutdown: &Shutdown) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/wallet", listener.local_addr().unwrap());
        let till = Arc::new(Mutex::new(Till {
            balances: BTreeMap::new(),
            done: BTreeMap::new(),
            mood: Some(Mood::Honest),
            chance: Chance::new(3),
            moods: BTreeMap::new(),
            refuse_payouts: false,
        }));
        let operator = Self { url, till };
        let router = Router::new()
            .route("/wallet/balance/{player}", get(balance))
            .route("/wallet/debit", post(debit))
            .route("/wallet/settle", post(pay))
            .route("/wallet/credit", post(pay))
            .with_state(operator.clone());
        let end = shutdown.begun();
        shutdown.spawn("operator", async move {
            axum::serve(listener, router).with_graceful_shutdown(end).await.unwrap();
        });
        operator
    }

    pub fn set(&self, player: PlayerId, balance: i64) {
        self.till.lock().unwrap().balances.insert(player.to_string(), balance);
    }

    pub fn balance_of(&self, player: PlayerId) -> i64 {
        self.till.lock().unwrap().balances[&player.to_string()]
    }

    /// One mood, or with none any of them by chance.
    pub fn be(&self, mood: Option<Mood>) {
        self.till.lock().unwrap().mood = mood;
    }

    pub fn refuse_payouts(&self, refuse: bool) {
        self.till.lock().unwrap().refuse_payouts = refuse;
    }

    pub fn has_shown_every_mood(&self) -> bool {
        self.till.lock().unwrap().moods.len() == MOODS.len()
    }

    pub fn orders(&self, kind: &str) -> usize {
        let till = self.till.lock().unwrap();
        till.done.keys().filter(|key| key.starts_with(kind)).count()
    }
}

impl Till {
    fn mood(&mut self) -> Mood {
        let mood = self.mood.unwrap_or_else(|| {
            // Half of the time things work.
            let number = self.chance.below(2 * MOODS.len() as u64 - 2);
            MOODS.get(usize::try_from(number).unwrap()).copied().unwrap_or(Mood::Honest)
        });
        *self.moods.entry(mood).or_default() += 1;
        mood
    }

    fn execute(&mut self, order: &Value, sign: i64) -> (StatusCode, Value) {
        let key = order["idempotency_key"].as_str().unwrap().to_owned();
        if let Some(first) = self.done.get(&key) {
            return (StatusCode::OK, first.clone());
        }
        let (player, amount) = (order["player_id"].as_str().unwrap(), order["amount"].as_i64());
        let amount = amount.unwrap();
        assert!(amount >= 0);
        let Some(balance) = self.balances.get_mut(player) else {
            return (StatusCode::NOT_FOUND, json!({"reason": "unknown_player"}));
        };
        if sign > 0 && self.refuse_payouts {
            return (StatusCode::FORBIDDEN, json!({"reason": "account_blocked"}));
        }
        if *balance + sign * amount < 0 {
            let refused = json!({"reason": "insufficient_funds", "balance": *balance});
            return (StatusCode::PAYMENT_REQUIRED, refused);
        }
        *balance += sign * amount;
        let number = format!("op-{}", self.done.len());
        let yes = json!({"idempotency_key": key, "amount": amount, "transaction_id": number});
        self.done.insert(key, yes.clone());
        (StatusCode::OK, yes)
    }
}

fn signed_in(headers: &HeaderMap) {
    assert_eq!(headers["authorization"], format!("Bearer {TOKEN}").as_str());
}

async fn balance(
    State(operator): State<Operator>,
    Path(player): Path<String>,
    headers: HeaderMap,
) -> (StatusCode, Json<Value>) {
    signed_in(&headers);
    let mut till = operator.till.lock().unwrap();
    if till.mood() != Mood::Honest {
        return (StatusCode::SERVICE_UNAVAILABLE, Json(json!({})));
    }
    let balance = till.balances.get(&player).copied().unwrap_or(0);
    (StatusCode::OK, Json(json!({"balance": balance})))
}

async fn debit(
    State(operator): State<Operator>,
    headers: HeaderMap,
    Json(order): Json<Value>,
) -> (StatusCode, Json<Value>) {
    answer(&operator, &headers, &order, -1).await
}

async fn pay(
    State(operator): State<Operator>,
    headers: HeaderMap,
    Json(order): Json<Value>,
) -> (StatusCode, Json<Value>) {
    answer(&operator, &headers, &order, 1).await
}

async fn answer(
    operator: &Operator,
    headers: &HeaderMap,
    order: &Value,
    sign: i64,
) -> (StatusCode, Json<Value>) {
    signed_in(headers);
    assert_eq!(headers["idempotency-key"], order["idempotency_key"].as_str().unwrap());
    let (mood, (status, body)) = {
        let mut till = operator.till.lock().unwrap();
        let mood = till.mood();
        let done = match mood {
            Mood::Honest | Mood::Slow => till.execute(order, sign),
            Mood::DoneAndDenied => {
                till.execute(order, sign);
                (StatusCode::INTERNAL_SERVER_ERROR, json!({"reason": "insufficient_funds"}))
            }
            Mood::Away => (StatusCode::SERVICE_UNAVAILABLE, json!({})),
            Mood::Boasting => (StatusCode::OK, json!({"success": true})),
            Mood::Confused => {
                let other = json!({"idempotency_key": "debit/other/1", "amount": order["amount"],
                    "transaction_id": "op-x"});
                (StatusCode::OK, other)
            }
            Mood::Leaking => {
                let shown = json!({"reason": format!("bad_token_{TOKEN}")});
                (StatusCode::FORBIDDEN, shown)
            }
            Mood::Limited => (StatusCode::TOO_MANY_REQUESTS, json!({"reason": "too_many"})),
        };
        (mood, done)
    };
    if mood == Mood::Slow {
        tokio::time::sleep(TIMEOUT * 2).await;
    }
    (status, Json(body))
}
