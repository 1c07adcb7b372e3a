//! Clubs through their gRPC service: members, roles, rooms, cards.

use parlor_common::{Failure, PlayerId};
use parlor_matchmaking::Config;
use parlor_proto::matchmaking::v1::club_change::Change;
use parlor_proto::matchmaking::v1::join_club_request::By;
use parlor_proto::matchmaking::v1::{
    CardEntry, ChangeClubRequest, Club, ClubChange, ClubRole, CreateClubRequest, CreateRoomRequest,
    CreateRoomResponse, GetClubRequest, GrantCardsRequest, JoinClubRequest, JoinRoomRequest,
    ListCardEntriesRequest, ListClubsRequest, RenewInvite, SetClubRole,
};
use parlor_proto::rules::v1::options::Game;
use parlor_proto::rules::v1::{MahjongOptions, Options};
use parlor_proto::table::v1::{Phase, StakeMode, TableSettings};

use crate::harness::{Harness, member, soon};

/// As nanoserver has them.
const PRICES: &str = "4=2,8=3,16=4";

fn config() -> Config {
    Config {
        matchmaking_card_prices: PRICES.parse().unwrap(),
        matchmaking_club_rooms_interval_ms: 20,
        ..Config::default()
    }
}

fn mahjong(rounds: u32) -> TableSettings {
    let options = MahjongOptions { rounds: Some(rounds), ..MahjongOptions::default() };
    TableSettings {
        options: Some(Options { game: Some(Game::Mahjong(options)) }),
        stake_mode: StakeMode::Points.into(),
        ..TableSettings::default()
    }
}

fn reason<T: std::fmt::Debug>(answer: Result<T, Failure>) -> String {
    answer.unwrap_err().reason
}

fn role_of(club: &Club, player: PlayerId) -> ClubRole {
    club.members.iter().find(|it| it.player_id == player.to_string()).unwrap().role()
}

impl Harness {
    async fn found(&mut self, owner: PlayerId) -> Club {
        let (request_id, name) = ("found".to_owned(), "雀友会".to_owned());
        let request = CreateClubRequest { request_id, owner: Some(member(&owner)), name };
        soon(self.clubs.create_club(request)).await.unwrap().into_inner().club.unwrap()
    }

    async fn club(&mut self, player: PlayerId, club_id: &str) -> Result<Club, Failure> {
        let (player_id, club_id) = (player.to_string(), club_id.to_owned());
        let request = GetClubRequest { player_id, club_id };
        Ok(soon(self.clubs.get_club(request)).await?.into_inner().club.unwrap())
    }

    async fn enter(&mut self, player: PlayerId, by: By) -> Result<Option<Club>, Failure> {
        let request = JoinClubRequest { player: Some(member(&player)), by: Some(by) };
        Ok(soon(self.clubs.join_club(request)).await?.into_inner().club)
    }

    async fn change(
        &mut self,
        actor: PlayerId,
        club_id: &str,
        change: Change,
    ) -> Result<Option<Club>, Failure> {
        let request = ChangeClubRequest {
            player_id: actor.to_string(),
            club_id: club_id.to_owned(),
            change: Some(ClubChange { change: Some(change) }),
        };
        Ok(soon(self.clubs.change_club(request)).await?.into_inner().club)
    }

    async fn grant(&mut self, club_id: &str, key: &str, cards: i64) -> Result<i64, Failure> {
        let request = GrantCardsRequest {
            idempotency_key: key.to_owned(),
            club_id: club_id.to_owned(),
            cards,
            note: "bought".to_owned(),
        };
        Ok(soon(self.clubs.grant_cards(request)).await?.into_inner().balance)
    }

    async fn entries(&mut self, player: PlayerId, club: &str) -> Result<Vec<CardEntry>, Failure> {
        let (player_id, club_id) = (player.to_string(), club.to_owned());
        let request = ListCardEntriesRequest { player_id, club_id, before: 0 };
        Ok(soon(self.clubs.list_card_entries(request)).await?.into_inner().entries)
    }

    async fn open(
        &mut self,
        request: &str,
        host: PlayerId,
        club_id: &str,
        settings: TableSettings,
    ) -> Result<CreateRoomResponse, Failure> {
        let request = CreateRoomRequest {
            request_id: request.to_owned(),
            host: Some(member(&host)),
            settings: Some(settings),
            club_id: club_id.to_owned(),
        };
        Ok(soon(self.rooms.create_room(request)).await?.into_inner())
    }

    async fn enter_room(&mut self, player: PlayerId, room_code: &str) -> Result<String, Failure> {
        let request = JoinRoomRequest {
            request_id: "j".to_owned(),
            player: Some(member(&player)),
            room_code: room_code.to_owned(),
        };
        Ok(soon(self.rooms.join_room(request)).await?.into_inner().table_id)
    }

    /// Looks at the club until it is as wanted.
    async fn until(&mut self, player: PlayerId, id: &str, wanted: impl Fn(&Club) -> bool) -> Club {
        soon(async {
            loop {
                let club = self.club(player, id).await.unwrap();
                if wanted(&club) {
                    return club;
                }
                tokio::task::yield_now().await;
            }
        })
        .await
    }
}

#[tokio::test]
async fn a_club_is_founded_once_for_one_request() {
    let mut harness = Harness::start().await;
    let owner = PlayerId::random();
    let club = harness.found(owner).await;
    assert_eq!((club.own_role(), club.invite_code.len(), club.cards), (ClubRole::Owner, 8, 0));
    assert!(club.prices.is_empty(), "rooms cost nothing unless it is configured");
    assert_eq!(harness.found(owner).await, club);
    let request = ListClubsRequest { player_id: owner.to_string() };
    let listed = soon(harness.clubs.list_clubs(request)).await.unwrap().into_inner().clubs;
    assert_eq!(listed.len(), 1);
    assert_eq!((listed[0].club_id.as_str(), listed[0].members), (club.club_id.as_str(), 1));
    assert_eq!(reason(harness.club(PlayerId::random(), &club.club_id).await), "CLUB_NOT_FOUND");
}

#[tokio::test]
async fn players_come_in_by_invitation_or_by_asking() {
    let mut harness = Harness::start().await;
    let [owner, invited, asking, turned_away] = std::array::from_fn(|_| PlayerId::random());
    let club = harness.found(owner).await;
    let id = club.club_id.as_str();
    let invite = By::InviteCode(club.invite_code.to_lowercase());
    for _ in 0..2 {
        let joined = harness.enter(invited, invite.clone()).await.unwrap().unwrap();
        assert_eq!((joined.own_role(), joined.members.len()), (ClubRole::Member, 2));
        assert!(joined.invite_code.is_empty() && joined.join_requests.is_empty());
    }
    for player in [asking, turned_away, asking] {
        assert_eq!(harness.enter(player, By::ClubId(id.to_owned())).await.unwrap(), None);
    }
    assert_eq!(harness.club(owner, id).await.unwrap().join_requests.len(), 2);
    let admit = |player: PlayerId| Change::AdmitPlayerId(player.to_string());
    assert_eq!(reason(harness.change(invited, id, admit(asking)).await), "CLUB_ROLE_TOO_LOW");
    assert_eq!(reason(harness.change(asking, id, admit(asking)).await), "CLUB_NOT_FOUND");
    harness.change(owner, id, admit(asking)).await.unwrap();
    let refuse = Change::RefusePlayerId(turned_away.to_string());
    harness.change(owner, id, refuse.clone()).await.unwrap();
    assert_eq!(reason(harness.change(owner, id, refuse).await), "JOIN_REQUEST_NOT_FOUND");
    let club = harness.club(asking, id).await.unwrap();
    assert_eq!(club.members.len(), 3);

    // A code that was renewed is void.
    harness.change(owner, id, Change::RenewInvite(RenewInvite {})).await.unwrap();
    assert_eq!(reason(harness.enter(turned_away, invite).await), "CLUB_NOT_FOUND");
}

#[tokio::test]
async fn roles_say_who_may_remove_whom() {
    let mut harness = Harness::start().await;
    let [owner, manager, one, two] = std::array::from_fn(|_| PlayerId::random());
    let club = harness.found(owner).await;
    let id = club.club_id.as_str();
    for player in [manager, one, two] {
        harness.enter(player, By::InviteCode(club.invite_code.clone())).await.unwrap();
    }
    let set = |player: PlayerId, role: ClubRole| {
        Change::SetRole(SetClubRole { player_id: player.to_string(), role: role.into() })
    };
    let remove = |player: PlayerId| Change::RemovePlayerId(player.to_string());
    harness.change(owner, id, set(manager, ClubRole::Manager)).await.unwrap();
    for (actor, change, refusal) in [
        (one, remove(two), "CLUB_ROLE_TOO_LOW"),
        (one, Change::Rename("x".to_owned()), "CLUB_ROLE_TOO_LOW"),
        (one, Change::RenewInvite(RenewInvite {}), "CLUB_ROLE_TOO_LOW"),
        (manager, remove(owner), "CLUB_ROLE_TOO_LOW"),
        (manager, set(one, ClubRole::Manager), "CLUB_ROLE_TOO_LOW"),
        (owner, remove(PlayerId::random()), "MEMBER_NOT_FOUND"),
        (owner, set(PlayerId::random(), ClubRole::Manager), "MEMBER_NOT_FOUND"),
        (owner, remove(owner), "OWNER_MUST_STAY"),
        (owner, set(owner, ClubRole::Member), "OWNER_MUST_STAY"),
        (owner, set(one, ClubRole::Unspecified), "BAD_CLUB_CHANGE"),
        (owner, Change::Rename(String::new()), "BAD_CLUB_NAME"),
        (owner, remove(owner), "OWNER_MUST_STAY"),
    ] {
        assert_eq!(reason(harness.change(actor, id, change).await), refusal);
    }
    harness.change(manager, id, remove(one)).await.unwrap();
    assert_eq!(harness.change(two, id, remove(two)).await.unwrap(), None);
    let club = harness.change(owner, id, set(manager, ClubRole::Owner)).await.unwrap().unwrap();
    assert_eq!(role_of(&club, manager), ClubRole::Owner);
    assert_eq!(role_of(&club, owner), ClubRole::Manager);
    // The last one to leave takes the club along.
    harness.change(owner, id, remove(owner)).await.unwrap();
    assert_eq!(harness.change(manager, id, remove(manager)).await.unwrap(), None);
    assert_eq!(reason(harness.club(manager, id).await), "CLUB_NOT_FOUND");
    assert_eq!(reason(harness.enter(one, By::ClubId(id.to_owned())).await), "CLUB_NOT_FOUND");
}

#[tokio::test]
async fn a_grant_is_made_once_for_its_key() {
    let mut harness = Harness::start().await;
    let (owner, guest) = (PlayerId::random(), PlayerId::random());
    let club = harness.found(owner).await;
    let id = club.club_id.as_str();
    harness.enter(guest, By::InviteCode(club.invite_code.clone())).await.unwrap();
    for _ in 0..2 {
        assert_eq!(harness.grant(id, "a", 10).await.unwrap(), 10);
    }
    assert_eq!(reason(harness.grant(id, "a", 11).await), "CARD_KEY_REUSED");
    assert_eq!(harness.grant(id, "b", -4).await.unwrap(), 6);
    assert_eq!(reason(harness.grant(id, "c", -7).await), "NOT_ENOUGH_CARDS");
    assert_eq!(reason(harness.grant(id, "c", 0).await), "BAD_CARDS");
    assert_eq!(reason(harness.grant(id, "c", i64::MIN).await), "BAD_CARDS");
    let entries = harness.entries(owner, id).await.unwrap();
    let lines: Vec<(u64, i64, i64)> =
        entries.iter().map(|line| (line.number, line.cards, line.balance)).collect();
    assert_eq!(lines, [(2, -4, 6), (1, 10, 10)]);
    assert_eq!(reason(harness.entries(guest, id).await), "CLUB_ROLE_TOO_LOW");
}

#[tokio::test]
async fn a_room_costs_cards_when_its_first_hand_begins() {
    let mut harness = Harness::start_with(config()).await;
    let [owner, guest, stranger] = std::array::from_fn(|_| PlayerId::random());
    let club = harness.found(owner).await;
    let id = club.club_id.as_str();
    harness.enter(guest, By::InviteCode(club.invite_code.clone())).await.unwrap();
    assert_eq!(reason(harness.open("r", guest, id, mahjong(8)).await), "NOT_ENOUGH_CARDS");
    assert!(harness.tables.state().created.is_empty());
    harness.grant(id, "a", 5).await.unwrap();
    assert_eq!(reason(harness.open("r", stranger, id, mahjong(8)).await), "CLUB_NOT_FOUND");

    let room = harness.open("r", guest, id, mahjong(8)).await.unwrap();
    assert_eq!(harness.open("r", guest, id, mahjong(8)).await.unwrap(), room);
    let now = harness.club(owner, id).await.unwrap();
    assert_eq!((now.cards, now.cards_held, now.rooms.len()), (2, 3, 1));
    assert_eq!((now.rooms[0].price, now.rooms[0].charged), (3, false));
    assert_eq!(now.rooms[0].table_id, room.table_id);
    // No rematch for the same cards.
    let asked = harness.tables.state().created[0].settings.clone().unwrap();
    assert_eq!(asked.hands_limit, 8);
    assert_eq!(reason(harness.enter_room(stranger, &room.room_code).await), "NOT_A_MEMBER");
    assert_eq!(harness.enter_room(owner, &room.room_code).await.unwrap(), room.table_id);
    assert_eq!(reason(harness.open("s", owner, id, mahjong(8)).await), "NOT_ENOUGH_CARDS");

    harness.tables.state().tables.get_mut(&room.table_id.parse().unwrap()).unwrap().hand_no = 1;
    let now = harness.until(owner, id, |club| club.cards_held == 0).await;
    assert_eq!((now.cards, now.rooms[0].charged), (2, true));
    let entries = harness.entries(owner, id).await.unwrap();
    assert_eq!((entries[0].cards, entries[0].balance), (-3, 2));
    assert_eq!((entries.len(), entries[0].table_id.as_str()), (2, room.table_id.as_str()));
    assert_eq!(
        (entries[0].host.clone(), entries[0].game.as_str()),
        (Some(member(&guest)), "mahjong")
    );
    assert_eq!((entries[1].host.clone(), entries[1].game.as_str()), (None, ""));
    let other = harness.open("s", owner, id, mahjong(4)).await.unwrap();
    assert_ne!(other.table_id, room.table_id);
}

#[tokio::test]
async fn what_the_table_service_refuses_costs_nothing() {
    let mut harness = Harness::start_with(config()).await;
    let owner = PlayerId::random();
    let club = harness.found(owner).await;
    let id = club.club_id.as_str();
    harness.grant(id, "a", 3).await.unwrap();
    let full = Failure::new(parlor_common::Code::Exhausted, "TOO_MANY_TABLES", "full");
    harness.tables.state().fates.push_back(crate::fake_tables::Fate::Refused(full));
    assert_eq!(reason(harness.open("r", owner, id, mahjong(8)).await), "TOO_MANY_TABLES");
    let now = harness.club(owner, id).await.unwrap();
    assert_eq!((now.cards, now.cards_held, now.rooms.len()), (3, 0, 0));
    assert!(harness.open("r", owner, id, mahjong(8)).await.is_ok());
}

#[tokio::test]
async fn clubs_and_cards_outlive_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = Some(folder.path().join("clubs.redb"));
    let config = Config { matchmaking_clubs_file: path, ..config() };
    let mut harness = Harness::start_with(config.clone()).await;
    let owner = PlayerId::random();
    let club = harness.found(owner).await;
    let id = club.club_id.as_str();
    harness.grant(id, "a", 5).await.unwrap();
    let room = harness.open("r", owner, id, mahjong(4)).await.unwrap();
    let before = harness.until(owner, id, |club| club.cards_held == 2).await;

    let mut harness = harness.restart_with(config).await;
    assert_eq!(harness.club(owner, id).await.unwrap(), before);
    assert_eq!(harness.grant(id, "a", 5).await.unwrap(), 5);
    let table = room.table_id.parse().unwrap();
    {
        let mut state = harness.tables.state();
        let view = state.tables.get_mut(&table).unwrap();
        (view.hand_no, view.phase) = (1, Phase::InHand.into());
    }
    let now = harness.until(owner, id, |club| club.cards_held == 0).await;
    assert_eq!((now.cards, now.rooms[0].charged), (3, true));
}

#[tokio::test]
async fn bad_input_about_clubs_is_refused() {
    let mut harness = Harness::start().await;
    let player = PlayerId::random();
    assert_eq!(reason(harness.club(player, "it").await), "BAD_CLUB_ID");
    let unknown = PlayerId::random().to_string();
    assert_eq!(reason(harness.club(player, &unknown).await), "CLUB_NOT_FOUND");
    let short = By::InviteCode("ABC".to_owned());
    assert_eq!(reason(harness.enter(player, short).await), "BAD_INVITE_CODE");
    assert_eq!(reason(harness.open("r", player, "it", mahjong(8)).await), "BAD_CLUB_ID");
    assert_eq!(reason(harness.grant(&unknown, "a", 1).await), "CLUB_NOT_FOUND");
    assert_eq!(reason(harness.grant(&unknown, "", 1).await), "BAD_REQUEST_ID");
}

#[tokio::test]
async fn guessing_invite_codes_is_limited_like_guessing_room_codes() {
    let config = Config { matchmaking_code_attempts: 3, ..Config::default() };
    let mut harness = Harness::start_with(config).await;
    let club = harness.found(PlayerId::random()).await;
    let guesser = PlayerId::random();
    for _ in 0..2 {
        let wrong = harness.enter(guesser, By::InviteCode("ABCDEFGH".to_owned())).await;
        assert_eq!(reason(wrong), "CLUB_NOT_FOUND");
    }
    assert_eq!(reason(harness.enter_room(guesser, "000000").await), "ROOM_NOT_FOUND");
    let right = harness.enter(guesser, By::InviteCode(club.invite_code)).await;
    assert_eq!(reason(right), "TOO_MANY_CODES");
}
