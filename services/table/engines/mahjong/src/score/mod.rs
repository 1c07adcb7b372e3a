//! What a winning hand is worth (rules: mahjong 7).
//!
//! A hand is scored for each reading, and the one with the most raw fan counts. What holds for
//! the hand as a whole (one suit, roots, no melds, …) is looked at once; what depends on the
//! reading (runs or triplets, 全幺九, 夹心五, …) for each.

mod fan;
mod readings;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use fan::Composition;
pub use fan::Fan;
use readings::{Set, Sets, each_reading};

use crate::meld::{Meld, MeldKind, count_melds};
use crate::options::{DianGangHua, FanStacking, Jiaxin5Mode, Options, TianDiHu, Zimo};
use crate::shape;
use crate::tile::{COPIES, Suit, Tile, TileCounts, TileSet};

/// How a seat came by its winning tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Source {
    /// A normal draw, or the dealer's fourteenth tile.
    SelfDraw,
    /// A replacement draw after a concealed or an added kong.
    KongDraw,
    /// A replacement draw after a direct kong.
    DirectKongDraw,
    /// A discard.
    Discard,
    /// The first discard after the discarder's kong.
    DiscardAfterKong,
    /// A robbed kong.
    RobbedKong,
}

impl Source {
    /// Whether the winner drew the tile.
    #[must_use]
    pub const fn is_draw(self) -> bool {
        matches!(self, Self::SelfDraw | Self::KongDraw | Self::DirectKongDraw)
    }

    /// Whether all unwon seats pay (rules: mahjong 9.2, 9.3).
    #[must_use]
    pub fn settles_as_self_draw(self, options: &Options) -> bool {
        match self {
            Self::SelfDraw | Self::KongDraw => true,
            Self::DirectKongDraw => options.dian_gang_hua == DianGangHua::Zimo,
            Self::Discard | Self::DiscardAfterKong | Self::RobbedKong => false,
        }
    }
}

/// A win at the very beginning of a hand (rules: mahjong 7.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Opening {
    /// 天胡: the dealer with the dealt tiles.
    Heavenly,
    /// 地胡: another seat on the dealer's first discard or its own first draw.
    Earthly,
}

/// What besides the tiles counts for a win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Circumstances {
    /// How the seat came by the tile.
    pub source: Source,
    /// The wall was empty when the tile came: it was its last, or was discarded after it.
    pub last_tile: bool,
    /// Whether it is 天胡 or 地胡.
    pub opening: Option<Opening>,
}

impl Circumstances {
    /// A plain discard, which is how ready hands are compared (rules: mahjong 9.8).
    pub const PLAIN_DISCARD: Self =
        Self { source: Source::Discard, last_tile: false, opening: None };
}

/// A hand without its winning tile.
#[derive(Clone, Copy, Debug)]
pub struct Hand<'a> {
    /// 13 - 3 x melds tiles.
    pub concealed: &'a TileCounts,
    /// Pungs and kongs.
    pub melds: &'a [Meld],
    /// The void suit, with four players.
    pub void: Option<Suit>,
}

impl Hand<'_> {
    /// Every tile that the seat owns, kongs with four.
    #[must_use]
    pub fn owned(&self) -> TileCounts {
        let mut owned = *self.concealed;
        count_melds(&mut owned, self.melds);
        owned
    }

    /// Whether the hand or its melds hold a void tile.
    #[must_use]
    pub fn holds_void(&self) -> bool {
        self.void.is_some_and(|void| {
            self.concealed.suit_total(void) > 0
                || self.melds.iter().any(|meld| meld.tile.suit() == void)
        })
    }

    /// The tiles for which the hand is ready (rules: mahjong 6.5).
    #[must_use]
    pub fn waits(&self, options: &Options) -> TileSet {
        if self.holds_void() {
            return TileSet::default();
        }
        let shapes = shape::waits(self.concealed);
        if options.dead_wait_is_ting || shapes.is_empty() {
            return shapes;
        }
        let owned = self.owned();
        let mut alive = TileSet::default();
        shapes.iter().filter(|tile| owned.count(*tile) < COPIES).for_each(|t| alive.insert(t));
        alive
    }

    /// The largest raw fan over the hand's waits, each as a plain discard win; `None` when the
    /// hand is not ready (rules: mahjong 9.8).
    #[must_use]
    pub fn best_wait(&self, options: &Options) -> Option<u8> {
        let waits = self.waits(options);
        let plain = Circumstances::PLAIN_DISCARD;
        waits.iter().filter_map(|tile| score(options, self, tile, plain).ok()).map(|s| s.raw).max()
    }
}

/// Most lines of a breakdown.
const LINES: usize = 16;

/// What each part of a hand adds, in fan. 平胡 is there with 0.
pub type Breakdown = ArrayVec<(Fan, u8), LINES>;

/// What a winning hand is worth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Score {
    /// The hand's display name (rules: mahjong 7.5).
    pub pattern: Fan,
    /// 平胡, 对对胡 or 七对.
    pub form: Fan,
    /// The parts of `raw`.
    pub breakdown: Breakdown,
    /// The sum, not capped.
    pub raw: u8,
}

impl Score {
    /// The fan that is paid.
    #[must_use]
    pub fn fan(&self, options: &Options) -> u8 {
        self.raw.min(options.max_fan)
    }

    fn add(&mut self, fan: Fan, value: u8) {
        // The list has room for every line that can come together.
        let _ = self.breakdown.try_push((fan, value));
        self.raw = self.raw.saturating_add(value);
    }
}

/// Why tiles are not a winning hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoWin {
    /// A tile of the void suit (rules: mahjong 6.4).
    VoidSuit,
    /// Neither sets and a pair nor seven pairs.
    NotComplete,
}

/// Whether a win of this raw fan is too small to be taken from another seat (rules: mahjong 11.2).
#[must_use]
pub fn below_minimum(options: &Options, source: Source, raw: u8) -> bool {
    options.players == 3 && !options.dianpao_pinghu && !source.is_draw() && raw == 0
}

/// Scores the best reading of a hand with its winning tile.
///
/// # Errors
/// Why it is no win. The minimum of three players is not looked at; see [`below_minimum`].
pub fn score(
    options: &Options,
    hand: &Hand<'_>,
    winning: Tile,
    circumstances: Circumstances,
) -> Result<Score, NoWin> {
    if hand.holds_void() || hand.void == Some(winning.suit()) {
        return Err(NoWin::VoidSuit);
    }
    let tiles = hand.concealed.with(winning);
    let facts = Facts::of(options, hand, &tiles, winning, circumstances);
    // In the order of the ties: 七对, then 对对胡, then the rest (rules: mahjong 6.6).
    let mut best: Option<Score> = None;
    if hand.melds.is_empty() && shape::is_seven_pairs(&tiles) {
        best = Some(facts.score(&Reading::SEVEN_PAIRS));
    }
    each_reading(&tiles, &mut |pair, sets| {
        let candidate = facts.score(&Reading::of(hand.melds, winning, pair, sets));
        let better = best.as_ref().is_none_or(|best| {
            let key = |score: &Score| (score.raw, score.form != Fan::Pinghu);
            key(&candidate) > key(best)
        });
        if better {
            best = Some(candidate);
        }
    });
    best.ok_or(NoWin::NotComplete)
}

/// What holds for a hand however it is read.
struct Facts<'a> {
    options: &'a Options,
    circumstances: Circumstances,
    one_suit: bool,
    only_258: bool,
    no_terminals: bool,
    no_melds: bool,
    roots: u8,
    four_melds: bool,
    five_may_count: bool,
}

impl<'a> Facts<'a> {
    fn of(
        options: &'a Options,
        hand: &Hand<'_>,
        tiles: &TileCounts,
        winning: Tile,
        circumstances: Circumstances,
    ) -> Self {
        let mut owned = *tiles;
        count_melds(&mut owned, hand.melds);
        let every = |holds: fn(Tile) -> bool| owned.kinds().all(|(tile, _)| holds(tile));
        let suits = Suit::ALL.iter().filter(|suit| owned.suit_total(**suit) > 0).count();
        let allowed =
            |meld: &Meld| options.menqing_allows_ankong && meld.kind == MeldKind::ConcealedKong;
        let roots = owned.kinds().filter(|(_, count)| *count == COPIES).count();
        Self {
            options,
            circumstances,
            one_suit: suits == 1,
            only_258: every(|tile| matches!(tile.rank(), 2 | 5 | 8)),
            no_terminals: every(|tile| !tile.is_terminal()),
            no_melds: hand.melds.iter().all(allowed),
            roots: u8::try_from(roots).unwrap_or(u8::MAX),
            four_melds: hand.melds.len() == 4,
            five_may_count: options.jiaxin5
                && winning.rank() == 5
                && (options.jiaxin5_mode == Jiaxin5Mode::Arrangeable
                    || hand.waits(options).len() == 1),
        }
    }

    fn score(&self, reading: &Reading) -> Score {
        let jiang = self.options.jiangdui && self.only_258 && reading.form != Fan::Pinghu;
        let composition =
            Composition { form: reading.form, one_suit: self.one_suit, jiang, roots: self.roots };
        let yaojiu = self.options.yaojiu && reading.all_terminal;
        let mut score = Score {
            pattern: match (yaojiu, self.one_suit) {
                (true, true) => Fan::Qingyaojiu,
                (true, false) => Fan::Quanyaojiu,
                (false, _) => composition.name(),
            },
            form: reading.form,
            breakdown: Breakdown::new(),
            raw: 0,
        };
        if self.options.fan_stacking == FanStacking::MaxOnly {
            self.largest_type(&mut score, reading, composition);
        } else {
            self.all_types(&mut score, reading, composition);
        }
        self.add_ons(&mut score, reading);
        score
    }

    fn form_value(&self, form: Fan) -> u8 {
        match form {
            Fan::Qidui => 2,
            Fan::Duiduihu if self.options.pengpeng_two_fan => 2,
            Fan::Duiduihu => 1,
            _ => 0,
        }
    }

    /// The types that count on their own next to form, suit and 将, in the order of their ties.
    fn single_types(&self, reading: &Reading) -> impl Iterator<Item = (Fan, u8)> + use<> {
        let options = self.options;
        [
            (Fan::Quanyaojiu, 3, options.yaojiu && reading.all_terminal),
            (Fan::Menqing, 1, options.menqing && self.no_melds),
            (Fan::Zhongzhang, 1, options.zhongzhang && self.no_terminals),
            (Fan::Jiaxinwu, 1, self.five_may_count && reading.five_in_the_middle),
            (Fan::Kaertiao, 1, options.ka_er_tiao && reading.two_in_the_middle),
            (Fan::Yitiaolong, 1, options.yi_tiao_long && reading.straight),
        ]
        .into_iter()
        .filter_map(|(fan, value, holds)| holds.then_some((fan, value)))
    }

    fn all_types(&self, score: &mut Score, reading: &Reading, composition: Composition) {
        score.add(reading.form, self.form_value(reading.form));
        if self.one_suit {
            score.add(Fan::Qingyise, 2);
        }
        if composition.jiang {
            score.add(Fan::Jiang, 2);
        }
        let standard = self.options.fan_stacking == FanStacking::Standard;
        for (fan, value) in self.single_types(reading) {
            let implied = match fan {
                Fan::Menqing => reading.form == Fan::Qidui,
                Fan::Zhongzhang => composition.jiang,
                _ => false,
            };
            if !(standard && implied) {
                score.add(fan, value);
            }
        }
        if self.roots > 0 {
            score.add(Fan::Gen, self.roots);
        }
    }

    fn largest_type(&self, score: &mut Score, reading: &Reading, composition: Composition) {
        let seven_pairs = reading.form == Fan::Qidui;
        let composed = self.form_value(reading.form)
            + if self.one_suit { 2 } else { 0 }
            + if composition.jiang { 2 } else { 0 }
            + if seven_pairs { self.roots } else { 0 };
        let mut largest = (composition.name(), composed);
        for single in self.single_types(reading) {
            if single.1 > largest.1 {
                largest = single;
            }
        }
        score.pattern = largest.0;
        score.add(largest.0, largest.1);
        if self.roots > 0 && !seven_pairs {
            score.add(Fan::Gen, self.roots);
        }
    }

    /// What is added whatever the stacking (rules: mahjong 7.3), 根 excepted.
    fn add_ons(&self, score: &mut Score, reading: &Reading) {
        let Circumstances { source, last_tile, opening } = self.circumstances;
        if self.four_melds && reading.form == Fan::Duiduihu {
            score.add(Fan::Jingouhu, 1);
        }
        match source {
            Source::KongDraw | Source::DirectKongDraw => score.add(Fan::Gangshanghua, 1),
            Source::DiscardAfterKong => score.add(Fan::Gangshangpao, 1),
            Source::RobbedKong => score.add(Fan::Qiangganghu, 1),
            Source::SelfDraw | Source::Discard => {}
        }
        if last_tile && source.is_draw() {
            score.add(Fan::Haidilao, 1);
        } else if last_tile && source != Source::RobbedKong && self.options.haidi_pao {
            score.add(Fan::Haidipao, 1);
        }
        if self.options.zimo == Zimo::Fan && source.settles_as_self_draw(self.options) {
            score.add(Fan::Zimo, 1);
        }
        let (name, added) = match opening {
            None => return,
            Some(Opening::Heavenly) => (Fan::Tianhu, 3),
            Some(Opening::Earthly) => (Fan::Dihu, 2),
        };
        match self.options.tian_di_hu {
            TianDiHu::Off => {}
            TianDiHu::Add => score.add(name, added),
            TianDiHu::Cap => score.add(name, self.options.max_fan.saturating_sub(score.raw)),
        }
    }
}

/// What depends on how a hand is read.
struct Reading {
    form: Fan,
    /// Every set, every meld and the pair holds a 1 or a 9.
    all_terminal: bool,
    /// The winning five is the middle of a concealed run.
    five_in_the_middle: bool,
    /// The winning two of bamboos is the middle of a concealed run.
    two_in_the_middle: bool,
    /// Concealed runs 123, 456 and 789 of one suit.
    straight: bool,
}

impl Reading {
    const SEVEN_PAIRS: Self = Self {
        form: Fan::Qidui,
        all_terminal: false,
        five_in_the_middle: false,
        two_in_the_middle: false,
        straight: false,
    };

    fn of(melds: &[Meld], winning: Tile, pair: Tile, sets: &Sets) -> Self {
        let runs = || {
            sets.iter().filter_map(|set| if let Set::Run(low) = set { Some(*low) } else { None })
        };
        let has = |suit, rank| runs().any(|low| low.suit() == suit && low.rank() == rank);
        let middle = |rank| winning.rank() == rank && has(winning.suit(), rank - 1);
        let holds_terminal = |set: &Set| match set {
            Set::Run(low) => matches!(low.rank(), 1 | 7),
            Set::Triplet(tile) => tile.is_terminal(),
        };
        Self {
            form: if runs().next().is_some() { Fan::Pinghu } else { Fan::Duiduihu },
            all_terminal: pair.is_terminal()
                && sets.iter().all(holds_terminal)
                && melds.iter().all(|meld| meld.tile.is_terminal()),
            five_in_the_middle: middle(5),
            two_in_the_middle: winning.suit() == Suit::Bamboos && middle(2),
            straight: Suit::ALL.iter().any(|suit| [1, 4, 7].iter().all(|rank| has(*suit, *rank))),
        }
    }
}
