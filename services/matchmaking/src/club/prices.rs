//! What a club's room costs: a price in cards for each length of a match.

use std::str::FromStr;

use parlor_proto::rules::v1::options::Game;
use parlor_proto::table::v1::TableSettings;

use super::MAX_CARDS;

/// Most prices of one list.
const MAX_PRICES: usize = 16;

/// Most cards that one room may cost.
const MAX_PRICE: i64 = MAX_CARDS / 1_000;

/// Hands of a mahjong match whose options do not say.
const MAHJONG_ROUNDS: u32 = 8;

/// One price.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CardPrice {
    /// A match of at most so many hands…
    pub hands: u32,
    /// …costs so many cards.
    pub cards: i64,
}

/// The prices, shortest match first, and the price of a match without an end. Without any, rooms
/// cost nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CardPrices(Vec<CardPrice>);

impl CardPrices {
    /// All prices; that of a match without an end has 0 hands and comes first.
    #[must_use]
    pub fn as_slice(&self) -> &[CardPrice] {
        &self.0
    }

    /// What a match of so many hands costs, 0 for one without an end. One that is longer than any
    /// in the list costs as much as one without an end, or else as the longest.
    #[must_use]
    pub fn of(&self, hands: u32) -> i64 {
        let endless = self.0.iter().find(|price| price.hands == 0);
        let enough = self.0.iter().find(|price| hands > 0 && price.hands >= hands);
        enough.or(endless).or(self.0.last()).map_or(0, |price| price.cards)
    }
}

impl FromStr for CardPrices {
    type Err = String;

    /// Reads `4=2,8=3,16=4,0=10`; nothing gives no prices.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut prices = Vec::new();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let read = |part: &str| {
                let (hands, cards) = part.split_once('=')?;
                let price = CardPrice {
                    hands: hands.trim().parse().ok()?,
                    cards: cards.trim().parse().ok()?,
                };
                (0..=MAX_PRICE).contains(&price.cards).then_some(price)
            };
            let price = read(part).ok_or_else(|| format!("{part:?} is no price such as 8=3"))?;
            if prices.iter().any(|earlier: &CardPrice| earlier.hands == price.hands) {
                return Err(format!("there are two prices for {} hands", price.hands));
            }
            prices.push(price);
        }
        if prices.len() > MAX_PRICES {
            return Err(format!("there are at most {MAX_PRICES} prices"));
        }
        prices.sort_unstable();
        Ok(Self(prices))
    }
}

/// How many hands a match has at most; 0: without an end.
#[must_use]
pub fn match_length(settings: &TableSettings) -> u32 {
    let game = settings.options.as_ref().and_then(|options| options.game.as_ref());
    let own = match game {
        Some(Game::Mahjong(options)) => options.rounds.unwrap_or(MAHJONG_ROUNDS),
        _ => 0,
    };
    match (own, settings.hands_limit) {
        (0, limit) => limit,
        (own, 0) => own,
        (own, limit) => own.min(limit),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn the_shortest_price_that_is_long_enough_counts() {
        for (prices, hands, cards) in [
            ("", 8, 0),
            ("4=2,8=3,16=4", 1, 2),
            ("4=2,8=3,16=4", 4, 2),
            ("16=4, 8=3, 4=2", 5, 3),
            ("4=2,8=3,16=4", 16, 4),
            ("4=2,8=3,16=4", 17, 4),
            ("4=2,8=3,16=4", 0, 4),
            ("4=2,8=3,16=4,0=10", 0, 10),
            ("4=2,8=3,16=4,0=10", 100, 10),
            ("0=1", 8, 1),
        ] {
            assert_eq!(prices.parse::<CardPrices>().unwrap().of(hands), cards, "{prices} {hands}");
        }
        for bad in ["4", "4=", "=2", "4=-1", "4=x", "4=2,4=3", "4=1000001"] {
            assert!(bad.parse::<CardPrices>().is_err(), "{bad}");
        }
    }
}
