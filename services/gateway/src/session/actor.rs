//! The loop of one session.
//!
//! Everything that takes time (calls to other services, watches, the ticket) is a future that the
//! loop polls; nothing in the loop itself waits. A client that does not read is not read from
//! either: no frame is taken from the transport while the outbox has no room.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::future::{AbortHandle, BoxFuture, abortable};
use futures_util::stream::FuturesUnordered;
use parlor_common::{Code, Failure, TableId};
use parlor_proto::gateway::v1::server_frame::Frame;
use parlor_proto::gateway::v1::{Ping, Pong, Request, Response, TableLeft, client_frame, response};
use tokio::sync::{mpsc, oneshot, watch as latest};
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

use super::commands::{self, Answer, Call, Finished, Then};
use super::feed::Feed;
use super::greeting::Greeted;
use super::outbox::{Ending, Outbox, WatchId};
use super::registry::Lease;
use super::watch::{Watch, left};
use super::{Connection, Core, Inbound, IntoError, frame, go_away, ticket};
use crate::edge::limits::{Above, ConnectionLimits};
use crate::link::{Existence, Link, Way, spread};
use crate::reasons;
use crate::wire::{Malformed, replay};

/// Frames that cannot be read, after which the connection is closed.
const MAX_MALFORMED: u32 = 8;
/// Longest request id in characters.
const MAX_REQUEST_ID_CHARS: usize = 64;
/// How often silence and stalls are looked for, as a part of the heartbeat.
const CHECKS_PER_HEARTBEAT: u32 = 4;

/// A table that the session watches.
struct Watching {
    watch: WatchId,
    abort: AbortHandle,
    feed: Arc<Feed>,
    link: latest::Receiver<Option<Arc<Link>>>,
}

/// How a watch has ended; without a reason: the client knows.
type WatchEnd = (TableId, WatchId, Option<&'static str>);

/// One session after its Hello.
pub struct Session {
    pub(super) core: Arc<Core>,
    outbox: Arc<Outbox>,
    pub(super) lease: Lease,
    pub(super) name: String,
    with_views: bool,
    client_seed: Bytes,
    address: std::net::IpAddr,
    limits: ConnectionLimits,
    outstanding: HashSet<String>,
    calls: FuturesUnordered<BoxFuture<'static, Finished>>,
    watching: HashMap<TableId, Watching>,
    watches: FuturesUnordered<BoxFuture<'static, WatchEnd>>,
    next_watch: WatchId,
    ticket: Option<AbortHandle>,
    tickets: FuturesUnordered<BoxFuture<'static, Option<TableId>>>,
    malformed: u32,
    heard: Instant,
    half_closed: bool,
}

impl Session {
    /// Says Welcome and starts to watch the player's tables and ticket.
    #[must_use]
    pub fn new(core: Arc<Core>, connection: &Connection, greeted: Greeted) -> Self {
        let mut session = Self {
            limits: core.limits.connection(),
            core,
            outbox: Arc::clone(&connection.outbox),
            lease: greeted.lease,
            name: greeted.name,
            with_views: greeted.with_views,
            client_seed: greeted.client_seed,
            address: connection.address,
            outstanding: HashSet::new(),
            calls: FuturesUnordered::new(),
            watching: HashMap::new(),
            watches: FuturesUnordered::new(),
            next_watch: 1,
            ticket: None,
            tickets: FuturesUnordered::new(),
            malformed: 0,
            heard: Instant::now(),
            half_closed: false,
        };
        let ticket_id = greeted.welcome.ticket_id.clone();
        session.outbox.push(&frame(Frame::Welcome(greeted.welcome)));
        for (table, seq) in greeted.tables {
            session.watch(table, seq);
        }
        if !ticket_id.is_empty() {
            session.follow_ticket(ticket_id);
        }
        session
    }

    /// Runs to the end, and says why.
    pub async fn run(mut self, inbound: &mut mpsc::Receiver<Inbound>) -> Ending {
        let outbox = Arc::clone(&self.outbox);
        let replaced = self.lease.replaced.clone();
        let begun = self.core.shutdown.begun();
        let mut begun = std::pin::pin!(begun);
        let mut gone_at: Option<Instant> = None;
        let heartbeat = Duration::from_millis(self.core.config.gateway_heartbeat_ms.into());
        let mut checks = interval((heartbeat / CHECKS_PER_HEARTBEAT).max(Duration::from_millis(1)));
        checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let has_room = outbox.has_room();
            let outcome = tokio::select! {
                // A replaced session may not act any more.
                biased;
                () = replaced.cancelled() => Err(Ending::Replaced),
                Some(finished) = self.calls.next() => { self.finish(finished); Ok(()) }
                Some(end) = self.watches.next() => { self.unwatched(end); Ok(()) }
                Some(table) = self.tickets.next() => { self.ticket_ended(table); Ok(()) }
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

    fn check(&self, heartbeat: Duration) -> Result<(), Ending> {
        let too_slow = Duration::from_millis(self.core.config.gateway_too_slow_after_ms);
        if self.outbox.stalled_for() > too_slow {
            return Err(Ending::TooSlow);
        }
        // A client that only listens cannot ping; its transport notices when it is gone.
        if !self.half_closed && self.heard.elapsed() > heartbeat * 2 {
            return Err(Ending::Idle);
        }
        Ok(())
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
            Inbound::Frame(client) => {
                self.core.metrics.frame_in();
                match client.frame {
                    Some(client_frame::Frame::Request(request)) => self.request(request),
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
        let request_id = malformed.request_id.clone().filter(|id| is_request_id(id));
        let failure = Failure::from(malformed);
        if self.malformed >= MAX_MALFORMED {
            return Err(Ending::Failed(failure));
        }
        match request_id {
            Some(id) => self.respond(id, Err(failure)),
            None => self.outbox.push(&frame(Frame::Error(failure.into_error()))),
        }
        Ok(())
    }

    fn ping(&mut self, Ping { nonce }: Ping) -> Result<(), Ending> {
        match self.limits.request() {
            Ok(()) => {
                let time_ms = self.core.clock.now_ms();
                self.outbox.push(&frame(Frame::Pong(Pong { nonce, time_ms })));
                Ok(())
            }
            // Was heard all the same.
            Err(Above::Limit(_)) => Ok(()),
            Err(Above::Patience(failure)) => Err(Ending::Failed(failure)),
        }
    }

    fn request(&mut self, Request { id, command }: Request) -> Result<(), Ending> {
        if !is_request_id(&id) {
            let message = "a request id has 1 to 64 characters";
            let failure = Failure::new(Code::Invalid, reasons::BAD_REQUEST_ID, message);
            return self.refuse(id.chars().take(MAX_REQUEST_ID_CHARS).collect(), failure);
        }
        // Sent again before the answer: the one answer is for both.
        if self.outstanding.contains(&id) {
            return Ok(());
        }
        match self.limits.request() {
            Ok(()) => {}
            Err(Above::Limit(failure)) => return self.refuse_struck(id, failure),
            Err(Above::Patience(failure)) => return Err(Ending::Failed(failure)),
        }
        if let Err(failure) = self.core.limits.request(self.address) {
            return self.refuse(id, failure);
        }
        if self.outstanding.len() >= self.core.config.gateway_max_outstanding {
            let message = "too many requests are unanswered";
            let failure = Failure::new(Code::Exhausted, reasons::TOO_MANY_REQUESTS, message);
            return self.refuse(id, failure);
        }
        let Some(command) = command else {
            let message = "the request names no command that is known here";
            let failure = Failure::new(Code::Invalid, reasons::EMPTY_REQUEST, message);
            return self.refuse(id, failure);
        };
        self.outstanding.insert(id.clone());
        let call = commands::start(self, Call::new(self, id), command);
        self.calls.push(call);
        Ok(())
    }

    /// Answers without carrying out; a client that does not stop is disconnected.
    fn refuse(&mut self, id: String, failure: Failure) -> Result<(), Ending> {
        match self.limits.strike(failure) {
            Above::Limit(failure) => self.refuse_struck(id, failure),
            Above::Patience(failure) => Err(Ending::Failed(failure)),
        }
    }

    fn refuse_struck(&mut self, id: String, failure: Failure) -> Result<(), Ending> {
        self.core.metrics.reject(&failure.reason);
        self.respond(id, Err(failure));
        Ok(())
    }

    fn respond(&self, id: String, result: Result<Answer, Failure>) {
        let result = match result {
            Ok(Answer::Result(result)) => result,
            Ok(Answer::Hand(hand)) => {
                self.outbox.push_encoded(replay::response(id, hand));
                return;
            }
            Err(failure) => response::Result::Error(failure.into_error()),
        };
        self.outbox.push(&frame(Frame::Response(Response { id, result: Some(result) })));
    }

    fn finish(&mut self, finished: Finished) {
        let Finished { id, command, started, result, then } = finished;
        self.outstanding.remove(&id);
        let outcome = match &result {
            Ok(_) => "ok",
            Err(failure) => failure.code.name(),
        };
        self.core.metrics.request(command, outcome, started.elapsed());
        self.respond(id, result);
        match then {
            Then::Nothing => {}
            Then::WatchTable(table) => self.watch_unless_watched(table),
            Then::FollowTicket(ticket_id) => self.follow_ticket(ticket_id),
            Then::Abandon(table, watch) => {
                if self.watching.get(&table).is_some_and(|now| now.watch == watch) {
                    self.stop_watching(&table);
                }
            }
        }
    }

    // Tables.

    /// What is known of the way to a table.
    pub(super) fn way_to(&self, table: TableId) -> Way {
        match self.watching.get(&table) {
            Some(watching) => {
                let link = watching.link.borrow().clone();
                Way { table, link, existence: Existence::Proven }
            }
            None => Way { table, link: None, existence: Existence::Claimed },
        }
    }

    /// Whether one more table may be watched.
    pub(super) fn may_watch(&self, table: &TableId) -> bool {
        self.watching.contains_key(table)
            || self.watching.len() < self.core.config.gateway_max_watched
    }

    fn watch_unless_watched(&mut self, table: TableId) {
        if !self.watching.contains_key(&table) && self.may_watch(&table) {
            self.watch(table, None);
        }
    }

    /// Watches a table from `seq` on, or afresh. What comes of the first try can be waited for.
    pub(super) fn watch(
        &mut self,
        table: TableId,
        seq: Option<u64>,
    ) -> (WatchId, oneshot::Receiver<Result<(), Failure>>) {
        self.stop_watching(&table);
        let watch = self.next_watch;
        self.next_watch += 1;
        let metrics = Arc::clone(&self.core.metrics);
        let feed = Arc::new(Feed::new(watch, Arc::clone(&self.outbox), metrics, seq));
        let (link_sender, link) = latest::channel(None);
        let (started, start) = oneshot::channel();
        let run = Watch {
            links: Arc::clone(&self.core.links),
            table,
            player: self.lease.player,
            name: self.name.clone(),
            with_views: self.with_views,
            client_seed: self.client_seed.clone(),
            feed: Arc::clone(&feed),
            outbox: Arc::clone(&self.outbox),
            link: link_sender,
        };
        let (run, abort) = abortable(run.run(started));
        self.watches.push(Box::pin(async move {
            let reason = run.await.unwrap_or(None);
            (table, watch, reason)
        }));
        self.watching.insert(table, Watching { watch, abort, feed, link });
        (watch, start)
    }

    /// Ends a watch that the client does not want any more.
    pub(super) fn unwatch(&mut self, table: TableId) {
        if self.watching.contains_key(&table) {
            self.stop_watching(&table);
            self.table_left(table, left::LEFT);
        }
    }

    fn stop_watching(&mut self, table: &TableId) {
        if let Some(watching) = self.watching.remove(table) {
            watching.abort.abort();
            // Whatever still comes or waits is out of date.
            watching.feed.start_afresh();
        }
    }

    fn unwatched(&mut self, (table, watch, reason): WatchEnd) {
        // A watch that was stopped is not the current one any more.
        if self.watching.get(&table).is_some_and(|now| now.watch == watch) {
            self.watching.remove(&table);
            if let Some(reason) = reason {
                self.table_left(table, reason);
            }
        }
    }

    fn table_left(&self, table: TableId, reason: &str) {
        let left = TableLeft { table_id: table.to_string(), reason: reason.to_owned() };
        self.outbox.push(&frame(Frame::TableLeft(left)));
    }

    // The ticket.

    fn follow_ticket(&mut self, ticket_id: String) {
        if let Some(before) = self.ticket.take() {
            before.abort();
        }
        let follow = ticket::follow(
            Arc::clone(&self.core),
            Arc::clone(&self.outbox),
            self.lease.player,
            ticket_id,
        );
        let (follow, abort) = abortable(follow);
        self.ticket = Some(abort);
        self.tickets.push(Box::pin(async move { follow.await.unwrap_or(None) }));
    }

    fn ticket_ended(&mut self, table: Option<TableId>) {
        if let Some(table) = table {
            self.watch_unless_watched(table);
        }
    }
}

fn is_request_id(id: &str) -> bool {
    !id.is_empty() && id.chars().count() <= MAX_REQUEST_ID_CHARS
}

impl From<Malformed> for Failure {
    fn from(malformed: Malformed) -> Self {
        Self::new(Code::Invalid, reasons::MALFORMED_FRAME, malformed.message)
    }
}
