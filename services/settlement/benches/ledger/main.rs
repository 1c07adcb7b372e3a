//! Hands a second: the ledger's group commit against one transaction a hand, in the same run, on
//! the same server, with the same tables, indexes and records.
//!
//!     PARLOR_TEST_POSTGRES_URL=postgres://… cargo bench -p parlor-settlement --bench ledger
//!
//! Without the variable only the embedded database is measured.
#![allow(clippy::unwrap_used, missing_docs)]

mod peer;
mod place;
mod play;

use std::sync::Arc;
use std::time::Duration;

use parlor_common::{Clock, Shutdown};
use parlor_settlement::books::Books;
use parlor_settlement::ledger::Ledger;
use parlor_settlement::store;

use crate::place::Place;
use crate::play::{Rake, Table};

/// How long each measurement lasts, once everybody is seated.
const SPAN: Duration = Duration::from_secs(6);
/// Tables that play at the same time, each posting one hand after the other.
const TABLES: usize = 1_000;
/// Connections of the peer; more were slower on two cores.
const PEER_CONNECTIONS: u32 = 16;
/// Requests in a batch: the default of the service.
const BATCH: usize = 512;

fn main() {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap().block_on(measure());
}

async fn measure() {
    for rake in [Rake::Taken, Rake::None] {
        println!("{rake:?}: {TABLES} tables of four, a record of {} bytes", play::RECORD);
        let embedded = Place::sqlite();
        let sqlite = ours(&embedded, rake).await;
        println!("  group commit, SQLite       {sqlite:9.0} hands/s");
        let Some(place) = Place::postgres().await else {
            println!("  PARLOR_TEST_POSTGRES_URL is not set");
            continue;
        };
        let ours = ours(&place, rake).await;
        println!("  group commit, PostgreSQL   {ours:9.0} hands/s");
        place.remove().await;
        let place = Place::postgres().await.unwrap();
        let peer = peer::measure(&place, rake).await;
        println!("  one transaction a hand     {peer:9.0} hands/s");
        place.remove().await;
        println!("  ratio                      {:9.1}", ours / peer);
    }
}

async fn ours(place: &Place, rake: Rake) -> f64 {
    let shutdown = Shutdown::new();
    let store = store::open(&place.url, 8).await.unwrap();
    let books = Books::open(store, Clock::system(), BATCH, &shutdown);
    let seated = (0..TABLES).map(|_| Table::seat(&books));
    let tables = futures_util::future::join_all(seated).await;
    let books = Arc::new(books);
    let post = {
        let books = Arc::clone(&books);
        move |submission| {
            let books = Arc::clone(&books);
            async move {
                books.submit(submission).await.unwrap();
            }
        }
    };
    let rate = play::rate(tables, rake, SPAN, post).await;
    let audit = books.reconcile().await.unwrap();
    assert!(audit.sound(), "{audit:?}");
    drop(books);
    shutdown.finished(Duration::from_secs(30)).await.unwrap();
    rate
}
