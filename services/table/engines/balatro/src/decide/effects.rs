//! Jokers outside of plays: who reacts to what, and if.

use alloc::vec::Vec;

use super::draft::Draft;
use crate::blind::Blind;
use crate::card::Card;
use crate::content::ConsumableKind;
use crate::content::jokers::JokerSpec;
use crate::content::vocabulary::{Amount, Condition, Mark, Trigger, Variable};
use crate::joker::{self, ItemId, Joker};
use crate::number::Hundredths;
use crate::poker::HandType;

/// What jokers react to.
#[derive(Clone, Copy, Default)]
pub(super) struct Moment<'a> {
    /// The selected cards of a discard.
    pub cards: &'a [Card],
    /// The type that they form.
    pub hand: Option<HandType>,
    /// The card that is discarded just now.
    pub card: Option<Card>,
    /// The kind of the consumable that was used.
    pub used: Option<ConsumableKind>,
    /// Playing cards that joined the deck.
    pub added: i64,
    /// Glass cards that were destroyed.
    pub glass: i64,
    /// Face cards that were destroyed.
    pub faces: i64,
    /// A quarter of the target was scored.
    pub quarter: bool,
}

/// What jokers ask of whom they react to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reaction {
    /// Dollars for the payout.
    pub payout: i64,
    /// Retriggers of held cards.
    pub retriggers: u32,
    /// The discarded card is destroyed.
    pub destroys_card: bool,
    /// The round is saved.
    pub saves: bool,
}

/// A joker that reacts: itself, and whom it acts as.
#[derive(Clone, Copy)]
pub(super) struct Role {
    /// The joker.
    pub item: ItemId,
    /// The joker that it acts as; itself unless it copies.
    pub of: Joker,
}

impl Role {
    pub fn copies(&self) -> bool {
        self.item != self.of.item
    }

    pub fn spec(&self) -> &'static JokerSpec {
        self.of.kind.spec()
    }
}

impl Draft<'_> {
    /// The role of the joker at a place; `None` when it does nothing.
    pub(super) fn role(&self, place: usize) -> Option<Role> {
        let of = joker::acts_as(|at| self.run.link(at), place)?;
        Some(Role { item: self.run.jokers[place].item, of: self.run.jokers[of] })
    }

    /// Lets every joker react, left to right. Jokers that go meanwhile do not react any more.
    pub(super) fn trigger(&mut self, trigger: Trigger, moment: &Moment<'_>) -> Reaction {
        let mut reaction = Reaction::default();
        let may_react = |joker: &Joker| {
            let spec = joker.kind.spec();
            spec.copies.is_some() || spec.reacts(trigger)
        };
        if !self.run.jokers.iter().any(may_react) {
            return reaction;
        }
        let row: Vec<ItemId> =
            self.run.jokers.iter().filter(|it| may_react(it)).map(|it| it.item).collect();
        for item in row {
            let role = self.run.joker_place(item).and_then(|place| self.role(place));
            if let Some(role) = role {
                self.react(role, trigger, moment, &mut reaction);
            }
            // One joker saves the round; the next one is kept for another.
            if reaction.saves {
                break;
            }
        }
        reaction
    }

    /// Lets one joker react.
    pub(super) fn react(
        &mut self,
        role: Role,
        trigger: Trigger,
        moment: &Moment<'_>,
        reaction: &mut Reaction,
    ) {
        if !role.spec().reacts(trigger) {
            return;
        }
        for effect in role.spec().effects {
            let foreign = effect.own && role.copies();
            if effect.on != trigger || foreign {
                continue;
            }
            if effect.when.iter().all(|condition| self.holds(condition, role, moment)) {
                for act in effect.then {
                    self.perform(act, role, trigger, moment, reaction);
                }
            }
        }
    }

    fn holds(&mut self, condition: &Condition, role: Role, moment: &Moment<'_>) -> bool {
        let (mods, _) = self.run.mods();
        let round = &self.run.round;
        let rank_of = |card: &Card| (!card.is_stone() && !card.debuffed).then_some(card.rank);
        match *condition {
            Condition::Chance(numerator, denominator) => {
                self.chance(role.spec().id, numerator, denominator)
            }
            Condition::Ranks(ranks) => {
                moment.card.as_ref().and_then(rank_of).is_some_and(|rank| ranks.contains(rank))
            }
            Condition::Marked(Mark::MailRank) => {
                moment.card.as_ref().and_then(rank_of) == Some(round.marks.mail_rank)
            }
            Condition::Marked(Mark::CastleSuit) => {
                moment.card.is_some_and(|card| mods.effect_suit(&card, round.marks.castle_suit))
            }
            Condition::FirstDiscard => round.discards_used == 0,
            Condition::Discarding(count) => moment.cards.len() == count,
            Condition::DiscardingFaces(count) => {
                moment.cards.iter().filter(|card| mods.face(card)).count() >= count
            }
            Condition::NoDiscardUsed => round.discards_used == 0,
            Condition::AgainstBoss(expected) => (self.run.blind == Blind::Boss) == expected,
            Condition::RightDestructible => {
                self.right_of(role.item).is_some_and(|joker| !joker.stickers.eternal)
            }
            Condition::PlanetUsed => moment.used == Some(ConsumableKind::Planet),
            Condition::QuarterScored => moment.quarter,
            Condition::ValueAtLeast(least) => role.of.state.value >= Hundredths::whole(least),
            Condition::ConsumableRoom => self.run.consumable_room() > 0,
            // Conditions of a play.
            _ => false,
        }
    }

    /// The joker to the right of another.
    pub(super) fn right_of(&self, item: ItemId) -> Option<Joker> {
        let place = self.run.joker_place(item)?;
        self.run.jokers.get(place + 1).copied()
    }

    pub(super) fn amount(&self, amount: Amount, role: Role, moment: &Moment<'_>) -> Hundredths {
        let units = |of| self.variable(of, role, moment);
        match amount {
            Amount::Whole(value) => Hundredths::whole(value),
            Amount::Part(value) => Hundredths(value),
            Amount::Value => role.of.state.value,
            Amount::Each(each, of) => Hundredths::whole(each.saturating_mul(units(of))),
            Amount::OnePlus(each, of) => Hundredths(100).plus(Hundredths(each * units(of))),
            Amount::PartEach(each, of) => Hundredths(each * units(of)),
            // Only plays have random amounts.
            Amount::Random(low, _) => Hundredths::whole(low),
        }
    }

    fn variable(&self, variable: Variable, role: Role, moment: &Moment<'_>) -> i64 {
        match variable {
            Variable::RightSellValue => {
                self.right_of(role.item).map_or(0, |joker| self.run.joker_sell_value(&joker))
            }
            Variable::DiscardsLeft => i64::from(self.run.round.discards_left),
            Variable::Nines => self.run.nines(),
            Variable::PlanetsUsed => i64::from(self.run.tally.planets_used.count_ones()),
            Variable::CardsAdded => moment.added,
            Variable::GlassDestroyed => moment.glass,
            Variable::FacesDestroyed => moment.faces,
            // Variables of a play.
            _ => 0,
        }
    }
}
