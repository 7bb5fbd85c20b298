//! The end of a connection, held by whoever uses it: what speaks SSH over it is a task of its own,
//! which a server can keep busy without an end.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::oneshot;
use tokio::time::{Instant, Sleep};

/// As long as it is held, the connection may go on; dropped, it ends.
pub(super) struct Leash(
    #[expect(dead_code, reason = "its end is what counts")] oneshot::Sender<()>,
);

/// A connection that ends with its leash, and after its time in any case.
pub(super) struct LeashedStream<S> {
    stream: S,
    let_go: oneshot::Receiver<()>,
    over: Pin<Box<Sleep>>,
    has_ended: bool,
}

impl<S> LeashedStream<S> {
    /// A connection for so long at most, and what holds it.
    pub(super) fn new(stream: S, longest: Duration) -> (LeashedStream<S>, Leash) {
        let (held, let_go) = oneshot::channel();
        let over = Box::pin(tokio::time::sleep_until(Instant::now() + longest));
        (LeashedStream { stream, let_go, over, has_ended: false }, Leash(held))
    }

    /// Whether it has to end; if not, whoever asks is woken when it has.
    fn has_ended(&mut self, context: &mut Context<'_>) -> bool {
        self.has_ended = self.has_ended
            || Pin::new(&mut self.let_go).poll(context).is_ready()
            || self.over.as_mut().poll(context).is_ready();
        self.has_ended
    }
}

fn ended<T>() -> Poll<io::Result<T>> {
    Poll::Ready(Err(io::ErrorKind::ConnectionAborted.into()))
}

impl<S: AsyncRead + Unpin> AsyncRead for LeashedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.has_ended(context) {
            true => ended(),
            false => Pin::new(&mut self.stream).poll_read(context, into),
        }
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for LeashedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        match self.has_ended(context) {
            true => ended(),
            false => Pin::new(&mut self.stream).poll_write(context, bytes),
        }
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.has_ended(context) {
            true => ended(),
            false => Pin::new(&mut self.stream).poll_flush(context),
        }
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::*;

    /// Reads until it cannot any more, and says why.
    async fn reader(mut stream: LeashedStream<tokio::io::DuplexStream>) -> io::ErrorKind {
        loop {
            if let Err(error) = stream.read_u8().await {
                return error.kind();
            }
        }
    }

    #[tokio::test]
    async fn a_connection_ends_with_what_holds_it_and_with_its_time() {
        let (mut server, ours) = tokio::io::duplex(64);
        let (stream, leash) = LeashedStream::new(ours, Duration::from_secs(600));
        let reading = tokio::spawn(reader(stream));
        for _ in 0..100 {
            server.write_all(b"busy").await.unwrap();
        }
        assert!(!reading.is_finished());
        drop(leash);
        assert_eq!(reading.await.unwrap(), io::ErrorKind::ConnectionAborted);
        assert!(server.write_all(b"x").await.is_err(), "the server is told");

        let (_server, ours) = tokio::io::duplex(64);
        let (stream, _leash) = LeashedStream::new(ours, Duration::from_millis(20));
        assert_eq!(reader(stream).await, io::ErrorKind::ConnectionAborted);
    }
}
