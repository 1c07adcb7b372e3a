//! A list of pods that does not change.

use std::sync::atomic::{AtomicUsize, Ordering};

use async_trait::async_trait;
use futures_util::future::join_all;
use parlor_proto::table::v1::GetTableRequest;
use parlor_proto::table::v1::table_service_client::TableServiceClient;

use super::owners::Owners;
use super::{TableLocator, TablePod};
use crate::client::{ClientOptions, connect};
use crate::{Code, Error, Failure, TableId};

/// A fixed list of table pods. With more than one, a table's owner is found by asking them all,
/// and remembered.
#[derive(Debug)]
pub struct StaticTables {
    pods: Vec<TablePod>,
    next: AtomicUsize,
    owners: Owners<usize>,
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
        Self { pods, next: AtomicUsize::new(0), owners: Owners::default() }
    }
}

#[async_trait]
impl TableLocator for StaticTables {
    async fn owner(&self, table: &TableId) -> Result<TablePod, Failure> {
        if let [only] = self.pods.as_slice() {
            return Ok(only.clone());
        }
        if let Some(pod) = self.owners.of(table).and_then(|index| self.pods.get(index)) {
            return Ok(pod.clone());
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
                    self.owners.remember(*table, index);
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
        self.owners.forget(table);
    }
}
