//! The cards that are not on the table: the stock and the tray (rules: blackjack 8).
//!
//! The stock is drawn from the top by a cursor. The tray holds the discards of earlier rounds of
//! the shoe, and of this round the hands that went bust or were surrendered; when the stock runs
//! out in the middle of a round, the tray is shuffled and put below what is left.

use alloc::format;
use alloc::sync::Arc;
use alloc::vec::Vec;

use parlor_game::Entropy;
use serde::{Deserialize, Serialize};

use crate::card::{Card, DECK};
use crate::options::Options;

/// Cards in the order in which they will be drawn.
pub type Stock = Arc<[Card]>;

/// Why cards are shuffled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Occasion {
    /// The whole shoe, before a round.
    Shoe,
    /// The tray, in the middle of a round.
    Tray {
        /// Counts the reshuffles of the round from 1.
        number: u16,
    },
}

/// Who says in which order shuffled cards lie.
///
/// The rules ask for an order and do not care where it comes from: a table takes it from its
/// verifiable shuffle ([`Fair`]), a prepared case from its own list.
pub trait StockOrder {
    /// Rearranges `cards`; the first will be on top.
    fn arrange(&mut self, occasion: Occasion, cards: &mut [Card]);
}

/// The order that the verifiable shuffle gives: `Entropy::deal` for the whole shoe, and the
/// stream labelled `blackjack/tray/<number>` for the tray.
#[derive(Clone, Copy, Debug)]
pub struct Fair<'a>(pub &'a Entropy);

impl StockOrder for Fair<'_> {
    fn arrange(&mut self, occasion: Occasion, cards: &mut [Card]) {
        match occasion {
            Occasion::Shoe => self.0.deal().shuffle(cards),
            Occasion::Tray { number } => {
                self.0.labelled(&format!("blackjack/tray/{number}")).shuffle(cards);
            }
        }
    }
}

/// The stock and the tray.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shoe {
    stock: Stock,
    drawn: u16,
    tray: Vec<Card>,
}

impl Shoe {
    /// A stock in the order in which it will be drawn, and a tray.
    #[must_use]
    pub fn new(stock: Stock, tray: Vec<Card>) -> Self {
        Self { stock, drawn: 0, tray }
    }

    /// The cards of the stock from the top.
    #[must_use]
    pub fn stock(&self) -> &[Card] {
        self.stock.get(usize::from(self.drawn)..).unwrap_or_default()
    }

    /// The discards, in no order that matters.
    #[must_use]
    pub fn tray(&self) -> &[Card] {
        &self.tray
    }

    /// Cards that a round can still draw.
    #[must_use]
    pub fn available(&self) -> usize {
        self.stock().len() + self.tray.len()
    }

    /// The whole shoe of these options in the order that `order` gives.
    #[must_use]
    pub fn shuffled(options: &Options, order: &mut dyn StockOrder) -> Stock {
        let mut cards = Vec::with_capacity(shoe_size(options));
        for _ in 0..options.decks {
            cards.extend(Card::deck());
        }
        order.arrange(Occasion::Shoe, &mut cards);
        cards.into()
    }

    /// The rest of the stock above the tray in the order that `order` gives.
    #[must_use]
    pub fn refilled(&self, occasion: Occasion, order: &mut dyn StockOrder) -> Stock {
        let rest = self.stock();
        let mut cards = Vec::with_capacity(self.available());
        cards.extend_from_slice(rest);
        cards.extend_from_slice(&self.tray);
        order.arrange(occasion, &mut cards[rest.len()..]);
        cards.into()
    }

    /// Whether the cut card has come: less than the part below it is left.
    #[must_use]
    pub fn is_past_cut_card(&self, options: &Options) -> bool {
        let below = 100_usize.saturating_sub(usize::from(options.penetration_percent));
        self.stock().len() * 100 < shoe_size(options) * below
    }

    pub(crate) fn replace(&mut self, stock: &Stock) {
        self.stock = Arc::clone(stock);
        self.drawn = 0;
        self.tray.clear();
    }

    pub(crate) fn draw(&mut self, cards: usize) {
        let drawn = usize::from(self.drawn).saturating_add(cards).min(self.stock.len());
        self.drawn = u16::try_from(drawn).unwrap_or(u16::MAX);
    }

    pub(crate) fn discard(&mut self, cards: &[Card]) {
        self.tray.extend_from_slice(cards);
    }

    pub(crate) fn permute(&mut self, cards: &mut impl Iterator<Item = Card>) {
        let stock: Vec<Card> =
            self.stock().iter().map(|&card| cards.next().unwrap_or(card)).collect();
        self.stock = stock.into();
        self.drawn = 0;
        self.tray.reverse();
    }
}

/// Cards of the whole shoe.
#[must_use]
pub fn shoe_size(options: &Options) -> usize {
    usize::from(options.decks) * DECK
}
