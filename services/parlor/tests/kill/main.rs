//! Whole systems of real processes, in which one after another dies, sleeps or leaves while clients
//! play: nothing that was acknowledged may be lost or doubled, and play goes on.
//!
//! Needs `redis-server`, `redis-cli` and PARLOR_TEST_POSTGRES_URL, and takes a minute or two, so it
//! runs by itself: `deploy/test.sh kill`. PARLOR_TEST_KILL_TABLES sets the number of tables.
#![allow(clippy::unwrap_used)]

mod balance;
mod blows;
mod books;
mod figures;
mod log;
mod play;
mod pod;
mod redis_cluster;
mod system;

use std::time::Duration;

use crate::blows::Blow;
use crate::figures::Figures;
use crate::play::Play;
use crate::system::System;

/// Tables when nobody says.
const TABLES: usize = 24;

/// Play goes on for so long between two blows, and before the first.
const CALM: Duration = Duration::from_secs(4);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "whole systems of processes: deploy/test.sh kill"]
async fn whoever_dies_nothing_acknowledged_is_lost_and_play_goes_on() {
    let tables = std::env::var("PARLOR_TEST_KILL_TABLES").ok();
    let tables = tables.map_or(TABLES, |text| text.parse().unwrap());
    let mut system = System::start().await;
    let mut play = Play::begin(&system, tables).await;
    let mut figures = Figures::new(tables);
    tokio::time::sleep(CALM).await;
    figures.note("nothing", &play.calm(CALM));
    for blow in Blow::ALL {
        blow.fall(&mut system, &mut play, &mut figures).await;
        log::check(&system, &play).await;
        books::check(&system, play.guests).await;
        play.check();
        tokio::time::sleep(CALM).await;
    }
    let guests = play.guests;
    let (table_ids, accepted) = play.end().await;
    log::check_all(&system, &table_ids, &accepted).await;
    books::check_end(&system, &table_ids, guests).await;
    println!("{figures}");
    system.end().await;
}
