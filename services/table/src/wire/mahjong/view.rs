//! Views.

use parlor_mahjong::hints::{Hints, ReadyDiscard, Wait};
use parlor_mahjong::meld::Meld;
use parlor_mahjong::state::Passed;
use parlor_mahjong::view::{OwnView, SeatView, Stage, View, WinView};
use parlor_proto::rules::v1 as pb;

use super::command_to;
use super::options::options_to;
use super::words::{
    answer_to, ending_to, meld_kind_to, offer_to, payments_to, score_to, seat_to, sheet_to,
    source_to, standing_to, suit_to, tile_to, tiles_to,
};

/// The message of a view.
pub(super) fn view_to(view: &View) -> pb::MahjongView {
    let ending = match view.stage {
        Stage::Over(ending) => Some(ending_to(ending)),
        _ => None,
    };
    pb::MahjongView {
        options: Some(options_to(&view.options)),
        hand: view.hand,
        stage: stage_to(view.stage),
        dealer: view.dealer.map(seat_to),
        turn: view.turn.map(seat_to),
        offered: view.offered.map(|offered| pb::MahjongTableTile {
            seat: seat_to(offered.seat),
            tile: tile_to(offered.tile),
        }),
        wall_left: view.wall_left,
        seats: view.seats.iter().map(seat_view_to).collect(),
        own: view.own.as_ref().map(own_to),
        payments: payments_to(&view.payments),
        ending: ending.unwrap_or_default(),
        next_dealer: view.next_dealer.map(seat_to),
        sheet: Some(sheet_to(&view.sheet)),
        match_over: view.match_over,
        wall: tiles_to(&view.wall),
    }
}

fn stage_to(stage: Stage) -> i32 {
    let stage = match stage {
        Stage::Idle => pb::MahjongStage::Idle,
        Stage::Exchange => pb::MahjongStage::Exchange,
        Stage::Void => pb::MahjongStage::Void,
        Stage::Turn => pb::MahjongStage::Turn,
        Stage::Discard => pb::MahjongStage::Discard,
        Stage::AddedKong => pb::MahjongStage::AddedKong,
        Stage::Over(_) => pb::MahjongStage::Over,
    };
    stage.into()
}

fn seat_view_to(seat: &SeatView) -> pb::MahjongSeat {
    pb::MahjongSeat {
        seat: seat_to(seat.seat),
        concealed: u32::from(seat.concealed),
        tiles: tiles_to(&seat.tiles),
        melds: seat.melds.iter().map(meld_to).collect(),
        discards: tiles_to(&seat.discards),
        void: seat.void.map(suit_to),
        has_chosen: seat.has_chosen,
        win: seat.win.as_ref().map(win_to),
        net: seat.net.0,
        standing: seat.standing.map(standing_to),
    }
}

fn meld_to(meld: &Meld) -> pb::MahjongMeld {
    pb::MahjongMeld {
        kind: meld_kind_to(meld.kind),
        tile: tile_to(meld.tile),
        from: meld.from.map(seat_to),
    }
}

fn win_to(win: &WinView) -> pb::MahjongSeatWin {
    pb::MahjongSeatWin {
        place: u32::from(win.place),
        tile: tile_to(win.tile),
        from: win.from.map(seat_to),
        source: source_to(win.source),
        score: Some(score_to(&win.score)),
        fan: u32::from(win.fan),
    }
}

fn own_to(own: &OwnView) -> pb::MahjongOwn {
    let passed = |passed: &Passed| pb::MahjongPassed {
        tile: tile_to(passed.tile),
        raw_fan: u32::from(passed.raw),
    };
    pb::MahjongOwn {
        seat: seat_to(own.seat),
        tiles: tiles_to(&own.tiles),
        drawn: own.drawn.map(tile_to),
        gift: own.gift.as_ref().map(|gift| tiles_to(gift)).unwrap_or_default(),
        void: own.void.map(suit_to),
        offer: own.offer.as_ref().map(|offer| offer_to(own.seat, offer)),
        answer: own.answer.map(answer_to).unwrap_or_default(),
        passed: own.passed.iter().map(passed).collect(),
        actions: own.actions.iter().copied().map(command_to).collect(),
        hints: Some(hints_to(&own.hints)),
    }
}

fn hints_to(hints: &Hints) -> pb::MahjongHints {
    let ready = |ready: &ReadyDiscard| pb::MahjongReadyDiscard {
        discard: tile_to(ready.discard),
        waits: waits_to(&ready.waits),
    };
    pb::MahjongHints {
        void: hints.void.map(suit_to),
        waits: waits_to(&hints.waits),
        discards: hints.discards.iter().map(ready).collect(),
    }
}

fn waits_to(waits: &[Wait]) -> Vec<pb::MahjongWait> {
    let wait = |wait: &Wait| pb::MahjongWait {
        tile: tile_to(wait.tile),
        fan: u32::from(wait.fan),
        raw_fan: u32::from(wait.raw),
        remaining: u32::from(wait.remaining),
    };
    waits.iter().map(wait).collect()
}
