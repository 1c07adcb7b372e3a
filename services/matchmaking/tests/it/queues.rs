use std::collections::BTreeSet;

use parlor_common::status::Failure;
use parlor_common::{Code, PlayerId};
use parlor_proto::matchmaking::v1::ticket_update::Update;
use parlor_proto::matchmaking::v1::{
    CancelRequest, FindPlayerRequest, ListQueuesRequest, TicketWaiting,
};

use crate::fake_tables::Fate;
use crate::harness::{Harness, soon};

/// A queue of four without a window and without bots, next to one whose bots come soon.
const QUEUES: &str = r#"{"queues": [
    {"id": "four", "players": 4, "settings": {"options": {"mahjong": {}},
        "stakeMode": "STAKE_MODE_POINTS", "seats": 4}},
    {"id": "short", "players": 4, "ticket_ttl_ms": 1000, "settings": {
        "options": {"mahjong": {}}, "stakeMode": "STAKE_MODE_POINTS", "seats": 4}},
    {"id": "bots", "players": 4, "bot_fill_after_ms": 300, "settings": {
        "options": {"blackjack": {}}, "stakeMode": "STAKE_MODE_CHIPS", "buyIn": 500}}
]}"#;

fn players<const N: usize>() -> [PlayerId; N] {
    std::array::from_fn(|_| PlayerId::random())
}

fn reason<T: std::fmt::Debug>(answer: Result<T, impl Into<Failure>>) -> String {
    answer.map_err(Into::into).unwrap_err().reason
}

impl Harness {
    async fn cancel(&mut self, player: PlayerId) -> Result<(), Failure> {
        let request = CancelRequest { player_id: player.to_string() };
        soon(self.queues.cancel(request)).await?;
        Ok(())
    }

    async fn find(&mut self, player: PlayerId) -> (String, Vec<String>) {
        let request = FindPlayerRequest { player_id: player.to_string() };
        let found = soon(self.queues.find_player(request)).await.unwrap().into_inner();
        (found.ticket_id, found.table_ids)
    }
}

#[tokio::test]
async fn the_built_in_queues_are_listed() {
    let mut harness = Harness::start().await;
    let listed = soon(harness.queues.list_queues(ListQueuesRequest {})).await.unwrap();
    let queues = listed.into_inner().queues;
    let names: Vec<&str> = queues.iter().map(|queue| queue.queue_id.as_str()).collect();
    assert_eq!(
        names,
        ["balatro-daily", "balatro-run", "blackjack-quick", "mahjong-3p", "mahjong-quick"]
    );
    assert!(queues.iter().all(|queue| queue.settings.is_some() && queue.waiting == 0));
}

#[tokio::test]
async fn a_single_player_game_starts_at_once() {
    let mut harness = Harness::start().await;
    let [player] = players();
    let ticket = harness.enqueue("balatro-run", &[player]).await.unwrap();
    let (table, seat) = harness.seat_of(&ticket, player).await;
    assert_eq!(seat, 0);
    assert_eq!(harness.find(player).await, (String::new(), vec![table]));
}

#[tokio::test]
async fn four_players_and_parties_get_one_table_with_different_seats() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [first, second, friend, third] = players();
    let one = harness.enqueue("four", &[first]).await.unwrap();
    let two = harness.enqueue("four", &[second, friend]).await.unwrap();
    let three = harness.enqueue("four", &[third]).await.unwrap();
    let mut seats = BTreeSet::new();
    let mut tables = BTreeSet::new();
    for (ticket, player) in [(&one, first), (&two, second), (&two, friend), (&three, third)] {
        let (table, seat) = harness.seat_of(ticket, player).await;
        tables.insert(table);
        seats.insert(seat);
    }
    assert_eq!((tables.len(), seats.len()), (1, 4));
    let created = harness.tables.state().created.clone();
    assert_eq!(created.len(), 1);
    assert!(!created[0].settings.as_ref().unwrap().fill_with_bots);
    assert!(created[0].reservations.iter().all(|seat| seat.name == "阿明" && !seat.host));
}

#[tokio::test]
async fn a_request_that_is_repeated_gives_the_same_ticket() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [player] = players();
    let ticket = harness.enqueue_as("again", "four", &[player]).await.unwrap();
    assert_eq!(harness.enqueue_as("again", "four", &[player]).await.unwrap(), ticket);
    let other = harness.enqueue_as("another", "four", &[player]).await;
    assert_eq!(reason(other), "ALREADY_QUEUED");

    // Even after the match has given the player a seat.
    let [single] = players();
    let ticket = harness.enqueue_as("again", "bots", &[single]).await.unwrap();
    harness.seat_of(&ticket, single).await;
    assert_eq!(harness.enqueue_as("again", "bots", &[single]).await.unwrap(), ticket);
    let other = harness.enqueue_as("another", "bots", &[single]).await;
    assert_eq!(reason(other), "ALREADY_SEATED");
}

#[tokio::test]
async fn nobody_has_two_live_tickets_not_even_through_a_party() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [player, friend, stranger] = players();
    harness.enqueue("four", &[player, friend]).await.unwrap();
    for members in [vec![friend], vec![stranger, friend]] {
        let refused = harness.enqueue("bots", &members).await.unwrap_err();
        assert_eq!(refused.reason, "ALREADY_QUEUED");
        assert_eq!(refused.metadata["player_id"], friend.to_string());
    }
    assert!(harness.enqueue("bots", &[stranger]).await.is_ok());
}

#[tokio::test]
async fn bots_take_the_free_seats_after_a_while() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [player, friend] = players();
    let ticket = harness.enqueue("bots", &[player, friend]).await.unwrap();
    harness.seat_of(&ticket, friend).await;
    let created = harness.tables.state().created.clone();
    assert!(created[0].settings.as_ref().unwrap().fill_with_bots);
    assert_eq!(created[0].reservations.len(), 2);
}

#[tokio::test]
async fn a_cancelled_ticket_ends_for_the_whole_party() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [player, friend] = players();
    let ticket = harness.enqueue("four", &[player, friend]).await.unwrap();
    let mut updates = harness.watch(&ticket, friend).await.unwrap();
    let first = soon(updates.message()).await.unwrap().unwrap().update.unwrap();
    assert_eq!(first, Update::Waiting(TicketWaiting { waiting: 1, estimate_ms: 0 }));
    assert_eq!(harness.find(player).await.0, ticket);

    harness.cancel(player).await.unwrap();
    harness.cancel(friend).await.unwrap();
    let last = soon(updates.message()).await.unwrap().unwrap().update.unwrap();
    assert!(matches!(last, Update::Closed(closed) if closed.reason == "cancelled"));
    assert!(soon(updates.message()).await.unwrap().is_none());
    assert_eq!(harness.find(player).await.0, "");
    assert!(harness.enqueue("four", &[friend]).await.is_ok());
}

#[tokio::test]
async fn a_matched_ticket_cannot_be_taken_back() {
    let mut harness = Harness::start().await;
    let [player, nobody] = players();
    let ticket = harness.enqueue("balatro-run", &[player]).await.unwrap();
    harness.seat_of(&ticket, player).await;
    assert_eq!(reason(harness.cancel(player).await), "ALREADY_MATCHED");
    assert_eq!(reason(harness.cancel(nobody).await), "TICKET_NOT_FOUND");
}

#[tokio::test]
async fn a_ticket_that_waits_too_long_expires() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [player] = players();
    let ticket = harness.enqueue("short", &[player]).await.unwrap();
    let end = harness.end_of(&ticket, player).await;
    assert!(matches!(end, Update::Closed(closed) if closed.reason == "expired"));
}

#[tokio::test]
async fn watchers_learn_how_the_queue_moves() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [player, other] = players();
    let ticket = harness.enqueue("four", &[player]).await.unwrap();
    let mut updates = harness.watch(&ticket, player).await.unwrap();
    soon(updates.message()).await.unwrap().unwrap();
    harness.enqueue("four", &[other]).await.unwrap();
    let second = soon(updates.message()).await.unwrap().unwrap().update.unwrap();
    assert_eq!(second, Update::Waiting(TicketWaiting { waiting: 2, estimate_ms: 0 }));
}

#[tokio::test]
async fn a_ticket_is_shown_to_its_own_players_only() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [player, stranger] = players();
    let ticket = harness.enqueue("four", &[player]).await.unwrap();
    assert_eq!(reason(harness.watch(&ticket, stranger).await), "TICKET_NOT_FOUND");
    let unknown = PlayerId::random().to_string();
    assert_eq!(reason(harness.watch(&unknown, player).await), "TICKET_NOT_FOUND");
}

#[tokio::test]
async fn after_a_refusal_the_tickets_wait_again_and_are_seated_later() {
    let mut harness = Harness::start().await;
    let full = Failure::new(Code::Exhausted, "TOO_MANY_TABLES", "the pod is full");
    harness.tables.state().fates.extend([Fate::Refused(full.clone()), Fate::Refused(full)]);
    let [player] = players();
    let ticket = harness.enqueue("balatro-run", &[player]).await.unwrap();
    harness.seat_of(&ticket, player).await;
    let created = harness.tables.state().created.clone();
    assert_eq!(created.len(), 3);
    let requests: BTreeSet<&str> =
        created.iter().map(|request| request.request_id.as_str()).collect();
    assert_eq!(requests.len(), 3, "each match asks with an id of its own");
}

#[tokio::test]
async fn a_lost_answer_does_not_make_a_second_table() {
    let mut harness = Harness::start().await;
    harness.tables.state().fates.extend([Fate::AnswerLost, Fate::AnswerLost]);
    let [player] = players();
    let ticket = harness.enqueue("balatro-run", &[player]).await.unwrap();
    let (table, _) = harness.seat_of(&ticket, player).await;
    let state = harness.tables.state();
    assert_eq!(state.tables.keys().map(ToString::to_string).collect::<Vec<_>>(), [table]);
    assert_eq!(state.created.len(), 2, "asked again once, then looked for");
    assert_eq!(state.created[0].request_id, state.created[1].request_id);
}

#[tokio::test]
async fn a_lost_request_puts_the_tickets_back() {
    let mut harness = Harness::start().await;
    harness.tables.state().fates.extend([Fate::Lost, Fate::Lost]);
    let [player] = players();
    let ticket = harness.enqueue("balatro-run", &[player]).await.unwrap();
    harness.seat_of(&ticket, player).await;
    let state = harness.tables.state();
    assert_eq!((state.created.len(), state.tables.len()), (3, 1));
}

#[tokio::test]
async fn whoever_has_just_been_seated_is_not_queued_though_no_pod_knows_the_player() {
    let mut harness = Harness::start().await;
    let [player] = players();
    let ticket = harness.enqueue("balatro-run", &[player]).await.unwrap();
    let (table, _) = harness.seat_of(&ticket, player).await;
    harness.tables.state().finds_nobody = true;
    let refused = harness.enqueue("blackjack-quick", &[player]).await.unwrap_err();
    assert_eq!(refused.reason, "ALREADY_SEATED");
    assert_eq!(refused.metadata["table_id"], table);
    // As long as nothing is known of that table, the player waits.
    harness.tables.state().shows_nothing = true;
    let refused = harness.enqueue("blackjack-quick", &[player]).await;
    assert_eq!(reason(refused), "TABLES_UNAVAILABLE");
    assert_eq!(harness.tables.state().created.len(), 1);

    harness.tables.state().shows_nothing = false;
    harness.tables.state().stand_up(&player.to_string());
    harness.enqueue("blackjack-quick", &[player]).await.unwrap();
}

#[tokio::test]
async fn bad_input_is_refused() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [player] = players();
    assert_eq!(reason(harness.enqueue("nowhere", &[player]).await), "QUEUE_NOT_FOUND");
    assert_eq!(reason(harness.enqueue("Bad Name", &[player]).await), "QUEUE_NOT_FOUND");
    assert_eq!(reason(harness.enqueue("four", &[]).await), "BAD_PARTY");
    assert_eq!(reason(harness.enqueue("four", &[player, player]).await), "BAD_PARTY");
    assert_eq!(reason(harness.enqueue("four", &players::<5>()).await), "BAD_PARTY");
    assert_eq!(reason(harness.enqueue("four", &players::<50>()).await), "BAD_PARTY");
    assert_eq!(reason(harness.enqueue_as("", "four", &[player]).await), "BAD_REQUEST_ID");
    let long = "x".repeat(65);
    assert_eq!(reason(harness.enqueue_as(&long, "four", &[player]).await), "BAD_REQUEST_ID");
    let request = CancelRequest { player_id: "me".to_owned() };
    assert_eq!(reason(soon(harness.queues.cancel(request)).await), "BAD_PLAYER_ID");
    assert_eq!(reason(harness.watch("it", player).await), "BAD_TICKET_ID");
}

#[tokio::test]
async fn without_a_table_service_nobody_is_let_in() {
    let mut harness = Harness::start().await;
    harness.stop_tables().await;
    let [player] = players();
    let refused = harness.enqueue("balatro-run", &[player]).await.unwrap_err();
    assert_eq!((refused.code, refused.reason.as_str()), (Code::Unavailable, "TABLES_UNAVAILABLE"));
}

#[tokio::test]
async fn watchers_are_sent_elsewhere_when_the_service_ends() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [player] = players();
    let ticket = harness.enqueue("four", &[player]).await.unwrap();
    let mut updates = harness.watch(&ticket, player).await.unwrap();
    soon(updates.message()).await.unwrap().unwrap();
    harness.begin_shutdown();
    assert_eq!(reason(soon(updates.message()).await), "DRAINING");
}
