//! What the gateways share, which outlives them, and the way of one gateway to it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use parlor_common::PlayerId;
use parlor_gateway::edge::address::Network;
use parlor_gateway::session::registry::fleet::{
    Entered, Found, Mail, Renewed, SESSION_LIFE, Shared, SharedError,
};
use parlor_gateway::session::registry::sanctions::{Sanction, Standing};
use tokio::time::Instant;

use super::life::Way;
use super::mutation::Mutation;

#[derive(Clone, Debug)]
struct Session {
    epoch: u64,
    gateway: String,
    /// Forgotten then, unless it is renewed.
    until: Instant,
}

#[derive(Debug, Default)]
struct State {
    sessions: BTreeMap<PlayerId, Session>,
    mail: BTreeMap<String, Vec<Mail>>,
}

/// Each player's latest session, and the gateways' messages to each other. Nobody is banned here,
/// and nobody owes: limits are off.
#[derive(Debug)]
pub struct Exchange {
    state: Mutex<State>,
    mutation: Option<Mutation>,
}

impl Exchange {
    /// Nobody is here yet.
    pub fn new(mutation: Option<Mutation>) -> Self {
        Self { state: Mutex::default(), mutation }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enter(&self, gateway: String, player: PlayerId, least: u64) -> Entered {
        let mut state = self.state();
        let before = state.latest(player);
        let after = before.as_ref().map_or(0, |session| session.epoch + 1);
        let mut entered = Entered {
            epoch: after.max(least),
            before: before.map(|session| session.gateway),
            standing: Standing::default(),
            debt: Duration::ZERO,
        };
        match self.mutation {
            Some(Mutation::SessionsUnfenced) => entered.before = None,
            Some(Mutation::SessionEpochsFall) if after > 1 => entered.epoch = after - 2,
            _ => {}
        }
        state.keep(player, entered.epoch, gateway);
        entered
    }

    fn renew(&self, gateway: String, player: PlayerId, epoch: u64) -> Renewed {
        let mut state = self.state();
        let mut renewed = Renewed { is_lost: false, replaced: None, standing: Standing::default() };
        if self.mutation == Some(Mutation::SessionsUnfenced) {
            return renewed;
        }
        if let Some(now) = state.latest(player) {
            if (now.epoch, &now.gateway) > (epoch, &gateway) {
                renewed.is_lost = true;
                return renewed;
            }
            renewed.replaced = Some(now)
                .filter(|now| now.gateway != gateway || now.epoch != epoch)
                .map(|now| now.gateway);
        }
        state.keep(player, epoch, gateway);
        renewed
    }

    fn leave(&self, gateway: &str, player: PlayerId, epoch: u64) {
        let mut state = self.state();
        let is_it = |session: &Session| session.epoch == epoch && session.gateway == gateway;
        if state.sessions.get(&player).is_some_and(is_it) {
            state.sessions.remove(&player);
        }
    }

    fn tell(&self, gateway: String, mail: Mail) {
        if self.mutation != Some(Mutation::SessionsUnfenced) {
            self.state().mail.entry(gateway).or_default().push(mail);
        }
    }
}

impl State {
    fn latest(&self, player: PlayerId) -> Option<Session> {
        self.sessions.get(&player).filter(|session| session.until > Instant::now()).cloned()
    }

    fn keep(&mut self, player: PlayerId, epoch: u64, gateway: String) {
        let until = Instant::now() + SESSION_LIFE;
        self.sessions.insert(player, Session { epoch, gateway, until });
    }
}

/// One gateway's way to the others.
#[derive(Clone)]
pub struct Post {
    /// What it leads to.
    pub exchange: Arc<Exchange>,
    /// The way.
    pub way: Way,
}

impl Post {
    async fn call<T: Send + 'static>(
        &self,
        what: &str,
        effect: impl FnOnce(&Exchange) -> T + Send + 'static,
    ) -> Result<T, SharedError> {
        let exchange = Arc::clone(&self.exchange);
        let done = self.way.call(what, Box::pin(async move { effect(&exchange) })).await;
        done.ok_or_else(|| SharedError("no answer".to_owned()))
    }
}

/// What no simulated gateway asks for.
fn not_kept<T>() -> Result<T, SharedError> {
    Err(SharedError("the simulated gateways share no such thing".to_owned()))
}

#[async_trait]
impl Shared for Post {
    async fn open(&self) -> Result<(), SharedError> {
        self.call("open exchange", |_| ()).await
    }

    async fn enter(
        &self,
        gateway: &str,
        player: &PlayerId,
        least: u64,
    ) -> Result<Entered, SharedError> {
        let (gateway, player) = (gateway.to_owned(), *player);
        self.call("enter", move |exchange| exchange.enter(gateway, player, least)).await
    }

    async fn renew(
        &self,
        gateway: &str,
        player: &PlayerId,
        epoch: u64,
    ) -> Result<Renewed, SharedError> {
        let (gateway, player) = (gateway.to_owned(), *player);
        self.call("renew", move |exchange| exchange.renew(gateway, player, epoch)).await
    }

    async fn leave(
        &self,
        gateway: &str,
        player: &PlayerId,
        epoch: u64,
        _: Duration,
    ) -> Result<(), SharedError> {
        let (gateway, player) = (gateway.to_owned(), *player);
        self.call("leave", move |exchange| exchange.leave(&gateway, player, epoch)).await
    }

    async fn debt(&self, _: &PlayerId) -> Result<Duration, SharedError> {
        not_kept()
    }

    async fn find(&self, player: &PlayerId) -> Result<Found, SharedError> {
        let player = *player;
        let find = move |exchange: &Exchange| {
            let latest = exchange.state().latest(player);
            let session = latest.map(|session| (session.epoch, session.gateway));
            Found { session, standing: Standing::default() }
        };
        self.call("find session", find).await
    }

    async fn sanction(
        &self,
        _: &PlayerId,
        _: &str,
        _: Option<&Sanction>,
        _: i64,
    ) -> Result<(), SharedError> {
        not_kept()
    }

    async fn ban_network(&self, _: &Network, _: Option<&Sanction>) -> Result<(), SharedError> {
        not_kept()
    }

    async fn networks(&self) -> Result<Vec<(Network, Sanction)>, SharedError> {
        self.call("networks", |_| Vec::new()).await
    }

    async fn tell(&self, gateway: &str, mail: &Mail) -> Result<(), SharedError> {
        let (gateway, mail) = (gateway.to_owned(), mail.clone());
        self.call("tell", move |exchange| exchange.tell(gateway, mail)).await
    }

    async fn mail(&self, gateway: &str) -> Result<Vec<Mail>, SharedError> {
        let gateway = gateway.to_owned();
        self.call("mail", move |exchange| {
            exchange.state().mail.remove(&gateway).unwrap_or_default()
        })
        .await
    }

    async fn record(&self, _: String) -> Result<(), SharedError> {
        not_kept()
    }

    async fn recorded(&self, _: usize) -> Result<Vec<String>, SharedError> {
        not_kept()
    }
}
