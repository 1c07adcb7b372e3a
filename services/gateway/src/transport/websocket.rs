//! Sessions over WebSocket: one frame a message, binary protobuf or JSON text.

use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use futures_util::stream::{SplitSink, SplitStream};
use futures_util::{SinkExt, StreamExt};
use parlor_common::Failure;
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval_at, timeout};
use tokio_tungstenite::tungstenite;

use crate::edge::limits::Place;
use crate::session::{self, Connection, Core, Ending, INBOUND_QUEUE, Inbound, Outbox};
use crate::wire::{JsonFrames, Malformed, Outgoing, client_frame_from_proto};

/// Subprotocol with binary messages.
pub const PROTO: &str = "parlor.v1.proto";
/// Subprotocol with text messages.
pub const JSON: &str = "parlor.v1.json";

/// What a socket buffers for reading; requests are small.
const READ_BUFFER_BYTES: usize = 4 * 1024;
/// What a socket gathers before it writes.
const WRITE_BUFFER_BYTES: usize = 8 * 1024;
/// Longest wait for a closing socket to take its last frames.
const CLOSE_GRACE: Duration = Duration::from_secs(2);
/// Time for the client to read our goodbye before the socket is reset under what it still sends.
const LINGER: Duration = Duration::from_secs(1);
/// Longest close reason that a WebSocket frame carries, in bytes.
const MAX_CLOSE_REASON_BYTES: usize = 123;

/// Close codes of our own, for clients that look no further.
pub mod close {
    /// A newer connection of the player took over: do not connect again by yourself.
    pub const REPLACED: u16 = 4001;
    /// Nothing was heard for too long.
    pub const IDLE: u16 = 4002;
    /// The client reads too slowly.
    pub const TOO_SLOW: u16 = 4003;
    /// A moderator sent the player away: do not connect again by yourself.
    pub const KICKED: u16 = 4004;
}

/// How a socket's messages are written.
#[derive(Clone, Debug)]
pub enum Codec {
    /// Binary.
    Proto,
    /// Text.
    Json(JsonFrames),
}

impl Codec {
    const fn name(&self) -> &'static str {
        match self {
            Self::Proto => "websocket-proto",
            Self::Json(_) => "websocket-json",
        }
    }

    fn read(&self, message: Message) -> Option<Inbound> {
        let frame = match (self, message) {
            (_, Message::Close(_)) => return None,
            (_, Message::Ping(_) | Message::Pong(_)) => return Some(Inbound::Alive),
            (Self::Proto, Message::Binary(bytes)) => client_frame_from_proto(bytes),
            (Self::Json(json), Message::Text(text)) => json.read(&text),
            (Self::Proto, Message::Text(_)) => {
                Err(Malformed::new("a text message where the subprotocol is binary"))
            }
            (Self::Json(_), Message::Binary(_)) => {
                Err(Malformed::new("a binary message where the subprotocol is JSON text"))
            }
        };
        Some(Inbound::from(frame))
    }

    fn write(&self, frame: &Outgoing) -> Option<Message> {
        match self {
            Self::Proto => Some(Message::Binary(frame.to_bytes())),
            Self::Json(json) => json.write(frame).map(|text| Message::Text(text.into())),
        }
    }
}

/// Sets the limits of a socket before it is upgraded.
pub fn configure(upgrade: WebSocketUpgrade, max_frame_bytes: usize) -> WebSocketUpgrade {
    upgrade
        .protocols([PROTO, JSON])
        .read_buffer_size(READ_BUFFER_BYTES)
        .write_buffer_size(WRITE_BUFFER_BYTES)
        .max_message_size(max_frame_bytes)
        .max_frame_size(max_frame_bytes)
}

/// Runs the session of an open socket.
pub async fn serve(
    core: Arc<Core>,
    socket: WebSocket,
    codec: Codec,
    address: IpAddr,
    place: Place,
) {
    let (inbound_sender, inbound) = mpsc::channel(INBOUND_QUEUE);
    let outbox = core.outbox();
    let connection = Connection {
        inbound,
        inbox: inbound_sender.downgrade(),
        outbox: Arc::clone(&outbox),
        address,
        place,
        transport: codec.name(),
    };
    let heartbeat = Duration::from_millis(core.config.gateway_heartbeat_ms.into());
    let (sink, stream) = socket.split();
    let mut session = std::pin::pin!(session::run(core, connection));
    let mut transfer =
        std::pin::pin!(transfer(sink, stream, codec, inbound_sender, &outbox, heartbeat));
    tokio::select! {
        () = &mut session => {
            // A client that does not take its last frames in time loses them.
            let _ = timeout(CLOSE_GRACE, transfer).await;
        }
        () = &mut transfer => {
            outbox.abandon();
            session.await;
        }
    }
}

async fn transfer(
    mut sink: SplitSink<WebSocket, Message>,
    mut stream: SplitStream<WebSocket>,
    codec: Codec,
    inbound: mpsc::Sender<Inbound>,
    outbox: &Outbox,
    heartbeat: Duration,
) {
    let mut reading = std::pin::pin!(read(&mut stream, &codec, inbound));
    tokio::select! {
        () = &mut reading => {}
        said_goodbye = write(&mut sink, &codec, outbox, heartbeat) => {
            if said_goodbye.is_some() {
                let _ = timeout(LINGER, reading).await;
            }
        }
    }
}

/// Reads until the client is gone.
async fn read(stream: &mut SplitStream<WebSocket>, codec: &Codec, inbound: mpsc::Sender<Inbound>) {
    while let Some(message) = stream.next().await {
        let item = match message {
            Ok(message) => codec.read(message),
            Err(error) if is_too_large(&error) => Some(Inbound::TooLarge),
            Err(error) => {
                tracing::debug!(%error, "a socket broke");
                None
            }
        };
        let Some(item) = item else { return };
        let is_last = matches!(item, Inbound::TooLarge);
        // When the session has ended, the client's own goodbye is still waited for.
        let _ = inbound.send(item).await;
        if is_last {
            // Behind a message that was not read, nothing can be.
            std::future::pending::<()>().await;
        }
    }
}

fn is_too_large(error: &axum::Error) -> bool {
    let source = std::error::Error::source(error);
    source
        .and_then(|source| source.downcast_ref::<tungstenite::Error>())
        .is_some_and(|error| matches!(error, tungstenite::Error::Capacity(_)))
}

/// Writes until the session has ended; `None` when the socket broke.
async fn write(
    sink: &mut SplitSink<WebSocket, Message>,
    codec: &Codec,
    outbox: &Outbox,
    heartbeat: Duration,
) -> Option<()> {
    let mut pings = interval_at(Instant::now() + heartbeat, heartbeat);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let mut next = tokio::select! {
            next = outbox.next() => Some(next),
            // Browsers answer for a page whose timers sleep in the background.
            _ = pings.tick() => {
                sink.send(Message::Ping(bytes::Bytes::new())).await.ok()?;
                continue;
            }
        };
        while let Some(frame) = next {
            match frame {
                Ok(frame) => {
                    let Some(message) = codec.write(&frame) else {
                        tracing::error!("a frame could not be written as JSON");
                        let ending = Ending::Failed(Failure::internal());
                        return sink.send(goodbye(&ending)).await.ok();
                    };
                    sink.feed(message).await.ok()?;
                }
                Err(ending) => return sink.send(goodbye(&ending)).await.ok(),
            }
            next = outbox.try_next();
        }
        sink.flush().await.ok()?;
    }
}

fn goodbye(ending: &Ending) -> Message {
    let (code, reason) = match ending {
        Ending::Finished => (close_code::NORMAL, ""),
        Ending::Draining => (close_code::AWAY, "draining"),
        Ending::Replaced => (close::REPLACED, "replaced"),
        Ending::Kicked => (close::KICKED, "kicked"),
        Ending::Idle => (close::IDLE, "idle"),
        Ending::TooSlow => (close::TOO_SLOW, "too_slow"),
        Ending::TooLarge => (close_code::SIZE, crate::reasons::MESSAGE_TOO_LARGE),
        Ending::Failed(failure) => {
            let code = match failure.code {
                parlor_common::Code::Internal => close_code::ERROR,
                parlor_common::Code::Unavailable => close_code::AGAIN,
                _ => close_code::POLICY,
            };
            (code, failure.reason.as_str())
        }
    };
    let reason = reason.get(..MAX_CLOSE_REASON_BYTES).unwrap_or(reason);
    Message::Close(Some(CloseFrame { code, reason: reason.into() }))
}
