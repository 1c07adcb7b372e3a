//! The words that the joker tables use.

pub(super) use super::super::vocabulary::Act::*;
pub(super) use super::super::vocabulary::Amount::*;
pub(super) use super::super::vocabulary::Condition::*;
pub(super) use super::super::vocabulary::Kind::*;
pub(super) use super::super::vocabulary::Mark::*;
pub(super) use super::super::vocabulary::Passive::*;
pub(super) use super::super::vocabulary::Trigger::*;
pub(super) use super::super::vocabulary::Variable::*;
pub(super) use super::super::vocabulary::{on, own};
pub(super) use super::{Field, Fit, Gate, JokerSpec, Neighbour, Rarity};
pub(super) use crate::card::Enhancement::{Glass, Gold, Lucky, Steel, Stone};
pub(super) use crate::card::Rank::*;
pub(super) use crate::card::Suit::*;
pub(super) use crate::poker::HandType::*;
pub(super) use crate::poker::RankSet;

pub(super) const fn common(order: u8, id: &'static str, cost: i64) -> JokerSpec {
    JokerSpec::new(order, id, Rarity::Common, cost)
}

pub(super) const fn uncommon(order: u8, id: &'static str, cost: i64) -> JokerSpec {
    JokerSpec::new(order, id, Rarity::Uncommon, cost)
}

pub(super) const fn rare(order: u8, id: &'static str, cost: i64) -> JokerSpec {
    JokerSpec::new(order, id, Rarity::Rare, cost)
}

pub(super) const fn legendary(order: u8, id: &'static str, cost: i64) -> JokerSpec {
    JokerSpec::new(order, id, Rarity::Legendary, cost)
}
