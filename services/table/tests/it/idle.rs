//! Tables that sleep, and what spectators see late.

use std::sync::Arc;
use std::time::Duration;

use parlor_common::client::{ClientOptions, connect};
use parlor_common::{Clock, PlayerId, PodId, Shutdown, TableId};
use parlor_proto::table::v1 as pb;
use parlor_table::chance::os_chance;
use parlor_table::cluster::Lease;
use parlor_table::store::{MemoryStore, TableStore};
use parlor_table::treasury::SettlementTreasury;
use parlor_table::{Metrics, Setting, Tables, Upkeep};

use crate::blackjack;
use crate::house::House;
use crate::pods::until;

/// Tables that sleep after a second, on a clock that is moved by hand.
fn tables(clock: &Clock, shutdown: &Shutdown) -> Tables {
    tables_on(Arc::new(MemoryStore::default()), clock, shutdown)
}

/// The same on a store of the test's own.
pub fn tables_on(store: Arc<dyn TableStore>, clock: &Clock, shutdown: &Shutdown) -> Tables {
    let nowhere = connect("http://127.0.0.1:1", &ClientOptions::default()).unwrap();
    let passivate_after = Some(Duration::from_secs(1));
    let setting = Setting {
        store,
        treasury: Arc::new(SettlementTreasury::new(nowhere)),
        clock: clock.clone(),
        register: Arc::default(),
        metrics: Arc::new(Metrics::new(clock.clone())),
        chance: os_chance(None),
        daily: None,
        shutdown: shutdown.clone(),
        halt: shutdown.token(),
        pod: PodId::random(),
        lease: Lease::unlimited(),
        upkeep: Upkeep { passivate_after, ..Upkeep::default() },
    };
    let pacing = parlor_game::shell::Pacing::default();
    Tables::new(setting, pacing, 10)
}

#[tokio::test(start_paused = true)]
async fn a_table_sleeps_and_its_deadline_wakes_it() {
    let (clock, shutdown) = (Clock::held_at(1_000_000), Shutdown::new());
    let tables = tables(&clock, &shutdown);
    tables.recover().await.unwrap();
    let player = PlayerId::random();
    let created = tables.create(blackjack::request("r1", player)).await.unwrap();
    assert_eq!((tables.all().len(), tables.sleepers().len()), (1, 0));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!((tables.all().len(), tables.sleepers().len()), (0, 1), "nobody has come");
    assert_eq!(tables.count(), 1);
    let asleep = tables.sleepers().remove(0);
    assert_eq!(asleep.summary.table_id, created.table_id);
    let found = tables.register().of_player(parlor_game::shell::Player(*player.as_bytes()));
    assert_eq!(found.tables.len(), 1, "and found");

    // The reservation expires, and nobody is left.
    clock.advance_ms(20_000);
    tokio::time::sleep(Duration::from_secs(20)).await;
    assert_eq!(tables.count(), 0, "the table has closed by itself");
}

#[tokio::test(start_paused = true)]
async fn a_table_that_sleeps_wakes_when_it_is_asked_for() {
    let (clock, shutdown) = (Clock::held_at(1_000_000), Shutdown::new());
    let tables = tables(&clock, &shutdown);
    tables.recover().await.unwrap();
    let created = tables.create(blackjack::request("r1", PlayerId::random())).await.unwrap();
    let table: TableId = created.table_id.parse().unwrap();
    for _ in 0..3 {
        tokio::time::sleep(Duration::from_secs(8)).await;
        assert_eq!(tables.sleepers().len(), 1);
        let handle = tables.get(table).unwrap();
        assert_eq!((handle.table, tables.sleepers().len()), (table, 0));
    }
    let again = tables.create(blackjack::request("r1", PlayerId::random())).await.unwrap();
    assert_eq!(again.table_id, created.table_id, "it is still the table of its request");
}

#[tokio::test]
async fn a_sleeper_is_listed_and_found_and_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let flags = ["--table-passivate-after-ms=1", "--table-disconnect-grace-ms=600000"];
    let house = House::start_with(folder.path(), &flags).await;
    let player = PlayerId::random();
    house.grant(player, 10_000).await;
    let mut request = blackjack::request("r1", player);
    let settings = request.settings.as_mut().unwrap();
    // Alone, and so never in a hand.
    (settings.fill_with_bots, settings.always_ready) = (false, false);
    let created = house.tables.clone().create_table(request).await.unwrap().into_inner();
    let seated = |view: &pb::TableView| view.own_seat == Some(0) && view.seats[0].stack > 0;
    let mut seq = 0;
    for round in 0_u32..5 {
        let mut watch = house.watch(&created.table_id, Some(player)).await.unwrap();
        watch.until(seated).await;
        let ready = pb::command::Command::Ready(pb::Ready { ready: round % 2 == 0 });
        let now = house.act(&created.table_id, player, &format!("{round}"), ready).await.unwrap();
        assert!(now > seq, "the log goes on");
        seq = now;
        drop(watch);
        until(async || {
            let find = pb::FindPlayerRequest { player_id: player.to_string() };
            let found = house.tables.clone().find_player(find).await.unwrap().into_inner();
            assert_eq!(found.table_ids, std::slice::from_ref(&created.table_id));
            let list = pb::ListTablesRequest::default();
            let listed = house.tables.clone().list_tables(list).await.unwrap().into_inner();
            assert_eq!(listed.tables.len(), 1, "asleep or awake");
            // That the player has gone is an entry of its own.
            (listed.tables[0].seq > seq).then_some(())
        })
        .await;
    }
    house.stop().await;
}

#[tokio::test]
async fn spectators_see_the_same_row_of_updates_late() {
    let folder = tempfile::tempdir().unwrap();
    let house = House::start_with(folder.path(), &["--table-spectator-delay-ms=300"]).await;
    let player = PlayerId::random();
    house.grant(player, 10_000).await;
    let mut request = blackjack::request("r1", player);
    request.settings.as_mut().unwrap().spectators_allowed = true;
    let created = house.tables.clone().create_table(request).await.unwrap().into_inner();
    let mut watch = house.watch(&created.table_id, Some(player)).await.unwrap();
    let mut spectator = house.watch(&created.table_id, None).await.unwrap();
    spectator.next().await.unwrap();
    assert_eq!((spectator.view.hand_no, spectator.events.len()), (0, 0), "as it was");
    blackjack::play_hands(&house, &mut watch, player, 2).await;
    let hand = watch.view.hand_no;
    // `Watch` checks that no number is missing.
    spectator.until(|view| view.hand_no >= hand).await;
    assert_eq!(spectator.view.own_seat, None);
    let ended =
        |event: &&pb::table_event::Event| matches!(event, pb::table_event::Event::HandEnded(_));
    assert!(spectator.events.iter().any(|event| ended(&event)), "events, not only views");
    house.stop().await;
}
