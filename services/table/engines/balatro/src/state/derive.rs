//! What follows from a run's state.

use alloc::vec::Vec;

use super::{Consumable, Offer, PackOffer, Phase, Run, RunSummary, Ware};
use crate::blind::{Blind, Disabled, TargetRule};
use crate::card::{Card, CardId, Edition, Enhancement, Rank};
use crate::content::bosses::BossEffect;
use crate::content::packs::PackKind;
use crate::content::vocabulary::Passive;
use crate::content::vouchers::{VOUCHER_COST, VoucherEffect};
use crate::content::{ConsumableId, ConsumableKind, Stake};
use crate::joker::{self, ItemId, Joker, Link, MAX_JOKERS};
use crate::payout::INTEREST_STEPS;
use crate::poker::{HandSet, HandType, Mods, most_played};
use crate::score::{BossScene, Facts, Scene, SceneJoker};

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
/// Dollars of a shop's first reroll before anything else.
const REROLL_COST: i64 = 5;

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
    fn passives(&self) -> impl Iterator<Item = (&Joker, &'static Passive)> {
        let active = self.jokers.iter().filter(|joker| !self.is_debuffed(joker));
        active.flat_map(|joker| joker.kind.spec().passive.iter().map(move |it| (joker, it)))
    }

    fn sum_of_passives(&self, of: impl Fn(&Joker, &Passive) -> i32) -> i32 {
        self.passives().map(|(joker, passive)| of(joker, passive)).sum()
    }

    fn has_passive(&self, wanted: Passive) -> bool {
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

    /// The discount of vouchers in percent.
    #[must_use]
    pub fn discount(&self) -> i64 {
        let discount = |effect| match effect {
            VoucherEffect::Discount(percent) => percent,
            _ => 0,
        };
        self.vouchers.effects().map(discount).max().unwrap_or(0)
    }

    /// Dollars that a joker costs.
    #[must_use]
    pub fn joker_price(&self, joker: &Joker) -> i64 {
        if joker.stickers.rental {
            return 1;
        }
        joker::price(joker.kind.spec().cost, joker.edition, self.discount())
    }

    /// Dollars that a joker sells for.
    #[must_use]
    pub fn joker_sell_value(&self, joker: &Joker) -> i64 {
        joker::sell_value(self.joker_price(joker)).saturating_add(joker.sell_bonus)
    }

    /// Dollars that a consumable sells for.
    #[must_use]
    pub fn consumable_sell_value(&self, consumable: &Consumable) -> i64 {
        let edition = consumable.negative.then_some(Edition::Negative);
        let price = joker::price(consumable.kind.spec().cost(), edition, self.discount());
        joker::sell_value(price).saturating_add(consumable.sell_bonus)
    }

    /// Dollars that a card slot of the shop costs.
    #[must_use]
    pub fn offer_price(&self, offer: &Offer) -> i64 {
        if offer.free {
            return 0;
        }
        match &offer.ware {
            Ware::Joker(joker) => self.joker_price(joker),
            Ware::Consumable(kind) => {
                let is_planet = kind.spec().kind == ConsumableKind::Planet;
                if is_planet && self.has_passive(Passive::FreePlanets) {
                    return 0;
                }
                joker::price(kind.spec().cost(), None, self.discount())
            }
            Ware::Card(card) => joker::price(1, card.edition, self.discount()),
        }
    }

    /// Dollars that a pack costs.
    #[must_use]
    pub fn pack_price(&self, offer: &PackOffer) -> i64 {
        let spec = offer.pack.spec();
        let is_celestial = spec.kind == PackKind::Celestial;
        if offer.free || is_celestial && self.has_passive(Passive::FreePlanets) {
            return 0;
        }
        joker::price(spec.cost, None, self.discount())
    }

    /// Dollars that a voucher costs.
    #[must_use]
    pub fn voucher_price(&self) -> i64 {
        joker::price(VOUCHER_COST, None, self.discount())
    }

    /// Dollars that the shop's next reroll costs (rules: balatro 10).
    #[must_use]
    pub fn reroll_cost(&self) -> i64 {
        let Some(shop) = &self.shop else { return REROLL_COST };
        if self.free_rerolls_left() > 0 {
            return 0;
        }
        let cheaper = |effect| match effect {
            VoucherEffect::CheaperReroll(dollars) => dollars,
            _ => 0,
        };
        let discount: i64 = self.vouchers.effects().map(cheaper).sum();
        let base = if shop.rerolls_from_zero { 0 } else { (REROLL_COST - discount).max(0) };
        base + i64::from(shop.paid_rerolls)
    }

    /// Rerolls of this shop that cost nothing.
    #[must_use]
    pub fn free_rerolls_left(&self) -> u32 {
        let each = |passive: &Passive| match *passive {
            Passive::FreeRerolls(rerolls) => rerolls,
            _ => 0,
        };
        let total: u32 = self.passives().map(|(_, passive)| each(passive)).sum();
        total.saturating_sub(self.shop.as_ref().map_or(0, |shop| shop.free_rerolls))
    }

    /// Whether the money allows a price: nothing is owed beyond what jokers allow; what is free is
    /// always allowed.
    #[must_use]
    pub fn can_afford(&self, price: i64) -> bool {
        let allowed = |passive: &Passive| match *passive {
            Passive::MinMoney(dollars) => dollars,
            _ => 0,
        };
        let least: i64 = self.passives().map(|(_, passive)| allowed(passive)).sum();
        price == 0 || self.money.saturating_sub(price) >= least
    }

    /// Most steps of interest and dollars of each (rules: balatro 9).
    #[must_use]
    pub fn interest(&self) -> (i64, i64) {
        let steps = |effect| match effect {
            VoucherEffect::InterestSteps(steps) => steps,
            _ => 0,
        };
        let more = |passive: &Passive| match *passive {
            Passive::Interest(dollars) => dollars,
            _ => 0,
        };
        let most = self.vouchers.effects().map(steps).max().unwrap_or(0).max(INTEREST_STEPS);
        let rate: i64 = self.passives().map(|(_, passive)| more(passive)).sum();
        (if self.options.deck_spec().interest { most } else { 0 }, 1 + rate)
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

    /// Every card of the full deck.
    pub fn full_deck(&self) -> impl Iterator<Item = &Card> {
        let played = self.table.iter().chain(&self.discarded);
        self.draw_pile.iter().chain(&self.hand).chain(played)
    }

    /// Nines in the full deck.
    #[must_use]
    pub fn nines(&self) -> i64 {
        let nine = |card: &&Card| !card.is_stone() && card.rank == Rank::Nine;
        self.full_deck().filter(nine).count() as i64
    }

    /// Whether the full deck has a card with an enhancement.
    #[must_use]
    pub fn deck_has(&self, enhancement: Enhancement) -> bool {
        self.full_deck().any(|card| card.enhancement == Some(enhancement))
    }

    /// A held card with the boss's debuff on it.
    #[must_use]
    pub fn with_debuff(&self, card: &Card, mods: Mods) -> Card {
        let boss = self.boss_scene();
        Card { debuffed: boss.debuffs(card, mods), ..*card }
    }

    /// The blind as scoring sees it.
    #[must_use]
    pub fn boss_scene(&self) -> BossScene {
        if self.boss_effect() == BossEffect::Plain {
            return BossScene::default();
        }
        let mut seen = HandSet::default();
        for hand in HandType::ALL {
            if self.hands[hand.index()].round > 0 {
                seen.insert(hand);
            }
        }
        BossScene {
            boss: Some(self.boss),
            seen,
            locked: self.round.locked,
            most_played: Some(self.round.feared),
        }
    }

    /// The joker row as scoring sees it.
    #[must_use]
    pub fn scene_jokers(&self) -> Vec<SceneJoker> {
        let seen = |joker: &Joker| SceneJoker {
            kind: joker.kind,
            edition: joker.edition,
            debuffed: self.is_debuffed(joker),
            sell: self.joker_sell_value(joker),
            state: joker.state,
        };
        self.jokers.iter().map(seen).collect()
    }

    /// Everything that the score of the cards on the table depends on.
    #[must_use]
    pub fn scene(&self) -> Scene {
        Scene {
            played: self.table.iter().take(5).copied().collect(),
            held: self.hand.clone(),
            jokers: self.scene_jokers(),
            hands: self.hands,
            boss: self.boss_scene(),
            facts: self.facts(),
        }
    }

    /// Numbers of the run that scoring reads.
    #[must_use]
    pub fn facts(&self) -> Facts {
        let mut facts = Facts {
            money: self.money,
            hands_left: self.round.hands_left,
            discards_left: self.round.discards_left,
            hands_played: self.round.hands_played,
            draw_pile: self.draw_pile.len() as u32,
            deck_size: 0,
            starting_deck_size: self.starting_deck,
            joker_slots: self.joker_slots(),
            skips: self.tally.skips,
            tarots_used: self.tally.tarots_used,
            consumable_room: self.consumable_room() as u32,
            ancient_suit: Some(self.round.marks.ancient_suit),
            idol: Some(self.round.marks.idol),
            balances: self.options.deck_spec().balances,
            ..Facts::default()
        };
        for card in self.full_deck() {
            facts.deck_size += 1;
            facts.enhanced_cards += u32::from(card.enhancement.is_some());
            match card.enhancement {
                Some(Enhancement::Steel) => facts.steel_cards += 1,
                Some(Enhancement::Stone) => facts.stone_cards += 1,
                _ => {}
            }
        }
        if self.vouchers.has(VoucherEffect::HeldPlanets) {
            for hand in self.consumables.iter().filter_map(|held| held.kind.planet_hand()) {
                let held = &mut facts.planets_held[hand.index()];
                *held = held.saturating_add(1);
            }
        }
        facts
    }

    /// How the run stands.
    #[must_use]
    pub fn summary(&self, gave_up: bool) -> RunSummary {
        RunSummary {
            won: self.won,
            gave_up,
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
