//! The names of hand types and of what adds to them (rules: mahjong 7).

use crate::options::named;

named! {
    /// A hand type, a qualifier or an add-on. The composed types (from 清对 on) name a whole hand;
    /// in a breakdown they appear with `fan_stacking = max_only` alone.
    Fan {
        /// 平胡.
        Pinghu = "pinghu",
        /// 对对胡.
        Duiduihu = "duiduihu",
        /// 七对.
        Qidui = "qidui",
        /// 清一色.
        Qingyise = "qingyise",
        /// 将: all ranks 2, 5 or 8.
        Jiang = "jiang",
        /// 全幺九.
        Quanyaojiu = "quanyaojiu",
        /// 门清.
        Menqing = "menqing",
        /// 中张.
        Zhongzhang = "zhongzhang",
        /// 夹心五.
        Jiaxinwu = "jiaxinwu",
        /// 卡二条.
        Kaertiao = "kaertiao",
        /// 一条龙.
        Yitiaolong = "yitiaolong",
        /// 根, each.
        Gen = "gen",
        /// 金钩胡.
        Jingouhu = "jingouhu",
        /// 杠上花.
        Gangshanghua = "gangshanghua",
        /// 杠上炮.
        Gangshangpao = "gangshangpao",
        /// 抢杠胡.
        Qiangganghu = "qiangganghu",
        /// 海底捞.
        Haidilao = "haidilao",
        /// 海底炮.
        Haidipao = "haidipao",
        /// 自摸加番.
        Zimo = "zimo",
        /// 天胡.
        Tianhu = "tianhu",
        /// 地胡.
        Dihu = "dihu",
        /// 清对.
        Qingdui = "qingdui",
        /// 将对.
        Jiangdui = "jiangdui",
        /// 清幺九.
        Qingyaojiu = "qingyaojiu",
        /// 龙七对.
        Longqidui = "longqidui",
        /// 双龙七对.
        Shuanglongqidui = "shuanglongqidui",
        /// 三龙七对.
        Sanlongqidui = "sanlongqidui",
        /// 清七对.
        Qingqidui = "qingqidui",
        /// 清龙七对.
        Qinglongqidui = "qinglongqidui",
        /// 清双龙七对.
        Qingshuanglongqidui = "qingshuanglongqidui",
        /// 清三龙七对.
        Qingsanlongqidui = "qingsanlongqidui",
        /// 将七对.
        Jiangqidui = "jiangqidui",
        /// 将双龙七对.
        Jiangshuanglongqidui = "jiangshuanglongqidui",
        /// 将三龙七对.
        Jiangsanlongqidui = "jiangsanlongqidui",
    }
}

/// What a hand type's display name is composed of (rules: mahjong 7.5).
#[derive(Clone, Copy, Debug)]
pub(super) struct Composition {
    pub form: Fan,
    pub one_suit: bool,
    pub jiang: bool,
    pub roots: u8,
}

impl Composition {
    /// The composed type, without 全幺九.
    pub(super) fn name(self) -> Fan {
        match (self.form, self.one_suit, self.jiang) {
            (Fan::Qidui, true, _) => self.by_roots([
                Fan::Qingqidui,
                Fan::Qinglongqidui,
                Fan::Qingshuanglongqidui,
                Fan::Qingsanlongqidui,
            ]),
            (Fan::Qidui, false, true) => self.by_roots([
                Fan::Jiangqidui,
                Fan::Jiangqidui,
                Fan::Jiangshuanglongqidui,
                Fan::Jiangsanlongqidui,
            ]),
            (Fan::Qidui, false, false) => {
                self.by_roots([Fan::Qidui, Fan::Longqidui, Fan::Shuanglongqidui, Fan::Sanlongqidui])
            }
            (Fan::Duiduihu, true, _) => Fan::Qingdui,
            (Fan::Duiduihu, false, true) => Fan::Jiangdui,
            (_, true, _) => Fan::Qingyise,
            (form, false, _) => form,
        }
    }

    fn by_roots(self, names: [Fan; 4]) -> Fan {
        names[usize::from(self.roots.min(3))]
    }
}
