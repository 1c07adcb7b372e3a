//! How much one player and one address may ask for.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use parlor_common::{Code, Failure, PlayerId};

use super::address::bucket;
use super::buckets::{Buckets, Rate};
use crate::config::LimitConfig;
use crate::reasons;

/// Requests above the limit that a player may make at once, and in a minute, before its connection
/// is closed.
const STRIKES: u32 = 200;
/// Sessions that a player may begin at once; then one a second.
const HELLOS: u32 = 30;
/// Connections of an address beyond two for each of its sessions: pages and sign-ins.
const SPARE_CONNECTIONS: usize = 16;
/// Interval in which those that were quiet are forgotten.
pub const FORGET_EVERY: Duration = Duration::from_secs(60);

const SECOND: Duration = Duration::from_secs(1);
const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// The limits of a gateway. Those of players hold across their connections.
pub struct Limits {
    address_requests: Option<Buckets<IpAddr>>,
    sign_ins: Option<Buckets<IpAddr>>,
    guests: Option<Buckets<IpAddr>>,
    requests: Option<Buckets<PlayerId>>,
    hellos: Option<Buckets<PlayerId>>,
    strikes: Option<Buckets<PlayerId>>,
    sessions: Arc<Places>,
    connections: Arc<Places>,
}

impl Limits {
    /// Nobody has asked for anything yet.
    #[must_use]
    pub fn new(config: &LimitConfig) -> Self {
        let even = |count: u32, period| Rate::new(count, period, count);
        let (rate, burst) = (config.gateway_requests_per_s, config.gateway_requests_burst);
        let requests = Rate::new(rate, SECOND, if burst == 0 { rate } else { burst });
        let hellos = requests.and_then(|_| Rate::new(1, SECOND, HELLOS));
        let sessions = config.gateway_max_sessions_per_address;
        let connections = match sessions {
            0 => 0,
            most => most.saturating_mul(2).saturating_add(SPARE_CONNECTIONS),
        };
        Self {
            address_requests: even(config.gateway_address_requests_per_s, SECOND).map(Buckets::new),
            sign_ins: even(config.gateway_sign_ins_per_minute, MINUTE).map(Buckets::new),
            guests: even(config.gateway_guests_per_hour, HOUR).map(Buckets::new),
            requests: requests.map(Buckets::new),
            hellos: hellos.map(Buckets::new),
            strikes: even(STRIKES, MINUTE).map(Buckets::new),
            sessions: Places::new(sessions),
            connections: Places::new(connections),
        }
    }

    /// Counts a request from an address.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`RATE_LIMITED`.
    pub fn request(&self, address: IpAddr) -> Result<(), Failure> {
        take(self.address_requests.as_ref(), bucket(address))
    }

    /// Counts a sign-in or a refresh from an address.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`RATE_LIMITED`.
    pub fn sign_in(&self, address: IpAddr) -> Result<(), Failure> {
        take(self.sign_ins.as_ref(), bucket(address))
    }

    /// Counts a new guest from an address.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`RATE_LIMITED`.
    pub fn guest(&self, address: IpAddr) -> Result<(), Failure> {
        take(self.guests.as_ref(), bucket(address))
    }

    /// Counts a session from an address until the place is dropped.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`TOO_MANY_SESSIONS`.
    pub fn session(&self, address: IpAddr) -> Result<Place, Failure> {
        self.sessions.take(bucket(address)).ok_or_else(|| {
            let message = "too many sessions from this address";
            Failure::new(Code::Exhausted, reasons::TOO_MANY_SESSIONS, message)
        })
    }

    /// Counts a connection from an address until the place is dropped; `None` when it has too many.
    #[must_use]
    pub fn connection(&self, address: IpAddr) -> Option<Place> {
        self.connections.take(bucket(address))
    }

    /// Counts a session that a player begins.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`RATE_LIMITED`.
    pub fn hello(&self, player: &PlayerId) -> Result<(), Failure> {
        take(self.hellos.as_ref(), *player)
    }

    /// Counts a player's request.
    ///
    /// # Errors
    /// [`Above`].
    pub fn player_request(&self, player: &PlayerId) -> Result<(), Above> {
        take(self.requests.as_ref(), *player).map_err(|failure| self.strike(player, failure))
    }

    /// Counts a refusal for another limit.
    #[must_use]
    pub fn strike(&self, player: &PlayerId, failure: Failure) -> Above {
        match take(self.strikes.as_ref(), *player) {
            Ok(()) => Above::Limit(failure),
            Err(_) => Above::Patience(failure),
        }
    }

    /// How long a player would have to be quiet until its whole burst is there again.
    #[must_use]
    pub fn debt(&self, player: &PlayerId) -> Duration {
        self.requests.as_ref().map_or(Duration::ZERO, |buckets| buckets.debt(player))
    }

    /// Adds what a player owes at another gateway.
    pub fn charge(&self, player: &PlayerId, debt: Duration) {
        if let Some(buckets) = &self.requests {
            buckets.charge(*player, debt);
        }
    }

    /// Forgets those that have been quiet. To be called every [`FORGET_EVERY`].
    pub fn forget_quiet(&self) {
        for buckets in [&self.address_requests, &self.sign_ins, &self.guests].into_iter().flatten()
        {
            buckets.forget_quiet();
        }
        for buckets in [&self.requests, &self.hellos, &self.strikes].into_iter().flatten() {
            buckets.forget_quiet();
        }
    }
}

fn take<K: Copy + Eq + std::hash::Hash>(
    buckets: Option<&Buckets<K>>,
    key: K,
) -> Result<(), Failure> {
    let Some(buckets) = buckets else { return Ok(()) };
    buckets
        .take(key)
        .map_err(|wait| reasons::rate_limited(u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)))
}

/// How many of something each address has at a time.
struct Places {
    /// 0: no limit.
    most: usize,
    taken: Mutex<HashMap<IpAddr, usize>>,
}

impl Places {
    fn new(most: usize) -> Arc<Self> {
        Arc::new(Self { most, taken: Mutex::default() })
    }

    fn take(self: &Arc<Self>, address: IpAddr) -> Option<Place> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let count = taken.entry(address).or_default();
        if self.most > 0 && *count >= self.most {
            return None;
        }
        *count += 1;
        Some(Place { places: Arc::clone(self), address })
    }
}

/// A place among those of its address.
pub struct Place {
    places: Arc<Places>,
    address: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.taken.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = taken.get_mut(&self.address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

/// A request above the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Above {
    /// It is refused.
    Limit(Failure),
    /// There were so many of them that the connection is closed.
    Patience(Failure),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn config() -> LimitConfig {
        LimitConfig {
            gateway_requests_per_s: 1,
            gateway_requests_burst: 3,
            gateway_address_requests_per_s: 2,
            gateway_sign_ins_per_minute: 1,
            gateway_guests_per_hour: 1,
            gateway_max_sessions_per_address: 2,
        }
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_has_its_burst_and_then_waits() {
        let (limits, player) = (Limits::new(&config()), PlayerId::random());
        for _ in 0..3 {
            assert_eq!(limits.player_request(&player), Ok(()));
        }
        let Err(Above::Limit(failure)) = limits.player_request(&player) else {
            unreachable!("above the burst")
        };
        assert_eq!(failure.reason, "RATE_LIMITED");
        assert_eq!(failure.metadata["retry_after_ms"], "1000");
        assert_eq!(limits.debt(&player), SECOND * 3);
        assert_eq!(limits.player_request(&PlayerId::random()), Ok(()));
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_that_does_not_stop_loses_our_patience() {
        let (limits, player) = (Limits::new(&config()), PlayerId::random());
        let request = || limits.player_request(&player);
        let lost = (0..500).find(|_| matches!(request(), Err(Above::Patience(_))));
        assert_eq!(lost, Some(3 + STRIKES));
    }

    #[tokio::test(start_paused = true)]
    async fn a_player_that_comes_again_and_again_waits() {
        let (limits, player) = (Limits::new(&config()), PlayerId::random());
        let come = (0..500).find(|_| limits.hello(&player).is_err());
        assert_eq!(come, Some(HELLOS));
        tokio::time::advance(SECOND).await;
        assert!(limits.hello(&player).is_ok() && limits.hello(&player).is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn addresses_are_counted_apart() {
        let limits = Limits::new(&config());
        assert!(limits.sign_in(ip("203.0.113.1")).is_ok());
        assert!(limits.sign_in(ip("203.0.113.1")).is_err());
        assert!(limits.sign_in(ip("203.0.113.2")).is_ok());
        assert!(limits.sign_in(ip("2001:db8::1")).is_ok());
        assert!(limits.sign_in(ip("2001:db8::2")).is_err(), "the same subscriber");
        assert!(
            limits.guest(ip("203.0.113.1")).is_ok() && limits.guest(ip("203.0.113.1")).is_err()
        );
    }

    #[test]
    fn a_session_gives_its_place_back() {
        let limits = Limits::new(&config());
        let (first, _second) = (limits.session(ip("::1")), limits.session(ip("::1")));
        assert_eq!(limits.session(ip("::1")).err().unwrap().reason, "TOO_MANY_SESSIONS");
        assert!(limits.session(ip("::1:0:0:0:1")).is_ok());
        drop(first);
        assert!(limits.session(ip("::1")).is_ok());
    }

    #[test]
    fn connections_of_an_address_are_bounded_too() {
        let limits = Limits::new(&config());
        let most = 2 * 2 + SPARE_CONNECTIONS;
        let mut places: Vec<_> = (0..most).map(|_| limits.connection(ip("::1")).unwrap()).collect();
        assert!(limits.connection(ip("::1")).is_none());
        assert!(limits.connection(ip("203.0.113.1")).is_some());
        places.pop();
        assert!(limits.connection(ip("::1")).is_some());
        drop(places);
        assert!(limits.connections.taken.lock().unwrap().is_empty(), "nothing is left behind");
    }

    #[tokio::test(start_paused = true)]
    async fn zero_is_no_limit() {
        let none = LimitConfig {
            gateway_requests_per_s: 0,
            gateway_address_requests_per_s: 0,
            gateway_sign_ins_per_minute: 0,
            gateway_guests_per_hour: 0,
            gateway_max_sessions_per_address: 0,
            ..config()
        };
        let (limits, player, address) = (Limits::new(&none), PlayerId::random(), ip("::1"));
        let places: Vec<_> = (0..1000).map(|_| limits.session(address).unwrap()).collect();
        let lines: Vec<_> = (0..1000).map(|_| limits.connection(address).unwrap()).collect();
        for _ in places.iter().zip(&lines) {
            assert!(limits.player_request(&player).is_ok() && limits.hello(&player).is_ok());
            assert!(limits.request(address).is_ok() && limits.sign_in(address).is_ok());
            assert!(limits.guest(address).is_ok());
        }
    }
}
