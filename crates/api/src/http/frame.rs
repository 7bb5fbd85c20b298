//! The frame around every handler of the customers' door: gives the request an id, refuses what is
//! declared too large before anything else looks at it, writes problem bodies, and answers for
//! paths and methods that do not exist.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{CONNECTION, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use uuid::Uuid;

use quoin_access_point::budget::Pool;
use quoin_access_point::clock::Clock;
use quoin_store::{Fault, Store};

use super::codes;
use super::coding;
use super::pages::page;
use super::problem::{Problem, ProblemContext, render};
use super::rate::{RateLimits, RateMeter};
use super::sentences;
use super::words::language;

/// The header that carries the id of a request, in and out.
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest request id that is taken over from a caller.
const LONGEST_REQUEST_ID: usize = 128;

/// Seconds after which a caller may try again where somebody has to put files right first.
const LATER: &str = "60";

/// What the frame needs to know.
#[derive(Clone)]
pub struct RequestFrame {
    /// Base address as customers see it, without a slash at the end.
    pub base: Arc<str>,
    /// Largest request with its overhead, in bytes.
    pub request_bytes: u64,
    /// The time.
    pub clock: Clock,
    /// Prefix of request headers, as in `X-Service-`.
    pub prefix: Arc<str>,
    /// How many requests a client may make.
    pub rates: Arc<RateLimits>,
    /// Threads on which compressed bodies are opened.
    pub pool: Pool,
    /// What says whether its files are still those that the service was started with.
    pub store: Option<Store>,
}

/// Paths that tell of the service itself, whatever became of its store.
const OF_SERVICE: &[&str] = &["/health", "/docs", "/openapi.json", "/.well-known"];

/// Another database lies in the place of the one that was opened, or none: nothing that is read
/// there is to be believed, and nothing is written.
fn replaced(path: &str, store: Option<&Store>) -> Option<Problem> {
    let of_service = OF_SERVICE.iter().any(|start| path.starts_with(start)) || path == "/";
    let lost = matches!(store.and_then(Store::write_fault), Some(Fault::Replaced { .. }));
    let problem = || Problem::new(&codes::UNAVAILABLE, sentences::NO_STORE.with([]));
    (lost && !of_service).then(|| problem().header(RETRY_AFTER, LATER))
}

/// The id of a request: the caller's own, or one of ours. An extension of every request.
#[derive(Debug, Clone)]
pub struct RequestId(pub Arc<str>);

/// Puts the frame around routes, with the pages of the codes among them.
pub fn framed(routes: Router, frame: RequestFrame) -> Router {
    routes
        .route("/docs/errors/{code}", get(page))
        .fallback(async |request: Request| {
            let path = request.uri().path();
            Problem::new(&codes::NO_PATH, sentences::NO_PATH.with([("path", &path)]))
        })
        .method_not_allowed_fallback(async |request: Request| {
            let method = request.method();
            Problem::new(&codes::METHOD, sentences::NO_METHOD.with([("method", method)]))
        })
        .layer(middleware::from_fn_with_state(frame, around))
}

async fn around(State(frame): State<RequestFrame>, mut request: Request, next: Next) -> Response {
    let id = request_id(&request);
    let path = request.uri().path().to_owned();
    request.extensions_mut().insert(RequestId(id.clone()));
    let meter = RateMeter::new(frame.rates.clone(), &path, frame.clock.now());
    request.extensions_mut().insert(meter.clone());
    let language = language(request.headers(), &frame.prefix);
    request.extensions_mut().insert(language);
    let refused = replaced(&path, frame.store.as_ref());
    let refused = refused.or_else(|| declared(&request, frame.request_bytes));
    let refused = refused.or_else(|| coding::note(&mut request, &frame.pool));
    let mut response = match refused {
        Some(problem) => problem.into_response(),
        None => next.run(request).await,
    };
    if response.extensions().get::<Problem>().is_none() && own_words(&response) {
        response = Problem::new(&codes::BAD_REQUEST, reason(response).await).into_response();
    }
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        tracing::info!(request_id = %id, code = problem.code.id, path, "{}", problem.detail);
        let place =
            ProblemContext { base: &frame.base, instance: &path, request_id: &id, language };
        response = render(&problem, response, &place, frame.clock.now());
    }
    response.headers_mut().extend(meter.headers());
    response.headers_mut().extend(HeaderValue::from_str(&id).map(|id| (REQUEST_ID, id)));
    response
}

/// Whether the framework refused the request in its own words, in plain text.
fn own_words(response: &Response) -> bool {
    let plain = response
        .headers()
        .get(CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"text/plain"));
    response.status() == StatusCode::BAD_REQUEST && plain
}

async fn reason(response: Response) -> String {
    let bytes = axum::body::to_bytes(response.into_body(), 1024).await.unwrap_or_default();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn request_id(request: &Request) -> Arc<str> {
    let given = request.headers().get(&REQUEST_ID).and_then(|value| value.to_str().ok());
    let plain = |id: &&str| {
        let letters = id.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b));
        !id.is_empty() && id.len() <= LONGEST_REQUEST_ID && letters
    };
    given.filter(plain).map_or_else(|| Uuid::now_v7().to_string().into(), Arc::from)
}

/// A request whose declared size is over the limit never reaches the application; what is sent in
/// pieces is counted where it is read, with the same answer (specification section 8).
fn declared(request: &Request, limit: u64) -> Option<Problem> {
    let headers = request.headers();
    let overhead: usize = request.uri().path().len()
        + headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum::<usize>();
    let length: u64 = headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()?;
    let size = length.saturating_add(overhead as u64);
    (size > limit).then(|| too_large(limit).header(CONNECTION, "close"))
}

/// The answer to a request that is too large.
fn too_large(limit: u64) -> Problem {
    Problem::new(&codes::TOO_LARGE, sentences::TOO_LARGE.with([("most", &limit)]))
}
