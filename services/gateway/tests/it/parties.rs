//! Parties, as a client sees them.

use parlor_proto::matchmaking::v1::party_update::Update as PartyNews;
use parlor_proto::matchmaking::v1::ticket_update::Update;
use parlor_proto::matchmaking::v1::{Member, Party, PartyLeft, TicketMatched};
use serde_json::{Value, json};

use crate::fixture::client::JsonClient;
use crate::fixture::lobby::TICKET;
use crate::fixture::parties::PARTY;
use crate::fixture::{Gateway, eventually};

fn party(ticket_id: &str) -> PartyNews {
    let member = Member { player_id: "p".to_owned(), name: "Ada".to_owned() };
    PartyNews::Party(Party {
        party_id: PARTY.to_owned(),
        members: vec![member],
        ticket_id: ticket_id.to_owned(),
        ..Party::default()
    })
}

fn left(reason: &str) -> PartyNews {
    PartyNews::Left(PartyLeft { reason: reason.to_owned() })
}

async fn ask(client: &mut JsonClient, id: &str, command: Value) -> Value {
    client.request(id, "party", command).await
}

#[tokio::test]
async fn parties_are_asked_for_in_the_name_of_the_sessions_player() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.json().await;
    for (number, (command, answer)) in [
        (json!({"create": {}}), "party"),
        (json!({"joinByInviteCode": "ABCDEFGH"}), "party"),
        (json!({"removePlayerId": "somebody"}), "party"),
        (json!({"renewInvite": {}}), "party"),
        (json!({"enqueueQueueId": "mahjong-quick"}), "enqueued"),
        (json!({"leave": {}}), "done"),
    ]
    .into_iter()
    .enumerate()
    {
        let answered = ask(&mut client, &format!("r{number}"), command.clone()).await;
        assert!(answered.get(answer).is_some(), "{command}: {answered}");
    }
    let asked = gateway.lobby.parties();
    let player = guest.player.to_string();
    assert!(asked.iter().all(|(asking, _)| *asking == player), "{asked:?}");
    let what: Vec<&str> = asked.iter().map(|(_, what)| what.as_str()).collect();
    assert_eq!(what, ["Ada", "ABCDEFGH", "somebody", "renew", "mahjong-quick", "leave"]);
    let empty = ask(&mut client, "e", json!({})).await;
    assert_eq!(empty["error"]["reason"], "EMPTY_REQUEST");
}

#[tokio::test]
async fn every_member_follows_the_ticket_of_the_party_to_its_table() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.json().await;
    ask(&mut client, "j", json!({"joinByInviteCode": "ABCDEFGH"})).await;
    eventually("watched", || gateway.lobby.watches_party(guest.player)).await;
    gateway.lobby.tell_party(guest.player, party(""));
    let update = client.next().await;
    assert_eq!(update["party"]["party"]["members"][0]["name"], "Ada");

    // Somebody else has put the party into a queue.
    gateway.lobby.tell_party(guest.player, party(TICKET));
    assert_eq!(client.next().await["party"]["party"]["ticketId"], TICKET);
    eventually("followed", || gateway.lobby.is_watched(TICKET)).await;
    let table = gateway.pod().open(&[guest.player]);
    let matched = TicketMatched { table_id: table.clone(), seat: 0 };
    gateway.lobby.tell(TICKET, Update::Matched(matched));
    assert_eq!(client.next().await["ticket"]["matched"]["tableId"], table);
    assert_eq!(client.next().await["resync"]["tableId"], table);
    gateway.lobby.tell_party(guest.player, party(""));
    assert!(client.next().await["party"]["party"].is_object());
    gateway.lobby.tell_party(guest.player, left("removed"));
    assert_eq!(client.next().await["party"]["left"]["reason"], "removed");
    eventually("let go", || !gateway.lobby.watches_party(guest.player)).await;
}

#[tokio::test]
async fn a_party_is_followed_again_after_a_break_on_either_side() {
    let gateway = Gateway::start().await;
    let guest = gateway.guest("Ada").await;
    gateway.lobby.place_in_party(guest.player, PARTY);
    let mut client = JsonClient::connect(gateway.address).await;
    let welcome = client.hello(&guest.access_token).await;
    assert_eq!(welcome["partyId"], PARTY);
    eventually("watched", || gateway.lobby.watches_party(guest.player)).await;
    gateway.lobby.drop_party_watch(guest.player);
    eventually("watched again", || gateway.lobby.watches_party(guest.player)).await;
    gateway.lobby.tell_party(guest.player, party(""));
    assert!(client.next().await["party"]["party"].is_object());

    gateway.lobby.end_parties();
    let gone = client.next().await;
    assert_eq!(
        (&gone["party"]["partyId"], &gone["party"]["left"]["reason"]),
        (&json!(PARTY), &json!("gone"))
    );
}

#[tokio::test]
async fn whoever_goes_away_is_not_watched_any_more() {
    let gateway = Gateway::start().await;
    let (mut client, guest) = gateway.json().await;
    ask(&mut client, "c", json!({"create": {}})).await;
    eventually("watched", || gateway.lobby.watches_party(guest.player)).await;
    drop(client);
    eventually("let go", || !gateway.lobby.watches_party(guest.player)).await;
}
