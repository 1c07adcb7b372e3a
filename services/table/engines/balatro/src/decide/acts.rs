//! Jokers outside of plays: what they do.

use alloc::vec;
use alloc::vec::Vec;

use super::draft::Draft;
use super::effects::{Moment, Reaction, Role};
use super::start::{pick, random_card};
use crate::card::{Card, Enhancement, Seal};
use crate::content::vocabulary::{Act, Kind, Trigger};
use crate::content::{ConsumableKind, Rarity, TagId};
use crate::event::{Destination, Event, MoneyCause, Removal};
use crate::joker::{Joker, JokerState};
use crate::number::Hundredths;
use crate::poker::HandType;
use crate::state::{Consumable, TagOffer};

impl Draft<'_> {
    /// Carries an act out.
    pub(super) fn perform(
        &mut self,
        act: &Act,
        role: Role,
        trigger: Trigger,
        moment: &Moment<'_>,
        reaction: &mut Reaction,
    ) {
        match *act {
            Act::Money(amount) => {
                let dollars = self.amount(amount, role, moment).to_whole();
                if trigger == Trigger::Payout {
                    reaction.payout = reaction.payout.saturating_add(dollars);
                } else {
                    self.earn(dollars, MoneyCause::Joker(role.item));
                }
            }
            Act::Retrigger(times) => reaction.retriggers += times,
            Act::DestroyCard => reaction.destroys_card = true,
            Act::Save => reaction.saves = true,
            Act::LevelUp(by) => {
                if let Some(hand) = moment.hand {
                    self.level_up(hand, by);
                }
            }
            Act::Create(kind, count) => self.create(kind, count, role.spec().id),
            Act::AddHands(hands) => {
                let round = self.run.round;
                let hands_left = round.hands_left.saturating_add(hands);
                self.change_round(hands_left, round.discards_left, round.hand_size);
            }
            Act::DropDiscards => {
                let round = self.run.round;
                self.change_round(round.hands_left, 0, round.hand_size);
            }
            Act::DisableBoss => self.disable_boss(),
            Act::DoubleTag => {
                if let Some(tag) = TagId::from_id("double") {
                    self.gain_tag(TagOffer { tag, hand: None });
                }
            }
            Act::AddStone | Act::AddSealed => self.add_card(act, role),
            Act::DestroySelf => self.remove_joker(role.item, Removal::Destroyed),
            Act::DestroyRight => {
                if let Some(joker) = self.right_of(role.item) {
                    self.remove_joker(joker.item, Removal::Destroyed);
                }
            }
            Act::DestroyOther => self.destroy_other(role),
            Act::DuplicateOther => self.duplicate_other(role),
            Act::CopyConsumable => self.copy_consumable(),
            Act::Extinct => self.emit(Event::KindExtinct),
            Act::SellValueOfAll(dollars) => self.raise_sell_values(dollars),
            _ => self.change_own(act, role, moment),
        }
    }

    /// Acts that change the joker itself.
    fn change_own(&mut self, act: &Act, role: Role, moment: &Moment<'_>) {
        let Some(place) = self.run.joker_place(role.item) else { return };
        let joker = self.run.jokers[place];
        let JokerState { value, counter } = joker.state;
        let amount = |of| self.amount(of, Role { of: joker, ..role }, moment);
        let changed = match *act {
            Act::Grow(by) => Joker { state: with_value(joker, value.plus(amount(by))), ..joker },
            Act::Shrink(by) => {
                let left = Hundredths((value.0 - amount(by).0).max(0));
                Joker { state: with_value(joker, left), ..joker }
            }
            Act::Wither(by, bound) => {
                let left = Hundredths(value.0 - amount(by).0);
                if left <= Hundredths::whole(bound) {
                    self.remove_joker(role.item, Removal::UsedUp);
                    return;
                }
                Joker { state: with_value(joker, left), ..joker }
            }
            Act::Reset(to) => Joker { state: with_value(joker, amount(to)), ..joker },
            Act::Countdown(from, by) if counter <= 1 => {
                let state = JokerState { value: value.plus(amount(by)), counter: from };
                Joker { state, ..joker }
            }
            Act::Countdown(..) => {
                Joker { state: JokerState { value, counter: counter - 1 }, ..joker }
            }
            Act::SellValue(by) => {
                Joker { sell_bonus: joker.sell_bonus.saturating_add(by), ..joker }
            }
            Act::ListAnother => {
                let current = joker.state.listed_hand();
                let others: Vec<HandType> = HandType::ALL
                    .into_iter()
                    .filter(|hand| *hand != current && self.run.is_visible(*hand))
                    .collect();
                let next = pick(&others, &mut self.stream_now("listed_hand"));
                let counter = next.unwrap_or(current).index() as i32;
                Joker { state: JokerState { value, counter }, ..joker }
            }
            _ => joker,
        };
        if changed != joker {
            self.emit(Event::JokerChanged { joker: changed });
        }
    }

    /// A hand type gains (or loses) levels; never below 1.
    pub(super) fn level_up(&mut self, hand: HandType, by: i32) {
        let before = self.run.hands[hand.index()].level;
        let level = before.saturating_add_signed(by).max(1);
        if level != before {
            self.emit(Event::HandLevelled { hand, level });
        }
    }

    /// Creates what there is room for.
    pub(super) fn create(&mut self, kind: Kind, count: u32, purpose: &str) {
        for _ in 0..count {
            match kind {
                Kind::Tarot => self.create_consumable(ConsumableKind::Tarot, purpose),
                Kind::Planet => self.create_consumable(ConsumableKind::Planet, purpose),
                Kind::Spectral => self.create_consumable(ConsumableKind::Spectral, purpose),
                Kind::Joker => self.create_joker(None, purpose),
                Kind::CommonJoker => self.create_joker(Some(Rarity::Common), purpose),
                Kind::RareJoker => self.create_joker(Some(Rarity::Rare), purpose),
                Kind::LegendaryJoker => self.create_joker(Some(Rarity::Legendary), purpose),
            }
        }
    }

    fn add_card(&mut self, act: &Act, role: Role) {
        let mut stream = self.stream_now(role.spec().id);
        let plain = random_card(&mut stream);
        let (card, to) = match act {
            Act::AddStone => {
                let enhancement = Some(Enhancement::Stone);
                (Card { enhancement, ..plain }, Destination::Deck)
            }
            _ => (Card { seal: pick(&Seal::ALL, &mut stream), ..plain }, Destination::Hand),
        };
        self.add_cards_and_react(vec![card], to);
    }

    /// Playing cards join the deck, and jokers react.
    pub(super) fn add_cards_and_react(&mut self, cards: Vec<Card>, to: Destination) {
        let added = self.add_cards(cards, to) as i64;
        if added > 0 {
            self.trigger(Trigger::DeckCardAdded, &Moment { added, ..Moment::default() });
        }
    }

    fn destroy_other(&mut self, role: Role) {
        let others: Vec<Joker> = self
            .run
            .jokers
            .iter()
            .filter(|joker| joker.item != role.item && !joker.stickers.eternal)
            .copied()
            .collect();
        if let Some(joker) = pick(&others, &mut self.stream_now(role.spec().id)) {
            self.remove_joker(joker.item, Removal::Destroyed);
        }
    }

    /// Copies a random other joker; a copy is not negative.
    fn duplicate_other(&mut self, role: Role) {
        let others: Vec<Joker> =
            self.run.jokers.iter().filter(|joker| joker.item != role.item).copied().collect();
        if let Some(joker) = pick(&others, &mut self.stream_now(role.spec().id))
            && self.run.joker_room() > 0
        {
            self.copy_joker(&joker);
        }
    }

    /// A copy of a joker joins the row; it is not negative. The caller has checked the room.
    pub(super) fn copy_joker(&mut self, joker: &Joker) {
        let edition = joker.edition.filter(|_| !joker.is_negative());
        self.emit_joker(Joker { item: self.next_item(), edition, face_down: false, ..*joker });
    }

    fn copy_consumable(&mut self) {
        let held = self.run.consumables.clone();
        if let Some(original) = pick(&held, &mut self.stream_now("copy_consumable")) {
            let copy = Consumable { item: self.next_item(), negative: true, ..original };
            self.emit(Event::ConsumableGained { consumable: copy });
        }
    }

    fn raise_sell_values(&mut self, dollars: i64) {
        for joker in self.run.jokers.clone() {
            let sell_bonus = joker.sell_bonus.saturating_add(dollars);
            self.emit(Event::JokerChanged { joker: Joker { sell_bonus, ..joker } });
        }
        for consumable in self.run.consumables.clone() {
            let sell_bonus = consumable.sell_bonus.saturating_add(dollars);
            let consumable = Consumable { sell_bonus, ..consumable };
            self.emit(Event::ConsumableChanged { consumable });
        }
    }
}

const fn with_value(joker: Joker, value: Hundredths) -> JokerState {
    JokerState { value, ..joker.state }
}
