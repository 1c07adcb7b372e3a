//! Between the protobuf messages and the domain's types.

use bytes::Bytes;
use parlor_common::{Failure, HandId, PlayerId, TableId};
use parlor_proto::settlement::v1 as proto;
use prost::Message;

use crate::Error;
use crate::boards::{BoardRow, Rating};
use crate::money::{
    Chips, Deposit, Digest, Hand, HandSummary, Hold, PostHand, Reason, Release, Request, Reverse,
    Run, SeatResult, StackChange, StakeMode, Staked, Submission,
};
use crate::store::{Audit, OpenHold, Seed, StatementLine, StoredSummary};

/// The most seeds that are revealed at once.
const SEEDS: usize = 256;

/// A request with its key.
type Sealed = Result<Submission, Failure>;

/// A deposit or a withdrawal.
///
/// # Errors
///
/// When a field is malformed.
pub fn deposit(message: &proto::DepositRequest) -> Sealed {
    let player = message.player_id.parse()?;
    let reason = message.reason.parse::<Reason>()?;
    let deposit = Deposit::new(player, Chips(message.amount), reason)?;
    seal(&message.idempotency_key, Request::Deposit(deposit))
}

/// A hold.
///
/// # Errors
///
/// When a field is malformed.
pub fn hold(message: &proto::HoldRequest) -> Sealed {
    let table = message.table_id.parse()?;
    let player = message.player_id.parse()?;
    let staked = if message.bot { Staked::Bot } else { Staked::Player };
    let hold = Hold::new(table, player, staked, Chips(message.amount))?;
    seal(&message.idempotency_key, Request::Hold(hold))
}

/// A hand's posting.
///
/// # Errors
///
/// When a field is malformed, or the record and the posting are not of one hand.
pub fn post_hand(message: proto::PostHandRequest) -> Sealed {
    let proto::PostHandRequest { idempotency_key, table_id, changes, commission, record } = message;
    let table: TableId = table_id.parse()?;
    let record = record.ok_or(Error::BadRecord("is absent"))?;
    let hand = hand(&record)?;
    if hand.summary().id.table != table {
        return Err(Error::BadRecord("is of another table than the posting").into());
    }
    let change = |change: proto::StackChange| {
        Ok(StackChange { hold: change.hold_id.parse()?, amount: Chips(change.amount) })
    };
    let changes = changes.into_iter().map(change).collect::<Result<Vec<_>, Failure>>()?;
    let post = PostHand::new(changes, Chips(commission), hand.into())?;
    seal(&idempotency_key, Request::PostHand(post))
}

/// A release.
///
/// # Errors
///
/// When a field is malformed.
pub fn release(message: &proto::ReleaseRequest) -> Sealed {
    let release = Release::new(message.hold_id.parse()?, Chips(message.amount))?;
    seal(&message.idempotency_key, Request::Release(release))
}

/// A reversal.
///
/// # Errors
///
/// When a field is malformed.
pub fn reverse(message: &proto::ReverseRequest) -> Sealed {
    let transaction = message.transaction_id.parse().map_err(|_| Error::BadTransactionId)?;
    let reverse = Reverse::new(transaction, message.reason.parse()?);
    seal(&message.idempotency_key, Request::Reverse(reverse))
}

fn seal(key: &str, request: Request) -> Sealed {
    Ok(Submission::new(key.parse()?, request)?)
}

/// The hand of a record.
fn hand(record: &proto::HandRecord) -> Result<Hand, Failure> {
    let id: HandId = record.hand_id.parse()?;
    if record.table_id != id.table.to_string() || record.hand_no != id.number {
        return Err(Error::BadRecord("has an identifier of another hand").into());
    }
    let stakes = StakeMode::from_name(&record.stake_mode)
        .ok_or(Error::BadRecord("has a stake mode other than chips or points"))?;
    let summary = HandSummary {
        id,
        game: record.game.clone(),
        ended_ms: record.ended_ms,
        stakes,
        seats: record.seats.iter().map(seat).collect::<Result<_, Failure>>()?,
        run: record.run.as_ref().map(run),
    };
    let excerpt = encode_summary(&summary);
    Ok(Hand::new(summary, excerpt.into(), record.encode_to_vec().into())?)
}

fn seat(seat: &proto::HandSeat) -> Result<SeatResult, Failure> {
    Ok(SeatResult {
        seat: seat.seat,
        player: seat.player_id.parse()?,
        name: seat.name.clone(),
        bot: seat.bot,
        stack_before: seat.stack_before,
        change: seat.change,
    })
}

fn run(run: &proto::RunOutcome) -> Run {
    let daily = Some(run.daily.clone()).filter(|day| !day.is_empty());
    Run {
        won: run.won,
        ante: run.ante,
        round: run.round,
        best_score: run.best_score.clone(),
        daily,
    }
}

/// The summary as it is stored and sent.
#[must_use]
pub fn encode_summary(summary: &HandSummary) -> Vec<u8> {
    let seat = |seat: &SeatResult| proto::HandSeat {
        seat: seat.seat,
        player_id: seat.player.to_string(),
        name: seat.name.clone(),
        bot: seat.bot,
        stack_before: seat.stack_before,
        change: seat.change,
    };
    proto::HandSummary {
        hand_id: summary.id.to_string(),
        table_id: summary.id.table.to_string(),
        hand_no: summary.id.number,
        game: summary.game.clone(),
        ended_ms: summary.ended_ms,
        seats: summary.seats.iter().map(seat).collect(),
        stake_mode: summary.stakes.name().to_owned(),
        run: summary.run.as_ref().map(|run| proto::RunOutcome {
            won: run.won,
            ante: run.ante,
            round: run.round,
            best_score: run.best_score.clone(),
            daily: run.daily.clone().unwrap_or_default(),
        }),
    }
    .encode_to_vec()
}

/// A stored summary as a message.
///
/// # Errors
///
/// [`Error::Internal`] when it cannot be read.
pub fn summary(stored: &StoredSummary) -> Result<proto::HandSummary, Error> {
    proto::HandSummary::decode(stored.summary.clone()).map_err(|error| {
        tracing::error!(seq = stored.seq, %error, "a stored summary cannot be read");
        Error::Internal
    })
}

/// A stored record as a message.
///
/// # Errors
///
/// [`Error::Internal`] when it cannot be read.
pub fn record(record: Bytes) -> Result<proto::HandRecord, Error> {
    proto::HandRecord::decode(record).map_err(|error| {
        tracing::error!(%error, "a stored record cannot be read");
        Error::Internal
    })
}

/// What a server seed is committed to by: SHA-256 of this and of the seed.
const COMMITMENT_LABEL: &[u8] = b"parlor/commit/v1";

/// Whether a stored record was committed to this server seed.
///
/// # Errors
///
/// [`Error::Internal`] when the record cannot be read.
pub fn commits_to(stored: Bytes, seed: &Seed) -> Result<bool, Error> {
    let fairness = record(stored)?.fairness.unwrap_or_default();
    let commitment = Digest::of(&[COMMITMENT_LABEL, seed].concat());
    Ok(fairness.commitment == commitment.0.as_slice())
}

/// A stored record with the server seed that it could not hold when it was posted.
///
/// # Errors
///
/// [`Error::Internal`] when the record cannot be read.
pub fn with_seed(stored: Bytes, seed: &Seed) -> Result<Bytes, Error> {
    let mut record = record(stored)?;
    if let Some(fairness) = &mut record.fairness {
        fairness.server_seed = Bytes::copy_from_slice(seed);
    }
    Ok(record.encode_to_vec().into())
}

/// Seeds of hands that were posted while their seeds were secret.
///
/// # Errors
///
/// When a field is malformed.
pub fn seeds(message: &proto::RevealSeedsRequest) -> Result<Vec<(HandId, Seed)>, Failure> {
    let table: TableId = message.table_id.parse()?;
    if message.seeds.is_empty() || message.seeds.len() > SEEDS {
        return Err(Error::BadSeeds.into());
    }
    let seed = |revealed: &proto::RevealedSeed| {
        let seed = revealed.server_seed.as_ref().try_into().map_err(|_| Error::BadSeeds)?;
        Ok((HandId { table, number: revealed.hand_no }, seed))
    };
    message.seeds.iter().map(seed).collect()
}

/// A line of a statement.
#[must_use]
pub fn entry(line: StatementLine) -> proto::Entry {
    proto::Entry {
        transaction_id: line.transaction.to_string(),
        kind: line.kind.name().to_owned(),
        amount: line.amount.0,
        balance_after: line.balance.0,
        time_ms: line.time_ms,
        reference: line.reference,
    }
}

/// An open hold.
#[must_use]
pub fn open_hold(hold: &OpenHold) -> proto::OpenHold {
    proto::OpenHold {
        hold_id: hold.id.to_string(),
        table_id: hold.table.to_string(),
        player_id: hold.player.to_string(),
        amount: hold.amount.0,
        created_ms: hold.opened_ms,
    }
}

/// What an audit found.
#[must_use]
pub fn audit(audit: &Audit) -> proto::ReconcileResponse {
    proto::ReconcileResponse {
        accounts: audit.accounts,
        entries: audit.entries,
        sum: i64::try_from(audit.sum).unwrap_or(i64::MAX),
        mismatches: audit.mismatches,
        overdrawn: audit.overdrawn,
        broken_links: audit.broken_links,
        unbalanced: audit.unbalanced,
        damaged_records: audit.damaged_records,
    }
}

/// A rating.
#[must_use]
pub fn rating(rating: &Rating) -> proto::GetRatingResponse {
    proto::GetRatingResponse {
        rating: rating.mean,
        uncertainty: rating.deviation,
        hands: rating.hands,
    }
}

/// A row of a board.
#[must_use]
pub fn board_row(row: BoardRow) -> proto::LeaderboardRow {
    proto::LeaderboardRow {
        rank: row.rank,
        player_id: row.standing.player.to_string(),
        name: row.standing.name,
        score: row.standing.score,
    }
}

/// A player that may be left out.
///
/// # Errors
///
/// When it is given and is not an identifier.
pub fn optional_player(text: &str) -> Result<Option<PlayerId>, Failure> {
    if text.is_empty() { Ok(None) } else { text.parse().map(Some) }
}
