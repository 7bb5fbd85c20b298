//! Reading the body of a request within a size, a time and a budget: what has come is counted as it
//! comes, what is large lies on the disk until there is memory for it, and the bytes keep their
//! part of the budget as long as anybody has them.

mod arriving;

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
use super::problem::Problem;
use super::sentences;
use super::throttle::address_of;
use arriving::{ArrivingBody, READ, WholeBody};
use quoin_access_point::budget::{BodyLimits, Busy, ByteBudget, Full, Holding, LinePlace, Purpose};
use quoin_access_point::tls::network;
use quoin_delivery::OrganisationId;
use quoin_store::Store;

pub use arriving::BodyRoom;
pub(crate) use arriving::StoredBody;

/// The largest JSON body, in bytes; what is larger is no JSON of this interface.
const JSON_BYTES: u64 = 1 << 20;
/// How a body waits for memory.
pub(super) const MEMORY: LinePlace =
    LinePlace { line: 256, patience: Duration::from_secs(5), first: true };
/// Seconds after which a caller that found no room may try again.
const AGAIN: &str = "5";

/// Whose request it is: an extension of every request whose caller is known.
#[derive(Debug, Clone)]
pub(crate) struct Tenant(pub std::sync::Arc<str>);

/// Who brings a body: its part of the budgets is taken.
#[derive(Debug, Clone)]
pub(crate) struct BodyHolder {
    name: std::sync::Arc<str>,
    /// Whether nobody knows yet who it is: the name is that of its network.
    stranger: bool,
}

impl BodyHolder {
    /// Whom the extensions of a request name; a stranger where they name nobody.
    pub(crate) fn of(extensions: &Extensions) -> BodyHolder {
        match extensions.get::<Tenant>() {
            Some(tenant) => BodyHolder { name: tenant.0.clone(), stranger: false },
            None => {
                let name = network(address_of(extensions)).to_string().into();
                BodyHolder { name, stranger: true }
            }
        }
    }

    fn enter(&self, budget: &ByteBudget) -> Holding {
        match self.stranger {
            true => budget.enter_stranger(&self.name),
            false => budget.enter(&self.name),
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
    /// There is no room for it in the budget.
    #[error("there is no room for the body at the moment: {0}")]
    NoRoom(Full),
    /// There is no room for it on the disk.
    #[error("there is no room on the disk")]
    DiskFull,
    /// It could not be kept there.
    #[error("the disk failed")]
    DiskFailed,
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
            BodyError::TooLarge(limit) => {
                Problem::new(&codes::TOO_LARGE, sentences::TOO_LARGE_BODY.with([("most", &limit)]))
            }
            slow @ BodyError::TooSlow(_) => Problem::new(&codes::BODY_TIMEOUT, slow.to_string()),
            BodyError::NoRoom(full) => {
                let sentence = if full.share { &sentences::NO_SHARE } else { &sentences::NO_ROOM };
                Problem::new(&codes::UNAVAILABLE, sentence.with([])).header(RETRY_AFTER, AGAIN)
            }
            BodyError::DiskFull => Problem::new(&codes::UNAVAILABLE, sentences::NO_DISK.with([]))
                .header(RETRY_AFTER, AGAIN),
            BodyError::DiskFailed => {
                Problem::new(&codes::UNAVAILABLE, sentences::NO_STORE.with([]))
                    .header(RETRY_AFTER, AGAIN)
            }
            BodyError::Busy(busy) => busy.into(),
            broken => Problem::new(&codes::BAD_REQUEST, broken.to_string()),
        }
    }
}

impl From<Busy> for Problem {
    /// That no thread was free is over in a moment; work that broke off is a fault.
    fn from(busy: Busy) -> Problem {
        match busy {
            Busy::Full(_) => Problem::new(&codes::UNAVAILABLE, sentences::BUSY.with([]))
                .header(RETRY_AFTER, AGAIN),
            broken => Problem::fault(broken),
        }
    }
}

/// Reads a whole body that is small, such as a form: it is not counted.
///
/// # Errors
/// [`BodyError`].
pub async fn read(body: Body, limits: BodyLimits) -> Result<Bytes, BodyError> {
    let slow = BodyError::TooSlow(limits.time);
    let all = collect(body, limits.bytes);
    tokio::time::timeout(limits.time, all).await.unwrap_or(Err(slow))
}

async fn collect(mut body: Body, limit: u64) -> Result<Bytes, BodyError> {
    if body.size_hint().lower() > limit {
        return Err(BodyError::TooLarge(limit));
    }
    let mut all = BytesMut::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| BodyError::Broken(error.to_string()))?;
        let Ok(part) = frame.into_data() else { continue };
        if (all.len() + part.len()) as u64 > limit {
            return Err(BodyError::TooLarge(limit));
        }
        all.extend_from_slice(&part);
    }
    Ok(all.freeze())
}

/// Reads a whole body of somebody whom the extensions of the request name, within the budget.
///
/// # Errors
/// [`BodyError`].
pub(crate) async fn read_counted(
    body: Body,
    limits: BodyLimits,
    room: &BodyRoom,
    extensions: &Extensions,
) -> Result<Bytes, BodyError> {
    let (bytes, mut holding) = read_held(body, limits, room, extensions).await?;
    ask_inside(&mut holding, &bytes, room).await?;
    Ok(holding.keep(bytes))
}

/// The same, of what is no container for whoever reads it: nobody looks inside.
///
/// # Errors
/// [`BodyError`].
pub(crate) async fn read_closed(
    body: Body,
    limits: BodyLimits,
    room: &BodyRoom,
    extensions: &Extensions,
) -> Result<Bytes, BodyError> {
    let (bytes, holding) = read_held(body, limits, room, extensions).await?;
    Ok(holding.keep(bytes))
}

async fn read_held(
    body: Body,
    limits: BodyLimits,
    room: &BodyRoom,
    extensions: &Extensions,
) -> Result<(Bytes, Holding), BodyError> {
    let who = BodyHolder::of(extensions);
    let arriving = ArrivingBody::new(room, &who, None);
    let (whole, holding) = within(arriving, body, limits).await?;
    Ok(match extensions.get::<Gzip>() {
        None => whole.load(holding, READ).await?,
        Some(gzip) => {
            let (bytes, holding) = whole.load(holding, 1).await?;
            match bytes.is_empty() {
                true => (bytes, holding),
                false => coding::open(gzip, &who.name, bytes, limits.bytes, holding).await?,
            }
        }
    })
}

/// Asks for the memory of what is inside a container.
///
/// # Errors
/// There is none, or no thread to count it: 503 with `Retry-After`.
pub(crate) async fn ask_inside(
    holding: &mut Holding,
    bytes: &Bytes,
    room: &BodyRoom,
) -> Result<(), BodyError> {
    let threads = (&room.pool, Purpose::ValidateNow);
    holding.ask_inside(bytes, threads, MEMORY).await?.map_err(BodyError::NoRoom)
}

/// A document as it came.
pub(crate) enum DocumentBody {
    /// In memory, counted.
    Held(Bytes),
    /// In the store.
    Stored(StoredBody),
}

/// Reads a body that is only recorded: one that is large goes to the store while it comes, unless
/// it is compressed.
///
/// # Errors
/// [`BodyError`].
pub(crate) async fn read_document(
    body: Body,
    limits: BodyLimits,
    room: &BodyRoom,
    extensions: &Extensions,
    (store, owner): (&Store, &OrganisationId),
) -> Result<DocumentBody, BodyError> {
    if extensions.get::<Gzip>().is_some() {
        return Ok(DocumentBody::Held(read_counted(body, limits, room, extensions).await?));
    }
    let who = BodyHolder::of(extensions);
    let arriving = ArrivingBody::new(room, &who, Some((store, owner)));
    let (whole, holding) = within(arriving, body, limits).await?;
    match whole {
        WholeBody::Stored(stored) => Ok(DocumentBody::Stored(stored)),
        // It is held and handed on, and not looked into.
        whole => {
            let (bytes, holding) = whole.load(holding, 1).await?;
            Ok(DocumentBody::Held(holding.keep(bytes)))
        }
    }
}

/// Memory for so many bytes that somebody will hold; waits in line for it.
///
/// # Errors
/// There is none: 503 with `Retry-After`.
pub(crate) async fn memory(room: &BodyRoom, who: &str, bytes: u64) -> Result<Holding, BodyError> {
    let mut holding = room.bytes.enter(who);
    let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
    holding.ask(bytes, MEMORY).await.map_err(BodyError::NoRoom)?;
    Ok(holding)
}

/// All of a document that is in the store, counted.
///
/// # Errors
/// [`BodyError`].
pub(crate) async fn loaded(
    document: &StoredBody,
    room: &BodyRoom,
    who: &str,
) -> Result<Bytes, BodyError> {
    let holding = memory(room, who, document.blob.size()).await?;
    Ok(holding.keep(document.blob.bytes().await?))
}

async fn within(
    mut arriving: ArrivingBody<'_>,
    body: Body,
    limits: BodyLimits,
) -> Result<(WholeBody, Holding), BodyError> {
    let all = arriving.take(body, limits.bytes);
    let slow = BodyError::TooSlow(limits.time);
    tokio::time::timeout(limits.time, all).await.unwrap_or(Err(slow))?;
    arriving.whole().await
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
    BodyRoom: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<FullBody, Problem> {
        let limits = BodyLimits::from_ref(state);
        let limits = BodyLimits { bytes: limits.bytes.min(JSON_BYTES), ..limits };
        let (parts, body) = request.into_parts();
        let room = BodyRoom::from_ref(state);
        Ok(FullBody(read_counted(body, limits, &room, &parts.extensions).await?))
    }
}

impl<S: Send + Sync> FromRequest<S> for FullList
where
    BodyLimits: FromRef<S>,
    BodyRoom: FromRef<S>,
{
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<FullList, Problem> {
        let (parts, body) = request.into_parts();
        let (limits, room) = (BodyLimits::from_ref(state), BodyRoom::from_ref(state));
        Ok(FullList(read_counted(body, limits, &room, &parts.extensions).await?))
    }
}

#[cfg(test)]
mod tests {
    use quoin_access_point::zip::Zip;

    use super::*;

    #[tokio::test]
    async fn a_container_asks_for_what_is_in_it() {
        let lines = (0..120_000).map(|at| format!("<b>a line with much text {at}</b>"));
        let document = format!("<a>{}</a>", lines.collect::<String>()).into_bytes();
        let mut archive = Zip::default();
        archive.add("a.xml", &document, jiff::Timestamp::UNIX_EPOCH).unwrap();
        let archive = archive.finish().unwrap();
        assert!(archive.len() < document.len() / 5, "{} bytes", archive.len());
        let room = BodyRoom::default();
        let limits = BodyLimits { bytes: 1 << 20, time: Duration::from_secs(10) };
        let mut extensions = Extensions::new();
        extensions.insert(Tenant("a".into()));
        let read =
            async || read_counted(Body::from(archive.clone()), limits, &room, &extensions).await;
        let bytes = read().await.unwrap();
        assert!(room.bytes.used() >= document.len() * READ, "{} bytes", room.bytes.used());
        drop(bytes);
        assert_eq!(room.bytes.used(), 0);
        let (mut one, mut other) = (room.bytes.enter("b"), room.bytes.enter("c"));
        one.ask(100 << 20, MEMORY).await.unwrap();
        other.ask(50 << 20, MEMORY).await.unwrap();
        assert!(matches!(read().await, Err(BodyError::NoRoom(_))));
    }
}
