//! Events, as redacted for their receiver.

use parlor_mahjong::event::{Event, Gift, Revealed};
use parlor_mahjong::state::{Offers, TurnStart};
use parlor_proto::rules::v1 as pb;
use pb::mahjong_event::Event as Message;

use super::words::{
    answer_to, ending_to, meld_kind_to, offer_to, payments_to, score_to, seat_to, sheet_to,
    source_to, standing_to, suit_to, tile_to, tiles_to,
};
use crate::wire::result::result_to;

/// The message of an event.
pub(super) fn event_to(event: &Event) -> pb::MahjongEvent {
    let event = match event {
        Event::Dealt { number, dealer, stacks, wall, own } => Message::Dealt(pb::MahjongDealt {
            hand: *number,
            dealer: seat_to(*dealer),
            own: tiles_to(own),
            wall: tiles_to(wall),
            stacks: stacks.iter().flatten().map(|stack| stack.0).collect(),
        }),
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
        _ => opening_to(event).unwrap_or_else(|| play_to(event)),
    };
    pb::MahjongEvent { event: Some(event) }
}

/// The exchange and the void suits; `None` for other events.
fn opening_to(event: &Event) -> Option<Message> {
    Some(match event {
        Event::ExchangeChosen { seat, tiles } => {
            Message::ExchangeChosen(pb::MahjongExchangeChosen {
                seat: seat_to(*seat),
                tiles: tiles.as_ref().map(|tiles| tiles_to(tiles)).unwrap_or_default(),
            })
        }
        Event::Exchanged { die, shift, gifts } => Message::Exchanged(pb::MahjongExchanged {
            die: u32::from(*die),
            shift: u32::from(*shift),
            gifts: gifts.iter().map(gift_to).collect(),
        }),
        Event::VoidChosen { seat, suit } => Message::VoidChosen(pb::MahjongVoidChosen {
            seat: seat_to(*seat),
            suit: suit.map(suit_to),
        }),
        Event::VoidsRevealed { suits } => Message::VoidsRevealed(pb::MahjongVoidsRevealed {
            suits: suits.iter().copied().map(suit_to).collect(),
        }),
        _ => return None,
    })
}

fn gift_to(gift: &Gift) -> pb::MahjongGift {
    pb::MahjongGift {
        from: seat_to(gift.from),
        to: seat_to(gift.to),
        tiles: tiles_to(&gift.tiles),
    }
}

fn revealed_to(revealed: &Revealed) -> pb::MahjongRevealed {
    pb::MahjongRevealed {
        tiles: tiles_to(&revealed.tiles),
        standing: Some(standing_to(revealed.standing)),
    }
}

/// The one offer that a redacted event has left.
fn own_offer(offers: &Offers) -> Option<pb::MahjongOffer> {
    offers.iter().flatten().next().map(offer_to)
}
