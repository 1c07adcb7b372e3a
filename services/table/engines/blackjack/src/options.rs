//! The settings of a table and which of them are refused (rules: blackjack 1).

use parlor_game::{Amount, Refusal, Seat};
use serde::{Deserialize, Serialize};

use crate::refuse;

/// Fewest seats of a table, the banker's included.
pub const SEATS_MIN: u8 = 2;
/// Most seats of a table, the banker's included.
pub const SEATS_MAX: u8 = 8;
/// Most hands that `max_split_hands` may allow to one seat.
pub const SPLIT_HANDS_MAX: u8 = 8;
/// Most decks of a shoe.
pub const DECKS_MAX: u8 = 8;
/// Highest bet that a table may allow: every sum of a round then stays far inside 64 bits, and
/// every bet is exact in a client that counts in doubles.
pub const BET_MAX: Amount = Amount(1_000_000_000_000_000);
/// Highest part of a natural's payout, so that the product with a bet stays inside 64 bits.
pub const PAYOUT_MAX: u32 = 100;
/// Shortest and longest time for a decision, in milliseconds.
pub const CLOCK_MS: (u32, u32) = (1_000, 600_000);

/// The settings of a table. Amounts are in minor units.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// Seats of the table, 2 to 8, the banker's included.
    pub seats: u8,
    /// Rounds after which the match is over; 0 for a table without end.
    pub rounds: u32,
    /// Lowest bet.
    pub min_bet: Amount,
    /// Highest bet.
    pub max_bet: Amount,
    /// A bet must be a multiple of this.
    pub bet_step: Amount,
    /// What a natural pays.
    pub natural_payout: Payout,
    /// Whether the banker hits a soft 17.
    pub soft_hit_17: bool,
    /// Whether a hand from a split may double.
    pub double_after_split: bool,
    /// Whether the banker looks at the hole card under an ace or a ten before anyone plays.
    pub dealer_peek: bool,
    /// Whether insurance is offered; only with `dealer_peek`.
    pub insurance: bool,
    /// Most hands of a seat after splitting, 1 to 8; 1 forbids splits.
    pub max_split_hands: u8,
    /// What makes a pair.
    pub split_rule: SplitRule,
    /// Whether two aces from a split may be split again.
    pub resplit_aces: bool,
    /// Whether and how a seat may surrender.
    pub surrender: Surrender,
    /// Whether a banker's natural takes only the original bet when nobody peeked.
    pub original_bets_only: bool,
    /// Whether a total of 21 stands by itself.
    pub auto_stand_21: bool,
    /// Whether everybody sees the players' cards.
    pub player_cards_public: bool,
    /// What every seat in a round pays to the house.
    pub commission_flat: Amount,
    /// The house's share of a positive round net, in hundredths of a percent.
    pub commission_win_bps: u16,
    /// Decks in the shoe, 1 to 8.
    pub decks: u8,
    /// How far down the cut card lies, in percent of the shoe.
    pub penetration_percent: u8,
    /// When the whole shoe is shuffled.
    pub shuffle: Shuffle,
    /// How the banker is chosen.
    pub banker_mode: BankerMode,
    /// The banker of a fixed table, and the first banker of a rotating one.
    pub banker: Seat,
    /// Rounds that a banker keeps the bank of a rotating table, at least 1.
    pub banker_rounds: u16,
    /// Smallest stack that may keep the bank.
    pub min_banker_stack: Amount,
    /// Time to bet, in milliseconds.
    pub bet_ms: u32,
    /// Time to decide on a hand, in milliseconds.
    pub decision_ms: u32,
    /// Time to decide on insurance, in milliseconds.
    pub insurance_ms: u32,
}

/// What a natural pays: `floor(numerator * bet / denominator)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payout {
    /// 3 of 3:2.
    pub numerator: u32,
    /// 2 of 3:2.
    pub denominator: u32,
}

/// What makes a pair (rules: blackjack 12, A3).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum SplitRule {
    /// Equal points: a king and a ten.
    #[default]
    Value,
    /// Equal rank.
    Rank,
}

/// Whether and how a seat may surrender (rules: blackjack 12, A4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Surrender {
    /// Late with a peek, early without.
    #[default]
    ByPeek,
    /// A banker's natural takes the whole bet of a seat that surrendered.
    Late,
    /// Half the bet is final whatever the banker has; only without a peek.
    Early,
    /// Nobody may.
    Off,
}

/// When the whole shoe is shuffled (rules: blackjack 8).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Shuffle {
    /// One deck before every round; more decks when the cut card has come.
    #[default]
    ByDecks,
    /// Before every round.
    EveryRound,
    /// When the cut card has come.
    CutCard,
}

/// How the banker is chosen (rules: blackjack 7).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum BankerMode {
    /// Always the same seat.
    #[default]
    Fixed,
    /// The bank moves clockwise to the next eligible seat.
    Rotate,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            seats: 4,
            rounds: 0,
            min_bet: Amount(10),
            max_bet: Amount(100),
            bet_step: Amount(1),
            natural_payout: Payout { numerator: 3, denominator: 2 },
            soft_hit_17: false,
            double_after_split: true,
            dealer_peek: true,
            insurance: true,
            max_split_hands: 4,
            split_rule: SplitRule::default(),
            resplit_aces: false,
            surrender: Surrender::default(),
            original_bets_only: false,
            auto_stand_21: true,
            player_cards_public: true,
            commission_flat: Amount::ZERO,
            commission_win_bps: 0,
            decks: 1,
            penetration_percent: 75,
            shuffle: Shuffle::default(),
            banker_mode: BankerMode::default(),
            banker: Seat(0),
            banker_rounds: 1,
            min_banker_stack: Amount::ZERO,
            bet_ms: 20_000,
            decision_ms: 20_000,
            insurance_ms: 15_000,
        }
    }
}

impl Payout {
    /// What a natural on `bet` wins; half a unit is rounded down (rules: blackjack 4).
    #[must_use]
    pub const fn on(self, bet: Amount) -> Amount {
        let denominator = if self.denominator == 0 { 1 } else { self.denominator };
        Amount(bet.0.saturating_mul(self.numerator as i64).div_euclid(denominator as i64))
    }
}

impl Options {
    /// Refuses settings that contradict each other or the rules.
    ///
    /// # Errors
    /// `invalid_settings`, with a message that names the setting.
    pub fn check(&self) -> Result<(), Refusal> {
        match self.fault() {
            Some(fault) => Err(refuse::invalid_settings(fault)),
            None => Ok(()),
        }
    }

    /// The first setting at fault. The bets are checked first: other checks count with them.
    fn fault(&self) -> Option<&'static str> {
        self.fault_in_bets().or_else(|| self.fault_in_play()).or_else(|| self.fault_in_table())
    }

    fn fault_in_bets(&self) -> Option<&'static str> {
        let Payout { numerator, denominator } = self.natural_payout;
        let parts = 1..=PAYOUT_MAX;
        let faults = [
            (self.min_bet <= Amount::ZERO, "min_bet must be above 0"),
            (self.min_bet > self.max_bet, "min_bet must not be above max_bet"),
            (self.max_bet > BET_MAX, "max_bet is too high"),
            (self.bet_step < Amount(1), "bet_step must be at least 1"),
            (
                !parts.contains(&numerator) || !parts.contains(&denominator),
                "natural_payout must be two numbers from 1 to 100",
            ),
            (
                self.commission_flat < Amount::ZERO || self.commission_flat > BET_MAX,
                "commission_flat must not be below 0 or too high",
            ),
            (self.commission_win_bps > 10_000, "commission_win_bps must be 0 to 10000"),
        ];
        first(&faults).or_else(|| {
            let none = self.lowest_bet() > self.max_bet;
            none.then_some("no multiple of bet_step lies between min_bet and max_bet")
        })
    }

    fn fault_in_play(&self) -> Option<&'static str> {
        let hands = 1..=SPLIT_HANDS_MAX;
        first(&[
            (!hands.contains(&self.max_split_hands), "max_split_hands must be 1 to 8"),
            (
                self.surrender == Surrender::Early && self.dealer_peek,
                "an early surrender needs dealer_peek off",
            ),
            (!(1..=DECKS_MAX).contains(&self.decks), "decks must be 1 to 8"),
            (self.penetration_percent > 100, "penetration_percent must be 0 to 100"),
        ])
    }

    fn fault_in_table(&self) -> Option<&'static str> {
        let clock = CLOCK_MS.0..=CLOCK_MS.1;
        let clocks = [self.bet_ms, self.decision_ms, self.insurance_ms];
        first(&[
            (!(SEATS_MIN..=SEATS_MAX).contains(&self.seats), "seats must be 2 to 8"),
            (self.banker.0 >= self.seats, "the banker must have a seat"),
            (self.banker_rounds == 0, "banker_rounds must be at least 1"),
            (self.min_banker_stack < Amount::ZERO, "min_banker_stack must not be below 0"),
            (
                clocks.iter().any(|time| !clock.contains(time)),
                "a clock must be 1000 to 600000 milliseconds",
            ),
        ])
    }

    /// The lowest multiple of `bet_step` that is not below `min_bet`.
    #[must_use]
    pub fn lowest_bet(&self) -> Amount {
        let step = self.bet_step.0.max(1);
        let below = self.min_bet.0.saturating_sub(1).div_euclid(step);
        Amount(below.saturating_add(1).saturating_mul(step))
    }

    /// The surrender that [`Surrender::ByPeek`] stands for.
    #[must_use]
    pub const fn surrender_rule(&self) -> Surrender {
        match (self.surrender, self.dealer_peek) {
            (Surrender::ByPeek, true) => Surrender::Late,
            (Surrender::ByPeek, false) => Surrender::Early,
            (chosen, _) => chosen,
        }
    }

    /// Whether the whole shoe is shuffled before every round.
    #[must_use]
    pub const fn shuffles_every_round(&self) -> bool {
        match self.shuffle {
            Shuffle::ByDecks => self.decks == 1,
            Shuffle::EveryRound => true,
            Shuffle::CutCard => false,
        }
    }
}

fn first(faults: &[(bool, &'static str)]) -> Option<&'static str> {
    faults.iter().find(|(found, _)| *found).map(|(_, fault)| *fault)
}
