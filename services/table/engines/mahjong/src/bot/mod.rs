//! A player that sees only what its seat sees.
//!
//! It plays for speed: it keeps the hand that lacks the fewest tiles and, of equal ones, the hand
//! that the most unseen tiles improve. It wins whenever it can, claims what brings it closer, and
//! makes kongs that cost it nothing.

mod discard;
mod sight;

pub use sight::{Question, Sight};

use crate::command::Command;
use crate::hints::suggested_void;
use crate::rules::default_exchange;
use crate::shape::distance;
use crate::state::Offer;
use crate::tile::{Tile, TileCounts};

/// The bot's choice; `None` when the seat has nothing to decide.
#[must_use]
pub fn choose(sight: &Sight<'_>) -> Option<Command> {
    match &sight.question {
        Question::Nothing => None,
        Question::Exchange => default_exchange(sight.options, &sight.tiles).map(Command::Exchange),
        Question::Void => Some(Command::ChooseVoid(suggested_void(&sight.tiles))),
        Question::Turn { can_win: true, .. } => Some(Command::Win),
        Question::Turn { kongs, .. } => {
            let kong = kongs.iter().copied().find(|kong| kong_costs_nothing(sight, *kong));
            kong.or_else(|| discard::choose(sight).map(Command::Discard))
        }
        Question::Offer { tile, offer } => Some(answer(sight, *tile, *offer)),
    }
}

/// The tiles that can still be part of the hand: those of the void suit must go.
fn useful(sight: &Sight<'_>) -> TileCounts {
    sight.void.map_or(sight.tiles, |void| sight.tiles.without_suit(void))
}

/// Whether the hand lacks no more tiles after a kong than before.
fn kong_costs_nothing(sight: &Sight<'_>, kong: Command) -> bool {
    let tiles = useful(sight);
    let before = distance(&tiles, sight.melds.len());
    let mut after = tiles;
    match kong {
        Command::ConcealedKong(tile) => {
            after.remove_many(tile, 4);
            distance(&after, sight.melds.len() + 1) <= before
        }
        Command::AddedKong(tile) => {
            after.remove(tile);
            distance(&after, sight.melds.len()) <= before
        }
        _ => false,
    }
}

fn answer(sight: &Sight<'_>, tile: Tile, offer: Offer) -> Command {
    if offer.win.is_some() {
        return Command::Win;
    }
    let tiles = useful(sight);
    let before = distance(&tiles, sight.melds.len());
    let after = |claimed: u8| {
        let mut rest = tiles;
        rest.remove_many(tile, claimed);
        distance(&rest, sight.melds.len() + 1)
    };
    if offer.kong && after(3) <= before {
        Command::Kong
    } else if offer.pung && after(2) < before {
        Command::Pung
    } else {
        Command::Pass
    }
}
