//! What is created at random, and from which pools (rules: balatro 10).

use arrayvec::ArrayVec;
use parlor_game::Stream;

use super::draft::Draft;
use super::start::pick;
use crate::content::jokers::Gate;
use crate::content::{ConsumableId, ConsumableKind, JokerId, Rarity};
use crate::state::{Run, Ware};

impl Draft<'_> {
    /// Creates a random consumable of a kind, if there is room.
    pub(super) fn create_consumable(&mut self, kind: ConsumableKind, purpose: &str) {
        if self.run.consumable_room() > 0 {
            let mut stream = self.stream_now(purpose);
            if let Some(kind) = draw_consumable(&self.run, kind, &[], &mut stream) {
                self.gain_consumable(kind);
            }
        }
    }

    /// Creates a random joker, if there is room; of the shop's odds without a rarity.
    pub(super) fn create_joker(&mut self, rarity: Option<Rarity>, purpose: &str) {
        if self.run.joker_room() > 0 {
            let mut stream = self.stream_now(purpose);
            let rarity = rarity.unwrap_or_else(|| draw_rarity(&mut stream));
            if let Some(kind) = draw_joker(&self.run, rarity, &[], &mut stream) {
                self.gain_joker(kind);
            }
        }
    }
}

/// A rarity by the odds of shops.
pub(super) fn draw_rarity(stream: &mut Stream) -> Rarity {
    match stream.below(100) {
        0..70 => Rarity::Common,
        70..95 => Rarity::Uncommon,
        _ => Rarity::Rare,
    }
}

/// A random consumable of a kind that is neither owned nor shown; a fixed one when all are.
pub(super) fn draw_consumable(
    run: &Run,
    kind: ConsumableKind,
    shown: &[Ware],
    stream: &mut Stream,
) -> Option<ConsumableId> {
    let mut there = 0_u64;
    if !run.allows_duplicates() {
        run.consumables.iter().for_each(|held| there |= 1 << held.kind.index());
        for ware in run.wares().chain(shown) {
            if let Ware::Consumable(shown) = ware {
                there |= 1 << shown.index();
            }
        }
    }
    let free = |candidate: &ConsumableId| {
        let known = candidate.planet_hand().is_none_or(|hand| run.is_visible(hand));
        !candidate.spec().hidden && known && there & 1 << candidate.index() == 0
    };
    let pool: ArrayVec<ConsumableId, { ConsumableId::COUNT }> =
        ConsumableId::of_kind(kind).filter(free).collect();
    let fallback = match kind {
        ConsumableKind::Tarot => "strength",
        ConsumableKind::Planet => "pluto",
        ConsumableKind::Spectral => "incantation",
    };
    pick(&pool, stream).or_else(|| ConsumableId::from_id(fallback))
}

/// A random joker of a rarity that is neither owned nor shown; a fixed one when all are.
pub(super) fn draw_joker(
    run: &Run,
    rarity: Rarity,
    shown: &[Ware],
    stream: &mut Stream,
) -> Option<JokerId> {
    let mut there = [false; JokerId::COUNT];
    if !run.allows_duplicates() {
        run.jokers.iter().for_each(|joker| there[joker.kind.index()] = true);
        for ware in run.wares().chain(shown) {
            if let Ware::Joker(joker) = ware {
                there[joker.kind.index()] = true;
            }
        }
    }
    let open = |candidate: &JokerId| match candidate.spec().gate {
        None => true,
        Some(Gate::DeckHas(enhancement)) => run.deck_has(enhancement),
        Some(Gate::UntilExtinct) => !run.tally.extinct,
        Some(Gate::OnceExtinct) => run.tally.extinct,
    };
    let pool: ArrayVec<JokerId, { JokerId::COUNT }> = JokerId::of_rarity(rarity)
        .iter()
        .filter(|candidate| !there[candidate.index()] && open(candidate))
        .copied()
        .collect();
    pick(&pool, stream).or_else(|| JokerId::from_id("joker"))
}
