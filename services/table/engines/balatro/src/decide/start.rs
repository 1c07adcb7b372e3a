//! A new run, and what each ante begins with.

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use parlor_game::{Entropy, Seat, Stream};

use super::draft::Draft;
use super::label::Label;
use crate::card::{Card, Rank, Suit};
use crate::content::bosses::BossEffect;
use crate::content::decks::{Composition, Profile};
use crate::content::tags::TagEffect;
use crate::content::vouchers::VoucherSet;
use crate::content::{BossId, ConsumableId, TagId, VoucherId};
use crate::event::{BossReroll, Event};
use crate::evolve::started;
use crate::joker::ItemId;
use crate::options::Options;
use crate::poker::HandType;
use crate::state::{Consumable, Run, Start, TagOffer};

/// The events that begin a run.
pub fn start(options: &Options, seat: Seat, entropy: &Entropy) -> Vec<Event> {
    let deck = options.deck_spec();
    let mut vouchers = VoucherSet::default();
    deck.vouchers.iter().filter_map(|id| VoucherId::from_id(id)).for_each(|it| vouchers.insert(it));
    let kinds = deck.consumables.iter().filter_map(|id| ConsumableId::from_id(id));
    let consumables = (0..).zip(kinds).map(|(number, kind)| Consumable {
        item: ItemId(number),
        kind,
        negative: false,
        sell_bonus: 0,
    });
    let start = Start {
        seat,
        options: options.clone(),
        money: options.profile.money() + deck.money,
        cards: cards(deck.composition, entropy),
        vouchers,
        consumables: consumables.collect(),
    };
    let Some(run) = started(&start) else { return Vec::new() };
    let mut draft = Draft::new(&run, entropy);
    draft.start_ante(1);
    let mut events = Vec::with_capacity(draft.events.len() + 1);
    events.push(Event::RunStarted(start.into()));
    events.append(&mut draft.events);
    events
}

/// The starting deck (rules: balatro 13). A random one takes the run's main stream.
fn cards(composition: Composition, entropy: &Entropy) -> Vec<Card> {
    let all = |suit| Rank::ALL.into_iter().map(move |rank| Card::new(rank, suit));
    let mut cards: Vec<Card> = Suit::ALL.into_iter().flat_map(all).collect();
    match composition {
        Composition::Standard => {}
        Composition::NoFaces => cards.retain(|card| !card.rank.is_face()),
        Composition::SpadesAndHearts => {
            for card in &mut cards {
                card.suit = if card.suit.is_red() { Suit::Hearts } else { Suit::Spades };
            }
        }
        Composition::Random => {
            let mut stream = entropy.deal();
            cards.iter_mut().for_each(|card| *card = random_card(&mut stream));
        }
    }
    for (number, card) in (0..).zip(&mut cards) {
        card.id.0 = number;
    }
    cards
}

/// A plain card of random rank and suit.
pub(super) fn random_card(stream: &mut Stream) -> Card {
    let rank = Rank::ALL[stream.below(13) as usize];
    Card::new(rank, Suit::ALL[stream.below(4) as usize])
}

/// One of the items; `None` when there are none.
pub(super) fn pick<T: Copy>(items: &[T], stream: &mut Stream) -> Option<T> {
    let place = stream.below(u32::try_from(items.len()).unwrap_or(u32::MAX));
    items.get(place as usize).copied()
}

impl Draft<'_> {
    /// Begins an ante: its boss and the two tags on offer.
    pub(super) fn start_ante(&mut self, ante: i32) {
        let number = self.run.tally.antes;
        let mut stream = self.stream(&Label::new("boss").number(number));
        let boss = draw_boss(&self.run, ante, &mut stream);
        let mut stream = self.stream(&Label::new("tag").number(number));
        let tags = [(); 2].map(|()| draw_tag(&self.run, ante, &mut stream));
        self.emit(Event::AnteStarted { ante, boss, tags });
    }

    /// Draws another boss for the ante.
    pub(super) fn draw_other_boss(&mut self, by: BossReroll) {
        let number = self.run.tally.boss_rerolls;
        let mut stream = self.stream(&Label::new("boss_reroll").number(number));
        let boss = draw_boss(&self.run, self.run.ante, &mut stream);
        self.emit(Event::BossRerolled { boss, by });
    }
}

/// Uniform among the bosses of the ante that were used least (rules: balatro 6).
fn draw_boss(run: &Run, ante: i32, stream: &mut Stream) -> BossId {
    let finisher = ante >= 2 && ante % 8 == 0;
    let eligible = |boss: &BossId| {
        let spec = boss.spec();
        let bars = matches!(spec.effect, BossEffect::BarHand(_));
        match run.options.profile {
            Profile::Classic if bars => false,
            Profile::Classic if finisher => spec.finisher,
            Profile::Classic => !spec.finisher && spec.from_ante <= ante.max(1),
            Profile::Seed => bars || matches!(spec.effect, BossEffect::DebuffSuit(_)),
        }
    };
    let uses = |boss: &BossId| run.boss_uses.get(boss.index()).copied().unwrap_or(0);
    let least = BossId::all().filter(eligible).map(|boss| uses(&boss)).min();
    let candidates: ArrayVec<BossId, { BossId::COUNT }> =
        BossId::all().filter(eligible).filter(|boss| Some(uses(boss)) == least).collect();
    pick(&candidates, stream).unwrap_or(run.boss)
}

fn draw_tag(run: &Run, ante: i32, stream: &mut Stream) -> TagOffer {
    let candidates: ArrayVec<TagId, { TagId::COUNT }> =
        TagId::all().filter(|tag| tag.spec().from_ante <= ante.max(1)).collect();
    let tag = pick(&candidates, stream).unwrap_or(run.tag_offers[0].tag);
    let hand = match tag.spec().effect {
        TagEffect::LevelUp(_) => {
            let visible: Vec<HandType> =
                HandType::ALL.into_iter().filter(|hand| run.is_visible(*hand)).collect();
            pick(&visible, stream)
        }
        _ => None,
    };
    TagOffer { tag, hand }
}
