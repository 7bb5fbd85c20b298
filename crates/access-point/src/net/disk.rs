//! A body that is read from the disk while it is sent.

use std::sync::Arc;

use bytes::Bytes;
use futures::stream::{self, Stream};

/// A body that is read while it is sent, by one reader at a time.
pub trait BodySource: std::fmt::Debug + Send + Sync {
    /// How long it is.
    fn length(&self) -> usize;

    /// What is there from a place on, so many bytes at most. Called on a thread that may wait for
    /// the disk.
    ///
    /// # Errors
    /// The disk failed.
    fn part(&self, from: usize, most: usize) -> std::io::Result<Bytes>;
}

/// Bytes of a body on the disk that are sent at a time.
const SENT_PART: usize = 64 << 10;

/// A body on the disk, part by part.
pub(super) fn parts_of(spool: Arc<dyn BodySource>) -> impl Stream<Item = std::io::Result<Bytes>> {
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
