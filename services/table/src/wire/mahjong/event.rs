//! Events, as redacted for their receiver.

use parlor_game::{Amount, Seat};
use parlor_mahjong::event::{Event, Gift, Revealed};
use parlor_mahjong::score::{Score, Source};
use parlor_mahjong::settle::BySeat;
use parlor_mahjong::state::{Offers, TurnStart};
use parlor_mahjong::tile::{Suit, Tile};
use parlor_proto::rules::v1 as pb;
use pb::mahjong_event::Event as Message;

use super::words::{
    answer_to, ending_to, meld_kind_to, offer_to, payments_to, score_to, seat_to, sheet_to,
    source_to, standing_to, suit_to, tile_to, tiles_to, turn_start_to,
};
use crate::wire::result::result_to;

/// The message of an event.
pub(super) fn event_to(event: &Event) -> pb::MahjongEvent {
    let event = match event {
        Event::Dealt { number, dealer, stacks, wall, own } => {
            dealt(*number, *dealer, stacks, wall, own)
        }
        Event::ExchangeChosen { seat, tiles } => exchange_chosen(*seat, tiles.as_ref()),
        Event::Exchanged { die, shift, gifts } => exchanged(*die, *shift, gifts),
        Event::VoidChosen { seat, suit } => void_chosen(*seat, *suit),
        Event::VoidsRevealed { suits } => voids_revealed(suits),
        Event::Drew { seat, tile, start } => drew(*seat, *tile, *start),
        Event::Discarded { seat, tile, offers } => Message::Discarded(pb::MahjongDiscarded {
            seat: seat_to(*seat),
            tile: tile_to(*tile),
            offers: offers_to(offers),
        }),
        Event::KongDeclared { seat, tile, offers } => {
            Message::KongDeclared(pb::MahjongKongDeclared {
                seat: seat_to(*seat),
                tile: tile_to(*tile),
                offers: offers_to(offers),
            })
        }
        Event::Answered { seat, answer } => Message::Answered(pb::MahjongAnswered {
            seat: seat_to(*seat),
            answer: answer_to(*answer),
        }),
        Event::PauseElapsed => Message::PauseElapsed(pb::MahjongPauseElapsed {}),
        Event::PungMade { seat, tile, from } => Message::PungMade(pb::MahjongPungMade {
            seat: seat_to(*seat),
            tile: tile_to(*tile),
            from: seat_to(*from),
        }),
        Event::KongMade { seat, tile, kind, from } => Message::KongMade(pb::MahjongKongMade {
            seat: seat_to(*seat),
            tile: tile_to(*tile),
            kind: meld_kind_to(*kind),
            from: from.map(seat_to),
        }),
        Event::KongRobbed { seat, tile } => Message::KongRobbed(pb::MahjongKongRobbed {
            seat: seat_to(*seat),
            tile: tile_to(*tile),
        }),
        Event::Won { seat, tile, from, source, score } => won(*seat, *tile, *from, *source, score),
        Event::Paid { settles: _, payments } => {
            Message::Paid(pb::MahjongPaid { payments: payments_to(payments) })
        }
        Event::HandEnded { ending, hands, next_dealer, result } => {
            Message::HandEnded(pb::MahjongHandEnded {
                ending: ending_to(*ending),
                hands: hands.iter().map(revealed_to).collect(),
                next_dealer: seat_to(*next_dealer),
                result: Some(result_to(result)),
            })
        }
        Event::MatchEnded { sheet } => {
            Message::MatchEnded(pb::MahjongMatchEnded { sheet: Some(sheet_to(sheet)) })
        }
    };
    pb::MahjongEvent { event: Some(event) }
}

fn dealt(
    number: u32,
    dealer: Seat,
    stacks: &BySeat<Option<Amount>>,
    wall: &[Tile],
    own: &[Tile],
) -> Message {
    Message::Dealt(pb::MahjongDealt {
        hand: number,
        dealer: seat_to(dealer),
        own: tiles_to(own),
        wall: tiles_to(wall),
        stacks: stacks.iter().flatten().map(|stack| stack.0).collect(),
    })
}

fn exchange_chosen(seat: Seat, tiles: Option<&[Tile; 3]>) -> Message {
    Message::ExchangeChosen(pb::MahjongExchangeChosen {
        seat: seat_to(seat),
        tiles: tiles.map(|tiles| tiles_to(tiles)).unwrap_or_default(),
    })
}

fn exchanged(die: u8, shift: u8, gifts: &[Gift]) -> Message {
    let gift = |gift: &Gift| pb::MahjongGift {
        from: seat_to(gift.from),
        to: seat_to(gift.to),
        tiles: tiles_to(&gift.tiles),
    };
    Message::Exchanged(pb::MahjongExchanged {
        die: u32::from(die),
        shift: u32::from(shift),
        gifts: gifts.iter().map(gift).collect(),
    })
}

fn void_chosen(seat: Seat, suit: Option<Suit>) -> Message {
    Message::VoidChosen(pb::MahjongVoidChosen { seat: seat_to(seat), suit: suit.map(suit_to) })
}

fn voids_revealed(suits: &[Suit]) -> Message {
    let suits = suits.iter().copied().map(suit_to).collect();
    Message::VoidsRevealed(pb::MahjongVoidsRevealed { suits })
}

fn drew(seat: Seat, tile: Option<Tile>, start: TurnStart) -> Message {
    let feeder = match start {
        TurnStart::Replacement { feeder } => feeder,
        _ => None,
    };
    Message::Drew(pb::MahjongDrew {
        seat: seat_to(seat),
        tile: tile.map(tile_to),
        start: turn_start_to(start),
        feeder: feeder.map(seat_to),
    })
}

fn won(seat: Seat, tile: Tile, from: Option<Seat>, source: Source, score: &Score) -> Message {
    Message::Won(pb::MahjongWon {
        seat: seat_to(seat),
        tile: tile_to(tile),
        from: from.map(seat_to),
        source: source_to(source),
        score: Some(score_to(score)),
    })
}

fn revealed_to(revealed: &Revealed) -> pb::MahjongRevealed {
    pb::MahjongRevealed {
        tiles: tiles_to(&revealed.tiles),
        standing: Some(standing_to(revealed.standing)),
    }
}

fn offers_to(offers: &Offers) -> Vec<pb::MahjongOffer> {
    let offers = (0..).map(Seat).zip(offers);
    offers.filter_map(|(seat, offer)| Some(offer_to(seat, offer.as_ref()?))).collect()
}
