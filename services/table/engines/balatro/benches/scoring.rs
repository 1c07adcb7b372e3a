//! How fast a play is scored and hands are classified.
#![allow(missing_docs, clippy::unwrap_used, reason = "criterion's macros; a bench may stop")]

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use parlor_balatro::card::Card;
use parlor_balatro::content::JokerId;
use parlor_balatro::joker::JokerState;
use parlor_balatro::poker::{Mods, classify};
use parlor_balatro::score::{Certain, Scene, SceneJoker, score, score_traced};

fn joker(id: &str) -> SceneJoker {
    let kind = JokerId::from_id(id).unwrap();
    SceneJoker { kind, edition: None, debuffed: false, sell: 3, state: JokerState::of(kind.spec()) }
}

fn cards(text: &str) -> impl Iterator<Item = Card> {
    text.split(' ').map(|card| Card::parse(card).unwrap())
}

fn scene(jokers: &[&str]) -> Scene {
    Scene {
        played: cards("KH KS KD 5C 5H").collect(),
        held: cards("2S 9D QC").collect(),
        jokers: jokers.iter().map(|id| joker(id)).collect(),
        ..Scene::default()
    }
}

fn bench(criterion: &mut Criterion) {
    let five = ["joker", "lusty_joker", "the_duo", "photograph", "ride_the_bus"];
    let scene = scene(&five);
    criterion.bench_function("score a full house with 5 jokers", |bencher| {
        bencher.iter(|| score(black_box(&scene), &mut Certain).score);
    });
    criterion.bench_function("score and trace it", |bencher| {
        bencher.iter(|| score_traced(black_box(&scene), &mut Certain).0.score);
    });
    let hand: Vec<Card> = cards("9S 8H 7C 6D 5H").collect();
    criterion.bench_function("classify a straight", |bencher| {
        bencher.iter(|| classify(black_box(&hand), Mods::default()));
    });
}

criterion_group!(benches, bench);
criterion_main!(benches);
