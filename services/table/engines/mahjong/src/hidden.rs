//! States and events that differ only in what a viewer may not know, for the proof of secrecy.

use alloc::vec::Vec;

use parlor_game::{Entropy, Seat, Stream, Viewer};

use crate::command::Answer;
use crate::event::{Event, Gift};
use crate::settle::BySeat;
use crate::state::{Offer, Offers, Passed, Phase, Player, Round, State, Window, dealt_places};
use crate::tile::{KINDS, Suit, Tile, TileCounts};

/// A state that differs from `state` only in what `viewer` may not know.
#[must_use]
pub fn permute_state(state: &State, viewer: Viewer, entropy: &Entropy) -> State {
    let mut permuted = state.clone();
    if viewer == Viewer::Auditor {
        return permuted;
    }
    let mut chance = entropy.labelled("mahjong/permute-state");
    if let Some(round) = &mut permuted.round {
        permute_round(round, viewer, &mut chance);
    }
    permuted
}

fn is_own(viewer: Viewer, seat: Seat) -> bool {
    viewer == Viewer::Seat(seat)
}

fn permute_round(round: &mut Round, viewer: Viewer, chance: &mut Stream) {
    let taken = round.taken.min(round.wall.len());
    let (dealt, rest) = round.wall.split_at_mut(taken);
    chance.shuffle(dealt);
    chance.shuffle(rest);
    if matches!(round.phase, Phase::Over { .. }) {
        // All hands are shown.
        return;
    }
    let mut pool: Vec<Tile> = rest.to_vec();
    let hidden = |(seat, _): &(Seat, &mut Player)| !is_own(viewer, *seat);
    for (_, player) in (0..).map(Seat).zip(&mut round.players).filter(hidden) {
        pool.extend(player.tiles.sorted());
    }
    chance.shuffle(&mut pool);
    let mut pool = pool.into_iter();
    for (_, player) in (0..).map(Seat).zip(&mut round.players).filter(hidden) {
        permute_player(player, &round.phase, &mut pool, chance);
    }
    rest_of(&mut round.wall, taken, pool);
    if let Phase::Window(window) = &mut round.phase {
        permute_window(window, viewer, chance);
    }
}

fn rest_of(wall: &mut [Tile], taken: usize, pool: impl Iterator<Item = Tile>) {
    wall.iter_mut().skip(taken).zip(pool).for_each(|(place, tile)| *place = tile);
}

fn permute_player(
    player: &mut Player,
    phase: &Phase,
    pool: &mut impl Iterator<Item = Tile>,
    chance: &mut Stream,
) {
    let held = usize::from(player.tiles.total());
    let tiles: Vec<Tile> = pool.take(held).collect();
    player.drawn = player.drawn.and(tiles.first().copied());
    player.gift = player.gift.map(|_| any_gift(chance));
    if *phase == Phase::Void {
        player.void = player.void.map(|_| any_suit(chance));
    }
    player.passed =
        (0..chance.below(3)).map(|_| Passed { tile: any_tile(chance), raw: 1 }).collect();
    player.tiles = tiles.into_iter().collect::<TileCounts>();
}

fn permute_window(window: &mut Window, viewer: Viewer, chance: &mut Stream) {
    window.offers = any_offers(&window.offers, viewer, chance);
    window.paused = chance.chance(1, 2);
    for (seat, answer) in (0..).map(Seat).zip(&mut window.answers) {
        if !is_own(viewer, seat) {
            *answer = chance.chance(1, 2).then_some(Answer::Pass);
        }
    }
}

fn any_offers(offers: &Offers, viewer: Viewer, chance: &mut Stream) -> Offers {
    let mut any = |(seat, offer): (Seat, &Option<Offer>)| {
        if is_own(viewer, seat) {
            return *offer;
        }
        let win = chance.chance(1, 2).then_some(2);
        chance.chance(1, 2).then_some(Offer { win, kong: false, pung: win.is_none() })
    };
    (0..).map(Seat).zip(offers).map(&mut any).collect::<BySeat<_>>()
}

fn any_tile(chance: &mut Stream) -> Tile {
    let index = chance.below(KINDS as u32) as usize;
    Tile::from_index(index).unwrap_or_default()
}

fn any_suit(chance: &mut Stream) -> Suit {
    Suit::ALL[chance.below(3) as usize]
}

fn any_gift(chance: &mut Stream) -> [Tile; 3] {
    core::array::from_fn(|_| any_tile(chance))
}

/// An event that differs from `event` only in what `viewer` may not know.
#[must_use]
pub fn permute_event(event: &Event, viewer: Viewer, entropy: &Entropy) -> Event {
    let mut permuted = event.clone();
    if viewer == Viewer::Auditor {
        return permuted;
    }
    let mut chance = entropy.labelled("mahjong/permute-event");
    match &mut permuted {
        Event::Dealt { dealer, stacks, wall, .. } => {
            permute_wall(wall, stacks.len(), *dealer, viewer, &mut chance);
        }
        Event::ExchangeChosen { seat, tiles } if !is_own(viewer, *seat) => {
            *tiles = Some(any_gift(&mut chance));
        }
        Event::Exchanged { gifts, .. } => {
            let hidden = |gift: &&mut Gift| !is_own(viewer, gift.from) && !is_own(viewer, gift.to);
            gifts.iter_mut().filter(hidden).for_each(|gift| gift.tiles = any_gift(&mut chance));
        }
        Event::VoidChosen { seat, suit } if !is_own(viewer, *seat) => {
            *suit = Some(any_suit(&mut chance));
        }
        Event::Drew { seat, tile, .. } if !is_own(viewer, *seat) => {
            *tile = Some(any_tile(&mut chance));
        }
        Event::Discarded { offers, .. } | Event::KongDeclared { offers, .. } => {
            *offers = any_offers(offers, viewer, &mut chance);
        }
        Event::Answered { seat, answer } if !is_own(viewer, *seat) => *answer = Answer::Kong,
        _ => {}
    }
    permuted
}

/// Shuffles the places of the wall that are not dealt to the viewer.
fn permute_wall(
    wall: &mut [Tile],
    seats: usize,
    dealer: Seat,
    viewer: Viewer,
    chance: &mut Stream,
) {
    let seats = u8::try_from(seats).unwrap_or(u8::MAX);
    let own = match viewer {
        Viewer::Seat(seat) => Some(dealt_places(seats, dealer, seat)),
        _ => None,
    };
    let is_hidden = |place: &usize| {
        own.as_ref().is_none_or(|(thirteen, fourteenth)| {
            !thirteen.contains(place) && *fourteenth != Some(*place)
        })
    };
    let hidden: Vec<usize> = (0..wall.len()).filter(is_hidden).collect();
    let mut tiles: Vec<Tile> = hidden.iter().map(|place| wall[*place]).collect();
    chance.shuffle(&mut tiles);
    hidden.into_iter().zip(tiles).for_each(|(place, tile)| wall[place] = tile);
}
