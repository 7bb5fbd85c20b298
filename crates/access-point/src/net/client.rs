//! The one HTTP client: no redirects, no proxies from the environment, a time limit on the whole
//! call, a size limit on the answer while it streams, connections kept for the next call.

mod body;
mod failing;
mod heads;
mod wire;

use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use futures::StreamExt;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;
use hyper::header::{
    ACCEPT, CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER, USER_AGENT,
};
use hyper::{Method, Request, Uri};
use hyper_util::client::legacy::{self, connect};
use hyper_util::rt::{TokioExecutor, TokioTimer};
use jiff::{SignedDuration, Timestamp};
use rustls::client::{ResolvesClientCert, Resumption};
use rustls::pki_types::CertificateDer;

use body::PartialBody;
use failing::{classify, unanswered};
use wire::{Connector, WireUse};

use super::disk::{BodySource, parts_of};
use super::guard::{AddressRefusal, Guard};
use super::roots::{RootsError, client_tls};

/// How long before the time of a call is up the body of an answer ends of which the beginning
/// counts; never more than a tenth of that time.
const BEFORE_THE_END: Duration = Duration::from_millis(500);

/// How long an unused connection is kept: less than the servers in the field keep theirs, the
/// shortest of which let go after five seconds, so that it is not used while it is being closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);

/// Unused connections kept for one host.
const IDLE_PER_HOST: usize = 64;

/// How a client is set up.
#[derive(Debug, Clone, Default)]
pub struct HttpSettings {
    /// Roots trusted besides the Mozilla list.
    pub extra_roots: Vec<CertificateDer<'static>>,
    /// What may be called.
    pub guard: Guard,
    /// What the client shows to servers that ask for a certificate, as the registers of the network
    /// do.
    pub identity: Option<Arc<dyn ResolvesClientCert>>,
    /// Whether each call has a connection of its own: for an identity that changes, since a
    /// connection that is kept is that of the certificate it began with.
    pub unkept: bool,
}

/// One call.
#[derive(Debug, Clone)]
pub struct HttpCall<'a> {
    /// The method.
    pub method: Method,
    /// The absolute address.
    pub url: &'a str,
    /// Headers, besides those that HTTP itself needs.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// The body, if any.
    pub body: Option<Bytes>,
    /// The body where it lies on the disk; it is read while it is sent.
    pub spooled: Option<Arc<dyn BodySource>>,
    /// Time for the whole call, the answer's last byte included.
    pub timeout: Duration,
    /// The largest body of an answer that is read, in bytes.
    pub largest_answer: usize,
    /// What counts of an answer whose body is not whole.
    pub cut_answer: CutAnswer,
    /// Whether it may be made twice without harm, as a `GET` may: one that a kept connection lost,
    /// since the peer closed it at the same moment, is made again at once on a new one.
    pub repeatable: bool,
}

/// What counts of an answer whose body is larger than what is read, breaks off, does not say that
/// it ends, or does not end in time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CutAnswer {
    /// Nothing: it is no answer.
    Nothing,
    /// Its beginning: for calls whose answer is its status.
    Beginning,
    /// What came, with the reason why it may not be whole ([`HttpAnswer::cut`]): for answers whose
    /// signature says whether they are. One that is too large is no answer.
    Signed,
}

impl<'a> HttpCall<'a> {
    /// A `GET` without further headers.
    pub fn get(url: &'a str, timeout: Duration, largest_answer: usize) -> HttpCall<'a> {
        HttpCall {
            method: Method::GET,
            url,
            headers: Vec::new(),
            body: None,
            spooled: None,
            timeout,
            largest_answer,
            cut_answer: CutAnswer::Nothing,
            repeatable: false,
        }
    }
}

/// What a peer answered, whatever the status.
#[derive(Debug, Clone)]
pub struct HttpAnswer {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body, whole unless the call took less.
    pub body: Bytes,
    /// Why the body may not be whole, where the call took one all the same.
    pub cut: Option<CallError>,
    /// From the first byte out to the last byte in.
    pub elapsed: Duration,
    /// Whether the request was made twice, since the first connection ended without an answer: the
    /// server may have had it before.
    pub repeated: bool,
    /// What the call showed in headers that nobody else may see: some answer with what they were
    /// told.
    pub shown: Vec<HeaderValue>,
}

impl HttpAnswer {
    /// How long the server asks to be left alone: `Retry-After`, in seconds or as a date (RFC 9110
    /// section 10.2.3).
    pub(crate) fn retry_after(&self, now: Timestamp) -> Option<SignedDuration> {
        let text = self.headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            // One that is too long to be read is longer than anybody waits.
            return Some(SignedDuration::from_secs(text.parse::<u32>().unwrap_or(u32::MAX).into()));
        }
        let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
        Some(date.duration_since(now)).filter(|wait| wait.is_positive())
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CallError {
    /// The address is not one that is called; trying again is useless.
    #[error("the address is refused: {0}")]
    Refused(#[from] AddressRefusal),
    /// No connection.
    #[error("no connection: {0}")]
    Connect(String),
    /// The server did not show a certificate that is believed, or spoke no TLS.
    #[error("TLS failed: {0}")]
    Tls(String),
    /// The server did not let us in with the certificate that we showed, or asks for one.
    #[error("TLS failed: the other side does not take the certificate that we show ({0})")]
    Unwelcome(String),
    /// The time is up.
    #[error("no answer within {} s", .0.as_secs_f32())]
    Timeout(Duration),
    /// The answer is larger than what is read.
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
    /// What came before the body is more than is read.
    #[error("the answer is not read: {0}")]
    Unreadable(String),
    /// The connection ended after the request, before a byte of the answer came: whether the
    /// request arrived is not known.
    #[error("the connection ended before an answer came: {0}")]
    Closed(String),
    /// The connection broke, or what came was not HTTP.
    #[error("the exchange broke off: {0}")]
    Broken(String),
}

impl CallError {
    /// Whether a later try may succeed: everything but a refused address.
    pub fn is_temporary(&self) -> bool {
        !matches!(self, CallError::Refused(_))
    }
}

/// The host that a call goes to, with its port where that is not the usual one: by it calls are
/// shared out. Addresses that no call goes to are all one host.
pub fn host(url: &str) -> String {
    let Ok(url) = url::Url::parse(url) else { return String::new() };
    let host = url.host_str().unwrap_or_default().to_ascii_lowercase();
    match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host,
    }
}

/// A client of HTTP/1.1; cheap to clone, and clones share their connections.
#[derive(Debug, Clone)]
pub struct HttpClient {
    client: Arc<PooledClient>,
    /// Keeps no connections.
    fresh: Arc<PooledClient>,
    guard: Arc<Guard>,
}

type PooledClient = legacy::Client<Connector, RequestBody>;
type RequestBody = BoxBody<Bytes, std::io::Error>;

impl HttpClient {
    /// Sets up a client.
    ///
    /// # Errors
    /// [`RootsError`] where a root is not usable.
    pub fn new(settings: &HttpSettings) -> Result<HttpClient, RootsError> {
        let mut tls = client_tls(&settings.extra_roots)?;
        if let Some(identity) = settings.identity.clone() {
            tls.client_auth_cert_resolver = identity;
            // A session that is taken up again is that of the certificate it began with.
            tls.resumption = Resumption::disabled();
        }
        tls.alpn_protocols = vec![b"http/1.1".to_vec()];
        let guard = Arc::new(settings.guard.clone());
        let connector = Connector::new(guard.clone(), Arc::new(tls));
        let build = |idle: usize| {
            let client = legacy::Client::builder(TokioExecutor::new())
                .timer(TokioTimer::new())
                .pool_timer(TokioTimer::new())
                .pool_idle_timeout(IDLE_TIMEOUT)
                .pool_max_idle_per_host(idle)
                .build(connector.clone());
            Arc::new(client)
        };
        let client = build(if settings.unkept { 0 } else { IDLE_PER_HOST });
        Ok(HttpClient { client, fresh: build(0), guard })
    }

    /// What this client may call.
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// Makes one call. Any status is an answer; redirects are not followed.
    ///
    /// # Errors
    /// [`CallError`] where no answer came, or none that counts by [`HttpCall::cut_answer`].
    pub async fn call(&self, call: HttpCall<'_>) -> Result<HttpAnswer, CallError> {
        let ends = Instant::now() + call.timeout;
        let harmless = call.repeatable || call.method == Method::GET;
        let again = harmless.then(|| call.clone());
        let mut kept = false;
        let answer = exchange(&self.client, &self.guard, (call, ends), &mut kept).await;
        let (Err(CallError::Closed(first)), Some(again), true) = (&answer, again, kept) else {
            return answer;
        };
        match exchange(&self.fresh, &self.guard, (again, ends), &mut kept).await {
            Ok(answer) => Ok(HttpAnswer { repeated: true, ..answer }),
            // What arrived once is not undone by a second call that did not.
            Err(CallError::Connect(_) | CallError::Tls(_) | CallError::Unwelcome(_)) => {
                Err(CallError::Closed(first.clone()))
            }
            Err(other) => Err(other),
        }
    }
}

/// One request and its answer, until a call ends. `kept` tells whether the connection was kept from
/// an earlier call.
async fn exchange(
    client: &PooledClient,
    guard: &Guard,
    (call, ends): (HttpCall<'_>, Instant),
    kept: &mut bool,
) -> Result<HttpAnswer, CallError> {
    let url = guard.check(call.url)?;
    let (started, limit, largest) = (Instant::now(), call.timeout, call.largest_answer);
    let cut_answer = call.cut_answer;
    let headers = call.headers.iter().map(|(_, value)| value);
    let shown = headers.filter(|value| value.is_sensitive()).cloned().collect();
    let mut request = request(url.as_str(), call)?;
    let connection = connect::capture_connection(&mut request);
    let answering = tokio::time::timeout_at(ends.into(), client.request(request)).await;
    let used = connection.connection_metadata().as_ref().map(WireUse::of);
    *kept = used.as_ref().is_some_and(WireUse::was_kept);
    let used = used.unwrap_or_default();
    let mut response = match answering {
        Ok(answered) => answered.map_err(|error| unanswered(classify(&error), &used))?,
        // Where nothing was sent, nothing can have arrived.
        Err(_) if connection.connection_metadata().is_none() => {
            let late = format!("it was not open within {} s", limit.as_secs_f32());
            return Err(CallError::Connect(late));
        }
        Err(_) => return Err(CallError::Timeout(limit)),
    };
    let (status, headers) = (response.status().as_u16(), std::mem::take(response.headers_mut()));
    // Time is left to return what came of an answer.
    let until = match cut_answer {
        CutAnswer::Nothing => ends,
        _ => ends - BEFORE_THE_END.min(limit / 10),
    };
    let (body, partial) = match cut_answer {
        CutAnswer::Beginning => body::beginning(response, largest, until).await,
        _ => body::whole(response, largest, until).await,
    };
    used.note(false);
    let partial = partial.map(|partial| match partial {
        PartialBody::TooLarge => CallError::TooLarge(largest),
        PartialBody::Broken(error) => classify(&error),
        PartialBody::Late => CallError::Timeout(limit),
    });
    let cut = match (cut_answer, partial) {
        (_, None) => None,
        (CutAnswer::Beginning, Some(error)) => {
            tracing::debug!(%error, "an answer is not whole");
            Some(error)
        }
        (CutAnswer::Signed, Some(error)) if !matches!(error, CallError::TooLarge(_)) => Some(error),
        (_, Some(error)) => return Err(error),
    };
    let elapsed = started.elapsed();
    Ok(HttpAnswer { status, headers, body, cut, elapsed, repeated: false, shown })
}

/// The request of a call.
fn request(url: &str, call: HttpCall<'_>) -> Result<Request<RequestBody>, CallError> {
    // The guard has judged it; what an address of the web may hold, one of HTTP may, too.
    let refused = |_| CallError::Refused(AddressRefusal::NotAnAddress(url.to_owned()));
    let uri = Uri::try_from(url).map_err(refused)?;
    let nothing = || Full::new(Bytes::new()).map_err(|never| match never {}).boxed();
    let mut request = Request::new(nothing());
    (*request.method_mut(), *request.uri_mut()) = (call.method, uri);
    let headers = request.headers_mut();
    let agent = concat!("quoin/", env!("CARGO_PKG_VERSION"));
    headers.insert(USER_AGENT, HeaderValue::from_static(agent));
    headers.insert(ACCEPT, HeaderValue::from_static("*/*"));
    let mut given = HeaderMap::new();
    for (name, value) in call.headers {
        given.append(name, value);
    }
    headers.extend(given);
    if let Some(body) = call.body {
        *request.body_mut() = Full::new(body).map_err(|never| match never {}).boxed();
    } else if let Some(spool) = call.spooled {
        request.headers_mut().insert(CONTENT_LENGTH, spool.length().into());
        let parts = parts_of(spool).map(|part| part.map(Frame::data));
        *request.body_mut() = BodyExt::boxed(StreamBody::new(parts));
    }
    Ok(request)
}

#[cfg(test)]
mod tests;
