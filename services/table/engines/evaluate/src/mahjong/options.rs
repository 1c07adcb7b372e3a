//! Room options as JSON (rules: mahjong 8).

use parlor_game::Amount;
use parlor_mahjong::options::{
    CallTransfer, CallTransferMulti, DelayedAddedKong, DianGangHua, DrawDealer, FanStacking,
    GuoShouHu, HuaZhu, Jiaxin5Mode, MultiWinDealer, Options, Preset, RefundScope, TianDiHu, Zimo,
};
use serde_json::{Map, Value};

/// Reads options; those that are missing take the preset's default.
///
/// The error names the option that cannot be read.
pub(super) fn options(value: Option<&Value>) -> Result<Options, String> {
    let empty = Map::new();
    let fields = match value {
        None | Some(Value::Null) => &empty,
        Some(Value::Object(fields)) => fields,
        Some(_) => return Err(String::from("bad_options")),
    };
    let preset = match fields.get("preset") {
        None => Preset::Standard,
        Some(value) => named("preset", value, Preset::from_name)?,
    };
    let mut options = Options::preset(preset);
    for (name, value) in fields {
        set(&mut options, name, value)?;
    }
    if preset == Preset::NanoserverCompat {
        // One switch: choosing either chooses both.
        let chosen = ["menqing", "zhongzhang"].iter().filter_map(|name| fields.get(*name));
        if let Some(switch) = chosen.filter_map(Value::as_bool).reduce(|one, other| one || other) {
            (options.menqing, options.zhongzhang) = (switch, switch);
        }
    }
    options.validate().map_err(|refusal| format!("bad_option:{}", refusal.message))?;
    Ok(options)
}

fn set(options: &mut Options, name: &str, value: &Value) -> Result<(), String> {
    match name {
        "preset" => {}
        "players" => options.players = small(name, value)?,
        "base" => options.base = Amount(value.as_i64().ok_or_else(|| bad(name))?),
        "max_fan" => options.max_fan = small(name, value)?,
        "rounds" => options.rounds = small(name, value)?,
        "zimo" => options.zimo = named(name, value, Zimo::from_name)?,
        "fan_stacking" => options.fan_stacking = named(name, value, FanStacking::from_name)?,
        "jiaxin5_mode" => options.jiaxin5_mode = named(name, value, Jiaxin5Mode::from_name)?,
        "dian_gang_hua" => options.dian_gang_hua = named(name, value, DianGangHua::from_name)?,
        "call_transfer" => options.call_transfer = named(name, value, CallTransfer::from_name)?,
        "call_transfer_multi" => {
            options.call_transfer_multi = named(name, value, CallTransferMulti::from_name)?;
        }
        "delayed_added_kong" => {
            options.delayed_added_kong = named(name, value, DelayedAddedKong::from_name)?;
        }
        "guo_shou_hu" => options.guo_shou_hu = named(name, value, GuoShouHu::from_name)?,
        "hua_zhu" => options.hua_zhu = named(name, value, HuaZhu::from_name)?,
        "refund_scope" => options.refund_scope = named(name, value, RefundScope::from_name)?,
        "multi_win_dealer" => {
            options.multi_win_dealer = named(name, value, MultiWinDealer::from_name)?;
        }
        "draw_dealer" => options.draw_dealer = named(name, value, DrawDealer::from_name)?,
        "tian_di_hu" => options.tian_di_hu = named(name, value, TianDiHu::from_name)?,
        _ => {
            let switch = switch(options, name).ok_or_else(|| format!("unknown_option:{name}"))?;
            *switch = value.as_bool().ok_or_else(|| bad(name))?;
        }
    }
    Ok(())
}

fn switch<'a>(options: &'a mut Options, name: &str) -> Option<&'a mut bool> {
    Some(match name {
        "dianpao_pinghu" => &mut options.dianpao_pinghu,
        "pengpeng_two_fan" => &mut options.pengpeng_two_fan,
        "jiangdui" => &mut options.jiangdui,
        "yaojiu" => &mut options.yaojiu,
        "menqing" => &mut options.menqing,
        "zhongzhang" => &mut options.zhongzhang,
        "jiaxin5" => &mut options.jiaxin5,
        "menqing_allows_ankong" => &mut options.menqing_allows_ankong,
        "haidi_pao" => &mut options.haidi_pao,
        "force_discard_void" => &mut options.force_discard_void,
        "dead_wait_is_ting" => &mut options.dead_wait_is_ting,
        "huan_san_zhang" => &mut options.huan_san_zhang,
        "ka_er_tiao" => &mut options.ka_er_tiao,
        "yi_tiao_long" => &mut options.yi_tiao_long,
        _ => return None,
    })
}

fn bad(name: &str) -> String {
    format!("bad_option:{name}")
}

fn small(name: &str, value: &Value) -> Result<u8, String> {
    value.as_u64().and_then(|number| u8::try_from(number).ok()).ok_or_else(|| bad(name))
}

fn named<T>(name: &str, value: &Value, from: fn(&str) -> Option<T>) -> Result<T, String> {
    value.as_str().and_then(from).ok_or_else(|| bad(name))
}
