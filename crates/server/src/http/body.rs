//! Reading the body of a request within a size and a time.

use std::time::Duration;

use axum::body::Body;
use axum::extract::{FromRef, FromRequest, Request};
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Body as _;

use super::codes;
use super::frame::too_large;
use super::problem::Problem;

/// How much is read, and for how long.
#[derive(Debug, Clone, Copy)]
pub struct BodyLimits {
    /// Largest body in bytes.
    pub bytes: u64,
    /// Time for the whole body.
    pub time: Duration,
}

impl From<&crate::config::Limits> for BodyLimits {
    fn from(limits: &crate::config::Limits) -> BodyLimits {
        BodyLimits {
            bytes: limits.request_bytes,
            time: Duration::from_secs(limits.body_timeout_seconds),
        }
    }
}

/// Why a body was not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BodyError {
    /// It is larger than the limit.
    #[error("the body is larger than {0} bytes")]
    TooLarge(u64),
    /// It did not arrive in time.
    #[error("the body did not arrive within {0:?}")]
    TooSlow(Duration),
    /// The connection broke.
    #[error("the body broke off: {0}")]
    Broken(String),
}

impl From<BodyError> for Problem {
    fn from(error: BodyError) -> Problem {
        match error {
            BodyError::TooLarge(limit) => too_large(limit),
            slow @ BodyError::TooSlow(_) => Problem::new(&codes::BODY_TIMEOUT, slow.to_string()),
            broken => Problem::new(&codes::BAD_REQUEST, broken.to_string()),
        }
    }
}

/// Reads a whole body.
///
/// # Errors
/// [`BodyError`].
pub async fn read(body: Body, limits: BodyLimits) -> Result<Bytes, BodyError> {
    let slow = BodyError::TooSlow(limits.time);
    tokio::time::timeout(limits.time, collect(body, limits.bytes)).await.unwrap_or(Err(slow))
}

async fn collect(mut body: Body, limit: u64) -> Result<Bytes, BodyError> {
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
        if first.is_empty() && all.is_empty() {
            first = part;
            continue;
        }
        all.extend_from_slice(&std::mem::take(&mut first));
        all.extend_from_slice(&part);
    }
    Ok(if all.is_empty() { first } else { all.freeze() })
}

/// The whole body of a request, within the limits of the door. It is read behind the token of the
/// caller.
#[derive(Debug, Clone)]
pub(crate) struct Whole(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Whole
where
    BodyLimits: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Whole, Problem> {
        Ok(Whole(read(request.into_body(), BodyLimits::from_ref(state)).await?))
    }
}
