//! The body of an answer, as far as it counts.

use std::time::Instant;

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::{Body, Incoming};

/// Why a body is not whole.
pub(super) enum PartialBody {
    /// It is larger than what is read.
    TooLarge,
    /// It broke off.
    Broken(hyper::Error),
    /// It did not end in time.
    Late,
}

/// What came of a body, up to a size and a time, and why it is not whole. Of one that says that it
/// is too large nothing is read.
pub(super) async fn whole(
    response: Response<Incoming>,
    largest: usize,
    until: Instant,
) -> (Bytes, Option<PartialBody>) {
    match response.body().size_hint().exact() {
        Some(length) if length > largest as u64 => (Bytes::new(), Some(PartialBody::TooLarge)),
        _ => beginning(response, largest, until).await,
    }
}

/// The same of one whose beginning counts, whatever it says of its length.
pub(super) async fn beginning(
    mut response: Response<Incoming>,
    largest: usize,
    until: Instant,
) -> (Bytes, Option<PartialBody>) {
    let mut body = BytesMut::new();
    let partial = loop {
        let part = match tokio::time::timeout_at(until.into(), response.frame()).await {
            Ok(Some(Ok(frame))) => frame.into_data().unwrap_or_default(),
            Ok(Some(Err(error))) => break Some(PartialBody::Broken(error)),
            Ok(None) => break None,
            Err(_) => break Some(PartialBody::Late),
        };
        let room = largest - body.len();
        body.extend_from_slice(part.get(..room).unwrap_or(&part));
        if part.len() > room {
            break Some(PartialBody::TooLarge);
        }
    };
    (body.freeze(), partial)
}
