//! Parties, as their members see them.

use std::collections::BTreeSet;

use parlor_common::{Code, Failure, PlayerId};
use parlor_matchmaking::Config;
use parlor_proto::matchmaking::v1::party_update::Update as Told;
use parlor_proto::matchmaking::v1::ticket_update::Update;
use parlor_proto::matchmaking::v1::{
    AnswerReadyCheckRequest, CancelRequest, CreatePartyRequest, EnqueuePartyRequest,
    FindPlayerRequest, JoinPartyRequest, JoinRoomRequest, LeavePartyRequest, Party,
    RemovePartyMemberRequest, RenewPartyInviteRequest, WatchPartyRequest, WatchPartyResponse,
};
use tempfile::NamedTempFile;
use tonic::Streaming;

use crate::harness::{Harness, member, soon};

const QUEUES: &str = r#"{"queues": [
    {"id": "four", "players": 4, "settings": {"options": {"mahjong": {}},
        "stakeMode": "STAKE_MODE_POINTS", "seats": 4}},
    {"id": "rated", "players": 4, "rating_window": {"start": 0, "widen_per_s": 0, "widest": 0},
        "settings": {"options": {"mahjong": {}}, "stakeMode": "STAKE_MODE_POINTS", "seats": 4}},
    {"id": "bots", "players": 4, "bot_fill_after_ms": 300, "settings": {
        "options": {"mahjong": {}}, "stakeMode": "STAKE_MODE_POINTS", "seats": 4}},
    {"id": "asks", "players": 3, "ready_check_ms": 100000, "settings": {
        "options": {"mahjong": {}}, "stakeMode": "STAKE_MODE_POINTS", "seats": 3}},
    {"id": "duel", "players": 2, "settings": {"options": {"mahjong": {}},
        "stakeMode": "STAKE_MODE_POINTS", "seats": 2}}
]}"#;

fn players<const N: usize>() -> [PlayerId; N] {
    std::array::from_fn(|_| PlayerId::random())
}

fn reason<T: std::fmt::Debug>(answer: Result<T, Failure>) -> String {
    answer.unwrap_err().reason
}

fn ids(party: &Party) -> Vec<String> {
    party.members.iter().map(|member| member.player_id.clone()).collect()
}

impl Harness {
    async fn begin(&mut self, leader: PlayerId) -> Result<Party, Failure> {
        let request_id = format!("begin {leader}");
        let request = CreatePartyRequest { request_id, leader: Some(member(&leader)) };
        Ok(soon(self.parties.create_party(request)).await?.into_inner().party.unwrap())
    }

    async fn join_party(&mut self, player: PlayerId, code: &str) -> Result<Party, Failure> {
        let invite_code = code.to_owned();
        let request = JoinPartyRequest { player: Some(member(&player)), invite_code };
        Ok(soon(self.parties.join_party(request)).await?.into_inner().party.unwrap())
    }

    /// A party of these, the first of whom leads.
    async fn party(&mut self, members: &[PlayerId]) -> Party {
        let mut party = self.begin(members[0]).await.unwrap();
        for player in &members[1..] {
            party = self.join_party(*player, &party.invite_code.clone()).await.unwrap();
        }
        party
    }

    async fn leave(&mut self, player: PlayerId) -> Result<(), Failure> {
        let request = LeavePartyRequest { player_id: player.to_string() };
        soon(self.parties.leave_party(request)).await?;
        Ok(())
    }

    async fn remove(&mut self, leader: PlayerId, player: PlayerId) -> Result<Party, Failure> {
        let (player_id, member_id) = (leader.to_string(), player.to_string());
        let request = RemovePartyMemberRequest { player_id, member_id };
        let removed = soon(self.parties.remove_party_member(request)).await?.into_inner();
        Ok(removed.party.unwrap_or_default())
    }

    async fn renew(&mut self, leader: PlayerId) -> Result<Party, Failure> {
        let request = RenewPartyInviteRequest { player_id: leader.to_string() };
        Ok(soon(self.parties.renew_party_invite(request)).await?.into_inner().party.unwrap())
    }

    async fn queue_party(&mut self, leader: PlayerId, queue: &str) -> Result<String, Failure> {
        self.queue_party_as(&PlayerId::random().to_string(), leader, queue).await
    }

    async fn queue_party_as(
        &mut self,
        request: &str,
        leader: PlayerId,
        queue: &str,
    ) -> Result<String, Failure> {
        let request = EnqueuePartyRequest {
            request_id: request.to_owned(),
            player_id: leader.to_string(),
            queue_id: queue.to_owned(),
        };
        Ok(soon(self.parties.enqueue_party(request)).await?.into_inner().ticket_id)
    }

    async fn watch_party(
        &mut self,
        player: PlayerId,
    ) -> Result<Streaming<WatchPartyResponse>, Failure> {
        let request = WatchPartyRequest { player_id: player.to_string() };
        Ok(soon(self.parties.watch_party(request)).await?.into_inner())
    }

    async fn place_of(&mut self, player: PlayerId) -> (String, String) {
        let request = FindPlayerRequest { player_id: player.to_string() };
        let found = soon(self.queues.find_player(request)).await.unwrap().into_inner();
        (found.party_id, found.ticket_id)
    }

    /// The one table at which all of these sit.
    async fn table_of(&mut self, ticket: &str, members: &[PlayerId]) -> String {
        let (mut tables, mut seats) = (BTreeSet::new(), BTreeSet::new());
        for player in members {
            let (table, seat) = self.seat_of(ticket, *player).await;
            tables.insert(table);
            seats.insert(seat);
        }
        assert_eq!((tables.len(), seats.len()), (1, members.len()));
        tables.pop_first().unwrap()
    }
}

async fn told(updates: &mut Streaming<WatchPartyResponse>) -> Told {
    let response = soon(updates.message()).await.unwrap().expect("the stream goes on");
    response.update.unwrap().update.unwrap()
}

/// Passes over news until the party is as wanted.
async fn until(
    updates: &mut Streaming<WatchPartyResponse>,
    wanted: impl Fn(&Party) -> bool,
) -> Party {
    loop {
        match told(updates).await {
            Told::Party(party) if wanted(&party) => return party,
            Told::Party(_) => {}
            left @ Told::Left(_) => panic!("{left:?}"),
        }
    }
}

/// Passes over news until the player is told that it is in the party no more.
async fn until_left(updates: &mut Streaming<WatchPartyResponse>) -> String {
    loop {
        if let Told::Left(left) = told(updates).await {
            assert!(soon(updates.message()).await.unwrap().is_none(), "nothing follows");
            return left.reason;
        }
    }
}

#[tokio::test]
async fn friends_form_a_party_and_see_each_other() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [leader, friend] = players();
    let party = harness.begin(leader).await.unwrap();
    assert_eq!(harness.begin(leader).await.unwrap(), party, "the same request, the same party");
    assert_eq!((ids(&party), party.largest), (vec![leader.to_string()], 4));
    let mut seen = harness.watch_party(leader).await.unwrap();
    assert_eq!(told(&mut seen).await, Told::Party(party.clone()));

    let code = party.invite_code.to_lowercase();
    let joined = harness.join_party(friend, &code).await.unwrap();
    assert_eq!(harness.join_party(friend, &code).await.unwrap(), joined);
    assert_eq!(ids(&joined), [leader.to_string(), friend.to_string()]);
    assert_eq!(told(&mut seen).await, Told::Party(joined.clone()));
    assert_eq!(harness.place_of(friend).await.0, party.party_id);

    harness.leave(leader).await.unwrap();
    harness.leave(leader).await.unwrap();
    assert_eq!(until_left(&mut seen).await, "left");
    let mut seen = harness.watch_party(friend).await.unwrap();
    assert_eq!(ids(&until(&mut seen, |_| true).await), [friend.to_string()]);
    harness.leave(friend).await.unwrap();
    assert_eq!(until_left(&mut seen).await, "gone");
    assert_eq!(harness.place_of(friend).await.0, "");
    assert_eq!(reason(harness.join_party(leader, &code).await), "PARTY_NOT_FOUND");
    assert_eq!(reason(harness.watch_party(friend).await.map(drop)), "PARTY_NOT_FOUND");
}

#[tokio::test]
async fn only_the_leader_leads() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [leader, friend, other, stranger] = players();
    let party = harness.party(&[leader, friend, other]).await;
    for refused in [
        harness.remove(friend, other).await.map(drop),
        harness.renew(friend).await.map(drop),
        harness.queue_party(friend, "four").await.map(drop),
    ] {
        let refused = refused.unwrap_err();
        assert_eq!((refused.code, &*refused.reason), (Code::Denied, "NOT_PARTY_LEADER"));
    }
    for refused in [
        harness.remove(stranger, other).await.map(drop),
        harness.renew(stranger).await.map(drop),
        harness.queue_party(stranger, "four").await.map(drop),
    ] {
        assert_eq!(reason(refused), "PARTY_NOT_FOUND");
    }
    assert_eq!(reason(harness.remove(leader, stranger).await), "MEMBER_NOT_FOUND");
    let mut seen = harness.watch_party(other).await.unwrap();
    let left = harness.remove(leader, other).await.unwrap();
    assert_eq!(ids(&left), [leader.to_string(), friend.to_string()]);
    assert_eq!(harness.remove(leader, other).await.unwrap(), left);
    assert_eq!(until_left(&mut seen).await, "removed");
    let renewed = harness.renew(leader).await.unwrap();
    assert_ne!(renewed.invite_code, party.invite_code);
    assert_eq!(reason(harness.join_party(other, &party.invite_code).await), "PARTY_NOT_FOUND");
    harness.join_party(other, &renewed.invite_code).await.unwrap();
}

#[tokio::test]
async fn a_party_has_a_bound_and_a_code_an_end() {
    let config = Config {
        matchmaking_party_size: 2,
        matchmaking_party_invite_ttl_ms: 0,
        ..Config::default()
    };
    let mut harness = Harness::start_with(config).await;
    let [leader, friend] = players();
    let party = harness.begin(leader).await.unwrap();
    assert_eq!(reason(harness.join_party(friend, &party.invite_code).await), "PARTY_NOT_FOUND");
    let config = Config { matchmaking_party_size: 2, ..Config::default() };
    let mut harness = harness.restart_with(config).await;
    let party = harness.party(&[leader, friend]).await;
    let third = harness.join_party(PlayerId::random(), &party.invite_code).await;
    assert_eq!(reason(third), "PARTY_FULL");
}

#[tokio::test]
async fn codes_of_parties_cannot_be_guessed_beyond_the_limit_of_room_codes() {
    let mut harness = Harness::start().await;
    let [leader, guesser] = players();
    let party = harness.begin(leader).await.unwrap();
    assert_eq!(reason(harness.join_party(guesser, "ABC").await), "BAD_INVITE_CODE");
    let limit = Config::default().matchmaking_code_attempts;
    for guess in 0..limit {
        // Half of the tries at another door.
        let refused = if guess % 2 == 0 {
            harness.join_party(guesser, "ABCDEFGH").await.map(drop)
        } else {
            let request = JoinRoomRequest {
                request_id: "j".to_owned(),
                player: Some(member(&guesser)),
                room_code: format!("{guess:06}"),
            };
            soon(harness.rooms.join_room(request)).await.map(drop).map_err(Failure::from)
        };
        let expected = if guess % 2 == 0 { "PARTY_NOT_FOUND" } else { "ROOM_NOT_FOUND" };
        assert_eq!(reason(refused), expected);
    }
    let right = harness.join_party(guesser, &party.invite_code).await.unwrap_err();
    assert_eq!((right.code, &*right.reason), (Code::Exhausted, "TOO_MANY_CODES"));
}

#[tokio::test]
async fn a_player_has_one_party_or_one_ticket_of_its_own() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [leader, friend, other, waiter] = players();
    let party = harness.party(&[leader, friend]).await;
    let second = harness.begin(other).await.unwrap();
    assert_eq!(reason(harness.join_party(friend, &second.invite_code).await), "ALREADY_IN_PARTY");
    let request =
        CreatePartyRequest { request_id: "another".to_owned(), leader: Some(member(&friend)) };
    let refused = Failure::from(soon(harness.parties.create_party(request)).await.unwrap_err());
    assert_eq!(refused.reason, "ALREADY_IN_PARTY");
    for members in [vec![friend], vec![waiter, friend]] {
        let refused = harness.enqueue("four", &members).await.unwrap_err();
        assert_eq!(refused.reason, "ALREADY_IN_PARTY");
        assert_eq!(refused.metadata["player_id"], friend.to_string());
    }
    harness.enqueue("four", &[waiter]).await.unwrap();
    assert_eq!(reason(harness.join_party(waiter, &party.invite_code).await), "ALREADY_QUEUED");
    assert_eq!(reason(harness.begin(waiter).await), "ALREADY_QUEUED");

    let ticket = harness.queue_party(leader, "four").await.unwrap();
    assert_eq!(reason(harness.queue_party(leader, "bots").await), "ALREADY_QUEUED");
    assert_eq!(reason(harness.join_party(other, &party.invite_code).await), "PARTY_QUEUED");
    assert_eq!(harness.place_of(friend).await, (party.party_id, ticket));
}

#[tokio::test]
async fn a_party_stays_together_at_one_table() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    for queue in ["four", "rated"] {
        let [leader, friend, third, one, two, three] = players();
        let party = harness.party(&[leader, friend, third]).await;
        // Two others cannot tear it apart; three would fill a table without it, if they were there.
        let others = harness.enqueue(queue, &[one, two]).await.unwrap();
        let ticket = harness.queue_party_as("r", leader, queue).await.unwrap();
        assert_eq!(harness.queue_party_as("r", leader, queue).await.unwrap(), ticket);
        let mut seen = harness.watch_party(friend).await.unwrap();
        let queued = until(&mut seen, |party| !party.ticket_id.is_empty()).await;
        assert_eq!((&queued.ticket_id, &*queued.queue_id), (&ticket, queue));

        let last = harness.enqueue(queue, &[three]).await.unwrap();
        let table = harness.table_of(&ticket, &[leader, friend, third]).await;
        assert_eq!(harness.seat_of(&last, three).await.0, table);
        // The party goes on, and its members do not enter another queue meanwhile.
        let after = until(&mut seen, |party| party.ticket_id.is_empty()).await;
        assert_eq!(after.party_id, party.party_id);
        assert_eq!(reason(harness.queue_party(leader, queue).await), "ALREADY_SEATED");
        assert_eq!(harness.queue_party_as("r", leader, queue).await.unwrap(), ticket);
        // One of the two was there first, and is still waiting.
        assert_eq!(harness.place_of(one).await.1, others);
        let request = CancelRequest { player_id: one.to_string() };
        soon(harness.queues.cancel(request)).await.unwrap();
    }
}

#[tokio::test]
async fn bots_fill_up_the_table_of_a_party() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [leader, friend] = players();
    harness.party(&[leader, friend]).await;
    let ticket = harness.queue_party(leader, "bots").await.unwrap();
    harness.table_of(&ticket, &[leader, friend]).await;
    let created = harness.tables.state().created.clone();
    assert_eq!(created.len(), 1);
    assert!(created[0].settings.as_ref().unwrap().fill_with_bots);
    assert_eq!(created[0].reservations.len(), 2);
}

#[tokio::test]
async fn a_party_that_is_too_large_for_a_queue_is_refused() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [leader, friend, third] = players();
    harness.party(&[leader, friend, third]).await;
    let refused = harness.queue_party(leader, "duel").await.unwrap_err();
    assert_eq!((refused.code, &*refused.reason), (Code::Precondition, "PARTY_TOO_LARGE"));
    assert_eq!(refused.metadata["largest"], "2");
    assert_eq!(reason(harness.queue_party(leader, "nowhere").await), "QUEUE_NOT_FOUND");
    harness.remove(leader, third).await.unwrap();
    let ticket = harness.queue_party(leader, "duel").await.unwrap();
    harness.table_of(&ticket, &[leader, friend]).await;
}

#[tokio::test]
async fn a_member_who_leaves_or_cancels_withdraws_the_ticket() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [leader, friend, third] = players();
    harness.party(&[leader, friend, third]).await;
    let ticket = harness.queue_party(leader, "four").await.unwrap();
    let request = CancelRequest { player_id: friend.to_string() };
    soon(harness.queues.cancel(request)).await.unwrap();
    let is_cancelled = |end| matches!(end, Update::Closed(it) if it.reason == "cancelled");
    assert!(is_cancelled(harness.end_of(&ticket, leader).await));

    let ticket = harness.queue_party(leader, "four").await.unwrap();
    harness.leave(third).await.unwrap();
    assert!(is_cancelled(harness.end_of(&ticket, friend).await));
    assert_eq!(harness.place_of(third).await, (String::new(), String::new()));

    let ticket = harness.queue_party(leader, "four").await.unwrap();
    harness.remove(leader, friend).await.unwrap();
    assert!(is_cancelled(harness.end_of(&ticket, friend).await));
    harness.enqueue("four", &[friend]).await.unwrap();
    assert!(harness.tables.state().created.is_empty());
}

#[tokio::test]
async fn a_ready_check_asks_every_member_and_leaving_declines_it() {
    let mut harness = Harness::start_with_queues(QUEUES).await;
    let [leader, friend, third] = players();
    let party = harness.party(&[leader, friend]).await;
    let other = harness.enqueue("asks", &[third]).await.unwrap();
    let ticket = harness.queue_party(leader, "asks").await.unwrap();
    for (player, ticket) in [(leader, &ticket), (friend, &ticket), (third, &other)] {
        let mut updates = harness.watch(ticket, player).await.unwrap();
        let asked = loop {
            match soon(updates.message()).await.unwrap().unwrap().update.unwrap() {
                Update::ReadyCheck(check) => break check,
                Update::Waiting(_) => {}
                end => panic!("{end:?}"),
            }
        };
        assert_eq!(asked.players, 3);
    }
    harness.leave(friend).await.unwrap();
    let end = harness.end_of(&ticket, leader).await;
    assert!(matches!(end, Update::Closed(it) if it.reason == "not_ready"));

    harness.join_party(friend, &party.invite_code).await.unwrap();
    let ticket = harness.queue_party(leader, "asks").await.unwrap();
    for player in [leader, friend, third] {
        let request = || AnswerReadyCheckRequest { player_id: player.to_string(), ready: true };
        // The match is found a moment later.
        soon(async {
            while harness.queues.answer_ready_check(request()).await.is_err() {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        })
        .await;
    }
    let table = harness.table_of(&ticket, &[leader, friend]).await;
    assert_eq!(harness.seat_of(&other, third).await.0, table);
}

#[tokio::test]
async fn a_member_who_is_away_for_long_leaves_and_withdraws_the_ticket() {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), QUEUES).unwrap();
    let config = Config {
        matchmaking_queues_file: Some(file.path().to_owned()),
        matchmaking_party_absence_ms: 1_500,
        ..Config::default()
    };
    let mut harness = Harness::start_with(config).await;
    let [leader, friend] = players();
    harness.party(&[leader, friend]).await;
    // The friend is here, and the leader is here and then away.
    let mut seen = harness.watch_party(friend).await.unwrap();
    let leading = harness.watch_party(leader).await.unwrap();
    let ticket = harness.queue_party(leader, "four").await.unwrap();
    until(&mut seen, |party| party.ticket_id == ticket).await;
    drop(leading);
    let party = until(&mut seen, |party| party.members.len() == 1).await;
    assert_eq!(ids(&party), [friend.to_string()], "the friend leads now");
    assert_eq!(party.ticket_id, "");
    let end = harness.end_of(&ticket, friend).await;
    assert!(matches!(end, Update::Closed(it) if it.reason == "cancelled"));
    assert_eq!(harness.place_of(leader).await, (String::new(), String::new()));
}
