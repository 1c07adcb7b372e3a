//! Clubs in a file, or in memory, through redb: unlike tickets they must outlive the process.
//!
//! Every change is one transaction, on disk before it is answered. Changes of clubs are rare, so
//! each has a commit of its own.

use std::path::Path;
use std::sync::Arc;

use async_trait::async_trait;
use parlor_common::{PlayerId, TableId};
use redb::backends::InMemoryBackend;
use redb::{
    Database, ReadTransaction, ReadableDatabase, ReadableTable, TableDefinition, WriteTransaction,
};
use serde::de::DeserializeOwned;

use crate::club::{CardEntry, ClubId, InviteCode};
use crate::error::Error;
use crate::store::{ClubSave, ClubStore, StoredClub};

type Text = TableDefinition<'static, &'static str, &'static str>;

/// Stored clubs as JSON, by id.
const CLUBS: Text = TableDefinition::new("clubs");
/// Lines of card books as JSON, by `club/number`, the number with 20 digits.
const ENTRIES: Text = TableDefinition::new("card_entries");
/// Keys in `ENTRIES` by `club/key of the line`.
const ENTRY_KEYS: Text = TableDefinition::new("card_entry_keys");
/// Clubs by `player/club`.
const MEMBERS: Text = TableDefinition::new("members");
/// Clubs by invite code.
const INVITES: Text = TableDefinition::new("invites");
/// Clubs by table of an open room.
const TABLES: Text = TableDefinition::new("tables");
/// Clubs with open rooms, by id.
const OPEN: Text = TableDefinition::new("open");

const ALL: [Text; 7] = [CLUBS, ENTRIES, ENTRY_KEYS, MEMBERS, INVITES, TABLES, OPEN];

/// Clubs of a single process.
#[derive(Clone, Debug)]
pub(super) struct ClubBook {
    database: Arc<Database>,
    place: Place,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Memory,
    File,
}

impl ClubBook {
    /// Clubs that end with the process.
    pub(super) fn in_memory() -> Result<Self, Error> {
        let database = Database::builder().create_with_backend(InMemoryBackend::new());
        Self::with_tables(database.map_err(failed)?, Place::Memory)
    }

    /// Clubs in this file, which is made if there is none.
    pub(super) fn in_file(path: &Path) -> Result<Self, Error> {
        Self::with_tables(Database::create(path).map_err(failed)?, Place::File)
    }

    fn with_tables(database: Database, place: Place) -> Result<Self, Error> {
        let transaction = database.begin_write().map_err(failed)?;
        for table in ALL {
            transaction.open_table(table).map_err(failed)?;
        }
        transaction.commit().map_err(failed)?;
        Ok(Self { database: Arc::new(database), place })
    }

    async fn run<T: Send + 'static>(
        &self,
        step: impl FnOnce(&Database) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        match self.place {
            Place::Memory => step(&self.database),
            Place::File => {
                let database = Arc::clone(&self.database);
                tokio::task::spawn_blocking(move || step(&database)).await.map_err(failed)?
            }
        }
    }

    async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&ReadTransaction) -> Result<T, Error> + Send + 'static,
    ) -> Result<T, Error> {
        self.run(move |database| read(&database.begin_read().map_err(failed)?)).await
    }
}

fn failed(error: impl std::fmt::Display) -> Error {
    Error::StoreUnavailable(error.to_string())
}

fn json<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(failed)
}

fn to_json<T: serde::Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(failed)
}

fn find(transaction: &ReadTransaction, table: Text, key: &str) -> Result<Option<String>, Error> {
    let table = transaction.open_table(table).map_err(failed)?;
    let found = table.get(key).map_err(failed)?;
    Ok(found.map(|found| found.value().to_owned()))
}

fn entry_key(club: ClubId, number: u64) -> String {
    format!("{club}/{number:020}")
}

/// Writes one change, or nothing when it does not begin with what is stored.
fn save(database: &Database, save: &ClubSave) -> Result<bool, Error> {
    let transaction = database.begin_write().map_err(failed)?;
    let fit = fit(&transaction, save)?;
    if fit != Fit::New {
        transaction.abort().map_err(failed)?;
        return Ok(fit == Fit::Done);
    }
    write(&transaction, save)?;
    transaction.commit().map_err(failed)?;
    Ok(true)
}

/// How a change fits what is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fit {
    /// It is to be made.
    New,
    /// It was made before.
    Done,
    /// It cannot be made.
    Not,
}

fn fit(transaction: &WriteTransaction, save: &ClubSave) -> Result<Fit, Error> {
    let id = save.to.club.id.to_string();
    let clubs = transaction.open_table(CLUBS).map_err(failed)?;
    let version = match clubs.get(id.as_str()).map_err(failed)? {
        Some(held) => {
            let held: StoredClub = json(held.value())?;
            if held.write == save.to.write {
                return Ok(Fit::Done);
            }
            held.version
        }
        None => 0,
    };
    let invites = transaction.open_table(INVITES).map_err(failed)?;
    let taken = invites.get(save.indexes.new_invite.as_str()).map_err(failed)?;
    let free = taken.is_none_or(|club| club.value() == id);
    Ok(if version == save.from_version && free { Fit::New } else { Fit::Not })
}

fn write(transaction: &WriteTransaction, save: &ClubSave) -> Result<(), Error> {
    let ClubSave { to, entry, indexes, .. } = save;
    let id = to.club.id.to_string();
    let put = |table: Text, key: &str, value: &str| -> Result<(), Error> {
        let mut table = transaction.open_table(table).map_err(failed)?;
        table.insert(key, value).map(drop).map_err(failed)
    };
    let take = |table: Text, key: &str| -> Result<(), Error> {
        let mut table = transaction.open_table(table).map_err(failed)?;
        table.remove(key).map(drop).map_err(failed)
    };
    put(CLUBS, &id, &to_json(to)?)?;
    if let Some(entry) = entry {
        let key = entry_key(to.club.id, entry.number);
        put(ENTRIES, &key, &to_json(entry)?)?;
        put(ENTRY_KEYS, &format!("{id}/{}", entry.key), &key)?;
    }
    for player in &indexes.left {
        take(MEMBERS, &format!("{player}/{id}"))?;
    }
    for player in &indexes.joined {
        put(MEMBERS, &format!("{player}/{id}"), &id)?;
    }
    for table in &indexes.closed {
        take(TABLES, &table.to_string())?;
    }
    for table in &indexes.opened {
        put(TABLES, &table.to_string(), &id)?;
    }
    if !indexes.old_invite.is_empty() {
        take(INVITES, &indexes.old_invite)?;
    }
    if !indexes.new_invite.is_empty() {
        put(INVITES, &indexes.new_invite, &id)?;
    }
    if to.club.rooms.is_empty() { take(OPEN, &id) } else { put(OPEN, &id, &id) }
}

#[async_trait]
impl ClubStore for ClubBook {
    async fn club(&self, club: ClubId) -> Result<Option<StoredClub>, Error> {
        let found = self.read(move |books| find(books, CLUBS, &club.to_string())).await?;
        found.map(|found| json(&found)).transpose()
    }

    async fn save_club(&self, change: &ClubSave) -> Result<bool, Error> {
        let change = change.clone();
        self.run(move |database| save(database, &change)).await
    }

    async fn card_entry(&self, club: ClubId, key: &str) -> Result<Option<CardEntry>, Error> {
        let key = format!("{club}/{key}");
        let found = self.read(move |books| match find(books, ENTRY_KEYS, &key)? {
            Some(entry) => find(books, ENTRIES, &entry),
            None => Ok(None),
        });
        found.await?.map(|found| json(&found)).transpose()
    }

    async fn card_entries(
        &self,
        club: ClubId,
        before: u64,
        most: u32,
    ) -> Result<Vec<CardEntry>, Error> {
        let (first, end) = (entry_key(club, 0), entry_key(club, before));
        self.read(move |books| {
            let entries = books.open_table(ENTRIES).map_err(failed)?;
            let range = entries.range(first.as_str()..end.as_str()).map_err(failed)?;
            let newest = range.rev().take(usize::try_from(most).unwrap_or(usize::MAX));
            newest.map(|entry| json(entry.map_err(failed)?.1.value())).collect()
        })
        .await
    }

    async fn clubs_of(&self, player: PlayerId) -> Result<Vec<ClubId>, Error> {
        // '0' is the character after '/'.
        let (first, end) = (format!("{player}/"), format!("{player}0"));
        self.read(move |books| {
            let members = books.open_table(MEMBERS).map_err(failed)?;
            let range = members.range(first.as_str()..end.as_str()).map_err(failed)?;
            range.map(|member| member.map_err(failed)?.1.value().parse()).collect()
        })
        .await
    }

    async fn club_of_invite(&self, invite: InviteCode) -> Result<Option<ClubId>, Error> {
        let found = self.read(move |books| find(books, INVITES, &invite.to_string())).await?;
        found.map(|club| club.parse()).transpose()
    }

    async fn club_of_table(&self, table: TableId) -> Result<Option<ClubId>, Error> {
        let found = self.read(move |books| find(books, TABLES, &table.to_string())).await?;
        found.map(|club| club.parse()).transpose()
    }

    async fn clubs_with_rooms(&self) -> Result<Vec<ClubId>, Error> {
        self.read(|books| {
            let open = books.open_table(OPEN).map_err(failed)?;
            let clubs = open.iter().map_err(failed)?;
            clubs.map(|club| club.map_err(failed)?.1.value().parse()).collect()
        })
        .await
    }
}
