//! Vouchers: $10 each, kept for the run (rules: balatro 12).

use VoucherEffect::*;

/// Dollars of every voucher before the discount.
pub const VOUCHER_COST: i64 = 10;

/// What a voucher changes for the rest of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VoucherEffect {
    /// One more card slot in shops.
    ShopSlot,
    /// Everything is cheaper by so many percent.
    Discount(i64),
    /// Editions are so many times as likely.
    EditionRate(u32),
    /// Rerolls are cheaper by so many dollars.
    CheaperReroll(i64),
    /// One more consumable slot.
    ConsumableSlot,
    /// A fifth of the cards in Arcana packs are spectrals.
    SpectralInArcana,
    /// The first card of a Celestial pack is the planet of the most played type.
    AimedCelestial,
    /// Held planets of the played type multiply mult by 1.5.
    HeldPlanets,
    /// One more hand each round.
    Hand,
    /// One more discard each round.
    Discard,
    /// Weight of tarots in shops, in tenths.
    TarotRate(u32),
    /// Weight of planets in shops, in tenths.
    PlanetRate(u32),
    /// Most steps of interest.
    InterestSteps(i64),
    /// Nothing.
    Blank,
    /// One more joker slot.
    JokerSlot,
    /// Playing cards appear in shops.
    PlayingCards,
    /// Playing cards in shops may be enhanced and have editions.
    FinePlayingCards,
    /// One ante back, one hand fewer each round.
    AnteForHand,
    /// One ante back, one discard fewer each round.
    AnteForDiscard,
    /// The boss may be rerolled once an ante.
    BossReroll,
    /// The boss may be rerolled without limit.
    BossRerolls,
    /// One more card in hand.
    HandSize,
}

/// The entry of a voucher.
#[derive(Clone, Copy, Debug)]
pub struct VoucherSpec {
    /// Stable lower-case id.
    pub id: &'static str,
    /// Appears only once the voucher before it in the table is owned.
    pub second_tier: bool,
    /// What it changes.
    pub effect: VoucherEffect,
}

const fn first(id: &'static str, effect: VoucherEffect) -> VoucherSpec {
    VoucherSpec { id, second_tier: false, effect }
}

const fn second(id: &'static str, effect: VoucherEffect) -> VoucherSpec {
    VoucherSpec { id, second_tier: true, effect }
}

/// All vouchers: each first tier is followed by its second.
pub const VOUCHERS: [VoucherSpec; 32] = [
    first("overstock", ShopSlot),
    second("overstock_plus", ShopSlot),
    first("clearance_sale", Discount(25)),
    second("liquidation", Discount(50)),
    first("hone", EditionRate(2)),
    second("glow_up", EditionRate(4)),
    first("reroll_surplus", CheaperReroll(2)),
    second("reroll_glut", CheaperReroll(2)),
    first("crystal_ball", ConsumableSlot),
    second("omen_globe", SpectralInArcana),
    first("telescope", AimedCelestial),
    second("observatory", HeldPlanets),
    first("grabber", Hand),
    second("nacho_tong", Hand),
    first("wasteful", Discard),
    second("recyclomancy", Discard),
    first("tarot_merchant", TarotRate(96)),
    second("tarot_tycoon", TarotRate(320)),
    first("planet_merchant", PlanetRate(96)),
    second("planet_tycoon", PlanetRate(320)),
    first("seed_money", InterestSteps(10)),
    second("money_tree", InterestSteps(20)),
    first("blank", Blank),
    second("antimatter", JokerSlot),
    first("magic_trick", PlayingCards),
    second("illusion", FinePlayingCards),
    first("hieroglyph", AnteForHand),
    second("petroglyph", AnteForDiscard),
    first("directors_cut", BossReroll),
    second("retcon", BossRerolls),
    first("paint_brush", HandSize),
    second("palette", HandSize),
];

super::content_id! {
    /// A voucher's place in [`VOUCHERS`].
    VoucherId, VoucherSpec, VOUCHERS
}

/// The vouchers of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct VoucherSet(u32);

impl VoucherSet {
    /// Puts a voucher in.
    pub const fn insert(&mut self, voucher: VoucherId) {
        self.0 |= 1 << voucher.index();
    }

    /// Whether a voucher is in.
    #[must_use]
    pub const fn contains(self, voucher: VoucherId) -> bool {
        self.0 & 1 << voucher.index() != 0
    }

    /// The vouchers that are in, in order.
    pub fn iter(self) -> impl Iterator<Item = VoucherId> {
        let mut left = self.0;
        core::iter::from_fn(move || {
            let place = left.trailing_zeros() as u8;
            left &= left.wrapping_sub(1);
            VoucherId::try_from(place).ok()
        })
    }

    /// The effects of the vouchers that are in.
    pub fn effects(self) -> impl Iterator<Item = VoucherEffect> {
        self.iter().map(|voucher| voucher.spec().effect)
    }

    /// Whether one with this effect is in.
    #[must_use]
    pub fn has(self, effect: VoucherEffect) -> bool {
        self.effects().any(|candidate| candidate == effect)
    }

    /// Whether a voucher may be offered: not owned, and its first tier is (rules: balatro 10).
    #[must_use]
    pub fn may_offer(self, voucher: VoucherId) -> bool {
        let tier_met = !voucher.spec().second_tier || self.0 & 1 << (voucher.index() - 1) != 0;
        !self.contains(voucher) && tier_met
    }
}
