//! 换三张 and 定缺 (rules: mahjong 1.7, 1.8).

use alloc::vec;
use alloc::vec::Vec;

use parlor_game::{Entropy, Refusal, Seat};

use crate::event::{Event, Gift};
use crate::refusals;
use crate::rules;
use crate::settle::BySeat;
use crate::state::{Player, Round, State};
use crate::tile::{Suit, Tile};

/// Label of the stream that rolls the die of the exchange.
const DIE_LABEL: &str = "mahjong/exchange";

/// A seat picks its three tiles; after the last one all tiles move.
pub(super) fn exchange(
    state: &State,
    round: &Round,
    seat: Seat,
    mut tiles: [Tile; 3],
    entropy: &Entropy,
) -> Result<Vec<Event>, Refusal> {
    let player = round.player(seat).ok_or_else(refusals::not_your_turn)?;
    if player.gift.is_some() {
        return Err(refusals::already_chosen());
    }
    if !rules::may_exchange(&player.tiles, &tiles) {
        return Err(refusals::bad_exchange());
    }
    tiles.sort_unstable();
    let mut events = vec![Event::ExchangeChosen { seat, tiles: Some(tiles) }];
    let given = |(other, player): (Seat, &Player)| {
        let tiles = if other == seat { Some(tiles) } else { player.gift };
        tiles.map(|tiles| (other, tiles))
    };
    if let Some(given) = round.by_seat().map(given).collect::<Option<BySeat<_>>>() {
        let die = entropy.labelled(DIE_LABEL).below(6) + 1;
        let die = u8::try_from(die).unwrap_or(1);
        let (players, shift) = (state.options.players, shift(state.options.players, die));
        let gift =
            |(from, tiles): (Seat, [Tile; 3])| Gift { from, to: from.after(shift, players), tiles };
        events.push(Event::Exchanged { die, shift, gifts: given.into_iter().map(gift).collect() });
    }
    Ok(events)
}

/// How many seats onward the tiles move for a die.
fn shift(players: u8, die: u8) -> u8 {
    match (players, die) {
        (3, die) if die % 2 == 1 => 1,
        (3, _) => 2,
        (_, 1 | 2) => 1,
        (_, 3 | 4) => 2,
        _ => 3,
    }
}

/// A seat declares its void suit; after the last one all are shown.
pub(super) fn choose_void(round: &Round, seat: Seat, suit: Suit) -> Result<Vec<Event>, Refusal> {
    let player = round.player(seat).ok_or_else(refusals::not_your_turn)?;
    if player.void.is_some() {
        return Err(refusals::already_chosen());
    }
    let mut events = vec![Event::VoidChosen { seat, suit: Some(suit) }];
    let chosen = |(other, player): (Seat, &Player)| {
        if other == seat { Some(suit) } else { player.void }
    };
    if let Some(suits) = round.by_seat().map(chosen).collect::<Option<BySeat<_>>>() {
        events.push(Event::VoidsRevealed { suits });
    }
    Ok(events)
}
