//! What a winning hand is worth (rules: mahjong 7).
//!
//! A hand is scored for each reading, and the one with the most raw fan counts. What holds for
//! the hand as a whole (one suit, roots, no melds, …) is looked at once; what depends on the
//! reading (runs or triplets, 全幺九, 夹心五, …) for each.

mod count;
mod fan;
mod readings;

use arrayvec::ArrayVec;
use serde::{Deserialize, Serialize};

use count::{Facts, Reading};
pub use fan::Fan;
use readings::each_reading;

use crate::meld::{Meld, count_melds};
use crate::options::{DianGangHua, Options};
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
