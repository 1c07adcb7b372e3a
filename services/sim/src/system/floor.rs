//! The way of a matchmaker to the tables: the real one, with steps at which it may die.

use async_trait::async_trait;
use parlor_common::{Failure, PlayerId, TableId};
use parlor_matchmaking::Error;
use parlor_matchmaking::room::RoomCode;
use parlor_matchmaking::tables::grpc::TablePods;
use parlor_matchmaking::tables::{CreateError, CreatedTable, NewTable, Seats, Tables, Whereabouts};

use super::life::{Moment, Way};

/// The table pods, as one matchmaker calls them.
pub struct Floor {
    /// Calls them.
    pub pods: TablePods,
    /// Where the caller may die.
    pub way: Way,
}

impl Floor {
    async fn step<T>(&self, what: &str, call: impl Future<Output = T> + Send) -> T {
        self.way.pass(what, Moment::Before).await;
        let answer = call.await;
        self.way.pass(what, Moment::After).await;
        answer
    }
}

#[async_trait]
impl Tables for Floor {
    async fn create(&self, table: NewTable) -> Result<CreatedTable, CreateError> {
        self.step("create_table", self.pods.create(table)).await
    }

    async fn whereabouts(&self, player: PlayerId) -> Whereabouts {
        self.step("whereabouts", self.pods.whereabouts(player)).await
    }

    async fn seats(&self, table: TableId) -> Result<Option<Seats>, Failure> {
        self.step("seats", self.pods.seats(table)).await
    }

    async fn close(&self, table: TableId, reason: &'static str) -> Result<(), Failure> {
        self.step("close_table", self.pods.close(table, reason)).await
    }

    async fn with_code(&self, code: RoomCode) -> Result<Option<TableId>, Error> {
        self.step("with_code", self.pods.with_code(code)).await
    }
}
