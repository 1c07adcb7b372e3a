//! Events about the shop and its packs.

use crate::content::VoucherId;
use crate::content::vouchers::VoucherEffect;
use crate::event::Event;
use crate::state::{Offer, Phase, Run, VoucherSlot, Ware};

impl Run {
    pub(super) fn evolve_shop(&mut self, event: &Event) {
        match event {
            Event::ShopOpened { shop, voucher } => {
                self.phase = Phase::Shop;
                self.tally.shops = self.tally.shops.saturating_add(1);
                if self.voucher == VoucherSlot::Undrawn {
                    self.voucher = voucher.map_or(VoucherSlot::Gone, VoucherSlot::Offered);
                }
                self.count_offers(&shop.cards);
                shop.vouchers.iter().for_each(|offer| self.count_item(offer.item));
                shop.packs.iter().for_each(|offer| self.count_item(offer.item));
                self.shop = Some(shop.clone());
            }
            Event::ShopRestocked { cards, free } => {
                self.count_offers(cards);
                if let Some(shop) = &mut self.shop {
                    shop.cards.clone_from(cards);
                    let counter =
                        if *free { &mut shop.free_rerolls } else { &mut shop.paid_rerolls };
                    *counter = counter.saturating_add(1);
                }
            }
            Event::OffersAdded { cards } => {
                self.count_offers(cards);
                if let Some(shop) = &mut self.shop {
                    shop.cards.extend(cards);
                }
            }
            Event::OfferTaken { item } => {
                if let Some(shop) = &mut self.shop {
                    shop.cards.retain(|offer| offer.item != *item);
                    shop.vouchers.retain(|offer| offer.item != *item);
                    shop.packs.retain(|offer| offer.item != *item);
                }
            }
            Event::VoucherRedeemed { voucher } => self.redeem(*voucher),
            Event::PackOpened { pack } => {
                self.tally.packs = self.tally.packs.saturating_add(1);
                pack.choices.iter().for_each(|choice| self.count_item(choice.item));
                self.pack = Some(pack.clone());
            }
            Event::PackPicked { item } => {
                if let Some(pack) = &mut self.pack {
                    pack.choices.retain(|choice| choice.item != *item);
                    pack.picks_left = pack.picks_left.saturating_sub(1);
                }
            }
            Event::PackClosed => {
                self.pack = None;
                self.gather_cards();
            }
            Event::ShopLeft => {
                self.shop = None;
                self.phase = Phase::BlindSelect;
            }
            _ => {}
        }
    }

    fn redeem(&mut self, voucher: VoucherId) {
        self.vouchers.insert(voucher);
        if self.voucher == VoucherSlot::Offered(voucher) {
            self.voucher = VoucherSlot::Gone;
        }
        if let VoucherEffect::AnteForHand | VoucherEffect::AnteForDiscard = voucher.spec().effect {
            self.ante = self.ante.saturating_sub(1);
        }
    }

    fn count_offers(&mut self, offers: &[Offer]) {
        for offer in offers {
            self.count_item(offer.item);
            if let Ware::Joker(joker) = &offer.ware {
                self.count_item(joker.item);
            }
        }
    }
}
