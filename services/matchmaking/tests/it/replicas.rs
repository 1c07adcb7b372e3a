//! Two replicas that share a Redis.

use std::collections::BTreeSet;

use parlor_common::{Failure, PlayerId};
use parlor_matchmaking::Config;
use parlor_matchmaking::config::StoreKind;
use parlor_matchmaking::ids::ReplicaId;
use parlor_proto::matchmaking::v1::JoinRoomRequest;
use tempfile::NamedTempFile;

use crate::harness::{Harness, member, soon};

const QUEUES: &str = r#"{"queues": [
    {"id": "a", "players": 2, "settings": {"options": {"mahjong": {}},
        "stakeMode": "STAKE_MODE_POINTS", "seats": 2}},
    {"id": "b", "players": 2, "settings": {"options": {"mahjong": {}},
        "stakeMode": "STAKE_MODE_POINTS", "seats": 2}},
    {"id": "c", "players": 2, "settings": {"options": {"mahjong": {}},
        "stakeMode": "STAKE_MODE_POINTS", "seats": 2}}
]}"#;

/// Two replicas, unless there is no Redis; the file holds their queues.
async fn two() -> Option<(Harness, Harness, NamedTempFile)> {
    let Ok(urls) = std::env::var("PARLOR_TEST_REDIS_URL") else {
        assert!(std::env::var_os("PARLOR_TEST_REQUIRE_SERVICES").is_none(), "there is no Redis");
        println!("skipped: PARLOR_TEST_REDIS_URL is not set");
        return None;
    };
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), QUEUES).unwrap();
    let config = Config {
        matchmaking_store: StoreKind::Redis,
        matchmaking_redis_url: Some(urls.into()),
        matchmaking_redis_tag: format!("test-{}", ReplicaId::random()),
        matchmaking_queues_file: Some(file.path().to_owned()),
        ..Config::default()
    };
    let first = Harness::start_with(config.clone()).await;
    let second = first.second(config).await;
    Some((first, second, file))
}

#[tokio::test]
async fn players_of_different_replicas_meet_and_watch_anywhere() {
    let Some((mut first, mut second, _file)) = two().await else { return };
    for queue in ["a", "b", "c"] {
        let (here, there) = (PlayerId::random(), PlayerId::random());
        let one = first.enqueue(queue, &[here]).await.unwrap();
        let other = second.enqueue(queue, &[there]).await.unwrap();
        // Each watches where the other has entered.
        let (table, seat) = second.seat_of(&one, here).await;
        let (same_table, other_seat) = first.seat_of(&other, there).await;
        assert_eq!(table, same_table);
        assert_eq!(BTreeSet::from([seat, other_seat]), BTreeSet::from([0, 1]));
        let twice = second.enqueue(queue, &[here]).await.unwrap_err();
        assert_eq!(twice.reason, "ALREADY_SEATED");
    }
}

#[tokio::test]
async fn whoever_waits_at_one_replica_waits_nowhere_else() {
    let Some((mut first, mut second, _file)) = two().await else { return };
    let player = PlayerId::random();
    let ticket = first.enqueue_as("r", "a", &[player]).await.unwrap();
    assert_eq!(second.enqueue("b", &[player]).await.unwrap_err().reason, "ALREADY_QUEUED");
    assert_eq!(second.enqueue_as("r", "a", &[player]).await.unwrap(), ticket);
}

#[tokio::test]
async fn when_a_replica_goes_the_other_takes_its_queues_and_tickets() {
    let Some((mut first, mut second, _file)) = two().await else { return };
    let mut waiting = Vec::new();
    for queue in ["a", "b", "c"] {
        let player = PlayerId::random();
        waiting.push((queue, player, first.enqueue(queue, &[player]).await.unwrap()));
    }
    first.stop().await;
    for (queue, player, ticket) in waiting {
        second.enqueue(queue, &[PlayerId::random()]).await.unwrap();
        second.seat_of(&ticket, player).await;
    }
}

#[tokio::test]
async fn whoever_guesses_at_one_replica_has_guessed_at_all() {
    let Some((first, second, _file)) = two().await else { return };
    let guesser = PlayerId::random();
    let mut reasons = Vec::new();
    let limit = Config::default().matchmaking_code_attempts as usize;
    for guess in 0..=limit {
        let request = JoinRoomRequest {
            request_id: "j".to_owned(),
            player: Some(member(&guesser)),
            room_code: format!("{guess:06}"),
        };
        let mut rooms = if guess % 2 == 0 { first.rooms.clone() } else { second.rooms.clone() };
        let refused = soon(rooms.join_room(request)).await.unwrap_err();
        reasons.push(Failure::from(refused).reason);
    }
    assert!(reasons[..limit].iter().all(|reason| reason == "ROOM_NOT_FOUND"), "{reasons:?}");
    assert_eq!(reasons[limit], "TOO_MANY_CODES");
}
