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

pub mod fleet;
pub mod local;
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
use sanctions::{Sanction, Sanctions, Standing};

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

/// The sessions of a system, as one gateway sees them.
pub struct Registry {
    local: LocalSessions,
    sanctions: Sanctions,
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
    /// `PERMISSION_DENIED`/`PLAYER_BANNED`.
    pub async fn enter(&self, player: &PlayerId, about: About) -> Result<Lease, Failure> {
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
                self.told(fleet, &lease, entered.before).await;
                return Ok(lease);
            }
        }
        if let Some(ban) = self.standing(player).ban {
            return Err(ban.banned());
        }
        Ok(self.local.enter(*player, self.local.next_epoch(player), about))
    }

    /// Tells the gateway of the session before, and looks whether a later one came meanwhile: its
    /// message may have been read before this session was known here.
    async fn told(&self, fleet: &Fleet, lease: &Lease, before: Option<String>) {
        if let Some(gateway) = before.filter(|gateway| gateway != fleet.me()) {
            let mail = Mail::Replaced { player: lease.player, epoch: lease.epoch };
            let _ = fleet.tell(&self.metrics, &gateway, &mail).await;
        }
        if let Ok(Found { session: Some((epoch, _)), .. }) =
            fleet.find(&self.metrics, &lease.player).await
            && epoch > lease.epoch
        {
            lease.dismiss(Dismissal::Replaced);
        }
    }

    /// The connection has ended. Of no effect when it was replaced before.
    pub async fn leave(&self, lease: &Lease) {
        self.local.leave(lease);
        if let Some(fleet) = &self.fleet {
            let _ = fleet.leave(&self.metrics, &lease.player, lease.epoch).await;
        }
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

    /// Whether the player may talk.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`/`PLAYER_MUTED`.
    pub fn may_talk(&self, player: &PlayerId) -> Result<(), Failure> {
        self.standing(player).mute.map_or(Ok(()), |mute| Err(mute.muted()))
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

    /// Ends the player's session, wherever it is.
    ///
    /// # Errors
    /// `FAILED_PRECONDITION`/`NO_SESSION`.
    pub async fn kick(&self, player: &PlayerId) -> Result<(), Failure> {
        let here = self.local.get(player);
        if let Some(present) = &here {
            present.lease.dismiss(Dismissal::Kicked);
        }
        if let Some(fleet) = &self.fleet
            && let Ok(Found { session: Some((_, gateway)), .. }) =
                fleet.find(&self.metrics, player).await
            && gateway != fleet.me()
        {
            let mail = Mail::Kicked { player: *player };
            return fleet.tell(&self.metrics, &gateway, &mail).await.map_err(|_| away());
        }
        match here {
            Some(_) => Ok(()),
            None => {
                let message = "the player has no session";
                Err(Failure::new(Code::Precondition, reasons::NO_SESSION, message))
            }
        }
    }

    /// Imposes something on a player, or ends it with `None`.
    ///
    /// # Errors
    /// `UNAVAILABLE`/`SHARED_REGISTRY_AWAY`, `RESOURCE_EXHAUSTED`/`TOO_MANY_SANCTIONS`.
    pub async fn sanction(
        &self,
        player: &PlayerId,
        kind: Kind,
        sanction: Option<Sanction>,
    ) -> Result<(), Failure> {
        let now_ms = self.clock.now_ms();
        let (mut elsewhere, mut standing) = (None, self.standing(player));
        if let Some(fleet) = &self.fleet {
            let kept = sanction.as_ref();
            let kept = fleet.sanction(&self.metrics, player, kind.name(), kept, now_ms);
            kept.await.map_err(|_| away())?;
            let found = fleet.find(&self.metrics, player).await.map_err(|_| away())?;
            elsewhere = found.session.filter(|(_, gateway)| gateway != fleet.me());
            standing = found.standing;
        }
        match kind {
            Kind::Ban => standing.ban = sanction,
            Kind::Mute => standing.mute = sanction,
        }
        let ban = standing.ban.clone();
        self.sanctions.learn(*player, standing, now_ms)?;
        self.enforce(player, ban);
        if let (Some(fleet), Some((_, gateway))) = (&self.fleet, elsewhere) {
            let mail = Mail::Sanctioned { player: *player };
            // Else the next renewal finds it.
            let _ = fleet.tell(&self.metrics, &gateway, &mail).await;
        }
        Ok(())
    }

    fn enforce(&self, player: &PlayerId, ban: Option<Sanction>) {
        if let (Some(ban), Some(present)) = (ban, self.local.get(player)) {
            present.lease.dismiss(Dismissal::Banned(ban));
        }
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
            Mail::Kicked { player } => {
                if let Some(present) = self.local.get(&player) {
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
            let _ = fleet.leave(&self.metrics, &lease.player, lease.epoch).await;
        }
    }
}

fn away() -> Failure {
    let message = "the registry that the gateways share does not answer; try again";
    Failure::new(Code::Unavailable, reasons::SHARED_REGISTRY_AWAY, message)
}
