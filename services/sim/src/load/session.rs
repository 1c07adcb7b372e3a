//! One client: a session that outlives its connections, and checks what it is told.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::{
    GoAway, Hello, Ping, Request, Response, ResumePoint, TableLeft, Welcome, client_frame,
    response, server_frame,
};
use parlor_proto::matchmaking::v1::TicketUpdate;
use parlor_proto::table::v1::{TableResync, TableUpdate};
use tokio::time::{Instant, sleep, timeout};

use super::Error;
use super::account::Account;
use super::measure::{Fault, Faults};
use super::metronome::Metronome;
use super::transport::{Connection, Gateways, Transport};

/// First pause before connecting again; doubled each time.
const RECONNECT_FIRST: Duration = Duration::from_millis(50);
/// Longest such pause.
const RECONNECT_MAX: Duration = Duration::from_secs(1);
/// Longest wait for a Welcome.
const WELCOME_TIMEOUT: Duration = Duration::from_secs(10);
/// Longest wait of [`Session::ask`], reconnections included.
const ASK_TIMEOUT: Duration = Duration::from_secs(60);
/// Pause before a request is repeated that was refused for now, where the server names none.
const REPEAT: Duration = Duration::from_millis(100);
/// Answered requests that are remembered, to notice a second answer.
const ANSWERED: usize = 64;

/// What the session learnt.
#[derive(Debug)]
pub enum Happening {
    /// It is connected, for the first time or again.
    Welcome(Welcome),
    /// A request is answered for good.
    Answered(Answered),
    /// One step of a table.
    Update(TableUpdate),
    /// A table afresh.
    Resync(TableResync),
    /// What became of the ticket.
    Ticket(TicketUpdate),
    /// A table is watched no longer.
    Left(TableLeft),
}

/// The answer to a request.
#[derive(Debug)]
pub struct Answered {
    /// The request's id.
    pub id: String,
    /// The answer.
    pub result: Result<response::Result, Error>,
    /// When the request was first meant to be sent.
    pub since: Instant,
}

#[derive(Debug)]
struct InFlight {
    request: Request,
    since: Instant,
    /// It was refused for now: when to repeat it.
    again: Option<Instant>,
}

/// What a session is made with.
#[derive(Clone, Debug)]
pub struct Profile {
    /// Where the gateways are.
    pub gateways: Gateways,
    /// How frames travel.
    pub transport: Transport,
    /// Ask for the whole view with each update.
    pub with_views: bool,
    /// Where broken promises are written down.
    pub faults: Arc<Faults>,
    /// Wakes the client.
    pub metronome: Metronome,
}

/// A client's session.
#[derive(Debug)]
pub struct Session {
    profile: Profile,
    account: Account,
    connection: Option<Connection>,
    /// The last update or resync of each table.
    positions: BTreeMap<String, u64>,
    in_flight: VecDeque<InFlight>,
    /// Ids of requests that were answered on this connection, newest last.
    answered: VecDeque<String>,
    /// Happenings that [`Session::ask`] met while it waited.
    kept: VecDeque<Happening>,
    prefix: String,
    sequence: u64,
    heartbeat: Duration,
    ping_at: Instant,
    pause: Duration,
    /// The server's clock at `heard_at`.
    time_ms: i64,
    heard_at: Instant,
    connections: u64,
}

impl Session {
    /// A session of an account; it connects when it is first used.
    #[must_use]
    pub fn new(account: Account, profile: Profile) -> Self {
        let prefix = parlor_common::random::uuid().simple().to_string();
        let now = Instant::now();
        Self {
            profile,
            account,
            connection: None,
            positions: BTreeMap::new(),
            in_flight: VecDeque::new(),
            answered: VecDeque::new(),
            kept: VecDeque::new(),
            prefix,
            sequence: 0,
            heartbeat: Duration::from_secs(15),
            ping_at: now,
            pause: Duration::ZERO,
            time_ms: 0,
            heard_at: now,
            connections: 0,
        }
    }

    /// The player's id.
    #[must_use]
    pub fn player_id(&self) -> &str {
        self.account.player_id()
    }

    /// How often it connected.
    #[must_use]
    pub const fn connections(&self) -> u64 {
        self.connections
    }

    /// Drops the connection as a lost network would; the next use connects again.
    pub fn drop_connection(&mut self) {
        self.connection = None;
    }

    /// Sends a request, meant for `since`; gives its id. Its answer comes from [`Session::next`],
    /// after any number of reconnections.
    pub async fn request(&mut self, command: Command, since: Instant) -> String {
        self.sequence += 1;
        let id = format!("{}-{}", self.prefix, self.sequence);
        let request = Request { id: id.clone(), command: Some(command) };
        self.in_flight.push_back(InFlight { request: request.clone(), since, again: None });
        self.send(client_frame::Frame::Request(request)).await;
        id
    }

    /// Sends a request and waits for its answer; what else happens is kept for later.
    ///
    /// # Errors
    /// The server's refusal, or [`Error::Late`].
    pub async fn ask(&mut self, command: Command) -> Result<response::Result, Error> {
        let id = self.request(command, Instant::now()).await;
        let deadline = Instant::now() + ASK_TIMEOUT;
        loop {
            match self.receive(deadline).await?.ok_or(Error::Late)? {
                Happening::Answered(answered) if answered.id == id => return answered.result,
                other => self.kept.push_back(other),
            }
        }
    }

    /// The next thing that happens, reconnecting as often as need be; `None` when nothing does
    /// before the deadline.
    ///
    /// # Errors
    /// When the player is refused for good.
    pub async fn next(&mut self, deadline: Instant) -> Result<Option<Happening>, Error> {
        match self.kept.pop_front() {
            Some(happening) => Ok(Some(happening)),
            None => self.receive(deadline).await,
        }
    }

    async fn receive(&mut self, deadline: Instant) -> Result<Option<Happening>, Error> {
        loop {
            let Some(connection) = &mut self.connection else {
                return self.connect().await.map(|welcome| Some(Happening::Welcome(welcome)));
            };
            let again = self.in_flight.iter().filter_map(|one| one.again).min();
            let wake = again.unwrap_or(deadline).min(self.ping_at).min(deadline);
            let frame = tokio::select! {
                frame = connection.next() => frame,
                () = self.profile.metronome.at(wake) => {
                    if wake == deadline {
                        return Ok(None);
                    }
                    self.on_time().await;
                    continue;
                }
            };
            match frame {
                Ok(frame) => {
                    if let Some(happening) = self.take(frame)? {
                        return Ok(Some(happening));
                    }
                }
                Err(Error::Connection(why)) => self.lose(&why),
                Err(error) => {
                    self.profile.faults.add(Fault::Protocol, || error.to_string());
                    self.lose("the protocol was broken");
                }
            }
        }
    }

    fn lose(&mut self, why: &str) {
        tracing::debug!(player = self.player_id(), "the connection is lost: {why}");
        self.connection = None;
    }

    async fn send(&mut self, frame: client_frame::Frame) {
        let Some(connection) = &mut self.connection else { return };
        self.ping_at = Instant::now() + self.heartbeat / 2;
        if let Err(error) = connection.send(frame).await {
            self.lose(&error.to_string());
        }
    }

    /// Pings, and repeats requests that were refused for now.
    async fn on_time(&mut self) {
        let now = Instant::now();
        for place in 0..self.in_flight.len() {
            let one = &mut self.in_flight[place];
            if one.again.is_some_and(|again| again <= now) {
                one.again = None;
                let request = one.request.clone();
                self.send(client_frame::Frame::Request(request)).await;
            }
        }
        if self.ping_at <= now {
            self.send(client_frame::Frame::Ping(Ping { nonce: 1 })).await;
        }
    }

    async fn connect(&mut self) -> Result<Welcome, Error> {
        loop {
            sleep(self.pause).await;
            self.pause = (self.pause * 2).clamp(RECONNECT_FIRST, RECONNECT_MAX);
            match self.try_connect().await {
                Ok(welcome) => {
                    self.pause = Duration::ZERO;
                    return Ok(welcome);
                }
                Err(error @ (Error::Refused { .. } | Error::Replaced | Error::Address(_))) => {
                    return Err(error);
                }
                Err(error) => {
                    tracing::debug!(player = self.player_id(), "not connected: {error}");
                    self.profile.faults.reconnecting();
                }
            }
        }
    }

    async fn try_connect(&mut self) -> Result<Welcome, Error> {
        let elapsed = i64::try_from(self.heard_at.elapsed().as_millis()).unwrap_or(i64::MAX);
        let now_ms = self.time_ms.saturating_add(elapsed);
        let access_token = self.account.access_token(&self.profile.gateways, now_ms).await?;
        let mut connection = self.profile.gateways.connect(self.profile.transport).await?;
        let resume = |(table_id, seq): (&String, &u64)| ResumePoint {
            table_id: table_id.clone(),
            seq: *seq,
        };
        let hello = Hello {
            access_token,
            client: concat!("parlor-load/", env!("CARGO_PKG_VERSION")).to_owned(),
            with_views: self.profile.with_views,
            resume: self.positions.iter().map(resume).collect(),
            client_seed: self.prefix.clone().into(),
        };
        connection.send(client_frame::Frame::Hello(hello)).await?;
        let first = timeout(WELCOME_TIMEOUT, connection.next()).await;
        let welcome = match first.map_err(|_| Error::Late)?? {
            server_frame::Frame::Welcome(welcome) => welcome,
            server_frame::Frame::Error(error) if error.retryable => {
                return Err(Error::Connection(error.reason));
            }
            server_frame::Frame::Error(error) => return Err(refused(error)),
            other => return Err(Error::Protocol(format!("{other:?} before the welcome"))),
        };
        self.heartbeat = Duration::from_millis(u64::from(welcome.heartbeat_ms.max(100)));
        (self.time_ms, self.heard_at) = (welcome.time_ms, Instant::now());
        self.ping_at = self.heard_at + self.heartbeat / 2;
        self.connection = Some(connection);
        self.connections += 1;
        self.answered.clear();
        // Whatever was not answered is asked again, under the same ids.
        let repeated: Vec<_> = self.in_flight.iter().map(|one| one.request.clone()).collect();
        for request in repeated {
            self.send(client_frame::Frame::Request(request)).await;
        }
        Ok(welcome)
    }

    fn take(&mut self, frame: server_frame::Frame) -> Result<Option<Happening>, Error> {
        use server_frame::Frame;
        Ok(match frame {
            Frame::Response(response) => self.answer(response).map(Happening::Answered),
            Frame::Update(update) => {
                self.follow(&update);
                Some(Happening::Update(update))
            }
            Frame::Resync(resync) => {
                self.positions.insert(resync.table_id.clone(), resync.seq);
                Some(Happening::Resync(resync))
            }
            Frame::Ticket(ticket) => Some(Happening::Ticket(ticket)),
            Frame::TableLeft(left) => {
                self.positions.remove(&left.table_id);
                Some(Happening::Left(left))
            }
            Frame::Pong(_) | Frame::Party(_) => None,
            Frame::GoAway(away) => self.go_away(&away)?,
            Frame::Error(error) if error.retryable => {
                self.lose(&error.reason);
                None
            }
            Frame::Error(error) => return Err(refused(error)),
            Frame::Welcome(_) => {
                self.profile.faults.add(Fault::Protocol, || "a second welcome".to_owned());
                None
            }
        })
    }

    fn go_away(&mut self, away: &GoAway) -> Result<Option<Happening>, Error> {
        if away.reason == "replaced" {
            return Err(Error::Replaced);
        }
        self.pause = Duration::from_millis(u64::from(away.reconnect_after_ms)).min(RECONNECT_MAX);
        Ok(None)
    }

    /// Checks that an update is the next one of its table.
    fn follow(&mut self, update: &TableUpdate) {
        let faults = &self.profile.faults;
        let Some(position) = self.positions.get_mut(&update.table_id) else {
            faults.add(Fault::Sequence, || format!("update {} without a start", update.seq));
            self.positions.insert(update.table_id.clone(), update.seq);
            return;
        };
        if update.seq != *position + 1 {
            let (table, last, seq) = (&update.table_id, *position, update.seq);
            faults.add(Fault::Sequence, || format!("table {table}: {seq} came after {last}"));
        }
        *position = update.seq;
    }

    fn answer(&mut self, Response { id, result }: Response) -> Option<Answered> {
        let faults = &self.profile.faults;
        let place = self.in_flight.iter().position(|one| one.request.id == id);
        let Some(place) = place else {
            let twice = self.answered.contains(&id);
            let fault = if twice { Fault::AnsweredTwice } else { Fault::Protocol };
            faults.add(fault, || format!("an answer to {id}, which waits for none"));
            return None;
        };
        let Some(result) = result else {
            faults.add(Fault::Protocol, || format!("an empty answer to {id}"));
            return None;
        };
        if let response::Result::Error(error) = &result
            && error.retryable
        {
            faults.repeated();
            let named = error.metadata.get("retry_after_ms").and_then(|text| text.parse().ok());
            let pause = named.map_or(REPEAT, Duration::from_millis);
            self.in_flight[place].again = Some(Instant::now() + pause);
            return None;
        }
        let since = self.in_flight.remove(place)?.since;
        if self.answered.len() == ANSWERED {
            self.answered.pop_front();
        }
        self.answered.push_back(id.clone());
        let result = match result {
            response::Result::Error(error) => Err(refused(error)),
            result => Ok(result),
        };
        Some(Answered { id, result, since })
    }
}

fn refused(error: parlor_proto::gateway::v1::Error) -> Error {
    Error::Refused { reason: error.reason, message: error.message }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    fn session() -> Session {
        let gateways = Gateways::new(&["http://127.0.0.1:1".to_owned()]).unwrap();
        let faults = Arc::default();
        let transport = Transport::WebSocket;
        let metronome = Metronome::start().unwrap();
        let profile = Profile { gateways, transport, with_views: false, faults, metronome };
        Session::new(Account::named("somebody"), profile)
    }

    fn update(session: &mut Session, seq: u64) -> u64 {
        let table_id = "t".to_owned();
        let update = TableUpdate { table_id, seq, ..TableUpdate::default() };
        session.take(server_frame::Frame::Update(update)).unwrap();
        session.profile.faults.count()
    }

    fn response(session: &mut Session, id: &str, result: response::Result) -> Option<Happening> {
        let response = Response { id: id.to_owned(), result: Some(result) };
        session.take(server_frame::Frame::Response(response)).unwrap()
    }

    #[tokio::test]
    async fn a_gap_and_a_double_are_faults() {
        let mut session = session();
        assert_eq!(update(&mut session, 7), 1, "nothing was known of the table");
        assert_eq!(update(&mut session, 8), 1);
        assert_eq!(update(&mut session, 10), 2, "one is missing");
        assert_eq!(update(&mut session, 10), 3, "one came twice");
        let resync = TableResync { table_id: "t".to_owned(), seq: 3, ..TableResync::default() };
        session.take(server_frame::Frame::Resync(resync)).unwrap();
        assert_eq!(update(&mut session, 4), 3);
    }

    #[tokio::test]
    async fn a_request_is_answered_once_and_repeated_while_it_may_succeed() {
        use parlor_proto::gateway::v1::{Done, Error, ListQueues};
        let mut session = session();
        let command = Command::ListQueues(ListQueues {});
        let id = session.request(command, Instant::now()).await;
        let busy = Error { retryable: true, ..Error::default() };
        assert!(response(&mut session, &id, response::Result::Error(busy)).is_none());
        assert!(session.in_flight[0].again.is_some(), "it is asked again");
        let done = response(&mut session, &id, response::Result::Done(Done {}));
        assert!(matches!(done, Some(Happening::Answered(Answered { result: Ok(_), .. }))));
        assert_eq!(session.profile.faults.count(), 0);
        assert!(response(&mut session, &id, response::Result::Done(Done {})).is_none());
        assert_eq!(session.profile.faults.count(), 1, "a second answer");
    }
}
