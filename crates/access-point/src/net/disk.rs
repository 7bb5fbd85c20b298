//! A body that is read from the disk while it is sent.

use std::sync::Arc;

use bytes::Bytes;
use futures::stream::{self, Stream};

use crate::budget::Spool;

/// Bytes of a body on the disk that are sent at a time.
const SENT_PART: usize = 64 << 10;

/// A body on the disk, part by part.
pub(super) fn parts_of(spool: Arc<Spool>) -> impl Stream<Item = std::io::Result<Bytes>> {
    stream::try_unfold((spool, 0), |(spool, from)| async move {
        if from >= spool.length() {
            return Ok(None);
        }
        let read = spool.clone();
        let part = tokio::task::spawn_blocking(move || read.part(from, SENT_PART)).await;
        let part = part.map_err(std::io::Error::other)??;
        let next = from + part.len();
        Ok(Some((part, (spool, next))))
    })
}
