use parlor_common::status::Failure;
use parlor_common::{Code, PlayerId};
use parlor_matchmaking::Config;
use parlor_proto::matchmaking::v1::{CreateRoomRequest, CreateRoomResponse, JoinRoomRequest};
use parlor_proto::rules::v1::options::Game;
use parlor_proto::rules::v1::{MahjongOptions, Options};
use parlor_proto::table::v1::table_service_server::TableService;
use parlor_proto::table::v1::{CloseTableRequest, StakeMode, TableSettings};

use crate::fake_tables::Fate;
use crate::harness::{Harness, member, soon};

fn settings() -> TableSettings {
    TableSettings {
        options: Some(Options { game: Some(Game::Mahjong(MahjongOptions::default())) }),
        stake_mode: StakeMode::Points.into(),
        seats: 2,
        bots_allowed: true,
        room_code: "my own".to_owned(),
        ..TableSettings::default()
    }
}

impl Harness {
    async fn create(
        &mut self,
        request: &str,
        host: PlayerId,
        settings: TableSettings,
    ) -> Result<CreateRoomResponse, Failure> {
        let request = CreateRoomRequest {
            request_id: request.to_owned(),
            host: Some(member(&host)),
            settings: Some(settings),
            club_id: String::new(),
        };
        Ok(soon(self.rooms.create_room(request)).await?.into_inner())
    }

    async fn join(&mut self, player: PlayerId, code: &str) -> Result<String, Failure> {
        let request = JoinRoomRequest {
            request_id: "join".to_owned(),
            player: Some(member(&player)),
            room_code: code.to_owned(),
        };
        Ok(soon(self.rooms.join_room(request)).await?.into_inner().table_id)
    }

    async fn close(&self, table: &str) {
        let request = CloseTableRequest { table_id: table.to_owned(), reason: String::new() };
        self.tables.close_table(tonic::Request::new(request)).await.unwrap();
    }
}

fn reason<T: std::fmt::Debug>(answer: Result<T, Failure>) -> String {
    answer.unwrap_err().reason
}

/// Another code than this one.
fn wrong(code: &str) -> String {
    format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000)
}

#[tokio::test]
async fn a_room_is_joined_by_its_code() {
    let mut harness = Harness::start().await;
    let (host, guest) = (PlayerId::random(), PlayerId::random());
    let room = harness.create("r", host, settings()).await.unwrap();
    assert_eq!(room.room_code.len(), 6);
    assert_eq!(harness.join(guest, &room.room_code).await.unwrap(), room.table_id);
    assert_eq!(harness.join(host, &room.room_code).await.unwrap(), room.table_id);
    let created = harness.tables.state().created.clone();
    assert_eq!(created[0].settings.as_ref().unwrap().room_code, room.room_code);
    assert!(created[0].reservations[0].host);
}

#[tokio::test]
async fn a_room_that_is_asked_for_twice_is_the_same() {
    let mut harness = Harness::start().await;
    let host = PlayerId::random();
    let room = harness.create("r", host, settings()).await.unwrap();
    assert_eq!(harness.create("r", host, settings()).await.unwrap(), room);
    let refused = harness.create("s", host, settings()).await.unwrap_err();
    assert_eq!(refused.reason, "ALREADY_SEATED");
    assert_eq!(refused.metadata["table_id"], room.table_id);
}

#[tokio::test]
async fn a_code_ends_with_its_table() {
    let mut harness = Harness::start().await;
    let room = harness.create("r", PlayerId::random(), settings()).await.unwrap();
    harness.close(&room.table_id).await;
    assert_eq!(reason(harness.join(PlayerId::random(), &room.room_code).await), "ROOM_NOT_FOUND");
}

#[tokio::test]
async fn a_code_outlives_a_restart_of_matchmaking() {
    let mut harness = Harness::start().await;
    let room = harness.create("r", PlayerId::random(), settings()).await.unwrap();
    let mut harness = harness.restart().await;
    let joined = harness.join(PlayerId::random(), &room.room_code).await.unwrap();
    assert_eq!(joined, room.table_id);
}

#[tokio::test]
async fn a_full_room_lets_nobody_in_but_those_who_sit_there() {
    let mut harness = Harness::start().await;
    let host = PlayerId::random();
    let alone = TableSettings { seats: 1, ..settings() };
    let room = harness.create("r", host, alone).await.unwrap();
    assert_eq!(reason(harness.join(PlayerId::random(), &room.room_code).await), "ROOM_FULL");
    assert!(harness.join(host, &room.room_code).await.is_ok());
}

#[tokio::test]
async fn whoever_plays_or_waits_elsewhere_must_leave_first() {
    let mut harness = Harness::start().await;
    let (host, waiter, other) = (PlayerId::random(), PlayerId::random(), PlayerId::random());
    let room = harness.create("r", host, settings()).await.unwrap();
    harness.enqueue("mahjong-quick", &[waiter]).await.unwrap();
    assert_eq!(reason(harness.join(waiter, &room.room_code).await), "ALREADY_QUEUED");
    assert_eq!(reason(harness.create("r", waiter, settings()).await), "ALREADY_QUEUED");
    harness.create("r", other, settings()).await.unwrap();
    assert_eq!(reason(harness.join(other, &room.room_code).await), "ALREADY_SEATED");
    harness.tables.state().stand_up(&other.to_string());
    assert!(harness.join(other, &room.room_code).await.is_ok());
}

#[tokio::test]
async fn guessing_codes_is_limited_for_each_player() {
    let config = Config { matchmaking_code_attempts: 3, ..Config::default() };
    let mut harness = Harness::start_with(config).await;
    let room = harness.create("r", PlayerId::random(), settings()).await.unwrap();
    let (guesser, honest) = (PlayerId::random(), PlayerId::random());
    for _ in 0..3 {
        let guessed = harness.join(guesser, &wrong(&room.room_code)).await;
        assert_eq!(reason(guessed), "ROOM_NOT_FOUND");
    }
    // Not even the right code is taken now.
    let refused = harness.join(guesser, &room.room_code).await.unwrap_err();
    assert_eq!((refused.code, refused.reason.as_str()), (Code::Exhausted, "TOO_MANY_CODES"));
    let wait_ms: u64 = refused.metadata["retry_after_ms"].parse().unwrap();
    assert!((1..=60_000).contains(&wait_ms));
    assert!(harness.join(honest, &room.room_code).await.is_ok());
}

#[tokio::test]
async fn what_the_table_service_refuses_passes_through_and_frees_the_request() {
    let mut harness = Harness::start().await;
    let host = PlayerId::random();
    let bad = Failure::new(Code::Invalid, "MAHJONG_BAD_OPTIONS", "no such rule").with("rule", 7);
    harness.tables.state().fates.push_back(Fate::Refused(bad.clone()));
    assert_eq!(harness.create("r", host, settings()).await.unwrap_err(), bad);
    assert!(harness.create("r", host, settings()).await.is_ok());
}

#[tokio::test]
async fn a_room_whose_creation_was_not_answered_is_found() {
    let mut harness = Harness::start().await;
    harness.tables.state().fates.extend([Fate::AnswerLost, Fate::AnswerLost]);
    let room = harness.create("r", PlayerId::random(), settings()).await.unwrap();
    assert_eq!(harness.tables.state().tables.len(), 1);
    assert_eq!(harness.join(PlayerId::random(), &room.room_code).await.unwrap(), room.table_id);
}

#[tokio::test]
async fn bad_rooms_are_refused() {
    let mut harness = Harness::start().await;
    let player = PlayerId::random();
    let nothing = TableSettings::default();
    assert_eq!(reason(harness.create("r", player, nothing).await), "BAD_ROOM_SETTINGS");
    assert_eq!(reason(harness.create("", player, settings()).await), "BAD_REQUEST_ID");
    for code in ["", "12345", "abcdef", "1234567"] {
        assert_eq!(reason(harness.join(player, code).await), "BAD_ROOM_CODE");
    }
    let nobody = CreateRoomRequest {
        request_id: "r".to_owned(),
        settings: Some(settings()),
        ..CreateRoomRequest::default()
    };
    let refused = soon(harness.rooms.create_room(nobody)).await.unwrap_err();
    assert_eq!(Failure::from(refused).reason, "BAD_PLAYER_ID");
    assert!(harness.tables.state().created.is_empty());
}
