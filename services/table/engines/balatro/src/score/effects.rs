//! Jokers during a play: conditions, amounts and acts.

use super::outcome::{Created, CreatedKind, StepKind, StepSource};
use super::rolls::RollKey;
use super::scorer::{About, Scorer, Spot};
use crate::card::{Card, CardId, Enhancement, Suit};
use crate::content::vocabulary::{Act, Amount, Condition, Kind, Mark, Passive, Trigger, Variable};
use crate::content::{ConsumableKind, Rarity};
use crate::number::Hundredths;
use crate::poker::HandType;

impl Scorer<'_> {
    /// Whether any joker has an effect at a trigger.
    pub(super) const fn reacts(&self, trigger: Trigger) -> bool {
        self.row.reactors[trigger as usize] != 0
    }

    /// Lets every joker react, left to right. The number of retriggers that they ask for.
    #[inline]
    pub(super) fn fire_all(&mut self, trigger: Trigger, about: About) -> u32 {
        let mut left = self.row.reactors[trigger as usize];
        let mut retriggers = 0;
        while left != 0 {
            retriggers += self.react(left.trailing_zeros() as usize, trigger, about);
            left &= left - 1;
        }
        retriggers
    }

    /// Lets the joker at `place` react, if it does.
    #[inline]
    pub(super) fn fire(&mut self, place: usize, trigger: Trigger, about: About) {
        if self.row.reactors[trigger as usize] & 1 << place != 0 {
            self.react(place, trigger, about);
        }
    }

    /// The reaction of the joker at `place`. The number of retriggers that it asks for.
    fn react(&mut self, place: usize, trigger: Trigger, about: About) -> u32 {
        let copies = self.row.acts_as(place) != place;
        let mut retriggers = 0;
        for effect in self.acting(place).kind.spec().effects {
            let foreign = effect.own && copies;
            if effect.on != trigger || foreign {
                continue;
            }
            if effect.when.iter().all(|condition| self.holds(condition, place, about)) {
                for act in effect.then {
                    retriggers += self.perform(act, place, about);
                }
            }
        }
        retriggers
    }

    // This and `perform` stay out of `react`: most reactions end at a condition, and inlined they
    // would cost each of them what they share.
    #[inline(never)]
    fn holds(&mut self, condition: &Condition, place: usize, about: About) -> bool {
        if let Some(spot) = about.spot
            && let Some(holds) = self.holds_of_card(condition, spot)
        {
            return holds;
        }
        let facts = &self.scene.facts;
        match *condition {
            Condition::LuckyTriggered => about.lucky,
            Condition::Chance(numerator, denominator) => {
                let kind = self.acting(place).kind;
                self.chance(RollKey::Joker(kind), numerator, denominator)
            }
            Condition::Contains(hand) => self.formed.contains.contains(hand),
            Condition::ListedHand => self.state(place).listed_hand() == self.formed.hand,
            Condition::PlayedBefore => self.record.round > 1,
            Condition::SoleMostPlayed(expected) => self.is_sole_most_played() == expected,
            Condition::PlayedAtMost(count) => self.played.len() <= count,
            Condition::PlayedExactly(count) => self.played.len() == count,
            Condition::FirstHand => facts.hands_played == 0,
            Condition::HandsLeft(count) => facts.hands_left == count,
            Condition::ExactDiscards(count) => facts.discards_left == count,
            Condition::ScoringFace(expected) => {
                self.scoring().any(|place| self.row.mods.face(&self.played[place])) == expected
            }
            Condition::ScoringRank(rank) => self.scoring().any(|place| {
                let card = &self.played[place];
                !card.is_stone() && card.rank == rank
            }),
            Condition::FourSuits => self.has_four_suits(),
            Condition::ClubAndOther => self.has_club_and_other(),
            Condition::AllHeldBlack => (0..self.held_count()).all(|place| self.is_black(place)),
            Condition::MoneyAtMost(dollars) => self.money <= dollars,
            Condition::EnhancedAtLeast(count) => {
                i64::from(facts.enhanced_cards) + self.deck_change.2 >= i64::from(count)
            }
            Condition::Every(count) => (self.state(place).value.to_whole() + 1) % count == 0,
            Condition::OtherUncommon => about.other.is_some_and(|other| {
                self.scene.jokers[usize::from(other)].kind.spec().rarity == Rarity::Uncommon
            }),
            Condition::ConsumableRoom => self.room > 0,
            // Conditions of other moments than a play.
            _ => false,
        }
    }

    /// A condition on the card at hand; `None` when the condition is about something else.
    fn holds_of_card(&self, condition: &Condition, spot: Spot) -> Option<bool> {
        let card = self.card(spot);
        let ranked = !card.is_stone();
        Some(match *condition {
            Condition::Suit(suit) => self.row.mods.effect_suit(card, suit),
            Condition::Ranks(ranks) => ranked && ranks.contains(card.rank),
            Condition::Face => self.row.mods.face(card),
            Condition::Enhanced(enhancement) => card.enhancement == Some(enhancement),
            Condition::FirstScoring => {
                self.scoring().next().is_some_and(|first| spot == Spot::Played(first as u8))
            }
            Condition::FirstScoringFace => {
                self.first_face.is_some_and(|first| spot == Spot::Played(first as u8))
            }
            Condition::LowestHeld => {
                self.lowest_held.is_some_and(|lowest| spot == Spot::Held(lowest as u16))
            }
            Condition::Marked(Mark::AncientSuit) => self
                .scene
                .facts
                .ancient_suit
                .is_some_and(|suit| self.row.mods.effect_suit(card, suit)),
            Condition::Marked(Mark::Idol) => self.scene.facts.idol.is_some_and(|(rank, suit)| {
                ranked && card.rank == rank && self.row.mods.effect_suit(card, suit)
            }),
            _ => return None,
        })
    }

    /// Carries an act out. The number of retriggers that it asks for.
    #[inline(never)]
    fn perform(&mut self, act: &Act, place: usize, about: About) -> u32 {
        let source = StepSource::Joker(place as u8);
        let on = about.spot.map(|spot| self.card(spot).id);
        match *act {
            Act::Chips(amount) => {
                let chips = self.amount(amount, place, about).to_f64();
                self.add_chips(source, on, chips);
            }
            Act::Mult(amount) => {
                let mult = self.amount(amount, place, about).to_f64();
                self.add_mult(source, on, mult);
            }
            Act::TimesMult(amount) => {
                let factor = self.amount(amount, place, about);
                // The empty-slot factor counts only above 1; no other factor is below it.
                if factor > Hundredths(100) {
                    self.times_mult(source, on, factor.to_f64());
                }
            }
            Act::Money(amount) => {
                let dollars = self.amount(amount, place, about).to_whole();
                self.earn(source, on, dollars);
            }
            Act::Retrigger(times) => return times,
            Act::Create(kind, count) => self.create(kind, count, place),
            Act::Grow(amount) => {
                let by = self.amount(amount, place, about);
                self.grow(place, by);
            }
            Act::Wither(amount, bound) => {
                let by = self.amount(amount, place, about);
                let state = self.state_mut(place);
                let left = Hundredths(state.value.0.saturating_sub(by.0).max(bound * 100));
                state.value = left;
                if left <= Hundredths::whole(bound) {
                    self.gone |= 1 << self.row.acts_as(place);
                }
            }
            Act::Reset(amount) => {
                self.state_mut(place).value = self.amount(amount, place, about);
            }
            Act::PermanentChips(chips) => self.add_permanent_chips(source, about.spot, chips),
            Act::LevelUp(by) => self.level_up(source, by),
            Act::CopyPlayed => self.copy_played(place),
            Act::StripScoring(each) => self.strip_scoring(each, place),
            Act::GildFaces => self.gild_faces(source),
            Act::DestroyCard => self.destroy_card(source, about.spot),
            // Acts of other moments than a play.
            _ => {}
        }
        0
    }

    fn amount(&mut self, amount: Amount, place: usize, about: About) -> Hundredths {
        match amount {
            Amount::Whole(value) => Hundredths::whole(value),
            Amount::Part(value) => Hundredths(value),
            Amount::Value => self.state(place).value,
            Amount::Each(each, of) => {
                Hundredths::whole(each.saturating_mul(self.variable(of, place, about)))
            }
            Amount::OnePlus(each, of) => Hundredths(100)
                .plus(Hundredths(each.saturating_mul(self.variable(of, place, about)))),
            Amount::PartEach(each, of) => {
                Hundredths(each.saturating_mul(self.variable(of, place, about)))
            }
            Amount::Random(low, high) => {
                let kind = self.acting(place).kind;
                Hundredths::whole(self.rolls.between(RollKey::Joker(kind), low, high))
            }
        }
    }

    fn variable(&self, variable: Variable, place: usize, about: About) -> i64 {
        let facts = &self.scene.facts;
        let jokers = &self.scene.jokers;
        match variable {
            Variable::CardChips => {
                about.spot.map_or(0, |spot| i64::from(self.card(spot).rank.chips()))
            }
            Variable::Jokers => jokers.len() as i64,
            Variable::EmptySlotsAndStencils => {
                let stencil = |passive: &Passive| *passive == Passive::Stencil;
                let stencils =
                    jokers.iter().filter(|joker| joker.kind.spec().passive.iter().any(stencil));
                let taken = jokers.len() as i64 - stencils.count() as i64;
                facts.joker_slots.saturating_sub(taken)
            }
            Variable::OtherSellValues => {
                let own = self.row.acts_as(place);
                let others = jokers.iter().enumerate().filter(|(other, _)| *other != own);
                others.map(|(_, joker)| joker.sell).fold(0, i64::saturating_add)
            }
            Variable::DiscardsLeft => i64::from(facts.discards_left),
            Variable::TimesPlayed => i64::from(self.record.run),
            Variable::DrawPile => i64::from(facts.draw_pile),
            Variable::MissingCards => {
                let now = i64::from(facts.deck_size) + self.copies.len() as i64;
                (i64::from(facts.starting_deck_size) - now).max(0)
            }
            Variable::SteelCards => (i64::from(facts.steel_cards) + self.deck_change.0).max(0),
            Variable::StoneCards => (i64::from(facts.stone_cards) + self.deck_change.1).max(0),
            Variable::Dollars => self.money.max(0),
            Variable::FiveDollars => self.money.max(0) / 5,
            Variable::Skips => i64::from(facts.skips),
            Variable::TarotsUsed => i64::from(facts.tarots_used),
            Variable::CardsAdded => i64::from(about.added),
            Variable::GlassDestroyed => i64::from(about.glass),
            Variable::FacesDestroyed => i64::from(about.faces),
            // Variables of other moments than a play.
            Variable::RightSellValue | Variable::Nines | Variable::PlanetsUsed => 0,
        }
    }

    fn create(&mut self, kind: Kind, count: u32, place: usize) {
        let kind = match kind {
            Kind::Tarot => ConsumableKind::Tarot,
            Kind::Planet => ConsumableKind::Planet,
            Kind::Spectral => ConsumableKind::Spectral,
            // No play creates jokers.
            Kind::Joker | Kind::CommonJoker | Kind::RareJoker | Kind::LegendaryJoker => return,
        };
        let by = self.acting(place).kind;
        for _ in 0..count.min(self.room) {
            self.room -= 1;
            self.created.push(Created { kind: CreatedKind::Consumable(kind), by });
            self.step(StepSource::Joker(place as u8), None, StepKind::Create, 1.0);
        }
    }

    fn grow(&mut self, place: usize, by: Hundredths) {
        if by != Hundredths(0) {
            let state = self.state_mut(place);
            state.value = state.value.plus(by);
            self.step(StepSource::Joker(place as u8), None, StepKind::Grow, by.to_f64());
        }
    }

    fn add_permanent_chips(&mut self, source: StepSource, spot: Option<Spot>, chips: u32) {
        if let Some(Spot::Played(played)) = spot {
            let card = &mut self.played[usize::from(played)];
            card.permanent_chips = card.permanent_chips.saturating_add(chips);
            let id = card.id;
            self.step(source, Some(id), StepKind::Grow, f64::from(chips));
        }
    }

    /// A copy of the played card joins deck and hand, and is held in this very play.
    fn copy_played(&mut self, place: usize) {
        let Some(&card) = self.played.first() else { return };
        let copy = Card { debuffed: false, face_down: false, played_this_ante: false, ..card };
        self.copies.push(copy);
        let by = self.acting(place).kind;
        self.created.push(Created { kind: CreatedKind::Card(copy), by });
        self.count_in_deck(&copy, 1);
        let source = StepSource::Joker(place as u8);
        self.step(source, Some(card.id), StepKind::Create, 1.0);
        self.fire_all(Trigger::DeckCardAdded, About { added: 1, ..About::default() });
    }

    fn strip_scoring(&mut self, each: Amount, place: usize) {
        let mut stripped = 0;
        for played in self.scoring() {
            let card = self.played[played];
            if card.enhancement.is_some() && !card.debuffed {
                self.count_in_deck(&card, -1);
                self.played[played].enhancement = None;
                stripped += 1;
            }
        }
        let by = self.amount(each, place, About::default());
        self.grow(place, Hundredths(by.0.saturating_mul(stripped)));
    }

    fn gild_faces(&mut self, source: StepSource) {
        for played in self.scoring() {
            if self.row.mods.face(&self.played[played]) {
                let card = self.played[played];
                self.count_in_deck(&card, -1);
                self.played[played].enhancement = Some(Enhancement::Gold);
                let gilded = self.played[played];
                self.count_in_deck(&gilded, 1);
                self.step(source, Some(card.id), StepKind::Grow, 0.0);
            }
        }
    }

    fn destroy_card(&mut self, source: StepSource, spot: Option<Spot>) {
        if let Some(Spot::Played(played)) = spot {
            self.destroyed |= 1 << played;
            let on: CardId = self.played[usize::from(played)].id;
            self.step(source, Some(on), StepKind::Destroy, 0.0);
        }
    }

    /// Keeps the counts of the full deck true while the play changes cards.
    fn count_in_deck(&mut self, card: &Card, by: i64) {
        let Some(enhancement) = card.enhancement else { return };
        self.deck_change.2 += by;
        match enhancement {
            Enhancement::Steel => self.deck_change.0 += by,
            Enhancement::Stone => self.deck_change.1 += by,
            _ => {}
        }
    }

    fn is_sole_most_played(&self) -> bool {
        let others = HandType::ALL.into_iter().filter(|hand| *hand != self.formed.hand);
        others.into_iter().all(|hand| self.scene.hands[hand.index()].run < self.record.run)
    }

    fn is_black(&self, place: usize) -> bool {
        let mut card = *self.held(place);
        card.debuffed = self.held_debuffed(&card);
        [Suit::Spades, Suit::Clubs].into_iter().any(|suit| self.row.mods.shape_suit(&card, suit))
    }

    /// Whether the scoring cards cover four suits, each card for one of them (rules: balatro 4).
    fn has_four_suits(&self) -> bool {
        const ORDER: [Suit; 4] = [Suit::Hearts, Suit::Diamonds, Suit::Spades, Suit::Clubs];
        let (mut marked, mut wilds) = (0_u8, 0);
        for card in self.scoring().map(|place| &self.played[place]) {
            if card.is_wild() {
                wilds += u32::from(!card.debuffed);
                continue;
            }
            let fits = |suit: &&Suit| {
                marked & 1 << **suit as u8 == 0 && self.row.mods.shape_suit(card, **suit)
            };
            if let Some(suit) = ORDER.iter().find(fits) {
                marked |= 1 << *suit as u8;
            }
        }
        marked.count_ones() + wilds >= 4
    }

    /// Whether a Club and a card of another suit score (rules: balatro 4).
    fn has_club_and_other(&self) -> bool {
        const ORDER: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts];
        let (mut marked, mut wilds) = (0_u8, 0);
        for card in self.scoring().map(|place| &self.played[place]) {
            if card.is_wild() {
                wilds += u32::from(!card.debuffed);
                continue;
            }
            for suit in ORDER {
                marked |= u8::from(self.row.mods.effect_suit(card, suit)) << suit as u8;
            }
        }
        for suit in ORDER {
            if wilds > 0 && marked & 1 << suit as u8 == 0 {
                marked |= 1 << suit as u8;
                wilds -= 1;
            }
        }
        let club = 1 << Suit::Clubs as u8;
        marked & club != 0 && marked & !club != 0
    }
}
