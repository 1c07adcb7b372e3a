//! The registry of table pods, which outlives them, and the way of one pod to it.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use parlor_common::PodId;
use parlor_table::cluster::{Echo, Heartbeat, Registry};
use parlor_table::store::StoreError;

use super::life::Way;

/// Who is up, by what they said last.
#[derive(Debug, Default)]
pub struct Roll {
    heartbeats: Mutex<BTreeMap<PodId, Heartbeat>>,
}

impl Roll {
    fn heartbeats(&self) -> MutexGuard<'_, BTreeMap<PodId, Heartbeat>> {
        self.heartbeats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One pod's way to the registry.
#[derive(Clone)]
pub struct Caller {
    /// What it leads to.
    pub roll: Arc<Roll>,
    /// The way.
    pub way: Way,
}

impl Caller {
    async fn call<T: Send + 'static>(
        &self,
        what: &str,
        effect: impl FnOnce(&Roll) -> T + Send + 'static,
    ) -> Result<T, StoreError> {
        let roll = Arc::clone(&self.roll);
        let done = self.way.call(what, Box::pin(async move { effect(&roll) })).await;
        done.ok_or_else(|| StoreError::Unavailable("no answer".into()))
    }
}

#[async_trait]
impl Registry for Caller {
    async fn beat(&self, heartbeat: &Heartbeat) -> Result<Echo, StoreError> {
        let heartbeat = heartbeat.clone();
        let beat = move |roll: &Roll| {
            let mut all = roll.heartbeats();
            let forgotten = all.insert(heartbeat.id, heartbeat).is_none();
            Echo { forgotten, heartbeats: all.values().cloned().collect() }
        };
        self.call("heartbeat", beat).await
    }

    async fn all(&self) -> Result<Vec<Heartbeat>, StoreError> {
        self.call("pods", |roll| roll.heartbeats().values().cloned().collect()).await
    }

    async fn remove(&self, pod: PodId) -> Result<(), StoreError> {
        self.call("strike off", move |roll| {
            roll.heartbeats().remove(&pod);
        })
        .await
    }
}
