//! Rare jokers (rules: balatro 7)

use super::prelude::*;

/// In the document's order.
pub(super) const RARE: &[JokerSpec] = &[
    rare(51, "dna", 8).effects(&[on(Before, &[FirstHand, PlayedExactly(1)], &[CopyPlayed])]),
    rare(71, "vagabond", 8).effects(&[on(Main, &[MoneyAtMost(4)], &[Create(Tarot, 1)])]),
    rare(72, "baron", 8).effects(&[on(
        Held,
        &[Ranks(RankSet::of(&[King]))],
        &[TimesMult(Part(150))],
    )]),
    rare(75, "obelisk", 8).fit(Fit::ALL.not_perishable()).value(Field::X, 1).effects(&[
        own(Before, &[SoleMostPlayed(false)], &[Grow(Part(20))]),
        own(Before, &[SoleMostPlayed(true)], &[Reset(Whole(1))]),
        on(Main, &[], &[TimesMult(Value)]),
    ]),
    rare(92, "baseball_card", 8).effects(&[on(
        ReactsToJoker,
        &[OtherUncommon],
        &[TimesMult(Part(150))],
    )]),
    rare(99, "ancient_joker", 8).effects(&[on(
        Scored,
        &[Marked(AncientSuit)],
        &[TimesMult(Part(150))],
    )]),
    rare(105, "campfire", 9).value(Field::X, 1).effects(&[
        own(CardSold, &[], &[Grow(Part(25))]),
        own(BossDefeated, &[], &[Reset(Whole(1))]),
        on(Main, &[], &[TimesMult(Value)]),
    ]),
    rare(123, "blueprint", 10).copies(Neighbour::Right),
    rare(124, "wee_joker", 8).fit(Fit::ALL.not_perishable()).value(Field::Chips, 0).effects(&[
        own(Scored, &[Ranks(RankSet::of(&[Two]))], &[Grow(Whole(8))]),
        on(Main, &[], &[Chips(Value)]),
    ]),
    rare(130, "hit_the_road", 8).value(Field::X, 1).effects(&[
        own(Discarded, &[Ranks(RankSet::of(&[Jack]))], &[Grow(Part(50))]),
        own(RoundEnd, &[], &[Reset(Whole(1))]),
        on(Main, &[], &[TimesMult(Value)]),
    ]),
    rare(131, "the_duo", 8).effects(&[on(Main, &[Contains(Pair)], &[TimesMult(Whole(2))])]),
    rare(132, "the_trio", 8).effects(&[on(
        Main,
        &[Contains(ThreeOfAKind)],
        &[TimesMult(Whole(3))],
    )]),
    rare(133, "the_family", 8).effects(&[on(
        Main,
        &[Contains(FourOfAKind)],
        &[TimesMult(Whole(4))],
    )]),
    rare(134, "the_order", 8).effects(&[on(Main, &[Contains(Straight)], &[TimesMult(Whole(3))])]),
    rare(135, "the_tribe", 8).effects(&[on(Main, &[Contains(Flush)], &[TimesMult(Whole(2))])]),
    rare(136, "stuntman", 7).passive(&[HandSize(-2)]).effects(&[on(
        Main,
        &[],
        &[Chips(Whole(250))],
    )]),
    rare(137, "invisible_joker", 8)
        .fit(Fit::ALL.not_copied().not_eternal())
        .value(Field::Rounds, 0)
        .effects(&[
            own(RoundEnd, &[], &[Grow(Whole(1))]),
            own(SelfSold, &[ValueAtLeast(2)], &[DuplicateOther]),
        ]),
    rare(138, "brainstorm", 10).copies(Neighbour::Leftmost),
    rare(141, "drivers_license", 7).effects(&[on(
        Main,
        &[EnhancedAtLeast(16)],
        &[TimesMult(Whole(3))],
    )]),
    rare(144, "burnt_joker", 8).effects(&[on(PreDiscard, &[FirstDiscard], &[LevelUp(1)])]),
];
