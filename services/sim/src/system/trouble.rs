//! The faults that no call brings about: deaths, orders to end, cut connections, stolen leases,
//! processes that stand still, jumping clocks.

use std::sync::Arc;

use super::life::Still;
use super::world::{Process, Role, World};

/// Brings trouble until the run is calm.
pub async fn make_trouble(world: Arc<World>) {
    loop {
        tokio::time::sleep(world.fate.pause(200, 2_500)).await;
        if world.fate.is_calm() {
            return;
        }
        let alive = world.alive();
        let Some(process) = alive.get(world.fate.place(alive.len())) else { continue };
        match world.fate.between(0, 12) {
            0..=2 => kill(&world, process),
            3..=5 => cut(&world, process),
            6..=7 => freeze(&world, process, Still::Calls),
            8 => freeze(&world, process, Still::Everything),
            9 => jump(&world, process),
            10..=11 => terminate(&world, process),
            _ => roll_out(&world),
        }
    }
}

fn kill(world: &World, process: &Process) {
    world.fate.note(format_args!("{} is killed", process.life.name()));
    process.life.end();
}

fn cut(world: &World, process: &Process) {
    let most = if world.fate.happens(500) { 1_000 } else { 400 };
    world.fate.note(format_args!("{} is cut off", process.life.name()));
    world.network.cut(process.life.name(), most);
}

/// The stores, or everybody, do not hear of a process for longer than its leases: others take over
/// what it has, while it lives and does not know.
fn freeze(world: &World, process: &Process, still: Still) {
    let pause = world.fate.pause(500, 7_000);
    let name = process.life.name();
    world.fate.note(format_args!("{name} stands still for {pause:?} ({still:?})"));
    process.life.freeze(still, pause);
}

fn jump(world: &World, process: &Process) {
    let by_ms = i64::try_from(world.fate.between(0, 8_000)).unwrap_or(0) - 3_000;
    world.fate.note(format_args!("the clock of {} jumps by {by_ms}", process.life.name()));
    process.clock.advance_ms(by_ms);
}

/// SIGTERM: a table pod passes its tables on, a gateway sends its clients away.
fn terminate(world: &Arc<World>, process: &Process) {
    let (world, process) = (Arc::clone(world), process.clone());
    world.shutdown.clone().spawn("terminate", async move { world.terminate(&process).await });
}

/// A new version of something, while everything else goes wrong too.
fn roll_out(world: &Arc<World>) {
    let Some(role) = Role::ALL.get(world.fate.place(Role::ALL.len())).copied() else { return };
    world.fate.note(format_args!("a rolling restart of {role:?}"));
    let world = Arc::clone(world);
    world.shutdown.clone().spawn("roll-out", async move { world.roll_out(role).await });
}
