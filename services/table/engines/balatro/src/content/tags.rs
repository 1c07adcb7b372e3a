//! Tags: what skipping a blind gives (rules: balatro 13).

use TagEffect::*;

use super::Rarity;
use crate::card::Edition;

/// What a tag does when its time comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TagEffect {
    /// The next shop slot is a free joker of a rarity.
    ShopJoker(Rarity),
    /// The next shop joker without an edition gets one and is free.
    ShopEdition(Edition),
    /// Pays after the next boss.
    BossMoney(i64),
    /// The next shop has one more voucher.
    ExtraVoucher,
    /// Another boss.
    RerollBoss,
    /// Opens a pack for nothing, by the pack's id.
    FreePack(&'static str),
    /// Dollars for each hand played in the run.
    PayPerHand(i64),
    /// Dollars for each discard that rounds have left.
    PayPerDiscardLeft(i64),
    /// The first cards and packs of the next shop are free.
    FreeShop,
    /// The next other tag is gained twice.
    Double,
    /// Cards more in hand in the next round.
    HandSize(i32),
    /// Rerolls of the next shop start at $0.
    FreeRerolls,
    /// Creates common jokers.
    CommonJokers(u32),
    /// Dollars for each blind skipped in the run.
    PayPerSkip(i64),
    /// The hand type shown with it gains levels.
    LevelUp(i32),
    /// Doubles the money, by at most so many dollars.
    DoubleMoney(i64),
}

/// The entry of a tag.
#[derive(Clone, Copy, Debug)]
pub struct TagSpec {
    /// Stable lower-case id.
    pub id: &'static str,
    /// The first ante in which it is offered.
    pub from_ante: i32,
    /// What it does.
    pub effect: TagEffect,
}

const fn tag(id: &'static str, from_ante: i32, effect: TagEffect) -> TagSpec {
    TagSpec { id, from_ante, effect }
}

/// All tags.
pub const TAGS: [TagSpec; 24] = [
    tag("uncommon", 1, ShopJoker(Rarity::Uncommon)),
    tag("rare", 1, ShopJoker(Rarity::Rare)),
    tag("negative", 2, ShopEdition(Edition::Negative)),
    tag("foil", 1, ShopEdition(Edition::Foil)),
    tag("holographic", 1, ShopEdition(Edition::Holo)),
    tag("polychrome", 1, ShopEdition(Edition::Poly)),
    tag("investment", 1, BossMoney(25)),
    tag("voucher", 1, ExtraVoucher),
    tag("boss", 1, RerollBoss),
    tag("standard", 2, FreePack("standard_mega")),
    tag("charm", 1, FreePack("arcana_mega")),
    tag("meteor", 2, FreePack("celestial_mega")),
    tag("buffoon", 2, FreePack("buffoon_mega")),
    tag("handy", 2, PayPerHand(1)),
    tag("garbage", 2, PayPerDiscardLeft(1)),
    tag("ethereal", 2, FreePack("spectral_normal")),
    tag("coupon", 1, FreeShop),
    tag("double", 1, Double),
    tag("juggle", 1, HandSize(3)),
    tag("d6", 1, FreeRerolls),
    tag("top_up", 2, CommonJokers(2)),
    tag("speed", 1, PayPerSkip(5)),
    tag("orbital", 2, LevelUp(3)),
    tag("economy", 1, DoubleMoney(40)),
];

super::content_id! {
    /// A tag's place in [`TAGS`].
    TagId, TagSpec, TAGS
}
