//! Tags: gaining them and what they do (rules: balatro 13).

use super::draft::Draft;
use crate::content::PackId;
use crate::content::tags::TagEffect;
use crate::content::vocabulary::Kind;
use crate::event::{BossReroll, Event, MoneyCause};
use crate::state::{Phase, TagOffer};

impl Draft<'_> {
    /// A tag is gained, once more for each Double tag held; then what is due takes effect.
    pub(super) fn gain_tag(&mut self, tag: TagOffer) {
        let is_double = |held: &TagOffer| held.tag.spec().effect == TagEffect::Double;
        let mut copies = 1;
        if !is_double(&tag) {
            for held in self.run.tags.clone().into_iter().filter(is_double) {
                self.emit(Event::TagUsed { tag: held.tag });
                copies += 1;
            }
        }
        for _ in 0..copies {
            self.emit(Event::TagGained { tag });
        }
        self.settle_tags();
    }

    /// Lets the tags whose time it is take effect. Packs open one at a time.
    pub(super) fn settle_tags(&mut self) {
        for held in self.run.tags.clone() {
            let choosing = self.run.phase == Phase::BlindSelect && self.run.pack.is_none();
            let effect = held.tag.spec().effect;
            let due = match effect {
                TagEffect::PayPerHand(_)
                | TagEffect::PayPerDiscardLeft(_)
                | TagEffect::PayPerSkip(_)
                | TagEffect::CommonJokers(_)
                | TagEffect::LevelUp(_)
                | TagEffect::DoubleMoney(_) => true,
                TagEffect::RerollBoss => self.run.phase == Phase::BlindSelect,
                TagEffect::FreePack(_) => choosing,
                _ => false,
            };
            if due {
                self.emit(Event::TagUsed { tag: held.tag });
                self.apply_tag(held, effect);
            }
        }
    }

    fn apply_tag(&mut self, held: TagOffer, effect: TagEffect) {
        let cause = MoneyCause::Tag(held.tag);
        let tally = self.run.tally;
        match effect {
            TagEffect::PayPerHand(each) => {
                self.earn(each * i64::from(tally.hands_played), cause);
            }
            TagEffect::PayPerDiscardLeft(each) => {
                self.earn(each * i64::from(tally.discards_saved), cause);
            }
            TagEffect::PayPerSkip(each) => self.earn(each * i64::from(tally.skips), cause),
            TagEffect::DoubleMoney(most) => self.earn(self.run.money.clamp(0, most), cause),
            TagEffect::CommonJokers(count) => {
                self.create(Kind::CommonJoker, count, held.tag.id());
            }
            TagEffect::LevelUp(by) => {
                if let Some(hand) = held.hand {
                    self.level_up(hand, by);
                }
            }
            TagEffect::RerollBoss => self.draw_other_boss(BossReroll::Tag),
            TagEffect::FreePack(id) => {
                if let Some(pack) = PackId::from_id(id) {
                    self.open_pack(pack);
                }
            }
            // Wait for a shop, a round or a boss.
            _ => {}
        }
    }
}
