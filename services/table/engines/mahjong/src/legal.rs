//! Who may act, and what each seat may do.

use alloc::vec::Vec;

use parlor_game::{Audience, Awaiting, Pending, Seat, SystemPending};

use crate::command::Command;
use crate::options::Options;
use crate::rules;
use crate::state::{Phase, Player, Round, State, Turn, Window};
use crate::tile::{Suit, Tile, TileCounts};

/// Who may act now, how long, and what happens otherwise.
#[must_use]
pub fn awaiting(state: &State) -> Awaiting<Command> {
    let Some(round) = &state.round else { return Awaiting::default() };
    let options = &state.options;
    let pending = |seat, clock_ms, default, audience| Pending {
        seat,
        decision: round.decision,
        clock_ms,
        default,
        audience,
    };
    let mut awaiting = Awaiting::default();
    match &round.phase {
        Phase::Over { .. } => {}
        Phase::Exchange => {
            for (seat, player) in round.by_seat().filter(|(_, player)| player.gift.is_none()) {
                let Some(gift) = rules::default_exchange(options, &player.tiles) else { continue };
                let (clock, default) = (options.pacing.exchange_ms, Command::Exchange(gift));
                awaiting.seats.push(pending(seat, clock, default, Audience::Everyone));
            }
        }
        Phase::Void => {
            for (seat, player) in round.by_seat().filter(|(_, player)| player.void.is_none()) {
                let default = Command::ChooseVoid(rules::default_void(&player.tiles));
                let clock = options.pacing.void_ms;
                awaiting.seats.push(pending(seat, clock, default, Audience::Everyone));
            }
        }
        Phase::Turn(turn) => {
            let discard = round
                .player(turn.seat)
                .and_then(|player| rules::default_discard(options, player, turn));
            if let Some(tile) = discard {
                let (clock, default) = (options.pacing.discard_ms, Command::Discard(tile));
                awaiting.seats.push(pending(turn.seat, clock, default, Audience::Everyone));
            }
        }
        Phase::Window(window) => {
            for (seat, _) in round.by_seat().filter(|(seat, _)| window.is_asked(*seat)) {
                let clock = options.pacing.claim_ms;
                awaiting.seats.push(pending(seat, clock, Command::Pass, Audience::Own));
            }
            awaiting.system = (!window.paused).then_some(SystemPending {
                decision: round.decision,
                min_ms: options.pacing.claim_pause_min_ms,
                max_ms: options.pacing.claim_pause_max_ms,
                command: Command::CloseWindow,
            });
        }
    }
    awaiting
}

/// What a seat may do now, sorted.
#[must_use]
pub fn legal(state: &State, seat: Seat) -> Vec<Command> {
    let Some(round) = &state.round else { return Vec::new() };
    let Some(player) = round.player(seat) else { return Vec::new() };
    match &round.phase {
        Phase::Exchange if player.gift.is_none() => exchanges(&player.tiles),
        Phase::Void if player.void.is_none() => {
            Suit::ALL.into_iter().map(Command::ChooseVoid).collect()
        }
        Phase::Turn(turn) if turn.seat == seat => on_turn(&state.options, round, player, turn),
        Phase::Window(window) if window.is_asked(seat) => answers(window, seat),
        _ => Vec::new(),
    }
}

/// Every choice of three tiles of one suit.
fn exchanges(tiles: &TileCounts) -> Vec<Command> {
    let mut commands = Vec::new();
    for suit in Suit::ALL {
        let held: Vec<Tile> =
            tiles.sorted().into_iter().filter(|tile| tile.suit() == suit).collect();
        for (first, low) in held.iter().enumerate() {
            for (second, middle) in held.iter().enumerate().skip(first + 1) {
                for high in &held[second + 1..] {
                    commands.push(Command::Exchange([*low, *middle, *high]));
                }
            }
        }
    }
    commands.sort_unstable();
    commands.dedup();
    commands
}

fn on_turn(options: &Options, round: &Round, player: &Player, turn: &Turn) -> Vec<Command> {
    let mut commands: Vec<Command> =
        rules::discards(options, player).into_iter().map(Command::Discard).collect();
    for (tile, count) in player.tiles.kinds() {
        if count == 4 && rules::may_concealed_kong(round, player, turn, tile) {
            commands.push(Command::ConcealedKong(tile));
        }
    }
    for meld in &player.melds {
        if rules::may_added_kong(options, round, player, turn, meld.tile) {
            commands.push(Command::AddedKong(meld.tile));
        }
    }
    if rules::self_draw_win(options, round, turn).is_some() {
        commands.push(Command::Win);
    }
    commands.sort_unstable();
    commands
}

fn answers(window: &Window, seat: Seat) -> Vec<Command> {
    let Some(offer) = window.offers.get(seat.index()).copied().flatten() else {
        return Vec::new();
    };
    [
        (offer.win.is_some(), Command::Win),
        (offer.kong, Command::Kong),
        (offer.pung, Command::Pung),
        (true, Command::Pass),
    ]
    .into_iter()
    .filter_map(|(may, command)| may.then_some(command))
    .collect()
}
