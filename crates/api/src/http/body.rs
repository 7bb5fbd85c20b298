//! Reading the body of a request within a size, a time and a budget: what has come is counted as it
//! comes, and the bytes keep their part of the budget as long as anybody has them.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRef, FromRequest, Request};
use axum::http::Extensions;
use axum::http::header::RETRY_AFTER;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Body as _;

use super::codes;
use super::coding::{self, Gzip};
use super::frame::too_large;
use super::problem::Problem;
use super::sentences;
use quoin_access_point::budget::{BodyLimits, Busy, ByteBudget, Full, Holding};

/// The largest JSON body, in bytes; what is larger is no JSON of this interface.
const JSON_BYTES: u64 = 1 << 20;
/// How long a body waits for room in the budget.
const PATIENCE: Duration = Duration::from_secs(5);
/// How often it looks.
const LOOK_AGAIN: Duration = Duration::from_millis(50);
/// Seconds after which a caller that found no room may try again.
const AGAIN: &str = "5";

/// Whose request it is: an extension of every request with a token.
#[derive(Debug, Clone)]
pub(crate) struct Tenant(pub std::sync::Arc<str>);

/// Why a body was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is larger than the limit.
    #[error("the body is larger than {0} bytes")]
    TooLarge(u64),
    /// It did not arrive in time.
    #[error("the body did not arrive within {0:?}")]
    TooSlow(Duration),
    /// There is no room for it in the budget.
    #[error("there is no room for the body at the moment: {0}")]
    NoRoom(Full),
    /// It is not what its `Content-Encoding` says.
    #[error("the body is not the gzip that Content-Encoding says: {0}")]
    Coding(String),
    /// No thread became free to open it, or opening it failed: nothing is wrong with the body.
    #[error(transparent)]
    Busy(#[from] Busy),
    /// The connection broke.
    #[error("the body broke off: {0}")]
    Broken(String),
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Problem {
        match error {
            BodyError::TooLarge(limit) => too_large(limit),
            slow @ BodyError::TooSlow(_) => Problem::new(&codes::BODY_TIMEOUT, slow.to_string()),
            BodyError::NoRoom(full) => {
                let sentence = if full.share { &sentences::NO_SHARE } else { &sentences::NO_ROOM };
                Problem::new(&codes::UNAVAILABLE, sentence.with([])).header(RETRY_AFTER, AGAIN)
            }
            BodyError::Busy(Busy::Full(_)) => {
                Problem::new(&codes::UNAVAILABLE, sentences::BUSY.with([]))
                    .header(RETRY_AFTER, AGAIN)
            }
            BodyError::Busy(Busy::Broken(what)) => Problem::fault(&what),
            broken => Problem::new(&codes::BAD_REQUEST, broken.to_string()),
        }
    }
}

/// Reads a whole body that is small, such as a form: it is not counted.
///
/// # Errors
/// [`BodyError`].
pub async fn read(body: Body, limits: BodyLimits) -> Result<Bytes, BodyError> {
    Ok(within(body, limits, None).await?.0)
}

/// Reads a whole body of somebody whom the extensions of the request name, within the budget.
///
/// # Errors
/// [`BodyError`].
pub(crate) async fn read_counted(
    body: Body,
    limits: BodyLimits,
    budget: &ByteBudget,
    extensions: &Extensions,
) -> Result<Bytes, BodyError> {
    let who = extensions.get::<Tenant>().map_or("tenant", |tenant| &tenant.0);
    let (bytes, holding) = within(body, limits, Some(budget.enter(who))).await?;
    let (bytes, holding) = match extensions.get::<Gzip>() {
        Some(gzip) if !bytes.is_empty() => {
            coding::open(gzip, who, bytes, limits.bytes, holding).await?
        }
        _ => (bytes, holding),
    };
    Ok(match holding {
        Some(holding) => holding.keep(bytes),
        None => bytes,
    })
}

async fn within(
    body: Body,
    limits: BodyLimits,
    holding: Option<Holding>,
) -> Result<(Bytes, Option<Holding>), BodyError> {
    let slow = BodyError::TooSlow(limits.time);
    let all = collect(body, limits.bytes, holding);
    tokio::time::timeout(limits.time, all).await.unwrap_or(Err(slow))
}

async fn collect(
    mut body: Body,
    limit: u64,
    mut holding: Option<Holding>,
) -> Result<(Bytes, Option<Holding>), BodyError> {
    if body.size_hint().lower() > limit {
        return Err(BodyError::TooLarge(limit));
    }
    let mut first = Bytes::new();
    let mut all = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| BodyError::Broken(error.to_string()))?;
        let Ok(part) = frame.into_data() else { continue };
        if (first.len() + all.len() + part.len()) as u64 > limit {
            return Err(BodyError::TooLarge(limit));
        }
        if let Some(holding) = &mut holding {
            grow(holding, part.len()).await?;
        }
        if first.is_empty() && all.is_empty() {
            first = part;
            continue;
        }
        all.extend_from_slice(&std::mem::take(&mut first));
        all.extend_from_slice(&part);
    }
    Ok((if all.is_empty() { first } else { all.freeze() }, holding))
}

/// Takes room for a part, waiting for a moment where there is none.
async fn grow(holding: &mut Holding, bytes: usize) -> Result<(), BodyError> {
    let until = tokio::time::Instant::now() + PATIENCE;
    loop {
        match holding.grow(bytes) {
            Ok(()) => return Ok(()),
            Err(full) if tokio::time::Instant::now() >= until => {
                return Err(BodyError::NoRoom(full));
            }
            Err(_) => tokio::time::sleep(LOOK_AGAIN).await,
        }
    }
}

/// The whole JSON body of a request, within [`JSON_BYTES`]. It is read behind the token of the
/// caller.
#[derive(Debug, Clone)]
pub(crate) struct FullBody(pub Bytes);

/// The same of a list that may be as large as any request.
#[derive(Debug, Clone)]
pub(crate) struct FullList(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for FullBody
where
    BodyLimits: FromRef<S>,
    ByteBudget: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<FullBody, Problem> {
        let limits = BodyLimits::from_ref(state);
        let limits = BodyLimits { bytes: limits.bytes.min(JSON_BYTES), ..limits };
        let (parts, body) = request.into_parts();
        let budget = ByteBudget::from_ref(state);
        Ok(FullBody(read_counted(body, limits, &budget, &parts.extensions).await?))
    }
}

impl<S: Send + Sync> FromRequest<S> for FullList
where
    BodyLimits: FromRef<S>,
    ByteBudget: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<FullList, Problem> {
        let (parts, body) = request.into_parts();
        let (limits, budget) = (BodyLimits::from_ref(state), ByteBudget::from_ref(state));
        Ok(FullList(read_counted(body, limits, &budget, &parts.extensions).await?))
    }
}
