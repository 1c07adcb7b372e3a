//! Where tables live: which pod owns a table, and which takes a new one.
//!
//! [`LiveTables`] asks the table pods, which know each other; [`StaticTables`] has a list that does
//! not change.

mod fixed;
mod live;
mod owners;

use async_trait::async_trait;

use crate::client::PeerChannel;
use crate::{Failure, TableId};

pub use fixed::StaticTables;
pub use live::LiveTables;

/// Metadata of `UNAVAILABLE`/`TABLE_MOVED`: where the new owner is called, if that is known.
pub const OWNER_URL: &str = "owner_url";

/// A table pod that can be called.
#[derive(Clone, Debug)]
pub struct TablePod {
    /// Its URL, which also names it: two pods with the same address are the same pod.
    pub address: std::sync::Arc<str>,
    /// To call it. Cheap to clone.
    pub channel: PeerChannel,
}

/// Finds table pods.
#[async_trait]
pub trait TableLocator: Send + Sync + 'static {
    /// The pod that owns a table. `NOT_FOUND`/`TABLE_NOT_FOUND`; `UNAVAILABLE` while nobody does.
    async fn owner(&self, table: &TableId) -> Result<TablePod, Failure>;

    /// The pod that should take a new table. When it does not, ask again: another may be named.
    async fn place(&self) -> Result<TablePod, Failure>;

    /// All pods that are up.
    async fn all(&self) -> Result<Vec<TablePod>, Failure>;

    /// The pod that [`TableLocator::owner`] named does not have the table (any more): look afresh
    /// the next time.
    fn forget(&self, table: &TableId);

    /// The table has been heard to be at the pod that is called there. By default, where it is has
    /// to be found out.
    fn learn(&self, table: &TableId, url: &str) {
        let _ = url;
        self.forget(table);
    }

    /// Whether the pod of this address is known not to own tables any more, although it may still
    /// keep its connections: it has left, or has fallen silent for longer than its lease.
    async fn has_departed(&self, address: &str) -> bool {
        let _ = address;
        false
    }

    /// The pod of this address did not answer: name another for new tables, for a while.
    fn avoid(&self, address: &str) {
        let _ = address;
    }
}
