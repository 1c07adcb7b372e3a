//! What a client can ask for: one function for each request.
//!
//! [`start`] turns a request into a future that ends with its one answer. What an answer entails
//! for the session, such as watching a table, is said in [`Then`].

mod account;
mod clubs;
mod lobby;
mod parties;
mod tables;

use std::sync::Arc;

use futures_util::future::{BoxFuture, FutureExt};
use parlor_common::{Code, Failure, PlayerId, TableId};
use parlor_proto::gateway::v1::request::Command;
use parlor_proto::gateway::v1::{Done, response};
use tokio::time::Instant;
use tracing::Instrument;
use uuid::Uuid;

use super::Core;
use super::actor::Session;
use super::outbox::WatchId;
use crate::wire::replay::Replay;

/// Who asks, and under which id.
pub struct Call {
    core: Arc<Core>,
    player: PlayerId,
    name: String,
    id: String,
}

impl Call {
    /// A request of the session's player.
    #[must_use]
    pub fn new(session: &Session, id: String) -> Self {
        let core = Arc::clone(&session.core);
        Self { core, player: session.lease.player, name: session.name.clone(), id }
    }

    /// The request's id among those of all players, for services that do not tell them apart.
    fn global_id(&self) -> String {
        let player = Uuid::from_bytes(*self.player.as_bytes());
        Uuid::new_v5(&player, self.id.as_bytes()).to_string()
    }
}

/// What a request is answered with.
pub enum Answer {
    /// A result.
    Result(response::Result),
    /// A replay, whose events are not decoded.
    Hand(Replay),
}

impl Answer {
    /// Carried out, nothing to say.
    const fn done() -> Self {
        Self::Result(response::Result::Done(Done {}))
    }
}

/// What the session does after an answer.
pub enum Then {
    /// Nothing.
    Nothing,
    /// Watches a table, unless it does.
    WatchTable(TableId),
    /// Passes a ticket's updates on.
    FollowTicket(String),
    /// Passes a party's updates on.
    FollowParty(String),
    /// Gives up a watch that did not come about.
    Abandon(TableId, WatchId),
}

/// A request with its answer.
pub struct Finished {
    /// Its id.
    pub id: String,
    /// Its command's name, for metrics.
    pub command: &'static str,
    /// When it came.
    pub started: Instant,
    /// The answer.
    pub result: Result<Answer, Failure>,
    /// What follows.
    pub then: Then,
}

type Outcome = Result<(Answer, Then), Failure>;

/// Starts a request.
pub fn start(session: &mut Session, call: Call, command: Command) -> BoxFuture<'static, Finished> {
    let (id, started) = (call.id.clone(), Instant::now());
    let name = name(&command);
    // A session lasts for hours: each request is a trace of its own.
    let span = tracing::info_span!(parent: None, "request", command = name);
    let outcome = dispatch(session, call, command);
    async move {
        let (result, then) = outcome.await;
        if let Err(failure) = &result
            && failure.code == Code::Internal
        {
            tracing::error!(%failure, "a request failed");
        }
        Finished { id, command: name, started, result, then }
    }
    .instrument(span)
    .boxed()
}

fn dispatch(
    session: &mut Session,
    call: Call,
    command: Command,
) -> BoxFuture<'static, (Result<Answer, Failure>, Then)> {
    match command {
        Command::ListQueues(_) => settled(lobby::list_queues(call)),
        Command::Enqueue(request) => settled(lobby::enqueue(call, request)),
        Command::CancelTicket(_) => settled(lobby::cancel_ticket(call)),
        Command::CreateRoom(request) => settled(lobby::create_room(call, request)),
        Command::JoinRoom(request) => settled(lobby::join_room(call, request)),
        Command::Watch(request) => tables::watch(session, request),
        Command::Unwatch(request) => settled(tables::unwatch(session, &request)),
        Command::Table(request) => settled(tables::command(session, call, request)),
        Command::GetProfile(_) => settled(account::get_profile(call)),
        Command::ListHands(request) => settled(account::list_hands(call, request)),
        Command::GetHand(request) => settled(account::get_hand(call, request)),
        Command::ListTables(request) => settled(tables::list(call, request)),
        Command::GetLeaderboard(request) => settled(account::get_leaderboard(call, request)),
        Command::AnswerReadyCheck(request) => settled(lobby::answer_ready_check(call, request)),
        Command::Club(request) => settled(clubs::command(call, request)),
        Command::Party(request) => settled(parties::command(call, request)),
    }
}

/// An outcome in which only a success has consequences.
fn settled(
    outcome: impl Future<Output = Outcome> + Send + 'static,
) -> BoxFuture<'static, (Result<Answer, Failure>, Then)> {
    async move {
        match outcome.await {
            Ok((answer, then)) => (Ok(answer), then),
            Err(failure) => (Err(failure), Then::Nothing),
        }
    }
    .boxed()
}

const fn name(command: &Command) -> &'static str {
    match command {
        Command::ListQueues(_) => "list_queues",
        Command::Enqueue(_) => "enqueue",
        Command::CancelTicket(_) => "cancel_ticket",
        Command::CreateRoom(_) => "create_room",
        Command::JoinRoom(_) => "join_room",
        Command::Watch(_) => "watch",
        Command::Unwatch(_) => "unwatch",
        Command::Table(_) => "table",
        Command::GetProfile(_) => "get_profile",
        Command::ListHands(_) => "list_hands",
        Command::GetHand(_) => "get_hand",
        Command::ListTables(_) => "list_tables",
        Command::GetLeaderboard(_) => "get_leaderboard",
        Command::AnswerReadyCheck(_) => "answer_ready_check",
        Command::Club(_) => "club",
        Command::Party(_) => "party",
    }
}
