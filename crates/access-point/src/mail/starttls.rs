//! A connection to a mail server that begins without TLS. What is said before TLS could be
//! anybody's word; nothing of it may be taken for what the server says behind TLS (RFC 3207,
//! section 4.2).

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll, ready};

use lettre::transport::smtp::client::AsyncTokioStream;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

/// What the first record of TLS begins with: a handshake (RFC 8446, section 5.1).
const HANDSHAKE: u8 = 0x16;
/// Bytes of an answer that are looked at; a longer one is none to STARTTLS.
const ANSWER: usize = 4 << 10;

/// A connection that begins TLS only where the answer before it was the last word.
#[derive(Debug)]
pub(super) struct OpenStream {
    stream: TcpStream,
    /// What was said since something was asked, until TLS begins.
    said: Option<Vec<u8>>,
}

impl OpenStream {
    pub(super) fn new(stream: TcpStream) -> OpenStream {
        OpenStream { stream, said: Some(Vec::new()) }
    }

    /// What is about to be written ends what was said before.
    fn begins(&mut self, bytes: &[u8]) -> io::Result<()> {
        let Some(said) = &mut self.said else { return Ok(()) };
        if bytes.first() != Some(&HANDSHAKE) {
            said.clear();
            return Ok(());
        }
        if !is_one_answer(said) {
            let more = "the server said more than its answer to STARTTLS: somebody may be between";
            return Err(io::Error::new(io::ErrorKind::InvalidData, more));
        }
        self.said = None;
        Ok(())
    }
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
        self.stream.peer_addr()
    }
}

impl AsyncRead for OpenStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        if let Some(said) = &mut self.said {
            let came = into.filled().get(before..).unwrap_or_default();
            let room = (ANSWER + 1).saturating_sub(said.len());
            said.extend(came.iter().take(room));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for OpenStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.begins(bytes)?;
        Pin::new(&mut self.stream).poll_write(context, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
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
