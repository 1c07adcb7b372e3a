//! The tables' logs, read from Redis as they lie there.

use std::collections::HashMap;

use parlor_common::PlayerId;
use parlor_game::entry::{Entry, decode, link};
use parlor_sim::load::measure::Accepted;
use redis::cluster::ClusterClient;
use redis::streams::StreamRangeReply;
use sha2::{Digest, Sha256};

use crate::play::Play;
use crate::system::System;

/// Every command that was acknowledged is in the log of its table, once.
pub async fn check(system: &System, play: &Play) {
    // First what was acknowledged, then the logs: they may be ahead, never behind.
    let accepted = play.accepted();
    check_all(system, &play.table_ids, &accepted).await;
}

/// The same for tables and commands.
pub async fn check_all(system: &System, table_ids: &[String], accepted: &[Accepted]) {
    let urls: Vec<String> = system.redis.urls().split(',').map(str::to_owned).collect();
    let client = ClusterClient::new(urls).unwrap();
    let mut connection = client.get_async_connection().await.unwrap();
    for (number, table_id) in table_ids.iter().enumerate() {
        let mut range = redis::cmd("XRANGE");
        range.arg(format!("{{{table_id}}}:log")).arg("-").arg("+");
        let stored: StreamRangeReply = range.query_async(&mut connection).await.unwrap();
        let times = times(table_id, &stored);
        for one in accepted.iter().filter(|one| one.table == number) {
            let found = times.get(&request_key(&one.player_id, &one.request_id));
            let found = found.copied().unwrap_or(0);
            assert_eq!(found, 1, "table {table_id}: {one:?} is {found} times in the log");
        }
    }
}

/// How often each request is in a log, which must be a whole chain.
fn times(table_id: &str, stored: &StreamRangeReply) -> HashMap<[u8; 16], usize> {
    let mut times = HashMap::new();
    let mut previous = None;
    for (seq, stored) in (1_u64..).zip(&stored.ids) {
        assert_eq!(stored.id, format!("{seq}-0"), "table {table_id} has a gap");
        let bytes: Vec<u8> = stored.get("e").unwrap();
        let entry = decode::<Entry>(&bytes).unwrap();
        assert_eq!(entry.seq, seq, "table {table_id}");
        assert!(previous.is_none_or(|hash| hash == entry.previous), "table {table_id}: chain");
        previous = Some(link(&bytes));
        if let Some(request) = entry.request {
            *times.entry(request).or_default() += 1;
        }
    }
    times
}

/// What an entry keeps of a request: the table service's own derivation.
fn request_key(player_id: &str, request_id: &str) -> [u8; 16] {
    let mut hash = Sha256::new();
    hash.update(player_id.parse::<PlayerId>().unwrap().as_bytes());
    hash.update(request_id.as_bytes());
    let mut key = [0; 16];
    key.copy_from_slice(&hash.finalize()[..16]);
    key
}
