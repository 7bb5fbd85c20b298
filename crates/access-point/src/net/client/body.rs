//! The body of an answer, as far as it counts.

use std::time::Instant;

use bytes::{Bytes, BytesMut};
use reqwest::Response;

/// Why a body is not whole.
pub(super) enum PartialBody {
    /// It is larger than what is read.
    TooLarge,
    /// It broke off.
    Broken(reqwest::Error),
}

/// All of it.
pub(super) async fn whole(mut response: Response, largest: usize) -> Result<Bytes, PartialBody> {
    if response.content_length().is_some_and(|length| length > largest as u64) {
        return Err(PartialBody::TooLarge);
    }
    let mut body = BytesMut::new();
    while let Some(part) = response.chunk().await.map_err(PartialBody::Broken)? {
        if part.len() > largest - body.len() {
            return Err(PartialBody::TooLarge);
        }
        body.extend_from_slice(&part);
    }
    Ok(body.freeze())
}

/// Its beginning, up to a size and a time. The answer is known by its status: a connection that
/// ends within the body, or without saying so, takes nothing back.
pub(super) async fn beginning(mut response: Response, largest: usize, until: Instant) -> Bytes {
    let mut body = BytesMut::new();
    while body.len() < largest {
        let part = match tokio::time::timeout_at(until.into(), response.chunk()).await {
            Ok(Ok(Some(part))) => part,
            Ok(Ok(None)) => break,
            Ok(Err(error)) => {
                tracing::debug!(%error, "an answer broke off after its head");
                break;
            }
            Err(_) => {
                tracing::debug!("an answer did not end in time");
                break;
            }
        };
        let room = part.len().min(largest - body.len());
        body.extend_from_slice(part.get(..room).unwrap_or_default());
    }
    body.freeze()
}
