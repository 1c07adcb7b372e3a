//! Consumables: tarots, planets and spectrals (rules: balatro 11).

use serde::{Deserialize, Serialize};

use super::vocabulary::Kind;
use crate::card::Enhancement::{self, *};
use crate::card::Rank::{self, *};
use crate::card::Seal;
use crate::card::Suit::{self, *};
use crate::poker::HandType::{self, *};

use ConsumableAct::*;

/// The three kinds of consumables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ConsumableKind {
    /// Changes cards.
    Tarot,
    /// Levels a hand type up.
    Planet,
    /// Strong, with a price.
    Spectral,
}

impl ConsumableKind {
    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Tarot => "tarot",
            Self::Planet => "planet",
            Self::Spectral => "spectral",
        }
    }
}

/// What using a consumable does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConsumableAct {
    /// Creates a copy of the last tarot or planet that was used.
    CopyLast,
    /// Enhances the targets.
    Enhance(Enhancement),
    /// Creates up to so many of a kind.
    Create(Kind, u32),
    /// Doubles the money, by at most so many dollars.
    DoubleMoney(i64),
    /// 1 in 4: a random joker without an edition gets one.
    ChanceEdition,
    /// The targets go up one rank.
    RankUp,
    /// The targets are destroyed.
    DestroyTargets,
    /// The left target becomes a copy of the right one.
    CopyRight,
    /// Pays the sell values of all jokers, at most so many dollars.
    SellValues(i64),
    /// The targets change suit.
    SetSuit(Suit),
    /// A hand type gains a level.
    LevelUp(HandType),
    /// A random held card is destroyed, so many enhanced cards of these ranks join the hand.
    Exchange(u32, &'static [Rank]),
    /// The target gets a seal.
    AddSeal(Seal),
    /// The target gets a random edition.
    AddEdition,
    /// Creates a rare joker; all money goes.
    RareForMoney,
    /// All held cards become one random suit.
    OneSuit,
    /// All held cards become one random rank; the hand shrinks by 1 for good.
    OneRank,
    /// A random joker becomes negative; the hand shrinks for good, more each time.
    MakeNegative,
    /// Destroys so many random held cards for so many dollars.
    DestroyHeld(u32, i64),
    /// A random joker is copied, the others are destroyed.
    KeepAndCopyOne,
    /// A random joker becomes polychrome, the others are destroyed.
    KeepOnePoly,
    /// So many copies of the target join the hand.
    CopyCard(u32),
    /// Every hand type gains a level.
    LevelUpAll,
}

/// The entry of a consumable.
#[derive(Clone, Copy, Debug)]
pub struct ConsumableSpec {
    /// Stable lower-case id.
    pub id: &'static str,
    /// Tarot, planet or spectral.
    pub kind: ConsumableKind,
    /// Fewest and most held cards that are selected with it.
    pub targets: (usize, usize),
    /// What it does.
    pub act: ConsumableAct,
    /// Never drawn from a pool: found in packs by a chance of its own.
    pub hidden: bool,
}

impl ConsumableSpec {
    const fn hidden(self) -> Self {
        Self { hidden: true, ..self }
    }

    /// Whether it can be copied once it was used: tarots and planets, not the copying one itself.
    #[must_use]
    pub const fn can_be_copied(&self) -> bool {
        !matches!(self.kind, ConsumableKind::Spectral) && !matches!(self.act, CopyLast)
    }

    /// Dollars before edition and discount (rules: balatro 10).
    #[must_use]
    pub const fn cost(&self) -> i64 {
        match self.kind {
            ConsumableKind::Tarot | ConsumableKind::Planet => 3,
            ConsumableKind::Spectral => 4,
        }
    }
}

const FACES: &[Rank] = &[Jack, Queen, King];
const ACES: &[Rank] = &[Ace];
const NUMBERS: &[Rank] = &[Two, Three, Four, Five, Six, Seven, Eight, Nine, Ten];

const fn tarot(id: &'static str, targets: (usize, usize), act: ConsumableAct) -> ConsumableSpec {
    ConsumableSpec { id, kind: ConsumableKind::Tarot, targets, act, hidden: false }
}

const fn planet(id: &'static str, hand: HandType) -> ConsumableSpec {
    let kind = ConsumableKind::Planet;
    ConsumableSpec { id, kind, targets: (0, 0), act: LevelUp(hand), hidden: false }
}

const fn spectral(id: &'static str, targets: (usize, usize), act: ConsumableAct) -> ConsumableSpec {
    ConsumableSpec { id, kind: ConsumableKind::Spectral, targets, act, hidden: false }
}

/// All consumables: tarots, planets, spectrals.
pub const CONSUMABLES: [ConsumableSpec; 52] = [
    tarot("fool", (0, 0), CopyLast),
    tarot("magician", (1, 2), Enhance(Lucky)),
    tarot("high_priestess", (0, 0), Create(Kind::Planet, 2)),
    tarot("empress", (1, 2), Enhance(Mult)),
    tarot("emperor", (0, 0), Create(Kind::Tarot, 2)),
    tarot("hierophant", (1, 2), Enhance(Bonus)),
    tarot("lovers", (1, 1), Enhance(Wild)),
    tarot("chariot", (1, 1), Enhance(Steel)),
    tarot("justice", (1, 1), Enhance(Glass)),
    tarot("hermit", (0, 0), DoubleMoney(20)),
    tarot("wheel_of_fortune", (0, 0), ChanceEdition),
    tarot("strength", (1, 2), RankUp),
    tarot("hanged_man", (1, 2), DestroyTargets),
    tarot("death", (2, 2), CopyRight),
    tarot("temperance", (0, 0), SellValues(50)),
    tarot("devil", (1, 1), Enhance(Gold)),
    tarot("tower", (1, 1), Enhance(Stone)),
    tarot("star", (1, 3), SetSuit(Diamonds)),
    tarot("moon", (1, 3), SetSuit(Clubs)),
    tarot("sun", (1, 3), SetSuit(Hearts)),
    tarot("judgement", (0, 0), Create(Kind::Joker, 1)),
    tarot("world", (1, 3), SetSuit(Spades)),
    planet("mercury", Pair),
    planet("venus", ThreeOfAKind),
    planet("earth", FullHouse),
    planet("mars", FourOfAKind),
    planet("jupiter", Flush),
    planet("saturn", Straight),
    planet("uranus", TwoPair),
    planet("neptune", StraightFlush),
    planet("pluto", HighCard),
    planet("planet_x", FiveOfAKind),
    planet("ceres", FlushHouse),
    planet("eris", FlushFive),
    spectral("familiar", (0, 0), Exchange(3, FACES)),
    spectral("grim", (0, 0), Exchange(2, ACES)),
    spectral("incantation", (0, 0), Exchange(4, NUMBERS)),
    spectral("talisman", (1, 1), AddSeal(Seal::Gold)),
    spectral("aura", (1, 1), AddEdition),
    spectral("wraith", (0, 0), RareForMoney),
    spectral("sigil", (0, 0), OneSuit),
    spectral("ouija", (0, 0), OneRank),
    spectral("ectoplasm", (0, 0), MakeNegative),
    spectral("immolate", (0, 0), DestroyHeld(5, 20)),
    spectral("ankh", (0, 0), KeepAndCopyOne),
    spectral("deja_vu", (1, 1), AddSeal(Seal::Red)),
    spectral("hex", (0, 0), KeepOnePoly),
    spectral("trance", (1, 1), AddSeal(Seal::Blue)),
    spectral("medium", (1, 1), AddSeal(Seal::Purple)),
    spectral("cryptid", (1, 1), CopyCard(2)),
    spectral("the_soul", (0, 0), Create(Kind::LegendaryJoker, 1)).hidden(),
    spectral("black_hole", (0, 0), LevelUpAll).hidden(),
];

super::content_id! {
    /// A consumable's place in [`CONSUMABLES`].
    ConsumableId, ConsumableSpec, CONSUMABLES
}

impl ConsumableId {
    /// Every consumable of a kind, in order.
    pub fn of_kind(kind: ConsumableKind) -> impl Iterator<Item = Self> {
        Self::all().filter(move |candidate| candidate.spec().kind == kind)
    }

    /// The planet of a hand type.
    #[must_use]
    pub fn planet_of(hand: HandType) -> Option<Self> {
        Self::all().find(|candidate| candidate.planet_hand() == Some(hand))
    }

    /// The hand type of a planet.
    #[must_use]
    pub fn planet_hand(self) -> Option<HandType> {
        match self.spec().act {
            LevelUp(hand) => Some(hand),
            _ => None,
        }
    }
}
