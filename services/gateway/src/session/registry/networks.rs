//! Banned networks, as far as this process knows them: for players that make themselves a new
//! identity as soon as one is banned.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::{PoisonError, RwLock};

use parlor_common::{Code, Failure};

use super::sanctions::Sanction;
use crate::edge::address::Network;
use crate::reasons;

/// Networks that are banned at a time.
pub const MAX_NETWORKS: usize = 1_000;
/// A wider IPv4 network holds too many who have done nothing.
const WIDEST_V4: u8 = 16;
/// A wider IPv6 network holds too many who have done nothing.
const WIDEST_V6: u8 = 32;
/// What one IPv6 subscriber has.
const SUBSCRIBER_V6: u8 = 64;

/// A network as it is banned: a single IPv6 address stands for its subscriber's /64.
///
/// # Errors
/// Why it is none.
pub fn bannable(text: &str) -> Result<Network, &'static str> {
    let network: Network =
        text.parse().map_err(|_| "not an address, nor a network in CIDR form")?;
    let (address, prefix) = network.parts();
    let (address, prefix) = match (address, prefix) {
        (IpAddr::V6(address), 128) => match address.to_ipv4_mapped() {
            Some(address) => (IpAddr::V4(address), 32),
            None => (IpAddr::V6(address), SUBSCRIBER_V6),
        },
        narrower => narrower,
    };
    let widest = if address.is_ipv4() { WIDEST_V4 } else { WIDEST_V6 };
    if prefix < widest {
        return Err("the network is wider than /16, or /32 of IPv6");
    }
    if address == IpAddr::V4(Ipv4Addr::UNSPECIFIED) {
        return Err("nobody has this address");
    }
    Ok(Network::new(address, prefix))
}

/// A bounded list of banned networks.
#[derive(Debug, Default)]
pub struct Networks {
    known: RwLock<Vec<(Network, Sanction)>>,
}

impl Networks {
    /// The ban that an address is under now.
    #[must_use]
    pub fn ban_of(&self, address: IpAddr, now_ms: i64) -> Option<Sanction> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let holds =
            |(network, ban): &&(Network, Sanction)| ban.holds(now_ms) && network.contains(address);
        known.iter().find(holds).map(|(_, ban)| ban.clone())
    }

    /// Refuses an address that is banned.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`/`ADDRESS_BANNED`.
    pub fn admit(&self, address: IpAddr, now_ms: i64) -> Result<(), Failure> {
        self.ban_of(address, now_ms).map_or(Ok(()), |ban| Err(ban.address_banned()))
    }

    /// Knows these, and no others.
    pub fn replace(&self, networks: Vec<(Network, Sanction)>) {
        *self.known.write().unwrap_or_else(PoisonError::into_inner) = networks;
    }

    /// Bans a network, instead of an earlier ban of the same; or ends its ban.
    ///
    /// # Errors
    /// `RESOURCE_EXHAUSTED`/`TOO_MANY_SANCTIONS`.
    pub fn put(&self, network: Network, ban: Option<Sanction>, now_ms: i64) -> Result<(), Failure> {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(other, ban)| *other != network && ban.holds(now_ms));
        let Some(ban) = ban else { return Ok(()) };
        if known.len() >= MAX_NETWORKS {
            let message = "too many networks are banned at a time";
            return Err(Failure::new(Code::Exhausted, reasons::TOO_MANY_SANCTIONS, message));
        }
        known.push((network, ban));
        Ok(())
    }

    /// The bans that hold now.
    #[must_use]
    pub fn list(&self, now_ms: i64) -> Vec<(Network, Sanction)> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        known.iter().filter(|(_, ban)| ban.holds(now_ms)).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn until(until_ms: i64) -> Sanction {
        Sanction { until_ms, reason: "farming".to_owned(), by: "eve".to_owned() }
    }

    #[test]
    fn what_is_banned_is_neither_everybody_nor_easily_left() {
        for (text, network) in [
            ("203.0.113.7", "203.0.113.7/32"),
            ("203.0.113.7/24", "203.0.113.0/24"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
            ("2001:db8:1:2::/64", "2001:db8:1:2::/64"),
            ("::ffff:203.0.113.7", "203.0.113.7/32"),
        ] {
            assert_eq!(bannable(text).unwrap().to_string(), network, "{text}");
        }
        for text in ["", "0.0.0.0", "0.0.0.0/0", "10.0.0.0/8", "::/0", "2001::/16", "host"] {
            assert!(bannable(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_ban_is_of_its_network_until_it_ends_or_is_lifted() {
        let networks = Networks::default();
        let (one, other) = ("203.0.113.0/24".parse().unwrap(), "2001:db8::/64".parse().unwrap());
        networks.put(one, Some(until(100)), 0).unwrap();
        networks.put(other, Some(until(0)), 0).unwrap();
        let ban = |address: &str, now_ms| networks.ban_of(address.parse().unwrap(), now_ms);
        assert_eq!(ban("203.0.113.7", 99), Some(until(100)));
        assert_eq!(ban("203.0.113.7", 100), None);
        assert_eq!(ban("203.0.114.7", 99), None);
        assert_eq!(ban("2001:db8::7", i64::MAX), Some(until(0)));
        let refused = networks.admit("203.0.113.7".parse().unwrap(), 0).unwrap_err();
        assert_eq!((refused.code, refused.reason.as_str()), (Code::Denied, "ADDRESS_BANNED"));
        networks.put(other, None, 0).unwrap();
        assert_eq!(networks.list(0), [(one, until(100))]);
    }

    #[test]
    fn the_list_is_bounded_and_what_has_ended_makes_room() {
        let networks = Networks::default();
        let network = |number: usize| {
            let [.., high, low] = number.to_be_bytes();
            Network::new(IpAddr::from([203, 0, high, low]), 32)
        };
        for number in 0..MAX_NETWORKS {
            networks.put(network(number), Some(until(100)), 0).unwrap();
        }
        let full = networks.put(network(MAX_NETWORKS), Some(until(200)), 0).unwrap_err();
        assert_eq!(full.reason, "TOO_MANY_SANCTIONS");
        networks.put(network(1), Some(until(200)), 0).unwrap();
        networks.put(network(MAX_NETWORKS), Some(until(200)), 100).unwrap();
        assert_eq!(networks.list(100).len(), 2);
    }
}
