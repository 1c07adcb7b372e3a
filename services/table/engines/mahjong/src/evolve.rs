//! Folds events into the state: bookkeeping, total, without rules and without chance.

use alloc::vec::Vec;

use parlor_game::{Amount, Seat};

use crate::command::Answer;
use crate::event::{Event, Gift, Revealed};
use crate::meld::{Meld, MeldKind};
use crate::options::Options;
use crate::settle::{Books, BySeat};
use crate::state::{
    Claim, Ending, Offers, Passed, Phase, Player, Round, State, Turn, TurnStart, Win, Window,
    dealt_places,
};
use crate::tile::{Suit, Tile};

/// Folds one complete event into the state.
pub fn evolve(state: &mut State, event: &Event) {
    if let Event::Dealt { number, dealer, stacks, wall, own: _ } = event {
        state.hands = *number;
        state.round = Some(dealt(&state.options, *number, *dealer, stacks, wall));
        return;
    }
    let Some(round) = &mut state.round else { return };
    match event {
        Event::Dealt { .. } | Event::MatchEnded { .. } => {}
        Event::ExchangeChosen { seat, tiles } => {
            if let Some(player) = player_mut(round, *seat) {
                player.gift = *tiles;
            }
        }
        Event::Exchanged { gifts, .. } => exchanged(&state.options, round, gifts),
        Event::VoidChosen { seat, suit } => {
            if let Some(player) = player_mut(round, *seat) {
                player.void = *suit;
            }
        }
        Event::VoidsRevealed { suits } => voids_revealed(round, suits),
        Event::Drew { seat, tile, start } => drew(round, *seat, *tile, *start),
        Event::Discarded { seat, tile, offers } => discarded(round, *seat, *tile, offers),
        Event::KongDeclared { seat, tile, offers } => kong_declared(round, *seat, *tile, offers),
        Event::Answered { seat, answer } => answered(round, *seat, *answer),
        Event::PauseElapsed => {
            if let Phase::Window(window) = &mut round.phase {
                window.paused = true;
            }
        }
        Event::PungMade { seat, tile, from } => pung_made(round, *seat, *tile, *from),
        Event::KongMade { seat, tile, kind, from } => kong_made(round, *seat, *tile, *kind, *from),
        Event::KongRobbed { seat, tile } => {
            if let Some(player) = player_mut(round, *seat) {
                player.pond.push(*tile);
            }
            if let Phase::Window(window) = &mut round.phase {
                // The tile now lies in the pond and is counted there.
                window.claim = Claim::Discard;
            }
            round.books.note_discard(*seat);
        }
        Event::Won { seat, tile, from, source, score } => {
            let win = Win { tile: *tile, from: *from, source: *source, score: score.clone() };
            won(round, *seat, win);
        }
        Event::Paid { settles, payments } => round.books.book(settles, payments),
        Event::HandEnded { ending, hands, next_dealer, result: _ } => {
            hand_ended(round, *ending, hands);
            state.next_dealer = Some(*next_dealer);
            state.sheet.add(&state.options, round);
        }
    }
}

fn player_mut(round: &mut Round, seat: Seat) -> Option<&mut Player> {
    round.players.get_mut(seat.index())
}

fn dealt(
    options: &Options,
    number: u32,
    dealer: Seat,
    stacks: &BySeat<Option<Amount>>,
    wall: &[Tile],
) -> Round {
    let books = Books::new(dealer, stacks.clone());
    let seats = books.seats();
    let player = |seat| {
        let (thirteen, fourteenth) = dealt_places(seats, dealer, Seat(seat));
        let tiles = wall.get(thirteen).unwrap_or_default().iter().copied();
        let drawn = fourteenth.and_then(|place| wall.get(place).copied());
        Player { tiles: tiles.chain(drawn).collect(), drawn, ..Player::default() }
    };
    let players: BySeat<Player> = (0..seats).map(player).collect();
    let taken = players.iter().map(|player| usize::from(player.tiles.total())).sum();
    let mut round = Round {
        number,
        books,
        wall: wall.to_vec(),
        taken,
        players,
        phase: Phase::Exchange,
        decision: 1,
        discards: 0,
    };
    if !options.huan_san_zhang {
        after_exchange(options, &mut round);
    }
    round
}

fn after_exchange(options: &Options, round: &mut Round) {
    if options.has_void() {
        round.phase = Phase::Void;
    } else {
        begin_play(round);
    }
}

fn begin_play(round: &mut Round) {
    round.phase = Phase::Turn(Turn { seat: round.books.dealer, start: TurnStart::Dealt });
}

fn exchanged(options: &Options, round: &mut Round, gifts: &[Gift]) {
    for gift in gifts {
        if let Some(giver) = player_mut(round, gift.from) {
            giver.gift = None;
            gift.tiles.iter().for_each(|tile| _ = giver.tiles.remove(*tile));
        }
    }
    for gift in gifts {
        let Some(taker) = player_mut(round, gift.to) else { continue };
        gift.tiles.iter().for_each(|tile| taker.tiles.add(*tile));
        // A dealer who gave his fourteenth tile away counts the highest new one as drawn.
        if taker.drawn.is_some_and(|drawn| taker.tiles.count(drawn) == 0) {
            taker.drawn = gift.tiles.iter().max().copied();
        }
    }
    round.decision += 1;
    after_exchange(options, round);
}

fn voids_revealed(round: &mut Round, suits: &[Suit]) {
    for (player, suit) in round.players.iter_mut().zip(suits) {
        player.void = Some(*suit);
    }
    round.decision += 1;
    begin_play(round);
}

fn drew(round: &mut Round, seat: Seat, tile: Option<Tile>, start: TurnStart) {
    round.taken += 1;
    if let Some(player) = player_mut(round, seat) {
        if let Some(tile) = tile {
            player.tiles.add(tile);
        }
        player.drawn = tile;
        player.draws = player.draws.saturating_add(1);
        player.passed.clear();
    }
    begin_turn(round, seat, start);
}

fn begin_turn(round: &mut Round, seat: Seat, start: TurnStart) {
    round.decision += 1;
    round.phase = Phase::Turn(Turn { seat, start });
}

fn open_window(
    round: &mut Round,
    claim: Claim,
    (from, tile): (Seat, Tile),
    run: u8,
    offers: &Offers,
) {
    round.decision += 1;
    round.phase = Phase::Window(Window {
        claim,
        from,
        tile,
        run,
        answers: offers.iter().map(|_| None).collect(),
        offers: offers.clone(),
        paused: false,
        winners: 0,
    });
}

fn discarded(round: &mut Round, seat: Seat, tile: Tile, offers: &Offers) {
    if let Some(player) = player_mut(round, seat) {
        player.tiles.remove(tile);
        player.pond.push(tile);
    }
    let run = round.books.run(seat);
    round.books.note_discard(seat);
    round.discards = round.discards.saturating_add(1);
    open_window(round, Claim::Discard, (seat, tile), run, offers);
}

fn kong_declared(round: &mut Round, seat: Seat, tile: Tile, offers: &Offers) {
    if let Some(player) = player_mut(round, seat) {
        player.tiles.remove(tile);
    }
    open_window(round, Claim::AddedKong, (seat, tile), 0, offers);
}

fn answered(round: &mut Round, seat: Seat, answer: Answer) {
    let Phase::Window(window) = &mut round.phase else { return };
    if let Some(slot) = window.answers.get_mut(seat.index()) {
        *slot = Some(answer);
    }
    let offer = window.offers.get(seat.index()).copied().flatten();
    let passed = offer.and_then(|offer| offer.win).filter(|_| answer != Answer::Win);
    let tile = window.tile;
    if let Some(raw) = passed
        && let Some(player) = player_mut(round, seat)
    {
        player.passed.push(Passed { tile, raw });
    }
}

/// A claimed discard leaves the pond; it is the last tile there.
fn take_discard(round: &mut Round, from: Seat, tile: Tile) {
    if let Some(player) = player_mut(round, from)
        && player.pond.last() == Some(&tile)
    {
        player.pond.pop();
    }
}

fn pung_made(round: &mut Round, seat: Seat, tile: Tile, from: Seat) {
    take_discard(round, from, tile);
    if let Some(player) = player_mut(round, seat) {
        player.tiles.remove_many(tile, 2);
        player.drawn = None;
        // A hand has room for four melds; more cannot be made.
        let _ = player.melds.try_push(Meld { kind: MeldKind::Pung, tile, from: Some(from) });
    }
    begin_turn(round, seat, TurnStart::Pung);
}

fn kong_made(round: &mut Round, seat: Seat, tile: Tile, kind: MeldKind, from: Option<Seat>) {
    if let (MeldKind::DirectKong, Some(from)) = (kind, from) {
        take_discard(round, from, tile);
    }
    round.books.note_kong(seat);
    let Some(player) = player_mut(round, seat) else { return };
    if kind == MeldKind::AddedKong {
        // The tile has left the hand when the kong was declared.
        let pung = player.melds.iter_mut().find(|meld| meld.tile == tile);
        if let Some(pung) = pung {
            pung.kind = kind;
        }
        // The window is resolved; until the draw the fourth tile is in the meld alone.
        round.phase = Phase::Turn(Turn { seat, start: TurnStart::Replacement { feeder: None } });
        return;
    }
    player.tiles.remove_many(tile, if kind == MeldKind::DirectKong { 3 } else { 4 });
    let _ = player.melds.try_push(Meld { kind, tile, from });
}

fn won(round: &mut Round, seat: Seat, win: Win) {
    let from = win.from;
    if let Some(player) = player_mut(round, seat) {
        player.win = Some(win);
    }
    round.books.note_win(seat);
    if let (Phase::Window(window), Some(from)) = (&mut round.phase, from) {
        window.winners = window.winners.saturating_add(1);
        let winners = usize::from(window.winners);
        if winners > 1 {
            round.books.note_multi_win(from, winners);
        }
    }
}

fn hand_ended(round: &mut Round, ending: Ending, hands: &BySeat<Revealed>) {
    for player in &mut round.players {
        player.passed = Vec::new();
    }
    round.phase = Phase::Over { ending, hands: hands.clone() };
}
