//! What a table owes to the ledger and to the history, and what comes back.

use parlor_common::PlayerId;
use parlor_proto::rules::v1 as rules;
use parlor_proto::settlement::v1::{GetLeaderboardRequest, RunOutcome};
use parlor_proto::table::v1 as pb;
use parlor_proto::table::v1::command::Command;
use parlor_proto::table::v1::table_event::Event;
use parlor_table::verify::{Mismatch, verify};

use crate::house::{House, Watch};
use crate::{blackjack, daily};

const CHIPS: i64 = 10_000;

async fn open(house: &House, request: pb::CreateTableRequest) -> String {
    house.tables.clone().create_table(request).await.unwrap().into_inner().table_id
}

fn posted(watch: &Watch) -> Vec<u64> {
    let number = |event: &Event| match event {
        Event::HandPosted(posted) => Some(posted.hand_no),
        _ => None,
    };
    watch.events.iter().filter_map(number).collect()
}

#[tokio::test]
async fn everybody_is_told_when_a_hand_is_in_the_ledger() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let player = PlayerId::random();
    house.grant(player, CHIPS).await;
    let mut request = blackjack::request("r1", player);
    request.settings.as_mut().unwrap().spectators_allowed = true;
    let table = open(&house, request).await;
    let mut spectator = house.watch(&table, None).await.unwrap();
    let mut watch = house.watch(&table, Some(player)).await.unwrap();
    blackjack::play_hands(&house, &mut watch, player, 2).await;
    while posted(&watch).len() < 2 {
        watch.next().await.unwrap();
    }
    assert_eq!(posted(&watch), [1, 2], "in order, once each");
    for number in 1..=2 {
        let hand_id = format!("{table}/{number}");
        assert_eq!(house.hand(&hand_id, player).await.unwrap().hand_no, number, "it is there");
        let ended = |event: &Event| matches!(event, Event::HandEnded(e) if e.hand_no == number);
        let told = |event: &Event| matches!(event, Event::HandPosted(p) if p.hand_no == number);
        let place = |of: &dyn Fn(&Event) -> bool| watch.events.iter().position(of).unwrap();
        assert!(place(&ended) < place(&told));
    }
    while posted(&spectator).len() < 2 {
        spectator.next().await.unwrap();
    }
    assert_eq!(posted(&spectator), [1, 2]);
    house.stop().await;
}

/// A table whose shoe of two decks goes on to its last quarter.
fn shoe(request_id: &str, player: PlayerId) -> pb::CreateTableRequest {
    let mut request = blackjack::request(request_id, player);
    let options = request.settings.as_mut().unwrap().options.as_mut().unwrap();
    let Some(rules::options::Game::Blackjack(options)) = &mut options.game else { panic!() };
    options.decks = Some(2);
    options.shuffle = Some(rules::BlackjackShuffle::CutCard.into());
    options.penetration_percent = Some(30);
    request
}

#[tokio::test]
async fn every_hand_of_a_shoe_verifies_once_its_seeds_are_revealed() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start(folder.path()).await;
    let player = PlayerId::random();
    house.grant(player, CHIPS).await;
    let table = open(&house, shoe("r1", player)).await;
    let mut watch = house.watch(&table, Some(player)).await.unwrap();
    while posted(&watch).is_empty() {
        blackjack::play_hands(&house, &mut watch, player, 1).await;
        watch.next().await.unwrap();
    }
    let first = house.hand(&format!("{table}/1"), player).await.unwrap();
    assert_eq!(verify(&first), Err(Mismatch::NotRevealed), "the shoe goes on");
    // A shoe of two decks ends within a dozen hands, and the next one begins.
    blackjack::play_hands(&house, &mut watch, player, 13).await;
    let revealed = |event: &Event| matches!(event, Event::SeedRevealed(one) if one.hand_no == 1);
    assert!(watch.events.iter().any(revealed), "the first shoe is over");
    house.act(&table, player, "leave", Command::StandUp(pb::StandUp {})).await.unwrap();
    house.cashed_out(player).await;
    // What the last shoe hid is revealed when the table closes, and it goes when that is told.
    until_closed(&house, &table).await;

    let hands = house.hands(player).await;
    assert!(hands.len() >= 13, "{}", hands.len());
    let mut later = 0;
    for hand in hands {
        let record = house.hand(&hand.hand_id, player).await.unwrap();
        verify(&record).unwrap_or_else(|error| panic!("hand {}: {error}", hand.hand_no));
        let before = record.state_before.len();
        later += usize::from(before > first.state_before.len());
    }
    assert!(later > 0, "some hands began with a shoe that went on");
    house.assert_books_are_sound().await;
    house.stop().await;
}

async fn until_closed(house: &House, table: &str) {
    let closed = async {
        let request = || pb::GetTableRequest { table_id: table.to_owned() };
        while house.tables.clone().get_table(request()).await.is_ok() {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), closed).await.unwrap();
}

#[tokio::test]
async fn a_run_of_the_daily_challenge_is_recorded_and_ranked() {
    let folder = tempfile::tempdir().unwrap();
    let secret = format!("--table-daily-secret={}", daily::SECRET);
    let house = House::start_with(folder.path(), &[&secret]).await;
    let (player, day) = (PlayerId::random(), daily::day(0));
    let table = open(&house, daily::request(&day, player)).await;
    let mut watch = house.watch(&table, Some(player)).await.unwrap();
    watch.until(|view| view.hand_no == 1 && view.phase == pb::Phase::InHand as i32).await;
    let give_up = daily::act(rules::BalatroAction::GiveUp);
    house.act(&table, player, "give-up", give_up).await.unwrap();
    while posted(&watch).is_empty() {
        watch.next().await.unwrap();
    }
    let record = house.hand(&format!("{table}/1"), player).await.unwrap();
    let run = RunOutcome {
        won: false,
        ante: 1,
        round: 0,
        best_score: "0".to_owned(),
        daily: day.clone(),
    };
    assert_eq!(record.run, Some(run.clone()));
    assert_eq!(house.hands(player).await[0].run, Some(run));
    let board = GetLeaderboardRequest { board: format!("balatro/daily/{day}"), limit: 0 };
    let ranked = async {
        loop {
            let rows = house.history.clone().get_leaderboard(board.clone()).await.unwrap();
            if let Some(row) = rows.into_inner().rows.into_iter().next() {
                return row;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    };
    let row = tokio::time::timeout(std::time::Duration::from_secs(60), ranked).await.unwrap();
    assert_eq!((row.rank, row.player_id, row.score), (1, player.to_string(), "0".to_owned()));
    house.stop().await;
}

#[tokio::test]
async fn stacks_of_a_lost_table_go_back_to_their_wallets() {
    let folder = tempfile::tempdir().unwrap();
    let watchful = |config: &mut parlor_settlement::Config| {
        config.settlement_orphan_interval_ms = 20;
        config.settlement_orphan_patience_ms = 200;
    };
    let house = House::start_as(folder.path(), &[], watchful).await;
    let (lost, kept) = (PlayerId::random(), PlayerId::random());
    for player in [lost, kept] {
        house.grant(player, CHIPS).await;
    }
    let table = open(&house, blackjack::request("r1", lost)).await;
    let mut watch = house.watch(&table, Some(lost)).await.unwrap();
    blackjack::play_hands(&house, &mut watch, lost, 1).await;
    while posted(&watch).is_empty() {
        watch.next().await.unwrap();
    }
    assert!(house.worth(lost).await.1 > 0, "chips are at the table");
    drop(watch);
    house.stop().await;
    std::fs::remove_file(folder.path().join("tables.redb")).unwrap();

    let house = House::start_as(folder.path(), &[], watchful).await;
    let other = open(&house, blackjack::request("r2", kept)).await;
    let mut watch = house.watch(&other, Some(kept)).await.unwrap();
    watch.until(|view| view.hand_no == 1).await;
    let wallet = house.cashed_out(lost).await;
    let won: i64 = house
        .hands(lost)
        .await
        .iter()
        .flat_map(|hand| &hand.seats)
        .filter(|seat| seat.player_id == lost.to_string())
        .map(|seat| seat.change)
        .sum();
    assert_eq!(wallet, CHIPS + won, "what was posted counts, and nothing else");
    assert_eq!(house.worth(kept).await, (CHIPS - blackjack::BUY_IN, blackjack::BUY_IN));
    house.assert_books_are_sound().await;
    house.stop().await;
}
