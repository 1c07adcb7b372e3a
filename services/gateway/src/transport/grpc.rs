//! Sessions over gRPC and gRPC-Web.
//!
//! The service is written by hand around tonic's streaming server, for one reason: its codec passes
//! serialized frames through, where the generated one would decode and encode every update.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::{Buf, BufMut, Bytes};
use futures_util::Stream;
use futures_util::future::BoxFuture;
use http::Response;
use parlor_common::{Code, Failure};
use parlor_proto::gateway::v1::Request;
use prost::Message;
use tokio::sync::{mpsc, oneshot};
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::server::{Grpc, NamedService, StreamingService, UnaryService};
use tonic::{Status, Streaming};
use tower::Service;

use crate::auth::token::bad_token;
use crate::edge::ClientAddress;
use crate::reasons;
use crate::session::{self, Connection, Core, Ending, INBOUND_QUEUE, Inbound, Outbox};
use crate::wire::{Malformed, Outgoing, client_frame_from_proto};

const CONNECT: &str = "/parlor.gateway.v1.SessionService/Connect";
const CALL: &str = "/parlor.gateway.v1.SessionService/Call";

/// `SessionService`.
#[derive(Clone)]
pub struct SessionServer {
    core: Arc<Core>,
}

impl SessionServer {
    /// For sessions of this gateway.
    #[must_use]
    pub const fn new(core: Arc<Core>) -> Self {
        Self { core }
    }
}

impl NamedService for SessionServer {
    const NAME: &'static str = "parlor.gateway.v1.SessionService";
}

impl<B> Service<http::Request<B>> for SessionServer
where
    B: tonic::codegen::Body + Send + 'static,
    B::Error: Into<tonic::codegen::StdError> + Send + 'static,
{
    type Response = Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let core = Arc::clone(&self.core);
        Box::pin(async move {
            let most = core.config.gateway_max_frame_bytes;
            Ok(match request.uri().path() {
                CONNECT => {
                    let mut grpc = Grpc::new(FrameCodec).max_decoding_message_size(most);
                    grpc.streaming(Connect { core }, request).await
                }
                CALL => {
                    let mut grpc = Grpc::new(CallCodec).max_decoding_message_size(most);
                    grpc.unary(Call { core }, request).await
                }
                _ => Status::unimplemented("there is no such method").into_http(),
            })
        })
    }
}

struct Connect {
    core: Arc<Core>,
}

impl StreamingService<Inbound> for Connect {
    type Response = Outgoing;
    type ResponseStream = Frames;
    type Future = BoxFuture<'static, Result<tonic::Response<Frames>, Status>>;

    fn call(&mut self, request: tonic::Request<Streaming<Inbound>>) -> Self::Future {
        let core = Arc::clone(&self.core);
        Box::pin(async move { connect(core, request).map_err(Status::from) })
    }
}

fn connect(
    core: Arc<Core>,
    request: tonic::Request<Streaming<Inbound>>,
) -> Result<tonic::Response<Frames>, Failure> {
    let address = request.extensions().get::<ClientAddress>().ok_or_else(|| {
        tracing::error!("a call has no client address");
        Failure::internal()
    })?;
    let address = address.0;
    let place = core.limits.session(address)?;
    let (inbound_sender, inbound) = mpsc::channel(INBOUND_QUEUE);
    let outbox = core.outbox();
    let connection = Connection {
        inbound,
        inbox: inbound_sender.downgrade(),
        outbox: Arc::clone(&outbox),
        address,
        place,
        transport: "grpc",
    };
    let frames = Frames::new(Arc::clone(&outbox));
    let stream = request.into_inner();
    let shutdown = core.shutdown.clone();
    shutdown.spawn("gateway-session", async move {
        tokio::join!(session::run(core, connection), read(stream, inbound_sender, &outbox));
    });
    Ok(tonic::Response::new(frames))
}

/// Reads until the client is gone, or the session has ended.
async fn read(mut stream: Streaming<Inbound>, inbound: mpsc::Sender<Inbound>, outbox: &Outbox) {
    loop {
        let item = tokio::select! {
            item = stream.message() => item,
            () = inbound.closed() => return,
        };
        let (item, is_last) = match item {
            Ok(Some(item)) => (item, false),
            Ok(None) => (Inbound::HalfClosed, true),
            Err(status) if status.code() == tonic::Code::OutOfRange => (Inbound::TooLarge, true),
            Err(status) => {
                tracing::debug!(%status, "a stream broke");
                return;
            }
        };
        if inbound.send(item).await.is_err() {
            return;
        }
        if is_last {
            break;
        }
    }
    // Nothing more comes, but the client still listens.
    tokio::select! {
        () = outbox.abandoned() => {}
        () = inbound.closed() => {}
    }
}

type Next = Result<Outgoing, Ending>;

/// A session's outbox as a response stream.
struct Frames {
    outbox: Arc<Outbox>,
    waiting: Pin<Box<dyn Future<Output = Next> + Send>>,
    has_ended: bool,
}

impl Frames {
    fn new(outbox: Arc<Outbox>) -> Self {
        let waiting = Box::pin(next(Arc::clone(&outbox)));
        Self { outbox, waiting, has_ended: false }
    }
}

async fn next(outbox: Arc<Outbox>) -> Next {
    outbox.next().await
}

impl Stream for Frames {
    type Item = Result<Outgoing, Status>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if self.has_ended {
            return Poll::Ready(None);
        }
        let next_frame = match self.outbox.try_next() {
            Some(next) => next,
            None => match self.waiting.as_mut().poll(context) {
                Poll::Ready(frame) => {
                    self.waiting = Box::pin(next(Arc::clone(&self.outbox)));
                    frame
                }
                Poll::Pending => return Poll::Pending,
            },
        };
        Poll::Ready(match next_frame {
            Ok(frame) => Some(Ok(frame)),
            Err(ending) => {
                self.has_ended = true;
                ending.failure().map(|failure| Err(failure.into()))
            }
        })
    }
}

impl Drop for Frames {
    fn drop(&mut self) {
        self.outbox.abandon();
    }
}

struct Call {
    core: Arc<Core>,
}

impl UnaryService<Request> for Call {
    type Response = Bytes;
    type Future = BoxFuture<'static, Result<tonic::Response<Bytes>, Status>>;

    fn call(&mut self, request: tonic::Request<Request>) -> Self::Future {
        let core = Arc::clone(&self.core);
        Box::pin(async move {
            let response = call(&core, request).await?;
            Ok(tonic::Response::new(response))
        })
    }
}

/// Hands a request to the player's session; gives the serialized `Response`.
async fn call(core: &Core, request: tonic::Request<Request>) -> Result<Bytes, Failure> {
    let token = request
        .metadata()
        .get("authorization")
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "))
        .ok_or_else(bad_token)?;
    let player = core.sign_in.check_access(token)?.player;
    let no_session = || {
        let message = "the player has no session at this gateway";
        Failure::new(Code::Precondition, reasons::NO_SESSION, message)
    };
    let inbox = core.inboxes.of(&player).ok_or_else(no_session)?;
    let (reply_to, reply) = oneshot::channel();
    let inbound = Inbound::Call(Box::new(request.into_inner()), reply_to);
    inbox.send(inbound).await.map_err(|_| no_session())?;
    // Or else this would keep the session's inbox open.
    drop(inbox);
    reply.await.map_err(|_| no_session())
}

#[derive(Clone, Copy, Default)]
struct FrameCodec;

impl Codec for FrameCodec {
    type Encode = Outgoing;
    type Decode = Inbound;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for FrameCodec {
    type Item = Outgoing;
    type Error = Status;

    fn encode(&mut self, item: Outgoing, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        item.encode(buffer);
        Ok(())
    }
}

impl Decoder for FrameCodec {
    type Item = Inbound;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Inbound>, Status> {
        let bytes = buffer.copy_to_bytes(buffer.remaining());
        Ok(Some(client_frame_from_proto(bytes).into()))
    }
}

#[derive(Clone, Copy, Default)]
struct CallCodec;

impl Codec for CallCodec {
    type Encode = Bytes;
    type Decode = Request;
    type Encoder = Self;
    type Decoder = Self;

    fn encoder(&mut self) -> Self {
        *self
    }

    fn decoder(&mut self) -> Self {
        *self
    }
}

impl Encoder for CallCodec {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, item: Bytes, buffer: &mut EncodeBuf<'_>) -> Result<(), Status> {
        buffer.put(item);
        Ok(())
    }
}

impl Decoder for CallCodec {
    type Item = Request;
    type Error = Status;

    fn decode(&mut self, buffer: &mut DecodeBuf<'_>) -> Result<Option<Request>, Status> {
        let malformed = |error: prost::DecodeError| Malformed::new(error.to_string());
        let request = Request::decode(buffer).map_err(malformed).map_err(Failure::from)?;
        Ok(Some(request))
    }
}
