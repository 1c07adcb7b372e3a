//! Folds events into the state: total, without rules and without chance.

mod shop;

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::blind::{Blind, Disabled};
use crate::card::Card;
use crate::content::{BossId, ConsumableId, ConsumableKind, TagId};
use crate::event::{BossReroll, Destination, Discarder, Event, HandCard, Scored};
use crate::joker::{ItemId, Joker};
use crate::state::{Consumable, Phase, Round, Run, Start, State, TagOffer, Tally, VoucherSlot};

impl State {
    /// Folds one event in.
    pub fn evolve(&mut self, event: &Event) {
        match event {
            Event::RunStarted(start) => {
                self.runs = self.runs.saturating_add(1);
                self.run = started(start).map(Box::new);
            }
            event => {
                if let Some(run) = &mut self.run {
                    run.evolve(event);
                }
            }
        }
    }
}

/// The run of a start; the boss and the tags come with the first ante.
pub(crate) fn started(start: &Start) -> Option<Run> {
    let (boss, tag) = (BossId::all().next()?, TagId::all().next()?);
    Some(Run::new(start, boss, TagOffer { tag, hand: None }))
}

impl Run {
    /// Folds one event in.
    pub fn evolve(&mut self, event: &Event) {
        self.steps = self.steps.wrapping_add(1);
        match event {
            Event::AnteStarted { ante, boss, tags } => self.start_ante(*ante, *boss, tags),
            Event::BossRerolled { boss, by } => {
                let counts = u32::from(*by == BossReroll::Voucher);
                self.boss_rerolls = self.boss_rerolls.saturating_add(counts);
                self.tally.boss_rerolls = self.tally.boss_rerolls.saturating_add(1);
                self.take_boss(*boss);
            }
            Event::BlindSelected { target, hands, discards, feared } => {
                self.start_round(Round {
                    target: *target,
                    hands_left: *hands,
                    discards_left: *discards,
                    feared: *feared,
                    marks: self.round.marks,
                    ..Round::default()
                });
            }
            Event::BlindSkipped => {
                self.tally.skips = self.tally.skips.saturating_add(1);
                self.blind = next_blind(self.blind);
            }
            Event::MarksDrawn(marks) => self.round.marks = *marks,
            Event::RoundChanged { hands_left, discards_left, hand_size } => {
                self.round.hands_left = *hands_left;
                self.round.discards_left = *discards_left;
                self.round.hand_size = *hand_size;
            }
            Event::CardForced { card } => self.round.forced = *card,
            Event::JokerDisabled { joker } => self.round.disabled_joker = *joker,
            Event::BossDisabled { target, .. } => self.disable_boss(*target),
            Event::HandLevelled { hand, level } => self.hands[hand.index()].level = *level,
            Event::MoneyChanged { money, .. } => self.money = *money,
            Event::HandSizeChanged { by, for_negative } => {
                self.tally.hand_size = self.tally.hand_size.saturating_add(*by);
                self.tally.ectoplasms += u32::from(*for_negative);
            }
            Event::KindExtinct => self.tally.extinct = true,
            Event::RoundWon { payout, .. } => {
                self.payout = *payout;
                self.end_round();
            }
            Event::CashedOut => self.payout = Default::default(),
            Event::RunWon => {
                self.won = true;
                self.phase = Phase::Won;
            }
            Event::EndlessChosen => self.phase = Phase::RoundWon,
            Event::RunEnded(_) => self.phase = Phase::Over,
            Event::RunStarted(_) => {}
            other => self.evolve_things(other),
        }
    }

    /// Events about cards, jokers, consumables, tags and offers.
    fn evolve_things(&mut self, event: &Event) {
        match event {
            Event::Shuffled { order } => self.shuffle(order),
            Event::Drawn { cards } => self.draw(cards),
            Event::CardsPlayed { cards } => {
                self.take_from_hand(cards);
                self.table.extend(cards.iter().map(face_up));
                self.round.hands_left = self.round.hands_left.saturating_sub(1);
            }
            Event::Scored(scored) => self.score(scored),
            Event::CardsDiscarded { cards, by } => self.discard(cards, *by),
            Event::CardsAdded { cards, to } => {
                let cards: Vec<Card> = cards.iter().filter_map(|added| added.card).collect();
                self.count_cards(&cards);
                match to {
                    Destination::Deck => self.draw_pile.extend(cards),
                    Destination::Hand => self.hand.extend(cards),
                }
            }
            Event::CardsChanged { cards } => self.change_cards(cards),
            Event::CardsDestroyed { cards } => {
                self.hand.retain(|card| !cards.contains(&card.id));
                self.release_forced();
            }
            Event::HandReordered { cards } => {
                let place = |card: &Card| cards.iter().position(|id| *id == card.id);
                self.hand.sort_by_key(place);
            }
            Event::JokersHidden { order, first } => self.hide_jokers(order, *first),
            Event::JokerGained { joker } => {
                self.count_item(joker.item);
                self.jokers.push(*joker);
            }
            Event::JokerChanged { joker } => self.change_joker(joker),
            Event::JokerRemoved { joker, .. } => self.jokers.retain(|it| it.item != *joker),
            Event::JokersReordered { jokers } => {
                let place = |joker: &Joker| jokers.iter().position(|item| *item == joker.item);
                self.jokers.sort_by_key(place);
            }
            Event::ConsumableGained { consumable } => {
                self.count_item(consumable.item);
                self.consumables.push(*consumable);
            }
            Event::ConsumableChanged { consumable } => {
                let same = |it: &&mut Consumable| it.item == consumable.item;
                if let Some(held) = self.consumables.iter_mut().find(same) {
                    *held = *consumable;
                }
            }
            Event::ConsumableRemoved { item, .. } => {
                self.consumables.retain(|consumable| consumable.item != *item);
            }
            Event::ConsumableUsed { kind } => self.tally.use_consumable(*kind),
            Event::TagGained { tag } => self.tags.push(*tag),
            Event::TagUsed { tag } => {
                if let Some(place) = self.tags.iter().position(|held| held.tag == *tag) {
                    self.tags.remove(place);
                }
            }
            other => self.evolve_shop(other),
        }
    }

    fn start_ante(&mut self, ante: i32, boss: BossId, tags: &[TagOffer; 2]) {
        self.ante = ante;
        self.tally.antes = self.tally.antes.saturating_add(1);
        self.boss_rerolls = 0;
        self.tag_offers = *tags;
        self.voucher = VoucherSlot::Undrawn;
        for card in &mut self.draw_pile {
            card.played_this_ante = false;
        }
        self.take_boss(boss);
    }

    fn take_boss(&mut self, boss: BossId) {
        self.boss = boss;
        if let Some(uses) = self.boss_uses.get_mut(boss.index()) {
            *uses = uses.saturating_add(1);
        }
    }

    fn start_round(&mut self, round: Round) {
        self.phase = Phase::Playing;
        self.round_no = self.round_no.saturating_add(1);
        for record in &mut self.hands {
            record.round = 0;
        }
        self.round = round;
    }

    fn end_round(&mut self) {
        self.phase = Phase::RoundWon;
        self.tally.rounds_won = self.tally.rounds_won.saturating_add(1);
        self.tally.discards_saved =
            self.tally.discards_saved.saturating_add(self.round.discards_left);
        self.blind = next_blind(self.blind);
        self.round.forced = None;
        self.round.disabled_joker = None;
        for joker in &mut self.jokers {
            joker.face_down = false;
        }
        self.gather_cards();
    }

    /// All cards go back to the draw pile, face up.
    pub(super) fn gather_cards(&mut self) {
        self.draw_pile.append(&mut self.hand);
        self.draw_pile.append(&mut self.table);
        self.draw_pile.append(&mut self.discarded);
        for card in &mut self.draw_pile {
            card.face_down = false;
        }
    }

    fn disable_boss(&mut self, target: f64) {
        self.round.boss = Disabled::Yes;
        self.round.target = target;
        self.round.forced = None;
        self.round.disabled_joker = None;
        for card in &mut self.hand {
            card.face_down = false;
        }
        for joker in &mut self.jokers {
            joker.face_down = false;
        }
    }

    /// Cards are numbered by the order in which they will be drawn.
    fn shuffle(&mut self, order: &[u16]) {
        let old = &self.draw_pile;
        let mut new: Vec<Card> = Vec::with_capacity(order.len());
        // Pushed from where they lie: as an `Option` each would be copied in pieces and stall.
        for card in order.iter().filter_map(|place| old.get(usize::from(*place))) {
            new.push(*card);
        }
        for (number, card) in (0_u16..).zip(new.iter_mut().rev()) {
            card.id.0 = number;
        }
        self.next_card = u16::try_from(new.len()).unwrap_or(u16::MAX);
        self.tally.shuffles = self.tally.shuffles.saturating_add(1);
        self.draw_pile = new;
    }

    fn draw(&mut self, cards: &[HandCard]) {
        let left = self.draw_pile.len().saturating_sub(cards.len());
        let drawn = self.draw_pile[left..].iter().rev().zip(cards);
        self.hand.extend(drawn.map(|(card, drawn)| {
            let face_down = drawn.card.is_some_and(|card| card.face_down);
            Card { face_down, ..*card }
        }));
        self.draw_pile.truncate(left);
    }

    fn take_from_hand(&mut self, cards: &[Card]) {
        self.hand.retain(|held| cards.iter().all(|card| card.id != held.id));
        self.release_forced();
    }

    /// A forced card that has left the hand is forced no more.
    fn release_forced(&mut self) {
        self.round.forced = self.round.forced.filter(|card| self.hand_place(*card).is_some());
    }

    fn score(&mut self, scored: &Scored) {
        self.hands[scored.hand.index()] = scored.record;
        self.money = self.money.saturating_add(scored.money);
        self.round.locked = self.round.locked.or(Some(scored.hand));
        self.round.last_hand = Some(scored.hand);
        self.round.hands_played = self.round.hands_played.saturating_add(1);
        self.round.score = scored.total;
        self.tally.hands_played = self.tally.hands_played.saturating_add(1);
        self.tally.best_hand = self.tally.best_hand.max(scored.score);
        self.discarded.reserve(scored.cards.len());
        for card in &scored.cards {
            if !scored.destroyed.contains(&card.id) {
                let played = Card { debuffed: false, played_this_ante: true, ..*card };
                self.discarded.push(played);
            }
        }
        self.table.clear();
        self.count_cards(&scored.added);
        self.hand.extend(&scored.added);
        scored.jokers.iter().for_each(|joker| self.change_joker(joker));
        self.jokers.retain(|joker| !scored.gone.contains(&joker.item));
    }

    fn discard(&mut self, cards: &[Card], by: Discarder) {
        self.take_from_hand(cards);
        self.discarded.extend(cards.iter().map(face_up));
        if by == Discarder::Player {
            self.round.discards_left = self.round.discards_left.saturating_sub(1);
            self.round.discards_used = self.round.discards_used.saturating_add(1);
        }
    }

    fn change_cards(&mut self, cards: &[HandCard]) {
        for changed in cards.iter().filter_map(|changed| changed.card) {
            if let Some(held) = self.hand.iter_mut().find(|held| held.id == changed.id) {
                *held = changed;
            }
        }
    }

    fn change_joker(&mut self, joker: &Joker) {
        if let Some(owned) = self.jokers.iter_mut().find(|owned| owned.item == joker.item) {
            *owned = *joker;
        }
    }

    fn hide_jokers(&mut self, order: &[u8], first: ItemId) {
        let old = &self.jokers;
        let hidden = order.iter().filter_map(|place| old.get(usize::from(*place)));
        let items = (first.0..).map(ItemId);
        self.jokers = hidden
            .zip(items)
            .map(|(joker, item)| Joker { item, face_down: true, ..*joker })
            .collect();
        if let Some(last) = self.jokers.last() {
            self.count_item(last.item);
        }
    }

    pub(super) fn count_item(&mut self, item: ItemId) {
        self.next_item = self.next_item.max(item.0.saturating_add(1));
    }

    fn count_cards(&mut self, cards: &[Card]) {
        for card in cards {
            self.next_card = self.next_card.max(card.id.0.saturating_add(1));
        }
    }
}

impl Tally {
    fn use_consumable(&mut self, kind: ConsumableId) {
        self.uses = self.uses.saturating_add(1);
        let spec = kind.spec();
        match spec.kind {
            ConsumableKind::Tarot => self.tarots_used = self.tarots_used.saturating_add(1),
            ConsumableKind::Planet => {
                if let Some(hand) = kind.planet_hand() {
                    self.planets_used |= 1 << hand.index();
                }
            }
            ConsumableKind::Spectral => {}
        }
        if spec.can_be_copied() {
            self.last_used = Some(kind);
        }
    }
}

const fn next_blind(blind: Blind) -> Blind {
    match blind {
        Blind::Small => Blind::Big,
        Blind::Big => Blind::Boss,
        Blind::Boss => Blind::Small,
    }
}

fn face_up(card: &Card) -> Card {
    Card { face_down: false, debuffed: false, ..*card }
}
