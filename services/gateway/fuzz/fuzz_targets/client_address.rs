//! What proxies say of a client: the PROXY protocol and `X-Forwarded-For`. Whatever comes, no more
//! is read than the header has, none is longer than the bound, and nobody untrusted is believed.
#![no_main]

use std::net::{IpAddr, Ipv4Addr};

use http::{HeaderMap, HeaderValue};
use libfuzzer_sys::fuzz_target;
use parlor_gateway::edge::address::{Network, client};
use parlor_gateway::edge::proxy_protocol::{MAX_BYTES, Progress, look};
use parlor_gateway_fuzz::mutated;

const HEADERS: [&[u8]; 7] = [
    b"PROXY TCP4 203.0.113.7 192.0.2.1 4660 443\r\n",
    b"PROXY TCP6 2001:db8::9 2001:db8::1 4660 443\r\n",
    b"PROXY UNKNOWN ffff::1 ffff::2 1 2\r\n",
    b"\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x0c\xcb\x00\x71\x07\xc0\x00\x02\x01\x12\x34\x01\xbb",
    b"\r\n\r\n\0\r\nQUIT\n\x21\x11\x00\x11\xcb\x00\x71\x07\xc0\x00\x02\x01\x12\x34\x01\xbb\
      \x04\0\x02ab",
    b"\r\n\r\n\0\r\nQUIT\n\x20\x00\x00\x00",
    b"10.0.0.9, 203.0.113.7:4711, [2001:db8::9], 10.0.0.7",
];

const PROXY: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 1));

fuzz_target!(|data: &[u8]| {
    let bytes = mutated(data, &HEADERS);
    let mut taken = 0;
    while let Some(part) = bytes.get(..taken) {
        match look(part) {
            Ok(Progress::Wants(more)) => {
                assert!(more > 0, "an endless loop");
                taken += more;
                assert!(taken <= MAX_BYTES);
            }
            Ok(Progress::Names(_)) | Err(_) => break,
        }
    }

    let Ok(value) = HeaderValue::from_bytes(&bytes) else { return };
    let mut headers = HeaderMap::new();
    headers.append("x-forwarded-for", value);
    let trusted: Vec<Network> = vec!["10.0.0.0/8".parse().expect("a network")];
    let peer = IpAddr::from([203, 0, 113, 200]);
    assert_eq!(client(peer, &headers, &trusted), peer);
    let found = client(PROXY, &headers, &trusted);
    // The last hop is what the proxy itself has written down.
    let last = bytes.rsplit(|&byte| byte == b',').next().and_then(|hop| str::from_utf8(hop).ok());
    match last.and_then(|hop| hop.trim().parse::<IpAddr>().ok()) {
        Some(hop) if !trusted[0].contains(hop) => assert_eq!(found, hop.to_canonical()),
        _ => {}
    }
});
