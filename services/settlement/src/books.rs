//! The ledger and the history over a database.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use parlor_common::{Clock, HandId, PlayerId, Shutdown, TableId};
use tokio::sync::Semaphore;

use crate::Error;
use crate::boards::{self, BoardRow, Rating};
use crate::ledger::{ENTRIES, HANDS, HOLDS, History, Ledger};
use crate::money::{Digest, GAME_LENGTH, Receipt, Submission, is_name};
use crate::page::{Listing, Page, PageRequest};
use crate::results::Results;
use crate::store::{
    Audit, Balance, OpenHold, Seed, StatementLine, Store, StoredHand, StoredSummary,
};
use crate::wire;
use crate::writer::Writer;

/// Audits at a time: each reads everything there is.
const AUDITS: usize = 1;
/// How long an audit waits for the one before it, such as the one at the start of a process.
const AUDIT_WAIT: Duration = Duration::from_secs(5);

/// The ledger and the history of one process. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Books {
    store: Arc<dyn Store>,
    writer: Writer,
    audits: Arc<Semaphore>,
    clock: Clock,
}

impl Books {
    /// Opens the books over `store`, with at most `most` requests in a database transaction.
    #[must_use]
    pub fn open(store: Arc<dyn Store>, clock: Clock, most: usize, shutdown: &Shutdown) -> Self {
        let writer = Writer::start(Arc::clone(&store), clock.clone(), most, shutdown);
        let committed = writer.committed();
        let task = boards::derive_until_the_end(Arc::clone(&store), committed, shutdown.clone());
        shutdown.spawn("boards", task);
        Self { store, writer, audits: Arc::new(Semaphore::new(AUDITS)), clock }
    }

    /// A hand as it was posted.
    async fn stored(&self, hand: HandId, player: Option<PlayerId>) -> Result<StoredHand, Error> {
        let stored = self.store.hand(hand, player).await?.ok_or(Error::HandNotFound)?;
        if stored.digest != Some(Digest::of(&stored.record)) {
            tracing::error!(%hand, "the record of a hand is not the one that was posted");
            return Err(Error::Internal);
        }
        Ok(stored)
    }

    /// The last audit by whatever process, and when it had finished.
    ///
    /// # Errors
    ///
    /// [`Error::Unavailable`] when the database is away.
    pub async fn last_audit(&self) -> Result<Option<(i64, Audit)>, Error> {
        Ok(self.store.last_audit().await?)
    }
}

fn check_game(game: Option<&str>) -> Result<(), Error> {
    match game {
        Some(game) if !is_name(game, GAME_LENGTH) => Err(Error::BadGame),
        _ => Ok(()),
    }
}

#[async_trait]
impl Ledger for Books {
    async fn submit(&self, submission: Submission) -> Result<Receipt, Error> {
        self.writer.submit(submission).await
    }

    async fn balance(&self, player: PlayerId) -> Result<Balance, Error> {
        Ok(self.store.balance(player).await?)
    }

    async fn entries(
        &self,
        player: PlayerId,
        page: &PageRequest,
    ) -> Result<Page<StatementLine>, Error> {
        let list = Listing::new(format!("entries/{player}"), ENTRIES);
        let (size, before) = (list.size(page)?, list.position(page, u64::MAX)?);
        let rows = self.store.entries(player, before, size + 1).await?;
        Ok(list.page(rows, size, |line| line.transaction))
    }

    async fn open_holds(
        &self,
        table: Option<TableId>,
        page: &PageRequest,
    ) -> Result<Page<OpenHold>, Error> {
        let of = table.map_or_else(String::new, |table| table.to_string());
        let list = Listing::new(format!("holds/{of}"), HOLDS);
        let (size, after) = (list.size(page)?, list.position(page, 0)?);
        let rows = self.store.open_holds(table, after, size + 1).await?;
        Ok(list.page(rows, size, |hold| hold.opened))
    }

    async fn reconcile(&self) -> Result<Audit, Error> {
        let place = tokio::time::timeout(AUDIT_WAIT, self.audits.acquire()).await;
        let _place = place.map_err(|_| Error::Busy)?.map_err(|_| Error::Internal)?;
        let audit = self.store.audit().await?;
        self.store.note_audit(&audit, self.clock.now_ms()).await?;
        if !audit.sound() {
            tracing::error!(?audit, "the ledger is not sound");
        }
        Ok(audit)
    }
}

#[async_trait]
impl History for Books {
    async fn hand(&self, hand: HandId, player: Option<PlayerId>) -> Result<Bytes, Error> {
        let stored = self.stored(hand, player).await?;
        match &stored.seed {
            Some(seed) => wire::with_seed(stored.record, seed),
            None => Ok(stored.record),
        }
    }

    async fn reveal(&self, seeds: &[(HandId, Seed)]) -> Result<(), Error> {
        for (hand, seed) in seeds {
            let stored = self.stored(*hand, None).await?;
            if !wire::commits_to(stored.record, seed)? {
                return Err(Error::SeedMismatch(hand.to_string()));
            }
        }
        Ok(self.store.save_seeds(seeds).await?)
    }

    async fn hands(
        &self,
        player: PlayerId,
        game: Option<&str>,
        page: &PageRequest,
    ) -> Result<Page<StoredSummary>, Error> {
        check_game(game)?;
        let list = Listing::new(format!("hands/{player}/{}", game.unwrap_or("")), HANDS);
        let (size, before) = (list.size(page)?, list.position(page, u64::MAX)?);
        let rows = self.store.hands(player, game, before, size + 1).await?;
        Ok(list.page(rows, size, |hand| hand.seq))
    }

    async fn results(&self, cursor: u64, game: Option<String>) -> Result<Results, Error> {
        check_game(game.as_deref())?;
        if cursor > self.store.last().await? {
            return Err(Error::BadCursor);
        }
        Ok(Results::new(Arc::clone(&self.store), self.writer.committed(), cursor, game))
    }

    async fn rating(&self, player: PlayerId, game: &str) -> Result<Rating, Error> {
        check_game(Some(game))?;
        Ok(self.store.rating(player, game).await?.unwrap_or_default())
    }

    async fn board(&self, board: &str, limit: u32) -> Result<Vec<BoardRow>, Error> {
        let (board, limit) = (board.parse()?, boards::rows(limit)?);
        Ok(boards::ranked(self.store.board(&board, limit).await?))
    }
}
