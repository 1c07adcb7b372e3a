//! Common jokers: most of what shops offer (rules: balatro 7)

use super::prelude::*;

/// In the document's order.
pub(super) const COMMON: &[JokerSpec] = &[
    common(1, "joker", 2).effects(&[on(Main, &[], &[Mult(Whole(4))])]),
    common(2, "greedy_joker", 5).effects(&[on(Scored, &[Suit(Diamonds)], &[Mult(Whole(3))])]),
    common(3, "lusty_joker", 5).effects(&[on(Scored, &[Suit(Hearts)], &[Mult(Whole(3))])]),
    common(4, "wrathful_joker", 5).effects(&[on(Scored, &[Suit(Spades)], &[Mult(Whole(3))])]),
    common(5, "gluttonous_joker", 5).effects(&[on(Scored, &[Suit(Clubs)], &[Mult(Whole(3))])]),
    common(6, "jolly_joker", 3).effects(&[on(Main, &[Contains(Pair)], &[Mult(Whole(8))])]),
    common(7, "zany_joker", 4).effects(&[on(Main, &[Contains(ThreeOfAKind)], &[Mult(Whole(12))])]),
    common(8, "mad_joker", 4).effects(&[on(Main, &[Contains(TwoPair)], &[Mult(Whole(10))])]),
    common(9, "crazy_joker", 4).effects(&[on(Main, &[Contains(Straight)], &[Mult(Whole(12))])]),
    common(10, "droll_joker", 4).effects(&[on(Main, &[Contains(Flush)], &[Mult(Whole(10))])]),
    common(11, "sly_joker", 3).effects(&[on(Main, &[Contains(Pair)], &[Chips(Whole(50))])]),
    common(12, "wily_joker", 4).effects(&[on(
        Main,
        &[Contains(ThreeOfAKind)],
        &[Chips(Whole(100))],
    )]),
    common(13, "clever_joker", 4).effects(&[on(Main, &[Contains(TwoPair)], &[Chips(Whole(80))])]),
    common(14, "devious_joker", 4).effects(&[on(
        Main,
        &[Contains(Straight)],
        &[Chips(Whole(100))],
    )]),
    common(15, "crafty_joker", 4).effects(&[on(Main, &[Contains(Flush)], &[Chips(Whole(80))])]),
    common(16, "half_joker", 5).effects(&[on(Main, &[PlayedAtMost(3)], &[Mult(Whole(20))])]),
    common(20, "credit_card", 1).fit(Fit::ALL.not_copied()).passive(&[MinMoney(-20)]),
    common(22, "banner", 5).effects(&[on(Main, &[], &[Chips(Each(30, DiscardsLeft))])]),
    common(23, "mystic_summit", 5).effects(&[on(Main, &[ExactDiscards(0)], &[Mult(Whole(15))])]),
    common(26, "8_ball", 5).effects(&[on(
        Scored,
        &[Ranks(RankSet::of(&[Eight])), Chance(1, 4)],
        &[Create(Tarot, 1)],
    )]),
    common(27, "misprint", 4).effects(&[on(Main, &[], &[Mult(Random(0, 23))])]),
    common(29, "raised_fist", 5).effects(&[on(Held, &[LowestHeld], &[Mult(Each(2, CardChips))])]),
    common(30, "chaos_the_clown", 4).fit(Fit::ALL.not_copied()).passive(&[FreeRerolls(1)]),
    common(33, "scary_face", 4).effects(&[on(Scored, &[Face], &[Chips(Whole(30))])]),
    common(34, "abstract_joker", 4).effects(&[on(Main, &[], &[Mult(Each(3, Jokers))])]),
    common(35, "delayed_gratification", 4).fit(Fit::ALL.not_copied()).effects(&[on(
        Payout,
        &[NoDiscardUsed],
        &[Money(Each(2, DiscardsLeft))],
    )]),
    common(38, "gros_michel", 5).fit(Fit::ALL.not_eternal()).gate(Gate::UntilExtinct).effects(&[
        on(Main, &[], &[Mult(Whole(15))]),
        own(RoundEnd, &[Chance(1, 6)], &[DestroySelf, Extinct]),
    ]),
    common(39, "even_steven", 4).effects(&[on(
        Scored,
        &[Ranks(RankSet::of(&[Two, Four, Six, Eight, Ten]))],
        &[Mult(Whole(4))],
    )]),
    common(40, "odd_todd", 4).effects(&[on(
        Scored,
        &[Ranks(RankSet::of(&[Ace, Three, Five, Seven, Nine]))],
        &[Chips(Whole(31))],
    )]),
    common(41, "scholar", 4).effects(&[on(
        Scored,
        &[Ranks(RankSet::of(&[Ace]))],
        &[Chips(Whole(20)), Mult(Whole(4))],
    )]),
    common(42, "business_card", 4).effects(&[on(
        Scored,
        &[Face, Chance(1, 2)],
        &[Money(Whole(2))],
    )]),
    common(43, "supernova", 5).effects(&[on(Main, &[], &[Mult(Each(1, TimesPlayed))])]),
    common(44, "ride_the_bus", 6).fit(Fit::ALL.not_perishable()).value(Field::Mult, 0).effects(&[
        own(Before, &[ScoringFace(true)], &[Reset(Whole(0))]),
        own(Before, &[ScoringFace(false)], &[Grow(Whole(1))]),
        on(Main, &[], &[Mult(Value)]),
    ]),
    common(46, "egg", 4).fit(Fit::ALL.not_copied()).effects(&[own(RoundEnd, &[], &[SellValue(3)])]),
    common(49, "runner", 5).fit(Fit::ALL.not_perishable()).value(Field::Chips, 0).effects(&[
        own(Before, &[Contains(Straight)], &[Grow(Whole(15))]),
        on(Main, &[], &[Chips(Value)]),
    ]),
    common(50, "ice_cream", 5)
        .fit(Fit::ALL.not_eternal())
        .value(Field::Chips, 100)
        .effects(&[on(Main, &[], &[Chips(Value)]), own(After, &[], &[Wither(Whole(5), 0)])]),
    common(52, "splash", 3).fit(Fit::ALL.not_copied()).passive(&[Splash]),
    common(53, "blue_joker", 5).effects(&[on(Main, &[], &[Chips(Each(2, DrawPile))])]),
    common(57, "faceless_joker", 4).effects(&[on(
        PreDiscard,
        &[DiscardingFaces(3)],
        &[Money(Whole(5))],
    )]),
    common(58, "green_joker", 4).fit(Fit::ALL.not_perishable()).value(Field::Mult, 0).effects(&[
        own(Before, &[], &[Grow(Whole(1))]),
        own(PreDiscard, &[], &[Shrink(Whole(1))]),
        on(Main, &[], &[Mult(Value)]),
    ]),
    common(59, "superposition", 4).effects(&[on(
        Main,
        &[Contains(Straight), ScoringRank(Ace)],
        &[Create(Tarot, 1)],
    )]),
    common(60, "to_do_list", 4).lists_a_hand().effects(&[
        on(Before, &[ListedHand], &[Money(Whole(4))]),
        own(RoundEnd, &[], &[ListAnother]),
    ]),
    common(61, "cavendish", 4).fit(Fit::ALL.not_eternal()).gate(Gate::OnceExtinct).effects(&[
        on(Main, &[], &[TimesMult(Whole(3))]),
        own(RoundEnd, &[Chance(1, 1000)], &[DestroySelf]),
    ]),
    common(63, "red_card", 5)
        .fit(Fit::ALL.not_perishable())
        .value(Field::Mult, 0)
        .effects(&[own(PackSkipped, &[], &[Grow(Whole(3))]), on(Main, &[], &[Mult(Value)])]),
    common(65, "square_joker", 4).fit(Fit::ALL.not_perishable()).value(Field::Chips, 0).effects(&[
        own(Before, &[PlayedExactly(4)], &[Grow(Whole(4))]),
        on(Main, &[], &[Chips(Value)]),
    ]),
    common(67, "riff_raff", 6).effects(&[on(BlindSelected, &[], &[Create(CommonJoker, 2)])]),
    common(78, "photograph", 5).effects(&[on(Scored, &[FirstScoringFace], &[TimesMult(Whole(2))])]),
    common(82, "reserved_parking", 6).effects(&[on(
        Held,
        &[Face, Chance(1, 2)],
        &[Money(Whole(1))],
    )]),
    common(83, "mail_in_rebate", 4).effects(&[on(
        Discarded,
        &[Marked(MailRank)],
        &[Money(Whole(5))],
    )]),
    common(85, "hallucination", 4).effects(&[on(PackOpened, &[Chance(1, 2)], &[Create(Tarot, 1)])]),
    common(86, "fortune_teller", 6).effects(&[on(Main, &[], &[Mult(Each(1, TarotsUsed))])]),
    common(87, "juggler", 4).fit(Fit::ALL.not_copied()).passive(&[HandSize(1)]),
    common(88, "drunkard", 4).fit(Fit::ALL.not_copied()).passive(&[Discards(1)]),
    common(90, "golden_joker", 6).fit(Fit::ALL.not_copied()).effects(&[on(
        Payout,
        &[],
        &[Money(Whole(4))],
    )]),
    common(97, "popcorn", 5)
        .fit(Fit::ALL.not_eternal())
        .value(Field::Mult, 20)
        .effects(&[on(Main, &[], &[Mult(Value)]), own(RoundEnd, &[], &[Wither(Whole(4), 0)])]),
    common(101, "walkie_talkie", 4).effects(&[on(
        Scored,
        &[Ranks(RankSet::of(&[Ten, Four]))],
        &[Chips(Whole(10)), Mult(Whole(4))],
    )]),
    common(104, "smiley_face", 4).effects(&[on(Scored, &[Face], &[Mult(Whole(5))])]),
    common(106, "golden_ticket", 5).gate(Gate::DeckHas(Gold)).effects(&[on(
        Scored,
        &[Enhanced(Gold)],
        &[Money(Whole(4))],
    )]),
    common(110, "swashbuckler", 4).effects(&[on(Main, &[], &[Mult(Each(1, OtherSellValues))])]),
    common(115, "hanging_chad", 4).effects(&[on(
        RetriggerScored,
        &[FirstScoring],
        &[Retrigger(2)],
    )]),
    common(140, "shoot_the_moon", 5).effects(&[on(
        Held,
        &[Ranks(RankSet::of(&[Queen]))],
        &[Mult(Whole(13))],
    )]),
];
