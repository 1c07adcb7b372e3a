//! Consumables that change, copy or destroy jokers (rules: balatro 11).

use alloc::vec::Vec;

use super::draft::Draft;
use super::start::pick;
use super::stock::draw_some_edition;
use crate::card::Edition;
use crate::content::ConsumableId;
use crate::content::consumables::ConsumableAct;
use crate::event::{Event, Removal};
use crate::joker::{ItemId, Joker};

impl Draft<'_> {
    pub(super) fn apply_to_jokers(&mut self, kind: ConsumableId) {
        match kind.spec().act {
            ConsumableAct::ChanceEdition if self.chance(kind.id(), 1, 4) => {
                let edition = draw_some_edition(&mut self.stream_now(kind.id()));
                self.give_edition(kind, edition);
            }
            ConsumableAct::MakeNegative => {
                let cards = i32::try_from(self.run.tally.ectoplasms).unwrap_or(i32::MAX - 1) + 1;
                self.give_edition(kind, Edition::Negative);
                self.emit(Event::HandSizeChanged { by: -cards, for_negative: true });
            }
            ConsumableAct::KeepOnePoly => {
                if let Some(kept) = self.give_edition(kind, Edition::Poly) {
                    self.destroy_all_but(kept.item);
                }
            }
            ConsumableAct::KeepAndCopyOne => {
                let all = self.run.jokers.clone();
                if let Some(kept) = pick(&all, &mut self.stream_now(kind.id())) {
                    self.destroy_all_but(kept.item);
                    // Eternal jokers survive and may leave no room for the copy.
                    if self.run.joker_room() > 0 {
                        self.copy_joker(&kept);
                    }
                }
            }
            // Acts on cards, money and levels.
            _ => {}
        }
    }

    /// A random joker without an edition gets one.
    fn give_edition(&mut self, kind: ConsumableId, edition: Edition) -> Option<Joker> {
        let plain: Vec<Joker> = self.run.plain_jokers().copied().collect();
        let chosen = pick(&plain, &mut self.stream_now(kind.id()))?;
        let joker = Joker { edition: Some(edition), ..chosen };
        self.emit(Event::JokerChanged { joker });
        Some(joker)
    }

    fn destroy_all_but(&mut self, kept: ItemId) {
        let doomed =
            self.run.jokers.iter().filter(|joker| joker.item != kept && !joker.stickers.eternal);
        let items: Vec<ItemId> = doomed.map(|joker| joker.item).collect();
        for item in items {
            self.remove_joker(item, Removal::Destroyed);
        }
    }
}
