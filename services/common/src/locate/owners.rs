//! What is remembered of who owns which table.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use crate::TableId;

/// Most tables whose owner is remembered; a few dozen bytes each.
const REMEMBERED: usize = 65_536;

/// Owners by table. It may be wrong at any time: whoever is named says so.
#[derive(Debug)]
pub(super) struct Owners<Pod> {
    owners: Mutex<HashMap<TableId, Pod>>,
}

impl<Pod> Default for Owners<Pod> {
    fn default() -> Self {
        Self { owners: Mutex::default() }
    }
}

impl<Pod: Clone> Owners<Pod> {
    fn owners(&self) -> std::sync::MutexGuard<'_, HashMap<TableId, Pod>> {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The owner, as far as is known.
    pub fn of(&self, table: &TableId) -> Option<Pod> {
        self.owners().get(table).cloned()
    }

    pub fn remember(&self, table: TableId, pod: Pod) {
        let mut owners = self.owners();
        if owners.len() >= REMEMBERED && !owners.contains_key(&table) {
            // Rare, and each is found again with one question.
            owners.clear();
        }
        owners.insert(table, pod);
    }

    pub fn forget(&self, table: &TableId) {
        self.owners().remove(table);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_remembered_than_the_limit() {
        let owners = Owners::default();
        let first = TableId::random();
        owners.remember(first, 1);
        assert_eq!(owners.of(&first), Some(1));
        for _ in 0..REMEMBERED {
            owners.remember(TableId::random(), 2);
        }
        assert!(owners.owners().len() <= REMEMBERED);
        owners.remember(first, 3);
        owners.forget(&first);
        assert_eq!(owners.of(&first), None);
    }
}
