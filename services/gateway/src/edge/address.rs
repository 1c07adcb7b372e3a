//! Which address a client has, behind proxies too.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

use http::HeaderMap;

const FORWARDED_FOR: &str = "x-forwarded-for";
/// Hops that are followed back at most.
const MAX_HOPS: usize = 16;

/// A network, written `10.0.0.0/8` or as a single address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Network {
    address: IpAddr,
    prefix: u8,
}

/// Not a network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a network such as 10.0.0.0/8")]
pub struct BadNetwork(String);

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, BadNetwork> {
        let bad = || BadNetwork(text.to_owned());
        let (address, prefix) = match text.split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text, None),
        };
        let address: IpAddr = address.trim().parse().map_err(|_| bad())?;
        let longest = if address.is_ipv4() { 32 } else { 128 };
        let prefix = match prefix {
            Some(prefix) => prefix.trim().parse().map_err(|_| bad())?,
            None => longest,
        };
        if prefix > longest { Err(bad()) } else { Ok(Self { address, prefix }) }
    }
}

impl std::fmt::Display for Network {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}/{}", self.address, self.prefix)
    }
}

impl Network {
    /// The network of an address, with a prefix of so many bits, at most as many as it has.
    #[must_use]
    pub fn new(address: IpAddr, prefix: u8) -> Self {
        match address {
            IpAddr::V4(address) => {
                let prefix = prefix.min(32);
                let mask = u32::MAX.checked_shl(32 - u32::from(prefix)).unwrap_or(0);
                let address = IpAddr::V4(Ipv4Addr::from_bits(address.to_bits() & mask));
                Self { address, prefix }
            }
            IpAddr::V6(address) => {
                let prefix = prefix.min(128);
                let mask = u128::MAX.checked_shl(128 - u32::from(prefix)).unwrap_or(0);
                let address = IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & mask));
                Self { address, prefix }
            }
        }
    }

    /// Its address and the length of its prefix in bits.
    #[must_use]
    pub const fn parts(&self) -> (IpAddr, u8) {
        (self.address, self.prefix)
    }

    /// Whether the address belongs to it.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        let (own, other, bits) = match (self.address, address.to_canonical()) {
            (IpAddr::V4(own), IpAddr::V4(other)) => {
                (u128::from(own.to_bits()), u128::from(other.to_bits()), 32)
            }
            (IpAddr::V6(own), IpAddr::V6(other)) => (own.to_bits(), other.to_bits(), 128),
            _ => return false,
        };
        let dropped = bits - u32::from(self.prefix);
        (own ^ other).checked_shr(dropped).unwrap_or(0) == 0
    }
}

/// Finds the address of a client: the peer's, or what trusted proxies say.
///
/// `X-Forwarded-For` is read from its end as long as the proxies are trusted; what an untrusted
/// client put before that is not looked at, nor what stands before a hop that is no address: then
/// the proxy that wrote it down is the client.
#[must_use]
pub fn client(peer: IpAddr, headers: &HeaderMap, trusted: &[Network]) -> IpAddr {
    let is_trusted = |address: IpAddr| trusted.iter().any(|network| network.contains(address));
    let mut client = peer.to_canonical();
    let hops = headers
        .get_all(FORWARDED_FOR)
        .iter()
        .rev()
        .flat_map(|value| value.as_bytes().rsplit(|&byte| byte == b','));
    for hop in hops.take(MAX_HOPS) {
        if !is_trusted(client) {
            return client;
        }
        let Some(address) = parse_hop(hop) else { return client };
        client = address.to_canonical();
    }
    client
}

/// An address, which some proxies write with a port or in brackets.
fn parse_hop(hop: &[u8]) -> Option<IpAddr> {
    let hop = str::from_utf8(hop).ok()?.trim();
    let with_port = || hop.parse::<std::net::SocketAddr>().ok().map(|address| address.ip());
    let bracketed = || hop.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    hop.parse().ok().or_else(with_port).or_else(|| bracketed().map(IpAddr::V6))
}

/// What limits are counted by: an IPv4 address, or the /64 that one IPv6 subscriber has.
#[must_use]
pub fn bucket(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => {
            let network = address.to_bits() & !u128::from(u64::MAX);
            IpAddr::V6(Ipv6Addr::from_bits(network))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn ip(text: &str) -> IpAddr {
        text.parse().unwrap()
    }

    #[test]
    fn networks_contain_their_addresses_only() {
        for (network, address, contained) in [
            ("10.0.0.0/8", "10.255.1.2", true),
            ("10.0.0.0/8", "11.0.0.0", false),
            ("10.1.2.3", "10.1.2.3", true),
            ("10.1.2.3", "10.1.2.4", false),
            ("0.0.0.0/0", "203.0.113.9", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
            ("::/0", "2001:db9::1", true),
            ("127.0.0.0/8", "::ffff:127.0.0.1", true),
        ] {
            let parsed: Network = network.parse().unwrap();
            assert_eq!(parsed.contains(ip(address)), contained, "{network} {address}");
        }
        let network: Network = "10.1.2.3/8".parse().unwrap();
        let (address, prefix) = network.parts();
        assert_eq!(Network::new(address, prefix).to_string(), "10.0.0.0/8");
        assert_eq!(Network::new(ip("2001:db8::1"), 0).to_string(), "::/0");
        for bad in ["", "10.0.0.0/33", "::/129", "10.0.0/8", "host", "10.0.0.0/-1"] {
            assert!(bad.parse::<Network>().is_err(), "{bad}");
        }
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let trusted = ["10.0.0.0/8".parse().unwrap(), "2001:db8:aaaa::/48".parse().unwrap()];
        for (peer, forwarded, expected) in [
            ("203.0.113.9", &["198.51.100.1"][..], "203.0.113.9"),
            ("10.0.0.1", &["198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["192.0.2.66, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["192.0.2.66, 198.51.100.1, 10.0.0.7"], "198.51.100.1"),
            ("10.0.0.1", &["192.0.2.66", "198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["198.51.100.1:4711"], "198.51.100.1"),
            ("10.0.0.1", &["198.51.100.1, nonsense"], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1", "nonsense"], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1", ""], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1,"], "10.0.0.1"),
            ("10.0.0.1", &["198.51.100.1, nonsense, 10.0.0.7"], "10.0.0.7"),
            // What a client adds does not hide what the proxy has written behind it.
            ("10.0.0.1", &["192.0.2.66", "\u{fe}\u{ff}, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["192.0.2.66", "\u{fe}\u{ff}"], "10.0.0.1"),
            ("10.0.0.1", &["192.0.2.66, unknown, 198.51.100.1"], "198.51.100.1"),
            ("10.0.0.1", &["[2001:db8::1]"], "2001:db8::1"),
            ("10.0.0.1", &["[2001:db8::1]:4711"], "2001:db8::1"),
            ("10.0.0.1", &["192.0.2.66, 2001:db8:aaaa::7"], "192.0.2.66"),
            ("2001:db8:aaaa::7", &["192.0.2.66, ::ffff:10.1.2.3"], "192.0.2.66"),
            ("10.0.0.1", &[], "10.0.0.1"),
            ("::ffff:10.0.0.1", &["2001:db8::1"], "2001:db8::1"),
        ] {
            let mut headers = HeaderMap::new();
            for value in forwarded {
                let value = http::HeaderValue::from_bytes(value.as_bytes()).unwrap();
                headers.append(FORWARDED_FOR, value);
            }
            assert_eq!(client(ip(peer), &headers, &trusted), ip(expected), "{peer} {forwarded:?}");
        }
    }

    #[test]
    fn a_long_chain_of_hops_ends() {
        let trusted = ["10.0.0.0/8".parse().unwrap()];
        let mut headers = HeaderMap::new();
        headers.insert(FORWARDED_FOR, vec!["10.0.0.2"; 1000].join(",").parse().unwrap());
        assert_eq!(client(ip("10.0.0.1"), &headers, &trusted), ip("10.0.0.2"));
    }

    #[test]
    fn one_ipv6_subscriber_is_one_bucket() {
        assert_eq!(bucket(ip("2001:db8:1:2:3:4:5:6")), ip("2001:db8:1:2::"));
        assert_eq!(bucket(ip("203.0.113.9")), ip("203.0.113.9"));
        assert_eq!(bucket(ip("::ffff:203.0.113.9")), ip("203.0.113.9"));
    }
}
