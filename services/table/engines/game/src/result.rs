//! What a finished hand moved between seats.

use alloc::borrow::Cow;
use alloc::vec::Vec;

use serde::{Deserialize, Serialize};

use crate::units::{Amount, Seat};

/// One side of a transfer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Party {
    /// A seat's stack.
    Seat(Seat),
    /// The house, which receives commission.
    House,
}

/// One payment of a hand. `amount` is what moved; `short` is what was owed beyond the payer's
/// stack.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transfer {
    /// Who pays.
    pub from: Party,
    /// Who receives.
    pub to: Party,
    /// Minor units that moved; never negative.
    pub amount: Amount,
    /// Minor units that were owed and could not be paid; 0 in points mode.
    pub short: Amount,
    /// Stable name of the reason, such as `hu_zimo` or `commission`.
    pub why: Cow<'static, str>,
}

/// The money side of one finished hand: transfers in the order in which they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandResult {
    /// Payments in order.
    pub transfers: Vec<Transfer>,
}

impl HandResult {
    /// What the hand changed for `party`; over all parties the sum is zero by construction.
    #[must_use]
    pub fn net(&self, party: Party) -> Amount {
        self.transfers
            .iter()
            .map(|transfer| match (transfer.from == party, transfer.to == party) {
                (true, false) => -transfer.amount,
                (false, true) => transfer.amount,
                _ => Amount::ZERO,
            })
            .sum()
    }
}
