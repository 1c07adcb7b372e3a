//! What follows from a run's state.

use super::{Consumable, Ending, Phase, Run, RunSummary, Ware};
use crate::blind::{Blind, Disabled, TargetRule};
use crate::card::{Card, CardId, Edition};
use crate::content::bosses::BossEffect;
use crate::content::vocabulary::Passive;
use crate::content::vouchers::VoucherEffect;
use crate::content::{ConsumableId, Stake};
use crate::joker::{self, ItemId, Joker, Link, MAX_JOKERS};
use crate::poker::{HandType, Mods, most_played};

/// Cards in hand before anything else.
const HAND_SIZE: i32 = 8;
/// Discards of a round before anything else.
const DISCARDS: i32 = 3;
/// Joker slots before anything else.
const JOKER_SLOTS: i64 = 5;
/// Consumable slots before anything else.
const CONSUMABLE_SLOTS: i64 = 2;
/// Card slots of a shop before anything else.
const SHOP_SLOTS: usize = 2;

impl Run {
    /// Whether the round is against a boss that still has its ability.
    #[must_use]
    pub fn boss_effect(&self) -> BossEffect {
        let fights = self.phase == Phase::Playing && self.blind == Blind::Boss;
        if fights && self.round.boss == Disabled::No {
            self.boss.spec().effect
        } else {
            BossEffect::Plain
        }
    }

    /// Whether a joker does nothing now.
    #[must_use]
    pub fn is_debuffed(&self, joker: &Joker) -> bool {
        let disabled = self.round.disabled_joker == Some(joker.item)
            && self.boss_effect() == BossEffect::DisableJoker;
        joker.has_perished() || disabled
    }

    /// The joker at a place as copies and passives see it.
    pub(crate) fn link(&self, place: usize) -> Option<Link> {
        let joker = self.jokers.get(place)?;
        Some(Link { kind: joker.kind, debuffed: self.is_debuffed(joker) })
    }

    /// What jokers change about cards, and how often chances are doubled.
    #[must_use]
    pub fn mods(&self) -> (Mods, u32) {
        joker::mods((0..self.jokers.len()).filter_map(|place| self.link(place)))
    }

    /// Passives of the jokers that are not debuffed, each with its joker.
    pub(super) fn passives(&self) -> impl Iterator<Item = (&Joker, &'static Passive)> {
        let active = self.jokers.iter().filter(|joker| !self.is_debuffed(joker));
        active.flat_map(|joker| joker.kind.spec().passive.iter().map(move |it| (joker, it)))
    }

    fn sum_of_passives(&self, of: impl Fn(&Joker, &Passive) -> i32) -> i32 {
        self.passives().map(|(joker, passive)| of(joker, passive)).sum()
    }

    pub(super) fn has_passive(&self, wanted: Passive) -> bool {
        self.passives().any(|(_, passive)| *passive == wanted)
    }

    fn vouchers_with(&self, effect: VoucherEffect) -> i32 {
        self.vouchers.effects().filter(|candidate| *candidate == effect).count() as i32
    }

    /// Cards that are drawn up to; not below 0.
    #[must_use]
    pub fn hand_size(&self) -> usize {
        let jokers = self.sum_of_passives(|joker, passive| match *passive {
            Passive::HandSize(cards) => cards,
            Passive::HandSizeByValue => {
                i32::try_from(joker.state.value.to_whole()).unwrap_or(i32::MAX)
            }
            _ => 0,
        });
        let round = if self.phase == Phase::Playing { self.round.hand_size } else { 0 };
        let size = HAND_SIZE
            .saturating_add(self.options.deck_spec().hand_size)
            .saturating_add(self.vouchers_with(VoucherEffect::HandSize))
            .saturating_add(self.tally.hand_size)
            .saturating_add(jokers)
            .saturating_add(round);
        usize::try_from(size).unwrap_or(0)
    }

    /// Hands of a round; at least 1.
    #[must_use]
    pub fn hands_per_round(&self) -> u32 {
        let jokers = self.sum_of_passives(|_, passive| match *passive {
            Passive::Hands(hands) => hands,
            _ => 0,
        });
        let hands = self.options.profile.hands()
            + self.options.deck_spec().hands
            + self.vouchers_with(VoucherEffect::Hand)
            - self.vouchers_with(VoucherEffect::AnteForHand)
            + jokers;
        u32::try_from(hands.max(1)).unwrap_or(1)
    }

    /// Discards of a round; not below 0.
    #[must_use]
    pub fn discards_per_round(&self) -> u32 {
        let jokers = self.sum_of_passives(|_, passive| match *passive {
            Passive::Discards(discards) => discards,
            _ => 0,
        });
        let discards = DISCARDS
            + self.options.deck_spec().discards
            + self.vouchers_with(VoucherEffect::Discard)
            - self.vouchers_with(VoucherEffect::AnteForDiscard)
            - i32::from(self.options.stake >= Stake::Blue)
            + jokers;
        u32::try_from(discards).unwrap_or(0)
    }

    /// Joker slots, with those that negative jokers bring.
    #[must_use]
    pub fn joker_slots(&self) -> i64 {
        let negative = self.jokers.iter().filter(|joker| joker.is_negative()).count() as i64;
        JOKER_SLOTS
            + i64::from(self.options.deck_spec().joker_slots)
            + i64::from(self.vouchers_with(VoucherEffect::JokerSlot))
            + negative
    }

    /// Jokers that there is room for.
    #[must_use]
    pub fn joker_room(&self) -> usize {
        let free = usize::try_from(self.joker_slots() - self.jokers.len() as i64).unwrap_or(0);
        free.min(MAX_JOKERS - self.jokers.len().min(MAX_JOKERS))
    }

    /// Whether a joker of this edition fits.
    #[must_use]
    pub fn has_joker_room(&self, edition: Option<Edition>) -> bool {
        let brings_own = edition == Some(Edition::Negative) && self.jokers.len() < MAX_JOKERS;
        brings_own || self.joker_room() > 0
    }

    /// Whether there is room for something on offer.
    #[must_use]
    pub fn has_room_for(&self, ware: &Ware) -> bool {
        match ware {
            Ware::Joker(joker) => self.has_joker_room(joker.edition),
            Ware::Consumable(_) => self.consumable_room() > 0,
            Ware::Card(_) => true,
        }
    }

    /// Whether the joker row may be brought into another order: at any time but at the very end.
    #[must_use]
    pub fn may_reorder_jokers(&self) -> bool {
        !matches!(self.phase, Phase::Won | Phase::Over) && self.jokers.len() > 1
    }

    /// Consumable slots, with those that negative consumables bring.
    #[must_use]
    pub fn consumable_slots(&self) -> i64 {
        let negative = self.consumables.iter().filter(|consumable| consumable.negative).count();
        CONSUMABLE_SLOTS
            + i64::from(self.options.deck_spec().consumable_slots)
            + i64::from(self.vouchers_with(VoucherEffect::ConsumableSlot))
            + negative as i64
    }

    /// Consumables that there is room for.
    #[must_use]
    pub fn consumable_room(&self) -> usize {
        usize::try_from(self.consumable_slots() - self.consumables.len() as i64).unwrap_or(0)
    }

    /// Card slots of a shop.
    #[must_use]
    pub fn shop_slots(&self) -> usize {
        SHOP_SLOTS + self.vouchers_with(VoucherEffect::ShopSlot) as usize
    }

    /// Whether what is owned may be offered again.
    #[must_use]
    pub fn allows_duplicates(&self) -> bool {
        self.has_passive(Passive::AllowDuplicates)
    }

    /// The target of a blind of this ante.
    #[must_use]
    pub fn target_of(&self, blind: Blind, disabled: Disabled) -> f64 {
        let rule = TargetRule {
            profile: self.options.profile,
            scaling: self.options.stake.scaling(),
            times: self.options.deck_spec().target_times,
        };
        rule.target(self.ante, blind, self.boss, disabled).to_f64()
    }

    /// Whether a hand type is known: not secret, or played before.
    #[must_use]
    pub fn is_visible(&self, hand: HandType) -> bool {
        !hand.is_secret() || self.hands[hand.index()].run > 0
    }

    /// The full deck: where its cards are.
    pub(super) fn zones(&self) -> [&[Card]; 4] {
        [&self.draw_pile, &self.hand, &self.table, &self.discarded]
    }

    /// Every card of the full deck.
    pub fn full_deck(&self) -> impl Iterator<Item = &Card> {
        self.zones().into_iter().flatten()
    }

    /// How the run stands.
    #[must_use]
    pub fn summary(&self, ending: Ending) -> RunSummary {
        RunSummary {
            won: self.won,
            gave_up: ending == Ending::GivenUp,
            ante: self.ante,
            round_no: self.round_no,
            rounds_won: self.tally.rounds_won,
            skips: self.tally.skips,
            hands_played: self.tally.hands_played,
            best_hand: self.tally.best_hand,
            favourite: most_played(&self.hands),
            money: self.money,
            daily: self.options.daily.clone(),
        }
    }

    /// The place of a held card.
    #[must_use]
    pub fn hand_place(&self, card: CardId) -> Option<usize> {
        self.hand.iter().position(|held| held.id == card)
    }

    /// The place of a joker.
    #[must_use]
    pub fn joker_place(&self, item: ItemId) -> Option<usize> {
        self.jokers.iter().position(|joker| joker.item == item)
    }

    /// A consumable.
    #[must_use]
    pub fn consumable(&self, item: ItemId) -> Option<&Consumable> {
        self.consumables.iter().find(|consumable| consumable.item == item)
    }

    /// Whether something of this kind is owned or on offer.
    #[must_use]
    pub fn shows_consumable(&self, kind: ConsumableId) -> bool {
        self.consumables.iter().any(|held| held.kind == kind)
            || self.wares().any(|ware| *ware == Ware::Consumable(kind))
    }

    /// Everything that the shop and the open pack offer.
    pub fn wares(&self) -> impl Iterator<Item = &Ware> {
        let shop = self.shop.iter().flat_map(|shop| shop.cards.iter().map(|offer| &offer.ware));
        let pack = self.pack.iter().flat_map(|pack| pack.choices.iter().map(|it| &it.ware));
        shop.chain(pack)
    }
}
