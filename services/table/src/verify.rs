//! Checks a finished hand from its record alone: that the shuffle is the one that was committed to,
//! and that every event follows from the rules.
//!
//! Nothing of the table is needed and nothing is trusted: the seeds give the entropy, the engine
//! deals again and decides every step again, and each event must come out the same.

use parlor_game::entry::decode;
use parlor_game::fair::{Entropy, SHARED_TABLE, ServerSeed};
use parlor_game::{Actor, Amount, Entrant, Game, Seat, Viewer};
use parlor_proto::settlement::v1::{HandRecord, HandStep};

use crate::games::with_game;

/// Why a hand does not verify.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Mismatch {
    /// The record holds something that cannot be read.
    #[error("the record cannot be read: {0}")]
    Unreadable(&'static str),
    /// The hand is of a game, or of rules, that this program does not know.
    #[error(
        "the hand is of game {game}, rules version {version}, which this program does not know"
    )]
    Unknown {
        /// The game's id.
        game: String,
        /// The version of its rules.
        version: u32,
    },
    /// The seed may not be revealed yet.
    #[error("the server seed is not revealed yet")]
    NotRevealed,
    /// The seed is not the one that was committed to.
    #[error("the server seed does not match its commitment")]
    Commitment,
    /// The deal is not what the seeds give.
    #[error("the deal does not follow from the seeds")]
    Deal,
    /// A step does not follow from the rules.
    #[error("step {step} does not follow from the rules")]
    Step {
        /// Its place in the record, counted from 0.
        step: usize,
    },
    /// The hand does not end, or moved other amounts.
    #[error("the amounts that moved do not follow from the steps")]
    Result,
}

/// What was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verified {
    /// Steps that were decided again.
    pub steps: usize,
    /// Events that came out the same.
    pub events: usize,
}

/// Checks a hand.
///
/// # Errors
/// The first thing that does not hold.
pub fn verify(record: &HandRecord) -> Result<Verified, Mismatch> {
    let unknown =
        || Err(Mismatch::Unknown { game: record.game.clone(), version: record.rules_version });
    with_game!(&record.game, G => {
        if record.rules_version == G::RULES_VERSION { verify_as::<G>(record) } else { unknown() }
    }, else unknown())
}

fn verify_as<G: Game>(record: &HandRecord) -> Result<Verified, Mismatch> {
    let entropy = entropy(record)?;
    let unreadable = |_| Mismatch::Unreadable("the state before the deal");
    let mut state = decode::<G::State>(&record.state_before).map_err(unreadable)?;
    let entrants = entrants(record)?;
    let mut events = 0;
    let mut result = None;
    for (place, step) in record.steps.iter().enumerate() {
        let recorded = recorded::<G>(step)?;
        if place == 0 {
            let dealt = G::deal(&state, &entrants, &entropy).map_err(|_| Mismatch::Deal)?;
            if dealt != recorded {
                return Err(Mismatch::Deal);
            }
        } else if !follows::<G>(&state, step, &recorded, &entropy)? {
            return Err(Mismatch::Step { step: place });
        }
        for event in &recorded {
            G::evolve(&mut state, event);
            result = G::hand_result(event).cloned().or(result);
        }
        events += recorded.len();
    }
    let result = result.filter(|_| !G::in_hand(&state)).ok_or(Mismatch::Result)?;
    let paid = record.seats.iter().all(|seat| {
        u8::try_from(seat.seat).is_ok_and(|number| {
            result.net(parlor_game::Party::Seat(Seat(number))) == Amount(seat.change)
        })
    });
    if paid { Ok(Verified { steps: record.steps.len(), events }) } else { Err(Mismatch::Result) }
}

fn entropy(record: &HandRecord) -> Result<Entropy, Mismatch> {
    let fairness = record.fairness.as_ref().ok_or(Mismatch::Unreadable("the seeds"))?;
    if fairness.server_seed.is_empty() {
        return Err(Mismatch::NotRevealed);
    }
    let seed: [u8; 32] = fairness
        .server_seed
        .as_ref()
        .try_into()
        .map_err(|_| Mismatch::Unreadable("the server seed"))?;
    let seed = ServerSeed(seed);
    if seed.commitment().0[..] != fairness.commitment[..] {
        return Err(Mismatch::Commitment);
    }
    let table: &[u8; 16] =
        fairness.table_id.as_ref().try_into().map_err(|_| Mismatch::Unreadable("the table"))?;
    if *table == SHARED_TABLE {
        return Ok(Entropy::for_shared_deal(&seed));
    }
    let clients = fairness.client_seeds.iter().map(|seed| &seed[..]);
    Ok(Entropy::for_hand(&seed, table, record.hand_no, clients))
}

fn entrants(record: &HandRecord) -> Result<Vec<Entrant>, Mismatch> {
    let chips = record.stake_mode == "chips";
    let entrant = |seat: &parlor_proto::settlement::v1::HandSeat| {
        let number = u8::try_from(seat.seat).map_err(|_| Mismatch::Unreadable("a seat"))?;
        Ok(Entrant { seat: Seat(number), stack: chips.then_some(Amount(seat.stack_before)) })
    };
    record.seats.iter().map(entrant).collect()
}

fn recorded<G: Game>(step: &HandStep) -> Result<Vec<G::Event>, Mismatch> {
    let event = |bytes: &bytes::Bytes| {
        decode::<G::Event>(bytes).map_err(|_| Mismatch::Unreadable("an event"))
    };
    step.events.iter().map(event).collect()
}

/// Whether the recorded events are what the engine decides for this step.
fn follows<G: Game>(
    state: &G::State,
    step: &HandStep,
    recorded: &[G::Event],
    entropy: &Entropy,
) -> Result<bool, Mismatch> {
    let decides = |actor: Actor, command: &G::Command| {
        G::decide(state, actor, command, entropy).is_ok_and(|events| events == recorded)
    };
    if let Some(seat) = step.seat.filter(|_| !step.command.is_empty()) {
        let seat = u8::try_from(seat).map_err(|_| Mismatch::Unreadable("a seat"))?;
        let unreadable = |_| Mismatch::Unreadable("a command");
        let command = decode::<G::Command>(&step.command).map_err(unreadable)?;
        return Ok(decides(Actor::Seat(Seat(seat)), &command));
    }
    // The table acted by itself: by its own step, or for a seat that had run out of time, was
    // leaving, or is a bot's. One of these must give the recorded events.
    let awaiting = G::awaiting(state);
    if awaiting.system.as_ref().is_some_and(|system| decides(Actor::System, &system.command)) {
        return Ok(true);
    }
    let seats = awaiting.seats.iter();
    if seats.clone().any(|owed| decides(Actor::Seat(owed.seat), &owed.default)) {
        return Ok(true);
    }
    let chosen = seats.clone().any(|owed| {
        let bot = G::bot(&G::view(state, Viewer::Seat(owed.seat)));
        bot.is_some_and(|command| decides(Actor::Seat(owed.seat), &command))
    });
    let leaves = |seat: u8| {
        let command = G::leave(state, Seat(seat));
        command.is_some_and(|command| decides(Actor::Seat(Seat(seat)), &command))
    };
    Ok(chosen || (0..u8::MAX).any(leaves))
}
