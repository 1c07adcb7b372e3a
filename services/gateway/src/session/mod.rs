//! Sessions: what happens between a client's Hello and its goodbye, whatever the transport.
//!
//! A transport turns messages into [`Inbound`]s in a bounded queue, and writes what comes out of an
//! [`Outbox`]. Between the two, [`run`] is the session's actor:
//!
//! * [`greeting`]: Hello, who it is, where the player's seat is;
//! * [`actor`]: the loop, its timers and its end;
//! * [`commands`]: one function for each request;
//! * [`watching`], [`watch`] and [`feed`]: tables; [`following`]: the [`ticket`] and the [`party`];
//! * [`registry`]: one session per player, at whatever gateway, and who may have one;
//! * [`inboxes`]: requests beside the connection.

pub mod actor;
pub mod commands;
pub mod feed;
pub mod following;
pub mod greeting;
pub mod inboxes;
pub mod outbox;
pub mod party;
pub mod registry;
pub mod ticket;
pub mod watch;
pub mod watching;

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parlor_common::{Clock, Failure, Shutdown};
use parlor_proto::gateway::v1::{ClientFrame, Error, GoAway, Request, ServerFrame, server_frame};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

pub use inboxes::Inboxes;
pub use outbox::{Ending, Outbox, OutboxLimits};
pub use registry::Registry;

use crate::auth::SignIn;
use crate::config::SessionConfig;
use crate::edge::limits::{Limits, Place};
use crate::link::Links;
use crate::metrics::Metrics;
use crate::peers::Clients;
use crate::wire::Malformed;

/// Frames of a client that may wait for its session; then the transport stops reading.
pub const INBOUND_QUEUE: usize = 16;

/// What a transport has read.
#[derive(Debug)]
pub enum Inbound {
    /// A frame.
    Frame(Box<ClientFrame>),
    /// Something that is no frame.
    Malformed(Malformed),
    /// Something larger than the limit.
    TooLarge,
    /// A sign of life below the protocol.
    Alive,
    /// A request that came beside the connection, and where its `Response` goes, serialized.
    Call(Box<Request>, oneshot::Sender<Bytes>),
    /// The client will send no more but still listens.
    HalfClosed,
}

impl From<Result<ClientFrame, Malformed>> for Inbound {
    fn from(read: Result<ClientFrame, Malformed>) -> Self {
        read.map_or_else(Self::Malformed, |frame| Self::Frame(Box::new(frame)))
    }
}

/// One connection, as a transport hands it to its session.
pub struct Connection {
    /// What is read; its end is the client's.
    pub inbound: mpsc::Receiver<Inbound>,
    /// The other end of it, for requests beside the connection.
    pub inbox: mpsc::WeakSender<Inbound>,
    /// What is to be written.
    pub outbox: Arc<Outbox>,
    /// The client's address, for limits.
    pub address: IpAddr,
    /// Its place among the sessions of that address.
    pub place: Place,
    /// Name of the transport, for logs.
    pub transport: &'static str,
}

/// What all sessions of a gateway share.
pub struct Core {
    /// Settings.
    pub config: SessionConfig,
    /// Checks tokens.
    pub sign_in: SignIn,
    /// Reaches the tables.
    pub links: Arc<Links>,
    /// Reaches the other services.
    pub clients: Clients,
    /// Who is here.
    pub registry: Arc<Registry>,
    /// Limits per player and per address.
    pub limits: Limits,
    /// Instruments.
    pub metrics: Arc<Metrics>,
    /// The time.
    pub clock: Clock,
    /// Ends the gateway.
    pub shutdown: Shutdown,
    /// Tells sessions to end, and that no more may come: the gateway ends, or is drained.
    pub leaving: CancellationToken,
    /// Sessions that can be reached beside their connections.
    pub inboxes: Arc<Inboxes>,
    /// The sessions that run.
    pub running: TaskTracker,
}

impl Core {
    /// An outbox for a new connection.
    #[must_use]
    pub fn outbox(&self) -> Arc<Outbox> {
        let limits = OutboxLimits {
            frames: self.config.gateway_outbox_frames,
            bytes: self.config.gateway_outbox_bytes,
        };
        Arc::new(Outbox::new(limits, Arc::clone(self.metrics.waiting())))
    }

    /// Counts a sign-in or a refresh, and refuses whoever may not come.
    ///
    /// # Errors
    /// `PERMISSION_DENIED`/`ADDRESS_BANNED`, `RESOURCE_EXHAUSTED`/`RATE_LIMITED`.
    pub fn admit_sign_in(&self, address: IpAddr) -> Result<(), Failure> {
        self.registry.admit(address)?;
        self.limits.sign_in(address)
    }

    /// [`Core::admit_sign_in`] for a player who does not exist yet.
    ///
    /// # Errors
    /// The same.
    pub fn admit_guest(&self, address: IpAddr) -> Result<(), Failure> {
        self.admit_sign_in(address)?;
        self.limits.guest(address)
    }

    /// Waits until no session runs any more. For the end, when no new ones come.
    pub async fn sessions_ended(&self) {
        self.running.close();
        self.running.wait().await;
    }
}

/// Runs one session to its end. The outbox has been told to end, or was abandoned, when this
/// returns.
#[tracing::instrument(name = "session", skip_all, fields(player, transport = connection.transport))]
pub async fn run(core: Arc<Core>, mut connection: Connection) {
    let _running = core.running.token();
    let outbox = Arc::clone(&connection.outbox);
    let mut entered = None;
    let ending = match greeting::greet(&core, &mut connection).await {
        Ok(greeted) => {
            tracing::Span::current()
                .record("player", tracing::field::display(&greeted.lease.player));
            let lease = entered.insert(greeted.lease.clone());
            let _counted = core.metrics.session();
            let inbox = connection.inbox.clone();
            let _reachable = core.inboxes.open(lease.player, lease.epoch, inbox);
            actor::Session::new(Arc::clone(&core), &connection, greeted)
                .run(&mut connection.inbound)
                .await
        }
        Err(ending) => ending,
    };
    tracing::debug!(?ending, "the session ends");
    core.metrics.ended(ending.cause());
    if let Some(farewell) = ending.farewell() {
        outbox.push(&farewell);
    }
    outbox.end(ending);
    // Last: what the gateways share may be slow, and the client is told without it.
    if let Some(lease) = entered {
        core.registry.leave(&lease, core.limits.debt(&lease.player)).await;
    }
}

impl Ending {
    /// A stable name for metrics.
    #[must_use]
    pub const fn cause(&self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Draining => "draining",
            Self::Replaced => "replaced",
            Self::Kicked => "kicked",
            Self::Idle => "idle",
            Self::TooSlow => "too_slow",
            Self::TooLarge => "too_large",
            Self::Failed(_) => "failed",
        }
    }

    /// The failure that the client is told, if it is one.
    #[must_use]
    pub fn failure(&self) -> Option<Failure> {
        use crate::reasons::{MESSAGE_TOO_LARGE, TOO_SLOW};
        use parlor_common::Code;
        match self {
            Self::TooSlow => {
                Some(Failure::new(Code::Exhausted, TOO_SLOW, "the client reads too slowly"))
            }
            Self::TooLarge => {
                Some(Failure::new(Code::Invalid, MESSAGE_TOO_LARGE, "the frame is too large"))
            }
            Self::Failed(failure) => Some(failure.clone()),
            Self::Finished | Self::Draining | Self::Replaced | Self::Kicked | Self::Idle => None,
        }
    }

    fn farewell(&self) -> Option<ServerFrame> {
        match self {
            Self::Replaced => Some(go_away("replaced", Duration::ZERO)),
            Self::Kicked => Some(go_away("kicked", Duration::ZERO)),
            Self::Idle => Some(go_away("idle", Duration::ZERO)),
            // Said when the drain began.
            Self::Draining | Self::Finished => None,
            Self::TooSlow | Self::TooLarge | Self::Failed(_) => self
                .failure()
                .map(|failure| frame(server_frame::Frame::Error(failure.into_error()))),
        }
    }
}

/// A frame of the server.
#[must_use]
pub fn frame(frame: server_frame::Frame) -> ServerFrame {
    ServerFrame { frame: Some(frame) }
}

fn go_away(reason: &str, pause: Duration) -> ServerFrame {
    let reconnect_after_ms = u32::try_from(pause.as_millis()).unwrap_or(u32::MAX);
    frame(server_frame::Frame::GoAway(GoAway { reason: reason.to_owned(), reconnect_after_ms }))
}

/// A failure in the words of the client protocol.
pub trait IntoError {
    /// The error frame.
    fn into_error(self) -> Error;
}

impl IntoError for Failure {
    fn into_error(self) -> Error {
        Error {
            code: self.code.name().to_owned(),
            reason: self.reason,
            message: self.message,
            retryable: self.code.retryable(),
            metadata: self.metadata,
        }
    }
}
