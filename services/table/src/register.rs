//! Who has a seat at which table of this process, and which room code stands for which table, so
//! that neither question costs more where there are more tables.

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;
use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use parlor_common::TableId;
use parlor_game::shell::Player;

/// The register. Tables enter themselves; one that has not been read yet has to be asked.
#[derive(Debug, Default)]
pub struct Register(RwLock<Listed>);

#[derive(Debug, Default)]
struct Listed {
    tables: HashMap<TableId, Line>,
    players: HashMap<Player, Vec<TableId>>,
    codes: HashMap<String, Vec<TableId>>,
    unread: BTreeSet<TableId>,
}

/// What is known of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// People with a seat, or with one that is reserved for them.
    pub players: Vec<Player>,
    /// Empty at a public table.
    pub code: String,
}

/// Tables that are an answer, and those that have to be asked besides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// They are the answer.
    pub tables: Vec<TableId>,
    /// They have not said yet.
    pub unread: Vec<TableId>,
}

impl Register {
    /// A table is about to be read: until it enters itself, nothing is known of it.
    pub fn expect(&self, table: TableId) {
        let mut listed = self.write();
        listed.strike(table);
        listed.unread.insert(table);
    }

    /// A table enters itself, anew whenever something has changed.
    pub fn enter(&self, table: TableId, line: Line) {
        let mut listed = self.write();
        listed.strike(table);
        for player in &line.players {
            listed.players.entry(*player).or_default().push(table);
        }
        if !line.code.is_empty() {
            listed.codes.entry(line.code.clone()).or_default().push(table);
        }
        listed.tables.insert(table, line);
    }

    /// A table is not of this process any more.
    pub fn strike(&self, table: TableId) {
        self.write().strike(table);
    }

    /// The tables at which a player has a seat.
    #[must_use]
    pub fn of_player(&self, player: Player) -> Found {
        let listed = self.read();
        let tables = listed.players.get(&player).cloned().unwrap_or_default();
        Found { tables, unread: listed.unread.iter().copied().collect() }
    }

    /// The tables of a room code; there is one in a sound system.
    #[must_use]
    pub fn of_code(&self, code: &str) -> Found {
        let listed = self.read();
        let tables = listed.codes.get(code).cloned().unwrap_or_default();
        Found { tables, unread: listed.unread.iter().copied().collect() }
    }

    fn read(&self) -> RwLockReadGuard<'_, Listed> {
        // No code panics while it holds the lock; a poisoned register is whole all the same.
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Listed> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Listed {
    fn strike(&mut self, table: TableId) {
        self.unread.remove(&table);
        let Some(line) = self.tables.remove(&table) else { return };
        for player in &line.players {
            drop_from(&mut self.players, player, table);
        }
        drop_from(&mut self.codes, &line.code, table);
    }
}

fn drop_from<K: Hash + Eq>(lists: &mut HashMap<K, Vec<TableId>>, key: &K, table: TableId) {
    let Some(list) = lists.get_mut(key) else { return };
    list.retain(|listed| *listed != table);
    if list.is_empty() {
        lists.remove(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: TableId = TableId::from_bytes([1; 16]);
    const TWO: TableId = TableId::from_bytes([2; 16]);
    const ADA: Player = Player([7; 16]);
    const BAO: Player = Player([8; 16]);

    fn line(players: &[Player], code: &str) -> Line {
        Line { players: players.to_vec(), code: code.to_owned() }
    }

    fn found(tables: &[TableId], unread: &[TableId]) -> Found {
        Found { tables: tables.to_vec(), unread: unread.to_vec() }
    }

    #[test]
    fn players_and_codes_are_found_until_they_change_or_the_table_goes() {
        let register = Register::default();
        register.enter(ONE, line(&[ADA, BAO], "123456"));
        register.enter(TWO, line(&[ADA], ""));
        assert_eq!(register.of_player(ADA), found(&[ONE, TWO], &[]));
        assert_eq!(register.of_code("123456"), found(&[ONE], &[]));
        register.enter(ONE, line(&[BAO], "123456"));
        assert_eq!(register.of_player(ADA), found(&[TWO], &[]));
        register.strike(ONE);
        assert_eq!(register.of_player(BAO), Found::default());
        assert_eq!(register.of_code("123456"), Found::default());
    }

    #[test]
    fn a_table_that_is_not_read_yet_has_to_be_asked() {
        let register = Register::default();
        register.enter(ONE, line(&[ADA], "123456"));
        register.expect(ONE);
        assert_eq!(register.of_player(ADA), found(&[], &[ONE]));
        assert_eq!(register.of_code("123456"), found(&[], &[ONE]));
        register.enter(ONE, line(&[ADA], "123456"));
        assert_eq!(register.of_player(ADA), found(&[ONE], &[]));
    }
}
