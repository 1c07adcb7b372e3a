//! A finished hand as the ledger knows it.

use std::collections::BTreeMap;

use bytes::Bytes;
use parlor_common::{HandId, PlayerId};

use crate::Error;
use crate::money::Chips;
use crate::money::canonical::Digest;
use crate::money::request::is_name;

/// The most seats of a hand.
pub const SEATS: usize = 64;
/// The longest name of a game, in bytes.
pub const GAME_LENGTH: usize = 32;
/// The longest name of a player, in bytes.
pub const NAME_LENGTH: usize = 128;
/// The largest record, in bytes: some hundred times a long hand.
pub const RECORD_LENGTH: usize = 2 * 1024 * 1024;
/// The longest decimal score: more digits than an IEEE 754 double can need.
pub const SCORE_LENGTH: usize = 400;
/// The longest name of a daily challenge, in bytes.
pub const DAILY_LENGTH: usize = 40;

/// How money is counted at a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StakeMode {
    /// Table stakes from the players' wallets.
    Chips,
    /// A score sheet; no money moves.
    Points,
}

impl StakeMode {
    /// Its name in records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Chips => "chips",
            Self::Points => "points",
        }
    }

    /// The mode with this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Chips, Self::Points].into_iter().find(|mode| mode.name() == name)
    }
}

/// One seat of a finished hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatResult {
    /// The seat.
    pub seat: u32,
    /// Who sat there.
    pub player: PlayerId,
    /// What others saw as the name.
    pub name: String,
    /// A bot.
    pub bot: bool,
    /// Minor units or points before the hand.
    pub stack_before: i64,
    /// Minor units or points gained, negative when lost.
    pub change: i64,
}

/// Where a roguelike's run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The last blind was beaten.
    pub won: bool,
    /// The ante that was reached.
    pub ante: u32,
    /// The round that was reached.
    pub round: u32,
    /// The daily challenge; none for an ordinary run. A day, `YYYY-MM-DD`, has a leaderboard.
    pub daily: Option<String>,
    /// The best single score, decimal.
    pub best_score: String,
}

/// What lists and streams show of a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HandSummary {
    /// The hand.
    pub id: HandId,
    /// The game's stable name.
    pub game: String,
    /// Milliseconds since the Unix epoch.
    pub ended_ms: i64,
    /// How money was counted.
    pub stakes: StakeMode,
    /// Who took part, by seat.
    pub seats: Vec<SeatResult>,
    /// Where the run ended, in the roguelike.
    pub run: Option<Run>,
}

/// A finished hand: its summary and its complete record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hand {
    pub(crate) summary: HandSummary,
    /// The summary, serialized.
    pub(crate) excerpt: Bytes,
    pub(crate) record: Bytes,
    pub(crate) digest: Digest,
}

impl Hand {
    /// A hand with its summary and its complete record, both also serialized: the rules of money
    /// do not know the form in which others read them.
    ///
    /// # Errors
    ///
    /// [`Error::BadGame`], and [`Error::BadRecord`] for what is absent or too large.
    pub fn new(summary: HandSummary, excerpt: Bytes, record: Bytes) -> Result<Self, Error> {
        if !is_name(&summary.game, GAME_LENGTH) {
            return Err(Error::BadGame);
        }
        let refuse = |why| Err(Error::BadRecord(why));
        if record.len() > RECORD_LENGTH || excerpt.len() > RECORD_LENGTH {
            return refuse("is too large");
        }
        if summary.seats.is_empty() || summary.seats.len() > SEATS {
            return refuse("has no seats, or too many");
        }
        if i64::try_from(summary.id.number).is_err() || summary.id.number == 0 {
            return refuse("has a hand number out of range");
        }
        for (index, seat) in summary.seats.iter().enumerate() {
            if seat.name.len() > NAME_LENGTH {
                return refuse("has a name that is too long");
            }
            let same =
                |earlier: &SeatResult| earlier.seat == seat.seat || earlier.player == seat.player;
            if summary.seats.iter().take(index).any(same) {
                return refuse("has a seat or a player twice");
            }
        }
        if let Some(run) = &summary.run {
            check_run(run)?;
        }
        let digest = Digest::of(&record);
        Ok(Self { summary, excerpt, record, digest })
    }

    /// What lists show of it.
    #[must_use]
    pub const fn summary(&self) -> &HandSummary {
        &self.summary
    }

    /// The summary, serialized.
    #[must_use]
    pub const fn excerpt(&self) -> &Bytes {
        &self.excerpt
    }

    /// The complete record, serialized.
    #[must_use]
    pub const fn record(&self) -> &Bytes {
        &self.record
    }

    /// The digest of the record.
    #[must_use]
    pub const fn digest(&self) -> Digest {
        self.digest
    }

    /// Whether the record gives every player the change that `changes` has.
    pub(crate) fn agrees_with(&self, mut changes: BTreeMap<PlayerId, Chips>) -> bool {
        let same = |seat: &SeatResult| {
            changes.remove(&seat.player).unwrap_or_default() == Chips(seat.change)
        };
        // A stack that stays as it is may be named for a seat that was not dealt in.
        self.summary.seats.iter().all(same) && changes.values().all(|change| change.0 == 0)
    }
}

/// A run that no board can show is no reason to hold money up: only its size is checked here.
fn check_run(run: &Run) -> Result<(), Error> {
    let daily_length = run.daily.as_ref().map_or(0, String::len);
    if run.best_score.len() > SCORE_LENGTH || daily_length > DAILY_LENGTH {
        return Err(Error::BadRecord("has a score or a day that is too long"));
    }
    Ok(())
}
