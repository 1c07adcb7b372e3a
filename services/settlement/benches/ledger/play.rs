//! Tables that play.

use std::time::Duration;

use parlor_common::{HandId, HoldId, PlayerId, TableId};
use parlor_settlement::books::Books;
use parlor_settlement::ledger::Ledger;
use parlor_settlement::money::{
    Chips, Deposit, Hand, HandSummary, Hold, PostHand, Request, SeatResult, StackChange, StakeMode,
    Staked, Submission,
};
use parlor_settlement::wire;
use tokio::time::Instant;

/// Bytes of a hand's record: what a hand of blackjack takes.
pub const RECORD: usize = 4_096;
const STACK: i64 = 1_000_000_000;

/// Whether the house takes commission: then every hand changes the same account.
#[derive(Clone, Copy, Debug)]
pub enum Rake {
    Taken,
    None,
}

/// Four players at a table.
pub struct Table {
    pub id: TableId,
    pub seats: Vec<(PlayerId, HoldId)>,
}

impl Table {
    pub async fn seat(books: &Books) -> Self {
        let id = TableId::random();
        let mut seats = Vec::new();
        for seat in 0..4 {
            let player = PlayerId::random();
            let deposit = Deposit::new(player, Chips(STACK), "bench".parse().unwrap()).unwrap();
            submit(books, &format!("d/{player}"), Request::Deposit(deposit)).await;
            let hold = Hold::new(id, player, Staked::Player, Chips(STACK)).unwrap();
            let key = format!("h/{id}/{seat}");
            submit(books, &key, Request::Hold(hold)).await;
            seats.push((player, HoldId::of(&key)));
        }
        Self { id, seats }
    }

    fn hand(&self, number: u64, rake: Rake) -> Submission {
        let won = 90 + i64::try_from(number % 10).unwrap();
        let commission = match rake {
            Rake::Taken => 3,
            Rake::None => 0,
        };
        let changes = [won * 3 - commission, -won, -won, -won];
        let seats = (0..).zip(&self.seats).zip(changes);
        let seat = |((seat, (player, _)), change): ((u32, &(PlayerId, HoldId)), i64)| SeatResult {
            seat,
            player: *player,
            name: format!("player {seat}"),
            bot: false,
            stack_before: STACK,
            change,
        };
        let summary = HandSummary {
            id: HandId { table: self.id, number },
            game: "mahjong".to_owned(),
            ended_ms: 1,
            stakes: StakeMode::Chips,
            seats: seats.map(seat).collect(),
            run: None,
        };
        let key = summary.id.to_string().parse().unwrap();
        let record: Vec<u8> = self.id.as_bytes().iter().copied().cycle().take(RECORD).collect();
        let excerpt = wire::encode_summary(&summary);
        let hand = Hand::new(summary, excerpt.into(), record.into()).unwrap();
        let moves = self.seats.iter().zip(changes);
        let change = |((_, hold), amount): (&(PlayerId, HoldId), i64)| StackChange {
            hold: *hold,
            amount: Chips(amount),
        };
        let post = PostHand::new(moves.map(change).collect(), Chips(commission), hand.into());
        Submission::new(key, Request::PostHand(post.unwrap())).unwrap()
    }
}

async fn submit(books: &Books, key: &str, request: Request) {
    books.submit(Submission::new(key.parse().unwrap(), request).unwrap()).await.unwrap();
}

/// Hands a second over `span`, each table posting one after the other.
pub async fn rate<F, T>(tables: Vec<Table>, rake: Rake, span: Duration, post: F) -> f64
where
    F: Fn(Submission) -> T + Clone + Send + 'static,
    T: Future<Output = ()> + Send,
{
    let started = Instant::now();
    let playing = tables.into_iter().map(|table| {
        let post = post.clone();
        tokio::spawn(async move {
            let mut hands = 0;
            while started.elapsed() < span {
                hands += 1;
                post(table.hand(hands, rake)).await;
            }
            hands
        })
    });
    let hands = futures_util::future::join_all(playing).await;
    let hands: u64 = hands.into_iter().map(Result::unwrap).sum();
    #[allow(clippy::cast_precision_loss)]
    let hands = hands as f64;
    hands / started.elapsed().as_secs_f64()
}
