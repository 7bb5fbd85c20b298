//! The accept loop: one task a connection, ended in order when the process ends.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::Router;
use rustls::ServerConfig;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;

use super::connection::ConnectionHandler;
use super::roster::{Roster, Seat};
use crate::budget::Meter;

/// Wait after the system refuses a connection (out of file handles), so as not to spin.
const ACCEPT_PAUSE: Duration = Duration::from_millis(50);
/// How often that is told in the log at most.
const ACCEPT_TOLD: Duration = Duration::from_secs(10);
/// How long a whole connection may take to end after its door has.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Limits of one door.
#[derive(Debug, Clone, Copy)]
pub struct DoorLimits {
    /// Connections held open at a time; further ones wait in the system's queue.
    pub connections: usize,
    /// The same of one address (of IPv6, one network of 64 bits).
    pub of_one_address: usize,
    /// Time for the TLS handshake, for the first request after it, and for the head of each.
    pub header_timeout: Duration,
    /// Time without a request after which a connection is ended.
    pub idle: Duration,
    /// Time in which the other side has to take something of what is written to it.
    pub write: Duration,
    /// Time that requests in flight get at the end.
    pub shutdown: Duration,
}

impl Default for DoorLimits {
    fn default() -> DoorLimits {
        (&crate::config::LimitsSection::default()).into()
    }
}

impl From<&crate::config::LimitsSection> for DoorLimits {
    fn from(limits: &crate::config::LimitsSection) -> DoorLimits {
        DoorLimits {
            connections: limits.connections,
            of_one_address: limits.connections_per_address,
            header_timeout: Duration::from_secs(limits.header_timeout_seconds),
            idle: Duration::from_secs(limits.idle_timeout_seconds),
            write: Duration::from_secs(limits.write_timeout_seconds),
            shutdown: Duration::from_secs(limits.shutdown_seconds),
        }
    }
}

/// Who called: an extension of every request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAddress(pub SocketAddr);

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
    connections: Arc<Meter>,
    task: JoinHandle<()>,
}

impl OpenDoor {
    /// The base address, by IP, without a slash at the end.
    pub fn url(&self) -> String {
        format!("http{}://{}", if self.encrypted { "s" } else { "" }, self.address)
    }

    /// What its connections say about themselves.
    pub fn connections(&self) -> &Arc<Meter> {
        &self.connections
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
        let roster = Roster::new(self.name, &self.limits);
        let connections = roster.meter().clone();
        let task = tokio::spawn(self.accept(listener, roster, app, shutdown));
        Ok(OpenDoor { address, encrypted, connections, task })
    }

    async fn accept(self, listener: TcpListener, roster: Roster, app: Router, shutdown: Shutdown) {
        let connection = ConnectionHandler {
            name: self.name,
            app,
            tls: self.tls.map(TlsAcceptor::from),
            limits: self.limits,
            shutdown: shutdown.clone(),
        };
        loop {
            let (stream, peer, seat) = tokio::select! {
                next = next(&listener, &roster) => next,
                () = shutdown.wait() => break,
            };
            tokio::spawn(connection.clone().run(stream, peer, seat));
        }
        drop(listener);
        if tokio::time::timeout(self.limits.shutdown, roster.empty()).await.is_err() {
            tracing::warn!(door = self.name, "requests were still open at the end");
            roster.close_all();
            let _ = tokio::time::timeout(LAST_WORDS, roster.empty()).await;
        }
    }
}

/// The next connection that gets a place. One of an address that has all of its own is closed.
async fn next(listener: &TcpListener, roster: &Roster) -> (TcpStream, SocketAddr, Seat) {
    let mut told: Option<Instant> = None;
    loop {
        roster.room().await;
        match listener.accept().await {
            Ok((stream, peer)) => {
                if let Some(seat) = roster.enter(peer.ip()) {
                    return (stream, peer, seat);
                }
            }
            Err(error) => {
                if told.is_none_or(|told| told.elapsed() > ACCEPT_TOLD) {
                    tracing::warn!(%error, "connections cannot be accepted");
                    told = Some(Instant::now());
                }
                tokio::time::sleep(ACCEPT_PAUSE).await;
            }
        }
    }
}
