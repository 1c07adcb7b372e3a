//! What each viewer may know of an event: an allow-list, built from nothing.

use alloc::vec::Vec;

use parlor_game::{Seat, Viewer};

use crate::event::Event;
use crate::state::{Offers, dealt_places};
use crate::tile::{Tile, TileCounts};

/// The part of an event that a viewer may know; `None` when it may not know of it at all.
#[must_use]
pub fn redact(event: &Event, viewer: Viewer) -> Option<Event> {
    let own = match viewer {
        Viewer::Auditor => return Some(event.clone()),
        Viewer::Seat(seat) => Some(seat),
        Viewer::Spectator => None,
    };
    match event {
        Event::Dealt { number, dealer, stacks, wall, own: _ } => Some(Event::Dealt {
            number: *number,
            dealer: *dealer,
            stacks: stacks.clone(),
            wall: Vec::new(),
            own: own.map(|seat| dealt_tiles(wall, stacks.len(), *dealer, seat)).unwrap_or_default(),
        }),
        Event::ExchangeChosen { seat, tiles } => {
            Some(Event::ExchangeChosen { seat: *seat, tiles: tiles.filter(|_| own == Some(*seat)) })
        }
        Event::Exchanged { die, shift, gifts } => Some(Event::Exchanged {
            die: *die,
            shift: *shift,
            gifts: gifts
                .iter()
                .filter(|gift| own == Some(gift.from) || own == Some(gift.to))
                .copied()
                .collect(),
        }),
        Event::VoidChosen { seat, suit } => {
            Some(Event::VoidChosen { seat: *seat, suit: suit.filter(|_| own == Some(*seat)) })
        }
        Event::Drew { seat, tile, start } => Some(Event::Drew {
            seat: *seat,
            tile: tile.filter(|_| own == Some(*seat)),
            start: *start,
        }),
        Event::Discarded { seat, tile, offers } => {
            Some(Event::Discarded { seat: *seat, tile: *tile, offers: own_offer(offers, own) })
        }
        Event::KongDeclared { seat, tile, offers } => {
            Some(Event::KongDeclared { seat: *seat, tile: *tile, offers: own_offer(offers, own) })
        }
        Event::Answered { seat, .. } => (own == Some(*seat)).then(|| event.clone()),
        Event::PauseElapsed => None,
        // Public as a whole.
        Event::VoidsRevealed { .. }
        | Event::PungMade { .. }
        | Event::KongMade { .. }
        | Event::KongRobbed { .. }
        | Event::Won { .. }
        | Event::Paid { .. }
        | Event::HandEnded { .. }
        | Event::MatchEnded { .. } => Some(event.clone()),
    }
}

/// The tiles that a seat is dealt, sorted.
fn dealt_tiles(wall: &[Tile], seats: usize, dealer: Seat, seat: Seat) -> Vec<Tile> {
    let seats = u8::try_from(seats).unwrap_or(u8::MAX);
    if seat.0 >= seats {
        return Vec::new();
    }
    let (thirteen, fourteenth) = dealt_places(seats, dealer, seat);
    let tiles = wall.get(thirteen).unwrap_or_default().iter().copied();
    let drawn = fourteenth.and_then(|place| wall.get(place).copied());
    tiles.chain(drawn).collect::<TileCounts>().sorted()
}

fn own_offer(offers: &Offers, own: Option<Seat>) -> Offers {
    let seen = |(seat, offer): (Seat, &Option<_>)| offer.filter(|_| own == Some(seat));
    (0..).map(Seat).zip(offers).map(seen).collect()
}
