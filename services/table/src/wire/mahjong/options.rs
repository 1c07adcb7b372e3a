//! The room's settings.

use parlor_game::{Amount, Refusal};
use parlor_mahjong::Options;
use parlor_mahjong::options::{
    CallTransfer, CallTransferMulti, DelayedAddedKong, DianGangHua, DrawDealer, FanStacking,
    GuoShouHu, HuaZhu, Jiaxin5Mode, MultiWinDealer, Preset, RefundScope, TianDiHu, Zimo,
};
use parlor_proto::rules::v1 as pb;

use super::malformed;

/// A setting whose values have an enum on either side.
trait Setting: Copy {
    /// Reads a value; `None` when it is unknown.
    fn read(value: i32) -> Option<Self>;
    /// Writes it.
    fn write(self) -> i32;
}

macro_rules! settings {
    ($($engine:ident = $message:ident { $($value:ident),+ })+) => {
        $(
            impl Setting for $engine {
                fn read(value: i32) -> Option<Self> {
                    match pb::$message::try_from(value).ok()? {
                        pb::$message::Unspecified => None,
                        $(pb::$message::$value => Some(Self::$value),)+
                    }
                }

                fn write(self) -> i32 {
                    match self {
                        $(Self::$value => pb::$message::$value.into(),)+
                    }
                }
            }
        )+
    };
}

settings! {
    Preset = MahjongPreset { Standard, NanoserverCompat }
    Zimo = MahjongZimo { Di, Fan, None }
    FanStacking = MahjongFanStacking { Standard, Nanoserver, MaxOnly }
    Jiaxin5Mode = MahjongJiaxin5Mode { Arrangeable, SingleWait }
    DianGangHua = MahjongDianGangHua { Dianpao, Zimo }
    CallTransfer = MahjongCallTransfer { LastKong, Chain, All, Off }
    CallTransferMulti = MahjongCallTransferMulti { Split, FullEach }
    DelayedAddedKong = MahjongDelayedAddedKong { Pay, NoPay, Forbid }
    GuoShouHu = MahjongGuoShouHu { SameTile, AnyTile, Off }
    HuaZhu = MahjongHuaZhu { NotTing, Penalty }
    RefundScope = MahjongRefundScope { ChaJiao, AnyEnd }
    MultiWinDealer = MahjongMultiWinDealer { Any, First }
    DrawDealer = MahjongDrawDealer { Stay, Next }
    TianDiHu = MahjongTianDiHu { Off, Add, Cap }
}

/// Sets `setting` when the message has it.
fn choose<S: Setting>(setting: &mut S, message: Option<i32>) -> Result<(), Refusal> {
    if let Some(value) = message {
        *setting = S::read(value).ok_or_else(|| malformed("an option's value is unknown"))?;
    }
    Ok(())
}

fn small(number: &mut u8, message: Option<u32>) -> Result<(), Refusal> {
    if let Some(value) = message {
        *number = u8::try_from(value).map_err(|_| malformed("an option is out of range"))?;
    }
    Ok(())
}

fn set<T: Copy>(setting: &mut T, message: Option<T>) {
    if let Some(value) = message {
        *setting = value;
    }
}

/// Reads options; absent fields take the preset's default.
pub(super) fn options_from(message: &pb::MahjongOptions) -> Result<Options, Refusal> {
    let mut preset = Preset::Standard;
    choose(&mut preset, message.preset)?;
    let mut options = Options::preset(preset);
    small(&mut options.players, message.players)?;
    small(&mut options.max_fan, message.max_fan)?;
    small(&mut options.rounds, message.rounds)?;
    set(&mut options.base, message.base.map(Amount));
    choose(&mut options.zimo, message.zimo)?;
    choose(&mut options.fan_stacking, message.fan_stacking)?;
    choose(&mut options.jiaxin5_mode, message.jiaxin5_mode)?;
    choose(&mut options.dian_gang_hua, message.dian_gang_hua)?;
    choose(&mut options.call_transfer, message.call_transfer)?;
    choose(&mut options.call_transfer_multi, message.call_transfer_multi)?;
    choose(&mut options.delayed_added_kong, message.delayed_added_kong)?;
    choose(&mut options.guo_shou_hu, message.guo_shou_hu)?;
    choose(&mut options.hua_zhu, message.hua_zhu)?;
    choose(&mut options.refund_scope, message.refund_scope)?;
    choose(&mut options.multi_win_dealer, message.multi_win_dealer)?;
    choose(&mut options.draw_dealer, message.draw_dealer)?;
    choose(&mut options.tian_di_hu, message.tian_di_hu)?;
    switches(&mut options, message);
    let pacing = &mut options.pacing;
    set(&mut pacing.exchange_ms, message.exchange_ms);
    set(&mut pacing.void_ms, message.void_ms);
    set(&mut pacing.discard_ms, message.discard_ms);
    set(&mut pacing.claim_ms, message.claim_ms);
    set(&mut pacing.claim_pause_min_ms, message.claim_pause_min_ms);
    set(&mut pacing.claim_pause_max_ms, message.claim_pause_max_ms);
    options.validate()?;
    Ok(options)
}

fn switches(options: &mut Options, message: &pb::MahjongOptions) {
    // One switch in nanoserver_compat: choosing either chooses both (rules: mahjong 8).
    let (mut menqing, mut zhongzhang) = (message.menqing, message.zhongzhang);
    if options.preset == Preset::NanoserverCompat {
        menqing = menqing.or(zhongzhang);
        zhongzhang = zhongzhang.or(menqing);
    }
    for (switch, value) in [
        (&mut options.dianpao_pinghu, message.dianpao_pinghu),
        (&mut options.pengpeng_two_fan, message.pengpeng_two_fan),
        (&mut options.jiangdui, message.jiangdui),
        (&mut options.yaojiu, message.yaojiu),
        (&mut options.menqing, menqing),
        (&mut options.zhongzhang, zhongzhang),
        (&mut options.jiaxin5, message.jiaxin5),
        (&mut options.menqing_allows_ankong, message.menqing_allows_ankong),
        (&mut options.haidi_pao, message.haidi_pao),
        (&mut options.force_discard_void, message.force_discard_void),
        (&mut options.dead_wait_is_ting, message.dead_wait_is_ting),
        (&mut options.huan_san_zhang, message.huan_san_zhang),
        (&mut options.ka_er_tiao, message.ka_er_tiao),
        (&mut options.yi_tiao_long, message.yi_tiao_long),
    ] {
        set(switch, value);
    }
}

/// Writes options, every field present.
pub(super) fn options_to(options: &Options) -> pb::MahjongOptions {
    let pacing = &options.pacing;
    pb::MahjongOptions {
        preset: Some(options.preset.write()),
        players: Some(u32::from(options.players)),
        base: Some(options.base.0),
        max_fan: Some(u32::from(options.max_fan)),
        rounds: Some(u32::from(options.rounds)),
        zimo: Some(options.zimo.write()),
        dianpao_pinghu: Some(options.dianpao_pinghu),
        pengpeng_two_fan: Some(options.pengpeng_two_fan),
        jiangdui: Some(options.jiangdui),
        yaojiu: Some(options.yaojiu),
        menqing: Some(options.menqing),
        zhongzhang: Some(options.zhongzhang),
        jiaxin5: Some(options.jiaxin5),
        fan_stacking: Some(options.fan_stacking.write()),
        menqing_allows_ankong: Some(options.menqing_allows_ankong),
        jiaxin5_mode: Some(options.jiaxin5_mode.write()),
        dian_gang_hua: Some(options.dian_gang_hua.write()),
        haidi_pao: Some(options.haidi_pao),
        call_transfer: Some(options.call_transfer.write()),
        call_transfer_multi: Some(options.call_transfer_multi.write()),
        delayed_added_kong: Some(options.delayed_added_kong.write()),
        guo_shou_hu: Some(options.guo_shou_hu.write()),
        force_discard_void: Some(options.force_discard_void),
        hua_zhu: Some(options.hua_zhu.write()),
        refund_scope: Some(options.refund_scope.write()),
        dead_wait_is_ting: Some(options.dead_wait_is_ting),
        multi_win_dealer: Some(options.multi_win_dealer.write()),
        draw_dealer: Some(options.draw_dealer.write()),
        huan_san_zhang: Some(options.huan_san_zhang),
        tian_di_hu: Some(options.tian_di_hu.write()),
        ka_er_tiao: Some(options.ka_er_tiao),
        yi_tiao_long: Some(options.yi_tiao_long),
        exchange_ms: Some(pacing.exchange_ms),
        void_ms: Some(pacing.void_ms),
        discard_ms: Some(pacing.discard_ms),
        claim_ms: Some(pacing.claim_ms),
        claim_pause_min_ms: Some(pacing.claim_pause_min_ms),
        claim_pause_max_ms: Some(pacing.claim_pause_max_ms),
    }
}
