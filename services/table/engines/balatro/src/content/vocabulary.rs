//! The small language in which jokers are written (rules: balatro 7, content `effect_vocabulary`).
//!
//! An [`Effect`] says *when* something happens ([`Trigger`]), *if* ([`Condition`]) and *what*
//! ([`Act`]). Numbers are [`Amount`]s over [`Variable`]s. What holds as long as a joker is owned is
//! a [`Passive`]. The scoring pipeline (`score`) interprets the triggers of a play, the run (`run`)
//! all others; an act that makes no sense at a trigger does nothing there.

use crate::card::{Enhancement, Rank, Suit};
use crate::poker::{HandType, RankSet};

/// When an effect happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trigger {
    /// A blind was selected, before the deck is shuffled.
    BlindSelected,
    /// The first hand of a round was drawn.
    FirstHandDrawn,
    /// A play was identified and has not scored yet.
    Before,
    /// A scoring card triggers.
    Scored,
    /// Counts the repetitions of a scoring card.
    RetriggerScored,
    /// A held card triggers.
    Held,
    /// Counts the repetitions of a held card.
    RetriggerHeld,
    /// The joker's own place in the joker row.
    Main,
    /// Another joker has had its main effect.
    ReactsToJoker,
    /// The play has scored.
    After,
    /// A scoring card may be destroyed.
    DestroyCheck,
    /// Cards were destroyed.
    CardsDestroyed,
    /// A discard was pressed.
    PreDiscard,
    /// One card is discarded.
    Discarded,
    /// The round is over.
    RoundEnd,
    /// The payout is computed.
    Payout,
    /// A boss was beaten.
    BossDefeated,
    /// A play has triggered the boss.
    BossTriggered,
    /// The shop was rerolled.
    ShopReroll,
    /// The shop is left.
    ShopExit,
    /// A pack was opened.
    PackOpened,
    /// A pack was skipped.
    PackSkipped,
    /// A consumable was used.
    ConsumableUsed,
    /// Something was sold.
    CardSold,
    /// This joker was sold.
    SelfSold,
    /// Playing cards joined the deck.
    DeckCardAdded,
    /// The round would be lost.
    WouldLose,
}

impl Trigger {
    /// How many there are.
    pub const COUNT: usize = Self::WouldLose as usize + 1;
}

/// If an effect happens: every condition of it must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    /// The card passes the effect test of a suit.
    Suit(Suit),
    /// The card's rank is one of these.
    Ranks(RankSet),
    /// The card is a face card.
    Face,
    /// The card has an enhancement.
    Enhanced(Enhancement),
    /// The card is the first of the scoring set.
    FirstScoring,
    /// The card is the first scoring face card.
    FirstScoringFace,
    /// The card is the rightmost of the lowest ranked held cards.
    LowestHeld,
    /// A Lucky roll of this trigger succeeded.
    LuckyTriggered,
    /// The card matches one of the round's marks.
    Marked(Mark),
    /// So many times in so many.
    Chance(u32, u32),
    /// The hand contains a type.
    Contains(HandType),
    /// The hand is the type that the joker lists.
    ListedHand,
    /// The type was played before in this round.
    PlayedBefore,
    /// The type is (or is not) the only most played one.
    SoleMostPlayed(bool),
    /// At most so many cards were played.
    PlayedAtMost(usize),
    /// Exactly so many cards were played.
    PlayedExactly(usize),
    /// The play is the first of the round.
    FirstHand,
    /// So many hands are left after this one.
    HandsLeft(u32),
    /// So many discards are left.
    ExactDiscards(u32),
    /// A scoring card is (or none is) a face card.
    ScoringFace(bool),
    /// A scoring card has a rank.
    ScoringRank(Rank),
    /// The scoring cards cover all four suits.
    FourSuits,
    /// A Club and a card of another suit score.
    ClubAndOther,
    /// Every held card is a Spade or a Club.
    AllHeldBlack,
    /// At most so many dollars are owned.
    MoneyAtMost(i64),
    /// The full deck has at least so many enhanced cards.
    EnhancedAtLeast(u32),
    /// The joker's counter makes this play the n-th of a row of n.
    Every(i64),
    /// The joker's value is at least this whole number.
    ValueAtLeast(i64),
    /// The other joker is uncommon.
    OtherUncommon,
    /// There is room for a consumable.
    ConsumableRoom,
    /// The discard is the first of the round.
    FirstDiscard,
    /// Exactly so many cards are discarded.
    Discarding(usize),
    /// At least so many face cards are discarded.
    DiscardingFaces(usize),
    /// No discard was used in this round.
    NoDiscardUsed,
    /// The blind is (or is not) a boss.
    AgainstBoss(bool),
    /// There is a joker to the right and it is not eternal.
    RightDestructible,
    /// The consumable is a planet.
    PlanetUsed,
    /// At least a quarter of the target was scored.
    QuarterScored,
}

/// What an effect does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act {
    /// Adds chips.
    Chips(Amount),
    /// Adds mult.
    Mult(Amount),
    /// Multiplies mult.
    TimesMult(Amount),
    /// Earns dollars.
    Money(Amount),
    /// Triggers the card so many times more.
    Retrigger(u32),
    /// Creates consumables or jokers where there is room.
    Create(Kind, u32),
    /// Adds to the joker's value.
    Grow(Amount),
    /// Takes from the joker's value, down to 0.
    Shrink(Amount),
    /// Takes from the joker's value; the joker goes when it is down to the bound.
    Wither(Amount, i64),
    /// Sets the joker's value.
    Reset(Amount),
    /// Counts down; at 0 starts again from the first number and grows by the amount.
    Countdown(i32, Amount),
    /// The card gains chips for good.
    PermanentChips(u32),
    /// The played (or discarded) type gains levels.
    LevelUp(i32),
    /// A copy of the played card joins the deck and the hand.
    CopyPlayed,
    /// Removes the enhancements of the scoring cards and grows by the amount for each.
    StripScoring(Amount),
    /// Turns the scoring face cards into Gold cards.
    GildFaces,
    /// Destroys the card.
    DestroyCard,
    /// The joker goes.
    DestroySelf,
    /// The joker to the right is destroyed.
    DestroyRight,
    /// A random other joker is destroyed.
    DestroyOther,
    /// Remembers that this kind is extinct, which opens and closes pool gates.
    Extinct,
    /// A random Stone card joins the deck.
    AddStone,
    /// A random card with a random seal joins the hand.
    AddSealed,
    /// Adds hands to the round.
    AddHands(u32),
    /// Takes all discards of the round.
    DropDiscards,
    /// Ends the boss's ability.
    DisableBoss,
    /// The joker's sell value grows.
    SellValue(i64),
    /// The sell value of every joker and consumable grows.
    SellValueOfAll(i64),
    /// Lists another visible hand type.
    ListAnother,
    /// Duplicates a random other joker, if there is room.
    DuplicateOther,
    /// Gives a Double tag.
    DoubleTag,
    /// A negative copy of a random consumable.
    CopyConsumable,
    /// The round is not lost.
    Save,
}

/// A number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// A whole number.
    Whole(i64),
    /// A number of hundredths.
    Part(i64),
    /// The joker's own value.
    Value,
    /// A whole number for each unit of a variable.
    Each(i64, Variable),
    /// One, and so many hundredths for each unit of a variable.
    OnePlus(i64, Variable),
    /// So many hundredths for each unit of a variable.
    PartEach(i64, Variable),
    /// Uniform between two whole numbers.
    Random(i64, i64),
}

/// A quantity that effects count with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// Chips of the card's rank.
    CardChips,
    /// Jokers owned.
    Jokers,
    /// Empty joker slots and the number of Stencils.
    EmptySlotsAndStencils,
    /// Sell value of all other jokers.
    OtherSellValues,
    /// Sell value of the joker to the right.
    RightSellValue,
    /// Discards left.
    DiscardsLeft,
    /// Times the played type was played in the run.
    TimesPlayed,
    /// Cards in the draw pile.
    DrawPile,
    /// Cards that the full deck is below its starting size.
    MissingCards,
    /// Steel cards in the full deck.
    SteelCards,
    /// Stone cards in the full deck.
    StoneCards,
    /// Nines in the full deck.
    Nines,
    /// Dollars owned, not below 0.
    Dollars,
    /// Full five dollars owned.
    FiveDollars,
    /// Blinds skipped in the run.
    Skips,
    /// Tarots used in the run.
    TarotsUsed,
    /// Different planets used in the run.
    PlanetsUsed,
    /// Playing cards that joined the deck just now.
    CardsAdded,
    /// Glass cards destroyed just now.
    GlassDestroyed,
    /// Face cards destroyed just now.
    FacesDestroyed,
}

/// What a round singles out (rules: balatro 2.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// The mail rank.
    MailRank,
    /// The castle suit.
    CastleSuit,
    /// The ancient suit.
    AncientSuit,
    /// The idol's rank and suit.
    Idol,
}

/// What can be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A random tarot.
    Tarot,
    /// A random planet.
    Planet,
    /// A random spectral.
    Spectral,
    /// A random joker of the shop's odds.
    Joker,
    /// A random common joker.
    CommonJoker,
    /// A random rare joker.
    RareJoker,
    /// A random legendary joker.
    LegendaryJoker,
}

/// What holds while a joker is owned and not debuffed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passive {
    /// Cards more in hand.
    HandSize(i32),
    /// Cards more in hand: the joker's own value.
    HandSizeByValue,
    /// Hands more each round.
    Hands(i32),
    /// Discards more each round.
    Discards(i32),
    /// Money may go down to this.
    MinMoney(i64),
    /// Rerolls of each shop that cost nothing.
    FreeRerolls(u32),
    /// Flushes and straights need four cards.
    FourFingers,
    /// Straights may skip a rank.
    Shortcut,
    /// Red suits are one, black suits are one.
    Smeared,
    /// Every played card scores.
    Splash,
    /// Every card is a face card.
    Pareidolia,
    /// Doubles the numerator of every chance.
    DoubleChances,
    /// Dollars more for each step of interest.
    Interest(i64),
    /// What is owned may appear again.
    AllowDuplicates,
    /// Planets and Celestial packs cost nothing.
    FreePlanets,
    /// Counts for itself when empty slots are counted.
    Stencil,
}

/// One effect of a joker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// When.
    pub on: Trigger,
    /// If.
    pub when: &'static [Condition],
    /// What.
    pub then: &'static [Act],
    /// Belongs to the joker itself: copies do not execute it (rules: balatro 5.3).
    pub own: bool,
}

/// An effect that copies execute as well.
pub(super) const fn on(
    trigger: Trigger,
    when: &'static [Condition],
    then: &'static [Act],
) -> Effect {
    Effect { on: trigger, when, then, own: false }
}

/// An effect that belongs to the joker itself.
pub(super) const fn own(
    trigger: Trigger,
    when: &'static [Condition],
    then: &'static [Act],
) -> Effect {
    Effect { on: trigger, when, then, own: true }
}
