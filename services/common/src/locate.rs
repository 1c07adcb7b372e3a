//! Where tables live: which pod owns a table, and which takes a new one.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use async_trait::async_trait;
use futures_util::future::join_all;
use parlor_proto::table::v1::GetTableRequest;
use parlor_proto::table::v1::table_service_client::TableServiceClient;

use crate::client::{ClientOptions, PeerChannel, connect};
use crate::{Code, Error, Failure, TableId};

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
}

/// Most tables whose pod [`StaticTables`] remembers; a few dozen bytes each.
const REMEMBERED: usize = 65_536;

/// A fixed list of table pods. With more than one, a table's owner is found by asking them all,
/// and remembered.
#[derive(Debug)]
pub struct StaticTables {
    pods: Vec<TablePod>,
    next: AtomicUsize,
    owners: Mutex<HashMap<TableId, usize>>,
}

impl StaticTables {
    /// The pods at these URLs.
    ///
    /// # Errors
    /// [`Error::PeerAddress`] when one is not a URL, or there is none.
    pub fn new<Url: AsRef<str>>(urls: &[Url], options: &ClientOptions) -> Result<Self, Error> {
        if urls.is_empty() {
            return Err(Error::PeerAddress { url: String::new() });
        }
        let pod = |url: &Url| {
            let channel = connect(url.as_ref(), options)?;
            Ok(TablePod { address: url.as_ref().into(), channel })
        };
        Ok(Self::of(urls.iter().map(pod).collect::<Result<_, Error>>()?))
    }

    /// These pods; at least one.
    #[must_use]
    pub fn of(pods: Vec<TablePod>) -> Self {
        Self { pods, next: AtomicUsize::new(0), owners: Mutex::default() }
    }

    fn remembered(&self, table: &TableId) -> Option<TablePod> {
        let owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        owners.get(table).and_then(|&index| self.pods.get(index)).cloned()
    }

    fn remember(&self, table: TableId, index: usize) {
        let mut owners = self.owners.lock().unwrap_or_else(PoisonError::into_inner);
        if owners.len() >= REMEMBERED {
            owners.clear();
        }
        owners.insert(table, index);
    }
}

#[async_trait]
impl TableLocator for StaticTables {
    async fn owner(&self, table: &TableId) -> Result<TablePod, Failure> {
        if let [only] = self.pods.as_slice() {
            return Ok(only.clone());
        }
        if let Some(pod) = self.remembered(table) {
            return Ok(pod);
        }
        let asked = self.pods.iter().map(|pod| {
            let mut client = TableServiceClient::new(pod.channel.clone());
            let request = GetTableRequest { table_id: table.to_string() };
            async move { client.get_table(request).await }
        });
        let mut away = None;
        for (index, (pod, answer)) in self.pods.iter().zip(join_all(asked).await).enumerate() {
            match answer.map_err(Failure::from) {
                Ok(_) => {
                    self.remember(*table, index);
                    return Ok(pod.clone());
                }
                Err(failure) if failure.code == Code::NotFound => {}
                // The owner may be the one that does not answer.
                Err(failure) => away = Some(failure),
            }
        }
        let unknown = || Failure::new(Code::NotFound, "TABLE_NOT_FOUND", "no pod has such a table");
        Err(away.unwrap_or_else(unknown))
    }

    async fn place(&self) -> Result<TablePod, Failure> {
        let turn = self.next.fetch_add(1, Ordering::Relaxed) % self.pods.len().max(1);
        let pod = self.pods.get(turn).cloned();
        pod.ok_or_else(|| Failure::new(Code::Unavailable, "NO_TABLE_POD", "no table pod is up"))
    }

    async fn all(&self) -> Result<Vec<TablePod>, Failure> {
        Ok(self.pods.clone())
    }

    fn forget(&self, table: &TableId) {
        self.owners.lock().unwrap_or_else(PoisonError::into_inner).remove(table);
    }
}
