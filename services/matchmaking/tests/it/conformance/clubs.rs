use parlor_common::{PlayerId, TableId};
use parlor_matchmaking::club::{Club, ClubId, ClubRoom, InviteCode};
use parlor_matchmaking::store::{ClubSave, StoredClub};
use parlor_matchmaking::ticket::Member;

use super::Bench;

fn club() -> Club {
    let owner = Member::new(PlayerId::random(), "老板").unwrap();
    let id = ClubId::founded_by(owner.player, &"r".parse().unwrap());
    Club::found(id, "雀友会".to_owned(), owner, InviteCode::random().unwrap(), 7)
}

fn owner(club: &Club) -> PlayerId {
    club.members[0].member.player
}

impl Bench {
    async fn founded(&self) -> StoredClub {
        let save = ClubSave::new(None, club(), None);
        assert!(self.store.save_club(&save).await.unwrap());
        save.to
    }

    async fn stored(&self, club: ClubId) -> StoredClub {
        self.store.club(club).await.unwrap().unwrap()
    }

    async fn save(&self, stored: &StoredClub, club: Club) -> bool {
        self.store.save_club(&ClubSave::new(Some(stored), club, None)).await.unwrap()
    }
}

pub async fn a_club_is_found_by_its_members_invite_and_tables(bench: Bench) {
    let stored = bench.founded().await;
    let (id, mut club) = (stored.club.id, stored.club.clone());
    assert_eq!(bench.stored(id).await, stored);
    let invite = club.invite.unwrap();
    assert_eq!(bench.store.club_of_invite(invite).await.unwrap(), Some(id));
    assert_eq!(bench.store.clubs_of(owner(&club)).await.unwrap(), [id]);
    assert!(bench.store.clubs_with_rooms().await.unwrap().is_empty());

    let (guest, table) = (PlayerId::random(), TableId::random());
    club.join(Member::new(guest, "客").unwrap(), 8).unwrap();
    club.renew_invite(owner(&club), InviteCode::random().unwrap()).unwrap();
    club.rooms.push(ClubRoom {
        key: "k".to_owned(),
        code: "012345".parse().unwrap(),
        table: Some(table),
        host: club.members[0].member.clone(),
        game: "mahjong".to_owned(),
        price: 3,
        charged: false,
        created_ms: 9,
        missing_since_ms: None,
    });
    assert!(bench.save(&stored, club.clone()).await);
    let stored = bench.stored(id).await;
    assert_eq!((stored.version, &stored.club), (2, &club));
    assert_eq!(bench.store.clubs_of(guest).await.unwrap(), [id]);
    assert_eq!(bench.store.club_of_invite(invite).await.unwrap(), None);
    assert_eq!(bench.store.club_of_invite(club.invite.unwrap()).await.unwrap(), Some(id));
    assert_eq!(bench.store.club_of_table(table).await.unwrap(), Some(id));
    assert_eq!(bench.store.clubs_with_rooms().await.unwrap(), [id]);

    club.remove(guest, guest).unwrap();
    club.close_room("k");
    assert!(bench.save(&stored, club).await);
    assert!(bench.store.clubs_of(guest).await.unwrap().is_empty());
    assert_eq!(bench.store.club_of_table(table).await.unwrap(), None);
    assert!(bench.store.clubs_with_rooms().await.unwrap().is_empty());
}

pub async fn a_change_of_an_old_version_changes_nothing(bench: Bench) {
    let stored = bench.founded().await;
    let mut first = stored.club.clone();
    first.name = "first".to_owned();
    assert!(bench.save(&stored, first.clone()).await);
    let mut second = stored.club.clone();
    let guest = PlayerId::random();
    second.join(Member::new(guest, "客").unwrap(), 8).unwrap();
    let entry = second.grant("grant/k".to_owned(), 5, String::new(), 9).unwrap();
    let late = ClubSave::new(Some(&stored), second, Some(entry));
    assert!(!bench.store.save_club(&late).await.unwrap());
    assert_eq!(bench.stored(stored.club.id).await.club, first);
    assert!(bench.store.clubs_of(guest).await.unwrap().is_empty());
    assert_eq!(bench.store.card_entry(stored.club.id, "grant/k").await.unwrap(), None);
    // Nor does founding a club that is there.
    assert!(!bench.store.save_club(&ClubSave::new(None, first, None)).await.unwrap());
}

pub async fn a_change_whose_answer_was_lost_is_known_again(bench: Bench) {
    let stored = bench.founded().await;
    let mut club = stored.club.clone();
    let entry = club.grant("grant/k".to_owned(), 5, String::new(), 9).unwrap();
    let save = ClubSave::new(Some(&stored), club.clone(), Some(entry));
    for _ in 0..2 {
        assert!(bench.store.save_club(&save).await.unwrap());
    }
    let now = bench.stored(club.id).await;
    assert_eq!((now.version, now.club.cards), (2, 5));
}

pub async fn an_invite_code_leads_to_one_club(bench: Bench) {
    let first = bench.founded().await;
    let mut second = club();
    second.invite = first.club.invite;
    assert!(!bench.store.save_club(&ClubSave::new(None, second.clone(), None)).await.unwrap());
    assert_eq!(bench.store.club(second.id).await.unwrap(), None);
}

pub async fn the_card_book_is_read_from_the_newest_line(bench: Bench) {
    let mut stored = bench.founded().await;
    let id = stored.club.id;
    for number in 1..=12 {
        let mut club = stored.club.clone();
        let entry = club.grant(format!("grant/{number}"), number, "n".to_owned(), 9).unwrap();
        let save = ClubSave::new(Some(&stored), club, Some(entry));
        assert!(bench.store.save_club(&save).await.unwrap());
        stored = save.to;
    }
    let numbers = async |before, most| -> Vec<u64> {
        let entries = bench.store.card_entries(id, before, most).await.unwrap();
        entries.iter().map(|entry| entry.number).collect()
    };
    assert_eq!(numbers(u64::MAX, 3).await, [12, 11, 10]);
    assert_eq!(numbers(3, 9).await, [2, 1]);
    assert!(numbers(1, 9).await.is_empty());
    let third = bench.store.card_entry(id, "grant/3").await.unwrap().unwrap();
    assert_eq!((third.number, third.cards, third.balance), (3, 3, 6));
    assert_eq!(bench.store.card_entry(id, "grant/13").await.unwrap(), None);
    let nobody = ClubId::founded_by(PlayerId::random(), &"r".parse().unwrap());
    assert!(bench.store.card_entries(nobody, u64::MAX, 9).await.unwrap().is_empty());
}
