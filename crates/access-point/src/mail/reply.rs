//! What is read of a mail server: of its answer to one command so many lines and bytes and no more.
//! Whoever takes the answer apart begins at its first line again with each that comes, and looks at
//! its length when a line is over.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

/// Lines of an answer.
const LINES: usize = 100;
/// Bytes of an answer.
const BYTES: usize = 16 << 10;
/// Bytes of one line of it: four times what a server may say (RFC 5321, section 4.5.3.1.5).
const LINE: usize = 2_000;

/// What stands for the greeting where it was given before TLS.
const GREETING: &[u8] = b"220 \r\n";

/// A connection that ends where the answer of the server does not.
pub(super) struct ReplyStream<S> {
    stream: S,
    peer: SocketAddr,
    answer: ReplySize,
    /// What is read before anything that the server says.
    ahead: &'static [u8],
}

/// What came since something was written.
#[derive(Debug, Default)]
struct ReplySize {
    lines: usize,
    bytes: usize,
    line: usize,
    /// What it has more of than is read; it does not change any more.
    too_much: Option<&'static str>,
}

impl ReplySize {
    fn goes_on(&mut self, came: &[u8]) -> io::Result<()> {
        for byte in came {
            self.bytes += 1;
            self.line += 1;
            self.too_much = match self {
                ReplySize { bytes, .. } if *bytes > BYTES => Some("it has more than 16 KiB"),
                ReplySize { line, .. } if *line > LINE => Some("a line has more than 2,000 bytes"),
                ReplySize { lines: LINES, .. } => Some("it has more than 100 lines"),
                _ => None,
            };
            self.fits()?;
            if *byte == b'\n' {
                self.lines += 1;
                self.line = 0;
            }
        }
        Ok(())
    }

    fn fits(&self) -> io::Result<()> {
        let Some(what) = self.too_much else { return Ok(()) };
        let text = format!("the mail server's answer is longer than what is read: {what}");
        Err(io::Error::new(io::ErrorKind::InvalidData, text))
    }
}

impl<S> ReplyStream<S> {
    /// A connection on which nothing was said yet.
    pub(super) fn new(stream: S, peer: SocketAddr) -> ReplyStream<S> {
        ReplyStream { stream, peer, answer: ReplySize::default(), ahead: &[] }
    }

    /// One whose server greeted us before: it does not do so again behind TLS (RFC 3207, section
    /// 4.2).
    pub(super) fn greeted(stream: S, peer: SocketAddr) -> ReplyStream<S> {
        ReplyStream { ahead: GREETING, ..ReplyStream::new(stream, peer) }
    }

    /// The connection, and where it leads.
    pub(super) fn into_parts(self) -> (S, SocketAddr) {
        (self.stream, self.peer)
    }
}

impl<S: AsyncRead + AsyncWrite + Send + Sync + Unpin> AsyncTokioStream for ReplyStream<S> {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for ReplyStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.answer.fits()?;
        if !self.ahead.is_empty() {
            let (now, later) = self.ahead.split_at(self.ahead.len().min(into.remaining()));
            into.put_slice(now);
            self.ahead = later;
            return Poll::Ready(Ok(()));
        }
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        let came = into.filled().get(before..).unwrap_or_default();
        Poll::Ready(self.answer.goes_on(came))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for ReplyStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.answer.fits()?;
        self.answer = ReplySize::default();
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S> fmt::Debug for ReplyStream<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReplyStream({})", self.peer)
    }
}

#[cfg(test)]
mod tests;
