//! What a joker's main effect gives now.

use serde::Serialize;

use crate::content::jokers::JokerSpec;
use crate::content::vocabulary::{Act, Amount, Passive, Trigger, Variable};
use crate::joker::Joker;
use crate::number::Hundredths;
use crate::score::StepKind;
use crate::state::Run;

/// A number on a joker.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Shown {
    /// Chips, mult, a factor of mult, or money.
    pub kind: StepKind,
    /// How much.
    pub value: Hundredths,
}

impl Run {
    /// What a joker's main effect or payout gives now, whether its conditions hold or not; `None`
    /// when it is no number, or one that only a play has.
    #[must_use]
    pub fn shown(&self, joker: &Joker) -> Option<Shown> {
        let spec = joker.kind.spec();
        let main = |trigger| matches!(trigger, Trigger::Main | Trigger::Payout);
        let acts = spec.effects.iter().filter(|effect| main(effect.on)).flat_map(|it| it.then);
        acts.filter_map(|act| {
            let (kind, amount) = match *act {
                Act::Chips(amount) => (StepKind::Chips, amount),
                Act::Mult(amount) => (StepKind::Mult, amount),
                Act::TimesMult(amount) => (StepKind::TimesMult, amount),
                Act::Money(amount) => (StepKind::Money, amount),
                _ => return None,
            };
            self.amount_now(amount, joker).map(|value| Shown { kind, value })
        })
        .next()
    }

    fn amount_now(&self, amount: Amount, joker: &Joker) -> Option<Hundredths> {
        Some(match amount {
            Amount::Whole(value) => Hundredths::whole(value),
            Amount::Part(value) => Hundredths(value),
            Amount::Value => joker.state.value,
            Amount::Each(each, of) => {
                Hundredths::whole(each.saturating_mul(self.variable_now(of, joker)?))
            }
            Amount::OnePlus(each, of) => {
                Hundredths(100).plus(Hundredths(each * self.variable_now(of, joker)?))
            }
            Amount::PartEach(each, of) => Hundredths(each * self.variable_now(of, joker)?),
            Amount::Random(..) => return None,
        })
    }

    fn variable_now(&self, variable: Variable, joker: &Joker) -> Option<i64> {
        Some(match variable {
            Variable::Jokers => self.jokers.len() as i64,
            Variable::EmptySlotsAndStencils => {
                let is_stencil = |spec: &JokerSpec| spec.passive.contains(&Passive::Stencil);
                let stencils = self.jokers.iter().filter(|it| is_stencil(it.kind.spec())).count();
                self.joker_slots() - self.jokers.len() as i64 + stencils as i64
            }
            Variable::OtherSellValues => {
                let others = self.jokers.iter().filter(|other| other.item != joker.item);
                others.map(|other| self.joker_sell_value(other)).sum()
            }
            Variable::DiscardsLeft => i64::from(self.round.discards_left),
            Variable::DrawPile => self.draw_pile.len() as i64,
            Variable::MissingCards => {
                let facts = self.facts();
                i64::from(facts.starting_deck_size.saturating_sub(facts.deck_size))
            }
            Variable::SteelCards => i64::from(self.facts().steel_cards),
            Variable::StoneCards => i64::from(self.facts().stone_cards),
            Variable::Nines => self.nines(),
            Variable::Dollars => self.money.max(0),
            Variable::FiveDollars => self.money.max(0) / 5,
            Variable::Skips => i64::from(self.tally.skips),
            Variable::TarotsUsed => i64::from(self.tally.tarots_used),
            Variable::PlanetsUsed => i64::from(self.tally.planets_used.count_ones()),
            // Only a play or another moment has these.
            Variable::CardChips
            | Variable::RightSellValue
            | Variable::TimesPlayed
            | Variable::CardsAdded
            | Variable::GlassDestroyed
            | Variable::FacesDestroyed => return None,
        })
    }
}
