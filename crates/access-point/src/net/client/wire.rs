//! The connections of the client: a name is resolved by the guard, TLS is agreed, and what a server
//! says before its answer is bounded while it is read.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll, ready};
use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use hyper::Uri;
use hyper::http::Extensions;
use hyper_util::client::legacy::connect::{Connected, Connection, HttpConnector};
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_rustls::TlsConnector;
use tower::Service;

use super::heads::InformationalCount;
use crate::net::guard::{Guard, GuardedResolver};

/// Time to open a connection, TLS included.
pub(super) const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);
/// How often a connection on which nothing comes is asked whether its other end is there, and how
/// often in vain.
const KEEPALIVE: (Duration, u32) = (Duration::from_secs(15), 3);
/// How long what was sent may stay without being acknowledged.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// What opens connections.
#[derive(Clone)]
pub(super) struct Connector {
    tcp: HttpConnector<GuardedResolver>,
    tls: TlsConnector,
}

impl Connector {
    pub(super) fn new(guard: Arc<Guard>, tls: Arc<ClientConfig>) -> Connector {
        let mut tcp = HttpConnector::new_with_resolver(GuardedResolver(guard));
        tcp.enforce_http(false);
        tcp.set_nodelay(true);
        tcp.set_connect_timeout(Some(CONNECT_TIMEOUT));
        tcp.set_keepalive(Some(KEEPALIVE.0));
        tcp.set_keepalive_interval(Some(KEEPALIVE.0));
        tcp.set_keepalive_retries(Some(KEEPALIVE.1));
        #[cfg(target_os = "linux")]
        tcp.set_tcp_user_timeout(Some(UNACKNOWLEDGED));
        Connector { tcp, tls: TlsConnector::from(tls) }
    }
}

/// Why no connection was opened.
type ConnectFault = Box<dyn std::error::Error + Send + Sync>;

impl Service<Uri> for Connector {
    type Response = TokioIo<Wire>;
    type Error = ConnectFault;
    type Future = BoxFuture<'static, Result<TokioIo<Wire>, ConnectFault>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), ConnectFault>> {
        self.tcp.poll_ready(context).map_err(Into::into)
    }

    fn call(&mut self, to: Uri) -> Self::Future {
        let (opening, tls) = (self.tcp.call(to.clone()), self.tls.clone());
        let opened = async move {
            let tcp = opening.await?.into_inner();
            if to.scheme_str() != Some("https") {
                return Ok::<_, ConnectFault>(Wire::over(tcp));
            }
            let host = to.host().unwrap_or_default();
            let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
            Ok(Wire::over(tls.connect(ServerName::try_from(host)?, tcp).await?))
        };
        async move {
            let opened = tokio::time::timeout(CONNECT_TIMEOUT, opened).await;
            let late = |_| format!("it was not open within {} s", CONNECT_TIMEOUT.as_secs());
            Ok(TokioIo::new(opened.map_err(late)??))
        }
        .boxed()
    }
}

/// What bytes travel over, with or without TLS.
trait Carrier: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Carrier for T {}

/// An open connection of HTTP/1.1.
pub(super) struct Wire {
    carrier: Box<dyn Carrier>,
    informational: InformationalCount,
    used: WireUse,
}

/// What is known of a connection beside what it carries.
#[derive(Debug, Clone, Default)]
pub(super) struct WireUse(Arc<WireFacts>);

#[derive(Debug, Default)]
struct WireFacts {
    /// How many calls were made on it.
    calls: AtomicU32,
    /// Whether something came that belongs to no call that is over.
    came: AtomicBool,
    /// What TLS said when it broke off. Whoever reads may do so before a request is there to send,
    /// and then tells nobody why the connection ended.
    broke: OnceLock<rustls::Error>,
}

impl WireUse {
    /// That of a connection.
    pub(super) fn of(connection: &Connected) -> WireUse {
        let mut about = Extensions::new();
        connection.get_extras(&mut about);
        about.get().cloned().unwrap_or_default()
    }

    /// Notes a call; answers whether the connection was kept from an earlier one.
    pub(super) fn was_kept(&self) -> bool {
        self.0.calls.fetch_add(1, Ordering::Relaxed) > 0
    }

    /// Whether something came for the call that is made on it.
    pub(super) fn heard(&self) -> bool {
        self.0.came.load(Ordering::Relaxed)
    }

    /// What TLS said when it broke off.
    pub(super) fn broke(&self) -> Option<&rustls::Error> {
        self.0.broke.get()
    }

    /// Notes why nothing more comes.
    fn breaks(&self, error: &io::Error) {
        if let Some(tls) = error.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()) {
            let _ = self.0.broke.set(tls.clone());
        }
    }

    /// Something came, or what came belongs to a call that is over.
    pub(super) fn note(&self, came: bool) {
        self.0.came.store(came, Ordering::Relaxed);
    }
}

impl Wire {
    fn over(carrier: impl Carrier + 'static) -> Wire {
        let (informational, used) = (InformationalCount::new(), WireUse::default());
        Wire { carrier: Box::new(carrier), informational, used }
    }

    /// Notes that something is sent, whether it leaves or not.
    fn sends(&mut self) {
        if self.informational.sent() {
            self.used.note(false);
        }
    }
}

impl Connection for Wire {
    fn connected(&self) -> Connected {
        Connected::new().extra(self.used.clone())
    }
}

impl AsyncRead for Wire {
    /// Whoever reads passes over informational responses without a pause, so that their end is
    /// here: no time limit of a caller gets a turn before.
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = ready!(Pin::new(&mut self.carrier).poll_read(context, into));
        read.inspect_err(|error| self.used.breaks(error))?;
        let came = into.filled().get(before..).unwrap_or_default();
        if !came.is_empty() {
            self.used.note(true);
        }
        Poll::Ready(self.informational.came(came).map_err(io::Error::other))
    }
}

impl AsyncWrite for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.sends();
        Pin::new(&mut self.carrier).poll_write(context, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.sends();
        Pin::new(&mut self.carrier).poll_write_vectored(context, parts)
    }

    fn is_write_vectored(&self) -> bool {
        self.carrier.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.carrier).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.carrier).poll_shutdown(context)
    }
}
