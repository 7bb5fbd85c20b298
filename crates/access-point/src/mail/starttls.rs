//! A connection to a mail server that begins without TLS. What is said before TLS could be
//! anybody's word; nothing of it may be taken for what the server says behind TLS (RFC 3207,
//! section 4.2).

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

use super::reply::ReplyStream;

/// Bytes of an answer that are looked at; a longer one is none to STARTTLS.
const ANSWER: usize = 4 << 10;

/// A connection that is handed out for TLS only where the answer before it was the last word.
/// Clones are the same one.
#[derive(Debug, Clone)]
pub(super) struct OpenStream {
    peer: SocketAddr,
    /// Nothing once TLS begins.
    open: Arc<Mutex<Option<Open>>>,
}

#[derive(Debug)]
struct Open {
    stream: ReplyStream<TcpStream>,
    /// What was said since something was asked.
    said: Vec<u8>,
}

impl OpenStream {
    pub(super) fn new(stream: TcpStream, peer: SocketAddr) -> OpenStream {
        let open = Open { stream: ReplyStream::new(stream, peer), said: Vec::new() };
        OpenStream { peer, open: Arc::new(Mutex::new(Some(open))) }
    }

    /// The connection, for TLS: it is of no use here any more.
    ///
    /// # Errors
    /// The server said more than its answer.
    pub(super) fn into_tcp(self) -> io::Result<(TcpStream, SocketAddr)> {
        let Open { stream, said } = self.lock().take().ok_or_else(closed)?;
        match is_one_answer(&said) {
            true => Ok(stream.into_parts()),
            false => {
                let more =
                    "the server said more than its answer to STARTTLS: somebody may be between";
                Err(io::Error::new(io::ErrorKind::InvalidData, more))
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Open>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn with<T>(&self, act: impl FnOnce(&mut Open) -> Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        match self.lock().as_mut() {
            Some(open) => act(open),
            None => Poll::Ready(Err(closed())),
        }
    }
}

fn closed() -> io::Error {
    io::ErrorKind::NotConnected.into()
}

/// Whether a text is one answer, of one line or several, and ends with it.
fn is_one_answer(said: &[u8]) -> bool {
    let Some(lines) = said.strip_suffix(b"\n") else { return false };
    let mut lines = lines.split(|byte| *byte == b'\n').rev();
    let goes_on = |line: &[u8]| line.get(3) == Some(&b'-');
    lines.next().is_some_and(|last| !goes_on(last)) && lines.all(goes_on)
}

impl AsyncTokioStream for OpenStream {
    fn peer_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.peer)
    }
}

impl AsyncRead for OpenStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        self.with(|Open { stream, said }| {
            let before = into.filled().len();
            ready!(Pin::new(stream).poll_read(context, into))?;
            let came = into.filled().get(before..).unwrap_or_default();
            let room = (ANSWER + 1).saturating_sub(said.len());
            said.extend(came.iter().take(room));
            Poll::Ready(Ok(()))
        })
    }
}

impl AsyncWrite for OpenStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.with(|open| {
            // What is about to be written ends what was said before.
            open.said.clear();
            Pin::new(&mut open.stream).poll_write(context, bytes)
        })
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.with(|open| Pin::new(&mut open.stream).poll_flush(context))
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.with(|open| Pin::new(&mut open.stream).poll_shutdown(context))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_is_followed_by_another_is_not_one() {
        for one in ["220 go ahead\r\n", "220-go\r\n220 ahead\r\n", "220\n"] {
            assert!(is_one_answer(one.as_bytes()), "{one:?}");
        }
        for other in ["", "220 go", "220 go\r\n250 hello\r\n", "220 go\r\n250-a\r\n250 b\r\n"] {
            assert!(!is_one_answer(other.as_bytes()), "{other:?}");
        }
    }
}
