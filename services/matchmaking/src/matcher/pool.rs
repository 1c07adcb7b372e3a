//! The tickets that are still free, in the order of their ratings.

use crate::ids::TicketId;

use super::{Candidate, MatchRules};

/// Marks the end of the list in both directions.
const END: usize = usize::MAX;

/// A free ticket with what it accepts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    id: TicketId,
    enqueued_ms: i64,
    /// Seats it needs.
    pub(super) players: u32,
    /// Its rating; 0 for everybody when the queue has no window.
    pub(super) rating: i64,
    /// How far from its own rating it accepts others.
    pub(super) width: i64,
}

impl Entry {
    /// Whether both accept each other.
    pub(super) fn accepts(&self, other: &Self) -> bool {
        (self.rating - other.rating).abs() <= self.width.min(other.width)
    }
}

/// Entries in the order of (rating, age), linked so that taking one out costs nothing.
#[derive(Debug)]
pub(super) struct Pool {
    entries: Vec<Entry>,
    links: Vec<Link>,
    now_ms: i64,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    lower: usize,
    higher: usize,
    free: bool,
}

impl Pool {
    /// All candidates that can be part of a match, each once.
    pub(super) fn new(rules: &MatchRules, candidates: &[Candidate], now_ms: i64) -> Self {
        let mut entries: Vec<Entry> = candidates
            .iter()
            .filter(|candidate| (1..=rules.players).contains(&candidate.players))
            .map(|candidate| {
                let waited_ms = now_ms.saturating_sub(candidate.enqueued_ms);
                let (rating, width) = match &rules.window {
                    Some(window) => {
                        (i64::from(candidate.rating.0), i64::from(window.after(waited_ms)))
                    }
                    None => (0, 0),
                };
                let (id, enqueued_ms) = (candidate.id, candidate.enqueued_ms);
                Entry { id, enqueued_ms, players: candidate.players, rating, width }
            })
            .collect();
        entries.sort_unstable_by_key(|entry| (entry.rating, entry.enqueued_ms, entry.id));
        entries.dedup_by_key(|entry| entry.id);
        let last = entries.len().wrapping_sub(1);
        let links = (0..entries.len())
            .map(|index| Link {
                lower: index.checked_sub(1).unwrap_or(END),
                higher: if index == last { END } else { index + 1 },
                free: true,
            })
            .collect();
        Self { entries, links, now_ms }
    }

    /// Places of all entries, the longest waiting first.
    pub(super) fn oldest_first(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_unstable_by_key(|&index| {
            let entry = &self.entries[index];
            (entry.enqueued_ms, entry.id)
        });
        order
    }

    pub(super) fn is_free(&self, index: usize) -> bool {
        self.links[index].free
    }

    pub(super) fn id(&self, index: usize) -> TicketId {
        self.entries[index].id
    }

    pub(super) fn entry(&self, index: usize) -> &Entry {
        &self.entries[index]
    }

    pub(super) fn waited_ms(&self, index: usize) -> i64 {
        self.now_ms.saturating_sub(self.entries[index].enqueued_ms)
    }

    /// The next free entry below, in the order of ratings.
    pub(super) fn lower(&self, index: usize) -> Option<usize> {
        Some(self.links[index].lower).filter(|&lower| lower != END)
    }

    /// The next free entry above, in the order of ratings.
    pub(super) fn higher(&self, index: usize) -> Option<usize> {
        Some(self.links[index].higher).filter(|&higher| higher != END)
    }

    /// Takes an entry out.
    pub(super) fn remove(&mut self, index: usize) {
        let Link { lower, higher, free } = self.links[index];
        if !free {
            return;
        }
        self.links[index].free = false;
        if lower != END {
            self.links[lower].higher = higher;
        }
        if higher != END {
            self.links[higher].lower = lower;
        }
    }
}
