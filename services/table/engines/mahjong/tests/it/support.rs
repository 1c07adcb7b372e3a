//! What several tests need: tables, options, chance.

use parlor_game::{Amount, Entrant, Entropy, Game, Seat, Stream};
use parlor_mahjong::options::{
    CallTransfer, CallTransferMulti, DelayedAddedKong, DianGangHua, DrawDealer, FanStacking,
    GuoShouHu, HuaZhu, Jiaxin5Mode, MultiWinDealer, Preset, RefundScope, TianDiHu, Zimo,
};
use parlor_mahjong::{Mahjong, Options, State};

/// Entropy that is a function of a number.
pub fn entropy(seed: u64) -> Entropy {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    Entropy::from_key(key)
}

/// A match before its first hand.
pub fn open(options: &Options) -> State {
    Mahjong::open(options).unwrap()
}

/// Every seat of a table; with `stack` in chips mode.
pub fn entrants(players: u8, stack: Option<i64>) -> Vec<Entrant> {
    (0..players).map(|seat| Entrant { seat: Seat(seat), stack: stack.map(Amount) }).collect()
}

/// Options that are each drawn at random.
pub fn any_options(chance: &mut Stream) -> Options {
    fn one<T: Copy>(chance: &mut Stream, values: &[T]) -> T {
        values[chance.below(u32::try_from(values.len()).unwrap()) as usize]
    }
    let mut options = Options::preset(one(chance, Preset::ALL));
    options.players = one(chance, &[4, 4, 3]);
    options.base = Amount(one(chance, &[1, 2, 10]));
    options.max_fan = one(chance, &[3, 4, 5]);
    options.rounds = one(chance, &[1, 4, 8, 16]);
    options.zimo = one(chance, Zimo::ALL);
    options.fan_stacking = one(chance, FanStacking::ALL);
    options.jiaxin5_mode = one(chance, Jiaxin5Mode::ALL);
    options.dian_gang_hua = one(chance, DianGangHua::ALL);
    options.call_transfer = one(chance, CallTransfer::ALL);
    options.call_transfer_multi = one(chance, CallTransferMulti::ALL);
    options.delayed_added_kong = one(chance, DelayedAddedKong::ALL);
    options.guo_shou_hu = one(chance, GuoShouHu::ALL);
    options.hua_zhu = one(chance, HuaZhu::ALL);
    options.refund_scope = one(chance, RefundScope::ALL);
    options.multi_win_dealer = one(chance, MultiWinDealer::ALL);
    options.draw_dealer = one(chance, DrawDealer::ALL);
    options.tian_di_hu = one(chance, TianDiHu::ALL);
    for switch in [
        &mut options.dianpao_pinghu,
        &mut options.pengpeng_two_fan,
        &mut options.jiangdui,
        &mut options.yaojiu,
        &mut options.jiaxin5,
        &mut options.menqing_allows_ankong,
        &mut options.haidi_pao,
        &mut options.force_discard_void,
        &mut options.dead_wait_is_ting,
        &mut options.huan_san_zhang,
        &mut options.ka_er_tiao,
        &mut options.yi_tiao_long,
    ] {
        *switch = chance.chance(1, 2);
    }
    options.menqing = chance.chance(1, 2);
    options.zhongzhang = options.menqing;
    options
}
