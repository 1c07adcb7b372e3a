//! What happens to the system while clients play.

use std::time::Duration;

use tokio::time::{Instant, sleep};

use crate::figures::Figures;
use crate::play::Play;
use crate::system::{LEASE_MS, System};

/// A process that was killed is started again after so long, as its deployment would.
const RESTART: Duration = Duration::from_secs(3);

/// A blow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blow {
    KillTable,
    KillGateway,
    KillSettlement,
    KillRedisMaster,
    StopTable,
    DrainTable,
}

impl Blow {
    pub const ALL: [Self; 6] = [
        Self::KillTable,
        Self::KillGateway,
        Self::KillSettlement,
        Self::KillRedisMaster,
        Self::StopTable,
        Self::DrainTable,
    ];

    /// Falls, and waits until all tables have gone on, and whoever fell is back.
    pub async fn fall(self, system: &mut System, play: &mut Play, figures: &mut Figures) {
        let since = Instant::now();
        match self {
            Self::KillTable => {
                let place = system.busiest().await;
                system.tables[place].kill().await;
                figures.note("kill -9 of a table process", &play.settle(since).await);
                restart_table(system, place, since).await;
            }
            Self::KillGateway => {
                system.gateways[0].kill().await;
                figures.note("kill -9 of a gateway", &play.settle(since).await);
                restarted_at(since).await;
                system.gateways[0].restart();
                system.await_health(system.gateway_port(0)).await;
            }
            Self::KillSettlement => {
                system.settlements[0].kill().await;
                figures.note("kill -9 of a settlement", &play.settle(since).await);
                restarted_at(since).await;
                system.settlements[0].restart();
            }
            Self::KillRedisMaster => {
                let key = format!("{{{}}}:log", play.table_ids[0]);
                let place = system.redis.kill_master_of(&key).await;
                restarted_at(since).await;
                system.redis.restart(place);
                figures.note("kill -9 of a Redis master", &play.settle(since).await);
                system.redis.ready().await;
            }
            Self::StopTable => stop_table(system, play, figures).await,
            Self::DrainTable => {
                let place = system.busiest().await;
                system.tables[place].signal("TERM").await;
                system.tables[place].ended().await;
                figures.note("SIGTERM of a table process", &play.settle(since).await);
                restart_table(system, place, since).await;
            }
        }
    }
}

/// An owner sleeps past its lease, wakes, and must not write to what is not its own any more.
async fn stop_table(system: &System, play: &Play, figures: &mut Figures) {
    let (since, place) = (Instant::now(), system.busiest().await);
    system.tables[place].signal("STOP").await;
    sleep(3 * Duration::from_millis(LEASE_MS)).await;
    figures.note("SIGSTOP of a table process", &play.settle(since).await);
    let woken = Instant::now();
    system.tables[place].signal("CONT").await;
    figures.note("it wakes", &play.settle(woken).await);
    let owned = system.owned().await;
    assert_eq!(owned[place], 0, "all of its tables were taken over: {owned:?}");
}

async fn restart_table(system: &mut System, place: usize, since: Instant) {
    restarted_at(since).await;
    system.tables[place].restart();
    system.await_health(system.table_ports[place]).await;
}

async fn restarted_at(since: Instant) {
    tokio::time::sleep_until(since + RESTART).await;
}
