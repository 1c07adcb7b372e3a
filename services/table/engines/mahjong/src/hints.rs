//! 听牌提示: what a seat can be told about its own hand, from its own view alone.

use alloc::vec::Vec;

use parlor_game::Seat;
use serde::Serialize;

use crate::meld::count_melds;
use crate::options::Options;
use crate::rules;
use crate::score::{Circumstances, Hand, score};
use crate::shape::distance;
use crate::state::{Claim, Phase, Round};
use crate::tile::{COPIES, Suit, Tile, TileCounts};

/// A tile that would complete a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Wait {
    /// The tile.
    pub tile: Tile,
    /// What a plain discard win on it would be worth, in capped fan.
    pub fan: u8,
    /// The same, not capped.
    pub raw: u8,
    /// Copies that the seat cannot see: not in its hand, in a meld, or discarded.
    pub remaining: u8,
}

/// A discard that leaves the hand ready.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ReadyDiscard {
    /// What to discard.
    pub discard: Tile,
    /// What the hand then waits for.
    pub waits: Vec<Wait>,
}

/// What the table tells a seat about its own hand.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Hints {
    /// While void suits are chosen: the suit whose absence hurts least.
    pub void: Option<Suit>,
    /// What the hand waits for while it is not the seat's turn.
    pub waits: Vec<Wait>,
    /// On the seat's turn: every discard that leaves the hand ready.
    pub discards: Vec<ReadyDiscard>,
}

/// Every tile that a seat can see: its own hand, all melds, all discards, and the tiles with
/// which others have won by their own draw.
#[must_use]
pub fn seen_by(round: &Round, seat: Seat) -> TileCounts {
    let mut seen = TileCounts::default();
    for (other, player) in round.by_seat() {
        if other == seat {
            player.tiles.kinds().for_each(|(tile, count)| seen.add_many(tile, count));
        } else if let Some(win) = &player.win
            && win.from.is_none()
        {
            seen.add(win.tile);
        }
        count_melds(&mut seen, &player.melds);
        player.pond.iter().for_each(|tile| seen.add(*tile));
    }
    if let Phase::Window(window) = &round.phase
        && window.claim == Claim::AddedKong
    {
        seen.add(window.tile);
    }
    seen
}

/// The suit to give up: the one with the fewest tiles, and of those the one without which the
/// rest is closest to complete (ties: m, p, s).
#[must_use]
pub fn suggested_void(tiles: &TileCounts) -> Suit {
    let cost = |suit: &Suit| (tiles.suit_total(*suit), distance(&tiles.without_suit(*suit), 0));
    Suit::ALL.into_iter().min_by_key(cost).unwrap_or(Suit::Characters)
}

/// The hints for a seat; empty for one that has won.
#[must_use]
pub fn hints(options: &Options, round: &Round, seat: Seat) -> Hints {
    let mut hints = Hints::default();
    let Some(player) = round.player(seat).filter(|player| player.win.is_none()) else {
        return hints;
    };
    match &round.phase {
        Phase::Void if player.void.is_none() => hints.void = Some(suggested_void(&player.tiles)),
        Phase::Exchange | Phase::Void | Phase::Over { .. } => {}
        Phase::Turn(turn) if turn.seat == seat => {
            let seen = seen_by(round, seat);
            for discard in rules::discards(options, player) {
                let concealed = player.tiles.without(discard);
                let hand = Hand { concealed: &concealed, ..player.hand() };
                let waits = waits_of(options, &hand, &seen);
                if !waits.is_empty() {
                    hints.discards.push(ReadyDiscard { discard, waits });
                }
            }
        }
        Phase::Turn(_) | Phase::Window(_) => {
            hints.waits = waits_of(options, &player.hand(), &seen_by(round, seat));
        }
    }
    hints
}

fn waits_of(options: &Options, hand: &Hand<'_>, seen: &TileCounts) -> Vec<Wait> {
    let wait = |tile| {
        let score = score(options, hand, tile, Circumstances::PLAIN_DISCARD).ok()?;
        Some(Wait {
            tile,
            fan: score.fan(options),
            raw: score.raw,
            remaining: COPIES.saturating_sub(seen.count(tile)),
        })
    };
    hand.waits(options).iter().filter_map(wait).collect()
}
