//! Buying, and taking cards of packs.

use alloc::vec::Vec;

use super::consumables;
use super::table::{Table, scene_joker};
use crate::card::{Card, Rank, Suit};
use crate::command::Command;
use crate::content::packs::PackKind;
use crate::content::{ConsumableId, ConsumableKind, Rarity};
use crate::joker::{ItemId, Joker};
use crate::poker::most_played;
use crate::score::SceneJoker;
use crate::state::Ware;
use crate::view::RunView;

/// Dollars that are kept for interest when packs are bought.
const KEPT_FOR_PACKS: i64 = 6;
/// Dollars that are kept when a voucher is bought.
const KEPT_FOR_VOUCHERS: i64 = 15;
/// Dollars from which the shop is rerolled.
const RICH: i64 = 30;
/// How much better a joker must be than the worst owned one to take its place.
const BETTER: f64 = 1.3;

/// The bot's choice in a shop.
pub fn buy(run: &RunView) -> Command {
    let Some(shop) = &run.shop else { return Command::LeaveShop };
    if let Some(command) = buy_joker(run) {
        return command;
    }
    let wanted = |ware: &Ware| match ware {
        Ware::Consumable(kind) => wants_consumable(run, *kind),
        Ware::Joker(_) | Ware::Card(_) => false,
    };
    if let Some(offer) = shop.cards.iter().find(|offer| offer.buyable && wanted(&offer.ware)) {
        return Command::Buy(offer.item);
    }
    let worth = |price: i64| price == 0 || run.money - price >= KEPT_FOR_VOUCHERS;
    if let Some(offer) = shop.vouchers.iter().find(|offer| offer.buyable && worth(offer.price)) {
        return Command::Redeem(offer.item);
    }
    let kind = |pack: crate::content::PackId| pack.spec().kind;
    let useful = |pack| matches!(kind(pack), PackKind::Celestial | PackKind::Buffoon);
    let pack = shop.packs.iter().find(|view| {
        let kept = run.money - view.price >= KEPT_FOR_PACKS || view.price == 0;
        view.buyable && kept && useful(view.offer.pack)
    });
    if let Some(view) = pack {
        return Command::OpenPack(view.offer.item);
    }
    if run.may.reroll && run.money - shop.reroll_cost >= RICH {
        return Command::Reroll;
    }
    Command::LeaveShop
}

fn wants_consumable(run: &RunView, kind: ConsumableId) -> bool {
    match kind.spec().kind {
        ConsumableKind::Planet => is_planet_wanted(run, kind),
        ConsumableKind::Tarot | ConsumableKind::Spectral => {
            kind.spec().targets.1 == 0
                && run.money >= RICH
                && consumables::targets(run, kind).is_some()
        }
    }
}

fn is_planet_wanted(run: &RunView, kind: ConsumableId) -> bool {
    let favourite = most_played(&run.hands);
    kind.planet_hand().is_some_and(|hand| {
        let plays = run.hands[hand.index()].run;
        hand == favourite || plays * 2 >= run.hands[favourite.index()].run.max(1)
    })
}

/// The joker that improves the sample plays most, if it is affordable; the worst owned joker is
/// sold for a much better one.
fn buy_joker(run: &RunView) -> Option<Command> {
    let shop = run.shop.as_ref()?;
    let offered = shop.cards.iter().filter_map(|offer| match &offer.ware {
        Ware::Joker(joker) => Some((offer, joker)),
        Ware::Consumable(_) | Ware::Card(_) => None,
    });
    let mut samples = None;
    let mut best: Option<(f64, &crate::view::OfferView)> = None;
    // Without room only what is rarer is worth a look.
    let looked_at = offered.filter(|(offer, joker)| {
        offer.price <= run.money && (offer.buyable || joker.kind.spec().rarity != Rarity::Common)
    });
    for (offer, joker) in looked_at {
        let worth = samples.get_or_insert_with(|| Samples::of(run)).worth(joker);
        if worth > 1.02 && best.is_none_or(|(value, _)| worth > value) {
            best = Some((worth, offer));
        }
    }
    let (worth, offer) = best?;
    if offer.buyable {
        return Some(Command::Buy(offer.item));
    }
    // No owned joker is worth less than nothing.
    if worth <= BETTER {
        return None;
    }
    let (least, item) = samples?.worst(run)?;
    (worth > least * BETTER).then_some(Command::Sell(item))
}

/// Plays on which jokers are tried.
struct Samples {
    table: Table,
    row: Vec<SceneJoker>,
    before: [f64; 2],
}

const fn card(rank: Rank, suit: Suit) -> Card {
    Card::new(rank, suit)
}

const HELD: [Card; 3] = [
    card(Rank::King, Suit::Spades),
    card(Rank::Seven, Suit::Hearts),
    card(Rank::Four, Suit::Clubs),
];

const PLAYS: [[Card; 5]; 2] = [
    [
        card(Rank::Queen, Suit::Hearts),
        card(Rank::Queen, Suit::Clubs),
        card(Rank::Eight, Suit::Diamonds),
        card(Rank::Eight, Suit::Spades),
        card(Rank::Three, Suit::Clubs),
    ],
    [
        card(Rank::Ace, Suit::Hearts),
        card(Rank::Jack, Suit::Hearts),
        card(Rank::Eight, Suit::Hearts),
        card(Rank::Five, Suit::Hearts),
        card(Rank::Two, Suit::Hearts),
    ],
];

impl Samples {
    fn of(run: &RunView) -> Self {
        let mut table = Table::of(run);
        let row = table.jokers();
        let before = PLAYS.map(|play| table.score_of(&play, &HELD));
        Self { table, row, before }
    }

    /// How many times better the sample plays are with the row as it is now, on average.
    fn ratio(&mut self) -> f64 {
        let mut sum = 0.0;
        self.table.set_jokers(&self.row);
        for (play, before) in PLAYS.iter().zip(self.before) {
            sum += self.table.score_of(play, &HELD) / before.max(1.0);
        }
        sum / PLAYS.len() as f64
    }

    fn worth(&mut self, joker: &Joker) -> f64 {
        self.row.push(scene_joker(joker, 1));
        let ratio = self.ratio();
        self.row.pop();
        // What grows or pays is worth more than the first play shows.
        let spec = joker.kind.spec();
        let grows = spec.value.is_some() || spec.copies.is_some();
        let rare = matches!(spec.rarity, Rarity::Rare | Rarity::Legendary);
        ratio + if grows { 0.1 } else { 0.0 } + if rare { 0.05 } else { 0.0 }
    }

    /// What the least useful joker of the row is worth.
    fn worst(&mut self, run: &RunView) -> Option<(f64, ItemId)> {
        let mut worst: Option<(f64, ItemId)> = None;
        let seen = run.jokers.iter().filter(|view| view.joker.is_some()).enumerate();
        for (place, view) in seen.filter(|(_, view)| view.sellable) {
            let joker = self.row.remove(place);
            let worth = 1.0 / self.ratio().max(0.001);
            self.row.insert(place, joker);
            if worst.is_none_or(|(value, _)| worth < value) {
                worst = Some((worth, view.item));
            }
        }
        worst
    }
}

/// The bot's choice from an open pack.
pub fn take(run: &RunView) -> Command {
    let Some(pack) = &run.pack else { return Command::SkipPack };
    let mut samples = None;
    let mut best: Option<(f64, Command)> = None;
    for choice in pack.choices.iter().filter(|choice| choice.pickable) {
        let (worth, targets) = match &choice.ware {
            Ware::Joker(joker) => {
                (samples.get_or_insert_with(|| Samples::of(run)).worth(joker), Vec::new())
            }
            Ware::Card(card) if card.rank.chips() < 10 && card.enhancement.is_none() => continue,
            Ware::Card(_) => (0.5, Vec::new()),
            Ware::Consumable(kind) => match consumables::targets(run, *kind) {
                Some(targets) => {
                    let wanted = is_planet_wanted(run, *kind);
                    (if wanted { 2.0 } else { 1.0 }, targets)
                }
                None => continue,
            },
        };
        if best.as_ref().is_none_or(|(value, _)| worth > *value) {
            best = Some((worth, Command::Pick { item: choice.item, targets }));
        }
    }
    best.map_or(Command::SkipPack, |(_, command)| command)
}
