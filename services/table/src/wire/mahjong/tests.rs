#![allow(clippy::unwrap_used)]

use parlor_game::{Actor, Entrant, Entropy, Game, Seat, Stream, Viewer};
use parlor_mahjong::event::Event;
use parlor_mahjong::options::{
    CallTransfer, FanStacking, GuoShouHu, HuaZhu, Preset, TianDiHu, Zimo,
};
use parlor_mahjong::tile::{Suit, Tile};
use parlor_mahjong::{Command, Mahjong, Options, State};
use parlor_proto::rules::v1 as pb;
use prost::Message;

use super::{MALFORMED, Wire};

fn entropy(seed: u8) -> Entropy {
    Entropy::from_key([seed; 32])
}

/// Plays hands in which bots and random moves take turns, and shows every state and event.
fn play(options: &Options, seed: u8, mut show: impl FnMut(&State, &[Event])) {
    let mut choices = entropy(seed).labelled("wire/choices");
    let mut state = Mahjong::open(options).unwrap();
    let entrants: Vec<Entrant> =
        (0..options.players).map(|seat| Entrant { seat: Seat(seat), stack: None }).collect();
    let mut events = Mahjong::deal(&state, &entrants, &entropy(seed)).unwrap();
    loop {
        events.iter().for_each(|event| Mahjong::evolve(&mut state, event));
        show(&state, &events);
        if !Mahjong::in_hand(&state) {
            return;
        }
        let (actor, command) = next(&state, &mut choices);
        events = Mahjong::decide(&state, actor, &command, &entropy(seed)).unwrap();
    }
}

fn next(state: &State, choices: &mut Stream) -> (Actor, Command) {
    let awaiting = Mahjong::awaiting(state);
    let Some(pending) = awaiting.seats.first() else {
        return (Actor::System, awaiting.system.unwrap().command);
    };
    let command = if choices.chance(1, 6) {
        pending.default
    } else {
        Mahjong::bot(&Mahjong::view(state, Viewer::Seat(pending.seat))).unwrap()
    };
    (Actor::Seat(pending.seat), command)
}

fn round_trip(command: Command) {
    let bytes = Mahjong::command_to(&command).encode_to_vec();
    let message = pb::MahjongCommand::decode(bytes.as_slice()).unwrap();
    assert_eq!(Mahjong::command_from(message), Ok(command));
}

#[test]
fn every_legal_command_survives_the_wire() {
    let exchange = Options { huan_san_zhang: true, ..Options::default() };
    let three = Options { players: 3, ..Options::default() };
    let mut seen = 0;
    for (seed, options) in (0..12).zip([Options::default(), exchange, three].iter().cycle()) {
        play(options, seed, |state, _| {
            for seat in (0..options.players).map(Seat) {
                for command in Mahjong::legal(state, seat) {
                    round_trip(command);
                    seen += 1;
                }
            }
        });
    }
    round_trip(Command::CloseWindow);
    assert!(seen > 1_000, "{seen} commands");
}

#[test]
fn every_event_and_view_has_a_message() {
    let options = Options { rounds: 1, huan_san_zhang: true, ..Options::default() };
    for seed in 0..12 {
        play(&options, seed, |state, events| {
            for viewer in [Viewer::Seat(Seat(1)), Viewer::Spectator, Viewer::Auditor] {
                let view = Mahjong::view(state, viewer);
                let message = Mahjong::view_to(&view);
                assert_eq!(message.own.is_some(), view.own.is_some());
                assert_eq!(message.seats.len(), 4);
                assert_eq!(message.wall.len(), view.wall.len());
                for event in events.iter().filter_map(|event| Mahjong::redact(event, viewer)) {
                    assert!(Mahjong::event_to(&event).event.is_some());
                }
            }
        });
    }
}

#[test]
fn a_message_carries_no_other_seats_secrets() {
    play(&Options::default(), 3, |state, _| {
        if !Mahjong::in_hand(state) {
            return;
        }
        let message = Mahjong::view_to(&Mahjong::view(state, Viewer::Seat(Seat(2))));
        assert!(message.seats.iter().all(|seat| seat.tiles.is_empty()));
        assert!(message.wall.is_empty());
        let own = message.own.unwrap();
        let held = own.tiles.len() + usize::from(own.drawn.is_some());
        assert_eq!(held, usize::try_from(message.seats[2].concealed).unwrap());
    });
}

#[test]
fn options_survive_the_wire_with_every_field_present() {
    let changed = Options {
        players: 3,
        max_fan: 5,
        rounds: 16,
        zimo: Zimo::None,
        fan_stacking: FanStacking::MaxOnly,
        call_transfer: CallTransfer::Off,
        guo_shou_hu: GuoShouHu::AnyTile,
        hua_zhu: HuaZhu::Penalty,
        tian_di_hu: TianDiHu::Cap,
        haidi_pao: true,
        ka_er_tiao: true,
        ..Options::preset(Preset::NanoserverCompat)
    };
    for options in [Options::default(), Options::preset(Preset::NanoserverCompat), changed] {
        assert_eq!(Mahjong::options_from(Mahjong::options_to(&options)), Ok(options));
    }
}

#[test]
fn absent_options_take_the_default() {
    let default = Mahjong::options_from(pb::MahjongOptions::default());
    assert_eq!(default, Ok(Options::default()));
    let preset = Some(pb::MahjongPreset::NanoserverCompat.into());
    let compat = Mahjong::options_from(pb::MahjongOptions { preset, ..Default::default() });
    assert_eq!(compat, Ok(Options::preset(Preset::NanoserverCompat)));
}

#[test]
fn menqing_and_zhongzhang_are_one_switch_in_the_compat_preset() {
    let preset = Some(pb::MahjongPreset::NanoserverCompat.into());
    let one = pb::MahjongOptions { preset, zhongzhang: Some(true), ..Default::default() };
    let options = Mahjong::options_from(one).unwrap();
    assert!(options.menqing && options.zhongzhang);
    let split = pb::MahjongOptions { preset, menqing: Some(false), ..one };
    assert_eq!(Mahjong::options_from(split).unwrap_err().reason, "bad_option");
}

#[test]
fn messages_that_cannot_be_read_are_refused() {
    use pb::mahjong_command::Command as Asked;
    let tile = |tile: &str| pb::MahjongTile { tile: tile.to_owned() };
    let tiles = |tiles: &[&str]| pb::MahjongExchange {
        tiles: tiles.iter().map(|tile| (*tile).to_owned()).collect(),
    };
    for command in [
        None,
        Some(Asked::Discard(tile(""))),
        Some(Asked::Discard(tile("0m"))),
        Some(Asked::Discard(tile("3mm"))),
        Some(Asked::AddedKong(tile("1z"))),
        Some(Asked::ConcealedKong(tile("万"))),
        Some(Asked::Exchange(tiles(&["1m", "2m"]))),
        Some(Asked::Exchange(tiles(&["1m", "2m", "3m", "4m"]))),
        Some(Asked::ChooseVoid(pb::MahjongChooseVoid { suit: 0 })),
        Some(Asked::ChooseVoid(pb::MahjongChooseVoid { suit: 9 })),
    ] {
        let refusal = Mahjong::command_from(pb::MahjongCommand { command }).unwrap_err();
        assert_eq!(refusal.reason, MALFORMED);
    }
    let unknown = pb::MahjongOptions { zimo: Some(77), ..Default::default() };
    assert_eq!(Mahjong::options_from(unknown).unwrap_err().reason, MALFORMED);
    let huge = pb::MahjongOptions { players: Some(260), ..Default::default() };
    assert_eq!(Mahjong::options_from(huge).unwrap_err().reason, MALFORMED);
}

#[test]
fn an_exchange_is_read_in_any_order() {
    let tiles = ["9p", "1p", "1p"].map(str::to_owned).to_vec();
    let asked = pb::mahjong_command::Command::Exchange(pb::MahjongExchange { tiles });
    let command = Mahjong::command_from(pb::MahjongCommand { command: Some(asked) }).unwrap();
    let tile = |rank| Tile::new(Suit::Dots, rank).unwrap();
    assert_eq!(command, Command::Exchange([tile(9), tile(1), tile(1)]));
}
