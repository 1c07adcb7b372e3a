//! A small language for what happens in a run, so that a test is a line of a table.
//!
//! A line is `subject | setup | action | expected`. Setup and expectations are `name=value` words;
//! see [`Scenario::set`] and [`Scenario::check`]. Cards are `KH`, with `*steel` an enhancement,
//! with `+foil` an edition, with `!red` a seal.

mod action;
mod expect;
mod setup;

use parlor_balatro::card::{Card, CardId, Edition, Enhancement, Seal, Suit};
use parlor_balatro::content::{ConsumableId, DeckId, JokerId, PackId, VoucherId};
use parlor_balatro::joker::{ItemId, Joker};
use parlor_balatro::poker::HandType;
use parlor_balatro::state::{
    Consumable, Offer, PackOffer, Phase, Run, Shop, VoucherOffer, VoucherSlot, Ware,
};
use parlor_balatro::{Balatro, Command, Event, Options, State};
use parlor_game::{Actor, Entropy, Game, Refusal};

use crate::support::{PLAYER, dealt, entropy};

/// Numbers of cards and items that setups hand out, out of the way of the run's own.
const FIRST_CARD: u16 = 1000;
const FIRST_ITEM: u32 = 1000;

/// A line of a table.
pub struct Line<'a> {
    pub subject: &'a str,
    pub setup: &'a str,
    pub action: &'a str,
    pub expected: &'a str,
}

/// The lines of a table; `#` begins a comment.
pub fn lines(table: &str) -> Vec<Line<'_>> {
    let lines = table.lines().map(str::trim).filter(|it| !it.is_empty() && !it.starts_with('#'));
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split('|').map(str::trim).collect();
            let [subject, setup, action, expected] = columns[..] else {
                panic!("a line has four columns: {line}");
            };
            Line { subject, setup, action, expected }
        })
        .collect()
}

/// A run that a line sets up.
pub struct Scenario {
    pub state: State,
    pub entropy: Entropy,
    pub events: Vec<Event>,
    pub refused: Option<&'static str>,
    /// The joker or consumable that the line is about.
    pub subject: ItemId,
    before: Run,
    played: Vec<CardId>,
    next: u32,
    /// What shops and packs have offered.
    samples: Vec<Ware>,
}

pub fn card(text: &str) -> Card {
    let end = text.find(['*', '+', '!']).unwrap_or(text.len());
    let mut card = Card::parse(&text[..end]).unwrap_or_else(|| panic!("card {text}"));
    let mut rest = &text[end..];
    while let Some(sign) = rest.chars().next() {
        let end = rest[1..].find(['*', '+', '!']).map_or(rest.len(), |end| end + 1);
        let word = &rest[1..end];
        match sign {
            '*' => card.enhancement = Some(Enhancement::from_id(word).unwrap()),
            '+' => card.edition = Some(Edition::from_id(word).unwrap()),
            _ => card.seal = Some(Seal::from_id(word).unwrap()),
        }
        rest = &rest[end..];
    }
    card
}

fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split_whitespace().map(|word| word.split_once('=').unwrap_or((word, "")))
}

fn number<T: std::str::FromStr>(text: &str) -> T {
    text.parse().unwrap_or_else(|_| panic!("not a number: {text:?}"))
}

fn pair(text: &str) -> (&str, &str) {
    text.split_once(':').unwrap_or_else(|| panic!("not a pair: {text:?}"))
}

fn hand(text: &str) -> HandType {
    HandType::from_id(text).unwrap_or_else(|| panic!("hand {text}"))
}

impl Scenario {
    /// A run in its first blind select, on the deck that the setup names.
    pub fn new(seed: u64, setup: &str) -> Self {
        let entropy = entropy(seed);
        let mut options = Options::default();
        for (name, value) in words(setup) {
            match name {
                "starting" => options.deck = Some(DeckId::from_id(value).unwrap()),
                "stake" => {
                    options.stake = parlor_balatro::content::Stake::from_id(value).unwrap();
                }
                _ => {}
            }
        }
        let state = dealt(&options, &entropy);
        let before = (**state.run.as_ref().unwrap()).clone();
        Self {
            state,
            entropy,
            events: Vec::new(),
            refused: None,
            subject: ItemId(FIRST_ITEM),
            before,
            played: Vec::new(),
            next: FIRST_ITEM,
            samples: Vec::new(),
        }
    }

    pub fn run(&mut self) -> &mut Run {
        self.state.run.as_mut().unwrap()
    }

    fn item(&mut self) -> ItemId {
        self.next += 1;
        ItemId(self.next - 1)
    }

    /// Puts a joker at the right end of the row.
    pub fn add_joker(&mut self, id: &str) -> ItemId {
        let item = self.item();
        let kind = JokerId::from_id(id).unwrap_or_else(|| panic!("joker {id}"));
        self.run().jokers.push(Joker::new(item, kind));
        item
    }

    /// Gives a consumable.
    pub fn add_consumable(&mut self, id: &str) -> ItemId {
        let item = self.item();
        let kind = ConsumableId::from_id(id).unwrap_or_else(|| panic!("consumable {id}"));
        let consumable = Consumable { item, kind, negative: false, sell_bonus: 0 };
        self.run().consumables.push(consumable);
        item
    }

    /// Opens a shop that offers nothing but what is put in.
    pub fn open_shop(&mut self) -> &mut Shop {
        let run = self.run();
        run.phase = Phase::Shop;
        run.voucher = VoucherSlot::Gone;
        run.tally.shops = 1;
        run.shop = Some(Box::new(Shop {
            cards: Vec::new(),
            vouchers: Vec::new(),
            packs: Vec::new(),
            paid_rerolls: 0,
            free_rerolls: 0,
            rerolls_from_zero: false,
        }));
        run.shop.as_mut().unwrap()
    }

    /// Puts something on offer, as `joker:ID`, `item:ID`, `card:KH`, `voucher:ID` or `pack:ID`.
    pub fn offer(&mut self, text: &str) -> ItemId {
        let item = self.item();
        let (kind, id) = pair(text);
        let shop = self.run().shop.as_mut().unwrap();
        let mut ware = |ware| shop.cards.push(Offer { item, ware, free: false });
        match kind {
            "joker" => ware(Ware::Joker(Joker::new(item, JokerId::from_id(id).unwrap()))),
            "item" => ware(Ware::Consumable(ConsumableId::from_id(id).unwrap())),
            "card" => ware(Ware::Card(card(id))),
            "voucher" => {
                let voucher = VoucherId::from_id(id).unwrap();
                shop.vouchers.push(VoucherOffer { item, voucher });
            }
            _ => {
                let pack = PackId::from_id(id).unwrap();
                shop.packs.push(PackOffer { item, pack, free: false });
            }
        }
        item
    }

    /// Gives a command; a refusal is remembered.
    pub fn command(&mut self, command: &Command) {
        match Balatro::decide(&self.state, Actor::Seat(PLAYER), command, &self.entropy) {
            Ok(events) => {
                events.iter().for_each(|event| Balatro::evolve(&mut self.state, event));
                self.events.extend(events);
            }
            Err(Refusal { reason, .. }) => self.refused = Some(reason),
        }
    }
}

pub fn suit(text: &str) -> Suit {
    Suit::from_letter(text.chars().next().unwrap()).unwrap()
}

/// Runs every line of a table; `begin` puts the subject into the run.
pub fn run_table(table: &str, begin: impl Fn(&mut Scenario, &Line<'_>)) {
    let mut failed = Vec::new();
    for (number, line) in lines(table).iter().enumerate() {
        let mut scenario = Scenario::new(number as u64, line.setup);
        begin(&mut scenario, line);
        scenario.set(line.setup);
        scenario.act(line.action);
        if let Err(error) = scenario.check(line.expected) {
            let Line { subject, setup, action, .. } = line;
            failed.push(format!("{subject} | {setup} | {action}: {error}"));
        }
    }
    assert!(failed.is_empty(), "{} lines fail:\n{}", failed.len(), failed.join("\n"));
}

/// Whether a table has a line for every id.
pub fn assert_all_covered(table: &str, ids: impl Iterator<Item = &'static str>) {
    let lines = lines(table);
    let missing: Vec<&str> =
        ids.filter(|id| lines.iter().all(|line| line.subject != *id)).collect();
    assert!(missing.is_empty(), "no line for {missing:?}");
}
