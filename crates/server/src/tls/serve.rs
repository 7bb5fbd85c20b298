//! The accept loop: one task a connection, ended in order when the process ends.

use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use hyper::body::Incoming;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto::Builder;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use rustls::ServerConfig;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt;

/// Requests that one HTTP/2 connection may have open.
const STREAMS: u32 = 128;

/// The longest head of an HTTP/1.1 request, in bytes.
const LONGEST_HEAD: usize = 64 * 1024;

/// Wait after the system refuses a connection (out of file handles), so as not to spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);

/// Limits of one door.
#[derive(Debug, Clone, Copy)]
pub struct DoorLimits {
    /// Connections held open at a time; further ones wait in the system's queue.
    pub connections: usize,
    /// Time for the TLS handshake, and for the head of each request.
    pub header_timeout: Duration,
    /// Time that requests in flight get at the end.
    pub shutdown: Duration,
}

impl Default for DoorLimits {
    fn default() -> DoorLimits {
        (&crate::config::Limits::default()).into()
    }
}

impl From<&crate::config::Limits> for DoorLimits {
    fn from(limits: &crate::config::Limits) -> DoorLimits {
        DoorLimits {
            connections: limits.connections,
            header_timeout: Duration::from_secs(limits.header_timeout_seconds),
            shutdown: Duration::from_secs(limits.shutdown_seconds),
        }
    }
}

/// Who called: an extension of every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(pub SocketAddr);

/// The certificate (DER) that the caller showed and the door verified: an extension of every
/// request of a door that asks for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientCertificate(pub Arc<[u8]>);

/// Asks everything that holds a clone to end.
#[derive(Debug, Clone)]
pub struct Shutdown(Arc<watch::Sender<bool>>);

impl Default for Shutdown {
    fn default() -> Shutdown {
        Shutdown(Arc::new(watch::channel(false).0))
    }
}

impl Shutdown {
    /// Asks for the end.
    pub fn now(&self) {
        self.0.send_replace(true);
    }

    /// Whether the end was asked for.
    pub fn asked(&self) -> bool {
        *self.0.borrow()
    }

    /// Waits until the end is asked for.
    pub async fn wait(&self) {
        // The sender lives in `self`, so the wait cannot fail.
        let _ = self.0.subscribe().wait_for(|asked| *asked).await;
    }
}

/// A door to open.
#[derive(Debug, Clone)]
pub struct Door {
    /// Its name in logs.
    pub name: &'static str,
    /// Where it listens; port 0 lets the system choose.
    pub address: SocketAddr,
    /// Its TLS side; `None` for plain HTTP.
    pub tls: Option<Arc<ServerConfig>>,
    /// Its limits.
    pub limits: DoorLimits,
}

/// A door that is open.
#[derive(Debug)]
pub struct OpenDoor {
    /// Where it listens, with the port that the system chose.
    pub address: SocketAddr,
    /// Whether it speaks TLS.
    pub encrypted: bool,
    task: JoinHandle<()>,
}

impl OpenDoor {
    /// The base address, by IP, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http{}://{}", if self.encrypted { "s" } else { "" }, self.address)
    }

    /// Waits until the door is closed and its requests are answered.
    pub async fn closed(self) {
        // A panic of the loop was already reported by the panic hook.
        let _ = self.task.await;
    }
}

impl Door {
    /// Opens the door: when this returns, connections are accepted.
    ///
    /// # Errors
    /// The address could not be bound.
    pub async fn open(self, app: Router, shutdown: Shutdown) -> io::Result<OpenDoor> {
        let listener = TcpListener::bind(self.address).await.map_err(|error| {
            io::Error::new(error.kind(), format!("{} at {}: {error}", self.name, self.address))
        })?;
        let address = listener.local_addr()?;
        let encrypted = self.tls.is_some();
        let task = tokio::spawn(self.accept(listener, app, shutdown));
        Ok(OpenDoor { address, encrypted, task })
    }

    async fn accept(self, listener: TcpListener, app: Router, shutdown: Shutdown) {
        let graceful = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(self.limits.connections));
        let connection = Connection {
            name: self.name,
            app,
            tls: self.tls.map(TlsAcceptor::from),
            limits: self.limits,
        };
        loop {
            let (stream, peer, place) = tokio::select! {
                next = next(&listener, &places) => next,
                () = shutdown.wait() => break,
            };
            tokio::spawn(connection.clone().run(stream, peer, place, graceful.watcher()));
        }
        drop(listener);
        if tokio::time::timeout(self.limits.shutdown, graceful.shutdown()).await.is_err() {
            tracing::warn!(door = self.name, "requests were still open at the end");
        }
    }
}

async fn next(
    listener: &TcpListener,
    places: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, Option<OwnedSemaphorePermit>) {
    let place = places.clone().acquire_owned().await.ok();
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, place),
            Err(error) => {
                tracing::warn!(%error, "a connection could not be accepted");
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}

/// Where a connection comes from, and what certificate was shown on it.
type Caller = (SocketAddr, Option<ClientCertificate>);

#[derive(Clone)]
struct Connection {
    name: &'static str,
    app: Router,
    tls: Option<TlsAcceptor>,
    limits: DoorLimits,
}

impl Connection {
    async fn run(
        self,
        stream: TcpStream,
        peer: SocketAddr,
        place: Option<OwnedSemaphorePermit>,
        watcher: Watcher,
    ) {
        // An answer of several small writes must not wait for the peer's acknowledgement.
        let _ = stream.set_nodelay(true);
        let handshake_limit = self.limits.header_timeout;
        match self.tls.clone() {
            None => self.speak(stream, (peer, None), watcher).await,
            Some(tls) => match tokio::time::timeout(handshake_limit, tls.accept(stream)).await {
                Ok(Ok(stream)) => {
                    let shown = stream.get_ref().1.peer_certificates().and_then(<[_]>::first);
                    let shown = shown.map(|certificate| ClientCertificate((**certificate).into()));
                    self.speak(stream, (peer, shown), watcher).await;
                }
                Ok(Err(error)) => tracing::debug!(door = self.name, %peer, %error, "no TLS"),
                Err(_) => tracing::debug!(door = self.name, %peer, "no TLS in time"),
            },
        }
        drop(place);
    }

    async fn speak<S>(self, stream: S, caller: Caller, watcher: Watcher)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let mut builder = Builder::new(TokioExecutor::new());
        builder
            .http1()
            .timer(TokioTimer::new())
            .header_read_timeout(self.limits.header_timeout)
            .max_buf_size(LONGEST_HEAD);
        builder.http2().timer(TokioTimer::new()).max_concurrent_streams(STREAMS);
        let (app, peer) = (self.app, caller.0);
        let service = hyper::service::service_fn(move |request: Request<Incoming>| {
            answer(app.clone(), caller.clone(), request)
        });
        let connection = builder.serve_connection(TokioIo::new(stream), service).into_owned();
        if let Err(error) = watcher.watch(connection).await {
            tracing::debug!(door = self.name, %peer, %error, "the connection broke off");
        }
    }
}

async fn answer(
    app: Router,
    (peer, shown): Caller,
    request: Request<Incoming>,
) -> Result<Response<Body>, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(Peer(peer));
    if let Some(certificate) = shown {
        request.extensions_mut().insert(certificate);
    }
    app.oneshot(request).await
}
