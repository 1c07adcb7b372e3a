//! How much one connection and one address may ask for.

use std::collections::HashMap;
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultDirectRateLimiter, DefaultKeyedRateLimiter, Quota, RateLimiter};
use parlor_common::{Code, Failure};

use super::address::bucket;
use crate::config::LimitConfig;
use crate::reasons;

/// Requests above the limit that a connection may make at once before it is closed.
const STRIKES: NonZeroU32 = NonZeroU32::new(200).unwrap();
/// Interval in which addresses that were quiet are forgotten.
pub const FORGET_EVERY: Duration = Duration::from_secs(60);

/// The limits that all connections share, by address.
pub struct Limits {
    config: LimitConfig,
    requests: Option<DefaultKeyedRateLimiter<IpAddr>>,
    sign_ins: Option<DefaultKeyedRateLimiter<IpAddr>>,
    sessions: Arc<Mutex<HashMap<IpAddr, usize>>>,
}

impl Limits {
    /// Nobody has asked for anything yet.
    #[must_use]
    pub fn new(config: &LimitConfig) -> Self {
        let requests = NonZeroU32::new(config.gateway_address_requests_per_s);
        let sign_ins = NonZeroU32::new(config.gateway_sign_ins_per_minute);
        Self {
            config: config.clone(),
            requests: requests.map(|rate| RateLimiter::keyed(Quota::per_second(rate))),
            sign_ins: sign_ins.map(|rate| RateLimiter::keyed(Quota::per_minute(rate))),
            sessions: Arc::default(),
        }
    }

    /// Counts a request from an address.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`RATE_LIMITED`.
    pub fn request(&self, address: IpAddr) -> Result<(), Failure> {
        check_keyed(self.requests.as_ref(), address)
    }

    /// Counts a sign-in or a refresh from an address.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`RATE_LIMITED`.
    pub fn sign_in(&self, address: IpAddr) -> Result<(), Failure> {
        check_keyed(self.sign_ins.as_ref(), address)
    }

    /// Counts a session from an address until the place is dropped.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`TOO_MANY_SESSIONS`.
    pub fn session(&self, address: IpAddr) -> Result<Place, Failure> {
        let address = bucket(address);
        let most = self.config.gateway_max_sessions_per_address;
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let count = sessions.entry(address).or_default();
        if most > 0 && *count >= most {
            return Err(Failure::new(
                Code::Exhausted,
                reasons::TOO_MANY_SESSIONS,
                "too many sessions from this address",
            ));
        }
        *count += 1;
        Ok(Place { sessions: Arc::clone(&self.sessions), address })
    }

    /// The limits of one new connection.
    #[must_use]
    pub fn connection(&self) -> ConnectionLimits {
        let requests = NonZeroU32::new(self.config.gateway_requests_per_s).map(|rate| {
            let burst = NonZeroU32::new(self.config.gateway_requests_burst).unwrap_or(rate);
            RateLimiter::direct(Quota::per_second(rate).allow_burst(burst))
        });
        ConnectionLimits { requests, strikes: RateLimiter::direct(Quota::per_minute(STRIKES)) }
    }

    /// Forgets addresses that have been quiet. To be called every [`FORGET_EVERY`].
    pub fn forget_quiet(&self) {
        for limiter in [&self.requests, &self.sign_ins].into_iter().flatten() {
            limiter.retain_recent();
            limiter.shrink_to_fit();
        }
    }
}

fn check_keyed(
    limiter: Option<&DefaultKeyedRateLimiter<IpAddr>>,
    address: IpAddr,
) -> Result<(), Failure> {
    let Some(limiter) = limiter else { return Ok(()) };
    limiter.check_key(&bucket(address)).map_err(|until| {
        reasons::rate_limited(wait_ms(until.wait_time_from(DefaultClock::default().now())))
    })
}

fn wait_ms(wait: Duration) -> u64 {
    u64::try_from(wait.as_millis()).unwrap_or(u64::MAX)
}

/// The place of a session among those of its address.
pub struct Place {
    sessions: Arc<Mutex<HashMap<IpAddr, usize>>>,
    address: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = sessions.get_mut(&self.address) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                sessions.remove(&self.address);
            }
        }
    }
}

/// The limits of one connection.
pub struct ConnectionLimits {
    requests: Option<DefaultDirectRateLimiter>,
    strikes: DefaultDirectRateLimiter,
}

/// A request above the limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Above {
    /// It is refused.
    Limit(Failure),
    /// There were so many of them that the connection is closed.
    Patience(Failure),
}

impl ConnectionLimits {
    /// Counts a request.
    ///
    /// # Errors
    /// [`Above`].
    pub fn request(&self) -> Result<(), Above> {
        let Some(limiter) = &self.requests else { return Ok(()) };
        limiter.check().map_err(|until| {
            let wait = wait_ms(until.wait_time_from(DefaultClock::default().now()));
            self.strike(reasons::rate_limited(wait))
        })
    }

    /// Counts a refusal for another limit.
    #[must_use]
    pub fn strike(&self, failure: Failure) -> Above {
        match self.strikes.check() {
            Ok(()) => Above::Limit(failure),
            Err(_) => Above::Patience(failure),
        }
    }
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
            gateway_max_sessions_per_address: 2,
        }
    }

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn a_connection_has_its_burst_and_then_waits() {
        let limits = Limits::new(&config()).connection();
        for _ in 0..3 {
            assert_eq!(limits.request(), Ok(()));
        }
        let Err(Above::Limit(failure)) = limits.request() else { unreachable!("above the burst") };
        assert_eq!(failure.reason, "RATE_LIMITED");
        let wait: u64 = failure.metadata["retry_after_ms"].parse().unwrap();
        assert!((1..=1000).contains(&wait), "{wait}");
    }

    #[test]
    fn a_connection_that_does_not_stop_loses_our_patience() {
        let limits = Limits::new(&config()).connection();
        let lost = (0..500).find(|_| matches!(limits.request(), Err(Above::Patience(_))));
        assert_eq!(lost, Some(3 + STRIKES.get()));
    }

    #[test]
    fn addresses_are_counted_apart() {
        let limits = Limits::new(&config());
        assert!(limits.sign_in(ip("203.0.113.1")).is_ok());
        assert!(limits.sign_in(ip("203.0.113.1")).is_err());
        assert!(limits.sign_in(ip("203.0.113.2")).is_ok());
        assert!(limits.sign_in(ip("2001:db8::1")).is_ok());
        assert!(limits.sign_in(ip("2001:db8::2")).is_err(), "the same subscriber");
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
    fn zero_is_no_limit() {
        let none = LimitConfig {
            gateway_requests_per_s: 0,
            gateway_address_requests_per_s: 0,
            gateway_sign_ins_per_minute: 0,
            gateway_max_sessions_per_address: 0,
            ..config()
        };
        let limits = Limits::new(&none);
        let connection = limits.connection();
        let places: Vec<_> = (0..1000).map(|_| limits.session(ip("::1")).unwrap()).collect();
        for _ in &places {
            assert!(connection.request().is_ok() && limits.request(ip("::1")).is_ok());
            assert!(limits.sign_in(ip("::1")).is_ok());
        }
    }
}
