//! The table service, as far as matchmaking needs it.
//!
//! [`Tables`] is the trait in plain terms; [`grpc`] asks the real pods.

pub mod grpc;

use std::collections::BTreeSet;

use async_trait::async_trait;
use parlor_common::{Failure, PlayerId, TableId};
use parlor_proto::table::v1::TableSettings;

use crate::error::Error;
use crate::room::RoomCode;
use crate::ticket::Member;

/// A table that is wanted, with seats for these players.
#[derive(Clone, Debug, PartialEq)]
pub struct NewTable {
    /// Names the request; a repetition finds the same table.
    pub request_id: String,
    /// Its settings.
    pub settings: TableSettings,
    /// Whose seats are reserved.
    pub players: Vec<Member>,
    /// Which of the players rules the table.
    pub host: Option<PlayerId>,
}

/// A table that was created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CreatedTable {
    /// The table.
    pub table: TableId,
    /// Seats in the order of [`NewTable::players`].
    pub seats: Vec<u32>,
}

/// Why there is no table, as far as the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CreateError {
    /// There is none.
    Refused(Failure),
    /// The answer was lost: there may be one.
    Unknown(Failure),
}

/// At which unfinished tables a player has a seat.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Whereabouts {
    /// The tables, sorted; at most one in a sound system.
    pub tables: BTreeSet<TableId>,
    /// How many pods answered.
    pub answered: u32,
    /// How many did not.
    pub silent: u32,
}

/// The seats of an unfinished table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seats {
    /// Who has a seat or the promise of one, with its number.
    pub taken: Vec<(PlayerId, u32)>,
    /// Seats that anybody may take.
    pub free: u32,
    /// Who rules the table.
    pub host: Option<PlayerId>,
    /// The number of the hand that runs or ran last; 0 before the first.
    pub hand_no: u64,
}

impl Seats {
    /// The player's seat.
    #[must_use]
    pub fn of(&self, player: PlayerId) -> Option<u32> {
        self.taken.iter().find(|(taken_by, _)| *taken_by == player).map(|(_, seat)| *seat)
    }

    /// Seats of all these players in their order; `None` unless all have one.
    #[must_use]
    pub fn of_all(&self, members: &[Member]) -> Option<Vec<u32>> {
        members.iter().map(|member| self.of(member.player)).collect()
    }
}

/// The table service.
#[async_trait]
pub trait Tables: Send + Sync + 'static {
    /// Creates a table and reserves the seats, all or none.
    async fn create(&self, table: NewTable) -> Result<CreatedTable, CreateError>;

    /// Asks all pods for a player's seats.
    async fn whereabouts(&self, player: PlayerId) -> Whereabouts;

    /// The seats of a table; `None` when it is closed or there is none.
    async fn seats(&self, table: TableId) -> Result<Option<Seats>, Failure>;

    /// Ends a table; one that is closed already is no failure.
    async fn close(&self, table: TableId, reason: &'static str) -> Result<(), Failure>;

    /// The table of a room code.
    ///
    /// # Errors
    /// [`Error::TablesUnavailable`] when none was found and not every pod answered.
    async fn with_code(&self, code: RoomCode) -> Result<Option<TableId>, Error>;
}
