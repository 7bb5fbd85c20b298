//! One connection: TLS, HTTP/1.1 or HTTP/2, and the timers that end one that does nothing, says
//! nothing or takes nothing.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::{Request as HttpRequest, Response, Version};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

use super::host::host_fault;
use super::linger::{AskedBody, LeftUnread, Lingering};
use super::roster::{ConnectionEnd, Pulse, RequestGuard, Seat};
use super::{ClientCertificate, DoorLimits, PeerAddress, Shutdown};

/// Requests that one HTTP/2 connection may have open.
const STREAMS: u32 = 128;
/// The longest head of a request, in bytes.
const LONGEST_HEAD: usize = 64 * 1024;
/// What an HTTP/2 connection may send before it is read: of one stream, and in all.
const STREAM_WINDOW: u32 = 256 << 10;
const CONNECTION_WINDOW: u32 = 1 << 20;
/// What of an answer waits in an HTTP/2 connection for the other side to take it.
const SEND_BUFFER: usize = 128 << 10;
/// The largest part of an answer that is handed on at once. A body that is handed on whole would be
/// done, for us, when its first byte is taken, and its connection be idle while most of it waits.
const PART: usize = 64 << 10;
/// How often an HTTP/2 connection is asked whether it is still there, and how long it may take to
/// say so.
const PING: Duration = Duration::from_secs(20);
/// What an idle connection gets to say goodbye.
const GOODBYE: Duration = Duration::from_secs(1);

/// Where a connection comes from, and what certificate was shown on it.
type ConnectionPeer = (SocketAddr, Option<ClientCertificate>);

#[derive(Clone)]
pub(super) struct ConnectionHandler {
    pub(super) name: &'static str,
    pub(super) app: Router,
    pub(super) tls: Option<TlsAcceptor>,
    pub(super) limits: DoorLimits,
    pub(super) shutdown: Shutdown,
}

impl ConnectionHandler {
    pub(super) async fn run(self, stream: TcpStream, peer: SocketAddr, seat: Seat) {
        // An answer of several small writes must not wait for the peer's acknowledgement.
        let _ = stream.set_nodelay(true);
        let limit = self.limits.header_timeout;
        match self.tls.clone() {
            None => self.speak(stream, (peer, None), &seat).await,
            Some(tls) => {
                let accepted = tokio::select! {
                    accepted = tokio::time::timeout(limit, tls.accept(stream)) => accepted,
                    _ = seat.pulse.over(&self.limits) => return,
                };
                match accepted {
                    Ok(Ok(stream)) => {
                        let shown = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
                        let shown = shown.map(|shown| ClientCertificate((**shown).into()));
                        self.speak(stream, (peer, shown), &seat).await;
                    }
                    Ok(Err(error)) => {
                        tracing::debug!(door = self.name, %peer, %error, "no TLS");
                    }
                    Err(_) => tracing::debug!(door = self.name, %peer, "no TLS in time"),
                }
            }
        }
    }

    async fn speak<S>(self, stream: S, caller: ConnectionPeer, seat: &Seat)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let builder = builder(&self.limits);
        let (app, peer, pulse) = (self.app, caller.0, seat.pulse.clone());
        let left = LeftUnread::default();
        let unread = left.clone();
        let end = self.shutdown.clone();
        let service = hyper::service::service_fn(move |mut request: HttpRequest<Incoming>| {
            request.extensions_mut().insert(end.clone());
            let request = request.map(|body| AskedBody::new(body, &unread));
            answer(app.clone(), caller.clone(), (pulse.begin(), unread.clone()), request)
        });
        let stream = TimedStream::new(stream, self.limits.write, seat.pulse.clone(), left);
        let stream = TokioIo::new(stream);
        let mut connection = pin!(builder.serve_connection(stream, service));
        let ended = tokio::select! {
            ended = connection.as_mut() => Some(ended),
            over = seat.pulse.over(&self.limits) => {
                tracing::debug!(door = self.name, %peer, ?over, "a connection is ended");
                if over == ConnectionEnd::Idle {
                    connection.as_mut().graceful_shutdown();
                    let _ = tokio::time::timeout(GOODBYE, connection.as_mut()).await;
                }
                None
            }
            () = self.shutdown.wait() => {
                connection.as_mut().graceful_shutdown();
                tokio::select! {
                    ended = connection.as_mut() => Some(ended),
                    // The door ends all of them when its time is over.
                    _ = seat.pulse.over(&self.limits) => None,
                }
            }
        };
        if let Some(Err(error)) = ended {
            tracing::debug!(door = self.name, %peer, %error, "the connection broke off");
        }
    }
}

fn builder(limits: &DoorLimits) -> Builder<TokioExecutor> {
    let mut builder = Builder::new(TokioExecutor::new());
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.header_timeout)
        // Who says all it has to say and closes its side still waits for the answer (RFC 9112
        // section 9.6). One that is gone altogether is noticed when the answer is written.
        .half_close(true)
        .max_buf_size(LONGEST_HEAD);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .initial_stream_window_size(STREAM_WINDOW)
        .initial_connection_window_size(CONNECTION_WINDOW)
        .max_send_buf_size(SEND_BUFFER)
        .max_header_list_size(LONGEST_HEAD as u32)
        .keep_alive_interval(PING)
        .keep_alive_timeout(PING);
    builder
}

async fn answer(
    app: Router,
    (peer, shown): ConnectionPeer,
    (under_way, left): (RequestGuard, LeftUnread),
    request: HttpRequest<AskedBody>,
) -> Result<Response<WatchedBody>, Infallible> {
    let version = request.version();
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(PeerAddress(peer));
    if let Some(certificate) = shown {
        request.extensions_mut().insert(certificate);
    }
    let mut response = match host_fault(version, request.headers()) {
        Some(fault) => fault.answer(),
        None => app.oneshot(request).await?,
    };
    // What was not read of it stands before the next request: the connection ends, and whoever
    // would go on with it hears so (RFC 9112 section 9.6). A stream of HTTP/2 stands before none.
    if version < Version::HTTP_2 && left.is_so() {
        response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    }
    Ok(response.map(|body| WatchedBody { body, rest: Bytes::new(), under_way }))
}

/// The body of an answer, in parts of [`PART`] at most: as long as there is one, its request is
/// under way; and whether the other side takes it is seen by whether more of it is asked for.
struct WatchedBody {
    body: Body,
    /// What the body gave and was not handed on yet.
    rest: Bytes,
    under_way: RequestGuard,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        self.under_way.asked();
        if self.rest.is_empty() {
            let frame = match ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => frame.into_data(),
                other => return Poll::Ready(other),
            };
            match frame {
                Ok(data) => self.rest = data,
                // Trailers are no part of what is taken.
                Err(trailers) => return Poll::Ready(Some(Ok(trailers))),
            }
        }
        self.under_way.handed();
        let length = self.rest.len().min(PART);
        Poll::Ready(Some(Ok(Frame::data(self.rest.split_to(length)))))
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty() && self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        let (hint, rest) = (self.body.size_hint(), self.rest.len() as u64);
        let mut all = SizeHint::new();
        all.set_lower(hint.lower() + rest);
        if let Some(upper) = hint.upper() {
            all.set_upper(upper + rest);
        }
        all
    }
}

/// A stream whose writes must make progress. Its connection is not idle while one waits.
struct TimedStream<S> {
    stream: S,
    limit: Duration,
    /// Runs while nothing is taken.
    waits: Option<Pin<Box<Sleep>>>,
    /// The end, once we have said it.
    last: Option<Lingering>,
    left: LeftUnread,
    pulse: Arc<Pulse>,
}

impl<S> TimedStream<S> {
    fn new(stream: S, limit: Duration, pulse: Arc<Pulse>, left: LeftUnread) -> TimedStream<S> {
        TimedStream { stream, limit, waits: None, last: None, left, pulse }
    }

    /// What a write came to: progress stops the clock, none lets it run.
    fn timed<T>(
        &mut self,
        context: &mut Context<'_>,
        done: Poll<std::io::Result<T>>,
    ) -> Poll<std::io::Result<T>> {
        if done.is_ready() {
            if self.waits.take().is_some() {
                self.pulse.writes(false);
            }
            return done;
        }
        let (limit, pulse) = (self.limit, &self.pulse);
        let clock = self.waits.get_or_insert_with(|| {
            pulse.writes(true);
            Box::pin(tokio::time::sleep(limit))
        });
        ready!(clock.as_mut().poll(context));
        Poll::Ready(Err(std::io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for TimedStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for TimedStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.timed(context, done)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[std::io::IoSlice<'_>],
    ) -> Poll<std::io::Result<usize>> {
        let done = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.timed(context, done)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        let done = Pin::new(&mut self.stream).poll_flush(context);
        self.timed(context, done)
    }

    fn poll_shutdown(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<std::io::Result<()>> {
        let own = &mut *self;
        if own.last.is_none() {
            let said = Pin::new(&mut own.stream).poll_shutdown(context);
            ready!(own.timed(context, said))?;
        }
        if own.left.is_so() {
            ready!(own.last.get_or_insert_default().poll(&mut own.stream, context));
        }
        Poll::Ready(Ok(()))
    }
}
