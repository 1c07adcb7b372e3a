//! How long the matcher takes for a full queue.
#![allow(missing_docs)]

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use rand::rngs::ChaCha20Rng;
use rand::{RngExt, SeedableRng};

use parlor_matchmaking::ids::TicketId;
use parlor_matchmaking::matcher::{Candidate, MatchRules, RatingWindow, groups};
use parlor_matchmaking::ticket::Rating;

const TICKETS: u32 = 10_000;

const RULES: MatchRules = MatchRules {
    players: 4,
    window: Some(RatingWindow { start: 200, widen_per_s: 20, widest: 1_000 }),
    bot_fill_after_ms: None,
};

/// Half of the tickets are near each other; the other half, each 5000 from the next, fits nobody.
fn half_far_apart() -> Vec<Candidate> {
    let mut random = ChaCha20Rng::seed_from_u64(7);
    (0..TICKETS)
        .map(|number| {
            let far = i32::try_from(number).unwrap_or(0) * 5_000 + 100_000;
            let near = random.random_range(1_500..3_500);
            candidate(number, 1, if number % 2 == 0 { near } else { far }, &mut random)
        })
        .collect()
}

/// Half of the tickets are parties of three among which there are no singles left: they look at
/// every neighbour in vain.
fn half_do_not_add_up() -> Vec<Candidate> {
    let mut random = ChaCha20Rng::seed_from_u64(8);
    (0..TICKETS)
        .map(|number| {
            let rating = random.random_range(1_500..3_500);
            candidate(number, if number % 2 == 0 { 2 } else { 3 }, rating, &mut random)
        })
        .collect()
}

/// Half have waited long and accept everybody; the others are new and accept almost nobody.
fn half_are_picky() -> Vec<Candidate> {
    let mut random = ChaCha20Rng::seed_from_u64(9);
    (0..TICKETS)
        .map(|number| {
            let rating = random.random_range(0..2_000_000);
            let mut ticket = candidate(number, 1, rating, &mut random);
            ticket.enqueued_ms = if number % 2 == 0 { -600_000 } else { -1 };
            ticket
        })
        .collect()
}

fn candidate(number: u32, players: u32, rating: i32, random: &mut ChaCha20Rng) -> Candidate {
    Candidate {
        id: TicketId::numbered(u128::from(number)),
        players,
        rating: Rating(rating),
        enqueued_ms: -random.random_range(0..20_000_i64),
    }
}

fn ten_thousand_tickets(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("10000 tickets into matches of 4");
    group.sample_size(10);
    for (name, tickets) in [
        ("half far apart", half_far_apart()),
        ("half do not add up", half_do_not_add_up()),
        ("half are picky", half_are_picky()),
    ] {
        eprintln!("{name}: {} matches", groups(&RULES, &tickets, 0).len());
        group.bench_function(name, |bencher| {
            bencher.iter_batched(
                || tickets.clone(),
                |tickets| groups(&RULES, &tickets, 0),
                BatchSize::LargeInput,
            );
        });
    }
    group.finish();
}

criterion_group!(benches, ten_thousand_tickets);
criterion_main!(benches);
