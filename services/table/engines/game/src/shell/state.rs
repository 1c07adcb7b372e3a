//! Everything a table remembers.

use alloc::collections::VecDeque;
use alloc::string::String;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::contract::{Entrant, Game, Pace};
use crate::fair::{Entropy, ServerSeed};
use crate::refusal::Refusal;
use crate::result::HandResult;
use crate::shell::event::{SeatClock, SystemClock};
use crate::shell::input::Player;
use crate::shell::settings::{Settings, Stakes};
use crate::units::{Amount, Seat};

/// Where a table is in its life.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Between hands.
    Waiting,
    /// A hand is being played.
    InHand,
    /// The match is over.
    MatchOver,
    /// Closed for good.
    Closed,
}

/// What stands between a player and the seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Tenure {
    /// Held until a deadline for a player who has not arrived.
    Reserved {
        /// Milliseconds since the Unix epoch.
        until_ms: i64,
    },
    /// The ledger has been asked for the buy-in.
    Funding,
    /// Seated.
    Seated,
}

/// An occupied seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Occupant {
    /// Who.
    pub player: Player,
    /// Shown to the others.
    pub name: String,
    /// A bot.
    pub bot: bool,
    /// The host of the table.
    pub host: bool,
    /// Reserved, funding or seated.
    pub tenure: Tenure,
    /// Number of the obligation that funded the stack; 0 in points mode.
    pub hold: u64,
    /// Minor units in front of the seat; in points mode the score.
    pub stack: Amount,
    /// Minor units that were brought.
    pub bought_in: Amount,
    /// Ready for the next hand.
    pub ready: bool,
    /// Keeps the seat without being dealt in.
    pub sitting_out: bool,
    /// The table plays the defaults.
    pub auto_play: bool,
    /// Leaves when the hand (or the match) is over.
    pub leaving: bool,
    /// Milliseconds since the Unix epoch at which the connection was lost; `None` while here.
    pub away_since_ms: Option<i64>,
    /// Decisions in a row that ran out of time.
    pub timeouts: u8,
    /// Milliseconds that are left of the hand's time bank.
    pub time_bank_ms: u32,
    /// When the occupant last showed or said something.
    pub expressed_ms: i64,
}

impl Occupant {
    /// Whether the occupant can be dealt in.
    #[must_use]
    pub fn can_play(&self) -> bool {
        self.tenure == Tenure::Seated && !self.sitting_out && !self.leaving
    }
}

/// The hand that is being played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Hand {
    /// Counted from 1.
    pub number: u64,
    /// Milliseconds since the Unix epoch.
    pub started_ms: i64,
    /// Who was dealt in.
    pub entrants: Vec<Entrant>,
    /// The key of every random choice of the hand. Secret.
    pub entropy: Entropy,
    /// The game's result, once there is one.
    pub result: Option<HandResult>,
    /// Whether the seed may be revealed after the hand.
    pub reveals: bool,
}

/// The seeds of one hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seeds {
    /// The hand's number.
    pub hand: u64,
    /// The table's secret half.
    pub server: ServerSeed,
    /// By seat; empty where a seat gave none.
    pub clients: Vec<Vec<u8>>,
    /// Whether the record of the hand holds the server seed.
    pub recorded: bool,
}

/// Something that the ledger has to do for the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Duty {
    /// Move a buy-in from a wallet onto a stack.
    Hold {
        /// The seat.
        seat: Seat,
        /// Whose wallet.
        player: Player,
        /// Minor units.
        amount: Amount,
        /// From the bots' bank instead of a wallet.
        bot: bool,
    },
    /// Move chips between stacks, and record the hand.
    PostHand {
        /// The hand's number.
        hand: u64,
        /// Change of each hold, by seat; empty in points mode.
        changes: Vec<(u64, Amount)>,
        /// To the house.
        commission: Amount,
    },
    /// Move a stack back to the wallet.
    Release {
        /// Number of the obligation that made the hold.
        hold: u64,
        /// What is left of it.
        amount: Amount,
    },
    /// Complete the records of hands that were posted while their seeds were secret.
    Reveal {
        /// Numbers of hands with their server seeds.
        seeds: Vec<(u64, ServerSeed)>,
    },
}

/// A numbered duty; they are met in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Obligation {
    /// Counted from 1 over the life of the table.
    pub id: u64,
    /// What has to be done.
    pub duty: Duty,
}

/// An open vote to end the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vote {
    /// Who opened it.
    pub proposed_by: Seat,
    /// Who agrees, in the order of agreement.
    pub agreed: Vec<Seat>,
    /// Milliseconds since the Unix epoch.
    pub deadline_ms: i64,
}

/// The full name of a deal that tables have in common: `<game>/<name>`.
#[must_use]
pub fn shared_name(game: &str, name: &str) -> String {
    alloc::format!("{game}/{name}")
}

/// A table around a game.
#[derive(Debug, Serialize, Deserialize)]
#[serde(bound = "")]
pub struct Table<G: Game> {
    /// 16 bytes; they enter every hand's key.
    pub id: [u8; 16],
    /// What it was opened with.
    pub settings: Settings<G::Options>,
    /// Where it is in its life.
    pub phase: Phase,
    /// The clocks stand still.
    pub paused: bool,
    /// By seat.
    pub seats: Vec<Option<Occupant>>,
    /// The game's own state.
    pub game: G::State,
    /// Number of the last hand that was started.
    pub hands_started: u64,
    /// Number of the last hand that was finished; 0 before that.
    pub last_finished: u64,
    /// The running hand.
    pub hand: Option<Hand>,
    /// The seed of the next hand.
    pub next_seed: Option<ServerSeed>,
    /// What seats add to the next hand, by seat.
    pub client_seeds: Vec<Vec<u8>>,
    /// Seeds that are used and not yet revealed.
    pub unrevealed: Vec<Seeds>,
    /// Running clocks of seats.
    pub clocks: Vec<SeatClock>,
    /// The running clock of the table's own step.
    pub system_clock: Option<SystemClock>,
    /// When the next hand starts.
    pub start_at_ms: Option<i64>,
    /// Why the game would not start a hand; cleared when a seat changes.
    pub blocked: Option<String>,
    /// The open dissolve vote.
    pub vote: Option<Vote>,
    /// What the ledger still has to do, in order.
    pub obligations: VecDeque<Obligation>,
    /// Number of the last obligation.
    pub obligations_made: u64,
    /// Bots seated over the life of the table: each has an identity of its own.
    pub bots_seated: u64,
    /// A person has been at the table.
    pub visited: bool,
    /// Milliseconds since the Unix epoch.
    pub opened_ms: i64,
}

impl<G: Game> Table<G> {
    /// An empty table.
    ///
    /// # Errors
    /// The game's reason when its options are out of range; `bad_seats` or `bad_buy_in` when the
    /// table's own settings are.
    pub fn open(
        id: [u8; 16],
        settings: Settings<G::Options>,
        now_ms: i64,
    ) -> Result<Self, Refusal> {
        let (fewest, most) = G::seats(&settings.options)?;
        if settings.seats < fewest.max(1) || settings.seats > most {
            return Err(Refusal::invalid("bad_seats", "the game has another number of seats")
                .with("fewest", fewest.into())
                .with("most", most.into()));
        }
        if matches!(settings.stakes, Stakes::Chips { buy_in } if buy_in <= Amount::ZERO) {
            return Err(Refusal::invalid("bad_buy_in", "a chips table needs a positive buy-in"));
        }
        let seats = usize::from(settings.seats);
        Ok(Self {
            id,
            game: G::open(&settings.options)?,
            settings,
            phase: Phase::Waiting,
            paused: false,
            seats: core::iter::repeat_with(|| None).take(seats).collect(),
            hands_started: 0,
            last_finished: 0,
            hand: None,
            next_seed: None,
            client_seeds: core::iter::repeat_with(Vec::new).take(seats).collect(),
            unrevealed: Vec::new(),
            clocks: Vec::new(),
            system_clock: None,
            start_at_ms: None,
            blocked: None,
            vote: None,
            obligations: VecDeque::new(),
            obligations_made: 0,
            bots_seated: 0,
            visited: false,
            opened_ms: now_ms,
        })
    }

    /// The occupant of a seat.
    #[must_use]
    pub fn occupant(&self, seat: Seat) -> Option<&Occupant> {
        self.seats.get(seat.index())?.as_ref()
    }

    /// Occupied seats, by seat.
    pub fn occupants(&self) -> impl Iterator<Item = (Seat, &Occupant)> {
        self.seats
            .iter()
            .zip(0_u8..)
            .filter_map(|(occupant, seat)| occupant.as_ref().map(|occupant| (Seat(seat), occupant)))
    }

    /// The seat of a player.
    #[must_use]
    pub fn seat_of(&self, player: Player) -> Option<Seat> {
        self.occupants().find(|(_, occupant)| occupant.player == player).map(|(seat, _)| seat)
    }

    /// The first free seat.
    #[must_use]
    pub fn free_seat(&self) -> Option<Seat> {
        self.seats.iter().zip(0_u8..).find(|(seat, _)| seat.is_none()).map(|(_, seat)| Seat(seat))
    }

    /// Whether the seat is dealt into the running hand.
    #[must_use]
    pub fn in_hand(&self, seat: Seat) -> bool {
        self.phase == Phase::InHand
            && self
                .hand
                .as_ref()
                .is_some_and(|hand| hand.entrants.iter().any(|entrant| entrant.seat == seat))
    }

    /// Whether occupants have to stay: a match has begun and is not over.
    #[must_use]
    pub fn match_runs(&self) -> bool {
        G::PACE == Pace::Match
            && self.hands_started > 0
            && matches!(self.phase, Phase::Waiting | Phase::InHand)
    }

    /// Whether this table has its deal in common with others.
    #[must_use]
    pub fn shares_deal(&self) -> bool {
        G::shared_deal(&self.settings.options).is_some()
    }

    /// Names the deal that this table has in common with others, game first.
    #[must_use]
    pub fn shared_deal(&self) -> Option<String> {
        G::shared_deal(&self.settings.options).map(|name| shared_name(G::ID, name))
    }

    /// The clock of a seat.
    #[must_use]
    pub fn clock(&self, seat: Seat) -> Option<&SeatClock> {
        self.clocks.iter().find(|clock| clock.seat == seat)
    }

    /// Whether the table deals in chips.
    #[must_use]
    pub const fn chips(&self) -> bool {
        matches!(self.settings.stakes, Stakes::Chips { .. })
    }

    /// People (not bots) who have taken a seat or are about to.
    pub fn people(&self) -> impl Iterator<Item = (Seat, &Occupant)> {
        self.occupants().filter(|(_, occupant)| {
            !occupant.bot && !matches!(occupant.tenure, Tenure::Reserved { .. })
        })
    }
}
