//! Carries out what a seat may do: works the events out one by one on a copy of the table.

use alloc::vec::Vec;

use crate::card::Card;
use crate::event::{Event, Faces};
use crate::evolve::evolve;
use crate::options::Options;
use crate::shoe::{Occasion, Shoe, Stock, StockOrder};
use crate::state::{Round, State};

/// A copy of the table, the events that made it what it is, and the order of shuffled cards.
///
/// The copy is cheap: stock and last settlement are shared with the original.
pub(crate) struct Croupier<'a> {
    state: State,
    order: &'a mut dyn StockOrder,
    events: Vec<Event>,
}

impl<'a> Croupier<'a> {
    pub(crate) fn new(state: &State, order: &'a mut dyn StockOrder) -> Self {
        // Most commands make one or two events, and the last one of a round a handful.
        Self { state: state.clone(), order, events: Vec::with_capacity(6) }
    }

    /// What happened.
    pub(crate) fn finish(self) -> Vec<Event> {
        self.events
    }

    /// Lets something happen.
    pub(crate) fn record(&mut self, event: Event) {
        evolve(&mut self.state, &event);
        self.events.push(event);
    }

    pub(crate) const fn options(&self) -> &Options {
        &self.state.options
    }

    pub(crate) const fn state(&self) -> &State {
        &self.state
    }

    pub(crate) const fn round(&self) -> Option<&Round> {
        self.state.round.as_ref()
    }

    pub(crate) const fn faces(&self) -> Faces {
        if self.state.options.player_cards_public { Faces::Up } else { Faces::Down }
    }

    /// Shuffles the whole shoe.
    pub(crate) fn shuffle_shoe(&mut self) {
        let stock = Shoe::shuffled(&self.state.options, self.order);
        self.record(shuffled(Occasion::Shoe, stock));
    }

    /// The next cards of the stock, the tray shuffled below it when it is too small. The event
    /// that is then recorded draws them. `None` when both together are too few.
    pub(crate) fn next_cards<const COUNT: usize>(&mut self) -> Option<[Card; COUNT]> {
        self.provide(COUNT)?;
        self.state.shoe.stock().first_chunk().copied()
    }

    /// Makes sure that the stock has `count` cards.
    pub(crate) fn provide(&mut self, count: usize) -> Option<&[Card]> {
        if self.state.shoe.stock().len() < count {
            if self.state.shoe.available() < count {
                return None;
            }
            let number = self.round().map_or(1, |round| round.reshuffles.saturating_add(1));
            let occasion = Occasion::Tray { number };
            let stock = self.state.shoe.refilled(occasion, self.order);
            self.record(shuffled(occasion, stock));
        }
        self.state.shoe.stock().get(..count)
    }
}

fn shuffled(occasion: Occasion, stock: Stock) -> Event {
    let count = u16::try_from(stock.len()).unwrap_or(u16::MAX);
    Event::Shuffled { occasion, count, stock: Some(stock) }
}
