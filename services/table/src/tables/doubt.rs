//! Tables of this process that may not be its own any more.

use parlor_common::TableId;

use super::{Entry, Tables};
use crate::actor::Message;

impl Tables {
    /// The tables that this process takes for its own, asleep or not, with their epochs.
    #[must_use]
    pub fn owned(&self) -> Vec<(TableId, u64)> {
        let tables = self.inner.read();
        let owned = tables.iter().filter_map(|(table, entry)| match entry {
            Entry::Running(handle) => Some((*table, handle.epoch)),
            Entry::Asleep(asleep) => Some((*table, asleep.epoch)),
            Entry::Unreadable => None,
        });
        owned.collect()
    }

    /// Has all tables that run checked against the store; those that have another owner or no log
    /// any more end.
    pub fn recheck(&self) {
        for handle in self.all() {
            // A table whose mailbox is full is about to find out by itself.
            let _ = handle.mailbox.try_send(Message::Recheck);
        }
    }

    /// Acts upon a table that another pod owns, or of which there is no log any more, if it is
    /// still here under `epoch`: one that runs makes sure by itself, one that sleeps is forgotten.
    pub fn doubt(&self, table: TableId, epoch: u64) {
        let mut tables = self.inner.write();
        match tables.get(&table) {
            Some(Entry::Running(handle)) if handle.epoch == epoch => {
                let _ = handle.mailbox.try_send(Message::Recheck);
            }
            Some(Entry::Asleep(asleep)) if asleep.epoch == epoch => {
                tables.remove(&table);
                self.inner.setting.register.strike(table);
            }
            _ => {}
        }
    }
}
