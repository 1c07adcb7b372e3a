//! Consumables that change, destroy or add held cards (rules: balatro 11).

use alloc::vec;
use alloc::vec::Vec;

use super::draft::Draft;
use super::effects::Moment;
use super::start::pick;
use super::stock::draw_some_edition;
use crate::card::{Card, CardId, Enhancement, Rank, Suit};
use crate::content::ConsumableId;
use crate::content::consumables::ConsumableAct;
use crate::content::vocabulary::Trigger;
use crate::event::{Destination, Event, HandCard, MoneyCause};

impl Draft<'_> {
    pub(super) fn apply_to_cards(&mut self, kind: ConsumableId, targets: &[CardId]) {
        match kind.spec().act {
            ConsumableAct::Enhance(enhancement) => {
                self.change(targets, |card| card.enhancement = Some(enhancement));
            }
            ConsumableAct::SetSuit(suit) => self.change(targets, |card| card.suit = suit),
            ConsumableAct::RankUp => self.change(targets, |card| card.rank = card.rank.next()),
            ConsumableAct::AddSeal(seal) => self.change(targets, |card| card.seal = Some(seal)),
            ConsumableAct::AddEdition => {
                let mut stream = self.stream_now(kind.id());
                let edition = draw_some_edition(&mut stream);
                self.change(targets, |card| card.edition = Some(edition));
            }
            ConsumableAct::CopyRight => self.copy_right(targets),
            ConsumableAct::DestroyTargets => self.destroy_held(targets),
            ConsumableAct::OneSuit => {
                let mut stream = self.stream_now(kind.id());
                let suit = Suit::ALL[stream.below(4) as usize];
                self.change(&self.held_ids(), |card| card.suit = suit);
            }
            ConsumableAct::OneRank => {
                let mut stream = self.stream_now(kind.id());
                let rank = Rank::ALL[stream.below(13) as usize];
                self.change(&self.held_ids(), |card| card.rank = rank);
                self.emit(Event::HandSizeChanged { by: -1, for_negative: false });
            }
            ConsumableAct::DestroyHeld(count, dollars) => {
                let mut held = self.held_ids();
                let mut stream = self.stream_now(kind.id());
                stream.shuffle(&mut held);
                held.truncate(count as usize);
                self.destroy_held(&held);
                self.earn(dollars, MoneyCause::Consumable(kind));
            }
            ConsumableAct::Exchange(count, ranks) => {
                let mut stream = self.stream_now(kind.id());
                let destroyed = pick(&self.held_ids(), &mut stream);
                self.destroy_held(destroyed.as_slice());
                let mut new = || random_enhanced(ranks, &mut stream);
                let cards: Vec<Card> = (0..count).filter_map(|_| new()).collect();
                self.add_cards_and_react(cards, Destination::Hand);
            }
            ConsumableAct::CopyCard(count) => {
                let place = targets.first().and_then(|card| self.run.hand_place(*card));
                if let Some(card) = place.map(|place| self.run.hand[place]) {
                    let copy = Card { played_this_ante: false, ..card };
                    self.add_cards_and_react(vec![copy; count as usize], Destination::Hand);
                }
            }
            // Acts on jokers, money and levels.
            _ => {}
        }
    }

    fn held_ids(&self) -> Vec<CardId> {
        self.run.hand.iter().map(|card| card.id).collect()
    }

    /// Changes held cards; what is face down stays face down.
    fn change(&mut self, cards: &[CardId], change: impl Fn(&mut Card)) {
        let places = cards.iter().filter_map(|card| self.run.hand_place(*card));
        let changed = |place: usize| {
            let mut card = self.run.hand[place];
            change(&mut card);
            HandCard::seen(card)
        };
        let cards: Vec<HandCard> = places.map(changed).collect();
        if !cards.is_empty() {
            self.emit(Event::CardsChanged { cards });
        }
    }

    /// The left of two targets becomes a copy of the right one, by hand order.
    fn copy_right(&mut self, targets: &[CardId]) {
        let mut places: Vec<usize> =
            targets.iter().filter_map(|card| self.run.hand_place(*card)).collect();
        places.sort_unstable();
        if let [left, right] = places[..] {
            let (left, right) = (self.run.hand[left], self.run.hand[right]);
            let copy = Card {
                id: left.id,
                face_down: left.face_down,
                played_this_ante: left.played_this_ante,
                ..right
            };
            self.emit(Event::CardsChanged { cards: vec![HandCard::seen(copy)] });
        }
    }

    /// Held cards are destroyed, and jokers react.
    pub(super) fn destroy_held(&mut self, cards: &[CardId]) {
        let mods = self.run.mods().0;
        let (mut glass, mut faces) = (0, 0);
        for place in cards.iter().filter_map(|card| self.run.hand_place(*card)) {
            let card = self.run.with_debuff(&self.run.hand[place], mods);
            glass += i64::from(card.enhancement == Some(Enhancement::Glass));
            faces += i64::from(mods.face(&card));
        }
        if !cards.is_empty() {
            self.emit(Event::CardsDestroyed { cards: cards.to_vec() });
            self.trigger(Trigger::CardsDestroyed, &Moment { glass, faces, ..Moment::default() });
        }
    }
}

/// A card of one of these ranks, of random suit, enhanced but not Stone.
fn random_enhanced(ranks: &[Rank], stream: &mut parlor_game::Stream) -> Option<Card> {
    let rank = pick(ranks, stream)?;
    let suit = pick(&Suit::ALL, stream)?;
    let kinds: Vec<Enhancement> =
        Enhancement::ALL.into_iter().filter(|kind| *kind != Enhancement::Stone).collect();
    Some(Card { enhancement: pick(&kinds, stream), ..Card::new(rank, suit) })
}
