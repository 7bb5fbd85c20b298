//! A request that is answered before its end, as one that is too large: whoever is still writing it
//! gets to read the answer only where the connection goes on to be read for a while. One that is
//! closed at once is reset, and the answer with it (RFC 9112 section 9.6).

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::body::{Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, ReadBuf};
use tokio::time::{Instant, Sleep};

/// Bytes that are still read, and how long none may come.
const MOST: usize = 64 << 20;
const QUIET: Duration = Duration::from_secs(1);
/// Bytes that are read at once.
const PART: usize = 16 << 10;

/// Whether a body of a connection was left before its end; clones share it.
#[derive(Debug, Clone, Default)]
pub(super) struct LeftUnread(Arc<AtomicBool>);

impl LeftUnread {
    pub(super) fn is_so(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// The body of a request, of which it is known whether it was read to its end.
pub(super) struct AskedBody {
    body: Incoming,
    has_ended: bool,
    left: LeftUnread,
}

impl AskedBody {
    pub(super) fn new(body: Incoming, left: &LeftUnread) -> AskedBody {
        AskedBody { body, has_ended: false, left: left.clone() }
    }
}

impl Drop for AskedBody {
    fn drop(&mut self) {
        if !self.has_ended && !self.body.is_end_stream() {
            self.left.0.store(true, Ordering::Relaxed);
        }
    }
}

impl HttpBody for AskedBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        self.has_ended |= !matches!(frame, Some(Ok(_)));
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The end of a connection on which the other side may still be writing.
pub(super) struct Lingering {
    /// Runs while nothing comes.
    quiet: Pin<Box<Sleep>>,
    /// Bytes that are still read.
    left: usize,
}

impl Default for Lingering {
    fn default() -> Lingering {
        Lingering { quiet: Box::pin(tokio::time::sleep(QUIET)), left: MOST }
    }
}

impl Lingering {
    /// Reads what comes, until there is no more, or enough.
    pub(super) fn poll<S: AsyncRead + Unpin>(
        &mut self,
        stream: &mut S,
        context: &mut Context<'_>,
    ) -> Poll<()> {
        let mut bytes = [0; PART];
        loop {
            let mut buffer = ReadBuf::new(&mut bytes);
            let Poll::Ready(read) = Pin::new(&mut *stream).poll_read(context, &mut buffer) else {
                return self.quiet.as_mut().poll(context);
            };
            let came = buffer.filled().len();
            self.left = self.left.saturating_sub(came);
            if read.is_err() || came == 0 || self.left == 0 {
                return Poll::Ready(());
            }
            self.quiet.as_mut().reset(Instant::now() + QUIET);
        }
    }
}
