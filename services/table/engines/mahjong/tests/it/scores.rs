//! The table of `scores.txt`: one hand a line (rules: mahjong 7, 13.1).

use parlor_game::Seat;
use parlor_mahjong::Options;
use parlor_mahjong::meld::{Meld, MeldKind, Melds};
use parlor_mahjong::options::{DianGangHua, FanStacking, Jiaxin5Mode, Zimo};
use parlor_mahjong::score::{Circumstances, Hand, NoWin, Source, score};
use parlor_mahjong::tile::{Suit, TileCounts};

use crate::support::{tile, tiles};

fn melds(text: &str) -> Melds {
    let meld = |word: &str| {
        let concealed = word.starts_with('(');
        let held = tiles(word.trim_matches(['(', ')']));
        let kind = match (held.len(), concealed) {
            (3, _) => MeldKind::Pung,
            (_, false) => MeldKind::DirectKong,
            (_, true) => MeldKind::ConcealedKong,
        };
        Meld { kind, tile: held[0], from: (!concealed).then_some(Seat(0)) }
    };
    text.split_whitespace().filter(|word| *word != "-").map(meld).collect()
}

fn conditions(text: &str) -> (Options, Circumstances) {
    let mut options = Options { max_fan: 5, ..Options::default() };
    let mut circumstances = Circumstances::PLAIN_DISCARD;
    for word in text.split_whitespace() {
        match word {
            "pengpeng_two_fan" => options.pengpeng_two_fan = true,
            "nanoserver" => options.fan_stacking = FanStacking::Nanoserver,
            "max_only" => options.fan_stacking = FanStacking::MaxOnly,
            "single_wait" => options.jiaxin5_mode = Jiaxin5Mode::SingleWait,
            "zimo_fan" => options.zimo = Zimo::Fan,
            "dian_gang_hua_zimo" => options.dian_gang_hua = DianGangHua::Zimo,
            "haidi_pao" => options.haidi_pao = true,
            "yi_tiao_long" => options.yi_tiao_long = true,
            "ka_er_tiao" => options.ka_er_tiao = true,
            "menqing_allows_ankong" => options.menqing_allows_ankong = true,
            "last_tile" => circumstances.last_tile = true,
            "self_draw" => circumstances.source = Source::SelfDraw,
            "kong_draw" => circumstances.source = Source::KongDraw,
            "direct_kong_draw" => circumstances.source = Source::DirectKongDraw,
            "discard_after_kong" => circumstances.source = Source::DiscardAfterKong,
            "robbed_kong" => circumstances.source = Source::RobbedKong,
            _ => panic!("unknown condition {word}"),
        }
    }
    (options, circumstances)
}

#[test]
fn every_line_of_the_table_holds() {
    let table = include_str!("scores.txt");
    let mut lines = 0;
    for line in table.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [concealed, melded, winning, void, how, expected] = cells[..] else {
            panic!("{line} has {} cells", cells.len());
        };
        let concealed: TileCounts = tiles(concealed).into_iter().collect();
        let melded = melds(melded);
        let void = Suit::from_letter(void.chars().next().unwrap());
        let hand = Hand { concealed: &concealed, melds: &melded, void };
        let (options, circumstances) = conditions(how);
        let found = match score(&options, &hand, tile(winning), circumstances) {
            Err(NoWin::VoidSuit) => String::from("refused void_suit"),
            Err(NoWin::NotComplete) => String::from("refused not_complete"),
            Ok(score) => {
                let parts =
                    score.breakdown.iter().map(|(fan, value)| format!("{} {value}", fan.name()));
                let parts: Vec<String> = parts.collect();
                format!("{} {}: {}", score.pattern.name(), score.raw, parts.join(", "))
            }
        };
        assert_eq!(found, expected, "{line}");
        lines += 1;
    }
    assert_eq!(lines, 37);
}
