//! Documents that come to the store while they are read: hashed, deflated and written part by part.

use bytes::Bytes;
use quoin_delivery::OrganisationId;

use super::files::DurableFolder;
use super::packed::{self, BlobWriter};
use super::{Ready, blocking};
use crate::error::{Error, Fault};

/// A blob that comes part by part. Dropped before it is whole, nothing of it stays.
pub struct BlobStream {
    /// On its way to the disk and back.
    writer: Option<BlobWriter>,
    files: DurableFolder,
}

/// A blob on the disk that no record names yet: it goes where it is not submitted.
pub struct StoredBlob {
    ready: Option<Ready>,
    files: DurableFolder,
}

impl BlobStream {
    pub(crate) async fn begin(
        files: DurableFolder,
        owner: &OrganisationId,
        start: Bytes,
    ) -> Result<BlobStream, Fault> {
        let (folder, owner) = (files.clone(), owner.as_str().to_owned());
        let begun = blocking(move || {
            let mut writer = BlobWriter::begin(&folder, &owner, &start)?;
            writer.write(&start)?;
            Ok::<_, Fault>(writer)
        });
        Ok(BlobStream { writer: Some(begun.await??), files })
    }

    /// How long it is so far.
    pub fn size(&self) -> u64 {
        self.writer.as_ref().map_or(0, BlobWriter::size)
    }

    /// The next part; after an error there is nothing more to write to.
    pub async fn write(&mut self, part: Bytes) -> Result<(), Error> {
        let Some(mut writer) = self.writer.take() else { return Err(broken_off()) };
        let written = blocking(move || writer.write(&part).map(|()| writer)).await?;
        self.writer = Some(written?);
        Ok(())
    }

    /// The whole blob, on the disk.
    pub async fn finish(self) -> Result<StoredBlob, Error> {
        let BlobStream { writer, files } = self;
        let Some(writer) = writer else { return Err(broken_off()) };
        let stored = blocking(move || {
            let ready = Some(Ready::written(writer)?);
            Ok::<_, Fault>(StoredBlob { ready, files })
        });
        Ok(stored.await??)
    }
}

fn broken_off() -> Error {
    Fault::record("streamed blob", "a part after one that could not be written").into()
}

impl StoredBlob {
    /// How long it is.
    pub fn size(&self) -> u64 {
        self.ready.as_ref().map_or(0, |ready| ready.size)
    }

    /// All of it.
    pub async fn bytes(&self) -> Result<Bytes, Error> {
        let Some(Ready { id, size, file: Some(file), .. }) = &self.ready else {
            return Ok(Bytes::new());
        };
        let (files, file, of) = (self.files.clone(), file.clone(), (*id, *size));
        Ok(blocking(move || packed::read(&files, &file, of)).await??)
    }

    /// What is to be recorded.
    pub(crate) fn into_ready(mut self) -> Result<Ready, Fault> {
        self.ready.take().ok_or_else(|| Fault::record("streamed blob", "nothing"))
    }
}

impl Drop for StoredBlob {
    fn drop(&mut self) {
        let Some(file) = self.ready.take().and_then(Ready::into_file) else { return };
        let files = self.files.clone();
        // Whoever hung up is not waited for, and the runtime may be gone with it.
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            if let Err(error) = files.delete(&file).await {
                tracing::warn!(%file, %error, "a document that was not submitted stays behind");
            }
        });
    }
}
