//! The figures of a run, as a table.

use std::fmt;
use std::time::Duration;

use crate::play::Waits;

/// Play must go on within this, on a machine that may be far too busy; the figures say how soon it
/// does.
const LONGEST: Duration = Duration::from_secs(120);

pub struct Figures {
    tables: usize,
    rows: Vec<(String, Waits)>,
}

impl Figures {
    pub const fn new(tables: usize) -> Self {
        Self { tables, rows: Vec::new() }
    }

    /// Writes down what followed, which must be bearable.
    pub fn note(&mut self, what: &str, waits: &Waits) {
        println!("{what}: {waits:?}");
        assert!(waits.longest < LONGEST, "a client waited {:?}: {what}", waits.longest);
        self.rows.push((what.to_owned(), *waits));
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{} tables; every acknowledged command is in its log once", self.tables)?;
        let heads = ["commands", "p99 ms", "longest ms", "table silent ms"];
        let [commands, p99, longest, gap] = heads;
        writeln!(out, "{:<28} {commands:>9} {p99:>9} {longest:>11} {gap:>16}", "after")?;
        for (what, waits) in &self.rows {
            let Waits { accepted, longest, p99, gap } = waits;
            let [p99, longest, gap] = [p99, longest, gap].map(Duration::as_millis);
            writeln!(out, "{what:<28} {accepted:>9} {p99:>9} {longest:>11} {gap:>16}")?;
        }
        Ok(())
    }
}
