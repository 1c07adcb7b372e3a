//! What shops and packs are filled with (rules: balatro 10).

use alloc::vec::Vec;

use arrayvec::ArrayVec;
use parlor_game::Stream;

use super::create::{draw_consumable, draw_joker, draw_rarity};
use super::start::{pick, random_card};
use crate::card::{Card, Edition, Enhancement, Seal};
use crate::content::packs::PackKind;
use crate::content::vouchers::{VoucherEffect, VoucherId};
use crate::content::{ConsumableId, ConsumableKind, PackId, Rarity, Stake};
use crate::joker::{ItemId, Joker, Stickers};
use crate::poker::most_played;
use crate::state::{Run, Ware};

/// Parts of [`SCALE`]: the chances of editions.
const SCALE: u32 = 10_000;
/// Rounds that a perishable joker lives.
const PERISHES_AFTER: u8 = 5;
/// One in so many cards of Arcana, Celestial and Spectral packs is a hidden one: 0.3%.
const HIDDEN: (u32, u32) = (3, 1000);

/// The editions of jokers: one roll, negative not scaled by the voucher's rate.
fn draw_edition(run: &Run, stream: &mut Stream) -> Option<Edition> {
    let rate = |effect| match effect {
        VoucherEffect::EditionRate(rate) => rate,
        _ => 1,
    };
    let rate = run.vouchers.effects().map(rate).max().unwrap_or(1);
    let roll = stream.below(SCALE);
    match roll {
        _ if roll < 30 => Some(Edition::Negative),
        _ if roll < 60 * rate => Some(Edition::Poly),
        _ if roll < 200 * rate => Some(Edition::Holo),
        _ if roll < 400 * rate => Some(Edition::Foil),
        _ => None,
    }
}

/// Half foil, a third or so holographic, the rest polychrome.
pub(super) fn draw_some_edition(stream: &mut Stream) -> Edition {
    match stream.below(100) {
        0..50 => Edition::Foil,
        50..85 => Edition::Holo,
        _ => Edition::Poly,
    }
}

fn draw_stickers(run: &Run, joker: &Joker, stream: &mut Stream) -> Stickers {
    let (stake, fit) = (run.options.stake, joker.kind.spec().fit);
    let (binding, rent) = (stream.below(10), stream.below(10));
    Stickers {
        eternal: stake >= Stake::Black && binding < 3 && fit.eternal,
        perishable: (stake >= Stake::Orange && (3..6).contains(&binding) && fit.perishable)
            .then_some(PERISHES_AFTER),
        rental: stake >= Stake::Gold && rent < 3,
    }
}

/// A joker for sale: its kind, edition and stickers.
pub(super) fn stock_joker(
    run: &Run,
    item: ItemId,
    rarity: Option<Rarity>,
    shown: &[Ware],
    stream: &mut Stream,
) -> Option<Joker> {
    let rarity = rarity.unwrap_or_else(|| draw_rarity(stream));
    let mut joker = Joker::new(item, draw_joker(run, rarity, shown, stream)?);
    joker.edition = draw_edition(run, stream);
    joker.stickers = draw_stickers(run, &joker, stream);
    Some(joker)
}

/// What fills a card slot of the shop, by the weights of the kinds.
pub(super) fn stock_slot(
    run: &Run,
    item: ItemId,
    shown: &[Ware],
    stream: &mut Stream,
) -> Option<Ware> {
    let (mut tarot, mut planet, mut card) = (40, 40, 0);
    for effect in run.vouchers.effects() {
        match effect {
            VoucherEffect::TarotRate(rate) => tarot = tarot.max(rate),
            VoucherEffect::PlanetRate(rate) => planet = planet.max(rate),
            VoucherEffect::PlayingCards => card = 40,
            _ => {}
        }
    }
    let spectral = run.options.deck_spec().spectral_rate;
    let joker = 200;
    let mut roll = stream.below(joker + tarot + planet + spectral + card);
    for (weight, kind) in [
        (tarot, ConsumableKind::Tarot),
        (planet, ConsumableKind::Planet),
        (spectral, ConsumableKind::Spectral),
    ] {
        if roll < weight {
            return draw_consumable(run, kind, shown, stream).map(Ware::Consumable);
        }
        roll -= weight;
    }
    if roll < card {
        return Some(Ware::Card(shop_card(run, stream)));
    }
    stock_joker(run, item, None, shown, stream).map(Ware::Joker)
}

fn shop_card(run: &Run, stream: &mut Stream) -> Card {
    let mut card = random_card(stream);
    if run.vouchers.has(VoucherEffect::FinePlayingCards) {
        if stream.chance(3, 5) {
            card.enhancement = pick(&Enhancement::ALL, stream);
        }
        if stream.chance(1, 5) {
            card.edition = Some(draw_some_edition(stream));
        }
    }
    card
}

/// A pack for the shop, by weight.
pub(super) fn draw_pack(stream: &mut Stream) -> Option<PackId> {
    let total = PackId::all().map(|pack| pack.spec().weight).sum();
    let mut roll = stream.below(total);
    PackId::all().find(|pack| {
        let here = roll < pack.spec().weight;
        roll = roll.saturating_sub(pack.spec().weight);
        here
    })
}

/// A voucher that may be offered and is not there yet.
pub(super) fn draw_voucher(
    run: &Run,
    shown: &[VoucherId],
    stream: &mut Stream,
) -> Option<VoucherId> {
    let pool: ArrayVec<VoucherId, { VoucherId::COUNT }> = VoucherId::all()
        .filter(|voucher| run.vouchers.may_offer(*voucher) && !shown.contains(voucher))
        .collect();
    pick(&pool, stream)
}

/// The cards of a pack; the item numbers start at `first`.
pub(super) fn fill_pack(run: &Run, pack: PackId, first: ItemId, stream: &mut Stream) -> Vec<Ware> {
    let spec = pack.spec();
    let mut wares = Vec::with_capacity(spec.cards as usize);
    for number in 0..spec.cards {
        let item = ItemId(first.0 + number);
        let ware = match spec.kind {
            PackKind::Standard => Some(Ware::Card(pack_card(stream))),
            PackKind::Buffoon => stock_joker(run, item, None, &wares, stream).map(Ware::Joker),
            PackKind::Arcana => pack_tarot(run, &wares, stream),
            PackKind::Celestial => pack_planet(run, number, &wares, stream),
            PackKind::Spectral => pack_spectral(run, &wares, stream),
        };
        wares.extend(ware);
    }
    wares
}

/// A hidden consumable by its small chance, once a pack.
fn draw_hidden(id: &str, shown: &[Ware], stream: &mut Stream) -> Option<Ware> {
    let ware = Ware::Consumable(ConsumableId::from_id(id)?);
    (stream.chance(HIDDEN.0, HIDDEN.1) && !shown.contains(&ware)).then_some(ware)
}

fn pack_tarot(run: &Run, shown: &[Ware], stream: &mut Stream) -> Option<Ware> {
    if let Some(soul) = draw_hidden("the_soul", shown, stream) {
        return Some(soul);
    }
    let spectral = run.vouchers.has(VoucherEffect::SpectralInArcana) && stream.chance(1, 5);
    let kind = if spectral { ConsumableKind::Spectral } else { ConsumableKind::Tarot };
    draw_consumable(run, kind, shown, stream).map(Ware::Consumable)
}

fn pack_planet(run: &Run, number: u32, shown: &[Ware], stream: &mut Stream) -> Option<Ware> {
    if number == 0 && run.vouchers.has(VoucherEffect::AimedCelestial) {
        return ConsumableId::planet_of(most_played(&run.hands)).map(Ware::Consumable);
    }
    if let Some(hole) = draw_hidden("black_hole", shown, stream) {
        return Some(hole);
    }
    draw_consumable(run, ConsumableKind::Planet, shown, stream).map(Ware::Consumable)
}

fn pack_spectral(run: &Run, shown: &[Ware], stream: &mut Stream) -> Option<Ware> {
    let soul = draw_hidden("the_soul", shown, stream);
    let hole = draw_hidden("black_hole", shown, stream);
    soul.or(hole).or_else(|| {
        draw_consumable(run, ConsumableKind::Spectral, shown, stream).map(Ware::Consumable)
    })
}

/// A card of a Standard pack: 40% enhanced, 8% with an edition, 20% with a seal.
fn pack_card(stream: &mut Stream) -> Card {
    let mut card = random_card(stream);
    if stream.chance(2, 5) {
        card.enhancement = pick(&Enhancement::ALL, stream);
    }
    card.edition = match stream.below(1000) {
        0..12 => Some(Edition::Poly),
        12..40 => Some(Edition::Holo),
        40..80 => Some(Edition::Foil),
        _ => None,
    };
    if stream.chance(1, 5) {
        card.seal = pick(&Seal::ALL, stream);
    }
    card
}
