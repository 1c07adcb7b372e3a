//! The ready check of a found match, as players see it.

use parlor_common::{Failure, PlayerId};
use parlor_proto::matchmaking::v1::ticket_update::Update;
use parlor_proto::matchmaking::v1::{
    AnswerReadyCheckRequest, CancelRequest, TicketReadyCheck, TicketUpdate,
};
use tonic::Streaming;

use crate::harness::{Harness, soon};

/// The time is long enough for a slow machine, where nobody waits for it to be up.
const QUEUES: &str = r#"{"queues": [
    {"id": "pair", "players": 2, "ready_check_ms": 100000, "settings": {"options": {"mahjong": {}},
        "stakeMode": "STAKE_MODE_POINTS", "seats": 2}},
    {"id": "hasty", "players": 2, "ready_check_ms": 3000, "settings": {"options": {"mahjong": {}},
        "stakeMode": "STAKE_MODE_POINTS", "seats": 2}}
]}"#;

impl Harness {
    async fn answer(&mut self, player: PlayerId, ready: bool) -> Result<(), Failure> {
        let request = AnswerReadyCheckRequest { player_id: player.to_string(), ready };
        soon(self.queues.answer_ready_check(request)).await?;
        Ok(())
    }
}

/// Passes over news until the check has so many answers.
async fn asked(updates: &mut Streaming<TicketUpdate>, answers: u32) -> TicketReadyCheck {
    loop {
        match soon(updates.message()).await.unwrap().unwrap().update.unwrap() {
            Update::ReadyCheck(check) if check.ready == answers => return check,
            Update::ReadyCheck(_) | Update::Waiting(_) => {}
            end => panic!("{end:?}"),
        }
    }
}

/// Passes over questions until the ticket waits again or ends.
async fn after_check(updates: &mut Streaming<TicketUpdate>) -> Update {
    loop {
        match soon(updates.message()).await.unwrap().unwrap().update.unwrap() {
            Update::ReadyCheck(_) => {}
            other => return other,
        }
    }
}

#[tokio::test]
async fn a_table_is_created_once_everybody_is_ready() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let (one, two) = (PlayerId::random(), PlayerId::random());
    let ticket = harness.enqueue("pair", &[one]).await.unwrap();
    assert_eq!(harness.answer(one, true).await.unwrap_err().reason, "NO_READY_CHECK");
    let mut updates = harness.watch(&ticket, one).await.unwrap();
    harness.enqueue("pair", &[two]).await.unwrap();
    let check = asked(&mut updates, 0).await;
    assert_eq!((check.players, check.self_ready), (2, false));
    harness.answer(two, true).await.unwrap();
    assert!(!asked(&mut updates, 1).await.self_ready);
    assert!(harness.tables.state().created.is_empty());
    for _ in 0..2 {
        harness.answer(one, true).await.unwrap();
    }
    harness.seat_of(&ticket, one).await;
    assert_eq!(harness.tables.state().created.len(), 1);
}

#[tokio::test]
async fn whoever_declines_leaves_and_the_other_keeps_its_place() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let (one, two, three) = (PlayerId::random(), PlayerId::random(), PlayerId::random());
    let ticket = harness.enqueue("pair", &[one]).await.unwrap();
    let other = harness.enqueue("pair", &[two]).await.unwrap();
    let mut updates = harness.watch(&ticket, one).await.unwrap();
    asked(&mut updates, 0).await;
    // Taking the ticket back is declining.
    let request = CancelRequest { player_id: two.to_string() };
    soon(harness.queues.cancel(request)).await.unwrap();
    let end = harness.end_of(&other, two).await;
    assert!(matches!(end, Update::Closed(closed) if closed.reason == "not_ready"));
    assert!(matches!(after_check(&mut updates).await, Update::Waiting(_)));

    harness.enqueue("pair", &[three]).await.unwrap();
    asked(&mut updates, 0).await;
    harness.answer(three, true).await.unwrap();
    harness.answer(one, true).await.unwrap();
    harness.seat_of(&ticket, one).await;
    let created = harness.tables.state().created.clone();
    assert_eq!(created.len(), 1);
    // The first to choose is the one who has waited longest.
    assert_eq!(created[0].reservations[0].player_id, one.to_string());
}

#[tokio::test]
async fn whoever_is_silent_leaves_when_the_time_is_up() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let (one, two) = (PlayerId::random(), PlayerId::random());
    let ticket = harness.enqueue("hasty", &[one]).await.unwrap();
    let other = harness.enqueue("hasty", &[two]).await.unwrap();
    let mut updates = harness.watch(&ticket, one).await.unwrap();
    asked(&mut updates, 0).await;
    harness.answer(one, true).await.unwrap();
    let end = harness.end_of(&other, two).await;
    assert!(matches!(end, Update::Closed(closed) if closed.reason == "not_ready"));
    assert!(matches!(after_check(&mut updates).await, Update::Waiting(_)));
    assert!(harness.tables.state().created.is_empty());
    assert!(harness.enqueue("hasty", &[two]).await.is_ok());
}
