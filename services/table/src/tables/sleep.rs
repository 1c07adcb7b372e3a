//! Tables that sleep: in their log, and as a few words in memory.

use std::sync::Arc;

use parlor_common::TableId;
use tokio::sync::mpsc;

use super::{Entry, Tables};
use crate::actor::{Asleep, Handle, MAILBOX, Message};

impl Tables {
    /// Wakes a table that sleeps, or only one that has fallen asleep `since`; its handle, if it is
    /// awake then.
    pub(super) fn wake(&self, table: TableId, since: Option<&Arc<Asleep>>) -> Option<Handle> {
        let mut tables = self.inner.write();
        let epoch = match tables.get(&table)? {
            Entry::Running(handle) => return Some(handle.clone()),
            Entry::Asleep(asleep) if since.is_none_or(|since| Arc::ptr_eq(since, asleep)) => {
                asleep.epoch
            }
            Entry::Asleep(_) | Entry::Unreadable => return None,
        };
        let (mailbox, messages) = mpsc::channel(MAILBOX);
        let handle = Handle { table, epoch, mailbox };
        tables.insert(table, Entry::Running(handle.clone()));
        drop(tables);
        self.spawn(&handle, None, messages);
        Some(handle)
    }

    /// What is known of the tables that sleep.
    #[must_use]
    pub fn sleepers(&self) -> Vec<Arc<Asleep>> {
        let asleep = |entry: &Entry| match entry {
            Entry::Asleep(asleep) => Some(Arc::clone(asleep)),
            Entry::Running(_) | Entry::Unreadable => None,
        };
        self.inner.read().values().filter_map(asleep).collect()
    }

    /// Forgets a table that sleeps, because another pod owns it.
    pub fn forget_sleeper(&self, asleep: &Arc<Asleep>) {
        let mut tables = self.inner.write();
        if let Some(Entry::Asleep(now)) = tables.get(&asleep.table)
            && Arc::ptr_eq(now, asleep)
        {
            tables.remove(&asleep.table);
            self.inner.setting.register.strike(asleep.table);
        }
    }

    /// Keeps a table as one that sleeps, unless somebody waits for it; whether it does.
    pub(super) fn lay_down(
        &self,
        table: TableId,
        asleep: &Arc<Asleep>,
        messages: &mpsc::Receiver<Message>,
    ) -> bool {
        {
            let mut tables = self.inner.write();
            let ours = matches!(tables.get(&table),
                Some(Entry::Running(handle)) if handle.epoch == asleep.epoch);
            if !ours || !messages.is_empty() {
                return false;
            }
            tables.insert(table, Entry::Asleep(Arc::clone(asleep)));
        }
        if let Some(pause) = asleep.sleeps_for(&self.inner.setting.clock) {
            let (tables, asleep) = (self.clone(), Arc::clone(asleep));
            self.inner.setting.shutdown.spawn("table-alarm", async move {
                tokio::select! {
                    biased;
                    () = tables.halt().cancelled() => {}
                    () = tokio::time::sleep(pause) => drop(tables.wake(table, Some(&asleep))),
                }
            });
        }
        true
    }
}
