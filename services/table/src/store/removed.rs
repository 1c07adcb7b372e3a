//! Tables that were removed lately, in the memory of a process.

use std::collections::{BTreeSet, VecDeque};

use parlor_common::TableId;

/// How many are remembered: some MB, and far more than close while one creation is repeated.
const REMEMBERED: usize = 65_536;

/// The last tables that were removed: a creation that comes late, or is repeated, does not bring
/// one of them back.
#[derive(Debug, Default)]
pub(super) struct Removed {
    known: BTreeSet<TableId>,
    oldest_first: VecDeque<TableId>,
}

impl Removed {
    pub fn note(&mut self, table: TableId) {
        if !self.known.insert(table) {
            return;
        }
        self.oldest_first.push_back(table);
        if self.oldest_first.len() > REMEMBERED
            && let Some(forgotten) = self.oldest_first.pop_front()
        {
            self.known.remove(&forgotten);
        }
    }

    pub fn has(&self, table: TableId) -> bool {
        self.known.contains(&table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_are_forgotten_first() {
        let mut removed = Removed::default();
        let tables: Vec<_> = (0..=REMEMBERED).map(|_| TableId::random()).collect();
        for table in &tables {
            removed.note(*table);
            removed.note(*table);
        }
        assert!(!removed.has(tables[0]), "that is one too many");
        assert!(tables[1..].iter().all(|table| removed.has(*table)));
    }
}
