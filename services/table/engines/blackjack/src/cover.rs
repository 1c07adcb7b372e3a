//! What the banker may come to owe, and who can keep the bank (rules: blackjack 5 and 7).
//!
//! **Invariant**: what is reserved never exceeds the banker's stack less the flat commission, so
//! no settlement can leave the banker in debt.

use parlor_game::{Amount, Entrant, Seat};

use crate::options::{BankerMode, Options};
use crate::state::{Bank, Hand, HandStatus, Player, Round};

/// What a bet may win before its cards are known.
#[must_use]
pub fn reserve_for_bet(bet: Amount, options: &Options) -> Amount {
    options.natural_payout.on(bet).max(bet)
}

/// What a hand may still win.
///
/// Where players' cards lie face down, any two dealt cards count as a natural: what the table
/// refuses must not tell who has one.
#[must_use]
pub fn reserve_for_hand(hand: &Hand, options: &Options) -> Amount {
    match hand.status {
        HandStatus::Bust | HandStatus::Surrendered => Amount::ZERO,
        HandStatus::EvenMoney => hand.stake,
        HandStatus::Open | HandStatus::Stood => {
            let secret = !options.player_cards_public && hand.could_be_natural();
            if secret || hand.is_natural() {
                reserve_for_bet(hand.stake, options)
            } else {
                hand.stake
            }
        }
    }
}

fn reserve_for_player(player: &Player, options: &Options) -> Amount {
    match (player.hands.is_empty(), player.stake()) {
        (true, Some(bet)) => reserve_for_bet(bet, options),
        (true, None) => Amount::ZERO,
        _ => player.hands.iter().map(|hand| reserve_for_hand(hand, options)).sum(),
    }
}

/// What is left of the banker's stack after everything that is reserved; `None` in points mode,
/// where there is no limit.
///
/// Only the case without a banker's natural needs to be counted: with one, the banker owes at most
/// the insurance (no more than each bet) and even money, for which more was reserved.
#[must_use]
pub fn uncovered(round: &Round, options: &Options) -> Option<Amount> {
    let stack = round.banker.stack?;
    let reserved: Amount =
        round.players.iter().map(|player| reserve_for_player(player, options)).sum();
    Some(stack - options.commission_flat - reserved)
}

/// Whether the banker can cover `more` on top of everything that is reserved.
#[must_use]
pub fn covers(round: &Round, options: &Options, more: Amount) -> bool {
    uncovered(round, options).is_none_or(|left| more <= left)
}

/// The highest bet that `player` may make now; `None` when it cannot bet.
#[must_use]
pub fn largest_bet(round: &Round, player: &Player, options: &Options) -> Option<Amount> {
    let mut largest = options.max_bet;
    if let Some(available) = player.available(options) {
        largest = largest.min(available);
    }
    if let Some(left) = uncovered(round, options) {
        largest = largest.min(largest_covered(left, options));
    }
    let step = options.bet_step.0.max(1);
    let largest = Amount(largest.0.div_euclid(step).saturating_mul(step));
    (largest >= options.lowest_bet()).then_some(largest)
}

/// The highest bet whose reserve is not above `left`: for a payout of n:d the highest whole `bet`
/// with `floor(n * bet / d) <= left`, and no more than `left` itself.
fn largest_covered(left: Amount, options: &Options) -> Amount {
    if left < Amount::ZERO {
        return Amount::ZERO;
    }
    let numerator = i128::from(options.natural_payout.numerator.max(1));
    let denominator = i128::from(options.natural_payout.denominator.max(1));
    let bet = ((i128::from(left.0) + 1) * denominator - 1) / numerator;
    Amount(i64::try_from(bet).unwrap_or(i64::MAX)).min(left)
}

/// Who keeps the bank of the next round; `None` when nobody can (`waiting_for_banker`).
#[must_use]
pub fn next_banker(bank: &Bank, entrants: &[Entrant], options: &Options) -> Option<Seat> {
    let eligible = |seat: Seat| {
        let entrant = entrants.iter().find(|entrant| entrant.seat == seat);
        entrant.is_some_and(|entrant| can_bank(entrant, entrants.len(), options))
    };
    let keeper = match (options.banker_mode, bank.keeper) {
        (BankerMode::Fixed, _) => return Some(options.banker).filter(|seat| eligible(*seat)),
        (BankerMode::Rotate, keeper) => keeper,
    };
    let (start, first_step) = match keeper {
        None => (options.banker, 0),
        Some(keeper) if bank.rounds < options.banker_rounds => (keeper, 0),
        Some(keeper) => (keeper, 1),
    };
    let seats = options.seats.max(1);
    (first_step..first_step + seats)
        .map(|step| start.after(step, seats))
        .find(|seat| eligible(*seat))
}

/// Whether a seat's stack covers the lowest bet of everybody else and its own commission.
fn can_bank(entrant: &Entrant, entrants: usize, options: &Options) -> bool {
    let Some(stack) = entrant.stack else { return true };
    let lowest = reserve_for_bet(options.lowest_bet(), options);
    let players = i64::try_from(entrants.saturating_sub(1)).unwrap_or(i64::MAX);
    let table = Amount(lowest.0.saturating_mul(players));
    stack >= options.min_banker_stack.max(table) && stack >= lowest + options.commission_flat
}
