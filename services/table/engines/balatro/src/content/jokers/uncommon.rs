//! Uncommon jokers (rules: balatro 7)

use super::prelude::*;

/// In the document's order.
pub(super) const UNCOMMON: &[JokerSpec] = &[
    uncommon(17, "joker_stencil", 8).passive(&[Stencil]).effects(&[on(
        Main,
        &[],
        &[TimesMult(Each(1, EmptySlotsAndStencils))],
    )]),
    uncommon(18, "four_fingers", 7).fit(Fit::ALL.not_copied()).passive(&[FourFingers]),
    uncommon(19, "mime", 5).effects(&[on(RetriggerHeld, &[], &[Retrigger(1)])]),
    uncommon(21, "ceremonial_dagger", 6)
        .fit(Fit::ALL.not_perishable())
        .value(Field::Mult, 0)
        .effects(&[
            own(
                BlindSelected,
                &[RightDestructible],
                &[Grow(Each(2, RightSellValue)), DestroyRight],
            ),
            on(Main, &[], &[Mult(Value)]),
        ]),
    uncommon(24, "marble_joker", 6).effects(&[on(BlindSelected, &[], &[AddStone])]),
    uncommon(25, "loyalty_card", 5).value(Field::Plays, 0).effects(&[
        on(Main, &[Every(6)], &[TimesMult(Whole(4))]),
        own(After, &[], &[Grow(Whole(1))]),
    ]),
    uncommon(28, "dusk", 5).effects(&[on(RetriggerScored, &[HandsLeft(0)], &[Retrigger(1)])]),
    uncommon(31, "fibonacci", 8).effects(&[on(
        Scored,
        &[Ranks(RankSet::of(&[Ace, Two, Three, Five, Eight]))],
        &[Mult(Whole(8))],
    )]),
    uncommon(32, "steel_joker", 7).gate(Gate::DeckHas(Steel)).effects(&[on(
        Main,
        &[],
        &[TimesMult(OnePlus(20, SteelCards))],
    )]),
    uncommon(36, "hack", 6).effects(&[on(
        RetriggerScored,
        &[Ranks(RankSet::of(&[Two, Three, Four, Five]))],
        &[Retrigger(1)],
    )]),
    uncommon(37, "pareidolia", 5).fit(Fit::ALL.not_copied()).passive(&[Pareidolia]),
    uncommon(45, "space_joker", 5).effects(&[on(Before, &[Chance(1, 4)], &[LevelUp(1)])]),
    uncommon(47, "burglar", 6).effects(&[on(BlindSelected, &[], &[AddHands(3), DropDiscards])]),
    uncommon(48, "blackboard", 6).effects(&[on(Main, &[AllHeldBlack], &[TimesMult(Whole(3))])]),
    uncommon(54, "sixth_sense", 6).fit(Fit::ALL.not_copied()).effects(&[own(
        DestroyCheck,
        &[FirstHand, PlayedExactly(1), Ranks(RankSet::of(&[Six])), ConsumableRoom],
        &[DestroyCard, Create(Spectral, 1)],
    )]),
    uncommon(55, "constellation", 6).fit(Fit::ALL.not_perishable()).value(Field::X, 1).effects(&[
        own(ConsumableUsed, &[PlanetUsed], &[Grow(Part(10))]),
        on(Main, &[], &[TimesMult(Value)]),
    ]),
    uncommon(56, "hiker", 5).effects(&[on(Scored, &[], &[PermanentChips(5)])]),
    uncommon(62, "card_sharp", 6).effects(&[on(Main, &[PlayedBefore], &[TimesMult(Whole(3))])]),
    uncommon(64, "madness", 7).fit(Fit::ALL.not_perishable()).value(Field::X, 1).effects(&[
        own(BlindSelected, &[AgainstBoss(false)], &[Grow(Part(50)), DestroyOther]),
        on(Main, &[], &[TimesMult(Value)]),
    ]),
    uncommon(66, "seance", 6).effects(&[on(
        Main,
        &[Contains(StraightFlush)],
        &[Create(Spectral, 1)],
    )]),
    uncommon(68, "vampire", 7).fit(Fit::ALL.not_perishable()).value(Field::X, 1).effects(&[
        own(Before, &[], &[StripScoring(Part(10))]),
        on(Main, &[], &[TimesMult(Value)]),
    ]),
    uncommon(69, "shortcut", 7).fit(Fit::ALL.not_copied()).passive(&[Shortcut]),
    uncommon(70, "hologram", 7).fit(Fit::ALL.not_perishable()).value(Field::X, 1).effects(&[
        own(DeckCardAdded, &[], &[Grow(PartEach(25, CardsAdded))]),
        on(Main, &[], &[TimesMult(Value)]),
    ]),
    uncommon(73, "cloud_9", 7).fit(Fit::ALL.not_copied()).effects(&[on(
        Payout,
        &[],
        &[Money(Each(1, Nines))],
    )]),
    uncommon(74, "rocket", 6)
        .fit(Fit::ALL.not_copied().not_perishable())
        .value(Field::Money, 1)
        .effects(&[own(Payout, &[], &[Money(Value)]), own(BossDefeated, &[], &[Grow(Whole(2))])]),
    uncommon(76, "midas_mask", 7).fit(Fit::ALL.not_copied()).effects(&[own(
        Before,
        &[],
        &[GildFaces],
    )]),
    uncommon(77, "luchador", 5).fit(Fit::ALL.not_eternal()).effects(&[on(
        SelfSold,
        &[],
        &[DisableBoss],
    )]),
    uncommon(79, "gift_card", 6).fit(Fit::ALL.not_copied()).effects(&[own(
        RoundEnd,
        &[],
        &[SellValueOfAll(1)],
    )]),
    uncommon(80, "turtle_bean", 6)
        .fit(Fit::ALL.not_copied().not_eternal())
        .value(Field::HandSize, 5)
        .passive(&[HandSizeByValue])
        .effects(&[own(RoundEnd, &[], &[Wither(Whole(1), 0)])]),
    uncommon(81, "erosion", 6).effects(&[on(Main, &[], &[Mult(Each(4, MissingCards))])]),
    uncommon(84, "to_the_moon", 5).fit(Fit::ALL.not_copied()).passive(&[Interest(1)]),
    uncommon(89, "stone_joker", 6).gate(Gate::DeckHas(Stone)).effects(&[on(
        Main,
        &[],
        &[Chips(Each(25, StoneCards))],
    )]),
    uncommon(91, "lucky_cat", 6)
        .fit(Fit::ALL.not_perishable())
        .gate(Gate::DeckHas(Lucky))
        .value(Field::X, 1)
        .effects(&[
            own(Scored, &[LuckyTriggered], &[Grow(Part(25))]),
            on(Main, &[], &[TimesMult(Value)]),
        ]),
    uncommon(93, "bull", 6).effects(&[on(Main, &[], &[Chips(Each(2, Dollars))])]),
    uncommon(94, "diet_cola", 6).fit(Fit::ALL.not_eternal()).effects(&[on(
        SelfSold,
        &[],
        &[DoubleTag],
    )]),
    uncommon(95, "trading_card", 6).fit(Fit::ALL.not_copied()).effects(&[own(
        Discarded,
        &[FirstDiscard, Discarding(1)],
        &[Money(Whole(3)), DestroyCard],
    )]),
    uncommon(96, "flash_card", 5)
        .fit(Fit::ALL.not_perishable())
        .value(Field::Mult, 0)
        .effects(&[own(ShopReroll, &[], &[Grow(Whole(2))]), on(Main, &[], &[Mult(Value)])]),
    uncommon(98, "spare_trousers", 6).fit(Fit::ALL.not_perishable()).value(Field::Mult, 0).effects(
        &[own(Before, &[Contains(TwoPair)], &[Grow(Whole(2))]), on(Main, &[], &[Mult(Value)])],
    ),
    uncommon(100, "ramen", 6)
        .fit(Fit::ALL.not_eternal())
        .value(Field::X, 2)
        .effects(&[on(Main, &[], &[TimesMult(Value)]), own(Discarded, &[], &[Wither(Part(1), 1)])]),
    uncommon(102, "seltzer", 6).fit(Fit::ALL.not_eternal()).value(Field::Uses, 10).effects(&[
        on(RetriggerScored, &[], &[Retrigger(1)]),
        own(After, &[], &[Wither(Whole(1), 0)]),
    ]),
    uncommon(103, "castle", 6).fit(Fit::ALL.not_perishable()).value(Field::Chips, 0).effects(&[
        own(Discarded, &[Marked(CastleSuit)], &[Grow(Whole(3))]),
        on(Main, &[], &[Chips(Value)]),
    ]),
    uncommon(107, "mr_bones", 5).fit(Fit::ALL.not_copied().not_eternal()).effects(&[on(
        WouldLose,
        &[QuarterScored],
        &[Save, DestroySelf],
    )]),
    uncommon(108, "acrobat", 6).effects(&[on(Main, &[HandsLeft(0)], &[TimesMult(Whole(3))])]),
    uncommon(109, "sock_and_buskin", 6).effects(&[on(RetriggerScored, &[Face], &[Retrigger(1)])]),
    uncommon(111, "troubadour", 6).fit(Fit::ALL.not_copied()).passive(&[HandSize(2), Hands(-1)]),
    uncommon(112, "certificate", 6).effects(&[on(FirstHandDrawn, &[], &[AddSealed])]),
    uncommon(113, "smeared_joker", 7).fit(Fit::ALL.not_copied()).passive(&[Smeared]),
    uncommon(114, "throwback", 6).effects(&[on(Main, &[], &[TimesMult(OnePlus(25, Skips))])]),
    uncommon(116, "rough_gem", 7).effects(&[on(Scored, &[Suit(Diamonds)], &[Money(Whole(1))])]),
    uncommon(117, "bloodstone", 7).effects(&[on(
        Scored,
        &[Suit(Hearts), Chance(1, 2)],
        &[TimesMult(Part(150))],
    )]),
    uncommon(118, "arrowhead", 7).effects(&[on(Scored, &[Suit(Spades)], &[Chips(Whole(50))])]),
    uncommon(119, "onyx_agate", 7).effects(&[on(Scored, &[Suit(Clubs)], &[Mult(Whole(7))])]),
    uncommon(120, "glass_joker", 6)
        .fit(Fit::ALL.not_perishable())
        .gate(Gate::DeckHas(Glass))
        .value(Field::X, 1)
        .effects(&[
            own(CardsDestroyed, &[], &[Grow(PartEach(75, GlassDestroyed))]),
            on(Main, &[], &[TimesMult(Value)]),
        ]),
    uncommon(121, "showman", 5).fit(Fit::ALL.not_copied()).passive(&[AllowDuplicates]),
    uncommon(122, "flower_pot", 6).effects(&[on(Main, &[FourSuits], &[TimesMult(Whole(3))])]),
    uncommon(125, "merry_andy", 7).fit(Fit::ALL.not_copied()).passive(&[Discards(3), HandSize(-1)]),
    uncommon(126, "oops_all_6s", 4).fit(Fit::ALL.not_copied()).passive(&[DoubleChances]),
    uncommon(127, "the_idol", 6).effects(&[on(Scored, &[Marked(Idol)], &[TimesMult(Whole(2))])]),
    uncommon(128, "seeing_double", 6).effects(&[on(Main, &[ClubAndOther], &[TimesMult(Whole(2))])]),
    uncommon(129, "matador", 7).effects(&[on(BossTriggered, &[], &[Money(Whole(8))])]),
    uncommon(139, "satellite", 6).fit(Fit::ALL.not_copied()).effects(&[on(
        Payout,
        &[],
        &[Money(Each(1, PlanetsUsed))],
    )]),
    uncommon(142, "cartomancer", 6).effects(&[on(BlindSelected, &[], &[Create(Tarot, 1)])]),
    uncommon(143, "astronomer", 8).fit(Fit::ALL.not_copied()).passive(&[FreePlanets]),
    uncommon(145, "bootstraps", 7).effects(&[on(Main, &[], &[Mult(Each(2, FiveDollars))])]),
];
