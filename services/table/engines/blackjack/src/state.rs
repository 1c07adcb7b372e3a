//! Everything that a table remembers.

mod hand;

pub use hand::{Hand, HandStatus, Origin};

use alloc::sync::Arc;
use alloc::vec::Vec;

use arrayvec::ArrayVec;
use parlor_game::{Amount, Entrant, Seat};
use serde::{Deserialize, Serialize};

use crate::card::{Card, Cards, is_natural};
use crate::options::{Options, SPLIT_HANDS_MAX};
use crate::settlement::Settlement;
use crate::shoe::Shoe;

/// A table: its settings, its shoe, its bank and the round that runs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub(crate) options: Options,
    pub(crate) rounds_opened: u32,
    pub(crate) bank: Bank,
    pub(crate) shoe: Shoe,
    pub(crate) shuffle_due: bool,
    /// The round that the shoe was shuffled for.
    pub(crate) shoe_since: u32,
    pub(crate) round: Option<Round>,
    pub(crate) last: Option<Arc<Settlement>>,
}

impl State {
    /// A table before its first round.
    pub(crate) fn new(options: Options) -> Self {
        Self {
            options,
            rounds_opened: 0,
            bank: Bank::default(),
            shoe: Shoe::default(),
            shuffle_due: true,
            shoe_since: 0,
            round: None,
            last: None,
        }
    }

    /// A table at the opening of a round with a banker and cards that are given: a prepared case.
    /// `entrants` are sorted by seat and hold the banker; the settings are taken as they are.
    #[must_use]
    pub fn prepared(options: Options, banker: Seat, entrants: &[Entrant], shoe: Shoe) -> Self {
        let bank = Bank { keeper: Some(banker), rounds: 1 };
        let round = Some(Round::new(1, banker, entrants));
        let opened = Self { rounds_opened: 1, shoe_since: 1, ..Self::new(options) };
        Self { bank, shoe, shuffle_due: false, round, ..opened }
    }

    /// The settings.
    #[must_use]
    pub const fn options(&self) -> &Options {
        &self.options
    }

    /// The stock and the tray.
    #[must_use]
    pub const fn shoe(&self) -> &Shoe {
        &self.shoe
    }

    /// The round that runs; `None` between rounds.
    #[must_use]
    pub const fn round(&self) -> Option<&Round> {
        self.round.as_ref()
    }

    /// The settlement of the last round that was settled.
    #[must_use]
    pub fn last_settlement(&self) -> Option<&Settlement> {
        self.last.as_deref()
    }
}

/// Who kept the bank last (rules: blackjack 7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bank {
    /// The seat; `None` before the first round.
    pub keeper: Option<Seat>,
    /// Rounds in a row that this seat has kept it.
    pub rounds: u16,
}

/// A round from its opening to its settlement.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Round {
    /// Counts the rounds of the table from 1.
    pub number: u32,
    /// How far the round is.
    pub phase: Phase,
    /// The banker.
    pub banker: Banker,
    /// The other seats, clockwise from the banker's left.
    pub players: Vec<Player>,
    /// The hand that is to act while [`Phase::Playing`].
    pub turn: Option<Turn>,
    /// Counts the questions put to seats; a seat's clock belongs to one of them.
    pub question: u32,
    /// Cards that the round has drawn.
    pub cards_used: u16,
    /// Times that the tray was shuffled in this round.
    pub reshuffles: u16,
}

/// How far a round is (rules: blackjack 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Phase {
    /// Seats bet or sit out.
    Betting,
    /// Seats decide on insurance.
    Insurance,
    /// Hands are played one after the other.
    Playing,
    /// The banker's cards are turned and drawn; never awaited by anyone.
    BankerTurn,
}

/// The seat that keeps the bank.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Banker {
    /// Who.
    pub seat: Seat,
    /// The stack when the round began; `None` in points mode.
    pub stack: Option<Amount>,
    /// Whether the occupant is still there; nothing depends on it.
    pub presence: Presence,
    /// Up card, hole card, and what was drawn.
    pub cards: Cards,
    /// Whether the hole card was turned.
    pub hole: Hole,
}

/// Whether a seat's occupant is still there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Presence {
    /// Decides for itself.
    Present,
    /// Left: declines and stands at once whenever asked (rules: blackjack 9).
    Left,
}

/// How the banker's second card lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hole {
    /// Nobody has seen it.
    Down,
    /// Everybody sees it.
    Up,
}

/// A seat that plays against the banker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Player {
    /// Who.
    pub seat: Seat,
    /// The stack when the round began; `None` in points mode.
    pub stack: Option<Amount>,
    /// Whether the occupant is still there.
    pub presence: Presence,
    /// The bet.
    pub bet: Bet,
    /// The insurance.
    pub insurance: Insurance,
    /// The hands, from left to right; none before the deal or when sitting out.
    pub hands: ArrayVec<Hand, { SPLIT_HANDS_MAX as usize }>,
}

/// What a seat decided about betting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Bet {
    /// Nothing yet.
    Undecided,
    /// Not this round.
    SatOut,
    /// This much.
    Placed(Amount),
}

/// What a seat decided about insurance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Insurance {
    /// Nothing yet, or it was never asked.
    Undecided,
    /// None.
    Declined,
    /// This much.
    Taken(Amount),
    /// The bet for its natural.
    EvenMoney,
}

/// Which hand is to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Whose.
    pub seat: Seat,
    /// Which of the seat's hands, from 0.
    pub hand: u8,
}

impl Round {
    /// A round before the first bet. `entrants` are sorted by seat and hold the banker.
    pub(crate) fn new(number: u32, banker: Seat, entrants: &[Entrant]) -> Self {
        let left = entrants.iter().filter(|entrant| entrant.seat > banker);
        let right = entrants.iter().filter(|entrant| entrant.seat < banker);
        let stack = entrants.iter().find(|entrant| entrant.seat == banker);
        Self {
            number,
            phase: Phase::Betting,
            banker: Banker {
                seat: banker,
                stack: stack.and_then(|entrant| entrant.stack),
                presence: Presence::Present,
                cards: Cards::new(),
                hole: Hole::Down,
            },
            players: left.chain(right).map(Player::new).collect(),
            turn: None,
            question: 0,
            cards_used: 0,
            reshuffles: 0,
        }
    }

    /// The player at `seat`; `None` for the banker and for strangers.
    #[must_use]
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.iter().find(|player| player.seat == seat)
    }

    pub(crate) fn player_mut(&mut self, seat: Seat) -> Option<&mut Player> {
        self.players.iter_mut().find(|player| player.seat == seat)
    }

    pub(crate) fn hand_mut(&mut self, seat: Seat, hand: u8) -> Option<&mut Hand> {
        self.player_mut(seat)?.hands.get_mut(usize::from(hand))
    }

    /// The players that bet, in the order of play.
    pub fn participants(&self) -> impl Iterator<Item = &Player> {
        self.players.iter().filter(|player| player.stake().is_some())
    }

    /// The banker's up card; `None` before the deal.
    #[must_use]
    pub fn up_card(&self) -> Option<Card> {
        self.banker.cards.first().copied()
    }
}

impl Banker {
    /// Whether the first two cards are a natural.
    #[must_use]
    pub fn has_natural(&self) -> bool {
        self.cards.get(..2).is_some_and(is_natural)
    }
}

impl Player {
    fn new(entrant: &Entrant) -> Self {
        Self {
            seat: entrant.seat,
            stack: entrant.stack,
            presence: Presence::Present,
            bet: Bet::Undecided,
            insurance: Insurance::Undecided,
            hands: ArrayVec::new(),
        }
    }

    /// The first bet; `None` when the seat has not bet.
    #[must_use]
    pub const fn stake(&self) -> Option<Amount> {
        match self.bet {
            Bet::Placed(amount) => Some(amount),
            Bet::Undecided | Bet::SatOut => None,
        }
    }

    /// The stake of the insurance; 0 without.
    #[must_use]
    pub const fn insured(&self) -> Amount {
        match self.insurance {
            Insurance::Taken(amount) => amount,
            _ => Amount::ZERO,
        }
    }

    /// Whether the seat is to decide on insurance.
    #[must_use]
    pub fn owes_insurance(&self) -> bool {
        self.stake().is_some() && self.insurance == Insurance::Undecided
    }

    /// Everything that the seat has at risk: bets are escrowed at once (rules: blackjack 2.1).
    #[must_use]
    pub fn at_risk(&self) -> Amount {
        let stakes = match (self.hands.is_empty(), self.bet) {
            (true, Bet::Placed(amount)) => amount,
            _ => self.hands.iter().map(|hand| hand.stake).sum(),
        };
        stakes + self.insured()
    }

    /// Chips that the seat can still stake beside the flat commission; `None` in points mode,
    /// where there is no limit.
    #[must_use]
    pub fn available(&self, options: &Options) -> Option<Amount> {
        Some(self.stack? - options.commission_flat - self.at_risk())
    }

    /// Whether the seat can stake `amount` more.
    #[must_use]
    pub fn can_stake(&self, amount: Amount, options: &Options) -> bool {
        self.available(options).is_none_or(|available| amount <= available)
    }
}
