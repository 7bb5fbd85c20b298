//! A body that is arriving: counted as it comes, in memory while it is small, and on the disk from
//! then on, so that a slow or a large one keeps no memory from others.
//!
//! ```text
//! up to 256 KiB ──► memory
//! beyond ──► an unnamed file ──► asks for the memory that reading it takes ──► loaded whole
//!        └─► or the store, hashed while it is written (a document that is only recorded)
//! ```

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::body::Body as _;
use quoin_access_point::budget::bytes::WEIGHT;
use quoin_access_point::budget::{Busy, ByteBudget, Holding, Pool, Spool, SpoolError};
use quoin_delivery::OrganisationId;
use quoin_store::{BlobStream, Error, Fault, Store, StoredBlob};

use super::{BodyError, BodyHolder, MEMORY};

/// Bytes of a body that are held in memory while it arrives.
const IN_MEMORY: usize = 256 << 10;
/// Bytes that are written to the disk at a time.
const WRITTEN: usize = 256 << 10;
/// Bytes of the beginning of a body that are kept where the rest is in the store: the header of an
/// envelope ends within them.
const HEAD: usize = quoin_peppol::sbdh::HEADER_LIMIT;

/// What bodies may take while they arrive and while they are read.
#[derive(Debug, Clone)]
pub struct BodyRoom {
    /// Memory.
    pub bytes: ByteBudget,
    /// Disk.
    pub spool: ByteBudget,
    /// Threads on which it is counted what is inside a container.
    pub pool: Pool,
    /// Where what is too large for memory lies.
    pub folder: Arc<Path>,
}

impl Default for BodyRoom {
    fn default() -> BodyRoom {
        let budgets = quoin_access_point::budget::Budgets::default();
        let (bytes, spool, pool) = (budgets.bytes, budgets.spool, budgets.pool);
        BodyRoom { bytes, spool, pool, folder: std::env::temp_dir().join("quoin-spool").into() }
    }
}

/// Where a body is by now, beyond what is in memory.
enum OnDisk {
    Nothing,
    Spool(Spool),
    Store(Box<BlobStream>),
}

/// A body that is in the store.
pub(crate) struct StoredBody {
    pub(crate) blob: StoredBlob,
    /// How it begins.
    pub(crate) head: Bytes,
    /// Whether all of it is white space.
    pub(crate) is_blank: bool,
}

/// A body that has come whole.
pub(super) enum WholeBody {
    Held(Bytes),
    Spooled(Spool),
    Stored(StoredBody),
}

/// A body that is arriving.
pub(super) struct ArrivingBody<'a> {
    room: &'a BodyRoom,
    who: &'a BodyHolder,
    /// The store that takes it, where it is only recorded.
    store: Option<(&'a Store, &'a OrganisationId)>,
    pub(super) holding: Holding,
    /// Room on the disk for what the store has of it.
    disk: Holding,
    /// The first part, which is all of most bodies.
    first: Bytes,
    memory: BytesMut,
    on_disk: OnDisk,
    total: u64,
    head: Bytes,
    is_blank: bool,
}

impl<'a> ArrivingBody<'a> {
    pub(super) fn new(
        room: &'a BodyRoom,
        who: &'a BodyHolder,
        store: Option<(&'a Store, &'a OrganisationId)>,
    ) -> ArrivingBody<'a> {
        ArrivingBody {
            room,
            who,
            store,
            holding: who.enter(&room.bytes),
            disk: who.enter(&room.spool),
            first: Bytes::new(),
            memory: BytesMut::new(),
            on_disk: OnDisk::Nothing,
            total: 0,
            head: Bytes::new(),
            is_blank: true,
        }
    }

    /// Reads all of it.
    pub(super) async fn take(&mut self, mut body: Body, limit: u64) -> Result<(), BodyError> {
        if body.size_hint().lower() > limit {
            return Err(BodyError::TooLarge(limit));
        }
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| BodyError::Broken(error.to_string()))?;
            let Ok(part) = frame.into_data() else { continue };
            self.total += part.len() as u64;
            if self.total > limit {
                return Err(BodyError::TooLarge(limit));
            }
            self.add(part).await?;
        }
        Ok(())
    }

    async fn add(&mut self, part: Bytes) -> Result<(), BodyError> {
        let room = self.holding.ask(part.len(), MEMORY).await;
        room.map_err(BodyError::NoRoom)?;
        if self.total == part.len() as u64 {
            self.first = part;
            return Ok(());
        }
        self.memory.extend_from_slice(&std::mem::take(&mut self.first));
        self.memory.extend_from_slice(&part);
        let most = if matches!(self.on_disk, OnDisk::Nothing) { IN_MEMORY } else { WRITTEN };
        if self.memory.len() > most {
            self.write().await?;
        }
        Ok(())
    }

    /// Writes what is in memory to the disk.
    async fn write(&mut self) -> Result<(), BodyError> {
        let part = self.memory.split().freeze();
        let length = part.len();
        self.on_disk = match (std::mem::replace(&mut self.on_disk, OnDisk::Nothing), self.store) {
            (OnDisk::Spool(spool), _) => OnDisk::Spool(spool.write(part).await?),
            (OnDisk::Store(mut stream), _) => {
                self.disk.grow(length).map_err(BodyError::NoRoom)?;
                self.is_blank &= is_blank(&part);
                stream.write(part).await?;
                OnDisk::Store(stream)
            }
            (OnDisk::Nothing, Some((store, owner))) => {
                self.disk.grow(length).map_err(BodyError::NoRoom)?;
                self.head = Bytes::copy_from_slice(part.get(..HEAD).unwrap_or(&part));
                self.is_blank = is_blank(&part);
                OnDisk::Store(Box::new(store.stream(owner, part).await?))
            }
            (OnDisk::Nothing, None) => {
                let room = self.who.enter(&self.room.spool);
                let spool = Spool::open(&self.room.folder, room).await?;
                OnDisk::Spool(spool.write(part).await?)
            }
        };
        self.holding.shrink(length);
        Ok(())
    }

    /// What has come whole, and what it holds of the memory.
    pub(super) async fn whole(mut self) -> Result<(WholeBody, Holding), BodyError> {
        if !matches!(self.on_disk, OnDisk::Nothing) && !self.memory.is_empty() {
            self.write().await?;
        }
        let ArrivingBody { first, memory, on_disk, holding, head, is_blank, .. } = self;
        let body = match on_disk {
            OnDisk::Nothing if memory.is_empty() => WholeBody::Held(first),
            OnDisk::Nothing => WholeBody::Held(memory.freeze()),
            OnDisk::Spool(spool) => WholeBody::Spooled(spool),
            OnDisk::Store(stream) => {
                let blob = stream.finish().await?;
                WholeBody::Stored(StoredBody { blob, head, is_blank })
            }
        };
        Ok((body, holding))
    }
}

impl WholeBody {
    /// All of it in memory, which asks for what reading it takes, so many times its bytes.
    pub(super) async fn load(
        self,
        mut holding: Holding,
        weight: usize,
    ) -> Result<(Bytes, Holding), BodyError> {
        let length = match &self {
            WholeBody::Held(bytes) => bytes.len(),
            WholeBody::Spooled(spool) => spool.length(),
            WholeBody::Stored(stored) => usize::try_from(stored.blob.size()).unwrap_or(usize::MAX),
        };
        let more = length.saturating_mul(weight).saturating_sub(holding.bytes());
        holding.ask(more, MEMORY).await.map_err(BodyError::NoRoom)?;
        let bytes = match self {
            WholeBody::Held(bytes) => bytes,
            WholeBody::Stored(stored) => stored.blob.bytes().await?,
            WholeBody::Spooled(spool) => {
                let loaded = tokio::task::spawn_blocking(move || spool.load()).await;
                let loaded = loaded.map_err(std::io::Error::other).and_then(|loaded| loaded);
                loaded.map_err(SpoolError::Disk)?.into()
            }
        };
        Ok((bytes, holding))
    }
}

/// How many bytes of memory reading one byte of a body takes.
pub(super) const READ: usize = WEIGHT;

fn is_blank(part: &[u8]) -> bool {
    part.iter().all(u8::is_ascii_whitespace)
}

impl From<SpoolError> for BodyError {
    fn from(error: SpoolError) -> BodyError {
        match error {
            SpoolError::Full(full) => BodyError::NoRoom(full),
            SpoolError::Disk(error) => match error.kind() {
                ErrorKind::StorageFull | ErrorKind::QuotaExceeded => BodyError::DiskFull,
                _ => {
                    tracing::error!(%error, "a body could not be kept on the disk while it arrives");
                    BodyError::DiskFailed
                }
            },
        }
    }
}

impl From<Error> for BodyError {
    fn from(error: Error) -> BodyError {
        match error {
            Error::Fault(Fault::Full { .. }) => BodyError::DiskFull,
            error => BodyError::Busy(Busy::Broken(error.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::Problem;

    #[test]
    fn a_full_disk_is_told_as_that() {
        let spool = SpoolError::Disk(std::io::Error::from(ErrorKind::StorageFull));
        assert_eq!(BodyError::from(spool), BodyError::DiskFull);
        let broken = SpoolError::Disk(std::io::Error::from(ErrorKind::PermissionDenied));
        assert_eq!(BodyError::from(broken), BodyError::DiskFailed);
        let refused = Problem::from(BodyError::DiskFailed);
        assert_eq!(refused.status(), 503);
        let store = Error::Fault(Fault::Full { doing: "write" });
        assert_eq!(BodyError::from(store), BodyError::DiskFull);
    }
}
