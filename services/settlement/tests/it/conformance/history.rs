use std::sync::Arc;
use std::time::Duration;

use parlor_common::{HandId, PlayerId, TableId};
use parlor_settlement::Error;
use parlor_settlement::books::Books;
use parlor_settlement::ledger::{History, Ledger};
use parlor_settlement::money::{Chips, Digest};
use parlor_settlement::page::PageRequest;
use parlor_settlement::wire;

use crate::sandbox::Sandbox;
use crate::scene::{Play, Script, Table};

type Place = Arc<Sandbox>;

fn points(table: TableId, number: u64, players: &[(PlayerId, i64)]) -> Script {
    let play =
        |(player, change): &(PlayerId, i64)| Play { player: *player, hold: None, change: *change };
    Script::new(table, number, players.iter().map(play).collect())
}

pub async fn a_hand_is_kept_whole(books: Books, _: Place) {
    let table = Table::seat(&books, 4, 1_000).await;
    let script = table.script(1, &[300, -100, -100, -110]);
    script.post(&books).await.unwrap();
    let stored = books.hand(script.id, None).await.unwrap();
    assert_eq!(wire::record(stored).unwrap(), script.record());
    let unknown = HandId { table: table.id, number: 2 };
    assert_eq!(books.hand(unknown, None).await, Err(Error::HandNotFound));
}

pub async fn a_points_hand_is_recorded_without_money(books: Books, _: Place) {
    let (a, b) = (PlayerId::random(), PlayerId::random());
    let script = points(TableId::random(), 1, &[(a, -5_000), (b, 5_000)]);
    script.post(&books).await.unwrap();
    assert_eq!(books.balance(a).await.unwrap().wallet, Chips::ZERO);
    assert!(books.hand(script.id, Some(a)).await.is_ok());
    let audit = books.reconcile().await.unwrap();
    assert!(audit.sound() && audit.entries == 0, "{audit:?}");
}

pub async fn a_hand_is_hidden_from_who_was_not_there(books: Books, _: Place) {
    let (a, b) = (PlayerId::random(), PlayerId::random());
    let script = points(TableId::random(), 1, &[(a, 1), (b, -1)]);
    script.post(&books).await.unwrap();
    assert!(books.hand(script.id, Some(b)).await.is_ok());
    let stranger = books.hand(script.id, Some(PlayerId::random())).await;
    assert_eq!(stranger, Err(Error::HandNotFound));
}

pub async fn hands_are_listed_newest_first_in_pages(books: Books, _: Place) {
    let (table, a, b) = (TableId::random(), PlayerId::random(), PlayerId::random());
    for number in 1..=5 {
        let mut script = points(table, number, &[(a, 1), (b, -1)]);
        script.game = if number % 2 == 0 { "blackjack" } else { "mahjong" };
        script.post(&books).await.unwrap();
    }
    points(table, 6, &[(b, 0)]).post(&books).await.unwrap();
    let numbers = async |game: Option<&str>, size: u32| {
        let mut page = PageRequest { size, token: String::new() };
        let mut numbers = Vec::new();
        loop {
            let next = books.hands(a, game, &page).await.unwrap();
            let hands = next.rows.iter().map(|row| wire::summary(row).unwrap());
            numbers.extend(hands.map(|hand| hand.hand_no));
            if next.next.is_empty() {
                return numbers;
            }
            page.token = next.next;
        }
    };
    assert_eq!(numbers(None, 2).await, [5, 4, 3, 2, 1]);
    assert_eq!(numbers(Some("mahjong"), 1).await, [5, 3, 1]);
    assert_eq!(numbers(Some("balatro"), 1).await, [0; 0]);
    let large = PageRequest { size: 101, token: String::new() };
    let refused = books.hands(a, None, &large).await;
    assert_eq!(refused.err(), Some(Error::PageTooLarge { most: 100 }));
    let wrong = books.hands(a, Some("Mah Jong"), &PageRequest::default()).await;
    assert_eq!(wrong.err(), Some(Error::BadGame));
}

pub async fn results_follow_in_the_order_of_commitment_without_gaps(books: Books, place: Place) {
    const HANDS: usize = 300;
    let shutdown = parlor_common::Shutdown::new();
    let others = place.books(&shutdown).await;
    let mut results = books.results(0, None).await.unwrap();
    let follower = tokio::spawn(async move {
        let mut seen = Vec::new();
        while seen.len() < HANDS {
            seen.extend(results.next().await.unwrap().iter().map(|hand| hand.seq));
        }
        seen
    });
    let hands = (0..HANDS).map(|number| {
        let books = if number % 2 == 0 { books.clone() } else { others.clone() };
        async move {
            let script = points(TableId::random(), 1, &[(PlayerId::random(), 0)]);
            script.post(&books).await.unwrap().transaction
        }
    });
    let mut posted = futures_util::future::join_all(hands).await;
    posted.sort_unstable();
    let seen = tokio::time::timeout(Duration::from_secs(20), follower).await.unwrap().unwrap();
    assert_eq!(seen, posted);
    assert_eq!(seen, (1..=HANDS as u64).collect::<Vec<_>>());
    drop(others);
    shutdown.finished(Duration::from_secs(5)).await.unwrap();
}

pub async fn results_of_one_game_leave_the_others_out(books: Books, _: Place) {
    let (table, player) = (TableId::random(), PlayerId::random());
    for number in 1..=4 {
        let mut script = points(table, number, &[(player, 0)]);
        script.game = if number == 3 { "blackjack" } else { "mahjong" };
        script.post(&books).await.unwrap();
    }
    let mut results = books.results(0, Some("blackjack".to_owned())).await.unwrap();
    let hands = results.ready().await.unwrap();
    assert_eq!(hands.iter().map(|hand| hand.seq).collect::<Vec<_>>(), [3]);
    assert_eq!(results.ready().await.unwrap(), []);
    let mut results = books.results(2, None).await.unwrap();
    let hands = results.ready().await.unwrap();
    assert_eq!(hands.iter().map(|hand| hand.seq).collect::<Vec<_>>(), [3, 4]);
}

pub async fn results_wait_for_the_next_hand(books: Books, _: Place) {
    let table = Table::seat(&books, 2, 100).await;
    let mut results = books.results(0, None).await.unwrap();
    let follower = tokio::spawn(async move { results.next().await.unwrap() });
    tokio::task::yield_now().await;
    let posted = table.script(1, &[10, -12]).post(&books).await.unwrap();
    let hands = tokio::time::timeout(Duration::from_secs(10), follower).await.unwrap().unwrap();
    assert_eq!(hands.len(), 1);
    assert_eq!((hands[0].seq, hands[0].commission), (posted.transaction, Chips(2)));
}

pub async fn a_cursor_beyond_the_end_is_refused(books: Books, _: Place) {
    assert_eq!(books.results(1, None).await.err(), Some(Error::BadCursor));
}

pub async fn seeds_are_revealed_when_they_match_and_stay(books: Books, place: Place) {
    let (table, a) = (TableId::random(), PlayerId::random());
    let seed = |number: u8| [number; 32];
    let commitment = |number: u8| {
        let label: &[u8] = b"parlor/commit/v1";
        bytes::Bytes::copy_from_slice(&Digest::of(&[label, &seed(number)].concat()).0)
    };
    let id = |number: u8| HandId { table, number: number.into() };
    for number in 1..=2 {
        let mut script = points(table, number.into(), &[(a, 0)]);
        script.commitment = commitment(number);
        script.post(&books).await.unwrap();
    }
    let shown = async |number: u8| {
        let record = books.hand(id(number), Some(a)).await.unwrap();
        wire::record(record).unwrap().fairness.unwrap().server_seed
    };
    assert!(shown(1).await.is_empty(), "secret");

    let unknown = books.reveal(&[(id(1), seed(1)), (id(3), seed(3))]).await;
    assert_eq!(unknown, Err(Error::HandNotFound));
    let other = books.reveal(&[(id(1), seed(1)), (id(2), seed(1))]).await;
    assert_eq!(other, Err(Error::SeedMismatch(id(2).to_string())));
    assert!(shown(1).await.is_empty(), "all or none");
    for _ in 0..2 {
        books.reveal(&[(id(1), seed(1)), (id(2), seed(2))]).await.unwrap();
        assert_eq!(shown(1).await, seed(1).as_slice());
        assert_eq!(shown(2).await, seed(2).as_slice());
    }
    assert!(books.reconcile().await.unwrap().sound(), "the posted records are as they were");
    let changed = place.execute("UPDATE revealed_seeds SET hand_id = 'x'").await;
    assert!(changed.is_err(), "what was revealed stays");
}
