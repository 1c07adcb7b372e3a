//! The service over gRPC, with a real ledger.

use std::time::Duration;

use parlor_common::{Failure, PlayerId, TableId};
use parlor_proto::rules::v1 as rules;
use parlor_proto::settlement::v1::{GetHandRequest, ListHandsRequest};
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::command::Command;
use parlor_proto::table::v1::table_event::Event;
use tonic::Status;

use crate::blackjack::{self, BUY_IN};
use crate::house::House;

fn reason(status: Status) -> String {
    Failure::from(status).reason
}

async fn seated(house: &House, request_id: &str) -> (PlayerId, String) {
    let player = PlayerId::random();
    house.grant(player, 10_000).await;
    let created = house.tables.clone().create_table(blackjack::request(request_id, player)).await;
    (player, created.unwrap().into_inner().table_id)
}

#[tokio::test]
async fn hands_are_played_posted_recorded_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let (player, table) = seated(&house, "r1").await;
    let mut watch = house.watch(&table, Some(player)).await.unwrap();
    blackjack::play_hands(&house, &mut watch, player, 3).await;
    let committed = watch.events.iter().any(|one| matches!(one, Event::SeedCommitted(_)));
    let revealed = watch.events.iter().any(|one| matches!(one, Event::SeedRevealed(_)));
    assert!(committed && revealed);

    house.act(&table, player, "leave", Command::StandUp(pb::StandUp {})).await.unwrap();
    let mut worth = house.worth(player).await;
    while worth.1 != 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
        worth = house.worth(player).await;
    }
    house.assert_books_are_sound().await;

    let request = ListHandsRequest { player_id: player.to_string(), ..Default::default() };
    let hands = house.history.clone().list_hands(request).await.unwrap().into_inner().hands;
    assert!(hands.len() >= 3, "every hand is kept");
    let won: i64 = hands
        .iter()
        .flat_map(|hand| &hand.seats)
        .filter(|seat| seat.player_id == player.to_string())
        .map(|seat| seat.change)
        .sum();
    assert_eq!(worth.0, 10_000 + won, "the wallet is what the hands say");
    for hand in hands {
        let request = GetHandRequest { hand_id: hand.hand_id, player_id: player.to_string() };
        let record = house.history.clone().get_hand(request).await.unwrap().into_inner().hand;
        let mut record = record.unwrap();
        let verified = parlor_table::verify::verify(&record).unwrap();
        assert!(verified.steps >= 2 && verified.events >= 3);
        record.fairness.as_mut().unwrap().client_seeds[0] = vec![1].into();
        assert!(parlor_table::verify::verify(&record).is_err(), "a changed seed is found");
    }
    house.stop().await;
}

#[tokio::test]
async fn a_hand_goes_on_after_a_restart_with_nothing_lost() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let (player, table) = seated(&house, "r1").await;
    let mut watch = house.watch(&table, Some(player)).await.unwrap();
    blackjack::play_hands(&house, &mut watch, player, 1).await;
    let betting = rules::BlackjackPhase::Betting as i32;
    watch
        .until(|view| {
            let game = blackjack::view(view);
            view.hand_no >= 2
                && game.is_some_and(|game| game.phase == betting && game.actions.is_some())
        })
        .await;
    let before = watch.view.clone();
    drop(watch);
    house.stop().await;

    let house = House::start(folder.path()).await;
    let mut watch = house.watch(&table, Some(player)).await.unwrap();
    watch.until(|view| !view.table_id.is_empty()).await;
    assert_eq!(watch.view.hand_no, before.hand_no, "the same hand");
    assert_eq!(watch.view.fair, before.fair, "under the same seed");
    assert_eq!(watch.view.own_seat, Some(0));
    assert_eq!(watch.view.seats[0].stack, before.seats[0].stack);
    blackjack::play_hands(&house, &mut watch, player, 2).await;
    house.act(&table, player, "leave", Command::StandUp(pb::StandUp {})).await.unwrap();
    while house.worth(player).await.1 != 0 {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    house.assert_books_are_sound().await;
    house.stop().await;
}

#[tokio::test]
async fn whoever_sat_at_a_table_that_closes_sees_how_it_ended() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let player = PlayerId::random();
    house.grant(player, 10_000).await;
    let mut request = blackjack::request("r1", player);
    request.settings.as_mut().unwrap().hands_limit = 1;
    let created = house.tables.clone().create_table(request).await.unwrap().into_inner();
    let mut watch = house.watch(&created.table_id, Some(player)).await.unwrap();
    blackjack::play_hands(&house, &mut watch, player, 1).await;
    while watch.next().await.is_ok() {}
    assert_eq!(watch.view.phase, i32::from(pb::Phase::Closed));
    let seen = blackjack::view(&watch.view).unwrap();
    assert!(seen.last.is_some(), "the result stays in sight");
    house.stop().await;
}

#[tokio::test]
async fn a_repeated_request_is_carried_out_once() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let (player, table) = seated(&house, "r1").await;
    let again = house.tables.clone().create_table(blackjack::request("r1", player)).await;
    assert_eq!(again.unwrap().into_inner().table_id, table, "the same table");
    let mut watch = house.watch(&table, Some(player)).await.unwrap();
    watch.until(|view| blackjack::view(view).and_then(blackjack::choice).is_some()).await;
    let bet = blackjack::view(&watch.view).and_then(blackjack::choice).unwrap();
    let first = house.act(&table, player, "bet", bet.clone()).await.unwrap();
    let second = house.act(&table, player, "bet", bet.clone()).await.unwrap();
    assert_eq!(first, second, "the first answer");
    match house.act(&table, player, "bet-2", bet).await {
        Err(other) => assert!(reason(other).starts_with("BLACKJACK_"), "it is another bet"),
        // A hand that was over with its deal: the bet is for the next one.
        Ok(other) => assert!(other > first, "it is another bet"),
    }
    house.stop().await;
}

#[tokio::test]
async fn bad_requests_have_stable_reasons_and_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let (player, table) = seated(&house, "r1").await;
    let stranger = PlayerId::random();
    let nowhere = TableId::random().to_string();
    let ready = || Command::Ready(pb::Ready { ready: true });
    let wrong_game = Command::Play(rules::Command {
        game: Some(rules::command::Game::Mahjong(rules::MahjongCommand::default())),
    });
    let cases = [
        (nowhere.as_str(), player, "a", ready(), "TABLE_NOT_FOUND"),
        ("not-a-table", player, "a", ready(), "BAD_TABLE_ID"),
        (table.as_str(), stranger, "a", ready(), "TABLE_NOT_SEATED"),
        (table.as_str(), player, "", ready(), "BAD_REQUEST_ID"),
        (table.as_str(), player, "b", wrong_game, "WRONG_GAME"),
    ];
    for (table, player, id, command, expected) in cases {
        let refused = house.act(table, player, id, command).await.unwrap_err();
        assert_eq!(reason(refused), expected);
    }
    let denied = house.watch(&table, Some(stranger)).await.unwrap().next().await.unwrap_err();
    assert_eq!(reason(denied), "SPECTATORS_NOT_ALLOWED");
    let bad = [
        (
            "BAD_SETTINGS",
            pb::CreateTableRequest { settings: None, ..blackjack::request("x", player) },
        ),
        (
            "BAD_RESERVATIONS",
            pb::CreateTableRequest { reservations: Vec::new(), ..blackjack::request("x", player) },
        ),
        ("BAD_REQUEST_ID", blackjack::request("", player)),
        ("BAD_REQUEST_ID", blackjack::request(&"x".repeat(65), player)),
    ];
    for (expected, request) in bad {
        let refused = house.tables.clone().create_table(request).await.unwrap_err();
        assert_eq!(reason(refused), expected);
    }
    let mut request = blackjack::request("x", player);
    request.settings.as_mut().unwrap().buy_in = 0;
    let refused = house.tables.clone().create_table(request).await.unwrap_err();
    assert_eq!(reason(refused), "TABLE_BAD_BUY_IN");
    house.stop().await;
}

#[tokio::test]
async fn a_player_without_chips_loses_the_seat() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let player = PlayerId::random();
    house.grant(player, BUY_IN - 1).await;
    let created = house.tables.clone().create_table(blackjack::request("r1", player)).await;
    let table = created.unwrap().into_inner().table_id;
    let mut watch = house.watch(&table, Some(player)).await.unwrap();
    loop {
        if watch.next().await.is_err() {
            break;
        }
    }
    let refused = watch.events.iter().find_map(|one| match one {
        Event::SeatRefused(refused) => Some(refused.reason.clone()),
        _ => None,
    });
    assert_eq!(refused.as_deref(), Some("LEDGER_INSUFFICIENT_FUNDS"));
    assert_eq!(house.worth(player).await, (BUY_IN - 1, 0), "nothing was taken");
    house.assert_books_are_sound().await;
    house.stop().await;
}

#[tokio::test]
async fn the_echo_game_is_not_offered_unless_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let game = rules::options::Game::Echo(rules::EchoOptions::default());
    let mut request = blackjack::request("r1", PlayerId::random());
    let settings = request.settings.as_mut().unwrap();
    settings.options = Some(rules::Options { game: Some(game) });
    let refused = house.tables.clone().create_table(request).await.unwrap_err();
    assert_eq!(reason(refused), "BAD_OPTIONS");
    house.stop().await;
}

#[tokio::test]
async fn players_and_rooms_are_found_as_long_as_they_are_there() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let player = PlayerId::random();
    house.grant(player, 10_000).await;
    let mut request = blackjack::request("r1", player);
    request.settings.as_mut().unwrap().room_code = "123456".into();
    let created = house.tables.clone().create_table(request).await;
    let table = created.unwrap().into_inner().table_id;
    assert_eq!(found(&house, player).await, std::slice::from_ref(&table));
    assert_eq!(found(&house, PlayerId::random()).await, Vec::<String>::new());
    assert_eq!(of_code(&house, "123456").await, std::slice::from_ref(&table));
    assert_eq!(of_code(&house, "654321").await, Vec::<String>::new());
    house.stop().await;

    let house = House::start(folder.path()).await;
    assert_eq!(
        found(&house, player).await,
        std::slice::from_ref(&table),
        "after a restart as well"
    );
    let close = pb::CloseTableRequest { table_id: table, reason: String::new() };
    house.tables.clone().close_table(close).await.unwrap();
    while !found(&house, player).await.is_empty() || !of_code(&house, "123456").await.is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    house.stop().await;
}

async fn found(house: &House, player: PlayerId) -> Vec<String> {
    let request = pb::FindPlayerRequest { player_id: player.to_string() };
    house.tables.clone().find_player(request).await.unwrap().into_inner().table_ids
}

async fn of_code(house: &House, code: &str) -> Vec<String> {
    let request = pb::ListTablesRequest { room_code: code.into(), ..Default::default() };
    let tables = house.tables.clone().list_tables(request).await.unwrap().into_inner().tables;
    tables.into_iter().map(|table| table.table_id).collect()
}
