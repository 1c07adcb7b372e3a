//! The room options (rules: mahjong 8).

use core::fmt::Debug;

use parlor_game::{Amount, Refusal};
use serde::{Deserialize, Serialize};

/// An enum whose values have the names that the rules give them.
macro_rules! named {
    (
        $(#[$about:meta])*
        $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal),+ $(,)? }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$doc])* $variant),+
        }

        impl $name {
            /// Every value.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in the rules.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $text),+
                }
            }

            /// The value with this name.
            #[must_use]
            pub fn from_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.name() == name)
            }
        }
    };
}
pub(crate) use named;

named! {
    /// What the defaults follow.
    Preset {
        /// The rules' own defaults.
        Standard = "standard",
        /// As nanoserver plays, without its faults; 门清 and 中张 are one switch.
        NanoserverCompat = "nanoserver_compat",
    }
}

named! {
    /// What a self-drawn win earns on top (自摸加底, 自摸加番).
    Zimo {
        /// Each payer pays the base on top, outside the cap.
        Di = "di",
        /// One more fan, inside the cap.
        Fan = "fan",
        /// Nothing.
        None = "none",
    }
}

named! {
    /// Which hand types count together (rules: mahjong 7.4).
    FanStacking {
        /// All but those that another one implies.
        Standard = "standard",
        /// All.
        Nanoserver = "nanoserver",
        /// The largest one only.
        MaxOnly = "max_only",
    }
}

named! {
    /// When 夹心五 counts (rules: mahjong 7.2).
    Jiaxin5Mode {
        /// The winning five can be read as the middle of 4-5-6.
        Arrangeable = "arrangeable",
        /// The five must also be the only wait.
        SingleWait = "single_wait",
    }
}

named! {
    /// Who pays for 点杠花 (rules: mahjong 9.3).
    DianGangHua {
        /// The seat that fed the kong.
        Dianpao = "dianpao",
        /// Every unwon seat, as for a self-drawn win.
        Zimo = "zimo",
    }
}

named! {
    /// Which kong money moves to the winner on 杠上炮 (rules: mahjong 9.6).
    CallTransfer {
        /// That of the last kong since the discarder's previous discard.
        LastKong = "last_kong",
        /// That of all kongs since the discarder's previous discard.
        Chain = "chain",
        /// That of all the discarder's kongs of the hand.
        All = "all",
        /// None.
        Off = "off",
    }
}

named! {
    /// How transferred money is shared between several winners (rules: mahjong 9.6).
    CallTransferMulti {
        /// Each gets an equal part, rounded up at the discarder's cost.
        Split = "split",
        /// Each gets all of it.
        FullEach = "full_each",
    }
}

named! {
    /// An added kong of a tile that was not just drawn (rules: mahjong 4.2).
    DelayedAddedKong {
        /// Allowed and paid.
        Pay = "pay",
        /// Allowed and not paid.
        NoPay = "no_pay",
        /// Not allowed.
        Forbid = "forbid",
    }
}

named! {
    /// The lock after a passed win (rules: mahjong 3.8).
    GuoShouHu {
        /// The passed tile is locked.
        SameTile = "same_tile",
        /// Every tile is locked.
        AnyTile = "any_tile",
        /// There is no lock.
        Off = "off",
    }
}

named! {
    /// What 花猪 costs at an exhausted wall (rules: mahjong 9.8).
    HuaZhu {
        /// The seat counts as not ready.
        NotTing = "not_ting",
        /// It pays the cap to every other seat.
        Penalty = "penalty",
    }
}

named! {
    /// When kong money is returned by a seat that is not ready (rules: mahjong 9.7).
    RefundScope {
        /// At an exhausted wall with two or more unwon seats.
        ChaJiao = "cha_jiao",
        /// Also by the last unwon seat.
        AnyEnd = "any_end",
    }
}

named! {
    /// Whether several winners on one tile make its discarder the next dealer (rules: mahjong
    /// 10.2).
    MultiWinDealer {
        /// Always.
        Any = "any",
        /// Only when it was the first win of the hand.
        First = "first",
    }
}

named! {
    /// Who deals after a hand without a win (rules: mahjong 10.3).
    DrawDealer {
        /// The same seat.
        Stay = "stay",
        /// The next seat.
        Next = "next",
    }
}

named! {
    /// 天胡 and 地胡 (rules: mahjong 7.3).
    TianDiHu {
        /// They do not count.
        Off = "off",
        /// They add three and two fan.
        Add = "add",
        /// They raise the hand to the cap.
        Cap = "cap",
    }
}

/// How long decisions may take. Pacing, not rules: it changes no result. In milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pacing {
    /// To choose three tiles to exchange.
    pub exchange_ms: u32,
    /// To choose the void suit.
    pub void_ms: u32,
    /// To act on one's own turn.
    pub discard_ms: u32,
    /// To answer an offer.
    pub claim_ms: u32,
    /// Shortest pause after every discard, whether or not anybody was offered anything.
    pub claim_pause_min_ms: u32,
    /// Longest such pause.
    pub claim_pause_max_ms: u32,
}

impl Default for Pacing {
    fn default() -> Self {
        Self {
            exchange_ms: 20_000,
            void_ms: 15_000,
            discard_ms: 15_000,
            claim_ms: 8_000,
            claim_pause_min_ms: 300,
            claim_pause_max_ms: 900,
        }
    }
}

/// The options of a room. Fields carry the names of the rules (rules: mahjong 8).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Options {
    /// What the defaults follow.
    pub preset: Preset,
    /// 4 or 3.
    pub players: u8,
    /// 底分: the unit stake in minor units, at least 1.
    pub base: Amount,
    /// 封顶: 3, 4 or 5 fan.
    pub max_fan: u8,
    /// Hands of a match: 1, 4, 8 or 16.
    pub rounds: u8,
    /// What a self-drawn win earns on top.
    pub zimo: Zimo,
    /// 点炮可平胡: three players only; with four it is always so.
    pub dianpao_pinghu: bool,
    /// 对对胡 counts two fan.
    pub pengpeng_two_fan: bool,
    /// 将对 and 将七对 count.
    pub jiangdui: bool,
    /// 全幺九 counts.
    pub yaojiu: bool,
    /// 门清 counts.
    pub menqing: bool,
    /// 中张 counts.
    pub zhongzhang: bool,
    /// 夹心五 counts.
    pub jiaxin5: bool,
    /// Which hand types count together.
    pub fan_stacking: FanStacking,
    /// A concealed kong keeps 门清.
    pub menqing_allows_ankong: bool,
    /// When 夹心五 counts.
    pub jiaxin5_mode: Jiaxin5Mode,
    /// Who pays for 点杠花.
    pub dian_gang_hua: DianGangHua,
    /// 海底炮 counts.
    pub haidi_pao: bool,
    /// Which kong money moves to the winner on 杠上炮.
    pub call_transfer: CallTransfer,
    /// How it is shared between several winners.
    pub call_transfer_multi: CallTransferMulti,
    /// An added kong of a tile that was not just drawn.
    pub delayed_added_kong: DelayedAddedKong,
    /// The lock after a passed win.
    pub guo_shou_hu: GuoShouHu,
    /// A seat that holds void tiles may discard nothing else.
    pub force_discard_void: bool,
    /// What 花猪 costs.
    pub hua_zhu: HuaZhu,
    /// When kong money is returned.
    pub refund_scope: RefundScope,
    /// Waiting for a tile of which one holds all four counts as ready.
    pub dead_wait_is_ting: bool,
    /// Whether several winners make the discarder the next dealer.
    pub multi_win_dealer: MultiWinDealer,
    /// Who deals after a hand without a win.
    pub draw_dealer: DrawDealer,
    /// 换三张 is played.
    pub huan_san_zhang: bool,
    /// 天胡 and 地胡.
    pub tian_di_hu: TianDiHu,
    /// 卡二条 counts.
    pub ka_er_tiao: bool,
    /// 一条龙 counts.
    pub yi_tiao_long: bool,
    /// Clocks and pauses.
    pub pacing: Pacing,
}

impl Default for Options {
    fn default() -> Self {
        Self::preset(Preset::Standard)
    }
}

impl Options {
    /// The options of a preset before anything is chosen.
    #[must_use]
    pub fn preset(preset: Preset) -> Self {
        let standard = preset == Preset::Standard;
        Self {
            preset,
            players: 4,
            base: Amount(1),
            max_fan: 3,
            rounds: 8,
            zimo: Zimo::Di,
            dianpao_pinghu: false,
            pengpeng_two_fan: false,
            jiangdui: standard,
            yaojiu: standard,
            menqing: standard,
            zhongzhang: standard,
            jiaxin5: standard,
            fan_stacking: if standard { FanStacking::Standard } else { FanStacking::Nanoserver },
            menqing_allows_ankong: false,
            jiaxin5_mode: Jiaxin5Mode::Arrangeable,
            dian_gang_hua: if standard { DianGangHua::Dianpao } else { DianGangHua::Zimo },
            haidi_pao: false,
            call_transfer: CallTransfer::LastKong,
            call_transfer_multi: CallTransferMulti::Split,
            delayed_added_kong: DelayedAddedKong::Pay,
            guo_shou_hu: GuoShouHu::SameTile,
            force_discard_void: false,
            hua_zhu: HuaZhu::NotTing,
            refund_scope: RefundScope::ChaJiao,
            dead_wait_is_ting: !standard,
            multi_win_dealer: MultiWinDealer::Any,
            draw_dealer: DrawDealer::Stay,
            huan_san_zhang: false,
            tian_di_hu: TianDiHu::Off,
            ka_er_tiao: false,
            yi_tiao_long: false,
            pacing: Pacing::default(),
        }
    }

    /// Whether the void suit is played: with four players (rules: mahjong 1.8).
    #[must_use]
    pub const fn has_void(&self) -> bool {
        self.players == 4
    }

    /// Checks every option's range.
    ///
    /// # Errors
    /// `bad_option` with the name of the first option that is out of range.
    pub fn validate(&self) -> Result<(), Refusal> {
        let pacing = &self.pacing;
        let clocks = [pacing.exchange_ms, pacing.void_ms, pacing.discard_ms, pacing.claim_ms];
        let checks = [
            (matches!(self.players, 3 | 4), "players must be 3 or 4"),
            ((1..=BASE_MAX).contains(&self.base.0), "base must be from 1 to 1000000000000"),
            ((3..=5).contains(&self.max_fan), "max_fan must be 3, 4 or 5"),
            (matches!(self.rounds, 1 | 4 | 8 | 16), "rounds must be 1, 4, 8 or 16"),
            (
                self.preset != Preset::NanoserverCompat || self.menqing == self.zhongzhang,
                "menqing and zhongzhang are one switch in nanoserver_compat",
            ),
            (
                clocks.iter().all(|clock| CLOCK_MS.contains(clock)),
                "a clock must be from 1000 to 600000 milliseconds",
            ),
            (
                pacing.claim_pause_min_ms <= pacing.claim_pause_max_ms
                    && pacing.claim_pause_max_ms <= PAUSE_MAX_MS,
                "the claim pause must be an interval within 10000 milliseconds",
            ),
        ];
        match checks.iter().find(|(holds, _)| !holds) {
            Some((_, text)) => Err(Refusal::invalid("bad_option", *text)),
            None => Ok(()),
        }
    }
}

/// Largest base: no sum of a hand can come near the range of an amount.
const BASE_MAX: i64 = 1_000_000_000_000;
/// Clocks that make sense.
const CLOCK_MS: core::ops::RangeInclusive<u32> = 1_000..=600_000;
/// Longest claim pause.
const PAUSE_MAX_MS: u32 = 10_000;
