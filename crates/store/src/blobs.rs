//! Bytes by content: documents, validation reports, receipts. Up to 64 kB they lie in the database
//! and share the commit of the record that uses them; larger ones lie in files that are on the disk
//! (file and folder flushed) before that commit. `docs/adr/0003` has the measurements. They are
//! kept deflated ([`packed`]).

pub(crate) mod files;
pub(crate) mod packed;
mod stored;

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use aws_lc_rs::digest::{SHA256, digest};
use bytes::Bytes;
use data_encoding::HEXLOWER;
use quoin_delivery::OrganisationId;
use uuid::Uuid;

use crate::engine::{Connection, Param};
use crate::error::{Error, Fault};
use crate::writer::Tx;

use files::DurableFolder;
use packed::BlobWriter;

pub use stored::{BlobStream, StoredBlob};

/// Bytes up to which a blob lies in the database: 64 kB, above which a blob keeps the one writer
/// busy for longer than a file of its own would take.
pub const INLINE_LIMIT: usize = 65_536;

/// Blobs that many documents have, of which it is remembered how they are kept: some 3 kB each.
const SHARED: usize = 256;

/// Characters of a digest by which the files of an owner are spread over folders.
const FAN: usize = 2;

/// The SHA-256 of a blob, which is its name within its organisation. Shown in hex.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId(pub [u8; 32]);

impl BlobId {
    /// The id of these bytes.
    pub fn of(bytes: &[u8]) -> BlobId {
        let mut id = [0; 32];
        id.copy_from_slice(digest(&SHA256, bytes).as_ref());
        BlobId(id)
    }
}

impl fmt::Display for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&HEXLOWER.encode(&self.0))
    }
}

impl fmt::Debug for BlobId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "BlobId({self})")
    }
}

/// The files of large blobs. Each put writes a file of its own, so that a file which another record
/// gives up at the same moment is never one we count on.
pub(crate) struct Blobs {
    pub(crate) files: DurableFolder,
    /// What many documents have, as it is kept.
    shared: Mutex<HashMap<BlobId, Bytes>>,
    /// What is wrong with a file that was asked for, until somebody is told.
    lost: Mutex<Option<Fault>>,
}

/// A blob that is ready to be recorded: in memory if small, on the disk if large.
pub(crate) struct Ready {
    pub(crate) id: BlobId,
    pub(crate) size: u64,
    /// As they are kept.
    bytes: Bytes,
    file: Option<String>,
}

impl Ready {
    /// A blob that was written to its end.
    fn written(blob: BlobWriter) -> Result<Ready, Fault> {
        let (id, size, file) = blob.finish()?;
        Ok(Ready { id, size, bytes: Bytes::new(), file: Some(file) })
    }

    /// The file that holds it, where one does.
    pub(crate) fn file(&self) -> Option<String> {
        self.file.clone()
    }

    /// The file to discard where the blob is not recorded after all.
    pub(crate) fn into_file(self) -> Option<String> {
        self.file
    }
}

impl Blobs {
    pub(crate) fn open(folder: &Path) -> Result<Blobs, Fault> {
        let files = DurableFolder::open(folder)?;
        match files.try_out() {
            // A full disk is no reason not to start: what is under way goes on when there is room.
            Ok(()) | Err(Fault::Full { .. }) => {}
            Err(fault) => return Err(fault),
        }
        Ok(Blobs { files, shared: Mutex::default(), lost: Mutex::default() })
    }

    /// Whether a file can be written among those of larger documents.
    ///
    /// Errors: [`Fault::Files`], [`Fault::Full`].
    pub(crate) async fn try_out(&self) -> Result<(), Fault> {
        let files = self.files.clone();
        blocking(move || files.try_out()).await?
    }

    /// The folder of the files.
    pub(crate) fn folder(&self) -> PathBuf {
        self.files.folder.clone()
    }

    /// Notes what is wrong with a file that the database names.
    pub(crate) fn miss(&self, lost: &Fault) {
        let mut first = self.lost.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| lost.clone());
    }

    /// The first file that was found missing or damaged since this was asked last.
    pub(crate) fn missed(&self) -> Option<Fault> {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    pub(crate) async fn ready(&self, owner: &OrganisationId, bytes: Bytes) -> Result<Ready, Fault> {
        let size = bytes.len() as u64;
        if bytes.len() <= INLINE_LIMIT {
            let (id, bytes) = (BlobId::of(&bytes), packed::packed(&bytes));
            return Ok(Ready { id, size, bytes, file: None });
        }
        let (files, owner) = (self.files.clone(), owner.as_str().to_owned());
        blocking(move || {
            let mut blob = BlobWriter::begin(&files, &owner, &bytes)?;
            blob.write(&bytes)?;
            Ready::written(blob)
        })
        .await?
    }

    /// As [`Blobs::ready`], of what must not be lost with the step that brought it: what cannot be
    /// written as a file is recorded in the database.
    pub(crate) async fn ready_anyhow(
        &self,
        owner: &OrganisationId,
        bytes: Bytes,
    ) -> Result<Ready, Fault> {
        match self.ready(owner, bytes.clone()).await {
            Err(fault @ Fault::Files { .. }) => {
                tracing::error!(%owner, %fault, "a file is kept in the database instead");
                let (id, size) = (BlobId::of(&bytes), bytes.len() as u64);
                let bytes = blocking(move || packed::packed(&bytes)).await?;
                Ok(Ready { id, size, bytes, file: None })
            }
            ready => ready,
        }
    }

    /// As [`Blobs::ready`], of what many documents have, such as the answer of an SMP: it is
    /// deflated once.
    pub(crate) async fn ready_shared(
        &self,
        owner: &OrganisationId,
        bytes: Bytes,
    ) -> Result<Ready, Fault> {
        if bytes.len() > INLINE_LIMIT {
            return self.ready_anyhow(owner, bytes).await;
        }
        let (id, size) = (BlobId::of(&bytes), bytes.len() as u64);
        let shared = || self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shared().get(&id).cloned();
        let bytes = known.unwrap_or_else(|| {
            let kept = packed::packed(&bytes);
            let mut shared = shared();
            if shared.len() >= SHARED {
                shared.clear();
            }
            shared.insert(id, kept.clone());
            kept
        });
        Ok(Ready { id, size, bytes, file: None })
    }

    /// The bytes of a blob that lies there.
    pub(crate) async fn fetch(&self, location: BlobLocation) -> Result<Bytes, Fault> {
        match location {
            BlobLocation::Inline(bytes) => Ok(bytes),
            BlobLocation::File { file, id, size } => {
                let files = self.files.clone();
                blocking(move || packed::read(&files, &file, (id, size))).await?
            }
        }
    }

    /// Removes a file that no record names. A file that stays behind costs room, nothing else.
    pub(crate) async fn discard(&self, file: Option<String>) {
        let Some(file) = file else { return };
        if let Err(error) = self.files.delete(&file).await {
            tracing::warn!(%file, %error, "a blob that is no longer used could not be removed");
        }
    }
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Fault> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| Fault::Panicked { message: error.to_string() })
}

/// The name of a new file: its owner, two characters of its digest that spread the files of an
/// owner over folders, and its digest.
fn file_of(owner: &str, id: &BlobId) -> String {
    let digest = id.to_string();
    let fan = digest.get(..FAN).unwrap_or_default();
    format!("{owner}/{fan}/{digest}-{}", Uuid::new_v4().simple())
}

const PUT: &str = "INSERT INTO blobs (organisation, sha256, size, uses, bytes, file)
    VALUES (?1, ?2, ?3, 1, ?4, ?5) ON CONFLICT (organisation, sha256) DO NOTHING";
const USE: &str = "UPDATE blobs SET uses = uses + 1 WHERE organisation = ?1 AND sha256 = ?2";
const FILE: &str = "SELECT file FROM blobs WHERE organisation = ?1 AND sha256 = ?2";
const MOVE: &str = "UPDATE blobs SET bytes = ?3, file = ?4 WHERE organisation = ?1 AND sha256 = ?2";
const GIVE_UP: &str = "UPDATE blobs SET uses = uses - 1 WHERE organisation = ?1 AND sha256 = ?2";
const DROP: &str = "DELETE FROM blobs WHERE organisation = ?1 AND sha256 = ?2 AND uses <= 0
    RETURNING file";
const GET: &str = "SELECT size, bytes, file FROM blobs WHERE organisation = ?1 AND sha256 = ?2";
const SIZE: &str = "SELECT size FROM blobs WHERE organisation = ?1 AND sha256 = ?2";

/// Records one more use of a blob. Answers the file to discard after the commit, where the same
/// bytes were on record already: the one that was there before. Nobody has looked at it since, and
/// it may be missing or damaged; what is at hand now has just been written and flushed.
pub(crate) fn record(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    blob: &Ready,
) -> Result<Option<String>, Fault> {
    let key = [Param::from(owner.as_str()), Param::Blob(&blob.id.0)];
    let [owner, id] = key;
    let size = i64::try_from(blob.size).unwrap_or(i64::MAX);
    let bytes = if blob.file.is_some() { Param::Null } else { Param::Blob(&blob.bytes) };
    let file = Param::from(blob.file.as_ref());
    if tx.execute(PUT, &[owner, id, size.into(), bytes, file])? > 0 {
        return Ok(None);
    }
    tx.execute(USE, &key)?;
    if blob.size <= INLINE_LIMIT as u64 {
        return Ok(None);
    }
    let found = tx.first(FILE, &key)?;
    let before = found.map(|mut row| row.text_or_none("blobs.file")).transpose()?.flatten();
    tx.execute(MOVE, &[owner, id, bytes, file])?;
    Ok(before)
}

/// Records one use less; answers the file to discard after the commit, if that was the last one.
pub(crate) fn release(
    tx: &mut Tx<'_>,
    owner: &OrganisationId,
    id: BlobId,
) -> Result<Option<String>, Fault> {
    let key = [Param::from(owner.as_str()), Param::Blob(&id.0)];
    tx.give_up((owner.clone(), id.0));
    tx.execute(GIVE_UP, &key)?;
    match tx.first(DROP, &key)? {
        Some(mut row) => row.text_or_none("blobs.file"),
        None => Ok(None),
    }
}

/// Where the bytes of a blob lie.
pub(crate) enum BlobLocation {
    Inline(Bytes),
    /// In a file, which holds so many bytes of it.
    File {
        file: String,
        id: BlobId,
        size: u64,
    },
}

impl BlobLocation {
    /// The file that holds it, where one does.
    pub(crate) fn file(&self) -> Option<&str> {
        match self {
            BlobLocation::Inline(_) => None,
            BlobLocation::File { file, .. } => Some(file),
        }
    }
}

/// How many bytes a blob of an organisation has.
pub(crate) fn size(
    db: &mut dyn Connection,
    owner: &OrganisationId,
    id: BlobId,
) -> Result<Option<u64>, Error> {
    let row = db.first(SIZE, &[owner.as_str().into(), Param::Blob(&id.0)])?;
    Ok(row.map(|mut row| row.count("blobs.size")).transpose()?)
}

/// Where a blob of an organisation lies.
pub(crate) fn find(
    db: &mut dyn Connection,
    owner: &OrganisationId,
    id: BlobId,
) -> Result<Option<BlobLocation>, Error> {
    let row = db.first(GET, &[owner.as_str().into(), Param::Blob(&id.0)])?;
    let Some(mut row) = row else { return Ok(None) };
    let size = row.count("blobs.size")?;
    if let Some(bytes) = row.blob_or_none("blobs.bytes")? {
        return Ok(Some(BlobLocation::Inline(packed::unpacked(bytes.into(), size)?)));
    }
    Ok(Some(BlobLocation::File { file: row.text("blobs.file")?, id, size }))
}
