//! The PROXY protocol, versions 1 and 2: what a proxy that knows nothing of HTTP says of its
//! client, before the first byte of TLS or HTTP.
//!
//! Nothing here reads further than the header goes, so the stream behind it is as the client sent
//! it. What a header says is believed by [`super::listener`] only from proxies that are named in
//! the settings.

use std::net::IpAddr;
use std::time::Duration;

use proxy_header::{ParseConfig, Protocol, ProxyHeader};
use tokio::io::{AsyncRead, AsyncReadExt};
use tokio::time::timeout;

/// Longest header that is read, in bytes: addresses, and extensions that are skipped.
pub const MAX_BYTES: usize = 4096;
/// A proxy must have sent its header within this time.
const HEADER_TIMEOUT: Duration = Duration::from_secs(5);

/// The shortest header of either version: `PROXY UNKNOWN` and its line's end.
const SHORTEST_BYTES: usize = 15;
/// Begins version 1.
const VERSION_1: &[u8] = b"PROXY ";
/// Longest line of version 1, with its end.
const LONGEST_LINE_BYTES: usize = 107;
/// Begins version 2.
const VERSION_2: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";
/// Signature, version and command, family, and length of what follows.
const VERSION_2_HEAD_BYTES: usize = 16;
/// Version 2 of a connection that is the proxy's own, such as a health check.
const LOCAL: u8 = 0x20;
/// Version 2 of a client's connection.
const PROXIED: u8 = 0x21;

/// How far a header has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// At least so many bytes more belong to it.
    Wants(usize),
    /// It is complete, and names the client; `None`: it names nobody, because the connection is the
    /// proxy's own, or comes from what has no address.
    Names(Option<IpAddr>),
}

/// Not a header, or one that is longer than [`MAX_BYTES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Why a proxy's connection is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It does not begin with a header.
    Malformed,
    /// The header did not come in time.
    Late,
    /// It ended within the header.
    Broken,
    /// It ended without a byte, as probes do.
    Silent,
}

impl From<Malformed> for Refused {
    fn from(_: Malformed) -> Self {
        Self::Malformed
    }
}

/// Looks at the bytes that a connection begins with. To be called again with as many more as it
/// wants, and no more.
///
/// # Errors
/// [`Malformed`].
pub fn look(bytes: &[u8]) -> Result<Progress, Malformed> {
    let could_be = |beginning: &[u8]| beginning.iter().zip(bytes).all(|(one, other)| one == other);
    if !could_be(VERSION_1) && !could_be(VERSION_2) {
        return Err(Malformed);
    }
    match SHORTEST_BYTES.checked_sub(bytes.len()) {
        Some(missing @ 1..) => Ok(Progress::Wants(missing)),
        _ if bytes.starts_with(VERSION_1) => version_1(bytes),
        _ => version_2(bytes),
    }
}

fn version_1(bytes: &[u8]) -> Result<Progress, Malformed> {
    let (line, end) = bytes.split_at_checked(bytes.len() - 2).ok_or(Malformed)?;
    if bytes.len() > LONGEST_LINE_BYTES || line.contains(&b'\n') {
        return Err(Malformed);
    }
    match end {
        b"\r\n" => parse(bytes),
        [_, b'\n'] => Err(Malformed),
        [_, b'\r'] => Ok(Progress::Wants(1)),
        _ => Ok(Progress::Wants(2)),
    }
}

fn version_2(bytes: &[u8]) -> Result<Progress, Malformed> {
    let Some(&[command, _family, high, low]) = bytes.get(VERSION_2.len()..VERSION_2_HEAD_BYTES)
    else {
        return Ok(Progress::Wants(VERSION_2_HEAD_BYTES - bytes.len()));
    };
    let length = VERSION_2_HEAD_BYTES + usize::from(u16::from_be_bytes([high, low]));
    if length > MAX_BYTES || bytes.len() > length {
        return Err(Malformed);
    }
    match (command, length - bytes.len()) {
        (LOCAL | PROXIED, missing @ 1..) => Ok(Progress::Wants(missing)),
        // Whatever else it holds is to be skipped, well-formed or not.
        (LOCAL, 0) => Ok(Progress::Names(None)),
        (PROXIED, 0) => parse(bytes),
        _ => Err(Malformed),
    }
}

/// Reads a header that ends where the bytes do.
fn parse(bytes: &[u8]) -> Result<Progress, Malformed> {
    let config = ParseConfig { include_tlvs: false, ..ParseConfig::default() };
    let (header, length) = ProxyHeader::parse(bytes, config).map_err(|_| Malformed)?;
    if length != bytes.len() {
        return Err(Malformed);
    }
    let client = header.proxied_address().filter(|it| it.protocol == Protocol::Stream);
    Ok(Progress::Names(client.map(|it| it.source.ip().to_canonical())))
}

/// Takes the header from the beginning of a connection; gives the client that it names, if any.
///
/// # Errors
/// [`Refused`].
pub async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Result<Option<IpAddr>, Refused> {
    let reading = async {
        let mut bytes = Vec::new();
        loop {
            let wanted = match look(&bytes)? {
                Progress::Names(client) => return Ok(client),
                Progress::Wants(wanted) => wanted,
            };
            let mut part = (&mut *stream).take(wanted as u64);
            match part.read_to_end(&mut bytes).await {
                Ok(read) if read == wanted => {}
                Ok(_) if bytes.is_empty() => return Err(Refused::Silent),
                Ok(_) | Err(_) => return Err(Refused::Broken),
            }
        }
    };
    timeout(HEADER_TIMEOUT, reading).await.unwrap_or(Err(Refused::Late))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use proptest::collection::vec;
    use proptest::prelude::*;
    use proxy_header::{ProxiedAddress, Tlv};

    use super::*;

    /// A whole header with an end of TLS behind it, of which nothing may be read.
    const BEHIND: &[u8] = b"\x16\x03\x01";

    fn version_2(command: u8, family: u8, block: &[u8]) -> Vec<u8> {
        let length = u16::try_from(block.len()).unwrap().to_be_bytes();
        [VERSION_2, &[command, family], &length, block].concat()
    }

    const V4: &[u8] = &[203, 0, 113, 7, 192, 0, 2, 1, 0x12, 0x34, 0x01, 0xbb];

    async fn told(header: &[u8]) -> Result<Option<String>, Refused> {
        let sent = [header, BEHIND].concat();
        let mut stream = sent.as_slice();
        let told = read(&mut stream).await;
        if told.is_ok() {
            assert_eq!(stream, BEHIND, "exactly the header is read: {header:?}");
        }
        told.map(|client| client.map(|client| client.to_string()))
    }

    #[tokio::test]
    async fn clients_are_named_by_both_versions() {
        let v6 = [[0x20, 1, 13, 184], [0; 4], [0; 4], [0, 0, 0, 9], [0; 4], [0; 4], [0; 4], [0; 4]];
        let v6 = [v6.concat(), vec![1, 2, 3, 4]].concat();
        let longer = [V4, &[0xe0, 0, 2, 7, 7], &[0x04, 0, 0]].concat();
        let garbage = [V4, &[0xff, 0xff, 0xff]].concat();
        for (header, client) in [
            (b"PROXY TCP4 203.0.113.7 192.0.2.1 4660 443\r\n".to_vec(), Some("203.0.113.7")),
            (b"PROXY TCP6 2001:db8::9 2001:db8::1 1 443\r\n".to_vec(), Some("2001:db8::9")),
            (b"PROXY TCP6 ::ffff:203.0.113.7 ::1 1 443\r\n".to_vec(), Some("203.0.113.7")),
            (b"PROXY UNKNOWN\r\n".to_vec(), None),
            (b"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n".to_vec(), None),
            (version_2(PROXIED, 0x11, V4), Some("203.0.113.7")),
            (version_2(PROXIED, 0x21, &v6), Some("2001:db8::9")),
            (version_2(PROXIED, 0x11, &longer), Some("203.0.113.7")),
            (version_2(PROXIED, 0x11, &garbage), Some("203.0.113.7")),
            // Datagrams and sockets of a machine have no client of ours behind them.
            (version_2(PROXIED, 0x12, V4), None),
            (version_2(PROXIED, 0x31, &[b'x'; 216]), None),
            (version_2(PROXIED, 0x00, &[]), None),
            (version_2(LOCAL, 0x00, &[]), None),
            (version_2(LOCAL, 0x11, V4), None),
            (version_2(LOCAL, 0x77, &[1, 2, 3]), None),
        ] {
            assert_eq!(told(&header).await, Ok(client.map(str::to_owned)), "{header:?}");
        }
    }

    #[tokio::test]
    async fn what_is_no_header_is_refused() {
        let long = version_2(PROXIED, 0x11, &[V4, &[0; MAX_BYTES][..]].concat());
        for header in [
            b"GET / HTTP/1.1\r\nhost: x\r\n".to_vec(),
            b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03abcdef".to_vec(),
            b"PROXY TCP4 203.0.113.7 192.0.2.1 4660\r\n".to_vec(),
            b"PROXY TCP4 203.0.113.700 192.0.2.1 1 443\r\n".to_vec(),
            b"PROXY TCP4 2001:db8::9 2001:db8::1 1 443\r\n".to_vec(),
            b"PROXY TCP4 203.0.113.7 192.0.2.1 1 443\n".to_vec(),
            b"PROXY TCP4 203.0.113.7 192.0.2.1 1 65536\r\n".to_vec(),
            b"PROXY UDP4 203.0.113.7 192.0.2.1 1 443\r\n".to_vec(),
            [b"PROXY UNKNOWN ".as_slice(), &[b'x'; 200], b"\r\n"].concat(),
            version_2(PROXIED, 0x11, &V4[..11]),
            version_2(PROXIED, 0x21, V4),
            version_2(PROXIED, 0x41, V4),
            version_2(0x22, 0x11, V4),
            version_2(0x31, 0x11, V4),
            long,
        ] {
            assert_eq!(told(&header).await, Err(Refused::Malformed), "{header:?}");
        }
        assert_eq!(read(&mut b"".as_slice()).await, Err(Refused::Silent));
        assert_eq!(read(&mut b"PROXY TCP4 203.".as_slice()).await, Err(Refused::Broken));
    }

    #[tokio::test(start_paused = true)]
    async fn a_header_that_does_not_come_is_not_waited_for() {
        let (mut proxy, mut stream) = tokio::io::duplex(64);
        tokio::io::AsyncWriteExt::write_all(&mut proxy, b"PROXY TCP4 203.").await.unwrap();
        assert_eq!(read(&mut stream).await, Err(Refused::Late));
    }

    /// Feeds bytes as they are wanted; gives what came of it, and how many were taken.
    fn fed(bytes: &[u8]) -> (Option<Result<Option<IpAddr>, Malformed>>, usize) {
        let mut taken = 0;
        loop {
            let Some(part) = bytes.get(..taken) else { return (None, bytes.len()) };
            match look(part) {
                Ok(Progress::Names(client)) => return (Some(Ok(client)), taken),
                Ok(Progress::Wants(0)) => unreachable!("it must want something"),
                Ok(Progress::Wants(more)) => taken += more,
                Err(malformed) => return (Some(Err(malformed)), taken),
            }
        }
    }

    proptest! {
        #[test]
        fn whatever_comes_is_read_within_the_bound(
            beginning in prop_oneof![Just(VERSION_1), Just(VERSION_2), Just(&b""[..])],
            rest in vec(any::<u8>(), 0..6_000),
        ) {
            let (_, taken) = fed(&[beginning, &rest].concat());
            prop_assert!(taken <= MAX_BYTES);
        }

        #[test]
        fn what_a_proxy_writes_is_read_to_its_end(
            source in any::<IpAddr>(),
            ports in any::<(u16, u16)>(),
            id in vec(any::<u8>(), 0..128),
            first in any::<bool>(),
        ) {
            let destination = if source.is_ipv4() { [1, 2, 3, 4].into() } else {
                IpAddr::from([7_u8; 16])
            };
            let addresses = ProxiedAddress::stream(
                (source, ports.0).into(), (destination, ports.1).into(),
            );
            let mut header = ProxyHeader::with_address(addresses);
            let mut bytes = Vec::new();
            if first {
                header.encode_v1(&mut bytes).unwrap();
            } else {
                header.append_tlv(Tlv::UniqueId(id.as_slice().into()));
                header.encode_v2(&mut bytes).unwrap();
            }
            let length = bytes.len();
            bytes.extend_from_slice(BEHIND);
            prop_assert_eq!(fed(&bytes), (Some(Ok(Some(source.to_canonical()))), length));
        }
    }
}
