//! Tiles, suits, melds, scores and payments.

use parlor_game::{Refusal, Seat};
use parlor_mahjong::Answer;
use parlor_mahjong::meld::MeldKind;
use parlor_mahjong::score::{Fan, Score, Source};
use parlor_mahjong::settle::{Payment, Standing};
use parlor_mahjong::sheet::Sheet;
use parlor_mahjong::state::{Ending, Offer, TurnStart};
use parlor_mahjong::tile::{Suit, Tile};
use parlor_proto::rules::v1 as pb;

use super::malformed;

pub(super) fn tile_from(text: &str) -> Result<Tile, Refusal> {
    Tile::parse(text).ok_or_else(|| malformed("a tile is a rank and a suit letter, as 3m"))
}

pub(super) fn tile_to(tile: Tile) -> String {
    tile.to_string()
}

pub(super) fn tiles_to(tiles: &[Tile]) -> Vec<String> {
    tiles.iter().copied().map(tile_to).collect()
}

pub(super) fn suit_from(suit: i32) -> Result<Suit, Refusal> {
    match pb::MahjongSuit::try_from(suit) {
        Ok(pb::MahjongSuit::Characters) => Ok(Suit::Characters),
        Ok(pb::MahjongSuit::Dots) => Ok(Suit::Dots),
        Ok(pb::MahjongSuit::Bamboos) => Ok(Suit::Bamboos),
        Ok(pb::MahjongSuit::Unspecified) | Err(_) => Err(malformed("the suit is unknown")),
    }
}

pub(super) fn suit_to(suit: Suit) -> i32 {
    let suit = match suit {
        Suit::Characters => pb::MahjongSuit::Characters,
        Suit::Dots => pb::MahjongSuit::Dots,
        Suit::Bamboos => pb::MahjongSuit::Bamboos,
    };
    suit.into()
}

pub(super) fn seat_to(seat: Seat) -> u32 {
    u32::from(seat.0)
}

pub(super) fn meld_kind_to(kind: MeldKind) -> i32 {
    let kind = match kind {
        MeldKind::Pung => pb::MahjongMeldKind::Pung,
        MeldKind::DirectKong => pb::MahjongMeldKind::DirectKong,
        MeldKind::AddedKong => pb::MahjongMeldKind::AddedKong,
        MeldKind::ConcealedKong => pb::MahjongMeldKind::ConcealedKong,
    };
    kind.into()
}

pub(super) fn offer_to(seat: Seat, offer: &Offer) -> pb::MahjongOffer {
    pb::MahjongOffer {
        seat: seat_to(seat),
        win_raw_fan: offer.win.map(u32::from),
        kong: offer.kong,
        pung: offer.pung,
    }
}

pub(super) fn answer_to(answer: Answer) -> i32 {
    let answer = match answer {
        Answer::Win => pb::MahjongAnswer::Win,
        Answer::Kong => pb::MahjongAnswer::Kong,
        Answer::Pung => pb::MahjongAnswer::Pung,
        Answer::Pass => pb::MahjongAnswer::Pass,
    };
    answer.into()
}

pub(super) fn source_to(source: Source) -> i32 {
    let source = match source {
        Source::SelfDraw => pb::MahjongSource::SelfDraw,
        Source::KongDraw => pb::MahjongSource::KongDraw,
        Source::DirectKongDraw => pb::MahjongSource::DirectKongDraw,
        Source::Discard => pb::MahjongSource::Discard,
        Source::DiscardAfterKong => pb::MahjongSource::DiscardAfterKong,
        Source::RobbedKong => pb::MahjongSource::RobbedKong,
    };
    source.into()
}

pub(super) fn score_to(score: &Score) -> pb::MahjongScore {
    let line = |(fan, value): &(Fan, u8)| pb::MahjongFan {
        id: fan.name().to_owned(),
        fan: u32::from(*value),
    };
    pb::MahjongScore {
        pattern: score.pattern.name().to_owned(),
        form: score.form.name().to_owned(),
        breakdown: score.breakdown.iter().map(line).collect(),
        raw_fan: u32::from(score.raw),
    }
}

pub(super) fn payments_to(payments: &[Payment]) -> Vec<pb::MahjongPayment> {
    let payment = |payment: &Payment| pb::MahjongPayment {
        from: seat_to(payment.from),
        to: seat_to(payment.to),
        amount: payment.amount.0,
        short: payment.short.0,
        why: payment.why.name().to_owned(),
    };
    payments.iter().map(payment).collect()
}

pub(super) fn turn_start_to(start: TurnStart) -> i32 {
    let start = match start {
        TurnStart::Dealt => pb::MahjongTurnStart::Dealt,
        TurnStart::Draw => pb::MahjongTurnStart::Draw,
        TurnStart::Replacement { .. } => pb::MahjongTurnStart::Replacement,
        TurnStart::Pung => pb::MahjongTurnStart::Pung,
    };
    start.into()
}

pub(super) fn ending_to(ending: Ending) -> i32 {
    let ending = match ending {
        Ending::LastStanding => pb::MahjongEnding::LastStanding,
        Ending::WallEmpty => pb::MahjongEnding::WallEmpty,
    };
    ending.into()
}

pub(super) fn standing_to(standing: Standing) -> pb::MahjongStanding {
    use pb::mahjong_standing::Standing as Message;
    let standing = match standing {
        Standing::Won => Message::Won(true),
        Standing::Ready(raw) => Message::ReadyRawFan(u32::from(raw)),
        Standing::NotReady => Message::NotReady(true),
        Standing::HoldsVoid => Message::HoldsVoid(true),
    };
    pb::MahjongStanding { standing: Some(standing) }
}

pub(super) fn sheet_to(sheet: &Sheet) -> pb::MahjongSheet {
    let seats = sheet.seats.iter().map(|seat| pb::MahjongSeatSheet {
        total: seat.total.0,
        self_draws: u32::from(seat.self_draws),
        claimed_wins: u32::from(seat.claimed_wins),
        fed_wins: u32::from(seat.fed_wins),
        fed_amount: seat.fed_amount.0,
        concealed_kongs: u32::from(seat.concealed_kongs),
        exposed_kongs: u32::from(seat.exposed_kongs),
        best_fan: seat.best_fan.map(u32::from),
    });
    let hands = sheet.hands.iter();
    pb::MahjongSheet {
        seats: seats.collect(),
        hands: hands
            .map(|nets| pb::MahjongHandLine { nets: nets.iter().map(|net| net.0).collect() })
            .collect(),
        big_winners: sheet.big_winners().into_iter().map(seat_to).collect(),
        most_paid: sheet.most_paid().into_iter().map(seat_to).collect(),
    }
}
