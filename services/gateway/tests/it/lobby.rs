//! Queues, rooms, wallets, history.

use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::{
    CancelTicket, Enqueue, GetHand, GetLeaderboard, GetProfile, ListHands, ListQueues, ListTables,
};
use parlor_proto::matchmaking::v1::ticket_update::Update;
use parlor_proto::matchmaking::v1::{TicketClosed, TicketMatched, TicketReadyCheck, TicketWaiting};
use parlor_proto::settlement::v1::{HandFairness, HandRecord, HandSeat, HandStep};
use serde_json::json;

use crate::fixture::lobby::{ROOM_CODE, TICKET};
use crate::fixture::{Gateway, ProtoClient, config, eventually};

fn enqueue() -> Command {
    Command::Enqueue(Enqueue { queue_id: "blackjack-quick".to_owned() })
}

#[tokio::test]
async fn a_ticket_is_followed_to_its_table() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    let Reply::Enqueued(enqueued) = client.request("q", enqueue()).await else {
        unreachable!("enqueued")
    };
    assert_eq!(enqueued.ticket_id, TICKET);
    let asked = gateway.lobby.enqueued();
    assert_eq!(asked[0].members[0].player_id, guest.player.to_string());
    assert_eq!(asked[0].members[0].name, "Ada");
    eventually("watched", || gateway.lobby.is_watched(TICKET)).await;

    gateway.lobby.tell(TICKET, Update::Waiting(TicketWaiting { waiting: 3, estimate_ms: 900 }));
    let In::Ticket(update) = client.next().await else { unreachable!("a ticket update") };
    assert!(matches!(update.update, Some(Update::Waiting(waiting)) if waiting.waiting == 3));
    let matched = TicketMatched { table_id: table.clone(), seat: 2 };
    gateway.lobby.tell(TICKET, Update::Matched(matched));
    let In::Ticket(update) = client.next().await else { unreachable!("a ticket update") };
    assert!(matches!(update.update, Some(Update::Matched(matched)) if matched.seat == 2));
    let In::Resync(resync) = client.next().await else { unreachable!("a resync") };
    assert_eq!(resync.table_id, table);
}

#[tokio::test]
async fn a_ticket_survives_a_broken_stream_and_a_reconnection() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    client.request("q", enqueue()).await;
    eventually("watched", || gateway.lobby.is_watched(TICKET)).await;
    gateway.lobby.drop_watch(TICKET);
    eventually("watched again", || gateway.lobby.is_watched(TICKET)).await;

    gateway.lobby.place(guest.player, "", TICKET);
    gateway.lobby.drop_watch(TICKET);
    let mut client = ProtoClient::connect(gateway.address).await;
    assert_eq!(client.hello(&guest.access_token).await.ticket_id, TICKET);
    eventually("watched by the new session", || gateway.lobby.is_watched(TICKET)).await;
    // The old session may have been the one that watched again.
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    gateway.lobby.tell(TICKET, Update::Closed(TicketClosed { reason: "expired".to_owned() }));
    let In::Ticket(update) = client.next().await else { unreachable!("a ticket update") };
    assert!(matches!(update.update, Some(Update::Closed(closed)) if closed.reason == "expired"));
}

#[tokio::test]
async fn requests_of_different_players_with_the_same_id_are_different() {
    let gateway = Gateway::start().await;
    let (mut one, _) = gateway.proto().await;
    let (mut other, _) = gateway.proto().await;
    one.request("1", enqueue()).await;
    one.request("1", enqueue()).await;
    other.request("1", enqueue()).await;
    let ids: Vec<_> = gateway.lobby.enqueued().into_iter().map(|one| one.request_id).collect();
    assert_eq!(ids[0], ids[1]);
    assert_ne!(ids[0], ids[2]);
    assert!(ids.iter().all(|id| (1..=64).contains(&id.len())));
}

#[tokio::test]
async fn queues_are_listed_and_tickets_cancelled() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    let Reply::Queues(queues) = client.request("r", Command::ListQueues(ListQueues {})).await
    else {
        unreachable!("queues")
    };
    assert_eq!(queues.queues[0].queue_id, "blackjack-quick");
    let cancelled = client.request("r", Command::CancelTicket(CancelTicket {})).await;
    assert!(matches!(cancelled, Reply::Done(_)));
}

#[tokio::test]
async fn a_room_is_created_and_joined_and_its_table_watched() {
    let gateway = Gateway::start().await;
    let (mut host, _) = gateway.json().await;
    let (mut guest, _) = gateway.json().await;
    let table = gateway.pod().open(&[]);
    gateway.lobby.lead_to(&table);
    let settings = json!({"settings": {"seats": 4, "buyIn": "500", "options": {"mahjong": {}}}});
    let created = host.request("r", "createRoom", settings).await;
    assert_eq!(created["room"], json!({"tableId": table, "roomCode": ROOM_CODE}));
    assert_eq!(host.next().await["resync"]["tableId"], table);
    assert_eq!(gateway.lobby.rooms()[0].settings.as_ref().unwrap().buy_in, 500);

    let refused = guest.request("r", "joinRoom", json!({"roomCode": "999999"})).await;
    assert_eq!(refused["error"]["reason"], "ROOM_NOT_FOUND");
    let joined = guest.request("r", "joinRoom", json!({"roomCode": ROOM_CODE})).await;
    assert_eq!(joined["room"]["tableId"], table);
    assert_eq!(guest.next().await["resync"]["tableId"], table);
}

#[tokio::test]
async fn a_ready_check_reaches_the_player_and_the_answer_matchmaking() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.json().await;
    client.request("q", "enqueue", json!({"queueId": "blackjack-quick"})).await;
    eventually("watched", || gateway.lobby.is_watched(TICKET)).await;
    let check = TicketReadyCheck { deadline_ms: 1_234, players: 4, ready: 1, self_ready: true };
    gateway.lobby.tell(TICKET, Update::ReadyCheck(check));
    let update = client.next().await;
    assert_eq!(
        update["ticket"]["readyCheck"],
        json!({
            "deadlineMs": "1234", "players": 4, "ready": 1, "selfReady": true
        })
    );
    let answered = client.request("a", "answerReadyCheck", json!({"ready": true})).await;
    assert!(answered.get("done").is_some(), "{answered}");
    let asked = gateway.lobby.ready();
    assert_eq!((asked[0].player_id.as_str(), asked[0].ready), (&*guest.player.to_string(), true));
    // The ticket is followed on.
    gateway.lobby.tell(TICKET, Update::Closed(TicketClosed { reason: "not_ready".to_owned() }));
    assert_eq!(client.next().await["ticket"]["closed"]["reason"], "not_ready");
}

#[tokio::test]
async fn clubs_are_asked_for_in_the_name_of_the_sessions_player() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.json().await;
    let change = json!({"clubId": "c", "change": {"rename": "n"}});
    for (number, (command, answer)) in [
        (json!({"create": {"name": "雀友会"}}), "club"),
        (json!({"list": {}}), "clubs"),
        (json!({"getClubId": "c"}), "club"),
        (json!({"joinByInviteCode": "ABCDEFGH"}), "club"),
        (json!({"askToJoinClubId": "c"}), "done"),
        (json!({"change": change}), "club"),
        (json!({"listCardEntries": {"clubId": "c", "before": "7"}}), "cardEntries"),
    ]
    .into_iter()
    .enumerate()
    {
        let answered = client.request(&format!("r{number}"), "club", command.clone()).await;
        assert!(answered.get(answer).is_some(), "{command}: {answered}");
    }
    let asked = gateway.lobby.clubs();
    let player = guest.player.to_string();
    assert!(asked.iter().all(|(asking, _)| *asking == player), "{asked:?}");
    let what: Vec<&str> = asked.iter().map(|(_, what)| what.as_str()).collect();
    assert_eq!(what, ["雀友会", "list", "c", "ABCDEFGH", "c", "c", "7"]);
    let empty = client.request("e", "club", json!({})).await;
    assert_eq!(empty["error"]["reason"], "EMPTY_REQUEST");
}

#[tokio::test]
async fn the_profile_shows_the_wallet() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let Reply::Profile(profile) = client.request("r", Command::GetProfile(GetProfile {})).await
    else {
        unreachable!("a profile")
    };
    assert_eq!((profile.balance, profile.held), (100_000, 7));
    assert_eq!((profile.player_id, profile.name), (guest.player.to_string(), "Ada".to_owned()));
}

fn hand(hand_id: &str, player: impl ToString) -> HandRecord {
    // An event of a game that this gateway does not know: field 90.
    let message = bytes::Bytes::from_static(&[0xd2, 0x05, 0x02, 0x08, 0x01]);
    HandRecord {
        hand_id: hand_id.to_owned(),
        hand_no: 3,
        seats: vec![HandSeat { player_id: player.to_string(), ..HandSeat::default() }],
        fairness: Some(HandFairness { server_seed: vec![9; 32].into(), ..HandFairness::default() }),
        steps: vec![HandStep { time_ms: 5, messages: vec![message], ..HandStep::default() }],
        state_before: bytes::Bytes::from_static(b"not for clients"),
        ..HandRecord::default()
    }
}

#[tokio::test]
async fn a_hand_is_replayed_to_those_who_played_it() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let (mut other, _) = gateway.proto().await;
    let hand_id = format!("{}/3", parlor_common::TableId::random());
    gateway.money.record(hand(&hand_id, guest.player));
    let get = || Command::GetHand(GetHand { hand_id: hand_id.clone() });
    client.ask("r", get()).await;
    let bytes = client.next_bytes().await;
    assert!(bytes.windows(5).any(|window| window == [0xd2, 0x05, 0x02, 0x08, 0x01]));
    assert!(!bytes.windows(7).any(|window| window == b"clients"));
    let Reply::Hand(replay) = client.request("r", get()).await else { unreachable!("a hand") };
    assert_eq!(replay.summary.unwrap().hand_id, hand_id);
    assert_eq!((replay.steps[0].time_ms, replay.steps[0].events.len()), (5, 1));

    let Reply::Error(error) = other.request("r", get()).await else { unreachable!("an error") };
    assert_eq!(error.reason, "HAND_NOT_FOUND");
    let bad = Command::GetHand(GetHand { hand_id: "nonsense".to_owned() });
    let Reply::Error(error) = other.request("r", bad).await else { unreachable!("an error") };
    assert_eq!(error.reason, "BAD_HAND_ID");
}

#[tokio::test]
async fn a_player_lists_only_own_hands() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let list = ListHands { game: "mahjong".to_owned(), page_size: 5, page_token: "p".to_owned() };
    assert!(matches!(client.request("r", Command::ListHands(list)).await, Reply::Hands(_)));
    let asked = gateway.money.listed();
    assert_eq!(asked[0].player_id, guest.player.to_string());
    assert_eq!((asked[0].page_size, asked[0].page_token.as_str()), (5, "p"));
}

#[tokio::test]
async fn leaderboards_are_shown() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    let board = GetLeaderboard { board: "mahjong/rating".to_owned() };
    let Reply::Leaderboard(board) = client.request("r", Command::GetLeaderboard(board)).await
    else {
        unreachable!("a leaderboard")
    };
    assert_eq!(board.rows[0].score, "77");
}

#[tokio::test]
async fn public_tables_are_listed_pod_by_pod_without_private_rooms() {
    let gateway = Gateway::with_pods(config(), 2).await;
    let (mut client, _) = gateway.proto().await;
    gateway.pods[0].list(&[("a", ""), ("secret", "123456")]);
    gateway.pods[1].list(&[("b", "")]);
    let (mut found, mut page_token, mut pages) = (Vec::new(), String::new(), 0);
    loop {
        let list = ListTables { game: String::new(), page_token };
        let Reply::Tables(page) = client.request("r", Command::ListTables(list)).await else {
            unreachable!("tables")
        };
        pages += 1;
        found.extend(page.tables.into_iter().map(|table| table.table_id));
        page_token = page.next_page_token;
        if page_token.is_empty() {
            break;
        }
    }
    found.sort();
    assert_eq!((found, pages), (vec!["a".to_owned(), "b".to_owned()], 2));
    for page_token in ["nonsense", ":", "x:y"] {
        let list = ListTables { game: String::new(), page_token: page_token.to_owned() };
        let Reply::Error(error) = client.request("r", Command::ListTables(list)).await else {
            unreachable!("{page_token}")
        };
        assert_eq!(error.reason, "BAD_PAGE_TOKEN");
    }
}
