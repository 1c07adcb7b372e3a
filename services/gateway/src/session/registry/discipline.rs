//! Sending players away, and keeping them out: kicks, bans, mutes.

use std::net::IpAddr;

use parlor_common::{Code, Failure, PlayerId};

use super::fleet::{Found, Mail};
use super::local::Dismissal;
use super::sanctions::Sanction;
use super::{Kind, Registry, away};
use crate::edge::address::Network;
use crate::reasons;

impl Registry {
    /// Refuses whoever comes from a banned network.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`/`ADDRESS_BANNED`.
    pub fn admit(&self, address: IpAddr) -> Result<(), Failure> {
        self.networks.admit(address, self.clock.now_ms())
    }

    /// The networks that are banned now.
    #[must_use]
    pub fn banned_networks(&self) -> Vec<(Network, Sanction)> {
        self.networks.list(self.clock.now_ms())
    }

    /// Bans a network, and ends the sessions from there: here at once, at other gateways within
    /// [`RENEW_EVERY`](super::RENEW_EVERY). Or ends its ban, with `None`.
    ///
    /// # Errors
    /// `UNAVAILABLE`/`SHARED_REGISTRY_AWAY`, `RESOURCE_EXHAUSTED`/`TOO_MANY_SANCTIONS`.
    pub async fn ban_network(
        &self,
        network: Network,
        ban: Option<Sanction>,
    ) -> Result<(), Failure> {
        let now_ms = self.clock.now_ms();
        if let Some(fleet) = &self.fleet {
            let known = fleet.networks(&self.metrics).await.map_err(|_| away())?;
            for (ended, _) in known.iter().filter(|(_, ban)| !ban.holds(now_ms)) {
                let ended = fleet.ban_network(&self.metrics, ended, None).await;
                ended.map_err(|_| away())?;
            }
            self.networks.replace(known);
        }
        self.networks.put(network, ban.clone(), now_ms)?;
        if let Some(fleet) = &self.fleet {
            let kept = fleet.ban_network(&self.metrics, &network, ban.as_ref()).await;
            kept.map_err(|_| away())?;
        }
        self.enforce_networks();
        Ok(())
    }

    pub(super) fn enforce_networks(&self) {
        let now_ms = self.clock.now_ms();
        for (network, ban) in self.networks.list(now_ms) {
            for lease in self.local.leases_at(|address| network.contains(address)) {
                lease.dismiss(Dismissal::AddressBanned(ban.clone()));
            }
        }
    }

    /// Whether the player may talk.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`/`PLAYER_MUTED`.
    pub fn may_talk(&self, player: &PlayerId) -> Result<(), Failure> {
        self.standing(player).mute.map_or(Ok(()), |mute| Err(mute.muted()))
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
        if let Some(fleet) = &self.fleet {
            let found = match fleet.find(&self.metrics, player).await {
                Ok(found) => found,
                Err(_) if here.is_some() => Found::default(),
                Err(_) => return Err(away()),
            };
            if let Some((epoch, gateway)) = found.session.filter(|(_, at)| at != fleet.me()) {
                let mail = Mail::Kicked { player: *player, epoch: Some(epoch) };
                return fleet.tell(&self.metrics, &gateway, &mail).await.map_err(|_| away());
            }
        }
        here.map(|_| ()).ok_or_else(|| {
            let message = "the player has no session";
            Failure::new(Code::Precondition, reasons::NO_SESSION, message)
        })
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
        match self.sanctions.learn(*player, standing, now_ms) {
            // Redis has it, and is asked at each session.
            Err(failure) if self.fleet.is_some() => {
                tracing::warn!(%failure, "a sanction is not remembered here");
            }
            learnt => learnt?,
        }
        self.enforce(player, ban);
        if let (Some(fleet), Some((_, gateway))) = (&self.fleet, elsewhere) {
            let mail = Mail::Sanctioned { player: *player };
            // Else the next renewal finds it.
            let _ = fleet.tell(&self.metrics, &gateway, &mail).await;
        }
        Ok(())
    }

    pub(super) fn enforce(&self, player: &PlayerId, ban: Option<Sanction>) {
        if let (Some(ban), Some(present)) = (ban, self.local.get(player)) {
            present.lease.dismiss(Dismissal::Banned(ban));
        }
    }
}
