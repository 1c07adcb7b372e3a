use std::sync::Arc;
use std::time::Duration;

use parlor_common::{PlayerId, Shutdown, TableId};
use parlor_settlement::Error;
use parlor_settlement::boards::{Rating, Ratings};
use parlor_settlement::books::Books;
use parlor_settlement::ledger::History;
use parlor_settlement::money::Run;

use crate::sandbox::Sandbox;
use crate::scene::{Play, Script};

type Place = Arc<Sandbox>;

/// How long derived tables may take to follow.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(20);

async fn eventually<T>(mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let looking = async {
        loop {
            if let Some(found) = look().await {
                return found;
            }
            tokio::time::sleep(PAUSE).await;
        }
    };
    tokio::time::timeout(PATIENCE, looking).await.unwrap()
}

async fn rating_after(books: &Books, player: PlayerId, hands: u64) -> Rating {
    eventually(async || {
        let rating = books.rating(player, "mahjong").await.unwrap();
        (rating.hands >= hands).then_some(rating)
    })
    .await
}

fn points(number: u64, results: &[(PlayerId, i64)]) -> Script {
    let play =
        |(player, change): &(PlayerId, i64)| Play { player: *player, hold: None, change: *change };
    let table = TableId::from_bytes([1; 16]);
    Script::new(table, number, results.iter().map(play).collect())
}

pub async fn ratings_follow_the_hands(books: Books, _: Place) {
    let players: Vec<_> = (0..4).map(|_| PlayerId::random()).collect();
    assert_eq!(books.rating(players[0], "mahjong").await.unwrap(), Rating::default());
    let mut model = Ratings::default();
    for (number, changes) in [[30, -10, -10, -10], [-6, 6, 0, 0], [-1, -1, 1, 1]].iter().enumerate()
    {
        let results: Vec<_> = players.iter().copied().zip(changes.iter().copied()).collect();
        let script = points(number as u64 + 1, &results);
        script.post(&books).await.unwrap();
        let names: Vec<_> = (0..4).map(|seat| format!("player {seat}")).collect();
        let people = results.iter().zip(&names);
        model.hand("mahjong", people.map(|((player, won), name)| (*player, name.as_str(), *won)));
    }
    for player in &players {
        let rating = rating_after(&books, *player, 3).await;
        let expected = &model.0[&("mahjong".to_owned(), *player)];
        assert_eq!((rating.hands, &rating.name), (expected.hands, &expected.name));
        assert!((rating.mean - expected.mean).abs() < 1e-9);
        assert!((rating.deviation - expected.deviation).abs() < 1e-9);
    }
    let board = books.board("mahjong/rating", 0).await.unwrap();
    let mut best = players.clone();
    let standing = |player: &PlayerId| model.0[&("mahjong".to_owned(), *player)].standing();
    best.sort_by(|a, b| standing(b).total_cmp(&standing(a)));
    let shown: Vec<_> = board.iter().map(|row| row.standing.player).collect();
    assert_eq!(shown, best);
    assert_eq!(board[0].standing.score, format!("{:.2}", standing(&best[0])));
}

pub async fn each_hand_is_rated_once_by_however_many_processes(books: Books, place: Place) {
    const HANDS: u64 = 600;
    let shutdown = Shutdown::new();
    let others = place.books(&shutdown).await;
    let (a, b) = (PlayerId::random(), PlayerId::random());
    let hands = (1..=HANDS).map(|number| {
        let books = if number % 2 == 0 { books.clone() } else { others.clone() };
        async move { points(number, &[(a, 1), (b, -1)]).post(&books).await.unwrap() }
    });
    futures_util::future::join_all(hands).await;
    rating_after(&books, a, HANDS).await;
    // A hand that was counted twice would show after one more.
    points(HANDS + 1, &[(a, 1), (b, -1)]).post(&books).await.unwrap();
    assert_eq!(rating_after(&books, a, HANDS + 1).await.hands, HANDS + 1);
    drop(others);
    shutdown.finished(Duration::from_secs(5)).await.unwrap();
}

pub async fn bots_are_not_rated(books: Books, _: Place) {
    let [a, b, bot] = [(); 3].map(|()| PlayerId::random());
    let mut alone = points(1, &[(a, 5), (bot, -5)]);
    alone.bots.push(bot);
    alone.post(&books).await.unwrap();
    let mut mixed = points(2, &[(a, 1), (b, 1), (bot, -2)]);
    mixed.bots.push(bot);
    mixed.post(&books).await.unwrap();
    assert_eq!(rating_after(&books, a, 1).await.hands, 1, "only the hand with two people");
    assert_eq!(books.rating(bot, "mahjong").await.unwrap().hands, 0);
}

pub async fn a_daily_board_keeps_the_best_score_of_each_player(books: Books, _: Place) {
    let players: Vec<_> = (0..3).map(|_| PlayerId::random()).collect();
    let runs = [(0, "900"), (1, "1.5e12"), (0, "20000"), (2, "20000"), (0, "7"), (1, "what?")];
    for (number, (player, score)) in runs.iter().enumerate() {
        let mut script = points(number as u64 + 1, &[(players[*player], 0)]);
        script.game = "balatro";
        script.run = Some(Run {
            won: false,
            ante: 3,
            round: 8,
            best_score: (*score).to_owned(),
            daily: Some("2026-11-30".to_owned()),
        });
        script.post(&books).await.unwrap();
    }
    let mut ordinary = points(99, &[(players[0], 0)]);
    ordinary.game = "balatro";
    ordinary.run =
        Some(Run { won: true, ante: 8, round: 24, best_score: "999999".to_owned(), daily: None });
    ordinary.post(&books).await.unwrap();
    let board = eventually(async || {
        let board = books.board("balatro/daily/2026-11-30", 10).await.unwrap();
        (board.len() == 3 && board[2].standing.score == "20000").then_some(board)
    })
    .await;
    let shown: Vec<_> = board.iter().map(|row| (row.rank, row.standing.score.as_str())).collect();
    assert_eq!(shown, [(1, "1.5e12"), (2, "20000"), (2, "20000")]);
    assert_eq!(board[0].standing.player, players[1]);
    assert_eq!(books.board("balatro/daily/2026-12-01", 10).await.unwrap(), []);
}

pub async fn a_strange_name_or_day_does_not_stop_the_boards(books: Books, _: Place) {
    let (a, b) = (PlayerId::random(), PlayerId::random());
    for (number, day) in ["\0", "2026-11\0", "2026-11-30"].into_iter().enumerate() {
        let mut script = points(number as u64 + 1, &[(a, 1), (b, -1)]);
        script.name = "nul \0 quote \" 麻将 \u{7f}";
        script.run = Some(Run {
            won: false,
            ante: 1,
            round: 1,
            best_score: "5".to_owned(),
            daily: Some(day.to_owned()),
        });
        script.post(&books).await.unwrap();
    }
    let rating = rating_after(&books, a, 3).await;
    assert_eq!(rating.name, "nul  quote \" 麻将  0");
    let board = books.board("mahjong/daily/2026-11-30", 0).await.unwrap();
    assert_eq!(board.len(), 2);
}

pub async fn boards_have_a_name_and_a_size(books: Books, _: Place) {
    assert_eq!(books.board("mahjong", 10).await, Err(Error::BadBoard));
    let large = books.board("mahjong/rating", 101).await;
    assert_eq!(large, Err(Error::PageTooLarge { most: 100 }));
    assert_eq!(books.rating(PlayerId::random(), "").await, Err(Error::BadGame));
}
