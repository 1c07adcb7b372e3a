//! Players, tables and hands for the tests.

use std::sync::Arc;

use bytes::Bytes;
use parlor_common::{HandId, HoldId, PlayerId, TableId};
use parlor_proto::settlement::v1 as proto;
use parlor_settlement::Error;
use parlor_settlement::books::Books;
use parlor_settlement::ledger::Ledger;
use parlor_settlement::money::{
    Chips, Deposit, Hand, HandSummary, Hold, PostHand, Receipt, Release, Request, Reverse, Run,
    SeatResult, StackChange, StakeMode, Staked, Submission,
};

pub type Outcome = Result<Receipt, Error>;

/// Seals and submits.
pub async fn submit(books: &Books, key: &str, request: Request) -> Outcome {
    books.submit(Submission::new(key.parse()?, request)?).await
}

pub async fn deposit(books: &Books, key: &str, player: PlayerId, amount: i64) -> Outcome {
    let deposit = Deposit::new(player, Chips(amount), "welcome".parse()?)?;
    submit(books, key, Request::Deposit(deposit)).await
}

pub async fn hold(
    books: &Books,
    key: &str,
    table: TableId,
    player: PlayerId,
    amount: i64,
) -> Result<HoldId, Error> {
    let hold = Hold::new(table, player, Staked::Player, Chips(amount))?;
    submit(books, key, Request::Hold(hold)).await?;
    Ok(HoldId::of(key))
}

pub async fn bot_hold(
    books: &Books,
    key: &str,
    table: TableId,
    player: PlayerId,
    amount: i64,
) -> Result<HoldId, Error> {
    let hold = Hold::new(table, player, Staked::Bot, Chips(amount))?;
    submit(books, key, Request::Hold(hold)).await?;
    Ok(HoldId::of(key))
}

pub async fn release(books: &Books, key: &str, hold: HoldId, amount: i64) -> Outcome {
    submit(books, key, Request::Release(Release::new(hold, Chips(amount))?)).await
}

pub async fn reverse(books: &Books, key: &str, transaction: u64) -> Outcome {
    submit(books, key, Request::Reverse(Reverse::new(transaction, "mistake".parse()?))).await
}

/// One seat of a scripted hand.
#[derive(Clone, Copy)]
pub struct Play {
    pub player: PlayerId,
    pub hold: Option<HoldId>,
    pub change: i64,
}

/// A hand to be posted.
#[derive(Clone)]
pub struct Script {
    pub id: HandId,
    pub game: &'static str,
    pub plays: Vec<Play>,
    pub commission: i64,
    pub run: Option<Run>,
    pub bots: Vec<PlayerId>,
    pub name: &'static str,
    /// Of a hand whose seed is secret when it is posted.
    pub commitment: Bytes,
}

impl Script {
    pub fn new(table: TableId, number: u64, plays: Vec<Play>) -> Self {
        let id = HandId { table, number };
        Self {
            id,
            game: "mahjong",
            plays,
            commission: 0,
            run: None,
            bots: Vec::new(),
            name: "player",
            commitment: Bytes::new(),
        }
    }

    pub fn record(&self) -> proto::HandRecord {
        let seat = |(seat, play): (usize, &Play)| proto::HandSeat {
            seat: u32::try_from(seat).unwrap(),
            player_id: play.player.to_string(),
            name: self.name(seat),
            bot: self.bots.contains(&play.player),
            stack_before: 1_000,
            change: play.change,
        };
        proto::HandRecord {
            hand_id: self.id.to_string(),
            table_id: self.id.table.to_string(),
            hand_no: self.id.number,
            game: self.game.to_owned(),
            rules_version: 1,
            started_ms: 10,
            ended_ms: 20,
            seats: self.plays.iter().enumerate().map(seat).collect(),
            steps: vec![proto::HandStep {
                time_ms: 15,
                seat: Some(0),
                command: Bytes::from_static(b"discard"),
                events: vec![Bytes::from_static(b"discarded")],
                messages: Vec::new(),
            }],
            run: self.run.as_ref().map(|run| proto::RunOutcome {
                won: run.won,
                ante: run.ante,
                round: run.round,
                best_score: run.best_score.clone(),
                daily: run.daily.clone().unwrap_or_default(),
            }),
            fairness: (!self.commitment.is_empty()).then(|| proto::HandFairness {
                commitment: self.commitment.clone(),
                ..proto::HandFairness::default()
            }),
            stake_mode: if self.has_money() { "chips" } else { "points" }.to_owned(),
            ..proto::HandRecord::default()
        }
    }

    fn name(&self, seat: usize) -> String {
        format!("{} {seat}", self.name)
    }

    fn has_money(&self) -> bool {
        self.plays.iter().any(|play| play.hold.is_some())
    }

    pub fn hand(&self) -> Result<Hand, Error> {
        let seat = |(seat, play): (usize, &Play)| SeatResult {
            seat: u32::try_from(seat).unwrap(),
            player: play.player,
            name: self.name(seat),
            bot: self.bots.contains(&play.player),
            stack_before: 1_000,
            change: play.change,
        };
        let summary = HandSummary {
            id: self.id,
            game: self.game.to_owned(),
            ended_ms: 20,
            stakes: if self.has_money() { StakeMode::Chips } else { StakeMode::Points },
            seats: self.plays.iter().enumerate().map(seat).collect(),
            run: self.run.clone(),
        };
        let excerpt = parlor_settlement::wire::encode_summary(&summary);
        Hand::new(summary, excerpt.into(), prost::Message::encode_to_vec(&self.record()).into())
    }

    pub fn changes(&self) -> Vec<StackChange> {
        let change =
            |play: &Play| play.hold.map(|hold| StackChange { hold, amount: Chips(play.change) });
        self.plays.iter().filter_map(change).collect()
    }

    pub async fn post(&self, books: &Books) -> Outcome {
        let hand = Arc::new(self.hand()?);
        let post = PostHand::new(self.changes(), Chips(self.commission), hand)?;
        submit(books, &self.id.to_string(), Request::PostHand(post)).await
    }
}

/// Players with chips in front of them at one table.
pub struct Table {
    pub id: TableId,
    pub players: Vec<PlayerId>,
    pub holds: Vec<HoldId>,
}

impl Table {
    /// Seats `count` new players with `stack` each, all that they have.
    pub async fn seat(books: &Books, count: usize, stack: i64) -> Self {
        let id = TableId::random();
        let (mut players, mut holds) = (Vec::new(), Vec::new());
        for seat in 0..count {
            let player = PlayerId::random();
            deposit(books, &format!("welcome/{player}"), player, stack).await.unwrap();
            let key = format!("hold/{id}/{seat}");
            holds.push(hold(books, &key, id, player, stack).await.unwrap());
            players.push(player);
        }
        Self { id, players, holds }
    }

    pub fn script(&self, number: u64, changes: &[i64]) -> Script {
        let seats = self.players.iter().zip(&self.holds).zip(changes);
        let play = |((player, hold), change): ((&PlayerId, &HoldId), &i64)| Play {
            player: *player,
            hold: Some(*hold),
            change: *change,
        };
        let mut script = Script::new(self.id, number, seats.map(play).collect());
        script.commission = -changes.iter().sum::<i64>();
        script
    }
}
