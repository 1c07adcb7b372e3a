//! The client protocol over WebSocket and over gRPC.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use parlor_proto::gateway::v1::session_service_client::SessionServiceClient;
use parlor_proto::gateway::v1::{ClientFrame, ServerFrame, client_frame, server_frame};
use prost::Message as _;
use tokio::net::{TcpSocket, TcpStream, lookup_host};
use tokio::sync::mpsc;
use tokio::time::timeout;
use tokio_stream::wrappers::ReceiverStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::tungstenite::protocol::WebSocketConfig;
use tokio_tungstenite::{WebSocketStream, client_async_with_config};
use tonic::Streaming;
use tonic::transport::{Channel, Endpoint};

use super::Error;

const SUBPROTOCOL: &str = "parlor.v1.proto";
/// Longest wait for a connection.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// Buffers of a socket: frames are small, and there are many sockets.
const SOCKET_BUFFER_BYTES: usize = 4 * 1024;
/// Largest frame of a server that a client takes.
const FRAME_MAX_BYTES: usize = 16 << 20;
/// Frames of a client that wait for its gRPC stream.
const FRAMES: usize = 64;
/// Sessions that share one HTTP/2 connection.
const SESSIONS_A_CHANNEL: usize = 64;
/// Connections from one loopback address: fewer than it has ports.
const SOCKETS_AN_ADDRESS: usize = 20_000;

/// How frames travel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transport {
    /// One socket a session.
    WebSocket,
    /// One stream a session; several share a connection.
    Grpc,
}

/// A gateway as clients reach it.
#[derive(Clone, Debug)]
pub struct Gateway {
    /// Host and port.
    authority: Arc<str>,
    /// Connects when it is first used.
    pub channel: Channel,
}

/// The gateways that clients know. Each client has a clone: clones begin at one gateway after the
/// other, and from then on each takes turns by itself, so that after a gateway that is gone comes
/// one that may not be.
#[derive(Debug)]
pub struct Gateways {
    list: Arc<[Gateway]>,
    turn: AtomicUsize,
    clones: Arc<AtomicUsize>,
    /// Channels for sessions over gRPC.
    shared: Arc<std::sync::Mutex<Vec<(usize, Channel)>>>,
    sockets: Arc<AtomicUsize>,
}

impl Clone for Gateways {
    fn clone(&self) -> Self {
        Self {
            list: Arc::clone(&self.list),
            turn: AtomicUsize::new(self.clones.fetch_add(1, Ordering::Relaxed)),
            clones: Arc::clone(&self.clones),
            shared: Arc::clone(&self.shared),
            sockets: Arc::clone(&self.sockets),
        }
    }
}

impl Gateways {
    /// Gateways by their URLs, such as `http://127.0.0.1:8080`.
    ///
    /// # Errors
    /// [`Error::Address`] when there is none, or one is of another scheme.
    pub fn new(urls: &[String]) -> Result<Self, Error> {
        let list = urls.iter().map(|url| gateway(url)).collect::<Result<Arc<[_]>, _>>()?;
        if list.is_empty() {
            return Err(Error::Address("nothing".to_owned()));
        }
        let (shared, sockets) = (Arc::default(), Arc::default());
        Ok(Self { list, turn: AtomicUsize::new(0), clones: Arc::default(), shared, sockets })
    }

    /// The gateway whose turn it is.
    #[must_use]
    pub fn next(&self) -> &Gateway {
        &self.list[self.turn.fetch_add(1, Ordering::Relaxed) % self.list.len()]
    }

    /// Opens a connection to the gateway whose turn it is.
    ///
    /// # Errors
    /// [`Error::Connection`].
    pub async fn connect(&self, transport: Transport) -> Result<Connection, Error> {
        let gateway = self.next();
        let opened = async {
            match transport {
                Transport::WebSocket => {
                    let number = self.sockets.fetch_add(1, Ordering::Relaxed);
                    let socket = open_socket(&gateway.authority, number).await?;
                    Ok(Connection::WebSocket(Box::new(socket)))
                }
                Transport::Grpc => Connection::stream(self.session_channel(gateway)?).await,
            }
        };
        let opened = timeout(CONNECT_TIMEOUT, opened).await;
        opened.map_err(|_| Error::Connection("not open in time".to_owned()))?
    }

    /// A channel with room for one more session. Channels are never given back: a load test has as
    /// many sessions at its end as at its start.
    fn session_channel(&self, gateway: &Gateway) -> Result<Channel, Error> {
        if self.list.len() > 1 {
            return Ok(gateway.channel.clone());
        }
        let mut shared = self.shared.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some((sessions, channel)) = shared.last_mut()
            && *sessions < SESSIONS_A_CHANNEL
        {
            *sessions += 1;
            return Ok(channel.clone());
        }
        let channel = endpoint(&gateway.authority)?.connect_lazy();
        shared.push((1, channel.clone()));
        Ok(channel)
    }
}

fn gateway(url: &str) -> Result<Gateway, Error> {
    let authority = url.strip_prefix("http://").map(|rest| rest.trim_end_matches('/'));
    let authority = authority.filter(|rest| !rest.is_empty() && !rest.contains('/'));
    let authority = authority.ok_or_else(|| Error::Address(url.to_owned()))?;
    Ok(Gateway { authority: authority.into(), channel: endpoint(authority)?.connect_lazy() })
}

fn endpoint(authority: &str) -> Result<Endpoint, Error> {
    let endpoint = Endpoint::from_shared(format!("http://{authority}"));
    let endpoint = endpoint.map_err(|_| Error::Address(authority.to_owned()))?;
    Ok(endpoint.connect_timeout(CONNECT_TIMEOUT).tcp_nodelay(true))
}

type Socket = WebSocketStream<TcpStream>;

async fn open_socket(authority: &str, number: usize) -> Result<Socket, Error> {
    let lost = |error: &dyn std::fmt::Display| Error::Connection(error.to_string());
    let mut found = lookup_host(authority).await.map_err(|error| lost(&error))?;
    let address = found.next().ok_or_else(|| Error::Address(authority.to_owned()))?;
    let tcp = connect_from(address, number).await.map_err(|error| lost(&error))?;
    tcp.set_nodelay(true).map_err(|error| lost(&error))?;
    let url = format!("ws://{authority}/v1/session");
    let mut request = url.into_client_request().map_err(|error| lost(&error))?;
    let subprotocol = SUBPROTOCOL.parse().map_err(|error| lost(&error))?;
    request.headers_mut().insert("sec-websocket-protocol", subprotocol);
    let config = WebSocketConfig::default()
        .read_buffer_size(SOCKET_BUFFER_BYTES)
        .write_buffer_size(0)
        .max_message_size(Some(FRAME_MAX_BYTES))
        .max_frame_size(Some(FRAME_MAX_BYTES));
    let opened = client_async_with_config(request, tcp, Some(config)).await;
    opened.map(|(socket, _)| socket).map_err(|error| lost(&error))
}

/// Spreads many sockets over the loopback addresses, since one has too few ports.
async fn connect_from(address: SocketAddr, number: usize) -> std::io::Result<TcpStream> {
    if address.ip() != IpAddr::V4(Ipv4Addr::LOCALHOST) {
        return TcpStream::connect(address).await;
    }
    let socket = TcpSocket::new_v4()?;
    let place = u8::try_from(1 + number / SOCKETS_AN_ADDRESS).unwrap_or(u8::MAX);
    if place > 1 {
        socket.bind(SocketAddr::from(([127, 0, 0, place], 0)))?;
    }
    socket.connect(address).await
}

/// An open connection.
#[derive(Debug)]
pub enum Connection {
    /// A WebSocket.
    WebSocket(Box<Socket>),
    /// A stream of `SessionService.Connect`.
    Grpc {
        /// Frames to the server.
        frames: mpsc::Sender<ClientFrame>,
        /// Frames of the server.
        incoming: Box<Streaming<ServerFrame>>,
    },
}

impl Connection {
    async fn stream(channel: Channel) -> Result<Self, Error> {
        let (frames, outgoing) = mpsc::channel(FRAMES);
        let mut client =
            SessionServiceClient::new(channel).max_decoding_message_size(FRAME_MAX_BYTES);
        let answered = client.connect(ReceiverStream::new(outgoing)).await;
        let incoming = answered.map_err(|status| Error::Connection(status.message().to_owned()))?;
        Ok(Self::Grpc { frames, incoming: Box::new(incoming.into_inner()) })
    }

    /// Sends a frame.
    ///
    /// # Errors
    /// [`Error::Connection`] when the connection is gone.
    pub async fn send(&mut self, frame: client_frame::Frame) -> Result<(), Error> {
        let frame = ClientFrame { frame: Some(frame) };
        match self {
            Self::WebSocket(socket) => {
                let message = Message::binary(frame.encode_to_vec());
                socket.send(message).await.map_err(|error| Error::Connection(error.to_string()))
            }
            Self::Grpc { frames, .. } => {
                let sent = frames.send(frame).await;
                sent.map_err(|_| Error::Connection("the stream has ended".to_owned()))
            }
        }
    }

    /// The next frame. Cancel safe.
    ///
    /// # Errors
    /// [`Error::Connection`] at the end, [`Error::Protocol`] for what is no frame.
    pub async fn next(&mut self) -> Result<server_frame::Frame, Error> {
        let frame = match self {
            Self::WebSocket(socket) => next_message(socket).await?,
            Self::Grpc { incoming, .. } => match incoming.message().await {
                Ok(Some(frame)) => frame,
                Ok(None) => return Err(Error::Connection("the stream has ended".to_owned())),
                Err(status) => return Err(Error::Connection(status.message().to_owned())),
            },
        };
        frame.frame.ok_or_else(|| Error::Protocol("an empty frame".to_owned()))
    }
}

async fn next_message(socket: &mut Socket) -> Result<ServerFrame, Error> {
    loop {
        return match socket.next().await {
            Some(Ok(Message::Binary(bytes))) => ServerFrame::decode(bytes)
                .map_err(|error| Error::Protocol(format!("no frame: {error}"))),
            Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
            Some(Ok(Message::Close(frame))) => {
                let why = frame.map_or_else(|| "closed".to_owned(), |frame| frame.to_string());
                Err(Error::Connection(why))
            }
            Some(Ok(_)) => Err(Error::Protocol("a text message".to_owned())),
            Some(Err(error)) => Err(Error::Connection(error.to_string())),
            None => Err(Error::Connection("the socket has ended".to_owned())),
        };
    }
}
