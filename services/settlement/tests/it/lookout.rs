//! Whether a table is there, as the table pods tell it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use parlor_common::client::{ClientOptions, connect};
use parlor_common::locate::{TableLocator, TablePod};
use parlor_common::{Code, Failure, TableId};
use parlor_settlement::lookout::PodTables;
use parlor_settlement::orphans::{TableLife, Tables};

/// Remembers a pod that is gone until it is told to forget it; then it has this failure.
struct Memory {
    remembers: AtomicBool,
    then: Failure,
}

impl Memory {
    fn of(then: Failure) -> Arc<Self> {
        Arc::new(Self { remembers: AtomicBool::new(true), then })
    }
}

#[async_trait]
impl TableLocator for Memory {
    async fn owner(&self, _table: &TableId) -> Result<TablePod, Failure> {
        if !self.remembers.load(Ordering::Relaxed) {
            return Err(self.then.clone());
        }
        // Nobody listens there.
        let address = "http://127.0.0.1:1";
        let channel = connect(address, &ClientOptions::default()).unwrap();
        Ok(TablePod { address: address.into(), channel })
    }

    async fn place(&self) -> Result<TablePod, Failure> {
        Err(self.then.clone())
    }

    async fn all(&self) -> Result<Vec<TablePod>, Failure> {
        Err(self.then.clone())
    }

    fn forget(&self, _table: &TableId) {
        self.remembers.store(false, Ordering::Relaxed);
    }
}

#[tokio::test]
async fn a_pod_that_is_gone_for_good_does_not_hide_that_its_table_is_lost() {
    let lost = Failure::new(Code::NotFound, "TABLE_NOT_FOUND", "there is no such table");
    let pods = PodTables::new(Memory::of(lost));
    assert_eq!(pods.life(TableId::random()).await, TableLife::Gone);
}

#[tokio::test]
async fn a_table_is_not_gone_while_no_pod_answers() {
    let away = Failure::new(Code::Unavailable, "NO_TABLE_POD", "no table pod answers");
    let pods = PodTables::new(Memory::of(away));
    assert_eq!(pods.life(TableId::random()).await, TableLife::Unknown);
}
