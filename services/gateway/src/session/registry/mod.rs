//! Who is here: one session per player, whatever gateway it is at, and who may be.
//!
//! Alone, a gateway knows its own sessions ([`local`]). With Redis ([`fleet`]) all gateways of a
//! system know of each other's:
//!
//! * A session that begins is written down with an epoch greater than that of the one before. The
//!   gateway of that one is told and ends it, within about [`MAIL_EVERY`].
//! * Each gateway renews its sessions every [`RENEW_EVERY`]. What got lost on the way, a message or
//!   the memory of Redis, is made good then: the session with the smaller epoch ends.
//! * **Fence:** an order to end a session names an epoch. It never ends that session or a later
//!   one, however late it comes.
//! * While Redis is away, sessions begin all the same, with an epoch from the time; the player may
//!   then have sessions at two gateways, until Redis is back and the renewals meet. Bans that were
//!   made known here hold; others are found at the renewal. New bans and mutes are refused.
//! * Bans of networks ([`networks`]) are few: each gateway reads all of them every
//!   [`RENEW_EVERY`].
//! * What a player has asked for above its rate goes with it from gateway to gateway.

mod discipline;
pub mod fleet;
pub mod local;
pub mod messages;
pub mod networks;
pub mod redis;
pub mod sanctions;

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt, stream};
use parlor_common::{Clock, Code, Failure, PlayerId};
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use crate::metrics::Metrics;
use crate::reasons;
use fleet::{AWAY_PAUSE, Fleet, Found, Mail};
pub use local::{About, Dismissal, Lease, LocalSessions, Present};
use networks::Networks;
use sanctions::{Sanctions, Standing};

/// How often a gateway looks for messages of the others. A blocking read would stall everything
/// else on the connection.
pub const MAIL_EVERY: Duration = Duration::from_millis(25);
/// How often a gateway renews what it has written down; a third of its life.
pub const RENEW_EVERY: Duration = Duration::from_secs(15);
/// Renewals at a time.
const RENEWALS: usize = 32;

/// What a moderator imposes on a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// No sessions.
    Ban,
    /// No emotes, no quick chat.
    Mute,
}

impl Kind {
    const fn name(self) -> &'static str {
        match self {
            Self::Ban => "ban",
            Self::Mute => "mute",
        }
    }
}

/// A player who has come.
#[derive(Clone, Debug)]
pub struct Arrival {
    /// The new session's.
    pub lease: Lease,
    /// What the player has asked for above its rate at other gateways, as far as it is known.
    pub debt: Duration,
    /// The session before was at another gateway, which may still have to tell of a debt.
    pub has_moved: bool,
}

/// The sessions of a system, as one gateway sees them.
pub struct Registry {
    local: LocalSessions,
    sanctions: Sanctions,
    networks: Networks,
    fleet: Option<Fleet>,
    metrics: Arc<Metrics>,
    clock: Clock,
    /// Redis is back: what began meanwhile has to be written down.
    back: Notify,
}

impl Registry {
    /// Nobody is here yet. Without a fleet the gateway is alone.
    #[must_use]
    pub fn new(fleet: Option<Fleet>, metrics: Arc<Metrics>, clock: Clock) -> Self {
        Self {
            local: LocalSessions::new(clock.clone()),
            sanctions: Sanctions::default(),
            networks: Networks::default(),
            fleet,
            metrics,
            clock,
            back: Notify::new(),
        }
    }

    /// The sessions here.
    #[must_use]
    pub const fn local(&self) -> &LocalSessions {
        &self.local
    }

    /// The way to the other gateways.
    #[must_use]
    pub const fn fleet(&self) -> Option<&Fleet> {
        self.fleet.as_ref()
    }

    /// Makes a connection the player's latest; the one before is told.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`/`PLAYER_BANNED` or `ADDRESS_BANNED`.
    pub async fn enter(&self, player: &PlayerId, about: About) -> Result<Arrival, Failure> {
        let address = about.address;
        self.admit(address)?;
        let arrival = self.arrive(player, about).await?;
        // A ban that came between the question and the entry has not found this session.
        if let Some(ban) = self.standing(player).ban {
            arrival.lease.dismiss(Dismissal::Banned(ban));
        }
        if let Some(ban) = self.networks.ban_of(address, self.clock.now_ms()) {
            arrival.lease.dismiss(Dismissal::AddressBanned(ban));
        }
        Ok(arrival)
    }

    async fn arrive(&self, player: &PlayerId, about: About) -> Result<Arrival, Failure> {
        if let Some(fleet) = &self.fleet {
            let least = self.local.next_epoch(player);
            if let Ok(entered) = fleet.enter(&self.metrics, player, least).await {
                let ban = entered.standing.ban.clone();
                self.learn(*player, entered.standing)?;
                // Redis decides when a ban ends; a clock of ours that is ahead does not.
                if entered.epoch == 0 {
                    return Err(ban.map_or_else(Failure::internal, |ban| ban.banned()));
                }
                let lease = self.local.enter(*player, entered.epoch, about);
                let before = entered.before.filter(|gateway| gateway != fleet.me());
                let has_moved = before.is_some();
                self.told(fleet, &lease, before).await;
                return Ok(Arrival { lease, debt: entered.debt, has_moved });
            }
        }
        if let Some(ban) = self.standing(player).ban {
            return Err(ban.banned());
        }
        let lease = self.local.enter(*player, self.local.next_epoch(player), about);
        Ok(Arrival { lease, debt: Duration::ZERO, has_moved: false })
    }

    /// Tells the gateway of the session before, and looks whether something came meanwhile, before
    /// this session was known here: a later session, whose message found nobody, or a ban.
    async fn told(&self, fleet: &Fleet, lease: &Lease, before: Option<String>) {
        if let Some(gateway) = before {
            let mail = Mail::Replaced { player: lease.player, epoch: lease.epoch };
            let _ = fleet.tell(&self.metrics, &gateway, &mail).await;
        }
        let Ok(found) = fleet.find(&self.metrics, &lease.player).await else { return };
        let _ = self.learn(lease.player, found.standing);
        if found.session.is_some_and(|(epoch, _)| epoch > lease.epoch) {
            lease.dismiss(Dismissal::Replaced);
        }
    }

    /// The connection has ended, and the player owes so much. Of no effect on later sessions.
    pub async fn leave(&self, lease: &Lease, debt: Duration) {
        self.local.leave(lease);
        if let Some(fleet) = &self.fleet {
            let _ = fleet.leave(&self.metrics, &lease.player, lease.epoch, debt).await;
        }
    }

    /// What a player has asked for above its rate at other gateways, as far as it is known.
    pub async fn debt(&self, player: &PlayerId) -> Duration {
        let Some(fleet) = &self.fleet else { return Duration::ZERO };
        fleet.debt(&self.metrics, player).await.unwrap_or_default()
    }

    fn standing(&self, player: &PlayerId) -> Standing {
        self.sanctions.of(player, self.clock.now_ms())
    }

    /// Remembers what Redis says; an error for a banned player.
    fn learn(&self, player: PlayerId, standing: Standing) -> Result<(), Failure> {
        let now_ms = self.clock.now_ms();
        let ban = standing.ban.clone().filter(|ban| ban.holds(now_ms));
        if let Err(failure) = self.sanctions.learn(player, standing, now_ms) {
            tracing::warn!(%failure, "a sanction is not remembered here");
        }
        ban.map_or(Ok(()), |ban| Err(ban.banned()))
    }

    /// What is known of a player: the session here, or else epoch and gateway, and what stands
    /// against the player.
    pub async fn find(&self, player: &PlayerId) -> (Option<Present>, Found) {
        let found = match &self.fleet {
            Some(fleet) => fleet.find(&self.metrics, player).await.ok(),
            None => None,
        };
        let found =
            found.unwrap_or_else(|| Found { session: None, standing: self.standing(player) });
        let now_ms = self.clock.now_ms();
        let found = Found { standing: found.standing.now(now_ms), ..found };
        (self.local.get(player), found)
    }

    /// Keeps in touch with the other gateways; never ends.
    pub async fn keep(&self) {
        let Some(fleet) = &self.fleet else { return std::future::pending().await };
        tokio::join!(self.read_mail(fleet), self.renew_all(fleet));
    }

    async fn read_mail(&self, fleet: &Fleet) {
        let mut is_away = true;
        loop {
            let mail = match fleet.connect().await {
                Ok(()) => fleet.mail(&self.metrics).await,
                Err(away) => Err(away),
            };
            let pause = match mail {
                Ok(mail) => {
                    if std::mem::replace(&mut is_away, false) {
                        tracing::info!(gateway = fleet.me(), "the shared registry is reached");
                        self.back.notify_one();
                    }
                    for mail in mail {
                        self.receive(fleet, mail).await;
                    }
                    MAIL_EVERY
                }
                Err(_) => {
                    is_away = true;
                    AWAY_PAUSE
                }
            };
            sleep(pause).await;
        }
    }

    async fn receive(&self, fleet: &Fleet, mail: Mail) {
        match mail {
            Mail::Replaced { player, epoch } => {
                if let Some(present) = self.local.get(&player)
                    && present.lease.epoch < epoch
                {
                    present.lease.dismiss(Dismissal::Replaced);
                }
            }
            Mail::Kicked { player, epoch } => {
                if let Some(present) = self.local.get(&player)
                    && epoch.is_none_or(|epoch| present.lease.epoch <= epoch)
                {
                    present.lease.dismiss(Dismissal::Kicked);
                }
            }
            Mail::Sanctioned { player } => {
                if let Ok(found) = fleet.find(&self.metrics, &player).await {
                    let ban = found.standing.ban.clone();
                    let _ = self.learn(player, found.standing);
                    self.enforce(&player, ban);
                }
            }
        }
    }

    async fn renew_all(&self, fleet: &Fleet) {
        loop {
            let _ = timeout(RENEW_EVERY, self.back.notified()).await;
            if let Ok(networks) = fleet.networks(&self.metrics).await {
                self.networks.replace(networks);
                self.enforce_networks();
            }
            let renewals = self.local.leases().into_iter().map(|lease| self.renew(fleet, lease));
            stream::iter(renewals).buffer_unordered(RENEWALS).for_each(async |()| {}).await;
        }
    }

    async fn renew(&self, fleet: &Fleet, lease: Lease) {
        if lease.is_dismissed() {
            return;
        }
        let renewed = fleet.renew(&self.metrics, &lease.player, lease.epoch).await;
        let Ok(renewed) = renewed else { return };
        if renewed.is_lost {
            lease.dismiss(Dismissal::Replaced);
        }
        let ban = renewed.standing.ban.clone();
        let _ = self.learn(lease.player, renewed.standing);
        self.enforce(&lease.player, ban);
        if let Some(gateway) = renewed.replaced.filter(|gateway| gateway != fleet.me()) {
            let mail = Mail::Replaced { player: lease.player, epoch: lease.epoch };
            let _ = fleet.tell(&self.metrics, &gateway, &mail).await;
        }
        // A session that ended while it was renewed is not to be found.
        if self.local.get(&lease.player).is_none_or(|present| present.lease.epoch != lease.epoch) {
            let (player, none) = (&lease.player, Duration::ZERO);
            let _ = fleet.leave(&self.metrics, player, lease.epoch, none).await;
        }
    }
}

fn away() -> Failure {
    let message = "the registry that the gateways share does not answer; try again";
    Failure::new(Code::Unavailable, reasons::SHARED_REGISTRY_AWAY, message)
}
