//! The service in domain terms: what it can be asked, without gRPC.

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{HandId, HoldId, PlayerId, TableId};

use crate::Error;
use crate::boards::{BoardRow, Rating};
use crate::money::{Receipt, Submission};
use crate::page::{Page, PageRequest};
use crate::results::Results;
use crate::store::{Audit, Balance, OpenHold, Seed, StatementLine, StoredSummary};

/// The most and the usual number of lines of a statement on a page.
pub(crate) const ENTRIES: (u32, u32) = (200, 50);
/// The most and the usual number of holds on a page.
pub(crate) const HOLDS: (u32, u32) = (500, 100);
/// The most and the usual number of hands on a page.
pub(crate) const HANDS: (u32, u32) = (100, 20);

/// Money.
#[async_trait]
pub trait Ledger: Send + Sync + 'static {
    /// Enters a request. When this answers, the entry is durable; when it fails with
    /// [`Error::Unavailable`], repeating the request tells what has become of it.
    async fn submit(&self, submission: Submission) -> Result<Receipt, Error>;

    /// A player's money. A player who was never seen has none.
    async fn balance(&self, player: PlayerId) -> Result<Balance, Error>;

    /// A player's statement, newest first.
    async fn entries(
        &self,
        player: PlayerId,
        page: &PageRequest,
    ) -> Result<Page<StatementLine>, Error>;

    /// Stacks in play, oldest first; of one table or of all.
    async fn open_holds(
        &self,
        table: Option<TableId>,
        page: &PageRequest,
    ) -> Result<Page<OpenHold>, Error>;

    /// Checks the whole ledger.
    async fn reconcile(&self) -> Result<Audit, Error>;
}

/// What was played.
#[async_trait]
pub trait History: Send + Sync + 'static {
    /// The serialized record of a hand; with a player, only if the player took part.
    async fn hand(&self, hand: HandId, player: Option<PlayerId>) -> Result<Bytes, Error>;

    /// Completes records of hands that were posted while their seeds were secret; all or none.
    async fn reveal(&self, seeds: &[(HandId, Seed)]) -> Result<(), Error>;

    /// A player's hands, newest first; of one game or of all.
    async fn hands(
        &self,
        player: PlayerId,
        game: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<StoredSummary>, Error>;

    /// Results of hands after `cursor`, without end; of one game or of all.
    async fn results(&self, cursor: u64, game: Option<String>) -> Result<Results, Error>;

    /// A player's rating in a game.
    async fn rating(&self, player: PlayerId, game: &str) -> Result<Rating, Error>;

    /// The best rows of a board; 0: as many as usual.
    async fn board(&self, board: &str, limit: u32) -> Result<Vec<BoardRow>, Error>;
}

/// The hold that a receipt of a hold request stands for is named by its key.
#[must_use]
pub fn hold_of(submission: &Submission) -> HoldId {
    HoldId::of(submission.key().as_str())
}
