//! The store that replicas share, in Redis or Redis Cluster.
//!
//! Every step is a script, so it is atomic. All keys share one hash tag and thus one slot: that a
//! player has one live ticket holds across queues, and only one slot can promise it in one step.
//! One Redis core carries it far: `benches/store.rs` measures how far. Several systems, such as
//! regions that do not play with each other, use one Redis with different tags.
//!
//! The client repeats a script when a connection breaks, so scripts bear to be run twice: an
//! enqueueing, a claim or a settlement that was done before answers as it did then.
//!
//! With `durability = replica` whatever somebody relies on waits for a replica before it is
//! answered: tickets, claims and how they end, answers to ready checks, parties, clubs. Without it,
//! a server that dies may take the last milliseconds along: a ticket that was claimed waits again,
//! and its players are found at their table only if that was created by then. Leases, signs of life
//! and codes of rooms never wait: losing one costs time, not a seat.
//!
//! Changes are told through a stream of bounded length that every replica reads.

mod clubs;
mod news;
mod parties;
mod rooms;
mod scripts;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use async_trait::async_trait;
use parlor_common::redis::replicas::node_of;
use parlor_common::redis::{NotReplicated, RedisConnection, Replicas};
use parlor_common::{PlayerId, Shutdown};
use redis::{FromRedisValue, Script, ScriptInvocation, Value};
use secrecy::SecretString;
use tokio::sync::broadcast;

use crate::error::Error;
use crate::ids::{Epoch, QueueId, ReplicaId, TicketId};
use crate::ticket::{Closed, ReadyAnswer, Ticket, TicketRecord, TicketState};

use super::{
    Answered, CHANGES_KEPT, Cancelled, Change, Claim, Claimed, Due, Enqueued, Lease, NewClaim,
    Outcome, QueueStats, Settled, Swept, TicketStore,
};

pub use parlor_common::redis::Durability;

use scripts::{Keys, Scripts, check_from, claim_from, claim_to, claims_from, state_from, state_to};

/// Bodies that are asked for in one step.
const BODIES_AT_ONCE: usize = 500;

/// The tickets of one queue.
type Listing = HashMap<TicketId, Arc<Ticket>>;

/// The store that replicas share. Cheap to clone.
#[derive(Clone)]
pub struct RedisStore {
    connection: RedisConnection,
    /// `None`: nobody waits for replicas.
    replicas: Option<Replicas>,
    scripts: Arc<Scripts>,
    keys: Arc<Keys>,
    changes: broadcast::Sender<Change>,
    /// The tickets of each queue as they were listed last: a ticket never changes, so only those
    /// that are new need to be read.
    listed: Arc<Mutex<HashMap<QueueId, Listing>>>,
}

impl RedisStore {
    /// Connects to the servers at these URLs, separated by commas, and follows the changes until
    /// the shutdown begins. `tag` is the hash tag of all keys.
    ///
    /// # Errors
    /// [`Error::StoreUnavailable`] when no server can be reached; [`Error::Serve`] when the tag is
    /// empty or has braces.
    pub async fn connect(
        urls: &SecretString,
        tag: &str,
        durability: Durability,
        shutdown: &Shutdown,
    ) -> Result<Self, Error> {
        if tag.is_empty() || tag.contains(['{', '}']) {
            return Err(Error::Serve(format!("{tag:?} is no hash tag")));
        }
        let open = || async { RedisConnection::open(urls).await.map_err(|error| away(&error)) };
        let replicas = match durability {
            Durability::Local => None,
            Durability::Replica => Some(Replicas::new(open().await?)),
        };
        let store = Self {
            connection: open().await?,
            replicas,
            scripts: Arc::new(Scripts::new(durability)),
            keys: Arc::new(Keys::new(tag)),
            changes: broadcast::Sender::new(CHANGES_KEPT),
            listed: Arc::default(),
        };
        let last = store.last_change().await?;
        let follower = store.clone();
        let end = shutdown.begun();
        shutdown.spawn("matchmaking-changes", async move { follower.follow(last, end).await });
        Ok(store)
    }

    /// A script on the tickets' keys.
    fn on_tickets<'a>(&self, script: &'a Script) -> ScriptInvocation<'a> {
        let mut invocation = script.prepare_invoke();
        for key in &self.keys.tickets {
            invocation.key(key);
        }
        invocation
    }

    /// Runs a script; again when the connection broke, because a cluster whose slot has moved says
    /// so once.
    async fn run<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> Result<T, Error> {
        let value = match self.connection.script(script).await {
            Err(error) if error.is_connection_refusal() || error.is_connection_dropped() => {
                self.connection.script(script).await
            }
            answer => answer,
        };
        let value = value.map_err(|error| away(&error))?;
        redis::from_redis_value(value).map_err(|error| Error::StoreUnavailable(error.to_string()))
    }

    /// Runs a script whose effect must not be lost once it was answered: see
    /// [`Scripts`], of which these name their server.
    async fn run_durably<T: FromRedisValue>(
        &self,
        script: &ScriptInvocation<'_>,
    ) -> Result<T, Error> {
        let (node, answer): (Value, T) = self.run(script).await?;
        if let Some(replicas) = &self.replicas {
            replicas.reached(&node_of(&node)?, self.keys.tag()).await?;
        }
        Ok(answer)
    }

    async fn record(&self, by: &str, id: String) -> Result<Option<TicketRecord>, Error> {
        let mut script = self.on_tickets(&self.scripts.ticket);
        script.arg(by).arg(id);
        let found: Vec<String> = self.run(&script).await?;
        let [body, state, check] = found.as_slice() else { return Ok(None) };
        let (state, ready) = (state_from(state)?, check_from(check)?);
        Ok(Some(TicketRecord { ticket: json(body)?, state, ready }))
    }

    async fn bodies(&self, ids: &[TicketId]) -> Result<Vec<Arc<Ticket>>, Error> {
        let mut tickets = Vec::with_capacity(ids.len());
        for some in ids.chunks(BODIES_AT_ONCE) {
            let mut script = self.on_tickets(&self.scripts.bodies);
            for id in some {
                script.arg(id.to_string());
            }
            let bodies: Vec<String> = self.run(&script).await?;
            for body in bodies {
                tickets.push(Arc::new(json(&body)?));
            }
        }
        Ok(tickets)
    }
}

fn away(error: &redis::RedisError) -> Error {
    Error::StoreUnavailable(error.to_string())
}

impl From<NotReplicated> for Error {
    fn from(error: NotReplicated) -> Self {
        Self::StoreUnavailable(error.to_string())
    }
}

fn json<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, Error> {
    serde_json::from_str(text).map_err(|error| Error::StoreUnavailable(error.to_string()))
}

fn to_json<T: serde::Serialize>(value: &T) -> Result<String, Error> {
    serde_json::to_string(value).map_err(|error| Error::StoreUnavailable(error.to_string()))
}

fn unexpected(answer: &str) -> Error {
    Error::StoreUnavailable(format!("a script answered {answer:?}"))
}

#[async_trait]
impl TicketStore for RedisStore {
    async fn enqueue(&self, ticket: Ticket, most: u32) -> Result<Enqueued, Error> {
        let mut script = self.on_tickets(&self.scripts.enqueue);
        script.arg(to_json(&ticket)?).arg(most);
        let (what, detail): (String, String) = self.run_durably(&script).await?;
        Ok(match what.as_str() {
            "waiting" => Enqueued::Waiting,
            "repeated" => Enqueued::Repeated(detail.parse()?),
            "queued" => Enqueued::AlreadyQueued(detail.parse()?),
            "party" => Enqueued::InParty(detail.parse()?),
            "changed" => Enqueued::PartyChanged,
            "full" => Enqueued::Full,
            other => return Err(unexpected(other)),
        })
    }

    async fn cancel(&self, player: PlayerId, keep_until_ms: i64) -> Result<Cancelled, Error> {
        let mut script = self.on_tickets(&self.scripts.cancel);
        let cancelled = state_to(&TicketState::Closed { reason: Closed::Cancelled })?;
        script.arg(player.to_string()).arg(cancelled).arg(keep_until_ms);
        let (what, ticket): (String, String) = self.run_durably(&script).await?;
        Ok(match what.as_str() {
            "done" => Cancelled::Done(ticket.parse()?),
            "late" => Cancelled::TooLate,
            "none" => Cancelled::NoTicket,
            other => return Err(unexpected(other)),
        })
    }

    async fn ticket(&self, ticket: TicketId) -> Result<Option<TicketRecord>, Error> {
        self.record("ticket", ticket.to_string()).await
    }

    async fn ticket_of(&self, player: PlayerId) -> Result<Option<TicketRecord>, Error> {
        self.record("player", player.to_string()).await
    }

    async fn stats(&self, queue: &QueueId) -> Result<QueueStats, Error> {
        let mut script = self.on_tickets(&self.scripts.stats);
        script.arg(queue.as_str());
        let (waiting, recent_wait_ms) = self.run(&script).await?;
        Ok(QueueStats { waiting, recent_wait_ms })
    }

    async fn heartbeat(
        &self,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Vec<ReplicaId>, Error> {
        let mut script = self.on_tickets(&self.scripts.heartbeat);
        script.arg(replica.to_string()).arg(now_ms).arg(until_ms);
        let living: Vec<String> = self.run(&script).await?;
        let mut living = living.iter().map(|id| id.parse()).collect::<Result<Vec<_>, _>>()?;
        living.sort_unstable();
        Ok(living)
    }

    async fn lease(
        &self,
        queue: &QueueId,
        replica: ReplicaId,
        now_ms: i64,
        until_ms: i64,
    ) -> Result<Option<Lease>, Error> {
        let mut script = self.on_tickets(&self.scripts.lease);
        script.arg(queue.as_str()).arg(replica.to_string()).arg(now_ms).arg(until_ms);
        let epoch: u64 = self.run(&script).await?;
        Ok((epoch > 0).then(|| Lease { queue: queue.clone(), replica, epoch: Epoch(epoch) }))
    }

    async fn release(&self, lease: &Lease) -> Result<(), Error> {
        let mut script = self.on_tickets(&self.scripts.release);
        lease_args(&mut script, lease);
        self.run::<i64>(&script).await.map(drop)
    }

    async fn waiting(&self, queue: &QueueId) -> Result<Vec<Arc<Ticket>>, Error> {
        let mut script = self.on_tickets(&self.scripts.waiting);
        script.arg(queue.as_str());
        let ids: Vec<String> = self.run(&script).await?;
        let ids = ids.iter().map(|id| id.parse()).collect::<Result<Vec<TicketId>, _>>()?;
        let mut known = {
            let listed = self.listed.lock().unwrap_or_else(PoisonError::into_inner);
            listed.get(queue).cloned().unwrap_or_default()
        };
        let new: Vec<TicketId> = ids.iter().filter(|id| !known.contains_key(id)).copied().collect();
        for ticket in self.bodies(&new).await? {
            known.insert(ticket.id, ticket);
        }
        // A ticket that has gone meanwhile has no body; the claim will not have it either.
        let waiting: Vec<Arc<Ticket>> =
            ids.iter().filter_map(|id| known.get(id)).cloned().collect();
        let kept = waiting.iter().map(|ticket| (ticket.id, Arc::clone(ticket))).collect();
        self.listed.lock().unwrap_or_else(PoisonError::into_inner).insert(queue.clone(), kept);
        Ok(waiting)
    }

    async fn claim(&self, lease: &Lease, claim: NewClaim, now_ms: i64) -> Result<Claimed, Error> {
        let mut script = self.on_tickets(&self.scripts.claim);
        lease_args(&mut script, lease);
        script.arg(claim.id.to_string()).arg(claim.until_ms);
        let ready_until = claim.ready_until_ms.map(|until_ms| until_ms.to_string());
        script.arg(ready_until.unwrap_or_default());
        script.arg(claim_to(&lease.queue, &claim, now_ms)?);
        for ticket in &claim.tickets {
            script.arg(ticket.to_string());
        }
        let (what, claimed, check): (String, String, String) = self.run_durably(&script).await?;
        Ok(match what.as_str() {
            "done" => Claimed::Done(claim_from(&claimed, &check)?),
            "lost" => Claimed::LeaseLost,
            "gone" => Claimed::TicketGone,
            other => return Err(unexpected(other)),
        })
    }

    async fn answer_ready(
        &self,
        player: PlayerId,
        answer: ReadyAnswer,
        now_ms: i64,
    ) -> Result<Answered, Error> {
        let mut script = self.on_tickets(&self.scripts.answer_ready);
        let answer = match answer {
            ReadyAnswer::Ready => "ready",
            ReadyAnswer::Declined => "declined",
        };
        script.arg(player.to_string()).arg(answer).arg(now_ms);
        let noted: bool = self.run_durably(&script).await?;
        Ok(if noted { Answered::Noted } else { Answered::NotAsked })
    }

    async fn take_on(
        &self,
        lease: &Lease,
        due: Due,
        now_ms: i64,
        until_ms: i64,
        most: u32,
    ) -> Result<Vec<Claim>, Error> {
        let mut script = self.on_tickets(&self.scripts.take_on);
        lease_args(&mut script, lease);
        script.arg(now_ms).arg(until_ms).arg(most);
        script.arg(match due {
            Due::Checked => "checked",
            Due::Overdue => "overdue",
        });
        let taken: Vec<String> = self.run_durably(&script).await?;
        claims_from(&taken)
    }

    async fn settle(
        &self,
        claim: &Claim,
        outcomes: &[(TicketId, Outcome)],
        now_ms: i64,
        keep_until_ms: i64,
    ) -> Result<Settled, Error> {
        let mut script = self.on_tickets(&self.scripts.settle);
        script.arg(claim.queue.as_str()).arg(claim.id.to_string()).arg(claim.attempt);
        script.arg(now_ms).arg(keep_until_ms);
        for (ticket, outcome) in outcomes {
            let state = match outcome {
                Outcome::PutBack => TicketState::Waiting,
                Outcome::Closed { reason } => TicketState::Closed { reason: *reason },
                Outcome::Seated { table, seats } => {
                    TicketState::Matched { claim: claim.id, table: *table, seats: seats.clone() }
                }
            };
            script.arg(ticket.to_string()).arg(state_to(&state)?);
        }
        let done: bool = self.run_durably(&script).await?;
        Ok(if done { Settled::Done } else { Settled::Lost })
    }

    async fn sweep(&self, now_ms: i64, keep_until_ms: i64, most: u32) -> Result<Swept, Error> {
        let mut script = self.on_tickets(&self.scripts.sweep);
        let expired = state_to(&TicketState::Closed { reason: Closed::Expired })?;
        script.arg(now_ms).arg(keep_until_ms).arg(expired).arg(most);
        let (expired, forgotten) = self.run(&script).await?;
        Ok(Swept { expired, forgotten })
    }

    fn changes(&self) -> broadcast::Receiver<Change> {
        self.changes.subscribe()
    }
}

/// Queue, replica, epoch.
fn lease_args(script: &mut ScriptInvocation<'_>, lease: &Lease) {
    script.arg(lease.queue.as_str()).arg(lease.replica.to_string()).arg(lease.epoch.0);
}
