//! Packs: opening, taking, skipping (rules: balatro 10).

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use parlor_game::Refusal;

use super::draft::Draft;
use super::draw::Occasion;
use super::effects::Moment;
use super::label::Label;
use super::stock::fill_pack;
use super::{no_room, no_such_item};
use crate::card::CardId;
use crate::content::PackId;
use crate::content::vocabulary::Trigger;
use crate::event::{Destination, Event, MoneyCause};
use crate::joker::ItemId;
use crate::reason;
use crate::state::{Choice, OpenPack, Phase, Ware};

impl Draft<'_> {
    pub(super) fn open_bought_pack(&mut self, item: ItemId) -> Result<(), Refusal> {
        self.require(Phase::Shop)?;
        let shop = self.run.shop.as_ref();
        let offer = shop.and_then(|shop| shop.packs.iter().find(|offer| offer.item == item));
        let offer = *offer.ok_or_else(no_such_item)?;
        let price = self.run.pack_price(&offer);
        self.require_money(price)?;
        self.earn(-price, MoneyCause::Purchase);
        self.emit(Event::OfferTaken { item });
        self.open_pack(offer.pack);
        Ok(())
    }

    /// Opens a pack: its cards, and a hand for those that need one.
    pub(super) fn open_pack(&mut self, pack: PackId) {
        let number = self.run.tally.packs;
        let first = self.next_item();
        let mut stream = self.stream(&Label::new("pack").number(number));
        let wares = fill_pack(&self.run, pack, first, &mut stream);
        let items = (first.0..).map(ItemId);
        let choices: Vec<Choice> =
            items.zip(wares).map(|(item, ware)| Choice { item, ware }).collect();
        let spec = pack.spec();
        let open = OpenPack { pack, choices, picks_left: spec.choose };
        self.emit(Event::PackOpened { pack: Box::new(open) });
        if spec.kind.deals_hand() {
            self.shuffle();
            self.draw(Occasion::Refill);
        }
        self.trigger(Trigger::PackOpened, &Moment::default());
    }

    pub(super) fn pick(&mut self, item: ItemId, targets: &[CardId]) -> Result<(), Refusal> {
        let pack = self.run.pack.as_ref().ok_or_else(no_pack)?;
        let choice = pack.choices.iter().find(|choice| choice.item == item);
        let choice = *choice.ok_or_else(no_such_item)?;
        if !targets.is_empty() && !matches!(choice.ware, Ware::Consumable(_)) {
            return Err(super::consume::wrong_targets());
        }
        match choice.ware {
            Ware::Joker(joker) if !self.run.has_joker_room(joker.edition) => {
                return Err(no_room());
            }
            Ware::Joker(joker) => {
                self.emit(Event::PackPicked { item });
                self.emit_joker(joker);
            }
            Ware::Card(card) => {
                self.emit(Event::PackPicked { item });
                self.add_cards_and_react(vec![card], Destination::Deck);
            }
            Ware::Consumable(kind) => {
                self.run.check_use(kind, None, targets)?;
                self.emit(Event::PackPicked { item });
                self.take_effect(kind, targets);
            }
        }
        let done = |pack: &OpenPack| pack.picks_left == 0 || pack.choices.is_empty();
        if self.run.pack.as_deref().is_some_and(done) {
            self.close_pack();
        }
        Ok(())
    }

    pub(super) fn skip_pack(&mut self) -> Result<(), Refusal> {
        if self.run.pack.is_none() {
            return Err(no_pack());
        }
        self.close_pack();
        self.trigger(Trigger::PackSkipped, &Moment::default());
        Ok(())
    }

    fn close_pack(&mut self) {
        self.emit(Event::PackClosed);
        if self.run.phase == Phase::BlindSelect {
            self.settle_tags();
        }
    }
}

fn no_pack() -> Refusal {
    Refusal::illegal(reason::NO_PACK_OPEN, "no pack is open")
}
