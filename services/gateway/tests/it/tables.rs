//! Tables: commands, watching, and what happens when links break and tables move.

use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::response::Result as Reply;
use parlor_proto::gateway::v1::server_frame::Frame as In;
use parlor_proto::gateway::v1::{Hello, JoinRoom, ResumePoint, TableCommand, Unwatch, Watch};
use parlor_proto::table::v1::table_event::Event;
use parlor_proto::table::v1::{HandEnded, TableEvent, TableUpdate, command};

use crate::fixture::client::ready;
use crate::fixture::table::Manner;
use crate::fixture::{Gateway, ProtoClient, config, eventually};

fn watch(table_id: &str) -> Command {
    Command::Watch(Watch { table_id: table_id.to_owned() })
}

#[tokio::test]
async fn a_command_reaches_its_table_in_the_name_of_the_token() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    assert!(matches!(client.request("r1", ready(&table)).await, Reply::Done(_)));
    let commands = gateway.pod().commands();
    assert_eq!(commands.len(), 1);
    assert_eq!(commands[0].player_id, guest.player.to_string());
    assert_eq!(commands[0].player_name, "Ada");
    assert_eq!(commands[0].request_id, "r1");
}

#[tokio::test]
async fn a_command_for_somebody_elses_seat_is_the_tables_to_refuse() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    let stranger = parlor_common::PlayerId::random();
    let table = gateway.pod().open(&[stranger]);
    let Reply::Error(error) = client.request("r1", ready(&table)).await else {
        unreachable!("the table refuses")
    };
    assert_eq!(
        (error.code.as_str(), error.reason.as_str()),
        ("failed_precondition", "TABLE_NO_SEAT")
    );
    assert!(!error.retryable);
    assert_eq!(error.metadata["seats"], "1");
    assert!(gateway.pod().commands().is_empty());
}

#[tokio::test]
async fn what_is_no_table_is_told_at_once() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    let unknown = parlor_common::TableId::random().to_string();
    for (command, reason) in [
        (ready(&unknown), "TABLE_NOT_FOUND"),
        (watch(&unknown), "TABLE_NOT_FOUND"),
        (ready("nonsense"), "BAD_TABLE_ID"),
        (watch(""), "BAD_TABLE_ID"),
        (Command::Unwatch(Unwatch { table_id: "x".repeat(500) }), "BAD_TABLE_ID"),
        (
            Command::Table(TableCommand { table_id: unknown.clone(), command: None }),
            "EMPTY_REQUEST",
        ),
    ] {
        let Reply::Error(error) = client.request("r", command).await else {
            unreachable!("{reason}")
        };
        assert_eq!(error.reason, reason);
    }
}

#[tokio::test]
async fn updates_pass_through_with_fields_that_only_newer_programs_know() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    assert_eq!(client.watch(&table).await, 0);
    // Field 900, two bytes.
    let newer = [0xa2, 0x38, 0x02, 0xab, 0xcd];
    gateway.pod().publish_with(&table, TableUpdate::default(), &newer);
    loop {
        let bytes = client.next_bytes().await;
        // `ServerFrame.update`.
        if bytes.first() == Some(&0x1a) {
            assert!(bytes.ends_with(&newer));
            break;
        }
    }
}

#[tokio::test]
async fn a_spectator_has_no_say_but_sees() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[]);
    client.watch(&table).await;
    gateway.pod().publish(&table);
    assert_eq!(client.update().await, 1);
    assert_eq!(gateway.pod().subscribed()[0].player_id, guest.player.to_string());
}

#[tokio::test]
async fn one_link_carries_all_sessions() {
    let gateway = Gateway::start().await;
    let table = gateway.pod().open(&[]);
    let mut clients = Vec::new();
    for _ in 0..5 {
        let (mut client, _) = gateway.proto().await;
        client.watch(&table).await;
        clients.push(client);
    }
    gateway.pod().publish(&table);
    for client in &mut clients {
        assert_eq!(client.update().await, 1);
    }
    assert_eq!(gateway.pod().links(), 1);
    assert_eq!(gateway.pod().subscribers(&table), 5);
}

#[tokio::test]
async fn who_does_not_watch_any_more_hears_nothing_more() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    let table = gateway.pod().open(&[]);
    client.watch(&table).await;
    client.ask("u", Command::Unwatch(Unwatch { table_id: table.clone() })).await;
    let In::TableLeft(left) = client.next().await else { unreachable!("the table is left") };
    assert_eq!((left.table_id, left.reason.as_str()), (table.clone(), "left"));
    assert!(matches!(client.response("u").await, Reply::Done(_)));
    eventually("unsubscribed", || gateway.pod().subscribers(&table) == 0).await;
}

#[tokio::test]
async fn a_session_that_ends_takes_its_subscriptions_along() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    let table = gateway.pod().open(&[]);
    client.watch(&table).await;
    drop(client);
    eventually("unsubscribed", || gateway.pod().subscribers(&table) == 0).await;
}

#[tokio::test]
async fn watching_again_starts_afresh() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    let table = gateway.pod().open(&[]);
    client.watch(&table).await;
    gateway.pod().publish(&table);
    assert_eq!(client.watch(&table).await, 1);
    eventually("one subscription", || gateway.pod().subscribers(&table) == 1).await;
    gateway.pod().publish(&table);
    assert_eq!(client.update().await, 2);
}

#[tokio::test]
async fn tables_beyond_the_limit_are_not_watched() {
    let mut config = config();
    config.session.gateway_max_watched = 2;
    let gateway = Gateway::with(config).await;
    let (mut client, _) = gateway.proto().await;
    let tables: Vec<_> = (0..3).map(|_| gateway.pod().open(&[])).collect();
    client.watch(&tables[0]).await;
    client.watch(&tables[1]).await;
    let Reply::Error(error) = client.request("r", watch(&tables[2])).await else {
        unreachable!("a third table")
    };
    assert_eq!(error.reason, "TOO_MANY_TABLES");
    assert!(matches!(client.request("r", watch(&tables[0])).await, Reply::Done(_)));
}

#[tokio::test]
async fn there_is_always_a_place_for_the_players_own_table() {
    let mut config = config();
    config.session.gateway_max_watched = 1;
    let gateway = Gateway::with(config).await;
    let (mut client, guest) = gateway.proto().await;
    client.watch(&gateway.pod().open(&[])).await;
    let own = gateway.pod().open(&[guest.player]);
    gateway.lobby.lead_to(&own);
    let join = JoinRoom { room_code: crate::fixture::lobby::ROOM_CODE.to_owned() };
    assert!(matches!(client.request("j", Command::JoinRoom(join)).await, Reply::Room(_)));
    assert!(matches!(client.next().await, In::Resync(resync) if resync.table_id == own));
}

#[tokio::test]
async fn a_client_that_resumes_gets_exactly_what_it_missed() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    client.watch(&table).await;
    gateway.pod().publish(&table);
    assert_eq!(client.update().await, 1);
    drop(client);
    for _ in 0..3 {
        gateway.pod().publish(&table);
    }
    let mut client = ProtoClient::connect(gateway.address).await;
    let resume = vec![ResumePoint { table_id: table.clone(), seq: 1 }];
    let access_token = guest.access_token.clone();
    client.hello_with(Hello { access_token, resume, ..Hello::default() }).await;
    for seq in 2..=4 {
        assert_eq!(client.update().await, seq);
    }
    gateway.pod().publish(&table);
    assert_eq!(client.update().await, 5);
}

#[tokio::test]
async fn a_client_that_is_too_far_behind_gets_a_resync() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let table = gateway.pod().open(&[guest.player]);
    for _ in 0..3 {
        gateway.pod().publish(&table);
    }
    gateway.pod().forget_updates(&table);
    let mut client = ProtoClient::connect(gateway.address).await;
    let resume = vec![ResumePoint { table_id: table.clone(), seq: 1 }];
    let access_token = guest.access_token;
    client.hello_with(Hello { access_token, resume, ..Hello::default() }).await;
    let In::Resync(resync) = client.next().await else { unreachable!("a resync") };
    assert_eq!(resync.seq, 3);
}

#[tokio::test]
async fn a_broken_link_costs_no_update_and_doubles_none() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    let table = gateway.pod().open(&[]);
    client.watch(&table).await;
    let mut seq = 0;
    for _ in 0..5 {
        gateway.pod().publish(&table);
        gateway.pod().break_links();
        gateway.pod().publish(&table);
        for _ in 0..2 {
            seq += 1;
            assert_eq!(client.update().await, seq);
        }
    }
    let subscribed = gateway.pod().subscribed();
    assert!(subscribed.len() >= 6, "{}", subscribed.len());
    assert!(subscribed[1..].iter().all(|subscribe| subscribe.after_seq.is_some()));
}

#[tokio::test]
async fn a_command_that_was_in_flight_when_the_link_broke_is_carried_out_once() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.pod().set_manner(Manner::BreaksBeforeAnswer);
    assert!(matches!(client.request("r1", ready(&table)).await, Reply::Done(_)));
    assert_eq!(gateway.pod().commands().len(), 1);
}

#[tokio::test]
async fn a_request_that_a_client_repeats_is_carried_out_once() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    assert!(matches!(client.request("r1", ready(&table)).await, Reply::Done(_)));
    let mut again = ProtoClient::connect(gateway.address).await;
    again.hello(&guest.access_token).await;
    assert!(matches!(again.request("r1", ready(&table)).await, Reply::Done(_)));
    assert!(matches!(again.request("r2", ready(&table)).await, Reply::Done(_)));
    assert_eq!(gateway.pod().commands().len(), 2);
}

#[tokio::test]
async fn a_table_that_does_not_answer_is_unavailable_after_a_while() {
    let mut config = config();
    config.session.gateway_command_timeout_ms = 100;
    let gateway = Gateway::with(config).await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.pod().set_manner(Manner::Silent);
    let Reply::Error(error) = client.request("r1", ready(&table)).await else {
        unreachable!("no answer")
    };
    assert_eq!((error.code.as_str(), error.reason.as_str()), ("unavailable", "LINK_UNAVAILABLE"));
    assert!(error.retryable);
}

#[tokio::test]
async fn a_pod_that_refuses_links_is_tried_until_it_takes_one() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.proto().await;
    let table = gateway.pod().open(&[guest.player]);
    gateway.pod().refuse_links(true);
    client.ask("r1", ready(&table)).await;
    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    gateway.pod().refuse_links(false);
    assert!(matches!(client.response("r1").await, Reply::Done(_)));
}

#[tokio::test]
async fn a_table_that_moves_is_followed_to_its_new_pod() {
    let gateway = Gateway::with_pods(config(), 2).await;
    let (mut client, guest) = gateway.proto().await;
    let [old, new] = gateway.pods.as_slice() else { unreachable!("two pods") };
    let table = old.open(&[guest.player]);
    client.watch(&table).await;
    assert!(matches!(client.request("r1", ready(&table)).await, Reply::Done(_)));
    // For a moment nobody has it.
    old.close(&table, "table_moved");
    client.ask("r2", ready(&table)).await;
    tokio::time::sleep(std::time::Duration::from_millis(150)).await;
    new.adopt(&table, &[guest.player]);
    new.publish(&table);
    assert!(matches!(client.response("r2").await, Reply::Done(_)));
    eventually("followed", || new.subscribers(&table) == 1).await;
    assert_eq!(new.commands().len(), 1);
    assert_eq!(new.subscribed()[0].after_seq, Some(1));
}

#[tokio::test]
async fn a_closed_table_is_left() {
    let gateway = Gateway::start().await;
    let (mut client, _) = gateway.proto().await;
    for (reason, told) in [
        ("table_closed", "table_closed"),
        ("not_allowed", "not_allowed"),
        ("left", "left"),
        ("something_newer", "table_closed"),
    ] {
        let table = gateway.pod().open(&[]);
        client.watch(&table).await;
        gateway.pod().close(&table, reason);
        let In::TableLeft(left) = client.next().await else { unreachable!("{reason}") };
        assert_eq!((left.table_id, left.reason.as_str()), (table, told));
    }
}

#[tokio::test]
async fn a_clients_seed_is_given_to_the_table_for_each_hand() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let table = gateway.pod().open(&[guest.player]);
    let mut client = ProtoClient::connect(gateway.address).await;
    let access_token = guest.access_token;
    let client_seed = bytes::Bytes::from_static(b"my own randomness");
    client.hello_with(Hello { access_token, client_seed, ..Hello::default() }).await;
    client.watch(&table).await;
    eventually("the first seed", || gateway.pod().commands().len() == 1).await;
    let ended = TableEvent { event: Some(Event::HandEnded(HandEnded::default())) };
    let update = TableUpdate { events: vec![ended], ..TableUpdate::default() };
    gateway.pod().publish_with(&table, update, &[]);
    eventually("the second seed", || gateway.pod().commands().len() == 2).await;
    let seeds: Vec<_> = gateway.pod().commands().into_iter().map(|one| one.command).collect();
    for seed in &seeds {
        let Some(command::Command::ClientSeed(seed)) = &seed.as_ref().unwrap().command else {
            unreachable!("a seed")
        };
        assert_eq!(seed.seed.as_ref(), b"my own randomness");
    }
}

#[tokio::test]
async fn a_spectators_seed_is_not_given() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    let table = gateway.pod().open(&[]);
    let mut client = ProtoClient::connect(gateway.address).await;
    let access_token = guest.access_token;
    let client_seed = bytes::Bytes::from_static(b"seed");
    client.hello_with(Hello { access_token, client_seed, ..Hello::default() }).await;
    client.watch(&table).await;
    let ended = TableEvent { event: Some(Event::HandEnded(HandEnded::default())) };
    let update = TableUpdate { events: vec![ended], ..TableUpdate::default() };
    gateway.pod().publish_with(&table, update, &[]);
    client.update().await;
    gateway.pod().adopt(&table, &[guest.player]);
    client.request("r1", ready(&table)).await;
    assert_eq!(gateway.pod().commands().len(), 1, "the request alone");
}
