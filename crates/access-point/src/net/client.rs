//! The one HTTP client: no redirects, no proxies from the environment, a time limit on the whole
//! call, a size limit on the answer while it streams, connections kept for the next call.

mod body;

use std::collections::HashMap;
use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use jiff::{SignedDuration, Timestamp};
use reqwest::header::{CONTENT_LENGTH, HeaderMap, HeaderName, HeaderValue, RETRY_AFTER};
use reqwest::{Method, redirect};
use rustls::client::{ResolvesClientCert, Resumption};
use rustls::pki_types::CertificateDer;

use body::PartialBody;

use super::disk::{BodySource, parts_of};
use super::guard::{AddressRefusal, Guard, GuardedResolver};
use super::roots::{RootsError, client_tls};

/// Time to open a connection, TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(15);

/// How long before the time of a call is up the body of an answer ends of which the beginning
/// counts; never more than a tenth of that time.
const BEFORE_THE_END: Duration = Duration::from_millis(500);

/// How long an unused connection is kept: less than the servers in the field keep theirs, the
/// shortest of which let go after five seconds, so that it is not used while it is being closed.
const IDLE_TIMEOUT: Duration = Duration::from_secs(4);
/// Origins of which it is remembered when they answered last.
const ORIGINS: usize = 10_000;

/// Unused connections kept for one host.
const IDLE_PER_HOST: usize = 64;

/// How a client is set up.
#[derive(Debug, Clone, Default)]
pub struct HttpSettings {
    /// Roots trusted besides the Mozilla list.
    pub extra_roots: Vec<CertificateDer<'static>>,
    /// What may be called.
    pub guard: Guard,
    /// Whether HTTP/2 is offered; AS4 peers speak HTTP/1.1, one message a connection at a time.
    pub http2: bool,
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
    /// Whether the beginning counts of an answer that is larger, breaks off or does not end: for
    /// calls whose answer is its status.
    pub cut_answer: bool,
    /// Whether it may be made twice without harm, as a `GET` may: one that a kept connection lost,
    /// since the peer closed it at the same moment, is made again at once on a new one.
    pub repeatable: bool,
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
            cut_answer: false,
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
    /// The whole body.
    pub body: Bytes,
    /// From the first byte out to the last byte in.
    pub elapsed: Duration,
    /// Whether the request was made twice, since the first connection ended without an answer: the
    /// server may have had it before.
    pub repeated: bool,
}

impl HttpAnswer {
    /// How long the server asks to be left alone: `Retry-After`, in seconds or as a date (RFC 9110
    /// section 10.2.3).
    pub(crate) fn retry_after(&self, now: Timestamp) -> Option<SignedDuration> {
        let text = self.headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
        if let Ok(seconds) = text.parse::<u32>() {
            return Some(SignedDuration::from_secs(seconds.into()));
        }
        let date = jiff::fmt::rfc2822::parse(text).ok()?.timestamp();
        Some(date.duration_since(now)).filter(|wait| wait.is_positive())
    }
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
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
    /// The time is up.
    #[error("no answer within {} s", .0.as_secs_f32())]
    Timeout(Duration),
    /// The answer is larger than what is read.
    #[error("the answer is larger than {0} bytes")]
    TooLarge(usize),
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

/// A client; cheap to clone, and clones share their connections.
#[derive(Debug, Clone)]
pub struct HttpClient {
    client: reqwest::Client,
    /// Keeps no connections.
    fresh: reqwest::Client,
    answered: Arc<LastAnswers>,
    guard: Arc<Guard>,
}

/// When each origin answered last: a call soon after that may be made on a connection that was
/// kept.
#[derive(Debug, Default)]
struct LastAnswers(Mutex<HashMap<String, Instant>>);

impl LastAnswers {
    fn note(&self, origin: String) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= ORIGINS {
            known.retain(|_, at| at.elapsed() < IDLE_TIMEOUT);
        }
        if known.len() < ORIGINS {
            known.insert(origin, Instant::now());
        }
    }

    fn lately(&self, origin: &str) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.get(origin).is_some_and(|at| at.elapsed() < IDLE_TIMEOUT + CONNECT_TIMEOUT)
    }
}

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
        if settings.http2 {
            tls.alpn_protocols.insert(0, b"h2".to_vec());
        }
        let guard = Arc::new(settings.guard.clone());
        let build = |idle: usize| {
            let mut builder = reqwest::Client::builder()
                .tls_backend_preconfigured(tls.clone())
                .redirect(redirect::Policy::none())
                .no_proxy()
                .dns_resolver(GuardedResolver(guard.clone()))
                .connect_timeout(CONNECT_TIMEOUT)
                .pool_idle_timeout(IDLE_TIMEOUT)
                .pool_max_idle_per_host(idle)
                .tcp_nodelay(true)
                .user_agent(concat!("quoin/", env!("CARGO_PKG_VERSION")));
            if !settings.http2 {
                builder = builder.http1_only();
            }
            builder
                .build()
                .map_err(|error| RootsError::Unusable(rustls::Error::General(chain(&error))))
        };
        let client = build(if settings.unkept { 0 } else { IDLE_PER_HOST })?;
        Ok(HttpClient { client, fresh: build(0)?, answered: Arc::default(), guard })
    }

    /// What this client may call.
    pub fn guard(&self) -> &Guard {
        &self.guard
    }

    /// Makes one call. Any status is an answer; redirects are not followed.
    ///
    /// # Errors
    /// [`CallError`] where no whole answer came.
    pub async fn call(&self, call: HttpCall<'_>) -> Result<HttpAnswer, CallError> {
        let limit = call.timeout;
        let exchange = self.once_or_twice(call);
        tokio::time::timeout(limit, exchange).await.unwrap_or(Err(CallError::Timeout(limit)))
    }

    /// One that was lost on a connection that may have been kept is made once more, on a new one.
    async fn once_or_twice(&self, call: HttpCall<'_>) -> Result<HttpAnswer, CallError> {
        let origin = self.guard.check(call.url)?.origin().ascii_serialization();
        // Time is left to return what came of an answer.
        let until = Instant::now() + call.timeout - BEFORE_THE_END.min(call.timeout / 10);
        let harmless = call.repeatable || call.method == Method::GET;
        let again = (harmless && self.answered.lately(&origin)).then(|| call.clone());
        let answer = match (exchange(&self.client, &self.guard, (call, until)).await, again) {
            (Err(CallError::Closed(first)), Some(again)) => {
                match exchange(&self.fresh, &self.guard, (again, until)).await {
                    Ok(answer) => Ok(HttpAnswer { repeated: true, ..answer }),
                    // What arrived once is not undone by a second call that did not.
                    Err(CallError::Connect(_) | CallError::Tls(_)) => Err(CallError::Closed(first)),
                    Err(other) => Err(other),
                }
            }
            (first, _) => first,
        };
        if answer.is_ok() {
            self.answered.note(origin);
        }
        answer
    }
}

async fn exchange(
    client: &reqwest::Client,
    guard: &Guard,
    (call, until): (HttpCall<'_>, Instant),
) -> Result<HttpAnswer, CallError> {
    let url = guard.check(call.url)?;
    let started = Instant::now();
    let mut request = client.request(call.method, url);
    for (name, value) in call.headers {
        request = request.header(name, value);
    }
    if let Some(body) = call.body {
        request = request.body(body);
    } else if let Some(spool) = call.spooled {
        request = request.header(CONTENT_LENGTH, spool.length());
        request = request.body(reqwest::Body::wrap_stream(parts_of(spool)));
    }
    let failed = |error: reqwest::Error| classify(&error, call.timeout);
    let mut response = request.send().await.map_err(|error| unanswered(failed(error)))?;
    let (largest, status) = (call.largest_answer, response.status().as_u16());
    let headers = std::mem::take(response.headers_mut());
    let body = match call.cut_answer {
        true => body::beginning(response, largest, until).await,
        false => body::whole(response, largest).await.map_err(|partial| match partial {
            PartialBody::TooLarge => CallError::TooLarge(largest),
            PartialBody::Broken(error) => failed(error),
        })?,
    };
    Ok(HttpAnswer { status, headers, body, elapsed: started.elapsed(), repeated: false })
}

/// What broke off before the head of an answer was read was closed before it answered.
fn unanswered(error: CallError) -> CallError {
    match error {
        CallError::Broken(what) => CallError::Closed(what),
        other => other,
    }
}

fn classify(error: &reqwest::Error, limit: Duration) -> CallError {
    if let Some(refusal) = find::<AddressRefusal>(error) {
        return match refusal {
            AddressRefusal::Unresolved(_) => CallError::Connect(refusal.to_string()),
            other => CallError::Refused(other.clone()),
        };
    }
    if let Some(tls) = find_tls(error) {
        return CallError::Tls(tls);
    }
    match error {
        error if error.is_timeout() && error.is_connect() => CallError::Timeout(CONNECT_TIMEOUT),
        error if error.is_timeout() => CallError::Timeout(limit),
        error if error.is_connect() => CallError::Connect(last(error)),
        error => CallError::Broken(last(error)),
    }
}

/// The TLS error in a chain.
fn find_tls(error: &reqwest::Error) -> Option<String> {
    find::<rustls::Error>(error).map(|tls| tls.to_string())
}

/// The first error of a type in a chain. An input/output error does not name what it wraps as its
/// source, so that is looked into first.
fn find<'e, E: Error + 'static>(error: &'e (dyn Error + 'static)) -> Option<&'e E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        let wrapped = error.downcast_ref::<std::io::Error>().and_then(|io| io.get_ref());
        next = match wrapped {
            Some(inner) => Some(inner),
            None => error.source(),
        };
    }
    None
}

/// The innermost cause in words, without the page of a library that it may name.
fn last(error: &(dyn Error + 'static)) -> String {
    let mut error = error;
    while let Some(source) = error.source() {
        error = source;
    }
    let text = error.to_string();
    let words = text.split(": http").next().unwrap_or_default();
    words.trim_end_matches([':', ' ']).to_owned()
}

fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut next = error.source();
    while let Some(error) = next {
        text = format!("{text}: {error}");
        next = error.source();
    }
    text
}

#[cfg(test)]
mod tests;
