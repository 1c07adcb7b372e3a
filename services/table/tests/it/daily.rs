//! The challenge of a day: every table deals it alike, and its seed stays secret while it lasts.

use std::time::Duration;

use parlor_common::{Clock, Failure, PlayerId};
use parlor_game::fair::ServerSeed;
use parlor_proto::rules::v1 as rules;
use parlor_proto::settlement::v1::{GetHandRequest, HandRecord, ListHandsRequest};
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::command::Command;
use parlor_proto::table::v1::table_event::Event;
use parlor_table::verify::{Mismatch, verify};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use crate::house::{House, Watch};

pub const SECRET: &str = "a secret of the operator";

pub fn day(days_ahead: i64) -> String {
    let seconds = Clock::system().now_ms() / 1000 + days_ahead * 86_400;
    OffsetDateTime::from_unix_timestamp(seconds).unwrap().date().to_string()
}

pub fn request(day: &str, player: PlayerId) -> pb::CreateTableRequest {
    let options =
        rules::BalatroOptions { daily: Some(day.to_owned()), ..rules::BalatroOptions::default() };
    pb::CreateTableRequest {
        request_id: player.to_string(),
        settings: Some(pb::TableSettings {
            options: Some(rules::Options { game: Some(rules::options::Game::Balatro(options)) }),
            stake_mode: pb::StakeMode::Points.into(),
            always_ready: true,
            ..pb::TableSettings::default()
        }),
        reservations: vec![pb::SeatReservation {
            player_id: player.to_string(),
            name: "Tester".into(),
            seat: Some(0),
            host: true,
        }],
    }
}

pub fn act(action: rules::BalatroAction) -> Command {
    let command = rules::balatro_command::Command::Action(action.into());
    let command = rules::BalatroCommand { command: Some(command) };
    Command::Play(rules::Command { game: Some(rules::command::Game::Balatro(command)) })
}

fn run(view: &pb::TableView) -> Option<&rules::BalatroRun> {
    match view.view.as_ref()?.game.as_ref()? {
        rules::view::Game::Balatro(view) => view.run.as_ref(),
        _ => None,
    }
}

/// Opens a table of today's challenge and begins its first round.
async fn begin(house: &House, player: PlayerId) -> Watch {
    let created = house.tables.clone().create_table(request("today", player)).await;
    let table = created.unwrap().into_inner().table_id;
    let mut watch = house.watch(&table, Some(player)).await.unwrap();
    let seed = pb::ClientSeed { seed: player.as_bytes().to_vec().into() };
    // Whatever a client adds, the deal stays that of the day.
    let _ = house.act(&table, player, "seed", Command::ClientSeed(seed)).await;
    watch.until(|view| run(view).is_some()).await;
    house.act(&table, player, "select", act(rules::BalatroAction::SelectBlind)).await.unwrap();
    watch.until(|view| run(view).is_some_and(|run| !run.hand.is_empty())).await;
    watch
}

async fn record(house: &House, player: PlayerId) -> HandRecord {
    let request = ListHandsRequest { player_id: player.to_string(), ..Default::default() };
    loop {
        let hands = house.history.clone().list_hands(request.clone()).await.unwrap().into_inner();
        if let Some(hand) = hands.hands.first() {
            let request =
                GetHandRequest { hand_id: hand.hand_id.clone(), player_id: player.to_string() };
            return house
                .history
                .clone()
                .get_hand(request)
                .await
                .unwrap()
                .into_inner()
                .hand
                .unwrap();
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn every_table_of_a_day_deals_the_same_run() {
    let folder = tempfile::tempdir().unwrap();
    let house =
        House::start_with(folder.path(), &[&format!("--table-daily-secret={SECRET}")]).await;
    let (first, second) = (PlayerId::random(), PlayerId::random());
    let (mut one, other) = (begin(&house, first).await, begin(&house, second).await);
    assert_eq!(run(&one.view).unwrap().hand, run(&other.view).unwrap().hand, "the same cards");
    let commitment = |watch: &Watch| watch.view.fair.clone().unwrap().commitment;
    assert_eq!(commitment(&one), commitment(&other), "under the same commitment");

    let table = one.view.table_id.clone();
    house.act(&table, first, "end", act(rules::BalatroAction::GiveUp)).await.unwrap();
    while !one.events.iter().any(|event| matches!(event, Event::HandEnded(_))) {
        one.next().await.unwrap();
    }
    let mut record = record(&house, first).await;
    let revealed = one.events.iter().any(|event| matches!(event, Event::SeedRevealed(_)));
    assert!(!revealed, "others are still to play it");
    assert_eq!(verify(&record), Err(Mismatch::NotRevealed));
    let reveal = pb::RevealDailySeedRequest { game: "balatro".to_owned(), day: day(0) };
    let refused = house.tables.clone().reveal_daily_seed(reveal).await.unwrap_err();
    assert_eq!(Failure::from(refused).reason, "DAILY_OPEN");

    let seed = ServerSeed::shared(&Sha256::digest(SECRET).into(), &format!("balatro/{}", day(0)));
    record.fairness.as_mut().unwrap().server_seed = seed.0.to_vec().into();
    verify(&record).unwrap();
    house.stop().await;
}

#[tokio::test]
async fn a_past_days_seed_is_revealed() {
    let folder = tempfile::tempdir().unwrap();
    let house =
        House::start_with(folder.path(), &[&format!("--table-daily-secret={SECRET}")]).await;
    let reveal = pb::RevealDailySeedRequest { game: "balatro".to_owned(), day: day(-2) };
    let answer = house.tables.clone().reveal_daily_seed(reveal).await.unwrap().into_inner();
    let seed = ServerSeed::shared(&Sha256::digest(SECRET).into(), &format!("balatro/{}", day(-2)));
    assert_eq!(answer.server_seed, seed.0.to_vec());
    house.stop().await;
}

#[tokio::test]
async fn a_challenge_is_refused_on_another_day_and_without_a_secret() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let refused = house.tables.clone().create_table(request(&day(0), PlayerId::random())).await;
    assert_eq!(Failure::from(refused.unwrap_err()).reason, "DAILY_UNAVAILABLE");
    house.stop().await;
    let house =
        House::start_with(folder.path(), &[&format!("--table-daily-secret={SECRET}")]).await;
    for day in [day(-2), day(2), "tomorrow".to_owned()] {
        let refused = house.tables.clone().create_table(request(&day, PlayerId::random())).await;
        assert_eq!(Failure::from(refused.unwrap_err()).reason, "DAILY_NOT_OPEN", "{day}");
    }
    house.stop().await;
}
