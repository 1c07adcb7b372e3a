//! The faults that no call brings about: deaths, cut connections, stolen leases, jumping clocks.

use std::sync::Arc;

use super::world::{Process, World};

/// Brings trouble until the run is calm.
pub async fn make_trouble(world: Arc<World>) {
    loop {
        tokio::time::sleep(world.fate.pause(200, 2_500)).await;
        if world.fate.is_calm() {
            return;
        }
        let alive = world.alive();
        let Some(process) = alive.get(world.fate.place(alive.len())) else { continue };
        match world.fate.between(0, 9) {
            0..=2 => kill(&world, process),
            3..=6 => cut(&world, process),
            7..=8 => freeze(&world, process),
            _ => jump(&world, process),
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

/// The stores do not hear of a process for longer than its leases: others take over what it has,
/// while it lives and does not know.
fn freeze(world: &World, process: &Process) {
    let pause = world.fate.pause(500, 7_000);
    world.fate.note(format_args!("{} stands still for {pause:?}", process.life.name()));
    process.life.freeze(pause);
}

fn jump(world: &World, process: &Process) {
    let by_ms = i64::try_from(world.fate.between(0, 8_000)).unwrap_or(0) - 3_000;
    world.fate.note(format_args!("the clock of {} jumps by {by_ms}", process.life.name()));
    process.clock.advance_ms(by_ms);
}
