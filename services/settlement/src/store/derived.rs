// Compiled once for each database (see `mod.rs`): ratings and boards.

use std::collections::{BTreeMap, BTreeSet};

use parlor_common::PlayerId;
use parlor_common::clock::is_day;
use parlor_proto::settlement::v1 as proto;
use prost::Message;
use serde_json::{Value, json};
use sqlx::{query, query_as, query_scalar};

use super::shared::{signed, unsigned};
use super::{Backend, Database};
use crate::boards::{Board, Rating, Ratings, Score, Standing};
use crate::store::{StoreError, damaged};

type Handle = <Backend as sqlx::Database>::Connection;
/// Game, player, name, mean, deviation, hands.
type RatingRow = (String, String, String, f64, f64, i64);
/// Game, day and player.
type ScoreKey = (String, String, String);

/// A score of a day's challenge: name, as it is shown, as it is sorted.
struct DailyScore {
    name: String,
    score: String,
    standing: String,
}

pub(super) async fn derive(database: &Database, limit: u32) -> Result<u32, StoreError> {
    let mut transaction = database.side().begin_with(super::WRITE).await?;
    let cursor: i64 = query_scalar(super::LOCK_CURSOR).fetch_one(&mut *transaction).await?;
    let rows: Vec<(i64, Vec<u8>)> =
        query_as("SELECT seq, summary FROM hands WHERE seq > $1 ORDER BY seq LIMIT $2")
            .bind(cursor)
            .bind(i64::from(limit))
            .fetch_all(&mut *transaction)
            .await?;
    let Some((last, _)) = rows.last() else {
        transaction.rollback().await?;
        return Ok(0);
    };
    let last = *last;
    let read = u32::try_from(rows.len()).unwrap_or(limit);
    let hands: Vec<_> = rows.into_iter().filter_map(readable).collect();
    rate(&mut transaction, &hands).await?;
    score(&mut transaction, &hands).await?;
    query("UPDATE projections SET cursor = $1 WHERE name = 'boards'")
        .bind(last)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(read)
}

/// A hand that cannot be read is left out; it must not stop those that follow.
fn readable((seq, summary): (i64, Vec<u8>)) -> Option<proto::HandSummary> {
    let read = proto::HandSummary::decode(summary.as_slice());
    read.inspect_err(|error| tracing::error!(seq, %error, "a stored summary cannot be read")).ok()
}

/// Somebody who took part in a hand: player, name, what was won.
type Person = (PlayerId, String, i64);

/// The people of a hand. Not every database takes every character in a name.
fn people(hand: &proto::HandSummary) -> impl Iterator<Item = Person> {
    let people = hand.seats.iter().filter(|seat| !seat.bot);
    people.filter_map(|seat| {
        let name = seat.name.chars().filter(|character| !character.is_control()).collect();
        Some((seat.player_id.parse().ok()?, name, seat.change))
    })
}

async fn rate(connection: &mut Handle, hands: &[proto::HandSummary]) -> Result<(), StoreError> {
    let wanted: BTreeSet<_> = hands
        .iter()
        .flat_map(|hand| people(hand).map(|(player, ..)| (hand.game.as_str(), player)))
        .collect();
    let wanted = wanted.iter().map(|(game, player)| json!([game, player.to_string()]));
    let rows: Vec<RatingRow> = query_as(super::LOAD_RATINGS)
        .bind(Value::Array(wanted.collect()).to_string())
        .fetch_all(&mut *connection)
        .await?;
    let mut before = BTreeMap::new();
    for (game, player, name, mean, deviation, hands) in rows {
        let player: PlayerId = player.parse().map_err(|_| damaged("a player"))?;
        let rating = Rating { mean, deviation, hands: unsigned(hands)?, name };
        before.insert((game, player), rating);
    }
    let mut ratings = Ratings(before.clone());
    for hand in hands {
        let people: Vec<_> = people(hand).collect();
        let people = people.iter().map(|(player, name, won)| (*player, name.as_str(), *won));
        ratings.hand(&hand.game, people);
    }
    let changed = ratings.0.iter().filter(|(key, rating)| before.get(*key) != Some(rating));
    let rows = changed.map(|((game, player), rating)| {
        json!([
            game,
            player.to_string(),
            rating.name,
            rating.mean,
            rating.deviation,
            signed(rating.hands),
            rating.standing(),
        ])
    });
    save(connection, super::SAVE_RATINGS, rows.collect()).await
}

async fn score(connection: &mut Handle, hands: &[proto::HandSummary]) -> Result<(), StoreError> {
    let mut best: BTreeMap<ScoreKey, DailyScore> = BTreeMap::new();
    for hand in hands {
        let Some(run) = hand.run.as_ref().filter(|run| is_day(&run.daily)) else { continue };
        let Some(Score { standing }) = Score::read(&run.best_score) else {
            tracing::warn!(hand = hand.hand_id, "a run's score cannot be read");
            continue;
        };
        for (player, name, _) in people(hand) {
            let key = (hand.game.clone(), run.daily.clone(), player.to_string());
            let (score, standing) = (run.best_score.clone(), standing.clone());
            let daily = DailyScore { name, score, standing };
            match best.get(&key) {
                Some(other) if other.standing >= daily.standing => {}
                _ => {
                    best.insert(key, daily);
                }
            }
        }
    }
    let rows = best.into_iter().map(|((game, day, player), daily)| {
        json!([game, day, player, daily.name, daily.score, daily.standing])
    });
    save(connection, super::SAVE_SCORES, rows.collect()).await
}

async fn save(
    connection: &mut Handle,
    statement: &'static str,
    rows: Vec<Value>,
) -> Result<(), StoreError> {
    if !rows.is_empty() {
        query(statement).bind(Value::Array(rows).to_string()).execute(connection).await?;
    }
    Ok(())
}

pub(super) async fn rating(
    database: &Database,
    player: PlayerId,
    game: &str,
) -> Result<Option<Rating>, StoreError> {
    let row: Option<(f64, f64, i64, String)> = query_as(
        "SELECT mean, deviation, hands, name FROM ratings WHERE game = $1 AND player_id = $2",
    )
    .bind(game)
    .bind(player.to_string())
    .fetch_optional(&database.readers)
    .await?;
    let rating = |(mean, deviation, hands, name)| {
        Ok(Rating { mean, deviation, hands: unsigned(hands)?, name })
    };
    row.map(rating).transpose()
}

pub(super) async fn board(
    database: &Database,
    board: &Board,
    limit: u32,
) -> Result<Vec<Standing>, StoreError> {
    let rows: Vec<(String, String, String)> = match board {
        Board::Rating { game } => {
            let rows: Vec<(String, String, f64)> = query_as(
                "SELECT player_id, name, standing FROM ratings WHERE game = $1
                 ORDER BY standing DESC, player_id LIMIT $2",
            )
            .bind(game)
            .bind(i64::from(limit))
            .fetch_all(&database.readers)
            .await?;
            rows.into_iter().map(|(id, name, mean)| (id, name, format!("{mean:.2}"))).collect()
        }
        Board::Daily { game, day } => {
            query_as(
                "SELECT player_id, name, score FROM daily_scores WHERE game = $1 AND day = $2
                 ORDER BY standing DESC, player_id LIMIT $3",
            )
            .bind(game)
            .bind(day)
            .bind(i64::from(limit))
            .fetch_all(&database.readers)
            .await?
        }
    };
    let standing = |(player, name, score): (String, String, String)| {
        let player = player.parse().map_err(|_| damaged("a player"))?;
        Ok(Standing { player, name, score })
    };
    rows.into_iter().map(standing).collect()
}
