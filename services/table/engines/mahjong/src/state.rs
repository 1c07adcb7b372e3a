//! Everything that the game remembers.

use alloc::vec::Vec;

use parlor_game::Seat;
use serde::{Deserialize, Serialize};

use crate::command::Answer;
use crate::event::Revealed;
use crate::meld::Melds;
use crate::options::Options;
use crate::score::{Hand, Score, Source};
use crate::settle::{Books, BySeat};
use crate::sheet::Sheet;
use crate::tile::{Suit, Tile, TileCounts};

/// Concealed tiles that each seat is dealt; the dealer gets one more.
pub const DEALT: usize = 13;

/// A match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The room's options.
    pub options: Options,
    /// Hands dealt so far.
    pub hands: u32,
    /// Who deals the next hand; `None` before the first.
    pub next_dealer: Option<Seat>,
    /// The finished hands.
    pub sheet: Sheet,
    /// The running hand, or the last one until the next is dealt.
    pub round: Option<Round>,
}

impl State {
    /// Whether a hand is in progress.
    #[must_use]
    pub fn in_hand(&self) -> bool {
        self.round.as_ref().is_some_and(|round| !matches!(round.phase, Phase::Over { .. }))
    }

    /// Whether all hands of the match are played.
    #[must_use]
    pub fn is_finished(&self) -> bool {
        self.hands >= u32::from(self.options.rounds) && !self.in_hand()
    }
}

/// One hand.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Number in the match, from 1.
    pub number: u32,
    /// The money.
    pub books: Books,
    /// The shuffled wall, the dealt tiles included.
    pub wall: Vec<Tile>,
    /// How many tiles of the wall are taken.
    pub taken: usize,
    /// By seat.
    pub players: BySeat<Player>,
    /// Where the hand stands.
    pub phase: Phase,
    /// Counts the questions that were put to seats.
    pub decision: u32,
    /// Counts discards.
    pub discards: u16,
}

/// One seat in a hand.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Player {
    /// Concealed tiles.
    pub tiles: TileCounts,
    /// Pungs and kongs.
    pub melds: Melds,
    /// Own discards that nobody claimed for a meld; a robbed tile is among them.
    pub pond: Vec<Tile>,
    /// The declared void suit, from its choice on.
    pub void: Option<Suit>,
    /// What the seat gives away, from its choice until the exchange.
    pub gift: Option<[Tile; 3]>,
    /// The dealer's fourteenth tile, or the last drawn one.
    pub drawn: Option<Tile>,
    /// Tiles drawn, the dealt ones apart.
    pub draws: u8,
    /// Wins passed since the last draw (rules: mahjong 3.8).
    pub passed: Vec<Passed>,
    /// How the seat has won.
    pub win: Option<Win>,
}

impl Player {
    /// The tiles for scoring, without a winning tile.
    #[must_use]
    pub fn hand(&self) -> Hand<'_> {
        Hand { concealed: &self.tiles, melds: &self.melds, void: self.void }
    }
}

/// A win that a seat did not take.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Passed {
    /// On which tile.
    pub tile: Tile,
    /// Worth how much.
    pub raw: u8,
}

/// A win.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Win {
    /// The winning tile.
    pub tile: Tile,
    /// Whose discard or added kong it was.
    pub from: Option<Seat>,
    /// How the seat came by the tile.
    pub source: Source,
    /// What the hand is worth.
    pub score: Score,
}

/// Where a hand stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Phase {
    /// Seats choose three tiles to exchange.
    Exchange,
    /// Seats choose their void suits.
    Void,
    /// A seat is on turn.
    Turn(Turn),
    /// A tile is offered to the other seats.
    Window(Window),
    /// The hand is over.
    Over {
        /// Why.
        ending: Ending,
        /// All tiles, by seat.
        hands: BySeat<Revealed>,
    },
}

/// How a turn began.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum TurnStart {
    /// The dealer's first turn, with fourteen dealt tiles.
    Dealt,
    /// With a normal draw.
    Draw,
    /// With the replacement tile of a kong.
    Replacement {
        /// Who fed it, if it was a direct kong.
        feeder: Option<Seat>,
    },
    /// With a claimed pung, without a draw.
    Pung,
}

/// A seat's turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Turn {
    /// Which seat.
    pub seat: Seat,
    /// How it began.
    pub start: TurnStart,
}

/// Why a tile is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Claim {
    /// It was discarded.
    Discard,
    /// It is being added to a pung.
    AddedKong,
}

/// What a seat is offered besides declining.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Offer {
    /// It can win; with this raw fan.
    pub win: Option<u8>,
    /// It can make a direct kong.
    pub kong: bool,
    /// It can make a pung.
    pub pung: bool,
}

impl Offer {
    /// Whether there is nothing to offer.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.win.is_none() && !self.kong && !self.pung
    }
}

/// What each seat is offered.
pub type Offers = BySeat<Option<Offer>>;

/// A tile on offer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Window {
    /// Why.
    pub claim: Claim,
    /// Whose tile.
    pub from: Seat,
    /// The tile.
    pub tile: Tile,
    /// Kongs that `from` made in the turn that ends with this discard.
    pub run: u8,
    /// By seat.
    pub offers: Offers,
    /// By seat.
    pub answers: BySeat<Option<Answer>>,
    /// Whether the pause is over.
    pub paused: bool,
    /// Wins so far, while the window resolves.
    pub winners: u8,
}

impl Window {
    /// Whether this seat still owes an answer.
    #[must_use]
    pub fn is_asked(&self, seat: Seat) -> bool {
        let offered = self.offers.get(seat.index()).is_some_and(Option::is_some);
        offered && self.answer(seat).is_none()
    }

    /// What a seat has answered.
    #[must_use]
    pub fn answer(&self, seat: Seat) -> Option<Answer> {
        self.answers.get(seat.index()).copied().flatten()
    }
}

/// Why a hand is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Ending {
    /// One seat is unwon.
    LastStanding,
    /// The wall is empty and the last discard is resolved.
    WallEmpty,
}

impl Round {
    /// Tiles left in the wall.
    #[must_use]
    pub fn wall_left(&self) -> usize {
        self.wall.len().saturating_sub(self.taken)
    }

    /// The next tile of the wall.
    #[must_use]
    pub fn next_tile(&self) -> Option<Tile> {
        self.wall.get(self.taken).copied()
    }

    /// A seat of this hand.
    #[must_use]
    pub fn player(&self, seat: Seat) -> Option<&Player> {
        self.players.get(seat.index())
    }

    /// How many seats play.
    #[must_use]
    pub fn seats(&self) -> u8 {
        self.books.seats()
    }

    /// Seats with their players.
    pub fn by_seat(&self) -> impl Iterator<Item = (Seat, &Player)> {
        (0..).map(Seat).zip(&self.players)
    }

    /// Every tile of the hand wherever it is; 108 or 72 at any time.
    #[must_use]
    pub fn tiles_in_all(&self) -> TileCounts {
        let mut all: TileCounts = self.wall.iter().skip(self.taken).copied().collect();
        for player in &self.players {
            player.tiles.kinds().for_each(|(tile, count)| all.add_many(tile, count));
            crate::meld::count_melds(&mut all, &player.melds);
            player.pond.iter().for_each(|tile| all.add(*tile));
        }
        // A tile that is being added to a pung is in nobody's hand.
        if let Phase::Window(window) = &self.phase
            && window.claim == Claim::AddedKong
        {
            all.add(window.tile);
        }
        all
    }
}

/// The tiles dealt to a seat, as ranges of the wall: its thirteen, and the dealer's fourteenth.
#[must_use]
pub fn dealt_places(
    seats: u8,
    dealer: Seat,
    seat: Seat,
) -> (core::ops::Range<usize>, Option<usize>) {
    let seats = seats.max(1);
    let place = usize::from((seat.0 + seats).saturating_sub(dealer.0) % seats);
    let thirteen = place * DEALT..(place + 1) * DEALT;
    (thirteen, (seat == dealer).then_some(usize::from(seats) * DEALT))
}
