//! Poker hands: the twelve types, their levels and the exact classification (rules: balatro 3).

use serde::{Deserialize, Serialize};

use crate::card::{Card, Rank, Suit};

/// A hand type, the strongest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[expect(missing_docs, reason = "the names say it")]
pub enum HandType {
    FlushFive,
    FlushHouse,
    FiveOfAKind,
    StraightFlush,
    FourOfAKind,
    FullHouse,
    Flush,
    Straight,
    ThreeOfAKind,
    TwoPair,
    Pair,
    HighCard,
}

struct HandSpec {
    id: &'static str,
    chips: u32,
    mult: u32,
    chips_step: u32,
    mult_step: u32,
}

const fn spec(id: &'static str, base: (u32, u32), step: (u32, u32)) -> HandSpec {
    HandSpec { id, chips: base.0, mult: base.1, chips_step: step.0, mult_step: step.1 }
}

const HANDS: [HandSpec; 12] = [
    spec("flush_five", (160, 16), (50, 3)),
    spec("flush_house", (140, 14), (40, 4)),
    spec("five_of_a_kind", (120, 12), (35, 3)),
    spec("straight_flush", (100, 8), (40, 4)),
    spec("four_of_a_kind", (60, 7), (30, 3)),
    spec("full_house", (40, 4), (25, 2)),
    spec("flush", (35, 4), (15, 2)),
    spec("straight", (30, 4), (30, 3)),
    spec("three_of_a_kind", (30, 3), (20, 2)),
    spec("two_pair", (20, 2), (20, 1)),
    spec("pair", (10, 2), (15, 1)),
    spec("high_card", (5, 1), (10, 1)),
];

impl HandType {
    /// Every type, the strongest first.
    pub const ALL: [Self; 12] = [
        Self::FlushFive,
        Self::FlushHouse,
        Self::FiveOfAKind,
        Self::StraightFlush,
        Self::FourOfAKind,
        Self::FullHouse,
        Self::Flush,
        Self::Straight,
        Self::ThreeOfAKind,
        Self::TwoPair,
        Self::Pair,
        Self::HighCard,
    ];

    /// Its place in a table of hand types.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Stable lower-case id.
    #[must_use]
    pub const fn id(self) -> &'static str {
        HANDS[self as usize].id
    }

    /// The hand type of an id.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|hand| hand.id() == id)
    }

    /// Chips and mult at a level; level 0 counts as 1 (rules: balatro 3).
    #[must_use]
    pub const fn base(self, level: u32) -> (u64, u64) {
        let spec = &HANDS[self as usize];
        let steps = level.saturating_sub(1) as u64;
        (
            spec.chips as u64 + spec.chips_step as u64 * steps,
            spec.mult as u64 + spec.mult_step as u64 * steps,
        )
    }

    /// Hidden, with its planet, until it has been played once.
    #[must_use]
    pub const fn is_secret(self) -> bool {
        matches!(self, Self::FlushFive | Self::FlushHouse | Self::FiveOfAKind)
    }
}

/// A set of hand types.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandSet(u16);

impl HandSet {
    /// Puts a type in.
    pub const fn insert(&mut self, hand: HandType) {
        self.0 |= 1 << hand as u16;
    }

    /// Whether a type is in.
    #[must_use]
    pub const fn contains(self, hand: HandType) -> bool {
        self.0 & 1 << hand as u16 != 0
    }

    /// The types that are in, the strongest first.
    pub fn iter(self) -> impl Iterator<Item = HandType> {
        HandType::ALL.into_iter().filter(move |hand| self.contains(*hand))
    }

    /// The strongest type that is in.
    #[must_use]
    pub fn strongest(self) -> HandType {
        let place = self.0.trailing_zeros() as usize;
        HandType::ALL.get(place).copied().unwrap_or(HandType::HighCard)
    }
}

/// What is known of a hand type in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HandRecord {
    /// From 1 up.
    pub level: u32,
    /// Times it was played in the run.
    pub run: u32,
    /// Times it was played in the round.
    pub round: u32,
}

impl HandRecord {
    /// Never played, level 1.
    pub const NEW: Self = Self { level: 1, run: 0, round: 0 };
}

/// The records of all twelve types, by [`HandType::index`].
pub type HandBook = [HandRecord; 12];

/// What jokers change about the classification (rules: balatro 3.1, 4).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mods {
    /// Flushes and straights need only four cards.
    pub four_fingers: bool,
    /// Straights may skip one rank between neighbours.
    pub shortcut: bool,
    /// Hearts are Diamonds and Spades are Clubs.
    pub smeared: bool,
    /// Every played card scores.
    pub splash: bool,
    /// Every card is a face card.
    pub pareidolia: bool,
}

impl Mods {
    /// Whether a printed suit passes for another one.
    #[must_use]
    pub const fn same_suit(self, printed: Suit, asked: Suit) -> bool {
        printed as u8 == asked as u8 || self.smeared && printed.is_red() == asked.is_red()
    }

    /// The *shape* test: flushes and all-black hands (rules: balatro 4).
    #[must_use]
    pub const fn shape_suit(self, card: &Card, asked: Suit) -> bool {
        if card.is_stone() {
            return false;
        }
        card.is_wild() && !card.debuffed || self.same_suit(card.suit, asked)
    }

    /// The *effect* test: what jokers that name a suit look at (rules: balatro 4).
    #[must_use]
    pub const fn effect_suit(self, card: &Card, asked: Suit) -> bool {
        !card.debuffed && self.shape_suit(card, asked)
    }

    /// The *boss* test: what bosses that debuff a suit look at (rules: balatro 4).
    #[must_use]
    pub const fn boss_suit(self, card: &Card, asked: Suit) -> bool {
        !card.is_stone() && (card.is_wild() || self.same_suit(card.suit, asked))
    }

    /// Whether a card counts as a face card, debuffed or not.
    #[must_use]
    pub const fn printed_face(self, card: &Card) -> bool {
        self.pareidolia || !card.is_stone() && card.rank.is_face()
    }

    /// Whether a card counts as a face card.
    #[must_use]
    pub const fn face(self, card: &Card) -> bool {
        !card.debuffed && self.printed_face(card)
    }
}

/// A set of places among at most eight cards.
pub type Places = u8;

/// What some cards form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Formed {
    /// The strongest type: the played hand.
    pub hand: HandType,
    /// Bit i is set when card i scores.
    pub scoring: Places,
    /// Every type that is in the cards.
    pub contains: HandSet,
}

/// Classifies one to five cards (rules: balatro 3.1). Cards after the eighth are ignored.
#[must_use]
pub fn classify(cards: &[Card], mods: Mods) -> Formed {
    let cards = &cards[..cards.len().min(8)];
    let mut by_rank: [Places; 13] = [0; 13];
    let mut by_suit: [Places; 4] = [0; 4];
    let (mut ranks, mut repeated) = (0_u32, 0_u32);
    let mut stones: Places = 0;
    for (place, card) in cards.iter().enumerate() {
        let bit = 1 << place;
        if card.is_stone() {
            stones |= bit;
            continue;
        }
        by_rank[card.rank as usize] |= bit;
        let rank = 1 << card.rank as u32;
        repeated |= ranks & rank;
        ranks |= rank;
        if mods.smeared || card.is_wild() {
            for suit in Suit::ALL {
                by_suit[suit as usize] |= if mods.shape_suit(card, suit) { bit } else { 0 };
            }
        } else {
            by_suit[card.suit as usize] |= bit;
        }
    }
    let need = if mods.four_fingers { 4 } else { 5 };
    let (flush, straight) = if cards.len() < need {
        (0, 0)
    } else {
        let flush = by_suit.into_iter().find(|places| places.count_ones() as usize >= need);
        let reach = if mods.shortcut { 2 } else { 1 };
        (flush.unwrap_or(0), find_straight(&by_rank, ranks, reach, need))
    };
    let groups = Groups::of(&by_rank, repeated);
    let contains = groups.contains(flush, straight);
    let hand = contains.strongest();
    let highest = || by_rank[(31 - ranks.leading_zeros()) as usize];
    let scoring = match hand {
        HandType::FlushFive | HandType::FiveOfAKind => groups.five,
        HandType::FourOfAKind => groups.four,
        HandType::FlushHouse => groups.three | groups.pairs | flush,
        HandType::FullHouse => groups.three | groups.pairs,
        HandType::StraightFlush => straight | flush,
        HandType::Flush => flush,
        HandType::Straight => straight,
        HandType::ThreeOfAKind => groups.three,
        HandType::TwoPair | HandType::Pair => groups.pairs,
        HandType::HighCard => {
            if ranks == 0 {
                0
            } else {
                highest()
            }
        }
    };
    let all = ((1_u16 << cards.len()) - 1) as Places;
    Formed { hand, scoring: if mods.splash { all } else { scoring | stones }, contains }
}

/// The cards of the first run of `need` positions; the Ace stands below the Two and above the King.
fn find_straight(by_rank: &[Places; 13], ranks: u32, reach: u32, need: usize) -> Places {
    if (ranks.count_ones() as usize) < need {
        return 0;
    }
    // Bit i is position i: the Ace at 1 and 14, the Two at 2.
    let mut positions = ranks << 2 | (ranks >> 12) << 1;
    let (mut run, mut length, mut last) = (0, 0, 0);
    while positions != 0 {
        let position = positions.trailing_zeros();
        positions &= positions - 1;
        if length > 0 && position - last > reach {
            if length >= need {
                return run;
            }
            (run, length) = (0, 0);
        }
        run |= by_rank[(position as usize + 11) % 13];
        length += 1;
        last = position;
    }
    if length >= need { run } else { 0 }
}

/// Ranks that are there more than once, by the exact size of their group.
#[derive(Default)]
struct Groups {
    five: Places,
    four: Places,
    three: Places,
    pairs: Places,
    pair_count: u8,
}

impl Groups {
    fn of(by_rank: &[Places; 13], mut repeated: u32) -> Self {
        let mut groups = Self::default();
        while repeated != 0 {
            let places = by_rank[repeated.trailing_zeros() as usize];
            repeated &= repeated - 1;
            match places.count_ones() {
                2 => {
                    groups.pairs |= places;
                    groups.pair_count += 1;
                }
                3 => groups.three |= places,
                4 => groups.four |= places,
                _ => groups.five |= places,
            }
        }
        groups
    }

    fn contains(&self, flush: Places, straight: Places) -> HandSet {
        let (flush, straight) = (flush != 0, straight != 0);
        let (five, four) = (self.five != 0, self.four != 0);
        let (three, pair) = (self.three != 0, self.pair_count > 0);
        let mut set = HandSet::default();
        let mut put = |hand, there| set.0 |= u16::from(there) << hand as u16;
        put(HandType::HighCard, true);
        if flush || straight {
            put(HandType::StraightFlush, straight && flush);
            put(HandType::Flush, flush);
            put(HandType::Straight, straight);
        }
        if five || four || three || pair {
            let house = three && pair;
            put(HandType::FlushFive, five && flush);
            put(HandType::FlushHouse, house && flush);
            put(HandType::FiveOfAKind, five);
            put(HandType::FourOfAKind, five || four);
            put(HandType::FullHouse, house);
            put(HandType::ThreeOfAKind, five || four || three);
            put(HandType::TwoPair, house || self.pair_count > 1);
            put(HandType::Pair, true);
        }
        set
    }
}

/// The most played type of a run; ties go to the stronger type (rules: balatro 6, The Ox).
#[must_use]
pub fn most_played(book: &HandBook) -> HandType {
    let mut best = HandType::FlushFive;
    for hand in HandType::ALL {
        if book[hand.index()].run > book[best.index()].run {
            best = hand;
        }
    }
    // Nothing played yet: the plainest type rather than a secret one.
    if book[best.index()].run == 0 { HandType::HighCard } else { best }
}

/// Ranks as a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankSet(u16);

impl RankSet {
    /// The set of some ranks.
    #[must_use]
    pub const fn of(ranks: &[Rank]) -> Self {
        let (mut bits, mut place) = (0, 0);
        while place < ranks.len() {
            bits |= 1 << ranks[place] as u16;
            place += 1;
        }
        Self(bits)
    }

    /// Whether a rank is in.
    #[must_use]
    pub const fn contains(self, rank: Rank) -> bool {
        self.0 & 1 << rank as u16 != 0
    }
}
