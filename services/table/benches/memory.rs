//! What a table takes of the resident memory of a table service, awake and asleep.
//!
//!     cargo bench -p parlor-table --bench memory
//!
//! Tables at which four players sit and nobody plays, in the embedded store: the memory holds what
//! a table service holds, and not the log.

#[allow(dead_code, reason = "the benches share it")]
mod support;

use std::sync::Arc;
use std::time::Duration;

use parlor_common::process::resident_bytes;
use parlor_table::Upkeep;
use parlor_table::store::EmbeddedStore;
use support::{Party, Start, tables};
use tokio::runtime::Builder;

const TABLES: usize = 10_000;
/// How long nothing happens before a table leaves the memory.
const IDLE: Duration = Duration::from_secs(30);
/// When tables that are still awake are given up: something keeps them so.
const PATIENCE: Duration = Duration::from_secs(60);

/// Resident memory of this process in bytes.
#[allow(clippy::cast_precision_loss)] // No process has 2^53 bytes.
fn resident() -> f64 {
    resident_bytes(std::process::id()).expect("Linux") as f64
}

async fn measure() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = EmbeddedStore::open(&folder.path().join("tables.redb")).expect("a store");
    let upkeep = Upkeep { passivate_after: Some(IDLE), ..Upkeep::default() };
    let tables = tables(Arc::new(store), TABLES, upkeep).await;
    let before = resident();
    let each = |bytes: f64| (bytes - before) / TABLES as f64 / 1024.0;
    for number in 0..TABLES {
        Party::open(&tables, number, Start::Never).await;
    }
    let (awake, running) = (resident(), tables.all().len());
    println!("awake:  {:6.2} KiB a table; {running} of {TABLES} are", each(awake));
    let asleep = async {
        while tables.sleepers().len() < TABLES {
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
    };
    tokio::time::timeout(PATIENCE, asleep).await.expect("tables that sleep");
    println!("asleep: {:6.2} KiB a table", each(resident()));
}

fn main() {
    let runtime = Builder::new_multi_thread().enable_all().build().expect("a runtime");
    runtime.block_on(measure());
}
