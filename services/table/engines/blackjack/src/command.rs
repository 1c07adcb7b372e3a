//! What a seat may ask for.

use parlor_game::Amount;
use serde::{Deserialize, Serialize};

/// A command of one seat.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Command {
    /// Bets on the round (rules: blackjack 2.1).
    Bet {
        /// Minor units; `None` when the client sent no whole number, which is `bad_amount`.
        amount: Option<Amount>,
    },
    /// Does not bet on this round.
    SitOut,
    /// Insures against a banker's natural (rules: blackjack 2.3).
    Insurance {
        /// Minor units, from 1 to half the bet; `None` as for a bet.
        amount: Option<Amount>,
    },
    /// Takes no insurance.
    DeclineInsurance,
    /// Takes the bet for a natural, whatever the banker has.
    EvenMoney,
    /// Takes a card on the current hand (rules: blackjack 2.5).
    Hit,
    /// Ends the current hand.
    Stand,
    /// Doubles the stake for exactly one card.
    Double,
    /// Makes two hands of a pair.
    Split,
    /// Gives the hand up for half the bet.
    Surrender,
    /// Leaves: the seat's bets stay in play and it declines and stands from now on. The table
    /// gives it in the name of an occupant who is gone (rules: blackjack 9).
    Leave,
    /// Something that this version does not know: always refused, as `unknown_action`, once it is
    /// clear that the seat may act at all.
    Unknown,
}
