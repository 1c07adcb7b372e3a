//! Bosses (rules: balatro 6).

use crate::card::Suit::{self, *};
use crate::poker::HandType::{self, *};

use BossEffect::*;

/// What a boss does to the round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BossEffect {
    /// Nothing but its target.
    Plain,
    /// Cards of a suit are debuffed.
    DebuffSuit(Suit),
    /// Face cards are debuffed.
    DebuffFaces,
    /// Cards that were played in this ante are debuffed.
    DebuffPlayed,
    /// Every card is debuffed until a joker is sold.
    DebuffAll,
    /// Each play discards two random held cards before it scores.
    DiscardTwo,
    /// The most played type takes all money.
    TakeMoney,
    /// The first hand is drawn face down.
    HideFirstHand,
    /// Each card is drawn face down 1 time in 7.
    HideByChance,
    /// Cards drawn after a play are face down.
    HideAfterPlay,
    /// Face cards are drawn face down.
    HideFaces,
    /// The played type loses a level.
    TakeLevel,
    /// Fewer than five cards score nothing.
    NeedFive,
    /// A type scores once in the round.
    NoRepeats,
    /// Only the first type of the round scores.
    OneType,
    /// The round has no discards.
    NoDiscards,
    /// One card fewer in hand.
    SmallerHand,
    /// Three cards are drawn after a play or a discard.
    DrawThree,
    /// The round has one hand.
    OneHand,
    /// A dollar for each played card.
    PayPerCard,
    /// Base chips and mult are halved.
    HalveBase,
    /// Jokers are turned face down and shuffled.
    HideJokers,
    /// A random joker is disabled for each hand.
    DisableJoker,
    /// A random held card must be part of every play and discard.
    ForceCard,
    /// A type scores nothing (profile `seed`).
    BarHand(HandType),
}

/// The entry of a boss.
#[derive(Clone, Copy, Debug)]
pub struct BossSpec {
    /// Stable lower-case id.
    pub id: &'static str,
    /// Its target in halves of the base.
    pub halves: u64,
    /// Dollars for beating it.
    pub reward: i64,
    /// The first ante in which it appears.
    pub from_ante: i32,
    /// Appears in antes 8, 16, … only.
    pub finisher: bool,
    /// What it does.
    pub effect: BossEffect,
}

impl BossSpec {
    const fn times(self, mult: u64) -> Self {
        Self { halves: mult * 2, ..self }
    }

    /// Its target in halves of the base when it is disabled (rules: balatro 6).
    #[must_use]
    pub const fn disabled_halves(&self) -> u64 {
        if self.halves > 4 { 4 } else { self.halves }
    }
}

const fn boss(id: &'static str, from_ante: i32, effect: BossEffect) -> BossSpec {
    BossSpec { id, halves: 4, reward: 5, from_ante, finisher: false, effect }
}

const fn finisher(id: &'static str, effect: BossEffect) -> BossSpec {
    BossSpec { id, halves: 4, reward: 8, from_ante: 8, finisher: true, effect }
}

const fn barring(id: &'static str, hand: HandType) -> BossSpec {
    boss(id, 1, BarHand(hand))
}

/// All bosses: the 28 of the document, then the hand-type bosses of the profile `seed`.
pub const BOSSES: [BossSpec; 37] = [
    boss("hook", 1, DiscardTwo),
    boss("ox", 6, TakeMoney),
    boss("house", 2, HideFirstHand),
    boss("wall", 2, Plain).times(4),
    boss("wheel", 2, HideByChance),
    boss("arm", 2, TakeLevel),
    boss("club", 1, DebuffSuit(Clubs)),
    boss("fish", 2, HideAfterPlay),
    boss("psychic", 1, NeedFive),
    boss("goad", 1, DebuffSuit(Spades)),
    boss("water", 2, NoDiscards),
    boss("window", 1, DebuffSuit(Diamonds)),
    boss("manacle", 1, SmallerHand),
    boss("eye", 3, NoRepeats),
    boss("mouth", 2, OneType),
    boss("plant", 4, DebuffFaces),
    boss("serpent", 5, DrawThree),
    boss("pillar", 1, DebuffPlayed),
    boss("needle", 2, OneHand).times(1),
    boss("head", 1, DebuffSuit(Hearts)),
    boss("tooth", 3, PayPerCard),
    boss("flint", 2, HalveBase),
    boss("mark", 2, HideFaces),
    finisher("amber_acorn", HideJokers),
    finisher("verdant_leaf", DebuffAll),
    finisher("violet_vessel", Plain).times(6),
    finisher("crimson_heart", DisableJoker),
    finisher("cerulean_bell", ForceCard),
    barring("barred_straight_flush", StraightFlush),
    barring("barred_four_of_a_kind", FourOfAKind),
    barring("barred_full_house", FullHouse),
    barring("barred_flush", Flush),
    barring("barred_straight", Straight),
    barring("barred_three_of_a_kind", ThreeOfAKind),
    barring("barred_two_pair", TwoPair),
    barring("barred_pair", Pair),
    barring("barred_high_card", HighCard),
];

super::content_id! {
    /// A boss's place in [`BOSSES`].
    BossId, BossSpec, BOSSES
}
