//! What a beaten blind pays (rules: balatro 9).

use serde::{Deserialize, Serialize};

/// Steps of interest without any voucher.
pub const INTEREST_STEPS: i64 = 5;
/// Dollars of one step of interest.
pub const INTEREST_PER: i64 = 5;

/// What a payout depends on.
#[derive(Clone, Copy, Debug)]
pub struct Earnings {
    /// Dollars of the blind.
    pub reward: i64,
    /// Hands that are left.
    pub hands_left: u32,
    /// Dollars for each of them.
    pub per_hand: i64,
    /// Discards that are left.
    pub discards_left: u32,
    /// Dollars for each of them.
    pub per_discard: i64,
    /// Dollars of jokers.
    pub jokers: i64,
    /// Dollars of tags.
    pub tags: i64,
    /// Dollars owned before anything of the payout is added.
    pub money: i64,
    /// Most steps of interest; 0 when money bears none.
    pub interest_steps: i64,
    /// Dollars of each step.
    pub interest_rate: i64,
}

/// What a beaten blind pays, in dollars.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Payout {
    /// For the blind.
    pub reward: i64,
    /// For hands left.
    pub hands: i64,
    /// For discards left.
    pub discards: i64,
    /// From jokers.
    pub jokers: i64,
    /// From tags.
    pub tags: i64,
    /// Interest.
    pub interest: i64,
}

impl Payout {
    /// Computes the parts.
    #[must_use]
    pub fn of(earnings: &Earnings) -> Self {
        let steps = (earnings.money.max(0) / INTEREST_PER).min(earnings.interest_steps);
        Self {
            reward: earnings.reward,
            hands: i64::from(earnings.hands_left).saturating_mul(earnings.per_hand),
            discards: i64::from(earnings.discards_left).saturating_mul(earnings.per_discard),
            jokers: earnings.jokers,
            tags: earnings.tags,
            interest: steps.saturating_mul(earnings.interest_rate),
        }
    }

    /// The sum of the parts.
    #[must_use]
    pub fn total(&self) -> i64 {
        let parts = [self.reward, self.hands, self.discards, self.jokers, self.tags, self.interest];
        parts.into_iter().fold(0, i64::saturating_add)
    }
}
