//! Connections that a client has given up without saying so, as when a phone changes networks: the
//! old session must hear that there is a later one.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use parlor_proto::gateway::v1 as gateway;
use parlor_proto::gateway::v1::client_frame::Frame as Out;
use prost::Message;
use tokio::time::Instant;

use super::super::oracle::Invariant;
use super::super::world::World;
use super::{Line, Player};

/// How often a connection is given up without saying so, in a thousand.
const GHOSTS: u64 = 300;
/// A ghost says so often that it is there.
const PING: Duration = Duration::from_secs(6);
/// How often it looks around.
const LOOK: Duration = Duration::from_secs(1);
/// Once nothing goes wrong any more, what was missed is made good within so long: gateways renew
/// their sessions every 15 s.
const MADE_GOOD: Duration = Duration::from_secs(25);

impl Player {
    /// Gives a connection up, in one of the ways in which clients do.
    pub(super) fn give_up(&self, line: Line) {
        let is_there = line.is_welcome && !line.life.is_over();
        if is_there && self.world.fate.happens(GHOSTS) {
            let (world, is_home) = (Arc::clone(&self.world), Arc::clone(&self.is_home));
            let ghost = self.world.shutdown.spawn("ghost", haunt(world, line, is_home));
            self.world.remember_ghost(ghost);
        }
    }

    /// The server has ended this connection for a later one. There must be one.
    pub(super) fn replaced(&self, line: &Line) {
        if line.calm_for > MADE_GOOD {
            let (id, name) = (self.id, line.life.name());
            let how = format!("the latest session of {id}, at {name}, is ended for a later one");
            self.world.oracle.accuse(Invariant::OneSession, how);
        }
    }
}

/// Stays until it is told of the later session, its gateway dies, or the player has gone home.
async fn haunt(world: Arc<World>, mut line: Line, is_home: Arc<AtomicBool>) {
    let since = Instant::now();
    while !is_home.load(Ordering::Relaxed) {
        let (life, outbox) = (line.life.clone(), Arc::clone(&line.outbox));
        tokio::select! {
            biased;
            () = life.ended() => return,
            frame = outbox.next() => {
                use gateway::server_frame::Frame;
                let Ok(frame) = frame else { return };
                match gateway::ServerFrame::decode(frame.to_bytes()).map(|frame| frame.frame) {
                    Ok(Some(Frame::GoAway(away))) if away.reason == "replaced" => {
                        return world.oracle.replaced();
                    }
                    _ => continue,
                }
            }
            () = tokio::time::sleep(LOOK) => {}
        }
        let calm_for = world.fate.calm_for();
        if calm_for > MADE_GOOD && since.elapsed() > MADE_GOOD {
            let how = format!("an earlier session at {} goes on", line.life.name());
            return world.oracle.accuse(Invariant::OneSession, how);
        }
        let is_due = line.sent.elapsed() > PING;
        if is_due && line.send(&world, Out::Ping(gateway::Ping { nonce: 2 })).await.is_err() {
            return;
        }
    }
}
