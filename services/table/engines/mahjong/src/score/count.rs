//! Counting the fan of one reading (rules: mahjong 7).

use super::fan::Composition;
use super::readings::{Set, Sets};
use super::{Breakdown, Circumstances, Fan, Hand, Opening, Score, Source};
use crate::meld::{Meld, MeldKind, count_melds};
use crate::options::{FanStacking, Jiaxin5Mode, Options, TianDiHu, Zimo};
use crate::tile::{COPIES, Suit, Tile, TileCounts};

/// What holds for a hand however it is read.
pub(super) struct Facts<'a> {
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
    pub(super) fn of(
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

    pub(super) fn score(&self, reading: &Reading) -> Score {
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
pub(super) struct Reading {
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
    pub(super) const SEVEN_PAIRS: Self = Self {
        form: Fan::Qidui,
        all_terminal: false,
        five_in_the_middle: false,
        two_in_the_middle: false,
        straight: false,
    };

    pub(super) fn of(melds: &[Meld], winning: Tile, pair: Tile, sets: &Sets) -> Self {
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
