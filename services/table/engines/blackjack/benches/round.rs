//! What a round and its parts cost.
#![allow(missing_docs, clippy::unwrap_used)]

use criterion::{Criterion, criterion_group, criterion_main};
use parlor_blackjack::{Blackjack, Command, Options, State};
use parlor_game::{Actor, Amount, Entrant, Entropy, Game, Seat, Viewer};

fn entrants(players: u8) -> Vec<Entrant> {
    (0..=players).map(|seat| Entrant { seat: Seat(seat), stack: Some(Amount(1_000_000)) }).collect()
}

fn table(players: u8) -> State {
    Blackjack::open(&Options { seats: players + 1, ..Options::default() }).unwrap()
}

/// Plays a round with the engine's bots, each of which sees its own view.
fn round(state: &mut State, entrants: &[Entrant], entropy: &Entropy) {
    for event in Blackjack::deal(state, entrants, entropy).unwrap() {
        Blackjack::evolve(state, &event);
    }
    while let Some(pending) = Blackjack::awaiting(state).seats.first() {
        let view = Blackjack::view(state, Viewer::Seat(pending.seat));
        let command = Blackjack::bot(&view).unwrap();
        give(state, pending.seat, &command, entropy);
    }
}

fn give(state: &mut State, seat: Seat, command: &Command, entropy: &Entropy) {
    for event in Blackjack::decide(state, Actor::Seat(seat), command, entropy).unwrap() {
        Blackjack::evolve(state, &event);
    }
}

/// A table where a seat has bet and is to play.
fn playing(entropy: &Entropy) -> State {
    let mut state = table(1);
    for event in Blackjack::deal(&state, &entrants(1), entropy).unwrap() {
        Blackjack::evolve(&mut state, &event);
    }
    give(&mut state, Seat(1), &Command::Bet { amount: Some(Amount(10)) }, entropy);
    state
}

fn rounds(criterion: &mut Criterion) {
    for players in [1, 7] {
        let (mut state, seats) = (table(players), entrants(players));
        let mut number = 0_u64;
        criterion.bench_function(&format!("round/{players}"), |bencher| {
            bencher.iter(|| {
                let mut key = [0; 32];
                key[..8].copy_from_slice(&number.to_le_bytes());
                number += 1;
                round(&mut state, &seats, &Entropy::from_key(key));
            });
        });
    }
}

fn steps(criterion: &mut Criterion) {
    let entropy = Entropy::from_key([7; 32]);
    let state = playing(&entropy);
    assert!(!Blackjack::awaiting(&state).is_empty());
    criterion.bench_function("decide/stand", |bencher| {
        bencher.iter(|| {
            Blackjack::decide(&state, Actor::Seat(Seat(1)), &Command::Stand, &entropy).unwrap()
        });
    });
    criterion.bench_function("view", |bencher| {
        bencher.iter(|| Blackjack::view(&state, Viewer::Seat(Seat(1))));
    });
}

criterion_group!(benches, rounds, steps);
criterion_main!(benches);
