//! The loop of one session.
//!
//! Everything that takes time (calls to other services, watches, what is followed) is a future that
//! the loop polls; nothing in the loop itself waits. A client that does not read is not read from
//! either: no frame is taken from the transport while the outbox has no room.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use parlor_common::{Code, Failure, PlayerId, TableId};
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::server_frame::Frame;
use parlor_proto::gateway::v1::{Ping, Pong, Request, Response, TableLeft, client_frame, response};
use prost::Message;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep, sleep_until};

use super::commands::{self, Answer, Call, Finished, Then};
use super::following::Following;
use super::greeting::Greeted;
use super::outbox::{Ending, Outbox};
use super::registry::{Dismissal, Lease};
use super::watch::left;
use super::watching::{Viewer, WatchEnd, Watches};
use super::{Connection, Core, Inbound, IntoError, frame, go_away};
use crate::edge::limits::Above;
use crate::link::spread;
use crate::reasons;
use crate::wire::{Malformed, Outgoing, replay};

/// Frames that cannot be read, after which the connection is closed.
const MAX_MALFORMED: u32 = 8;
/// Longest request id in characters.
const MAX_REQUEST_ID_CHARS: usize = 64;
/// The gateway of the session before has told of the player's debt by then: ten times as long as
/// its messages take.
const ARREARS_AFTER: Duration = Duration::from_millis(250);
/// How often silence and stalls are looked for, as a part of the heartbeat.
const CHECKS_PER_HEARTBEAT: u32 = 4;

/// Where the answer to a request goes; `None`: to the connection.
type ReplyTo = Option<oneshot::Sender<Bytes>>;

/// One session after its Hello.
pub struct Session {
    pub(super) core: Arc<Core>,
    outbox: Arc<Outbox>,
    pub(super) lease: Lease,
    pub(super) name: String,
    address: std::net::IpAddr,
    outstanding: HashMap<String, ReplyTo>,
    calls: FuturesUnordered<BoxFuture<'static, Finished>>,
    pub(super) watches: Watches,
    following: Following,
    arrears: FuturesUnordered<BoxFuture<'static, ()>>,
    malformed: u32,
    heard: Instant,
    half_closed: bool,
}

impl Session {
    /// Says Welcome and starts to watch the player's tables and ticket.
    #[must_use]
    pub fn new(core: Arc<Core>, connection: &Connection, greeted: Greeted) -> Self {
        let viewer = Viewer {
            core: Arc::clone(&core),
            outbox: Arc::clone(&connection.outbox),
            player: greeted.lease.player,
            name: greeted.name.clone(),
            with_views: greeted.with_views,
            client_seed: greeted.client_seed,
        };
        let outbox = Arc::clone(&connection.outbox);
        let mut session = Self {
            following: Following::new(Arc::clone(&core), outbox, greeted.lease.player),
            core,
            outbox: Arc::clone(&connection.outbox),
            lease: greeted.lease,
            name: greeted.name,
            address: connection.address,
            outstanding: HashMap::new(),
            calls: FuturesUnordered::new(),
            watches: Watches::new(viewer),
            arrears: FuturesUnordered::new(),
            malformed: 0,
            heard: Instant::now(),
            half_closed: false,
        };
        let ticket_id = greeted.welcome.ticket_id.clone();
        let party_id = greeted.welcome.party_id.clone();
        session.outbox.push(&frame(Frame::Welcome(greeted.welcome)));
        for (table, seq) in greeted.tables {
            session.watches.start(table, seq);
        }
        if !ticket_id.is_empty() {
            session.following.ticket(ticket_id);
        }
        if !party_id.is_empty() {
            session.following.party(party_id);
        }
        if greeted.has_moved {
            session
                .arrears
                .push(Box::pin(arrears(Arc::clone(&session.core), session.lease.player)));
        }
        session
    }

    /// Runs to the end, and says why.
    pub async fn run(mut self, inbound: &mut mpsc::Receiver<Inbound>) -> Ending {
        let outbox = Arc::clone(&self.outbox);
        let lease = self.lease.clone();
        let mut dismissed = std::pin::pin!(lease.dismissed());
        let begun = self.core.leaving.clone().cancelled_owned();
        let mut begun = std::pin::pin!(begun);
        let mut gone_at: Option<Instant> = None;
        let heartbeat = Duration::from_millis(self.core.config.gateway_heartbeat_ms.into());
        let mut checks = interval((heartbeat / CHECKS_PER_HEARTBEAT).max(Duration::from_millis(1)));
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let has_room = outbox.has_room();
            let outcome = tokio::select! {
                // A dismissed session may not act any more.
                biased;
                why = &mut dismissed => Err(why.into()),
                Some(finished) = self.calls.next() => { self.finish(finished); Ok(()) }
                Some(end) = self.watches.ended() => { self.unwatched(&end); Ok(()) }
                Some(table) = self.following.next() => { self.watch_own(table); Ok(()) }
                Some(()) = self.arrears.next() => Ok(()),
                () = &mut begun, if gone_at.is_none() => {
                    gone_at = Some(self.begin_drain());
                    Ok(())
                }
                () = sleep_until(gone_at.unwrap_or_else(Instant::now)), if gone_at.is_some() => {
                    Err(Ending::Draining)
                }
                _ = checks.tick() => self.check(heartbeat),
                inbound = inbound.recv(), if has_room => match inbound {
                    Some(inbound) => self.receive(inbound),
                    None => Err(Ending::Finished),
                },
                () = outbox.room(), if !has_room => Ok(()),
            };
            if let Err(ending) = outcome {
                return ending;
            }
        }
    }

    fn begin_drain(&self) -> Instant {
        let most = Duration::from_millis(self.core.config.gateway_drain_spread_ms);
        let pause = spread(most);
        self.outbox.push(&go_away("draining", pause));
        Instant::now() + pause
    }

    fn check(&mut self, heartbeat: Duration) -> Result<(), Ending> {
        let too_slow = Duration::from_millis(self.core.config.gateway_too_slow_after_ms);
        if self.outbox.stalled_for() > too_slow {
            return Err(Ending::TooSlow);
        }
        if self.half_closed {
            // A client that only listens cannot ping. What it is sent shows whether it is there.
            if self.heard.elapsed() > heartbeat {
                self.heard = Instant::now();
                self.pong(0);
            }
        } else if self.heard.elapsed() > heartbeat * 2 {
            return Err(Ending::Idle);
        }
        Ok(())
    }

    fn pong(&self, nonce: u64) {
        let time_ms = self.core.clock.now_ms();
        self.outbox.push(&frame(Frame::Pong(Pong { nonce, time_ms })));
    }

    fn receive(&mut self, inbound: Inbound) -> Result<(), Ending> {
        self.heard = Instant::now();
        match inbound {
            Inbound::Alive => Ok(()),
            Inbound::HalfClosed => {
                self.half_closed = true;
                Ok(())
            }
            Inbound::TooLarge => Err(Ending::TooLarge),
            Inbound::Malformed(malformed) => self.malformed(malformed),
            Inbound::Call(request, reply_to) => self.request(*request, Some(reply_to)),
            Inbound::Frame(client) => {
                self.core.metrics.frame_in();
                match client.frame {
                    Some(client_frame::Frame::Request(request)) => self.request(request, None),
                    Some(client_frame::Frame::Ping(ping)) => self.ping(ping),
                    Some(client_frame::Frame::Hello(_)) => Err(Ending::Failed(Failure::new(
                        Code::Invalid,
                        reasons::SECOND_HELLO,
                        "Hello comes once",
                    ))),
                    None => self.malformed(Malformed::new("the frame is empty or not known here")),
                }
            }
        }
    }

    fn malformed(&mut self, malformed: Malformed) -> Result<(), Ending> {
        self.core.metrics.reject(reasons::MALFORMED_FRAME);
        self.malformed += 1;
        // A request that waits for its answer gets no other one.
        let is_free = |id: &String| is_request_id(id) && !self.outstanding.contains_key(id);
        let request_id = malformed.request_id.clone().filter(is_free);
        let failure = Failure::from(malformed);
        if self.malformed >= MAX_MALFORMED {
            return Err(Ending::Failed(failure));
        }
        match request_id {
            Some(id) => self.respond(id, None, Err(failure)),
            None => self.outbox.push(&frame(Frame::Error(failure.into_error()))),
        }
        Ok(())
    }

    fn ping(&mut self, Ping { nonce }: Ping) -> Result<(), Ending> {
        match self.core.limits.player_request(&self.lease.player) {
            Ok(()) => {
                self.pong(nonce);
                Ok(())
            }
            // Was heard all the same.
            Err(Above::Limit(_)) => Ok(()),
            Err(Above::Patience(failure)) => Err(Ending::Failed(failure)),
        }
    }

    fn request(
        &mut self,
        Request { id, command }: Request,
        reply_to: ReplyTo,
    ) -> Result<(), Ending> {
        // Sent again before the answer: the one answer is for both, and goes where it is waited
        // for last.
        if let Some(earlier) = self.outstanding.get_mut(&id) {
            *earlier = reply_to;
            return match self.core.limits.player_request(&self.lease.player) {
                Err(Above::Patience(failure)) => Err(Ending::Failed(failure)),
                Ok(()) | Err(Above::Limit(_)) => Ok(()),
            };
        }
        let command = match self.admit(&id, command) {
            Ok(command) => command,
            Err(Above::Patience(failure)) => return Err(Ending::Failed(failure)),
            Err(Above::Limit(failure)) => {
                self.core.metrics.reject(&failure.reason);
                let id = id.chars().take(MAX_REQUEST_ID_CHARS).collect();
                self.respond(id, reply_to, Err(failure));
                return Ok(());
            }
        };
        self.outstanding.insert(id.clone(), reply_to);
        let call = commands::start(self, Call::new(self, id), command);
        self.calls.push(call);
        Ok(())
    }

    /// Whether a request is carried out. Whoever is refused too often is disconnected.
    fn admit(&self, id: &str, command: Option<Command>) -> Result<Command, Above> {
        self.core.limits.player_request(&self.lease.player)?;
        let strike = |failure| self.core.limits.strike(&self.lease.player, failure);
        self.core.limits.request(self.address).map_err(strike)?;
        let refused = if !is_request_id(id) {
            let message = "a request id has 1 to 64 visible ASCII characters";
            Failure::new(Code::Invalid, reasons::BAD_REQUEST_ID, message)
        } else if self.outstanding.len() >= self.core.config.gateway_max_outstanding {
            let message = "too many requests are unanswered";
            Failure::new(Code::Exhausted, reasons::TOO_MANY_REQUESTS, message)
        } else if let Some(command) = command {
            return Ok(command);
        } else {
            let message = "the request names no command that is known here";
            Failure::new(Code::Invalid, reasons::EMPTY_REQUEST, message)
        };
        Err(strike(refused))
    }

    fn respond(&self, id: String, reply_to: ReplyTo, result: Result<Answer, Failure>) {
        let response = |result| Response { id: id.clone(), result: Some(result) }.encode_to_vec();
        let response = match result {
            Ok(Answer::Result(result)) => response(result).into(),
            Ok(Answer::Hand(hand)) => replay::response(id, hand),
            Err(failure) => response(response::Result::Error(failure.into_error())).into(),
        };
        match reply_to {
            // Whoever asked may have gone away.
            Some(reply_to) => drop(reply_to.send(response)),
            None => self.outbox.push_encoded(Outgoing::Response(response)),
        }
    }

    fn finish(&mut self, finished: Finished) {
        let Finished { id, command, started, result, then } = finished;
        let reply_to = self.outstanding.remove(&id).flatten();
        let outcome = match &result {
            Ok(_) => "ok",
            Err(failure) => failure.code.name(),
        };
        self.core.metrics.request(command, outcome, started.elapsed());
        self.respond(id, reply_to, result);
        match then {
            Then::Nothing => {}
            Then::WatchTable(table) => self.watch_own(table),
            Then::FollowTicket(ticket_id) => self.following.ticket(ticket_id),
            Then::FollowParty(party_id) => self.following.party(party_id),
            Then::Abandon(table, watch) => self.watches.stop_one(&table, watch),
        }
    }

    /// Watches the player's own table, for which there is always a place: a player has one seat.
    fn watch_own(&mut self, table: TableId) {
        if !self.watches.has(&table) {
            self.watches.start(table, None);
        }
    }

    /// Ends a watch that the client does not want any more.
    pub(super) fn unwatch(&mut self, table: TableId) {
        if self.watches.stop(&table) {
            self.table_left(table, left::LEFT);
        }
    }

    fn unwatched(&mut self, end: &WatchEnd) {
        if let Some((table, reason)) = self.watches.forget(end) {
            self.table_left(table, reason);
        }
    }

    fn table_left(&self, table: TableId, reason: &str) {
        let left = TableLeft { table_id: table.to_string(), reason: reason.to_owned() };
        self.outbox.push(&frame(Frame::TableLeft(left)));
    }
}

/// Adds what the gateway of the session before has to tell of the player's debt. Without it, going
/// from gateway to gateway would give a burst at each.
async fn arrears(core: Arc<Core>, player: PlayerId) {
    let known = core.limits.debt(&player);
    sleep(ARREARS_AFTER).await;
    let debt = core.registry.debt(&player).await;
    core.limits.charge(&player, debt.saturating_sub(known.saturating_sub(ARREARS_AFTER)));
}

fn is_request_id(id: &str) -> bool {
    (1..=MAX_REQUEST_ID_CHARS).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_graphic())
}

impl From<Dismissal> for Ending {
    fn from(why: Dismissal) -> Self {
        match why {
            Dismissal::Replaced => Self::Replaced,
            Dismissal::Kicked => Self::Kicked,
            Dismissal::Banned(ban) => Self::Failed(ban.banned()),
            Dismissal::AddressBanned(ban) => Self::Failed(ban.address_banned()),
        }
    }
}

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Self {
        Self::new(Code::Invalid, reasons::MALFORMED_FRAME, malformed.message)
    }
}
