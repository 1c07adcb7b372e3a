//! Writes the tables of `shape`: two small automata that read one suit rank by rank.
//!
//! Both read nine counts (0 to 4 tiles of each rank) and end in an answer about the suit:
//!
//! * `WIN`: whether the suit splits exactly into sets, and into sets and a pair.
//! * `DISTANCE`: for 0 to 4 sets, without and with a pair, how many tiles are missing.
//!
//! A state is a cost for every way in which the ranks read so far can have begun: runs that are
//! still open, sets finished, pair taken. States of a rank with equal futures are merged, which
//! leaves a few thousand of them. At most two runs begin at a rank, since three equal runs are
//! three triplets.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::path::Path;
use std::{env, fs, io};

const RANKS: usize = 9;
const COUNTS: usize = 5;
const OPEN_RUNS: usize = 3;
const SETS: usize = 5;
const WAYS: usize = OPEN_RUNS * OPEN_RUNS * SETS * 2;
/// More tiles than a hand holds.
const UNREACHABLE: u8 = 20;
/// A hand holds no more tiles than this; suits with more need no states.
const HAND_TILES: usize = 14;

/// Bytes of a written distance: costs without a pair, costs with one, padding.
const LANES: usize = 16;

type Costs = [u8; WAYS];
/// Costs by number of sets, without and with a pair.
type Answer = [u8; SETS * 2];

/// Whether tiles may be missing.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    Exact,
    Missing,
}

/// Runs begun one rank ago need this rank and the next; runs begun two ranks ago need this one.
fn way(begun_one_ago: usize, begun_two_ago: usize, sets: usize, pairs: usize) -> usize {
    ((begun_one_ago * OPEN_RUNS + begun_two_ago) * SETS + sets) * 2 + pairs
}

fn ways() -> impl Iterator<Item = (usize, usize, usize, usize)> {
    (0..WAYS).map(|way| {
        let (rest, pairs) = (way / 2, way % 2);
        let (rest, sets) = (rest / SETS, rest % SETS);
        (rest / OPEN_RUNS, rest % OPEN_RUNS, sets, pairs)
    })
}

fn read_rank(costs: &Costs, rank: usize, count: usize, reading: Reading) -> Costs {
    let mut after = [UNREACHABLE; WAYS];
    let runs_begin = if rank + 2 < RANKS { OPEN_RUNS } else { 1 };
    for (one_ago, two_ago, sets, pairs) in ways() {
        let cost = costs[way(one_ago, two_ago, sets, pairs)];
        if cost >= UNREACHABLE {
            continue;
        }
        for (begin, triplets, pair) in choices(runs_begin, 1 - pairs) {
            let need = one_ago + two_ago + begin + 3 * triplets + 2 * pair;
            let done = sets + begin + triplets;
            if need > 4 || done >= SETS || (reading == Reading::Exact && need != count) {
                continue;
            }
            let missing = u8::try_from(need.saturating_sub(count)).unwrap_or(UNREACHABLE);
            let slot = &mut after[way(begin, one_ago, done, pairs + pair)];
            *slot = (*slot).min(cost + missing);
        }
    }
    after
}

fn choices(runs: usize, pairs: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    (0..runs).flat_map(move |begin| {
        (0..2).flat_map(move |triplets| (0..=pairs).map(move |pair| (begin, triplets, pair)))
    })
}

fn answer(costs: &Costs) -> Answer {
    let mut answer = [UNREACHABLE; SETS * 2];
    for sets in 0..SETS {
        for pairs in 0..2 {
            answer[sets * 2 + pairs] = costs[way(0, 0, sets, pairs)];
        }
    }
    answer
}

/// Numbers values in the order in which they are first seen.
struct Numbered<T> {
    numbers: BTreeMap<T, usize>,
    values: Vec<T>,
}

impl<T: Clone + Ord> Numbered<T> {
    fn new() -> Self {
        Self { numbers: BTreeMap::new(), values: Vec::new() }
    }

    fn number(&mut self, value: T) -> usize {
        *self.numbers.entry(value.clone()).or_insert_with(|| {
            self.values.push(value);
            self.values.len() - 1
        })
    }
}

/// One automaton. `steps[state + count]` is the next state; after the last rank it is the
/// number of an answer.
struct Automaton {
    steps: Vec<usize>,
    start: usize,
    answers: Vec<Answer>,
}

/// `None` where the suit would hold more tiles than a hand.
type Row = [Option<usize>; COUNTS];

fn explore(reading: Reading) -> (Vec<Vec<Row>>, Vec<Answer>) {
    let mut start = [UNREACHABLE; WAYS];
    start[way(0, 0, 0, 0)] = 0;
    let mut answers = Numbered::new();
    let (mut level, mut tiles) = (vec![start], vec![0]);
    let mut levels = Vec::new();
    for rank in 0..RANKS {
        let mut next = Numbered::new();
        let mut fewest: Vec<usize> = Vec::new();
        let mut rows = Vec::new();
        for (costs, held) in level.iter().zip(&tiles) {
            let mut row: Row = [None; COUNTS];
            for (count, step) in row.iter_mut().enumerate() {
                if held + count > HAND_TILES {
                    continue;
                }
                let after = read_rank(costs, rank, count, reading);
                if rank + 1 == RANKS {
                    *step = Some(answers.number(answer(&after)));
                    continue;
                }
                let state = next.number(after);
                fewest.resize(next.values.len(), usize::MAX);
                fewest[state] = fewest[state].min(held + count);
                *step = Some(state);
            }
            rows.push(row);
        }
        levels.push(rows);
        (level, tiles) = (next.values, fewest);
    }
    (levels, answers.values)
}

fn automaton(reading: Reading) -> Automaton {
    let (levels, answers) = explore(reading);
    let mut steps: Vec<usize> = Vec::new();
    // From the last rank back: equal rows are one state, whose number is its row's position.
    let mut states: Vec<usize> = (0..answers.len()).collect();
    for rows in levels.iter().rev() {
        let base = steps.len();
        let mut merged: Numbered<[usize; COUNTS]> = Numbered::new();
        let renamed = rows.iter().map(|row| {
            let row = row.map(|step| step.map_or(0, |step| states[step]));
            base + merged.number(row) * COUNTS
        });
        let renamed: Vec<usize> = renamed.collect();
        steps.extend(merged.values.iter().flatten());
        states = renamed;
    }
    Automaton { steps, start: states[0], answers }
}

fn table(out: &mut String, name: &str, kind: &str, cells: &[impl Display]) {
    let _ = write!(out, "pub static {name}: [{kind}; {}] = [", cells.len());
    for cell in cells {
        let _ = write!(out, "{cell},");
    }
    out.push_str("];\n");
}

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let mut out = String::new();

    let win = automaton(Reading::Exact);
    // The number of sets follows from the number of tiles, so two bits say all.
    let bits = win.answers.iter().map(|answer| {
        let has = |pair: usize| answer.iter().skip(pair).step_by(2).any(|cost| *cost == 0);
        u8::from(has(0)) | u8::from(has(1)) << 1
    });
    table(&mut out, "WIN_STEPS", "u16", &win.steps);
    table(&mut out, "WIN_ANSWERS", "u8", &bits.collect::<Vec<_>>());
    let _ = writeln!(out, "pub const WIN_START: u16 = {};", win.start);

    let distance = automaton(Reading::Missing);
    let row = |answer: &Answer| {
        let costs = |pair: usize| answer.iter().skip(pair).step_by(2);
        let padding = [UNREACHABLE; LANES - SETS * 2];
        format!("{:?}", costs(0).chain(costs(1)).chain(&padding).collect::<Vec<_>>())
    };
    let rows: Vec<String> = distance.answers.iter().map(row).collect();
    table(&mut out, "DISTANCE_STEPS", "u16", &distance.steps);
    table(&mut out, "DISTANCE_ANSWERS", "[u8; 16]", &rows);
    let _ = writeln!(out, "pub const DISTANCE_START: u16 = {};", distance.start);

    let folder = env::var("OUT_DIR").map_err(io::Error::other)?;
    fs::write(Path::new(&folder).join("shape_tables.rs"), out)
}
