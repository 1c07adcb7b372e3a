//! The shop (rules: balatro 2, 10).

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use parlor_game::{Refusal, Stream};

use super::draft::Draft;
use super::effects::{Moment, Reaction, Role};
use super::label::Label;
use super::stock::{draw_pack, draw_voucher, stock_joker, stock_slot};
use super::{no_room, no_such_item};
use crate::content::bosses::BossEffect;
use crate::content::tags::TagEffect;
use crate::content::vocabulary::Trigger;
use crate::content::vouchers::VoucherEffect;
use crate::content::{PackId, Rarity, VoucherId};
use crate::event::{Destination, Event, MoneyCause, Removal};
use crate::joker::ItemId;
use crate::reason;
use crate::state::{Consumable, Offer, PackOffer, Phase, Shop, VoucherOffer, VoucherSlot, Ware};

/// Packs of a shop.
const PACK_SLOTS: u32 = 2;

impl Draft<'_> {
    pub(super) fn cash_out(&mut self) -> Result<(), Refusal> {
        self.require(Phase::RoundWon)?;
        self.earn(self.run.payout.total(), MoneyCause::Payout);
        self.emit(Event::CashedOut);
        self.open_shop();
        Ok(())
    }

    fn open_shop(&mut self) {
        let number = self.run.tally.shops;
        let rerolls_from_zero = self.spend_tag(|effect| effect == TagEffect::FreeRerolls).is_some();
        let free = self.spend_tag(|effect| effect == TagEffect::FreeShop).is_some();
        let mut stream = self.stream(&Label::new("shop").number(number).number(0));
        let slots = self.run.shop_slots();
        let mut cards = self.stock_cards(slots, &mut stream);
        if free {
            cards.iter_mut().for_each(|offer| offer.free = true);
        }
        let mut item = ItemId(self.run.next_item + slots as u32);
        let (vouchers, drawn) = self.stock_vouchers(&mut item);
        let mut stream = self.stream(&Label::new("packs").number(number));
        let mut packs = Vec::new();
        for slot in 0..PACK_SLOTS {
            let pack = match (number, slot) {
                (0, 0) => PackId::from_id("buffoon_normal"),
                _ => draw_pack(&mut stream),
            };
            packs.extend(pack.map(|pack| PackOffer { item, pack, free }));
            item.0 += 1;
        }
        let shop =
            Shop { cards, vouchers, packs, paid_rerolls: 0, free_rerolls: 0, rerolls_from_zero };
        self.emit(Event::ShopOpened { shop: Box::new(shop), voucher: drawn });
    }

    /// Uses up the first held tag with such an effect.
    fn spend_tag(&mut self, wanted: impl Fn(TagEffect) -> bool) -> Option<TagEffect> {
        let held = self.run.tags.iter().find(|held| wanted(held.tag.spec().effect)).copied()?;
        self.emit(Event::TagUsed { tag: held.tag });
        Some(held.tag.spec().effect)
    }

    /// Fills card slots; tags that want a say in it have it.
    fn stock_cards(&mut self, slots: usize, stream: &mut Stream) -> Vec<Offer> {
        let mut wares: Vec<Ware> = Vec::with_capacity(slots);
        let mut offers = Vec::with_capacity(slots);
        let first = self.run.next_item;
        for number in 0..slots as u32 {
            let item = ItemId(first + number);
            let forced = self.spend_tag(|effect| matches!(effect, TagEffect::ShopJoker(_)));
            let rarity: Option<Rarity> = match forced {
                Some(TagEffect::ShopJoker(rarity)) => Some(rarity),
                _ => None,
            };
            let ware = match rarity {
                Some(_) => stock_joker(&self.run, item, rarity, &wares, stream).map(Ware::Joker),
                None => stock_slot(&self.run, item, &wares, stream),
            };
            let Some(mut ware) = ware else { continue };
            let mut free = rarity.is_some();
            if let Ware::Joker(joker) = &mut ware
                && joker.edition.is_none()
                && let Some(TagEffect::ShopEdition(edition)) =
                    self.spend_tag(|effect| matches!(effect, TagEffect::ShopEdition(_)))
            {
                joker.edition = Some(edition);
                free = true;
            }
            wares.push(ware);
            offers.push(Offer { item, ware, free });
        }
        offers
    }

    /// The ante's voucher, and one more for each tag that wants one. Whether the first was drawn.
    fn stock_vouchers(&mut self, item: &mut ItemId) -> (Vec<VoucherOffer>, Option<VoucherId>) {
        let (number, ante) = (self.run.tally.shops, self.run.tally.antes);
        let mut shown = Vec::new();
        let mut drawn = None;
        match self.run.voucher {
            VoucherSlot::Undrawn => {
                let mut stream = self.stream(&Label::new("voucher").number(ante));
                drawn = draw_voucher(&self.run, &shown, &mut stream);
                shown.extend(drawn);
            }
            VoucherSlot::Offered(voucher) => shown.push(voucher),
            VoucherSlot::Gone => {}
        }
        let mut extra = None;
        while self.spend_tag(|effect| effect == TagEffect::ExtraVoucher).is_some() {
            let mut stream = extra
                .take()
                .unwrap_or_else(|| self.stream(&Label::new("extra_vouchers").number(number)));
            shown.extend(draw_voucher(&self.run, &shown, &mut stream));
            extra = Some(stream);
        }
        let mut offers = Vec::new();
        for voucher in shown {
            offers.push(VoucherOffer { item: *item, voucher });
            item.0 += 1;
        }
        (offers, drawn)
    }

    pub(super) fn buy(&mut self, item: ItemId) -> Result<(), Refusal> {
        self.require(Phase::Shop)?;
        let shop = self.run.shop.as_ref();
        let offer = shop.and_then(|shop| shop.cards.iter().find(|offer| offer.item == item));
        let offer = *offer.ok_or_else(no_such_item)?;
        let price = self.run.offer_price(&offer);
        self.require_money(price)?;
        if !self.run.has_room_for(&offer.ware) {
            return Err(no_room());
        }
        self.earn(-price, MoneyCause::Purchase);
        self.emit(Event::OfferTaken { item });
        match offer.ware {
            Ware::Joker(joker) => self.emit_joker(joker),
            Ware::Consumable(kind) => {
                let consumable = Consumable { item, kind, negative: false, sell_bonus: 0 };
                self.emit(Event::ConsumableGained { consumable });
            }
            Ware::Card(card) => self.add_cards_and_react(vec![card], Destination::Deck),
        }
        Ok(())
    }

    pub(super) fn redeem(&mut self, item: ItemId) -> Result<(), Refusal> {
        self.require(Phase::Shop)?;
        let shop = self.run.shop.as_ref();
        let offer = shop.and_then(|shop| shop.vouchers.iter().find(|offer| offer.item == item));
        let voucher = offer.ok_or_else(no_such_item)?.voucher;
        let price = self.run.voucher_price();
        self.require_money(price)?;
        self.earn(-price, MoneyCause::Purchase);
        self.emit(Event::OfferTaken { item });
        self.emit(Event::VoucherRedeemed { voucher });
        if voucher.spec().effect == VoucherEffect::ShopSlot {
            let mut stream = self.stream_now("overstock");
            let cards = self.stock_cards(1, &mut stream);
            self.emit(Event::OffersAdded { cards });
        }
        Ok(())
    }

    pub(super) fn reroll(&mut self) -> Result<(), Refusal> {
        self.require(Phase::Shop)?;
        let free = self.run.free_rerolls_left() > 0;
        let cost = self.run.reroll_cost();
        self.require_money(cost)?;
        self.earn(-cost, MoneyCause::Reroll);
        let shop = self.run.shop.as_ref();
        let rerolls = shop.map_or(0, |shop| shop.free_rerolls + shop.paid_rerolls);
        let number = self.run.tally.shops;
        let label = Label::new("shop").number(number).word("reroll").number(rerolls);
        let mut stream = self.stream(&label);
        let cards = self.stock_cards(self.run.shop_slots(), &mut stream);
        self.emit(Event::ShopRestocked { cards, free });
        self.trigger(Trigger::ShopReroll, &Moment::default());
        Ok(())
    }

    pub(super) fn leave_shop(&mut self) -> Result<(), Refusal> {
        self.require(Phase::Shop)?;
        self.trigger(Trigger::ShopExit, &Moment::default());
        self.emit(Event::ShopLeft);
        self.settle_tags();
        Ok(())
    }

    pub(super) fn sell(&mut self, item: ItemId) -> Result<(), Refusal> {
        if let Some(place) = self.run.joker_place(item) {
            return self.sell_joker(place);
        }
        let consumable = *self.run.consumable(item).ok_or_else(no_such_item)?;
        let dollars = self.run.consumable_sell_value(&consumable);
        self.emit(Event::ConsumableRemoved { item, removal: Removal::Sold });
        self.earn(dollars, MoneyCause::Sale);
        self.trigger(Trigger::CardSold, &Moment::default());
        Ok(())
    }

    fn sell_joker(&mut self, place: usize) -> Result<(), Refusal> {
        let joker = self.run.jokers[place];
        if joker.stickers.eternal {
            return Err(Refusal::illegal(reason::ETERNAL, "an eternal joker cannot be sold"));
        }
        let role: Option<Role> = self.role(place);
        let dollars = self.run.joker_sell_value(&joker);
        self.remove_joker(joker.item, Removal::Sold);
        self.earn(dollars, MoneyCause::Sale);
        if self.run.boss_effect() == BossEffect::DebuffAll {
            self.disable_boss();
        }
        if let Some(role) = role {
            let mut reaction = Reaction::default();
            self.react(role, Trigger::SelfSold, &Moment::default(), &mut reaction);
        }
        self.trigger(Trigger::CardSold, &Moment::default());
        Ok(())
    }
}
