//! Accepts connections, a bounded number at a time.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use futures_util::Stream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tonic::transport::server::{Connected, TcpConnectInfo};

/// Pause after a failed accept: mostly the process is out of file descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// A connection that gives its place back when it is dropped.
pub(super) struct Admitted {
    stream: TcpStream,
    _place: OwnedSemaphorePermit,
}

/// The connections of `listener`, at most `most` at a time; the others wait in its backlog.
pub(super) fn admit(
    listener: TcpListener,
    most: usize,
) -> impl Stream<Item = io::Result<Admitted>> + Send {
    let places = Arc::new(Semaphore::new(most.clamp(1, Semaphore::MAX_PERMITS)));
    futures_util::stream::unfold((listener, places), |(listener, places)| async move {
        // Never closed, so never an error.
        let place = Arc::clone(&places).acquire_owned().await.ok()?;
        let stream = accept(&listener).await;
        Some((Ok(Admitted { stream, _place: place }), (listener, places)))
    })
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

impl Connected for Admitted {
    type ConnectInfo = TcpConnectInfo;

    fn connect_info(&self) -> Self::ConnectInfo {
        self.stream.connect_info()
    }
}

impl AsyncRead for Admitted {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Admitted {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(context, buffer)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffers: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write_vectored(context, buffers)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
