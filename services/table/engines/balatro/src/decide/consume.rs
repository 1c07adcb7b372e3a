//! Using consumables: whether it is allowed, and what happens (rules: balatro 11).

use alloc::vec::Vec;

use parlor_game::Refusal;

use super::draft::Draft;
use super::effects::Moment;
use super::{no_room, no_such_item, wrong_phase};
use crate::card::CardId;
use crate::content::ConsumableId;
use crate::content::consumables::ConsumableAct;
use crate::content::vocabulary::{Kind, Trigger};
use crate::event::{Event, MoneyCause, Removal};
use crate::joker::{ItemId, Joker};
use crate::poker::HandType;
use crate::reason;
use crate::selection::has_repeats;
use crate::state::{Consumable, Phase, Run};

impl Run {
    /// Whether a consumable may be used on these held cards now; `from` is the owned one whose slot
    /// becomes free, `None` for one of the open pack.
    ///
    /// # Errors
    /// The stable reason of the first condition that is not met.
    pub fn check_use(
        &self,
        kind: ConsumableId,
        from: Option<&Consumable>,
        targets: &[CardId],
    ) -> Result<(), Refusal> {
        let spec = kind.spec();
        let (least, most) = spec.targets;
        if targets.len() < least || targets.len() > most {
            return Err(wrong_targets().with("least", least as i64).with("most", most as i64));
        }
        if has_repeats(targets) {
            return Err(Refusal::illegal(reason::DUPLICATE_CARD, "a card is named twice"));
        }
        if targets.iter().any(|card| self.hand_place(*card).is_none()) {
            return Err(Refusal::illegal(reason::CARD_NOT_IN_HAND, "the card is not in hand"));
        }
        self.check_needs(spec.act, from, targets)
    }

    fn check_needs(
        &self,
        act: ConsumableAct,
        from: Option<&Consumable>,
        targets: &[CardId],
    ) -> Result<(), Refusal> {
        let useful = |useful: bool| if useful { Ok(()) } else { Err(cannot_use()) };
        let freed = usize::from(from.is_some_and(|consumable| !consumable.negative));
        let consumable_room = self.consumable_room() + freed > 0;
        match act {
            ConsumableAct::CopyLast if self.tally.last_used.is_none() => Err(cannot_use()),
            ConsumableAct::CopyLast if !consumable_room => Err(no_room()),
            ConsumableAct::Create(Kind::Tarot | Kind::Planet | Kind::Spectral, _)
                if !consumable_room =>
            {
                Err(no_room())
            }
            ConsumableAct::Create(
                Kind::Joker | Kind::CommonJoker | Kind::RareJoker | Kind::LegendaryJoker,
                _,
            )
            | ConsumableAct::RareForMoney
                if self.joker_room() == 0 =>
            {
                Err(no_room())
            }
            ConsumableAct::ChanceEdition
            | ConsumableAct::MakeNegative
            | ConsumableAct::KeepOnePoly => useful(self.plain_jokers().next().is_some()),
            ConsumableAct::KeepAndCopyOne => useful(!self.jokers.is_empty()),
            ConsumableAct::Exchange(..)
            | ConsumableAct::OneSuit
            | ConsumableAct::OneRank
            | ConsumableAct::DestroyHeld(..) => useful(!self.hand.is_empty()),
            ConsumableAct::AddEdition => {
                let target = targets.first().and_then(|card| self.hand_place(*card));
                useful(target.is_some_and(|place| self.hand[place].edition.is_none()))
            }
            _ => Ok(()),
        }
    }

    /// Jokers without an edition.
    pub(super) fn plain_jokers(&self) -> impl Iterator<Item = &Joker> {
        self.jokers.iter().filter(|joker| joker.edition.is_none())
    }

    /// Whether this is a moment in which consumables are used.
    #[must_use]
    pub fn may_use_consumables(&self) -> bool {
        matches!(self.phase, Phase::BlindSelect | Phase::Playing | Phase::Shop)
    }
}

impl Draft<'_> {
    pub(super) fn use_owned(&mut self, item: ItemId, targets: &[CardId]) -> Result<(), Refusal> {
        if !self.run.may_use_consumables() {
            return Err(wrong_phase());
        }
        let consumable = *self.run.consumable(item).ok_or_else(no_such_item)?;
        self.run.check_use(consumable.kind, Some(&consumable), targets)?;
        self.emit(Event::ConsumableRemoved { item, removal: Removal::UsedUp });
        self.take_effect(consumable.kind, targets);
        self.refill_if_empty();
        Ok(())
    }

    /// The consumable takes effect; the caller has checked that it can.
    pub(super) fn take_effect(&mut self, kind: ConsumableId, targets: &[CardId]) {
        let last = self.run.tally.last_used;
        self.emit(Event::ConsumableUsed { kind });
        self.apply(kind, targets, last);
        let used = Some(kind.spec().kind);
        self.trigger(Trigger::ConsumableUsed, &Moment { used, ..Moment::default() });
    }

    fn apply(&mut self, kind: ConsumableId, targets: &[CardId], last: Option<ConsumableId>) {
        let cause = MoneyCause::Consumable(kind);
        match kind.spec().act {
            ConsumableAct::CopyLast => {
                if let Some(last) = last {
                    self.gain_consumable(last);
                }
            }
            ConsumableAct::Create(what, count) => self.create(what, count, kind.id()),
            ConsumableAct::DoubleMoney(most) => self.earn(self.run.money.clamp(0, most), cause),
            ConsumableAct::SellValues(most) => {
                let values = self.run.jokers.iter().map(|joker| self.run.joker_sell_value(joker));
                let dollars = values.fold(0, i64::saturating_add).min(most);
                self.earn(dollars, cause);
            }
            ConsumableAct::LevelUp(hand) => self.level_up(hand, 1),
            ConsumableAct::LevelUpAll => {
                for hand in HandType::ALL {
                    self.level_up(hand, 1);
                }
            }
            ConsumableAct::RareForMoney => {
                self.create(Kind::RareJoker, 1, kind.id());
                self.earn(-self.run.money, cause);
            }
            ConsumableAct::ChanceEdition
            | ConsumableAct::MakeNegative
            | ConsumableAct::KeepAndCopyOne
            | ConsumableAct::KeepOnePoly => self.apply_to_jokers(kind),
            _ => {
                let targets: Vec<CardId> = targets.to_vec();
                self.apply_to_cards(kind, &targets);
            }
        }
    }
}

fn cannot_use() -> Refusal {
    Refusal::illegal(reason::CANNOT_USE_NOW, "it would do nothing now")
}

pub(super) fn wrong_targets() -> Refusal {
    Refusal::illegal(reason::WRONG_TARGETS, "it takes another number of cards")
}
