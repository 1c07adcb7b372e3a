//! What the bot looks at: a seat's own view and nothing else.

use arrayvec::ArrayVec;
use parlor_game::Seat;

use crate::command::Command;
use crate::hints::seen_by;
use crate::meld::{Meld, count_melds};
use crate::options::Options;
use crate::rules;
use crate::state::{Offer, Phase, Player, Round, State, Turn};
use crate::tile::{Suit, Tile, TileCounts};
use crate::view::{OwnView, Stage, View};

/// Most kongs that a hand of fourteen tiles with four melds can offer at once.
const KONGS_MAX: usize = 8;

/// What a seat has to decide.
#[derive(Clone, Debug, PartialEq)]
pub enum Question {
    /// Nothing.
    Nothing,
    /// Which tiles to give away.
    Exchange,
    /// Which suit to go without.
    Void,
    /// What to do on its turn.
    Turn {
        /// Whether it can win with the drawn tile.
        can_win: bool,
        /// The kongs that it can make, as commands.
        kongs: ArrayVec<Command, KONGS_MAX>,
    },
    /// Whether to claim a tile.
    Offer {
        /// Which tile.
        tile: Tile,
        /// What it could do with it.
        offer: Offer,
    },
}

/// What one seat sees of the hand.
pub struct Sight<'a> {
    /// The room's options.
    pub options: &'a Options,
    /// Its concealed tiles, a drawn one included.
    pub tiles: TileCounts,
    /// Its melds.
    pub melds: &'a [Meld],
    /// Its void suit.
    pub void: Option<Suit>,
    /// What it has to decide.
    pub question: Question,
    /// Counts the tiles that it can see, when the bot needs to know.
    pub seen: &'a dyn Fn() -> TileCounts,
}

impl core::fmt::Debug for Sight<'_> {
    fn fmt(&self, formatter: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        formatter
            .debug_struct("Sight")
            .field("tiles", &self.tiles)
            .field("melds", &self.melds)
            .field("void", &self.void)
            .field("question", &self.question)
            .finish_non_exhaustive()
    }
}

impl Sight<'_> {
    /// Calls `look` with what a player's view shows; `None` for other viewers.
    pub fn of_view<T>(view: &View, look: impl FnOnce(&Sight<'_>) -> T) -> Option<T> {
        let own = view.own.as_ref()?;
        let seat = view.seats.get(own.seat.index())?;
        let mut tiles: TileCounts = own.tiles.iter().copied().collect();
        own.drawn.iter().for_each(|tile| tiles.add(*tile));
        let seen = || seen_in_view(view, own.seat, &tiles);
        let sight = Sight {
            options: &view.options,
            tiles,
            melds: &seat.melds,
            void: own.void,
            question: question_of_view(view, own),
            seen: &seen,
        };
        Some(look(&sight))
    }

    /// Calls `look` with what the view of `seat` would show, without building the view: for
    /// simulations. Equal to [`Sight::of_view`] of that seat's view.
    pub fn of_state<T>(state: &State, seat: Seat, look: impl FnOnce(&Sight<'_>) -> T) -> Option<T> {
        let round = state.round.as_ref()?;
        let player = round.player(seat)?;
        let seen = || seen_by(round, seat);
        let sight = Sight {
            options: &state.options,
            tiles: player.tiles,
            melds: &player.melds,
            void: player.void,
            question: question_of_state(&state.options, round, player, seat),
            seen: &seen,
        };
        Some(look(&sight))
    }
}

fn seen_in_view(view: &View, own: Seat, tiles: &TileCounts) -> TileCounts {
    let mut seen = *tiles;
    for seat in &view.seats {
        count_melds(&mut seen, &seat.melds);
        seat.discards.iter().for_each(|tile| seen.add(*tile));
        if let Some(win) = &seat.win
            && win.from.is_none()
            && seat.seat != own
        {
            seen.add(win.tile);
        }
    }
    if let (Stage::AddedKong, Some(offered)) = (view.stage, view.offered) {
        seen.add(offered.tile);
    }
    seen
}

fn question_of_view(view: &View, own: &OwnView) -> Question {
    match (own.actions.is_empty(), view.stage) {
        (false, Stage::Exchange) => Question::Exchange,
        (false, Stage::Void) => Question::Void,
        (false, Stage::Turn) => {
            let is_kong = |action: &Command| {
                matches!(action, Command::ConcealedKong(_) | Command::AddedKong(_))
            };
            Question::Turn {
                can_win: own.actions.contains(&Command::Win),
                kongs: own.actions.iter().copied().filter(is_kong).take(KONGS_MAX).collect(),
            }
        }
        (false, Stage::Discard | Stage::AddedKong) => match (view.offered, own.offer) {
            (Some(offered), Some(offer)) => Question::Offer { tile: offered.tile, offer },
            _ => Question::Nothing,
        },
        _ => Question::Nothing,
    }
}

fn question_of_state(options: &Options, round: &Round, player: &Player, seat: Seat) -> Question {
    match &round.phase {
        Phase::Exchange if player.gift.is_none() => Question::Exchange,
        Phase::Void if player.void.is_none() => Question::Void,
        Phase::Turn(turn) if turn.seat == seat => Question::Turn {
            can_win: rules::self_draw_win(options, round, turn).is_some(),
            kongs: kongs(options, round, player, turn),
        },
        Phase::Window(window) if window.is_asked(seat) => {
            match window.offers.get(seat.index()).copied().flatten() {
                Some(offer) => Question::Offer { tile: window.tile, offer },
                None => Question::Nothing,
            }
        }
        _ => Question::Nothing,
    }
}

fn kongs(
    options: &Options,
    round: &Round,
    player: &Player,
    turn: &Turn,
) -> ArrayVec<Command, KONGS_MAX> {
    if player.melds.is_empty() && !player.tiles.has_four() {
        return ArrayVec::new();
    }
    let fours = player.tiles.kinds().filter(|(_, count)| *count == 4).map(|(tile, _)| tile);
    let concealed = fours
        .filter(|tile| rules::may_concealed_kong(round, player, turn, *tile))
        .map(Command::ConcealedKong);
    let mut added: ArrayVec<Command, 4> = player
        .melds
        .iter()
        .filter(|meld| rules::may_added_kong(options, round, player, turn, meld.tile))
        .map(|meld| Command::AddedKong(meld.tile))
        .collect();
    added.sort_unstable();
    concealed.chain(added).take(KONGS_MAX).collect()
}
