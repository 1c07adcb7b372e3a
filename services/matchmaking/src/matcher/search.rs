//! The search for one ticket's group.

use super::pool::{Entry, Pool};

/// Nearest tickets that are tried together. 32 leave room for a few hundred different groups of
/// four, and a queue in which more fit has no lack of matches.
const MAX_NEIGHBOURS: usize = 32;

/// Tickets that are looked at to find those neighbours; more are met only where many tickets
/// near the chooser do not accept it.
const MAX_LOOKED_AT: usize = 512;

/// Steps of the search among the neighbours.
const MAX_STEPS: usize = 1024;

/// What a search found.
#[derive(Debug)]
pub(super) struct Found {
    /// The chooser, then the chosen.
    pub(super) members: Vec<usize>,
    /// Players in all.
    pub(super) players: u32,
    /// Nothing was left out: there is no larger group with the chooser.
    pub(super) exhaustive: bool,
}

/// Finds tickets that make exactly `wanted` players together with the chooser, nearest first; the
/// largest group when there are none.
pub(super) fn best_group(pool: &Pool, chooser: usize, wanted: u32) -> Found {
    let first = pool.entry(chooser);
    let room = wanted.saturating_sub(first.players);
    let (neighbours, all_seen) =
        if room == 0 { (Vec::new(), true) } else { neighbours(pool, chooser, room) };
    let mut search = Search {
        pool,
        neighbours: &neighbours,
        wanted,
        chosen: vec![chooser],
        best: Found { members: vec![chooser], players: first.players, exhaustive: true },
        steps: 0,
    };
    search.descend(0, &Bounds::of(first), first.players);
    let within_steps = search.steps < MAX_STEPS;
    Found { exhaustive: all_seen && within_steps, ..search.best }
}

/// Free tickets that accept the chooser and are accepted by it, nearest first, and whether these
/// are all there are.
fn neighbours(pool: &Pool, chooser: usize, room: u32) -> (Vec<usize>, bool) {
    let own = pool.entry(chooser);
    let distance = |index: &usize| (pool.entry(*index).rating - own.rating).abs();
    let (mut lower, mut higher) = (pool.lower(chooser), pool.higher(chooser));
    let mut found = Vec::with_capacity(MAX_NEIGHBOURS);
    for _ in 0..MAX_LOOKED_AT {
        let take_lower = match (&lower, &higher) {
            (None, None) => return (found, true),
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (Some(below), Some(above)) => distance(below) <= distance(above),
        };
        let side = if take_lower { &mut lower } else { &mut higher };
        let Some(next) = *side else { return (found, true) };
        if distance(&next) > own.width {
            // The nearer of both sides is out of reach, so everything else is.
            return (found, true);
        }
        if found.len() == MAX_NEIGHBOURS {
            return (found, false);
        }
        if pool.entry(next).players <= room && pool.entry(next).accepts(own) {
            found.push(next);
        }
        *side = if take_lower { pool.lower(next) } else { pool.higher(next) };
    }
    (found, false)
}

/// The ratings that a group spans and those that all its members accept.
#[derive(Clone, Copy)]
struct Bounds {
    lowest: i64,
    highest: i64,
    accepts_from: i64,
    accepts_to: i64,
}

impl Bounds {
    fn of(entry: &Entry) -> Self {
        Self {
            lowest: entry.rating,
            highest: entry.rating,
            accepts_from: entry.rating - entry.width,
            accepts_to: entry.rating + entry.width,
        }
    }

    /// The bounds with one more member; `None` when it does not accept all or not all accept it.
    fn with(&self, entry: &Entry) -> Option<Self> {
        let own = Self::of(entry);
        let fits = (self.accepts_from..=self.accepts_to).contains(&entry.rating)
            && own.accepts_from <= self.lowest
            && self.highest <= own.accepts_to;
        fits.then(|| Self {
            lowest: self.lowest.min(entry.rating),
            highest: self.highest.max(entry.rating),
            accepts_from: self.accepts_from.max(own.accepts_from),
            accepts_to: self.accepts_to.min(own.accepts_to),
        })
    }
}

struct Search<'a> {
    pool: &'a Pool,
    neighbours: &'a [usize],
    wanted: u32,
    chosen: Vec<usize>,
    best: Found,
    steps: usize,
}

impl Search<'_> {
    /// Tries to add neighbours from `from` on; true when the group is full or the steps are used
    /// up. Each level adds a player at least, so the depth is below `wanted`.
    fn descend(&mut self, from: usize, bounds: &Bounds, players: u32) -> bool {
        if players > self.best.players {
            self.best.members.clone_from(&self.chosen);
            self.best.players = players;
        }
        if players == self.wanted {
            return true;
        }
        let neighbours = self.neighbours;
        for (place, &neighbour) in neighbours.iter().enumerate().skip(from) {
            self.steps += 1;
            if self.steps >= MAX_STEPS {
                return true;
            }
            let entry = self.pool.entry(neighbour);
            let Some(total) = players.checked_add(entry.players) else { continue };
            if total > self.wanted {
                continue;
            }
            let Some(bounds) = bounds.with(entry) else { continue };
            self.chosen.push(neighbour);
            let done = self.descend(place + 1, &bounds, total);
            self.chosen.pop();
            if done {
                return true;
            }
        }
        false
    }
}
