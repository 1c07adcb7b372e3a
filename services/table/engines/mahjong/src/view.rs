//! What one viewer may know: an allow-list, built from nothing.

use alloc::vec::Vec;

use parlor_game::{Amount, Seat, Viewer};
use serde::Serialize;

use crate::command::{Answer, Command};
use crate::hints::{Hints, hints};
use crate::legal::legal;
use crate::meld::Melds;
use crate::options::Options;
use crate::score::{Score, Source};
use crate::settle::{Payment, Standing};
use crate::sheet::Sheet;
use crate::state::{Claim, Ending, Offer, Passed, Phase, Player, Round, State, Win};
use crate::tile::{Suit, Tile};

/// Which part of a hand is being played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Stage {
    /// No hand has been dealt.
    Idle,
    /// Seats choose three tiles to exchange.
    Exchange,
    /// Seats choose their void suits.
    Void,
    /// A seat is on turn.
    Turn,
    /// A discard is on offer.
    Discard,
    /// An added kong can be robbed.
    AddedKong,
    /// The hand is over.
    Over(Ending),
}

/// A tile on the table that others may claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TableTile {
    /// Whose tile.
    pub seat: Seat,
    /// The tile.
    pub tile: Tile,
}

/// How a seat has won.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WinView {
    /// 1 for the first winner of the hand, and so on.
    pub place: u8,
    /// The winning tile.
    pub tile: Tile,
    /// Whose tile it was; `None` when self-drawn.
    pub from: Option<Seat>,
    /// How the seat came by it.
    pub source: Source,
    /// What the hand is worth.
    pub score: Score,
    /// The capped fan.
    pub fan: u8,
}

/// One seat as everybody sees it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SeatView {
    /// Which seat.
    pub seat: Seat,
    /// How many concealed tiles it holds.
    pub concealed: u8,
    /// Its concealed tiles, sorted: the auditor's always, everybody's once the hand is over.
    pub tiles: Vec<Tile>,
    /// Its pungs and kongs.
    pub melds: Melds,
    /// Its discards in order, without those claimed for melds.
    pub discards: Vec<Tile>,
    /// Its void suit, once revealed.
    pub void: Option<Suit>,
    /// Whether it has chosen, while tiles to exchange or void suits are chosen.
    pub has_chosen: bool,
    /// How it has won.
    pub win: Option<WinView>,
    /// What it has gained in this hand so far.
    pub net: Amount,
    /// How it stood when the hand was over.
    pub standing: Option<Standing>,
}

/// What a seat knows of itself alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OwnView {
    /// Which seat.
    pub seat: Seat,
    /// Concealed tiles, sorted; on the seat's turn without the drawn one.
    pub tiles: Vec<Tile>,
    /// The tile just drawn, on the seat's turn.
    pub drawn: Option<Tile>,
    /// What it has chosen to give away, until the exchange.
    pub gift: Option<[Tile; 3]>,
    /// The void suit that it has chosen.
    pub void: Option<Suit>,
    /// What it is offered, until it has answered.
    pub offer: Option<Offer>,
    /// What it has answered, until the window closes.
    pub answer: Option<Answer>,
    /// Wins passed since its last draw, which may be locked (rules: mahjong 3.8).
    pub passed: Vec<Passed>,
    /// What it may do now.
    pub actions: Vec<Command>,
    /// 听牌提示.
    pub hints: Hints,
}

/// What one viewer may know of a match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct View {
    /// The room's options.
    pub options: Options,
    /// Number of the hand in the match, from 1; 0 before the first.
    pub hand: u32,
    /// Which part of the hand is being played.
    pub stage: Stage,
    /// Who deals.
    pub dealer: Option<Seat>,
    /// Whose turn it is.
    pub turn: Option<Seat>,
    /// The tile on offer.
    pub offered: Option<TableTile>,
    /// Tiles left in the wall.
    pub wall_left: u32,
    /// By seat; empty before the first hand.
    pub seats: Vec<SeatView>,
    /// The viewer's own secrets; `None` for spectators and the auditor.
    pub own: Option<OwnView>,
    /// The hand's payments so far, in order.
    pub payments: Vec<Payment>,
    /// Who deals the next hand, once this one is over.
    pub next_dealer: Option<Seat>,
    /// The finished hands.
    pub sheet: Sheet,
    /// Whether the last hand of the match is over.
    pub match_over: bool,
    /// The rest of the wall in order: the auditor's alone.
    pub wall: Vec<Tile>,
}

/// What `viewer` may know now.
#[must_use]
pub fn view(state: &State, viewer: Viewer) -> View {
    let mut view = View {
        options: state.options.clone(),
        hand: 0,
        stage: Stage::Idle,
        dealer: None,
        turn: None,
        offered: None,
        wall_left: 0,
        seats: Vec::new(),
        own: None,
        payments: Vec::new(),
        next_dealer: None,
        sheet: state.sheet.clone(),
        match_over: state.is_finished(),
        wall: Vec::new(),
    };
    let Some(round) = &state.round else { return view };
    view.hand = round.number;
    view.dealer = Some(round.books.dealer);
    view.wall_left = u32::try_from(round.wall_left()).unwrap_or(u32::MAX);
    view.seats = round.by_seat().map(|at| seat_view(&state.options, round, viewer, at)).collect();
    view.payments = round.books.payments.clone();
    match &round.phase {
        Phase::Exchange => view.stage = Stage::Exchange,
        Phase::Void => view.stage = Stage::Void,
        Phase::Turn(turn) => {
            view.stage = Stage::Turn;
            view.turn = Some(turn.seat);
        }
        Phase::Window(window) => {
            view.stage = match window.claim {
                Claim::Discard => Stage::Discard,
                Claim::AddedKong => Stage::AddedKong,
            };
            view.offered = Some(TableTile { seat: window.from, tile: window.tile });
        }
        Phase::Over { ending, .. } => {
            view.stage = Stage::Over(*ending);
            view.next_dealer = state.next_dealer;
        }
    }
    match viewer {
        Viewer::Auditor => view.wall = round.wall.iter().skip(round.taken).copied().collect(),
        Viewer::Seat(seat) => view.own = own_view(state, round, seat),
        Viewer::Spectator => {}
    }
    view
}

fn seat_view(
    options: &Options,
    round: &Round,
    viewer: Viewer,
    (seat, player): (Seat, &Player),
) -> SeatView {
    let over = match &round.phase {
        Phase::Over { hands, .. } => hands.get(seat.index()),
        _ => None,
    };
    let audited = viewer == Viewer::Auditor;
    SeatView {
        seat,
        concealed: player.tiles.total(),
        tiles: match over {
            Some(revealed) => revealed.tiles.clone(),
            None if audited => player.tiles.sorted(),
            None => Vec::new(),
        },
        melds: player.melds.clone(),
        discards: player.pond.clone(),
        void: player.void.filter(|_| audited || round.phase != Phase::Void),
        has_chosen: match round.phase {
            Phase::Exchange => player.gift.is_some(),
            Phase::Void => player.void.is_some(),
            _ => false,
        },
        win: player.win.as_ref().map(|win| win_view(options, round, seat, win)),
        net: round.books.nets.get(seat.index()).copied().unwrap_or_default(),
        standing: over.map(|revealed| revealed.standing),
    }
}

fn win_view(options: &Options, round: &Round, seat: Seat, win: &Win) -> WinView {
    let place = round.books.winners.iter().position(|winner| *winner == seat).unwrap_or_default();
    WinView {
        place: u8::try_from(place + 1).unwrap_or(u8::MAX),
        tile: win.tile,
        from: win.from,
        source: win.source,
        score: win.score.clone(),
        fan: win.score.fan(options),
    }
}

fn own_view(state: &State, round: &Round, seat: Seat) -> Option<OwnView> {
    let player = round.player(seat)?;
    let on_turn = matches!(&round.phase, Phase::Turn(turn) if turn.seat == seat);
    let drawn = player.drawn.filter(|drawn| on_turn && player.tiles.count(*drawn) > 0);
    let tiles = drawn.map_or(player.tiles, |drawn| player.tiles.without(drawn));
    let window = match &round.phase {
        Phase::Window(window) => Some(window),
        _ => None,
    };
    let asked = window.filter(|window| window.is_asked(seat));
    Some(OwnView {
        seat,
        tiles: tiles.sorted(),
        drawn,
        gift: player.gift,
        void: player.void,
        offer: asked.and_then(|window| window.offers.get(seat.index()).copied().flatten()),
        answer: window.and_then(|window| window.answer(seat)),
        passed: player.passed.clone(),
        actions: legal(state, seat),
        hints: hints(&state.options, round, seat),
    })
}
