//! Accepts connections, a bounded number at a time, and shakes hands where TLS is spoken.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::{Stream, StreamExt};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_rustls::server::TlsStream;
use tonic::transport::server::{Connected, TcpConnectInfo};

use crate::tls::Identity;

/// Pause after a failed accept: mostly the process is out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// Longest time that a caller may take to shake hands.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
/// Most handshakes at a time; a caller that dawdles holds up no other.
const HANDSHAKES: usize = 64;

/// A connection that gives its place back when it is dropped.
pub(super) struct Admitted {
    stream: Conversation,
    _place: OwnedSemaphorePermit,
}

/// What is spoken on it.
enum Conversation {
    Plain(TcpStream),
    Secure(Box<TlsStream<TcpStream>>),
}

/// The connections of `listener`, at most `most` at a time; the others wait in its backlog.
pub(super) fn admit(
    listener: TcpListener,
    most: usize,
    identity: Option<Arc<Identity>>,
) -> impl Stream<Item = io::Result<Admitted>> + Send {
    let places = Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)));
    let accepted =
        futures_util::stream::unfold((listener, places), |(listener, places)| async move {
            // Never closed, so never an error.
            let place = Arc::clone(&places).acquire_owned().await.ok()?;
            let stream = accept(&listener).await;
            Some(((stream, place), (listener, places)))
        });
    accepted
        .map(move |(stream, place)| {
            let identity = identity.clone();
            async move { Some(Admitted { stream: greet(stream, identity).await?, _place: place }) }
        })
        .buffer_unordered(HANDSHAKES)
        .filter_map(|admitted| async move { admitted.map(Ok) })
}

async fn accept(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                // Answers are small and awaited.
                if let Err(error) = stream.set_nodelay(true) {
                    tracing::debug!(%error, "nodelay could not be set");
                }
                return stream;
            }
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// `None` when the caller cannot say who it is.
async fn greet(stream: TcpStream, identity: Option<Arc<Identity>>) -> Option<Conversation> {
    let Some(identity) = identity else { return Some(Conversation::Plain(stream)) };
    match timeout(HANDSHAKE_TIMEOUT, identity.acceptor().accept(stream)).await {
        Ok(Ok(stream)) => Some(Conversation::Secure(Box::new(stream))),
        Ok(Err(error)) => {
            tracing::warn!(%error, "a caller did not prove who it is");
            None
        }
        Err(_) => None,
    }
}

impl Connected for Admitted {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> Self::ConnectInfo {
        match &self.stream {
            Conversation::Plain(stream) => stream.connect_info(),
            Conversation::Secure(stream) => stream.get_ref().0.connect_info(),
        }
    }
}

impl AsyncRead for Admitted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Conversation::Plain(stream) => Pin::new(stream).poll_read(context, buffer),
            Conversation::Secure(stream) => Pin::new(stream).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Admitted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Conversation::Plain(stream) => Pin::new(stream).poll_write(context, buffer),
            Conversation::Secure(stream) => Pin::new(stream).poll_write(context, buffer),
        }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match &mut self.stream {
            Conversation::Plain(stream) => Pin::new(stream).poll_write_vectored(context, buffers),
            Conversation::Secure(stream) => Pin::new(stream).poll_write_vectored(context, buffers),
        }
    }

    fn is_write_vectored(&self) -> bool {
        match &self.stream {
            Conversation::Plain(stream) => stream.is_write_vectored(),
            Conversation::Secure(stream) => stream.is_write_vectored(),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Conversation::Plain(stream) => Pin::new(stream).poll_flush(context),
            Conversation::Secure(stream) => Pin::new(stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match &mut self.stream {
            Conversation::Plain(stream) => Pin::new(stream).poll_shutdown(context),
            Conversation::Secure(stream) => Pin::new(stream).poll_shutdown(context),
        }
    }
}
