//! The win test, waits, the best fan, and what a turn costs the table.
#![allow(missing_docs, clippy::unwrap_used)]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use parlor_game::{Actor, Entrant, Entropy, Game, Seat, Viewer};
use parlor_mahjong::score::{Circumstances, Hand, score};
use parlor_mahjong::shape::{distance, is_complete, waits};
use parlor_mahjong::tile::{Suit, TileCounts, sorted_wall};
use parlor_mahjong::{Command, Mahjong, Options, State};

/// Random hands and, as every other one, hands that a set of draws made complete.
fn hands(size: usize) -> Vec<TileCounts> {
    let mut chance = Entropy::from_key([7; 32]).labelled("bench");
    let mut hands = Vec::new();
    while hands.len() < 512 {
        let mut wall = sorted_wall(3);
        if hands.len() % 2 == 1 {
            wall.truncate(36);
        }
        chance.shuffle(&mut wall);
        let hand: TileCounts = wall.into_iter().take(size).collect();
        if hands.len() % 2 == 0 || size < 14 || is_complete(&hand) {
            hands.push(hand);
        }
    }
    hands
}

fn shapes(criterion: &mut Criterion) {
    let mut over = |name: &str, hands: Vec<TileCounts>, each: &dyn Fn(&TileCounts) -> u32| {
        let mut next = 0;
        criterion.bench_function(name, |bencher| {
            bencher.iter(|| {
                next = (next + 1) % hands.len();
                each(black_box(&hands[next]))
            });
        });
    };
    over("win check of 14 tiles", hands(14), &|hand| u32::from(is_complete(hand)));
    over("waits of 13 tiles", hands(13), &|hand| waits(hand).len());
    over("distance of 13 tiles", hands(13), &|hand| u32::from(distance(hand, 0)));

    let options = Options::default();
    let complete: Vec<TileCounts> = hands(14).into_iter().filter(is_complete).collect();
    over("best fan of a complete hand", complete, &|hand| {
        let winning = hand.kinds().next().unwrap().0;
        let concealed = hand.without(winning);
        let held = Hand { concealed: &concealed, melds: &[], void: Some(Suit::Characters) };
        let scored = score(&options, &held, winning, Circumstances::PLAIN_DISCARD);
        scored.map_or(0, |score| u32::from(score.raw))
    });
}

/// A hand some turns in, with seat 0 on turn.
fn midgame() -> State {
    let entropy = Entropy::from_key([3; 32]);
    let mut state = Mahjong::open(&Options::default()).unwrap();
    let entrants: Vec<Entrant> =
        (0..4).map(|seat| Entrant { seat: Seat(seat), stack: None }).collect();
    let mut events = Mahjong::deal(&state, &entrants, &entropy).unwrap();
    let mut turns = 0;
    loop {
        events.iter().for_each(|event| Mahjong::evolve(&mut state, event));
        let view = Mahjong::view(&state, Viewer::Seat(Seat(0)));
        turns += u32::from(view.turn.is_some());
        if turns > 20 && view.turn == Some(Seat(0)) {
            return state;
        }
        let awaiting = Mahjong::awaiting(&state);
        let (actor, command) = match awaiting.seats.first() {
            Some(pending) => (Actor::Seat(pending.seat), pending.default),
            None => (Actor::System, awaiting.system.unwrap().command),
        };
        events = Mahjong::decide(&state, actor, &command, &entropy).unwrap();
    }
}

fn turns(criterion: &mut Criterion) {
    let state = midgame();
    let entropy = Entropy::from_key([3; 32]);
    let seat = Actor::Seat(Seat(0));
    let discard = Mahjong::awaiting(&state).seats[0].default;
    criterion.bench_function("decide a discard", |bencher| {
        bencher.iter(|| Mahjong::decide(&state, seat, black_box(&discard), &entropy).unwrap());
    });
    let mut offered = state.clone();
    let events = Mahjong::decide(&state, seat, &discard, &entropy).unwrap();
    events.iter().for_each(|event| Mahjong::evolve(&mut offered, event));
    criterion.bench_function("decide the end of a window", |bencher| {
        bencher.iter(|| {
            Mahjong::decide(&offered, Actor::System, black_box(&Command::CloseWindow), &entropy)
        });
    });
    criterion.bench_function("legal commands on turn", |bencher| {
        bencher.iter(|| Mahjong::legal(black_box(&state), Seat(0)));
    });
    criterion.bench_function("view on turn, with hints", |bencher| {
        bencher.iter(|| Mahjong::view(black_box(&state), Viewer::Seat(Seat(0))));
    });
}

criterion_group!(benches, shapes, turns);
criterion_main!(benches);
