//! Ratings and leaderboards: derived from the hands of the journal, off the way of the money.
//!
//! One task per process reads new hands and notes how far it has read in the same database
//! transaction as what follows from them. So each hand counts exactly once, whichever process reads
//! it, and everything here could be thrown away and derived again.

mod deriver;
mod rating;
mod score;

use std::str::FromStr;

use parlor_common::PlayerId;
use parlor_common::clock::is_day;

use crate::Error;
use crate::money::{GAME_LENGTH, is_name};

pub(crate) use deriver::derive_until_the_end;
pub use rating::{Rating, Ratings};
pub use score::Score;

/// The most and the usual number of rows of a board.
const ROWS: (u32, u32) = (100, 20);

/// Which board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Board {
    /// Players of a game by rating: `<game>/rating`.
    Rating {
        /// The game.
        game: String,
    },
    /// The best scores of a day's challenge: `<game>/daily/YYYY-MM-DD`.
    Daily {
        /// The game.
        game: String,
        /// The day.
        day: String,
    },
}

impl FromStr for Board {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let (game, rest) = text.split_once('/').ok_or(Error::BadBoard)?;
        if !is_name(game, GAME_LENGTH) {
            return Err(Error::BadBoard);
        }
        let game = game.to_owned();
        match rest.split_once('/') {
            None if rest == "rating" => Ok(Self::Rating { game }),
            Some(("daily", day)) if is_day(day) => Ok(Self::Daily { game, day: day.to_owned() }),
            _ => Err(Error::BadBoard),
        }
    }
}

/// How many rows to show.
pub(crate) const fn rows(limit: u32) -> Result<u32, Error> {
    let (most, usual) = ROWS;
    match limit {
        0 => Ok(usual),
        limit if limit > most => Err(Error::PageTooLarge { most }),
        limit => Ok(limit),
    }
}

/// One row of a board, without its rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Who.
    pub player: PlayerId,
    /// The name at the last hand.
    pub name: String,
    /// Decimal.
    pub score: String,
}

/// One row of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardRow {
    /// 1 is best; equal scores share a rank, and the next one is as if they had not.
    pub rank: u32,
    /// Who, with which score.
    pub standing: Standing,
}

/// Gives ranks to rows that are ordered from the best on.
pub(crate) fn ranked(standings: Vec<Standing>) -> Vec<BoardRow> {
    let mut rows: Vec<BoardRow> = Vec::with_capacity(standings.len());
    for (place, standing) in (1..).zip(standings) {
        let rank = match rows.last() {
            Some(last) if last.standing.score == standing.score => last.rank,
            _ => place,
        };
        rows.push(BoardRow { rank, standing });
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_a_game_and_what_is_ranked() {
        let rating = Board::Rating { game: "mahjong".to_owned() };
        assert_eq!("mahjong/rating".parse(), Ok(rating));
        let daily = Board::Daily { game: "balatro".to_owned(), day: "2026-11-30".to_owned() };
        assert_eq!("balatro/daily/2026-11-30".parse(), Ok(daily));
        for wrong in [
            "",
            "mahjong",
            "mahjong/",
            "/rating",
            "Mahjong/rating",
            "mahjong/rating/",
            "x/daily",
            "x/daily/today",
            "x/daily/2026-11-3",
            "x/daily/2026-11-300",
            "x/daily/2026/11/30",
        ] {
            assert_eq!(wrong.parse::<Board>(), Err(Error::BadBoard), "{wrong}");
        }
    }

    #[test]
    fn equal_scores_share_a_rank() {
        let standing = |score: &str| Standing {
            player: PlayerId::from_bytes([7; 16]),
            name: String::new(),
            score: score.to_owned(),
        };
        let rows = ranked(["9", "7", "7", "5"].map(standing).to_vec());
        assert_eq!(rows.iter().map(|row| row.rank).collect::<Vec<_>>(), [1, 2, 2, 4]);
    }
}
