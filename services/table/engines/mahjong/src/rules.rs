//! What a seat may do, read from the state.

use alloc::vec::Vec;

use parlor_game::Seat;

use crate::meld::MeldKind;
use crate::options::{DelayedAddedKong, GuoShouHu, Options, TianDiHu};
use crate::score::{Circumstances, Opening, Score, Source, below_minimum, score};
use crate::settle::BySeat;
use crate::shape;
use crate::state::{Claim, Offer, Offers, Player, Round, Turn, TurnStart};
use crate::tile::{Suit, Tile, TileCounts};

/// Three tiles of the smallest suit that holds at least three: what the table picks for a seat
/// that does not choose (rules: mahjong 1.7).
///
/// `None` when no suit holds three, which no dealt hand does.
pub fn default_exchange(options: &Options, tiles: &TileCounts) -> Option<[Tile; 3]> {
    let suits = Suit::in_play(options.players).iter().copied();
    let smallest = suits
        .filter(|suit| tiles.suit_total(*suit) >= 3)
        .min_by_key(|suit| tiles.suit_total(*suit));
    let mut lowest = tiles.sorted().into_iter().filter(|tile| Some(tile.suit()) == smallest);
    Some([lowest.next()?, lowest.next()?, lowest.next()?])
}

/// The suit with the fewest tiles: what the table declares for a seat that does not choose
/// (rules: mahjong 1.8).
pub fn default_void(tiles: &TileCounts) -> Suit {
    let fewest = Suit::ALL.into_iter().min_by_key(|suit| tiles.suit_total(*suit));
    fewest.unwrap_or(Suit::Characters)
}

/// Whether three tiles may be given away: one suit, and the seat has them.
pub fn may_exchange(tiles: &TileCounts, gift: &[Tile; 3]) -> bool {
    let one_suit = gift.iter().all(|tile| tile.suit() == gift[0].suit());
    let mut rest = *tiles;
    one_suit && gift.iter().all(|tile| rest.remove(*tile))
}

/// Whether a seat on turn may discard nothing but void tiles (rules: mahjong 2.6).
pub fn must_discard_void(options: &Options, player: &Player) -> Option<Suit> {
    player.void.filter(|void| options.force_discard_void && player.tiles.suit_total(*void) > 0)
}

/// The discard of a seat whose time has run out: the drawn tile when it may, else the highest
/// tile that it may discard, void tiles first.
pub fn default_discard(options: &Options, player: &Player, turn: &Turn) -> Option<Tile> {
    let forced = must_discard_void(options, player);
    let may = |tile: &Tile| forced.is_none_or(|void| tile.suit() == void);
    let drawn = player.drawn.filter(|_| turn.start != TurnStart::Pung);
    let highest = |suit: Option<Suit>| {
        let tiles = player.tiles.kinds().map(|(tile, _)| tile);
        tiles.filter(|tile| suit.is_none_or(|suit| tile.suit() == suit)).last()
    };
    drawn
        .filter(|tile| may(tile) && player.tiles.count(*tile) > 0)
        .or_else(|| player.void.and_then(|void| highest(Some(void))))
        .or_else(|| highest(forced))
}

/// Whether a seat on turn may make kongs at all: after a draw, with a tile left to replace one
/// (rules: mahjong 2.3, 2.8, 4.4).
fn may_kong(round: &Round, turn: &Turn) -> bool {
    turn.start != TurnStart::Pung && round.wall_left() > 0
}

/// Whether a seat on turn may declare a concealed kong (rules: mahjong 4.1).
pub fn may_concealed_kong(round: &Round, player: &Player, turn: &Turn, tile: Tile) -> bool {
    may_kong(round, turn) && player.tiles.count(tile) == 4 && player.void != Some(tile.suit())
}

/// Whether a seat on turn may add a tile to its pung (rules: mahjong 4.2).
pub fn may_added_kong(
    options: &Options,
    round: &Round,
    player: &Player,
    turn: &Turn,
    tile: Tile,
) -> bool {
    let pung = player.melds.iter().any(|meld| meld.kind == MeldKind::Pung && meld.tile == tile);
    may_kong(round, turn)
        && pung
        && player.tiles.count(tile) > 0
        && (options.delayed_added_kong != DelayedAddedKong::Forbid || is_fresh(player, tile))
}

/// Whether the fourth tile of an added kong was just drawn.
pub fn is_fresh(player: &Player, tile: Tile) -> bool {
    player.drawn == Some(tile)
}

/// What a seat on turn would win with its drawn tile; `None` when it may not.
pub fn self_draw_win(
    options: &Options,
    round: &Round,
    turn: &Turn,
) -> Option<(Tile, Source, Score)> {
    let player = round.player(turn.seat)?;
    let source = match turn.start {
        TurnStart::Dealt | TurnStart::Draw => Source::SelfDraw,
        TurnStart::Replacement { feeder: None } => Source::KongDraw,
        TurnStart::Replacement { feeder: Some(_) } => Source::DirectKongDraw,
        TurnStart::Pung => return None,
    };
    let tile = player.drawn?;
    if player.void.is_some_and(|void| player.tiles.suit_total(void) > 0)
        || !shape::is_complete(&player.tiles)
    {
        return None;
    }
    let concealed = player.tiles.without(tile);
    let hand = crate::score::Hand { concealed: &concealed, ..player.hand() };
    let circumstances = Circumstances {
        source,
        last_tile: round.wall_left() == 0 && turn.start != TurnStart::Dealt,
        opening: opening_of_draw(options, round, turn, player),
    };
    let score = score(options, &hand, tile, circumstances).ok()?;
    Some((tile, source, score))
}

fn nobody_has_melded(round: &Round) -> bool {
    round.players.iter().all(|player| player.melds.is_empty())
}

fn opening_of_draw(
    options: &Options,
    round: &Round,
    turn: &Turn,
    player: &Player,
) -> Option<Opening> {
    if options.tian_di_hu == TianDiHu::Off || !nobody_has_melded(round) {
        return None;
    }
    match turn.start {
        TurnStart::Dealt => Some(Opening::Heavenly),
        TurnStart::Draw if turn.seat != round.books.dealer && player.draws == 1 => {
            Some(Opening::Earthly)
        }
        _ => None,
    }
}

/// A tile that other seats may take.
#[derive(Clone, Copy, Debug)]
pub struct Offered {
    /// Why it is offered.
    pub claim: Claim,
    /// Whose tile.
    pub from: Seat,
    /// The tile.
    pub tile: Tile,
    /// Kongs that `from` made in the turn that ends with this discard.
    pub run: u8,
    /// Whether it is the first discard of the hand.
    pub first_discard: bool,
}

impl Offered {
    /// What a seat would win with the tile, whether or not it is locked; `None` when the hand is
    /// not complete or too small (rules: mahjong 11.2).
    pub fn win(
        &self,
        options: &Options,
        round: &Round,
        player: &Player,
    ) -> Option<(Source, Score)> {
        if !shape::is_complete(&player.tiles.with(self.tile)) {
            return None;
        }
        let source = match self.claim {
            Claim::AddedKong => Source::RobbedKong,
            Claim::Discard if self.run > 0 => Source::DiscardAfterKong,
            Claim::Discard => Source::Discard,
        };
        let earthly = options.tian_di_hu != TianDiHu::Off
            && self.first_discard
            && self.from == round.books.dealer
            && nobody_has_melded(round);
        let circumstances = Circumstances {
            source,
            last_tile: round.wall_left() == 0,
            opening: earthly.then_some(Opening::Earthly),
        };
        let score = score(options, &player.hand(), self.tile, circumstances).ok()?;
        (!below_minimum(options, source, score.raw)).then_some((source, score))
    }

    /// What one seat is offered.
    fn offer(&self, options: &Options, round: &Round, player: &Player) -> Option<Offer> {
        if player.win.is_some() || player.void == Some(self.tile.suit()) {
            return None;
        }
        let held = player.tiles.count(self.tile);
        let discard = self.claim == Claim::Discard;
        let win = self.win(options, round, player).map(|(_, score)| score.raw);
        let offer = Offer {
            win: win.filter(|raw| !is_locked(options, round, player, self.tile, *raw)),
            kong: discard && held == 3 && round.wall_left() > 0,
            pung: discard && held >= 2,
        };
        (!offer.is_empty()).then_some(offer)
    }

    /// What every seat is offered (rules: mahjong 3.1, 4.5).
    pub fn offers(&self, options: &Options, round: &Round) -> Offers {
        let offer = |(seat, player): (Seat, &Player)| {
            if seat == self.from { None } else { self.offer(options, round, player) }
        };
        round.by_seat().map(offer).collect::<BySeat<_>>()
    }
}

/// Whether a passed win forbids this one (rules: mahjong 3.8).
fn is_locked(options: &Options, round: &Round, player: &Player, tile: Tile, raw: u8) -> bool {
    let locks = player.passed.iter();
    match options.guo_shou_hu {
        GuoShouHu::Off => false,
        GuoShouHu::AnyTile => locks.map(|passed| passed.raw).max().is_some_and(|lock| raw <= lock),
        GuoShouHu::SameTile if round.wall_left() == 0 => false,
        GuoShouHu::SameTile => {
            locks.filter(|passed| passed.tile == tile).any(|passed| raw <= passed.raw)
        }
    }
}

/// The discards that a seat on turn may make, sorted.
pub fn discards(options: &Options, player: &Player) -> Vec<Tile> {
    let forced = must_discard_void(options, player);
    let tiles = player.tiles.kinds().map(|(tile, _)| tile);
    tiles.filter(|tile| forced.is_none_or(|void| tile.suit() == void)).collect()
}
