//! Legendary jokers: only The Soul brings them (rules: balatro 7)

use super::prelude::*;

/// In the document's order.
pub(super) const LEGENDARY: &[JokerSpec] = &[
    legendary(146, "canio", 20).value(Field::X, 1).effects(&[
        own(CardsDestroyed, &[], &[Grow(Each(1, FacesDestroyed))]),
        on(Main, &[], &[TimesMult(Value)]),
    ]),
    legendary(147, "triboulet", 20).effects(&[on(
        Scored,
        &[Ranks(RankSet::of(&[King, Queen]))],
        &[TimesMult(Whole(2))],
    )]),
    legendary(148, "yorick", 20).value(Field::X, 1).counter(23).effects(&[
        own(Discarded, &[], &[Countdown(23, Whole(1))]),
        on(Main, &[], &[TimesMult(Value)]),
    ]),
    legendary(149, "chicot", 20).fit(Fit::ALL.not_copied()).effects(&[own(
        BlindSelected,
        &[AgainstBoss(true)],
        &[DisableBoss],
    )]),
    legendary(150, "perkeo", 20).effects(&[on(ShopExit, &[], &[CopyConsumable])]),
];
