//! A run that a command is changing: every change is an event, applied at once to a scratch copy.
//!
//! Chance comes from streams labelled by purpose. What a player can compare with others in a daily
//! challenge (shuffles, shops, packs, bosses, tags, vouchers, rolls of a play) is labelled by its
//! place in the run, so that it does not depend on what was done before; everything else by the
//! number of events before it.

use alloc::vec::Vec;

use parlor_game::{Entropy, Stream};

use super::label::Label;
use crate::card::{Card, CardId};
use crate::content::{ConsumableId, JokerId};
use crate::event::{Destination, Event, HandCard, MoneyCause, Removal};
use crate::joker::{ItemId, Joker};
use crate::state::{Consumable, Run};

/// Most cards of a full deck; no more are added to it.
pub const MAX_DECK: usize = 1000;

/// A run being changed.
pub struct Draft<'a> {
    /// The run with all events so far.
    pub run: Run,
    /// What has happened, in order.
    pub events: Vec<Event>,
    entropy: &'a Entropy,
    draws: u32,
}

impl<'a> Draft<'a> {
    pub fn new(run: &Run, entropy: &'a Entropy) -> Self {
        Self { run: run.clone(), events: Vec::with_capacity(8), entropy, draws: 0 }
    }

    /// Lets something happen.
    pub fn emit(&mut self, event: Event) {
        self.run.evolve(&event);
        self.events.push(event);
    }

    /// The stream of a place in the run. Each label may be used once.
    pub fn stream(&self, label: &Label) -> Stream {
        self.entropy.labelled(label.as_str())
    }

    /// A stream that no other draw of the run has.
    pub fn stream_now(&mut self, purpose: &str) -> Stream {
        self.draws += 1;
        let (steps, draws) = (self.run.steps, self.draws);
        self.stream(&Label::new(purpose).word("now").number(steps).number(draws))
    }

    /// Whether something of a listed chance happens now (rules: balatro 5.4).
    pub fn chance(&mut self, purpose: &str, numerator: u32, denominator: u32) -> bool {
        let doublings = self.run.mods().1;
        let numerator = numerator.checked_shl(doublings).unwrap_or(u32::MAX);
        if doublings >= 16 || numerator >= denominator {
            return true;
        }
        self.stream_now(purpose).chance(numerator, denominator)
    }

    /// Earns (or pays) dollars; nothing happens for none.
    pub fn earn(&mut self, by: i64, cause: MoneyCause) {
        if by != 0 {
            let money = self.run.money.saturating_add(by);
            self.emit(Event::MoneyChanged { by, cause, money });
        }
    }

    /// The next free item number.
    pub fn next_item(&self) -> ItemId {
        ItemId(self.run.next_item)
    }

    /// The run's chance.
    pub fn entropy(&self) -> &'a Entropy {
        self.entropy
    }

    /// A new joker joins the row. The caller has checked the room.
    pub fn gain_joker(&mut self, kind: JokerId) {
        let joker = Joker::new(self.next_item(), kind);
        self.emit_joker(joker);
    }

    /// A joker joins the row, and what it changes about the round takes effect.
    pub fn emit_joker(&mut self, joker: Joker) {
        let before = self.run.discards_per_round();
        self.emit(Event::JokerGained { joker });
        self.follow_discards(before);
    }

    /// A joker goes, and what it changes about the round takes effect.
    pub fn remove_joker(&mut self, joker: ItemId, removal: Removal) {
        let before = self.run.discards_per_round();
        self.emit(Event::JokerRemoved { joker, removal });
        self.follow_discards(before);
    }

    /// A new consumable is gained. The caller has checked the room.
    pub fn gain_consumable(&mut self, kind: ConsumableId) {
        let item = self.next_item();
        let consumable = Consumable { item, kind, negative: false, sell_bonus: 0 };
        self.emit(Event::ConsumableGained { consumable });
    }

    /// Playing cards join the deck; they get numbers of their own. How many did.
    pub fn add_cards(&mut self, mut cards: Vec<Card>, to: Destination) -> usize {
        cards.truncate(MAX_DECK.saturating_sub(self.run.full_deck().count()));
        for (number, card) in (self.run.next_card..u16::MAX).zip(&mut cards) {
            card.id = CardId(number);
        }
        let count = cards.len();
        if count > 0 {
            let cards = cards.into_iter().map(HandCard::seen).collect();
            self.emit(Event::CardsAdded { cards, to });
        }
        count
    }

    /// Discards of the running round follow what jokers give each round.
    fn follow_discards(&mut self, before: u32) {
        let now = self.run.discards_per_round();
        if self.run.phase == crate::state::Phase::Playing && now != before {
            let round = self.run.round;
            let discards_left = (round.discards_left + now).saturating_sub(before);
            self.change_round(round.hands_left, discards_left, round.hand_size);
        }
    }

    /// Plays, discards or hand size of the round change.
    pub fn change_round(&mut self, hands_left: u32, discards_left: u32, hand_size: i32) {
        self.emit(Event::RoundChanged { hands_left, discards_left, hand_size });
    }
}
