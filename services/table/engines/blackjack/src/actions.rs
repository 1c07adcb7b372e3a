//! What a seat may do now, and what the table waits for.

use alloc::vec::Vec;

use parlor_game::{Amount, Audience, Awaiting, Pending, Seat};
use serde::{Deserialize, Serialize};

use crate::command::Command;
use crate::cover;
use crate::decide::{Acting, largest_insurance, may_double, may_hit, may_split, may_surrender};
use crate::state::{Bet, Phase, Player, Round, State};

/// What one seat may do now, with the amounts that go with it. All of it is absent for a seat that
/// has nothing to decide.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Actions {
    /// Bets that will be accepted.
    pub bet: Option<BetBounds>,
    /// Whether the seat may sit out.
    pub sit_out: bool,
    /// The highest insurance that will be accepted; the lowest is 1.
    pub insurance: Option<Amount>,
    /// Whether the seat may decline insurance.
    pub decline_insurance: bool,
    /// What even money would win.
    pub even_money: Option<Amount>,
    /// Whether the seat may hit.
    pub hit: bool,
    /// Whether the seat may stand.
    pub stand: bool,
    /// What doubling would add to the stake.
    pub double: Option<Amount>,
    /// What splitting would add to the stakes.
    pub split: Option<Amount>,
    /// What surrender would lose.
    pub surrender: Option<Amount>,
}

/// The bets that will be accepted: the multiples of `step` from `lowest` to `highest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BetBounds {
    /// The lowest.
    pub lowest: Amount,
    /// The highest that the seat's stack and the banker's allow.
    pub highest: Amount,
    /// The step between bets.
    pub step: Amount,
}

impl Actions {
    /// What `seat` may do now.
    #[must_use]
    pub fn of(state: &State, seat: Seat) -> Self {
        let Some(round) = &state.round else { return Self::default() };
        let Some(player) = round.player(seat) else { return Self::default() };
        match round.phase {
            Phase::Betting if player.bet == Bet::Undecided => Self::betting(state, round, player),
            Phase::Insurance if player.owes_insurance() => Self::insuring(state, player),
            Phase::Playing => match Acting::new(state, round, seat) {
                Ok(acting) => Self::playing(&acting),
                Err(_) => Self::default(),
            },
            _ => Self::default(),
        }
    }

    fn betting(state: &State, round: &Round, player: &Player) -> Self {
        let options = &state.options;
        let bet = cover::largest_bet(round, player, options).map(|highest| BetBounds {
            lowest: options.lowest_bet(),
            highest,
            step: options.bet_step,
        });
        Self { bet, sit_out: true, ..Self::default() }
    }

    fn insuring(state: &State, player: &Player) -> Self {
        let largest = largest_insurance(player, &state.options);
        let natural = player.hands.first().filter(|hand| hand.is_natural());
        Self {
            insurance: (largest >= Amount(1)).then_some(largest),
            decline_insurance: true,
            even_money: natural.map(|hand| hand.stake),
            ..Self::default()
        }
    }

    fn playing(acting: &Acting) -> Self {
        let stake = acting.stake();
        Self {
            hit: may_hit(acting).is_ok(),
            stand: true,
            double: may_double(acting).is_ok().then_some(stake),
            split: may_split(acting).is_ok().then_some(stake),
            surrender: may_surrender(acting).is_ok().then_some(Amount(stake.0.div_euclid(2))),
            ..Self::default()
        }
    }

    /// The commands for these actions, sorted. A bet and an insurance stand there with their
    /// lowest and their highest amount.
    #[must_use]
    pub fn commands(&self) -> Vec<Command> {
        let mut commands = Vec::new();
        if let Some(BetBounds { lowest, highest, .. }) = self.bet {
            commands.push(Command::Bet { amount: Some(lowest) });
            if highest > lowest {
                commands.push(Command::Bet { amount: Some(highest) });
            }
        }
        if let Some(highest) = self.insurance {
            commands.push(Command::Insurance { amount: Some(Amount(1)) });
            if highest > Amount(1) {
                commands.push(Command::Insurance { amount: Some(highest) });
            }
        }
        let plain = [
            (self.sit_out, Command::SitOut),
            (self.decline_insurance, Command::DeclineInsurance),
            (self.even_money.is_some(), Command::EvenMoney),
            (self.hit, Command::Hit),
            (self.stand, Command::Stand),
            (self.double.is_some(), Command::Double),
            (self.split.is_some(), Command::Split),
            (self.surrender.is_some(), Command::Surrender),
        ];
        commands.extend(plain.into_iter().filter(|(may, _)| *may).map(|(_, command)| command));
        commands
    }
}

/// The seats that owe a decision: all of them while betting and insuring, one while playing.
#[must_use]
pub fn awaiting(state: &State) -> Awaiting<Command> {
    let Some(round) = &state.round else { return Awaiting::default() };
    let (clock_ms, default) = match round.phase {
        Phase::Betting => (state.options.bet_ms, Command::SitOut),
        Phase::Insurance => (state.options.insurance_ms, Command::DeclineInsurance),
        Phase::Playing => (state.options.decision_ms, Command::Stand),
        Phase::BankerTurn => return Awaiting::default(),
    };
    let mut seats: Vec<_> = round
        .players
        .iter()
        .filter(|player| match round.phase {
            Phase::Betting => player.bet == Bet::Undecided,
            Phase::Insurance => player.owes_insurance(),
            Phase::Playing => round.turn.is_some_and(|turn| turn.seat == player.seat),
            Phase::BankerTurn => false,
        })
        .map(|player| Pending {
            seat: player.seat,
            decision: round.question,
            clock_ms,
            default: default.clone(),
            audience: Audience::Everyone,
        })
        .collect();
    seats.sort_unstable_by_key(|pending| pending.seat);
    Awaiting { seats, system: None }
}
