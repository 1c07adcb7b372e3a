//! What things cost and sell for in a run, and what money may do (rules: balatro 9, 10).

use super::{Consumable, Offer, PackOffer, Run, Ware};
use crate::card::Edition;
use crate::content::ConsumableKind;
use crate::content::packs::PackKind;
use crate::content::vocabulary::Passive;
use crate::content::vouchers::{VOUCHER_COST, VoucherEffect};
use crate::joker::{self, Joker};
use crate::payout::INTEREST_STEPS;

/// Dollars of a shop's first reroll before anything else.
const REROLL_COST: i64 = 5;

impl Run {
    /// The discount of vouchers in percent.
    #[must_use]
    pub fn discount(&self) -> i64 {
        let discount = |effect| match effect {
            VoucherEffect::Discount(percent) => percent,
            _ => 0,
        };
        self.vouchers.effects().map(discount).max().unwrap_or(0)
    }

    /// Dollars that a joker costs.
    #[must_use]
    pub fn joker_price(&self, joker: &Joker) -> i64 {
        if joker.stickers.rental {
            return 1;
        }
        joker::price(joker.kind.spec().cost, joker.edition, self.discount())
    }

    /// Dollars that a joker sells for.
    #[must_use]
    pub fn joker_sell_value(&self, joker: &Joker) -> i64 {
        joker::sell_value(self.joker_price(joker)).saturating_add(joker.sell_bonus)
    }

    /// Dollars that a consumable sells for.
    #[must_use]
    pub fn consumable_sell_value(&self, consumable: &Consumable) -> i64 {
        let edition = consumable.negative.then_some(Edition::Negative);
        let price = joker::price(consumable.kind.spec().cost(), edition, self.discount());
        joker::sell_value(price).saturating_add(consumable.sell_bonus)
    }

    /// Dollars that a card slot of the shop costs.
    #[must_use]
    pub fn offer_price(&self, offer: &Offer) -> i64 {
        if offer.free {
            return 0;
        }
        match &offer.ware {
            Ware::Joker(joker) => self.joker_price(joker),
            Ware::Consumable(kind) => {
                let is_planet = kind.spec().kind == ConsumableKind::Planet;
                if is_planet && self.has_passive(Passive::FreePlanets) {
                    return 0;
                }
                joker::price(kind.spec().cost(), None, self.discount())
            }
            Ware::Card(card) => joker::price(1, card.edition, self.discount()),
        }
    }

    /// Dollars that a pack costs.
    #[must_use]
    pub fn pack_price(&self, offer: &PackOffer) -> i64 {
        let spec = offer.pack.spec();
        let is_celestial = spec.kind == PackKind::Celestial;
        if offer.free || is_celestial && self.has_passive(Passive::FreePlanets) {
            return 0;
        }
        joker::price(spec.cost, None, self.discount())
    }

    /// Dollars that a voucher costs.
    #[must_use]
    pub fn voucher_price(&self) -> i64 {
        joker::price(VOUCHER_COST, None, self.discount())
    }

    /// Dollars that the shop's next reroll costs (rules: balatro 10).
    #[must_use]
    pub fn reroll_cost(&self) -> i64 {
        let Some(shop) = &self.shop else { return REROLL_COST };
        if self.free_rerolls_left() > 0 {
            return 0;
        }
        let cheaper = |effect| match effect {
            VoucherEffect::CheaperReroll(dollars) => dollars,
            _ => 0,
        };
        let discount: i64 = self.vouchers.effects().map(cheaper).sum();
        let base = if shop.rerolls_from_zero { 0 } else { (REROLL_COST - discount).max(0) };
        base + i64::from(shop.paid_rerolls)
    }

    /// Rerolls of this shop that cost nothing.
    #[must_use]
    pub fn free_rerolls_left(&self) -> u32 {
        let each = |passive: &Passive| match *passive {
            Passive::FreeRerolls(rerolls) => rerolls,
            _ => 0,
        };
        let total: u32 = self.passives().map(|(_, passive)| each(passive)).sum();
        total.saturating_sub(self.shop.as_ref().map_or(0, |shop| shop.free_rerolls))
    }

    /// Whether the money allows a price: nothing is owed beyond what jokers allow; what is free is
    /// always allowed.
    #[must_use]
    pub fn can_afford(&self, price: i64) -> bool {
        let allowed = |passive: &Passive| match *passive {
            Passive::MinMoney(dollars) => dollars,
            _ => 0,
        };
        let least: i64 = self.passives().map(|(_, passive)| allowed(passive)).sum();
        price == 0 || self.money.saturating_sub(price) >= least
    }

    /// Most steps of interest and dollars of each (rules: balatro 9).
    #[must_use]
    pub fn interest(&self) -> (i64, i64) {
        let steps = |effect| match effect {
            VoucherEffect::InterestSteps(steps) => steps,
            _ => 0,
        };
        let more = |passive: &Passive| match *passive {
            Passive::Interest(dollars) => dollars,
            _ => 0,
        };
        let most = self.vouchers.effects().map(steps).max().unwrap_or(0).max(INTEREST_STEPS);
        let rate: i64 = self.passives().map(|(_, passive)| more(passive)).sum();
        (if self.options.deck_spec().interest { most } else { 0 }, 1 + rate)
    }
}
